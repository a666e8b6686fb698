import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, parseTime } from 'kilter/api';
import {
  conditionOf,
  controllerReference,
  isTrue,
  type Pod,
  type ReplicaSet,
  type ReplicaSetStatus,
  selects,
  withOwner,
} from './workload-objects.ts';
import { clone } from '../values/index.ts';

export type ReplicaSetStep =
  | { readonly type: 'create'; readonly object: JsonObject }
  | { readonly type: 'adopt'; readonly pod: Pod; readonly owners: JsonObject[] }
  | { readonly type: 'delete'; readonly pod: Pod }
  | { readonly type: 'status'; readonly status: ReplicaSetStatus };

export interface Replicas {
  readonly replicaSet: ReplicaSet;
  /** Those it manages, oldest first. */
  readonly owned: readonly Pod[];
  /** Those of its namespace nobody manages. */
  readonly orphans: readonly Pod[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ReplicaSetPlan {
  readonly step: ReplicaSetStep | undefined;
  readonly at?: number | undefined;
}

/** Whether a pod runs or may still: one that ended or is being deleted is replaced. */
const isFinished = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';
const isActive = (pod: Pod): boolean => pod.metadata.deletionTimestamp === undefined && !isFinished(pod);
const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined && !isFinished(pod);

const isReady = ({ status }: Pod): boolean => isTrue(status?.conditions, 'Ready');

/** When a pod has been ready for long enough; undefined while it is not ready. */
function availableAt(pod: Pod, { spec }: ReplicaSet): number | undefined {
  if (!isReady(pod)) return undefined;
  const since = parseTime(conditionOf(pod.status?.conditions, 'Ready')?.lastTransitionTime ?? '') ?? 0;
  return since + (spec.minReadySeconds ?? 0) * 1000;
}

function newPod({ metadata, spec }: ReplicaSet): JsonObject {
  const { labels, annotations, finalizers } = spec.template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${metadata.name}-`,
      namespace: metadata.namespace,
      ...(labels !== undefined && { labels: { ...labels } }),
      ...(annotations !== undefined && { annotations: { ...annotations } }),
      ...(finalizers !== undefined && { finalizers: [...finalizers] }),
      ownerReferences: [controllerReference('apps/v1', 'ReplicaSet', metadata)],
    },
    spec: clone(spec.template.spec),
  };
}

/** What is least missed goes first: not bound, not running, not ready; then the youngest. */
function leastMissed(pods: readonly Pod[]): Pod | undefined {
  const worth = (pod: Pod): number => {
    if (pod.spec.nodeName === undefined) return 0;
    if (pod.status?.phase !== 'Running') return 1;
    return isReady(pod) ? 3 : 2;
  };
  const [first] = pods.toReversed().toSorted((a, b) => worth(a) - worth(b));
  return first;
}

function scaleStep({ replicaSet, owned, orphans }: Replicas): ReplicaSetStep | undefined {
  const found = orphans.find((pod) => isActive(pod) && selects(replicaSet.spec.selector, pod.metadata.labels));
  if (found !== undefined) {
    const owner = controllerReference('apps/v1', 'ReplicaSet', replicaSet.metadata);
    return { type: 'adopt', pod: found, owners: withOwner(found.metadata, owner) };
  }
  const active = owned.filter(isActive);
  const missing = replicaSet.spec.replicas - active.length;
  if (missing > 0) return { type: 'create', object: newPod(replicaSet) };
  const pod = missing < 0 ? leastMissed(active) : undefined;
  return pod && { type: 'delete', pod };
}

function statusOf({ replicaSet, owned, now }: Replicas): ReplicaSetStatus {
  const active = owned.filter(isActive);
  const labels = Object.entries(replicaSet.spec.template.metadata?.labels ?? {});
  const labelled = active.filter(({ metadata }) => labels.every(([key, value]) => metadata.labels?.[key] === value));
  const counts = {
    fullyLabeledReplicas: labelled.length,
    readyReplicas: active.filter(isReady).length,
    availableReplicas: active.filter((pod) => (availableAt(pod, replicaSet) ?? Infinity) <= now).length,
  };
  const { generation } = replicaSet.metadata;
  return {
    replicas: active.length,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    terminatingReplicas: owned.filter(isTerminating).length,
    ...(generation !== undefined && { observedGeneration: generation }),
  };
}

function nextAvailable({ replicaSet, owned, now }: Replicas): number | undefined {
  const times = owned.filter(isActive).map((pod) => availableAt(pod, replicaSet));
  const later = times.filter((time) => time !== undefined && time > now);
  return later.length === 0 ? undefined : Math.min(...later.filter((time) => time !== undefined));
}

/** The next write a ReplicaSet needs, and when to look again if there is none. */
export function planReplicaSet(replicas: Replicas): ReplicaSetPlan {
  const { replicaSet } = replicas;
  const going = replicaSet.metadata.deletionTimestamp !== undefined;
  const step = going ? undefined : scaleStep(replicas);
  if (step !== undefined) return { step };
  const status = statusOf(replicas);
  if (isDeepStrictEqual(status, replicaSet.status ?? {})) return { step: undefined, at: nextAvailable(replicas) };
  return { step: { type: 'status', status } };
}
