import type { Cause } from '../api/index.ts';

/** A time at which a key wants to run again. */
export interface Due {
  /** On the monotonic clock. */
  readonly at: number;
  readonly cause: Cause;
  readonly priority: number;
}

/** What a key waits for or has behind it; most keys have nothing of it. */
export interface Later {
  /** Survives events and the runs they cause; only its firing or a `drop` takes it away. */
  readonly timer: Due | undefined;
  /** Set while a counted failure or requeue waits for its next try; success takes it away. */
  readonly retry: Due | undefined;
  /** Consecutive counted failures and requeues. */
  readonly failures: number;
  /** Until then it is not handed out, whatever happens; 0 where nothing holds it. A dirty key that is held is not ready. */
  readonly heldUntil: number;
}

export const nothingLater: Later = Object.freeze({ timer: undefined, retry: undefined, failures: 0, heldUntil: 0 });

/** Undefined where nothing is left of it. */
export function laterOrNone(later: Later): Later | undefined {
  const { timer, retry, failures, heldUntil } = later;
  return timer === undefined && retry === undefined && failures === 0 && heldUntil <= 0 ? undefined : later;
}

/** When the key must be looked at next. A retry that falls due during a run waits for that run's verdict. */
export function dueTime(later: Later | undefined, running: boolean): number {
  if (later === undefined) return Infinity;
  const { timer, retry, heldUntil } = later;
  const at = timer?.at ?? Infinity;
  if (running) return at;
  return Math.min(at, retry?.at ?? Infinity, heldUntil > 0 ? heldUntil : Infinity);
}

export function earlier(a: Due | undefined, b: Due): Due {
  return a !== undefined && a.at <= b.at ? a : b;
}
