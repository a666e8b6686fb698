import type { Cause, NamedRef } from '../api/index.ts';
import { Age, type Ageing } from './ages.ts';
import { Link } from './chain.ts';
import type { CollectedCauses } from './collected-causes.ts';
import type { Placed } from './movable-heap.ts';
import type { Stand } from './stand.ts';
import type { Work } from './work.ts';

/** A time at which a key wants to run again. */
export interface Due {
  /** On the monotonic clock. */
  readonly at: number;
  readonly cause: Cause;
  readonly priority: number;
}

/** All a queue knows of one key. It is kept only while the key wants to run, runs, waits, or has failed. */
export interface Entry extends Placed, Ageing<Entry> {
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
  /** Where it waits, by its lane and the priority it is ranked by: its own, or one it has aged to. Set exactly while ready. */
  stand: Stand<Entry> | undefined;
  /** In a line of its stand exactly while ready. */
  readonly line: Link<Entry>;
  /** Among the ages of its rank exactly while ready. */
  readonly age: Age<Entry>;
  /** Why it wants to run, since the last take; undefined where nothing has come since. */
  causes: CollectedCauses | undefined;
}

/** An entry of a key nothing has happened to. A class, so that its members lie in it and all entries look alike. */
class NewEntry implements Entry {
  readonly key: string;
  readonly ref: NamedRef;
  readonly lane: string;
  dirty = false;
  work: Work | undefined = undefined;
  takenAt = 0;
  timer: Due | undefined = undefined;
  retry: Due | undefined = undefined;
  failures = 0;
  heldUntil = 0;
  priority = 0;
  position = 0;
  readySince = 0;
  stand: Stand<Entry> | undefined = undefined;
  readonly line: Link<Entry> = new Link<Entry>(this);
  readonly age: Age<Entry> = new Age<Entry>(this);
  causes: CollectedCauses | undefined = undefined;
  place = -1;

  constructor(identity: { key: string; ref: NamedRef; lane: string }) {
    this.key = identity.key;
    this.ref = identity.ref;
    this.lane = identity.lane;
  }
}

export function newEntry(identity: { key: string; ref: NamedRef; lane: string }): Entry {
  return new NewEntry(identity);
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
