import { apiErrorOf, findCause, hasCode, inShort, isMissingRule, KilterError } from '../errors/index.ts';
import { toMilliseconds } from '../internal/index.ts';
import type { Next } from '../queue/index.ts';
import { defaultWait, type Requeue, resultKind, TerminalError, WaitError } from '../reconcile/index.ts';

/** How a run ended. */
export type Ended =
  /** The object was not in the cache: there was nothing to run. */
  | { readonly type: 'absent' }
  /** `gone`: there is no object any more. */
  | { readonly type: 'returned'; readonly value: unknown; readonly gone?: boolean }
  /**
   * `doomed`: its object goes with its namespace, so that no retry can succeed before its deletion wakes it. `gone`: its object was
   * deleted while it ran.
   */
  | { readonly type: 'threw'; readonly error: unknown; readonly doomed?: boolean; readonly gone?: boolean };

/** What follows from it: for the queue, the metrics and the log. */
export interface Outcome {
  readonly next: Next;
  readonly result: 'success' | 'error' | 'requeue' | 'requeue_after';
  readonly terminal: boolean;
  /** A programming error, which controller-runtime would count as a panic. */
  readonly panic: boolean;
  readonly error: unknown;
}

const calm = { terminal: false, panic: false, error: undefined } as const;
// How nearly all runs end: one object for all of them.
const settled: Outcome = Object.freeze({ ...calm, next: Object.freeze({ type: 'forget' }), result: 'success' });
const ended: Outcome = Object.freeze({ ...calm, next: Object.freeze({ type: 'drop' }), result: 'success' });

/** ReferenceError, RangeError, a TypeError that no fetch-like failure caused, and thrown non-Errors. */
export function isProgrammingError(error: unknown): boolean {
  if (error === undefined || findCause(error, Error) !== error) return true;
  if (error instanceof ReferenceError || error instanceof RangeError) return true;
  return error instanceof TypeError && error.cause === undefined;
}

function returned(value: unknown, gone: boolean): Outcome {
  const kind = resultKind(value);
  if (kind === undefined) return threw(new KilterError('RECONCILE_RESULT_INVALID', `a run returned ${inShort(value)}`));
  // A timer that an earlier run left would fire for an object that is gone.
  if (kind === 'done') return gone ? ended : settled;
  const { after, reason } = value as Requeue;
  const ms = toMilliseconds(after);
  // Without a time, `requeue`. A time that was worked out and is over already asks for a run, not for none: an expiry would be
  // missed for ever.
  if (ms <= 0) return { ...calm, next: { type: 'requeue', reason }, result: 'requeue' };
  return { ...calm, next: { type: 'after', ms, reason }, result: 'requeue_after' };
}

// Rights are granted by people who then look whether it works: a backoff of minutes would look as if it did not.
const longestForbidden = 30_000;

function threw(error: unknown, doomed = false): Outcome {
  const wait = findCause(error, WaitError);
  if (wait !== undefined) {
    const ms = toMilliseconds(wait.after);
    // No time at all would be a busy loop over something that is not there.
    const next: Next = { type: 'wait', ms: ms > 0 ? ms : defaultWait, reason: wait.what };
    return { ...calm, next, result: 'requeue_after' };
  }
  if (findCause(error, TerminalError) !== undefined || hasCode(error, 'RECONCILE_TERMINAL')) {
    return { next: { type: 'forget' }, result: 'error', terminal: true, panic: false, error };
  }
  if (doomed) return { next: { type: 'forget' }, result: 'error', terminal: false, panic: false, error };
  const seconds = apiErrorOf(error)?.status.retryAfterSeconds;
  const atLeast = seconds === undefined ? undefined : seconds * 1000;
  const reason = error instanceof KilterError ? error.code : (findCause(error, Error)?.name ?? typeof error);
  return {
    next: { type: 'retry', reason, atLeast, ...(isMissingRule(error) && { atMost: longestForbidden }) },
    result: 'error',
    terminal: false,
    panic: isProgrammingError(error),
    error,
  };
}

/** The table of RC-1 to RC-11 as a function. */
export function outcomeOf(run: Ended): Outcome {
  switch (run.type) {
    case 'absent':
      return ended;
    case 'returned':
      return returned(run.value, run.gone ?? false);
    case 'threw':
      return threw(run.error, run.doomed);
  }
}

/** What happens next, in words. */
export function nextInWords(next: Next): string {
  switch (next.type) {
    case 'forget':
    case 'drop':
      return 'waits for the next change';
    case 'after':
    case 'wait':
      return `again in ${next.ms / 1000}s: ${next.reason}`;
    case 'requeue':
      return `again: ${next.reason}`;
    case 'retry':
      return `retried with backoff: ${next.reason}`;
  }
}
