import type { JsonObject } from 'kilter/api';
import { endedStatus, type PodMoment, type PodTimes, runningStatus } from './pod-status.ts';
import { controllerOf, isTrue, type Node, nodeNamedBy, type Pod } from './workload-objects.ts';

export type PodStep =
  | { readonly type: 'bind'; readonly node: Node }
  | { readonly type: 'status'; readonly status: JsonObject }
  | { readonly type: 'remove' };

export interface PodSurroundings {
  readonly pod: Pod;
  readonly nodes: readonly Node[];
  /** How many pods each node has, by its name. */
  readonly load: ReadonlyMap<string, number>;
  readonly times: PodTimes;
  /** When the pod was first seen on its node, and when first seen to be deleted: milliseconds since 1970. */
  readonly boundAt: number | undefined;
  readonly deletedAt: number | undefined;
  /** An address no other pod has. */
  freeAddress(node: Node): string;
  readonly now: number;
}

export interface PodPlan {
  readonly step: PodStep | undefined;
  readonly at?: number | undefined;
}

const atRest: PodPlan = { step: undefined };

function takes({ metadata, spec, status }: Node, pod: Pod): boolean {
  const wanted = Object.entries(pod.spec.nodeSelector ?? {});
  return (
    spec?.unschedulable !== true &&
    metadata.deletionTimestamp === undefined &&
    isTrue(status?.conditions, 'Ready') &&
    wanted.every(([key, value]) => metadata.labels?.[key] === value)
  );
}

/** The node with the fewest pods that takes this one; by name where several do. */
function nodeFor({ pod, nodes, load }: PodSurroundings): Node | undefined {
  const named = nodeNamedBy(pod);
  // Whoever asks for one node by name tolerates what keeps others off it.
  if (named !== undefined) return nodes.find(({ metadata }) => metadata.name === named);
  const loadOf = ({ metadata }: Node): number => load.get(metadata.name) ?? 0;
  const [best] = nodes
    .filter((node) => takes(node, pod))
    .toSorted((a, b) => loadOf(a) - loadOf(b) || (a.metadata.name < b.metadata.name ? -1 : 1));
  return best;
}

function planUnbound(around: PodSurroundings): PodPlan {
  const { pod } = around;
  const { schedulerName = 'default-scheduler', schedulingGates = [] } = pod.spec;
  // Whoever holds it back with gates takes them away.
  const free = schedulingGates.length === 0 && pod.metadata.deletionTimestamp === undefined;
  const mine = schedulerName === 'default-scheduler' && free;
  const node = mine ? nodeFor(around) : undefined;
  return node === undefined ? atRest : { step: { type: 'bind', node } };
}

/** Signals and grace are not played: the pod is gone after its time, and never after its grace. */
function planDeleted({ pod, times, deletedAt, now }: PodSurroundings): PodPlan {
  const grace = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  // Without grace left only finalizers hold it, which are not ours.
  if (grace === 0) return atRest;
  const at = (deletedAt ?? now) + Math.min(times.goneAfter, grace);
  return now >= at ? { step: { type: 'remove' } } : { step: undefined, at };
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Pods of a Job are the ones whose containers end by themselves. */
function planEnd({ pod, times, now }: PodSurroundings, since: number, moment: PodMoment): PodPlan {
  const restarts = times.exitCode !== 0 && pod.spec.restartPolicy === 'OnFailure';
  if (controllerOf(pod.metadata)?.kind !== 'Job' || restarts) return atRest;
  const at = since + Math.max(times.endedAfter, times.readyAfter);
  return now < at ? { step: undefined, at } : { step: { type: 'status', status: endedStatus(moment, times.exitCode) } };
}

/** The next thing scheduler and kubelet do about a pod, and when to look again if there is none. */
export function planPod(around: PodSurroundings): PodPlan {
  const { pod, nodes, times, boundAt, now } = around;
  if (pod.spec.nodeName === undefined || pod.spec.nodeName === '') return planUnbound(around);
  const node = nodes.find(({ metadata }) => metadata.name === pod.spec.nodeName);
  // One that goes from a node that is gone is taken away all the same, as the collector of such pods does.
  if (pod.metadata.deletionTimestamp !== undefined) return planDeleted(around);
  if (node === undefined) return atRest;
  if (hasEnded(pod)) return atRest;
  const since = boundAt ?? now;
  const ready = now >= since + times.readyAfter;
  const running = ready || now >= since + times.runningAfter;
  const address = pod.status?.podIP ?? (running ? around.freeAddress(node) : undefined);
  const status = runningStatus({ pod, node, running, ready, address, now });
  if (status !== undefined) return { step: { type: 'status', status } };
  if (ready) return planEnd(around, since, { pod, node, running, ready, address, now });
  return { step: undefined, at: since + (running ? times.readyAfter : Math.min(times.runningAfter, times.readyAfter)) };
}
