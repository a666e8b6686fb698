import type { Cause, NamedRef } from '../api/index.ts';
import { CollectedCauses } from './collected-causes.ts';
import type { Work } from './work.ts';

/** A time at which a key wants to run again. */
export interface Due {
  /** On the monotonic clock. */
  readonly at: number;
  readonly cause: Cause;
  readonly priority: number;
}

/** All a queue knows of one key. It is kept only while the key wants to run, runs, waits, or has failed. */
export interface Entry {
  readonly key: string;
  readonly ref: NamedRef;
  /** The fairness key it takes turns under. */
  readonly lane: string;
  /** Wants to run now; while `work` is set, that is after the present run. */
  dirty: boolean;
  /** Set from take to done. */
  work: Work | undefined;
  /** When `work` was taken, on the monotonic clock; means nothing without it. */
  takenAt: number;
  /** Survives events and the runs they cause; only its firing or a `drop` takes it away. */
  timer: Due | undefined;
  /** Set while a counted failure or requeue waits for its next try; success takes it away. */
  retry: Due | undefined;
  /** Consecutive counted failures and requeues. */
  failures: number;
  /** Until then it is not handed out, whatever happens; 0 where nothing holds it. A dirty key that is held is not ready. */
  heldUntil: number;
  /** The highest one given since the key became dirty; means nothing while it is not. */
  priority: number;
  /** Order within its level: grows with every key that becomes ready or is raised. */
  position: number;
  /** When it became ready, on the monotonic clock: ageing and queue duration count from it. */
  readySince: number;
  /** The priority it is ranked by: its own, or a higher one it has aged to. Means nothing unless ready. */
  rank: number;
  /** What arrived since the last take. */
  readonly causes: CollectedCauses;
}

export function newEntry(identity: { key: string; ref: NamedRef; lane: string }): Entry {
  return {
    ...identity,
    dirty: false,
    work: undefined,
    takenAt: 0,
    timer: undefined,
    retry: undefined,
    failures: 0,
    heldUntil: 0,
    priority: 0,
    position: 0,
    readySince: 0,
    rank: 0,
    causes: new CollectedCauses(),
  };
}

/** Nothing would be lost by forgetting it. */
export function isIdle({ dirty, work, timer, retry, failures, heldUntil }: Entry): boolean {
  const waits = timer !== undefined || retry !== undefined || heldUntil > 0;
  return !dirty && work === undefined && !waits && failures === 0;
}

/** When the entry must be looked at next. A retry that falls due during a run waits for that run's verdict. */
export function dueTime({ timer, retry, work, heldUntil }: Entry): number {
  const at = timer?.at ?? Infinity;
  if (work !== undefined) return at;
  return Math.min(at, retry?.at ?? Infinity, heldUntil > 0 ? heldUntil : Infinity);
}

export function earlier(a: Due | undefined, b: Due): Due {
  return a !== undefined && a.at <= b.at ? a : b;
}
