// A registry with its workloads on a virtual clock, in a form a test can read.
import type { JsonObject } from 'kilter/api';
import { seededRandom, virtualClock } from 'kilter/runtime';
import { onTestFinished } from 'vitest';
import type { Call } from '../calls/index.ts';
import { builtinResources } from '../kinds/index.ts';
import { createRegistry } from '../registry/index.ts';
import type { Job } from './job.ts';
import type { WorkloadStage } from './reconcile-stage.ts';
import type { DaemonSet } from './daemon-set-plan.ts';
import type { EndpointSlice, Service } from './endpoint-slice-plan.ts';
import type { Revision } from './revisions.ts';
import type { StatefulSet } from './stateful-set.ts';
import type { Condition, Deployment, Meta, Node, Pod, ReplicaSet } from './workload-objects.ts';
import { type WorkloadOptions, workloads } from './workloads.ts';

export interface Kinds {
  Deployment: Deployment;
  ReplicaSet: ReplicaSet;
  Pod: Pod;
  Node: Node;
  Namespace: { metadata: Meta };
  Service: Service;
  EndpointSlice: EndpointSlice;
  Job: Job;
  StatefulSet: StatefulSet;
  DaemonSet: DaemonSet;
  ControllerRevision: Revision;
  PersistentVolumeClaim: { metadata: Meta };
}

const plurals: Record<keyof Kinds, [group: string, plural: string]> = {
  Deployment: ['apps', 'deployments'],
  ReplicaSet: ['apps', 'replicasets'],
  Pod: ['', 'pods'],
  Node: ['', 'nodes'],
  Namespace: ['', 'namespaces'],
  Service: ['', 'services'],
  EndpointSlice: ['discovery.k8s.io', 'endpointslices'],
  Job: ['batch', 'jobs'],
  StatefulSet: ['apps', 'statefulsets'],
  DaemonSet: ['apps', 'daemonsets'],
  ControllerRevision: ['apps', 'controllerrevisions'],
  PersistentVolumeClaim: ['', 'persistentvolumeclaims'],
};

const resources = builtinResources();

/** Runs the stages as their driver does, in a form a test can read; time passes only when told to. */
export async function drain(stages: readonly WorkloadStage[]): Promise<number> {
  let actions = 0;
  for (;;) {
    const action = stages.map((stage) => stage.next()).find((next) => next !== undefined);
    if (action === undefined) return actions;
    await action();
    actions += 1;
    if (actions > 2000) throw new Error('the stages never come to rest');
  }
}

export function cluster(options: WorkloadOptions = {}) {
  const clock = virtualClock();
  const registry = createRegistry({ clock, random: seededRandom(7), resources });
  const stages = workloads(registry, options);
  let written = 0;
  registry.onChange(() => (written += 1));
  onTestFinished(() => {
    stages.forEach((stage) => stage.close());
    registry.close();
  });
  const resourceOf = (kind: keyof Kinds) => {
    const [group, plural] = plurals[kind];
    const resource = registry.find(group, 'v1', plural);
    if (resource === undefined) throw new Error(kind);
    return resource;
  };
  const call = async (kind: keyof Kinds, details: Partial<Call> & Pick<Call, 'verb'>): Promise<void> => {
    const resource = resourceOf(kind);
    await registry.execute({
      resource,
      namespace: resource.namespaced ? 'default' : undefined,
      name: undefined,
      subresource: undefined,
      query: new URLSearchParams(),
      body: undefined,
      patchType: undefined,
      user: { name: 'admin', groups: ['system:masters'] },
      userAgent: 'test',
      signal: new AbortController().signal,
      ...details,
    });
  };
  const list = <K extends keyof Kinds>(kind: K): Kinds[K][] => registry.peek(resourceOf(kind)) as unknown as Kinds[K][];
  const settle = (): Promise<number> => drain(stages);
  /** Lets time pass in the steps the stages ask for, as their driver does. */
  const pass = async (ms: number): Promise<void> => {
    const end = clock.now() + ms;
    for (;;) {
      await settle();
      const due = Math.min(...stages.map((stage) => stage.dueAt() ?? Infinity));
      if (due > end) break;
      await clock.advance(Math.max(0, due - clock.now()));
    }
    await clock.advance(end - clock.now());
    await settle();
  };
  return {
    clock,
    call,
    list,
    settle,
    pass,
    writes: () => written,
    stages,
    patch: (kind: keyof Kinds, name: string, body: JsonObject): Promise<void> =>
      call(kind, { verb: 'patch', patchType: 'merge', name, body }),
  };
}

export function deployment(spec: JsonObject = {}, image = 'nginx:1'): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } },
      ...spec,
    },
  };
}

export const image = (name: string): JsonObject => ({
  spec: { template: { spec: { containers: [{ name: 'c', image: name }] } } },
});
export const conditions = (found: readonly Condition[] | undefined): Record<string, string> =>
  Object.fromEntries((found ?? []).map(({ type, status, reason }) => [type, `${status} ${reason ?? ''}`.trim()]));
export const ready = (pods: readonly Pod[]): number =>
  pods.filter((pod) => conditions(pod.status?.conditions)['Ready'] === 'True').length;
