// What a DaemonSet needs next: one pod on each node that it is meant for. Pure.
import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, parseTime } from 'kilter/api';
import { clone, objectsIn } from '../values/index.ts';
import {
  planPruning,
  planRevision,
  presentRevision,
  type Revised,
  type Revision,
  type RevisionStep,
} from './revisions.ts';
import { conditionOf, controllerReference, isTrue, type Node, nodeNamedBy, type Pod } from './workload-objects.ts';

export interface DaemonSetStatus {
  readonly currentNumberScheduled?: number;
  readonly desiredNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly numberMisscheduled?: number;
  readonly numberReady?: number;
  readonly numberUnavailable?: number;
  readonly observedGeneration?: number;
  readonly updatedNumberScheduled?: number;
}

export interface DaemonSet extends Revised {
  readonly spec: Revised['spec'] & {
    readonly minReadySeconds?: number;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxUnavailable?: number | string };
    };
  };
  readonly status?: DaemonSetStatus;
}

export type DaemonSetStep =
  | RevisionStep
  | { readonly type: 'create'; readonly object: JsonObject }
  | { readonly type: 'delete'; readonly pod: Pod }
  | { readonly type: 'status'; readonly status: DaemonSetStatus };

export interface DaemonSetView {
  readonly set: DaemonSet;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly revisions: readonly Revision[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface DaemonSetPlan {
  readonly step: DaemonSetStep | undefined;
  readonly at?: number | undefined;
}

const revisionLabel = 'controller-revision-hash';
const form = { kind: 'DaemonSet', label: revisionLabel } as const;

/** What keeps other pods off a node does not keep these. */
const tolerated = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
].map(([key = '', effect = '']) => ({ key, operator: 'Exists', effect }));

const isGoing = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;
const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';
const isReady = ({ status }: Pod): boolean => isTrue(status?.conditions, 'Ready');
const nodeOf = (pod: Pod): string => pod.spec.nodeName ?? nodeNamedBy(pod) ?? '';

function availableAt(pod: Pod, { spec }: DaemonSet): number {
  if (!isReady(pod) || isGoing(pod)) return Infinity;
  const since = parseTime(conditionOf(pod.status?.conditions, 'Ready')?.lastTransitionTime ?? '') ?? 0;
  return since + (spec.minReadySeconds ?? 0) * 1000;
}

/** The nodes that shall have a pod, by name. */
function wantedNodes({ set, nodes }: DaemonSetView): string[] {
  const selector = Object.entries((set.spec.template.spec['nodeSelector'] ?? {}) as Record<string, string>);
  const fits = ({ metadata }: Node): boolean =>
    metadata.deletionTimestamp === undefined && selector.every(([key, value]) => metadata.labels?.[key] === value);
  const names = nodes.filter(fits).map(({ metadata }) => metadata.name);
  return names.toSorted();
}

function onNode(name: string): JsonObject {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [name] }];
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } },
  };
}

function newPod({ metadata, spec }: DaemonSet, node: string, revision: Revision): JsonObject {
  const { labels, annotations, finalizers } = spec.template.metadata ?? {};
  const podSpec = clone(spec.template.spec);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${metadata.name}-`,
      namespace: metadata.namespace,
      labels: {
        ...labels,
        [revisionLabel]: revision.metadata.labels?.[revisionLabel] ?? '',
        'pod-template-generation': String(revision.revision),
      },
      ...(annotations !== undefined && { annotations: { ...annotations } }),
      ...(finalizers !== undefined && { finalizers: [...finalizers] }),
      ownerReferences: [controllerReference('apps/v1', 'DaemonSet', metadata)],
    },
    spec: {
      ...podSpec,
      affinity: onNode(node),
      tolerations: [...objectsIn(podSpec, 'tolerations'), ...tolerated],
    },
  };
}

const isUpdated = ({ metadata }: Pod, revision: Revision): boolean =>
  metadata.labels?.[revisionLabel] === revision.metadata.labels?.[revisionLabel];

/** A number, or a percentage of a total, rounded up. */
function share(value: number | string, total: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * total) / 100);
}

function placeStep(view: DaemonSetView, revision: Revision): DaemonSetStep | undefined {
  const { set, pods } = view;
  const wanted = wantedNodes(view);
  const ended = pods.find((pod) => hasEnded(pod) && !isGoing(pod));
  if (ended !== undefined) return { type: 'delete', pod: ended };
  const seen = new Set<string>();
  for (const pod of pods.filter((one) => !isGoing(one))) {
    const node = nodeOf(pod);
    if (!wanted.includes(node) || seen.has(node)) return { type: 'delete', pod };
    seen.add(node);
  }
  // A pod that goes keeps its place until it has gone.
  const taken = new Set(pods.map(nodeOf));
  const free = wanted.find((name) => !taken.has(name));
  return free === undefined ? undefined : { type: 'create', object: newPod(set, free, revision) };
}

/** Old pods make room, as many at a time as may be missing; those that do not run anyway go first. */
function updateStep(view: DaemonSetView, revision: Revision): DaemonSetStep | undefined {
  const { set, pods, now } = view;
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  if (type === 'OnDelete') return undefined;
  const wanted = wantedNodes(view);
  const isAvailable = (pod: Pod): boolean => availableAt(pod, set) <= now;
  const missing = wanted.length - pods.filter(isAvailable).length;
  const old = pods.filter((pod) => !isGoing(pod) && !isUpdated(pod, revision));
  const idle = old.find((pod) => !isAvailable(pod));
  if (idle !== undefined) return { type: 'delete', pod: idle };
  const [next] = old;
  const most = Math.max(1, share(rollingUpdate?.maxUnavailable ?? 1, wanted.length));
  return next !== undefined && missing < most ? { type: 'delete', pod: next } : undefined;
}

function statusOf(view: DaemonSetView, revision: Revision): DaemonSetStatus {
  const { set, pods, now } = view;
  const wanted = new Set(wantedNodes(view));
  const placed = pods.filter((pod) => !isGoing(pod) && wanted.has(nodeOf(pod)));
  const available = placed.filter((pod) => availableAt(pod, set) <= now).length;
  const counts = {
    numberAvailable: available,
    numberUnavailable: wanted.size - available,
    updatedNumberScheduled: placed.filter((pod) => isUpdated(pod, revision)).length,
  };
  const { generation } = set.metadata;
  return {
    currentNumberScheduled: placed.length,
    desiredNumberScheduled: wanted.size,
    numberMisscheduled: pods.filter((pod) => !isGoing(pod) && !wanted.has(nodeOf(pod))).length,
    numberReady: placed.filter(isReady).length,
    ...(generation !== undefined && { observedGeneration: generation }),
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
  };
}

/** The next write a DaemonSet needs, and when to look again if there is none. */
export function planDaemonSet(view: DaemonSetView): DaemonSetPlan {
  const { set, pods, revisions, now } = view;
  if (set.metadata.deletionTimestamp !== undefined) return { step: undefined };
  const revised = planRevision(set, revisions, form);
  const revision = presentRevision(set, revisions);
  if (revised !== undefined || revision === undefined) return { step: revised };
  const live = new Set([...pods, revision].map(({ metadata }) => metadata.labels?.[revisionLabel]));
  const step =
    placeStep(view, revision) ??
    updateStep(view, revision) ??
    planPruning(set, revisions, ({ metadata }) => live.has(metadata.labels?.[revisionLabel]));
  if (step !== undefined) return { step };
  const status = statusOf(view, revision);
  if (!isDeepStrictEqual(status, set.status ?? {})) return { step: { type: 'status', status } };
  const later = pods.map((pod) => availableAt(pod, set)).filter((at) => at > now && at < Infinity);
  return { step: undefined, at: later.length === 0 ? undefined : Math.min(...later) };
}
