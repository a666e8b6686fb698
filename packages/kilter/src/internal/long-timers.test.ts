import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from './clock.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

test('J-07: a timer beyond 2^31 ms, which setTimeout fires at once, comes when it is due and not before', () => {
  const bare = vi.fn<() => void>();
  setTimeout(bare, 2 ** 31);
  const month = 30 * 24 * 3_600_000;
  const fired: number[] = [];
  const start = performance.now();
  for (const ms of [2 ** 31 - 1, 2 ** 31, month]) systemClock.timer(ms, () => fired.push(performance.now() - start));
  const cancelled = systemClock.timer(month, () => fired.push(-1));
  vi.advanceTimersByTime(10);
  expect([bare.mock.calls.length, fired]).toEqual([1, []]);
  vi.advanceTimersByTime(2 ** 31 - 12);
  expect(fired).toEqual([]);
  cancelled.cancel();
  vi.advanceTimersByTime(month);
  expect(fired).toEqual([2 ** 31 - 1, 2 ** 31, month]);
});

test('J-07: a sleep of a month ends after a month, or with its signal', async () => {
  const month = 30 * 24 * 3_600_000;
  const awoken = vi.fn<() => void>();
  const abort = new AbortController();
  const slept = systemClock.sleep(month).then(() => awoken());
  const left = systemClock.sleep(month, abort.signal);
  await vi.advanceTimersByTimeAsync(month - 1);
  expect(awoken).not.toHaveBeenCalled();
  abort.abort(new Error('enough'));
  await expect(left).rejects.toThrow('enough');
  await vi.advanceTimersByTimeAsync(1);
  await slept;
  expect(awoken).toHaveBeenCalledOnce();
});
