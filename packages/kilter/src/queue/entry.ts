import type { Cause } from '../api/index.ts';
import { Age, type Ageing } from './ages.ts';
import { Link } from './chain.ts';
import { CollectedCauses } from './collected-causes.ts';
import type { Placed } from './movable-heap.ts';
import type { Stand } from './stand.ts';
import type { HeldWork } from './work.ts';

/** A time at which a key wants to run again. */
export interface Due {
  /** On the monotonic clock. */
  readonly at: number;
  readonly cause: Cause;
  readonly priority: number;
}

/**
 * All a queue knows of one key. It is kept only while the key wants to run, runs, waits, or has failed; while it is ready, it
 * stands in a line of its stand.
 *
 * A hundred thousand of them may come at once, and what they consist of is copied by the garbage collector in one go: so one
 * entry is few objects, and what can be put together from its key is not kept.
 */
export interface Entry extends Link<Entry>, Placed, Ageing<Entry> {
  readonly key: string;
  /** The fairness key it takes turns under. */
  readonly lane: string;
  /** Wants to run now; while `work` is set, that is after the present run. */
  dirty: boolean;
  /** Set from take to done. */
  work: HeldWork | undefined;
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
  /** Among the ages of its rank exactly while ready. */
  readonly age: Age<Entry>;
  /** Why it wants to run, since the last take, as long as that is one cause that occurred once: nearly always. */
  cause: Cause | undefined;
  /** When `cause` occurred, in milliseconds since the queue was made; means nothing without it. */
  causedAt: number;
  /** Why it wants to run, where that is more than `cause`, which is in it then. */
  causes: CollectedCauses | undefined;
}

/** An entry of a key nothing has happened to. A class, so that its members lie in it and all entries look alike. */
class NewEntry extends Link<Entry> implements Entry {
  readonly key: string;
  readonly lane: string;
  dirty = false;
  work: HeldWork | undefined = undefined;
  timer: Due | undefined = undefined;
  retry: Due | undefined = undefined;
  failures = 0;
  heldUntil = 0;
  priority = 0;
  position = 0;
  readySince = 0;
  stand: Stand<Entry> | undefined = undefined;
  readonly age: Age<Entry> = new Age<Entry>(this);
  cause: Cause | undefined = undefined;
  causedAt = 0;
  causes: CollectedCauses | undefined = undefined;
  place = -1;

  constructor(key: string, lane: string) {
    super();
    this.key = key;
    this.lane = lane;
  }
}

export function newEntry(key: string, lane: string): Entry {
  return new NewEntry(key, lane);
}

export function addCause(entry: Entry, cause: Cause, at: number): void {
  if (entry.causes !== undefined) return entry.causes.add(cause, at);
  if (entry.cause === undefined) {
    entry.cause = cause;
    entry.causedAt = at;
    return;
  }
  entry.causes = new CollectedCauses(entry.cause, entry.causedAt);
  entry.causes.add(cause, at);
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
