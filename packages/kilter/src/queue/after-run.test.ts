import { describe, expect, test } from 'vitest';
import { afterRun, isDelayed, type Kept } from './after-run.ts';
import type { Due } from './due.ts';
import type { Next } from './work.ts';

const now = 1000;
const end = { now, priority: -100, delay: (n: number) => n * 10 };
const due = (at: number): Due => ({ at, cause: { source: 'timer', change: 'timer', reason: 'earlier' }, priority: 0 });
const fresh: Kept = { failures: 0, retry: undefined, timer: undefined };
const times = ({ failures, retry, timer }: Kept): object => ({ failures, retry: retry?.at, timer: timer?.at });

interface Row {
  readonly why: string;
  readonly kept: Kept;
  readonly next: Next;
  readonly after: { failures: number; retry?: number; timer?: number };
}

const waiting: Kept = { failures: 3, retry: due(1500), timer: due(1800) };
const failed: Kept = { failures: 3, retry: undefined, timer: undefined };
const reason = 'why';

const rows: readonly Row[] = [
  {
    why: 'RL-6: success clears counter and retry time and leaves the timer',
    kept: waiting,
    next: { type: 'forget' },
    after: { failures: 0, timer: 1800 },
  },
  {
    why: 'WQ-9: of an object that is gone counter and timer go too',
    kept: waiting,
    next: { type: 'drop' },
    after: { failures: 0 },
  },
  {
    why: 'RL-5: requeueAfter clears the counter',
    kept: failed,
    next: { type: 'after', ms: 500, reason },
    after: { failures: 0, timer: 1500 },
  },
  {
    why: 'the earlier of two timers is kept: the one that was pending',
    kept: waiting,
    next: { type: 'after', ms: 5000, reason },
    after: { failures: 0, timer: 1800 },
  },
  {
    why: 'the earlier of two timers is kept: the new one',
    kept: waiting,
    next: { type: 'after', ms: 100, reason },
    after: { failures: 0, timer: 1100 },
  },
  {
    why: 'requeueAfter without a time to wait is success',
    kept: failed,
    next: { type: 'after', ms: 0, reason },
    after: { failures: 0 },
  },
  {
    why: 'a millisecond is a time to wait',
    kept: failed,
    next: { type: 'after', ms: 1, reason },
    after: { failures: 0, timer: now + 1 },
  },
  {
    why: 'waitFor leaves the counter and a pending retry alone',
    kept: { ...waiting, timer: undefined },
    next: { type: 'wait', ms: 200, reason },
    after: { failures: 3, retry: 1500, timer: 1200 },
  },
  {
    why: 'the first requeue in a row runs at once and counts',
    kept: fresh,
    next: { type: 'requeue', reason },
    after: { failures: 1, retry: now },
  },
  {
    why: 'a later requeue waits d(n-1)',
    kept: failed,
    next: { type: 'requeue', reason },
    after: { failures: 4, retry: now + 30 },
  },
  {
    why: 'RL-6: a requeue while a retry is pending changes neither counter nor retry time',
    kept: waiting,
    next: { type: 'requeue', reason },
    after: { failures: 3, retry: 1500, timer: 1800 },
  },
  {
    why: 'the first failure waits d(1)',
    kept: fresh,
    next: { type: 'retry', reason },
    after: { failures: 1, retry: now + 10 },
  },
  {
    why: 'RL-5: each failure counts and waits longer',
    kept: failed,
    next: { type: 'retry', reason },
    after: { failures: 4, retry: now + 40 },
  },
  {
    why: 'RL-7: the server asked for more time than the backoff gives',
    kept: fresh,
    next: { type: 'retry', reason, atLeast: 7000 },
    after: { failures: 1, retry: now + 7000 },
  },
  {
    why: 'RL-7: the backoff gives more time than the server asked for',
    kept: failed,
    next: { type: 'retry', reason, atLeast: 1 },
    after: { failures: 4, retry: now + 40 },
  },
  {
    why: 'B-25: what somebody has to grant is looked at again soon, however often it failed',
    kept: failed,
    next: { type: 'retry', reason, atMost: 25 },
    after: { failures: 4, retry: now + 25 },
  },
  {
    why: 'B-25: and not before the server asked for it',
    kept: failed,
    next: { type: 'retry', reason, atMost: 25, atLeast: 30 },
    after: { failures: 4, retry: now + 30 },
  },
  {
    why: 'RL-6: a failure while a retry is pending changes neither counter nor retry time',
    kept: waiting,
    next: { type: 'retry', reason },
    after: { failures: 3, retry: 1500, timer: 1800 },
  },
  {
    why: 'RL-7: a pending retry is put off if the server asks for it',
    kept: waiting,
    next: { type: 'retry', reason, atLeast: 9000 },
    after: { failures: 3, retry: now + 9000, timer: 1800 },
  },
];

describe('what is kept of a key after a run', () => {
  test.each(rows)('$why', ({ kept, next, after }) => {
    expect(times(afterRun(kept, next, end))).toEqual({ retry: undefined, timer: undefined, ...after });
  });

  test('CS-5: a timer cause carries its reason, a retry cause the attempt number and error code', () => {
    expect(afterRun(fresh, { type: 'after', ms: 5, reason: 'poll' }, end).timer?.cause.reason).toBe('poll');
    expect(afterRun(failed, { type: 'retry', reason: 'CLIENT_CONFLICT' }, end).retry?.cause).toEqual({
      source: 'retry',
      change: 'retry',
      reason: 'attempt 5: CLIENT_CONFLICT',
    });
  });

  test('CS-5: the attempt is the next one in each case, whether or not a retry was pending', () => {
    const attempt = (kept: Kept, type: 'retry' | 'requeue'): string | undefined =>
      afterRun(kept, { type, reason: 'r' }, end).retry?.cause.reason;
    expect([attempt(fresh, 'retry'), attempt(fresh, 'requeue')]).toEqual(['attempt 2: r', 'attempt 2: r']);
    expect([attempt(failed, 'retry'), attempt(failed, 'requeue')]).toEqual(['attempt 5: r', 'attempt 5: r']);
    expect([attempt(waiting, 'retry'), attempt(waiting, 'requeue')]).toEqual(['attempt 4: r', 'attempt 4: r']);
  });

  test('of two timers for one time the one that was pending stays; a wait of no time ends now', () => {
    const kept = afterRun(waiting, { type: 'after', ms: 800, reason: 'later' }, end);
    expect(kept.timer?.cause.reason).toBe('earlier');
    expect(afterRun(fresh, { type: 'wait', ms: 0, reason }, end).timer?.at).toBe(now);
  });

  test.each<[Next, number, boolean]>([
    [{ type: 'forget' }, 0, false],
    [{ type: 'drop' }, 2, false],
    [{ type: 'after', ms: 1, reason }, 0, true],
    [{ type: 'after', ms: 0, reason }, 0, false],
    [{ type: 'wait', ms: 1, reason }, 0, true],
    [{ type: 'requeue', reason }, 0, false],
    [{ type: 'requeue', reason }, 1, true],
    [{ type: 'retry', reason }, 0, true],
  ])('%o after %i failures is an add with a delay: %s', (next, failures, expected) => {
    expect(isDelayed(next, failures)).toBe(expected);
  });
});
