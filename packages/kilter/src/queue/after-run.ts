import { type Due, earlier } from './due.ts';
import type { Next } from './work.ts';

/** What a queue keeps of a key between its runs. */
export interface Kept {
  readonly failures: number;
  readonly retry: Due | undefined;
  readonly timer: Due | undefined;
}

export interface RunEnd {
  /** On the monotonic clock. */
  readonly now: number;
  /** The priority the run was taken with: what follows from it keeps that. */
  readonly priority: number;
  /** The delay before the n-th retry in a row. */
  readonly delay: (n: number) => number;
}

function timerDue(next: { ms: number; reason: string }, { now, priority }: RunEnd): Due {
  const cause = { source: 'timer', change: 'timer', reason: next.reason } as const;
  return { at: now + Math.max(0, next.ms), cause, priority };
}

function retryDue(at: number, priority: number, { attempt, reason }: { attempt: number; reason: string }): Due {
  const cause = { source: 'retry', change: 'retry', reason: `attempt ${attempt}: ${reason}` } as const;
  return { at, cause, priority };
}

function afterRequeue(kept: Kept, reason: string, { now, priority, delay }: RunEnd): Kept {
  // As with a failure: the run that asks again was not the pending retry, and an event must not lengthen the backoff.
  if (kept.retry !== undefined) {
    const { at, priority: given } = kept.retry;
    return { ...kept, retry: retryDue(at, given, { attempt: kept.failures + 1, reason }) };
  }
  const failures = kept.failures + 1;
  const wait = failures === 1 ? 0 : delay(failures - 1);
  return { ...kept, failures, retry: retryDue(now + wait, priority, { attempt: failures + 1, reason }) };
}

function afterFailure(kept: Kept, next: Next & { type: 'retry' }, end: RunEnd): Kept {
  const { now, priority, delay } = end;
  const earliest = now + (next.atLeast ?? 0);
  // A retry is still pending, so an event or a timer started this run: it must not lengthen the backoff.
  if (kept.retry !== undefined) {
    const attempt = kept.failures + 1;
    const due = retryDue(Math.max(kept.retry.at, earliest), kept.retry.priority, { attempt, reason: next.reason });
    return { ...kept, retry: due };
  }
  const failures = kept.failures + 1;
  const wait = delay(failures);
  const due = now + Math.min(wait, next.atMost ?? Infinity);
  const at = Math.max(due, earliest);
  return { ...kept, failures, retry: retryDue(at, priority, { attempt: failures + 1, reason: next.reason }) };
}

/** What is kept of a key after a run: the counters and times of each outcome. */
export function afterRun(kept: Kept, next: Next, end: RunEnd): Kept {
  switch (next.type) {
    case 'forget':
      return { failures: 0, retry: undefined, timer: kept.timer };
    case 'drop':
      return { failures: 0, retry: undefined, timer: undefined };
    case 'after':
      // Without a time to wait it is plain success; adding the key at once would spin.
      if (!(next.ms > 0)) return { failures: 0, retry: undefined, timer: kept.timer };
      return { failures: 0, retry: undefined, timer: earlier(kept.timer, timerDue(next, end)) };
    case 'wait':
      return { ...kept, timer: earlier(kept.timer, timerDue(next, end)) };
    case 'requeue':
      return afterRequeue(kept, next.reason, end);
    case 'retry':
      return afterFailure(kept, next, end);
  }
}

/** Whether the key is added again with a delay: what client-go counts as a retry. */
export function isDelayed(next: Next, failuresBefore: number): boolean {
  switch (next.type) {
    case 'forget':
    case 'drop':
      return false;
    case 'after':
    case 'wait':
      return next.ms > 0;
    case 'requeue':
      return failuresBefore > 0;
    case 'retry':
      return true;
  }
}
