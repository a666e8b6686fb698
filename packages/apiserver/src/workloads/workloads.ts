import type { JsonObject } from 'kilter/api';
import type { Registry } from '../calls/index.ts';
import { daemonSets } from './daemon-sets.ts';
import { deployments } from './deployments.ts';
import { disruptions } from './disruptions.ts';
import { endpointSlices } from './endpoint-slices.ts';
import { jobs } from './jobs.ts';
import { nodes } from './nodes.ts';
import type { PodTimes } from './pod-status.ts';
import { pods } from './pods.ts';
import type { WorkloadStage } from './reconcile-stage.ts';
import { replicaSets } from './replica-sets.ts';
import { statefulSets } from './stateful-sets.ts';

/** Which workloads run, and how fast Pods are. */
export interface WorkloadOptions {
  /** How many fake Nodes exist. Default: 1; with 0, Pods stay Pending. */
  readonly nodes?: number | undefined;
  /** How long Pods take. Default: 200 ms to Running and Ready, 400 ms to the end of a Job's Pod, 100 ms to be gone. */
  readonly podTimes?: Partial<PodTimes> | undefined;
  /** How long a single Pod takes, and how it ends, if it differs from the others. */
  readonly podTimesOf?: ((pod: JsonObject) => Partial<PodTimes> | undefined) | undefined;
}

// Long enough to be seen by a person and by a test that looks for the states between, short enough for both.
const defaultTimes: PodTimes = { runningAfter: 200, readyAfter: 200, goneAfter: 100, endedAfter: 400, exitCode: 0 };

/** Just enough of kube-controller-manager, scheduler and kubelet: nodes, pods, what makes pods, budgets, endpoints. */
export function workloads(registry: Registry, options: WorkloadOptions = {}): WorkloadStage[] {
  const times = { ...defaultTimes, ...options.podTimes };
  return [
    nodes(registry, options.nodes ?? 1),
    deployments(registry),
    replicaSets(registry),
    statefulSets(registry),
    daemonSets(registry),
    disruptions(registry),
    endpointSlices(registry),
    jobs(registry),
    pods(registry, { times, timesOf: options.podTimesOf }),
  ].filter((stage) => stage !== undefined);
}
