// What a Job needs next: its pods counted, replaced and ended, and its status said. Pure.
import { isDeepStrictEqual } from 'node:util';
import { formatTime, type JsonObject, parseTime } from 'kilter/api';
import { clone } from '../values/index.ts';
import type { Job, JobStatus } from './job.ts';
import { type Verdict, verdictOf, withVerdict } from './job-conditions.ts';
import { completionIndexes, indexesText, parseIndexes, podIndex } from './job-indexes.ts';
import { controllerReference, isTrue, type Pod } from './workload-objects.ts';

export type JobStep =
  | { readonly type: 'create'; readonly object: JsonObject }
  | { readonly type: 'delete'; readonly pod: Pod }
  | { readonly type: 'release'; readonly pod: Pod }
  | { readonly type: 'status'; readonly status: JobStatus }
  | { readonly type: 'remove' };

export interface JobView {
  readonly job: Job;
  /** Those it manages, oldest first. */
  readonly pods: readonly Pod[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface JobPlan {
  readonly step: JobStep | undefined;
  readonly at?: number | undefined;
}

/** Holds a pod until it is counted, so that a count never falls. */
export const tracking = 'batch.kubernetes.io/job-tracking';

export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(tracking) === true;
const isGoing = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;
const hasPhase = ({ status }: Pod, phase: string): boolean => status?.phase === phase;
const hasEnded = (pod: Pod): boolean => hasPhase(pod, 'Succeeded') || hasPhase(pod, 'Failed');
const isActive = (pod: Pod): boolean => !hasEnded(pod) && !isGoing(pod);

/** One that goes before its end has failed, at once or when it is gone, as the Job replaces pods. */
function hasFailed(pod: Pod, { spec }: Job): boolean {
  return hasPhase(pod, 'Failed') || (isGoing(pod) && !hasEnded(pod) && spec.podReplacementPolicy !== 'Failed');
}

/** What is known of the pods that ended: those counted for good, and those on the way to it. */
interface Tally {
  readonly succeeded: number;
  readonly failed: number;
  readonly indexes: ReadonlySet<number>;
  readonly uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] };
}

function tallyOf({ job, pods }: JobView): Tally {
  const { status } = job;
  const { succeeded = [], failed = [] } = status?.uncountedTerminatedPods ?? {};
  const held = new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid));
  const known = new Set([...succeeded, ...failed]);
  const fresh = pods.filter((pod) => isTracked(pod) && !known.has(pod.metadata.uid));
  const uidsOf = (list: readonly Pod[]): string[] => list.map(({ metadata }) => metadata.uid);
  const isHeld = (uid: string): boolean => held.has(uid);
  const indexed = job.spec.completionMode === 'Indexed';
  const done = parseIndexes(status?.completedIndexes);
  const ended = pods.filter((pod) => hasPhase(pod, 'Succeeded'));
  if (indexed) for (const pod of ended) done.add(podIndex(pod) ?? -1);
  return {
    // Once nothing holds a pod any more, it is a number.
    succeeded: (status?.succeeded ?? 0) + succeeded.filter((uid) => !isHeld(uid)).length,
    failed: (status?.failed ?? 0) + failed.filter((uid) => !isHeld(uid)).length,
    indexes: done,
    uncounted: {
      succeeded: [...succeeded.filter(isHeld), ...uidsOf(fresh.filter((pod) => hasPhase(pod, 'Succeeded')))],
      failed: [...failed.filter(isHeld), ...uidsOf(fresh.filter((pod) => hasFailed(pod, job)))],
    },
  };
}

const allSucceeded = (tally: Tally): number => tally.succeeded + tally.uncounted.succeeded.length;
const allFailed = (tally: Tally): number => tally.failed + tally.uncounted.failed.length;

function newPod({ metadata, spec }: Job, index: number | undefined): JsonObject {
  const { labels, annotations, finalizers = [] } = spec.template.metadata ?? {};
  const key = 'batch.kubernetes.io/job-completion-index';
  const numbered = index === undefined ? {} : { [key]: String(index) };
  const podSpec = clone(spec.template.spec);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: index === undefined ? `${metadata.name}-` : `${metadata.name}-${index}-`,
      namespace: metadata.namespace,
      labels: { ...labels, ...numbered },
      annotations: { ...annotations, ...numbered },
      finalizers: [...finalizers, tracking],
      ownerReferences: [controllerReference('batch/v1', 'Job', metadata)],
    },
    spec: index === undefined ? podSpec : completionIndexes(podSpec, key, `${metadata.name}-${index}`),
  };
}

function wantedPods({ spec }: Job, tally: Tally, active: number): number {
  const { parallelism = 1, completions } = spec;
  if (spec.suspend === true) return 0;
  // Without a number, pods agree among themselves: once one has succeeded, no more are made.
  if (completions === undefined) return allSucceeded(tally) > 0 ? Math.min(active, parallelism) : parallelism;
  return Math.min(parallelism, Math.max(0, completions - allSucceeded(tally)));
}

function scaleStep({ job, pods }: JobView, tally: Tally): JobStep | undefined {
  const active = pods.filter(isActive);
  // Where only what has failed is replaced, one that goes still takes its place.
  const waiting =
    job.spec.podReplacementPolicy === 'Failed' ? pods.filter((pod) => isGoing(pod) && !hasEnded(pod)) : [];
  const wanted = wantedPods(job, tally, active.length);
  const surplus = active.length > wanted ? active.at(-1) : undefined;
  if (surplus !== undefined) return { type: 'delete', pod: surplus };
  if (active.length + waiting.length >= wanted) return undefined;
  if (job.spec.completionMode !== 'Indexed') return { type: 'create', object: newPod(job, undefined) };
  const taken = new Set([...tally.indexes, ...[...active, ...waiting].map((pod) => podIndex(pod) ?? -1)]);
  const free = Array.from({ length: job.spec.completions ?? 0 }, (_, index) => index).find(
    (index) => !taken.has(index),
  );
  return free === undefined ? undefined : { type: 'create', object: newPod(job, free) };
}

/** When the Job is over by its deadline; undefined where it has none or does not run. */
function deadlineOf({ spec, status }: Job): number | undefined {
  const started = parseTime(status?.startTime ?? '');
  if (spec.activeDeadlineSeconds === undefined || started === undefined || spec.suspend === true) return undefined;
  return started + spec.activeDeadlineSeconds * 1000;
}

function statusOf({ job, pods, now }: JobView, tally: Tally, verdict: Verdict | undefined): JobStatus {
  const active = pods.filter(isActive);
  const { startTime } = job.status ?? {};
  const suspended = job.spec.suspend === true;
  const begins = suspended ? undefined : (startTime ?? formatTime(now));
  const { succeeded, failed } = tally.uncounted;
  const counted = { active: active.length, succeeded: tally.succeeded, failed: tally.failed };
  const isOver =
    succeeded.length + failed.length === 0 &&
    active.length === 0 &&
    !pods.some((pod) => isGoing(pod) && isTracked(pod));
  const indexed = job.spec.completionMode === 'Indexed' && tally.indexes.size > 0;
  return {
    ...Object.fromEntries(Object.entries(counted).filter(([, count]) => count > 0)),
    ready: active.filter(({ status }) => isTrue(status?.conditions, 'Ready')).length,
    terminating: pods.filter((pod) => isGoing(pod) && !hasEnded(pod)).length,
    ...(begins !== undefined && { startTime: begins }),
    ...(indexed && { completedIndexes: indexesText(tally.indexes) }),
    uncountedTerminatedPods: {
      ...(succeeded.length > 0 && { succeeded }),
      ...(failed.length > 0 && { failed }),
    },
    ...withVerdict(job, verdict, { now, isOver }),
  };
}

/** What comes after the end: nothing, or being removed when its time has come. */
function planFinished({ job, now }: JobView): JobPlan {
  const { ttlSecondsAfterFinished: ttl } = job.spec;
  const ended = job.status?.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
  const since = parseTime(ended?.lastTransitionTime ?? '');
  if (ttl === undefined || since === undefined) return { step: undefined };
  const at = since + ttl * 1000;
  return now >= at ? { step: { type: 'remove' } } : { step: undefined, at };
}

/** The next write a Job needs, and when to look again if there is none. */
export function planJob(view: JobView): JobPlan {
  const { job, pods, now } = view;
  const { managedBy = 'kubernetes.io/job-controller' } = job.spec;
  if (job.metadata.deletionTimestamp !== undefined || managedBy !== 'kubernetes.io/job-controller')
    return { step: undefined };
  const finished = isTrue(job.status?.conditions, 'Complete') || isTrue(job.status?.conditions, 'Failed');
  if (finished) return planFinished(view);
  const tally = tallyOf(view);
  const deadline = deadlineOf(job);
  const counts = { succeeded: allSucceeded(tally), failed: allFailed(tally), active: pods.filter(isActive).length };
  const verdict = verdictOf(job, counts, deadline !== undefined && now >= deadline);
  // What ended is written down before anything lets go of it.
  const noted = new Set([
    ...(job.status?.uncountedTerminatedPods?.succeeded ?? []),
    ...(job.status?.uncountedTerminatedPods?.failed ?? []),
  ]);
  const counted = pods.find((pod) => isTracked(pod) && noted.has(pod.metadata.uid));
  if (counted !== undefined) return { step: { type: 'release', pod: counted } };
  const active = pods.find(isActive);
  if (verdict !== undefined && active !== undefined) return { step: { type: 'delete', pod: active } };
  const scaled = verdict === undefined && job.status?.startTime !== undefined ? scaleStep(view, tally) : undefined;
  const suspended =
    job.spec.suspend === true && active !== undefined ? ({ type: 'delete', pod: active } as const) : undefined;
  const status = statusOf(view, tally, verdict);
  const unsaid = !isDeepStrictEqual(status, job.status ?? {});
  // The counts of what has ended come first: what is made next depends on them.
  const step = unsaid && !isDeepStrictEqual(endOf(status), endOf(job.status)) ? undefined : (suspended ?? scaled);
  if (step !== undefined) return { step };
  return unsaid ? { step: { type: 'status', status } } : { step: undefined, at: deadline };
}

const endOf = (status: JobStatus | undefined): unknown => [
  status?.succeeded ?? 0,
  status?.failed ?? 0,
  status?.uncountedTerminatedPods ?? {},
];
