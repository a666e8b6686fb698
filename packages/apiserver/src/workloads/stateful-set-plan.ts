// What a StatefulSet needs next: its pods by number, one after the other. Pure.
import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, parseTime } from 'kilter/api';
import { clone } from '../values/index.ts';
import { planPruning, planRevision, presentRevision, type Revision, type RevisionStep } from './revisions.ts';
import { newPod, ordinalOf, podName, revisionLabel } from './stateful-set-pods.ts';
import type { StatefulSet, StatefulSetStatus } from './stateful-set.ts';
import { conditionOf, controllerReference, isTrue, type Pod, selects, withOwner } from './workload-objects.ts';

export type StatefulSetStep =
  | RevisionStep
  | { readonly type: 'claim'; readonly object: JsonObject }
  | { readonly type: 'create'; readonly object: JsonObject }
  | { readonly type: 'adopt'; readonly pod: Pod; readonly owners: JsonObject[] }
  | { readonly type: 'delete'; readonly pod: Pod }
  | { readonly type: 'status'; readonly status: StatefulSetStatus };

export interface StatefulSetView {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  /** Those of its namespace nobody manages. */
  readonly orphans: readonly Pod[];
  readonly revisions: readonly Revision[];
  readonly hasClaim: (name: string) => boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface StatefulSetPlan {
  readonly step: StatefulSetStep | undefined;
  readonly at?: number | undefined;
}

const form = { kind: 'StatefulSet', label: 'controller.kubernetes.io/hash' } as const;

const isGoing = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;
const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';
const isReady = (pod: Pod): boolean => pod.status?.phase === 'Running' && isTrue(pod.status.conditions, 'Ready');
const revisionOf = ({ metadata }: Pod): string => metadata.labels?.[revisionLabel] ?? '';

function availableAt(pod: Pod, { spec }: StatefulSet): number {
  if (!isReady(pod)) return Infinity;
  const since = parseTime(conditionOf(pod.status?.conditions, 'Ready')?.lastTransitionTime ?? '') ?? 0;
  return since + (spec.minReadySeconds ?? 0) * 1000;
}

/** The numbers its pods should have, ascending. */
function ordinals({ spec }: StatefulSet): number[] {
  const start = spec.ordinals?.start ?? 0;
  return Array.from({ length: spec.replicas }, (_, index) => start + index);
}

function claimStep({ set, hasClaim }: StatefulSetView, ordinal: number): StatefulSetStep | undefined {
  for (const template of set.spec.volumeClaimTemplates ?? []) {
    const name = `${template.metadata.name}-${podName(set, ordinal)}`;
    if (hasClaim(name)) continue;
    const { labels, annotations } = template.metadata;
    const metadata = {
      name,
      namespace: set.metadata.namespace,
      labels: { ...labels, ...set.spec.selector.matchLabels },
      ...(annotations !== undefined && { annotations: { ...annotations } }),
    };
    const object = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: clone(template.spec) };
    return { type: 'claim', object };
  }
  return undefined;
}

/** The template a new pod of this number gets: below the partition, the one before. */
function revisionFor({ set, revisions }: StatefulSetView, ordinal: number, update: Revision): Revision {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  const kept = (set.spec.ordinals?.start ?? 0) + (rollingUpdate?.partition ?? 0);
  if (type === 'OnDelete' || ordinal >= kept) return update;
  return revisions.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
}

/** In order: each pod waits for those before it; otherwise all at once. */
function growStep(view: StatefulSetView, update: Revision): StatefulSetStep | 'wait' | undefined {
  const { set, pods, now } = view;
  const inOrder = set.spec.podManagementPolicy !== 'Parallel';
  for (const ordinal of ordinals(set)) {
    const pod = pods.find(({ metadata }) => metadata.name === podName(set, ordinal));
    if (pod === undefined) {
      const object = newPod(set, ordinal, revisionFor(view, ordinal, update));
      return claimStep(view, ordinal) ?? { type: 'create', object };
    }
    if (hasEnded(pod) && !isGoing(pod)) return { type: 'delete', pod };
    if (inOrder && (isGoing(pod) || availableAt(pod, set) > now)) return 'wait';
  }
  return undefined;
}

/** The highest number first, and in order one after the other has gone. */
function shrinkStep({ set, pods }: StatefulSetView): StatefulSetStep | 'wait' | undefined {
  const wanted = new Set(ordinals(set).map((ordinal) => podName(set, ordinal)));
  const surplus = pods
    .filter(({ metadata }) => !wanted.has(metadata.name))
    .toSorted((a, b) => ordinalOf(b) - ordinalOf(a));
  if (set.spec.podManagementPolicy !== 'Parallel' && surplus.some(isGoing)) return 'wait';
  const pod = surplus.find((one) => !isGoing(one));
  if (pod !== undefined) return { type: 'delete', pod };
  return surplus.length > 0 ? 'wait' : undefined;
}

/** From the highest number down to the partition, each once the one before runs again. */
function updateStep({ set, pods, now }: StatefulSetView, update: Revision): StatefulSetStep | undefined {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  if (type === 'OnDelete') return undefined;
  const from = (set.spec.ordinals?.start ?? 0) + (rollingUpdate?.partition ?? 0);
  for (const pod of pods.filter((one) => ordinalOf(one) >= from).toSorted((a, b) => ordinalOf(b) - ordinalOf(a))) {
    if (revisionOf(pod) !== update.metadata.name && !isGoing(pod)) return { type: 'delete', pod };
    if (isGoing(pod) || availableAt(pod, set) > now) return undefined;
  }
  return undefined;
}

function adoptStep({ set, orphans }: StatefulSetView): StatefulSetStep | undefined {
  const pod = orphans.find(
    (one) =>
      !isGoing(one) &&
      selects(set.spec.selector, one.metadata.labels) &&
      podName(set, ordinalOf(one)) === one.metadata.name,
  );
  if (pod === undefined) return undefined;
  const owner = controllerReference('apps/v1', 'StatefulSet', set.metadata);
  return { type: 'adopt', pod, owners: withOwner(pod.metadata, owner) };
}

function statusOf({ set, pods, now }: StatefulSetView, update: Revision): StatefulSetStatus {
  const updateRevision = update.metadata.name;
  const before = set.status?.currentRevision ?? updateRevision;
  const all = pods.filter((pod) => !hasEnded(pod));
  const ready = all.filter(isReady);
  const updated = all.filter((pod) => !isGoing(pod) && revisionOf(pod) === updateRevision);
  const done =
    updated.length === set.spec.replicas && ready.length === set.spec.replicas && all.length === updated.length;
  const currentRevision = done ? updateRevision : before;
  const counts = {
    readyReplicas: ready.length,
    currentReplicas: all.filter((pod) => !isGoing(pod) && revisionOf(pod) === currentRevision).length,
    updatedReplicas: updated.length,
  };
  const { generation } = set.metadata;
  return {
    ...(generation !== undefined && { observedGeneration: generation }),
    replicas: all.length,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    availableReplicas: all.filter((pod) => availableAt(pod, set) <= now).length,
    currentRevision,
    updateRevision,
    collisionCount: set.status?.collisionCount ?? 0,
  };
}

function nextStep(view: StatefulSetView, update: Revision): StatefulSetStep | undefined {
  const adopted = adoptStep(view);
  if (adopted !== undefined) return adopted;
  for (const find of [growStep, shrinkStep, updateStep]) {
    const step = find(view, update);
    if (step === 'wait') return undefined;
    if (step !== undefined) return step;
  }
  const live = new Set([...view.pods.map(revisionOf), view.set.status?.currentRevision, update.metadata.name]);
  return planPruning(view.set, view.revisions, ({ metadata }) => live.has(metadata.name));
}

/** The next write a StatefulSet needs, and when to look again if there is none. */
export function planStatefulSet(view: StatefulSetView): StatefulSetPlan {
  const { set, pods, revisions, now } = view;
  if (set.metadata.deletionTimestamp !== undefined) return { step: undefined };
  const revised = planRevision(set, revisions, form);
  const update = presentRevision(set, revisions);
  if (revised !== undefined || update === undefined) return { step: revised };
  const step = nextStep(view, update);
  if (step !== undefined) return { step };
  const status = statusOf(view, update);
  if (!isDeepStrictEqual(status, set.status ?? {})) return { step: { type: 'status', status } };
  const later = pods.map((pod) => availableAt(pod, set)).filter((at) => at > now && at < Infinity);
  return { step: undefined, at: later.length === 0 ? undefined : Math.min(...later) };
}
