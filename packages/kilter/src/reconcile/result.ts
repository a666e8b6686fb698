import type { Duration, KubeObject } from '../api/index.ts';
import { inShort, inWords, KilterError } from '../errors/index.ts';
import { parseDuration, toMilliseconds } from '../internal/index.ts';
import { readiness } from './readiness.ts';

const brand: unique symbol = Symbol('kilter.result');
/** A request to run again, now or later: the result of `requeue` or `requeueAfter`. */
export interface Requeue {
  readonly [brand]: 'requeue' | 'requeueAfter';
  readonly after: Duration;
  readonly reason: string;
}
/** Nothing (done), or the result of `requeue` or `requeueAfter`. */
export type Result = Requeue | void;

/** Refused where it is written, so that the stack shows who wrote it. */
function checkDuration(what: string, after: Duration): void {
  if (parseDuration(after) !== undefined) return;
  const cure = "write milliseconds or a number with its unit: 1500, '30s', '5m'";
  throw new KilterError('RECONCILE_RESULT_INVALID', `${what}(${inShort(after)}) is not a duration`, { cure });
}

/** Run again after this time, and reset the backoff. A run in between does not cancel it. A time of 0 or less means `requeue`. */
export function requeueAfter(after: Duration, reason: string): Requeue {
  checkDuration('requeueAfter', after);
  return { [brand]: 'requeueAfter', after, reason };
}

/** Run again: at once the first time in a row, then with growing delays. */
export function requeue(reason: string): Requeue {
  return { [brand]: 'requeue', after: 0, reason };
}

/**
 * What a cleanup that is still pending asks for: without a time it runs again after 5 s. Anything but a result is an error: a
 * finalizer is never taken away, and never kept, by mistake.
 */
export function pendingAgain(result: Requeue): Requeue {
  if (resultKind(result) === undefined) {
    throw new KilterError('RECONCILE_RESULT_INVALID', `a cleanup returned ${inShort(result)}`);
  }
  return (parseDuration(result.after) ?? 0) > 0 ? result : requeueAfter('5s', result.reason);
}

/** The one whose time is over first. */
export function earlier(a: Requeue | undefined, b: Requeue): Requeue {
  return a !== undefined && toMilliseconds(a.after) <= toMilliseconds(b.after) ? a : b;
}

/** Tells what a reconciler returned; undefined for what is not a result. */
export function resultKind(value: unknown): 'done' | 'requeue' | 'requeueAfter' | undefined {
  if (value === undefined) return 'done';
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return (value as Partial<Requeue>)[brand];
  } catch {
    // A proxy that refuses to be looked at.
    return undefined;
  }
}

export class TerminalError extends KilterError {
  override readonly name: string = 'TerminalError';
  constructor(error: unknown) {
    super('RECONCILE_TERMINAL', inWords(error), { cause: error });
  }
}

export class WaitError extends KilterError {
  override readonly name: string = 'WaitError';
  readonly what: string;
  readonly after: Duration;
  constructor(what: string, after: Duration) {
    checkDuration('waitFor', after);
    super('RECONCILE_WAIT', `waiting for ${what}`);
    this.what = what;
    this.after = after;
  }
}

/**
 * Throws a failure that is not retried until the next change. `throw terminal(e)` and `?? terminal(e)` both read well.
 */
export function terminal(error: unknown): never {
  throw new TerminalError(error);
}

/** Milliseconds: how long `waitFor` waits without a time, or with a time of zero. */
export const defaultWait = 5000;

/** Waiting as an error: see `waitFor` and `waitFor.ready`. */
export interface WaitFor {
  /** Throws to end the run because something is missing. Not counted as a failure; runs again after the given time (default: 5 s). */
  (what: string, after?: Duration): never;
  /**
   * Returns the object if it is ready by the rules of `readiness`. Otherwise it throws: like `waitFor` while the object
   * is in progress, and
   * a failure that `.onError` can report (RECONCILE_NOT_READY) if it has failed.
   */
  ready<T extends KubeObject>(object: T, after?: Duration): T;
}

function waitForReady<T extends KubeObject>(object: T, after: Duration = defaultWait): T {
  const { status, reason, message } = readiness(object);
  if (status === 'Current') return object;
  const what = `${object.kind} ${object.metadata.name}`;
  if (status !== 'Failed') throw new WaitError(`${what} to be ready: ${reason}: ${message}`, after);
  throw new KilterError('RECONCILE_NOT_READY', `${what} has failed: ${reason}: ${message}`);
}

/** Ends the run here, to run again later, and says what is waited for. */
export const waitFor: WaitFor = Object.assign(
  (what: string, after: Duration = defaultWait): never => {
    throw new WaitError(what, after);
  },
  { ready: waitForReady },
);
