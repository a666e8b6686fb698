import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orAbort } from './abort.ts';
import { backoffDelay } from './backoff.ts';
import { systemClock, watchLoopDelay } from './clock.ts';
import { parseDuration, toMilliseconds } from './duration.ts';
import { deepEqual } from './equality.ts';
import { Heap } from './heap.ts';

test('a heap gives its elements in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (numbers) => {
      const heap = new Heap<number>((a, b) => a - b);
      for (const number of numbers) heap.push(number);
      const out = Array.from(numbers, () => heap.pop());
      expect(out).toEqual(numbers.toSorted((a, b) => a - b));
      expect(heap.size).toBe(0);
    }),
  );
});

describe('backoff', () => {
  const limits = { base: 5, factor: 2, cap: 1_000_000 };
  test.each([
    [1, 5],
    [2, 10],
    [5, 80],
    [18, 655_360],
    [19, 1_000_000],
    [1_000_000, 1_000_000],
  ])('try %i waits %i ms', (n, ms) => {
    expect(backoffDelay(limits, n)).toBe(ms);
  });
});

describe('durations', () => {
  test.each([
    [1500, 1500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['1.5h', 5_400_000],
    ['1d', 86_400_000],
    ['7ms', 7],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
  test.each(['', '10', '5 m', '1y', 'abc', Number.NaN, Infinity])('%s is none', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
  test('a malformed one is refused with an example', () => {
    expect(() => toMilliseconds('5 minutes' as '5m')).toThrow(/write 1500, '30s' or '5m'/);
  });
});

describe('equality', () => {
  const json = fc.jsonValue();
  test('a value equals its own copy, whatever the order of keys', () => {
    fc.assert(fc.property(json, (value) => deepEqual(value, JSON.parse(JSON.stringify(value)))));
    expect(deepEqual({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  });
  test('an undefined field counts as absent', () => {
    expect(deepEqual({ a: undefined }, {})).toBe(true);
    expect(deepEqual({ a: undefined, b: 1 }, { a: 1 })).toBe(false);
  });
  test.each([
    [[1], { 0: 1 }],
    [null, {}],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: '1' }],
    [{}, { toString: 1 }],
  ])('%j is not %j', (a, b) => {
    expect(deepEqual(a, b)).toBe(false);
  });
});

test('work is left at once when its signal aborts', async () => {
  const abort = new AbortController();
  const waiting = orAbort(new Promise(() => undefined), abort.signal);
  abort.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(orAbort(Promise.resolve(1), undefined)).resolves.toBe(1);
});

test('the system clock waits at least as long as asked and can be cancelled', async () => {
  const before = systemClock.monotonic();
  await systemClock.sleep(2);
  expect(systemClock.monotonic() - before).toBeGreaterThanOrEqual(2);
  systemClock.timer(2 ** 40, () => expect.unreachable()).cancel();
});

describe('the delay of the event loop', () => {
  const block = async (ms: number): Promise<void> => {
    await systemClock.sleep(50);
    const end = systemClock.monotonic() + ms;
    while (systemClock.monotonic() < end);
    await systemClock.sleep(50);
  };
  const nothing = { p50: 0, p99: 0, max: 0 };

  test('is measured from the first question on', async () => {
    const delay = watchLoopDelay();
    try {
      await block(100);
      expect(delay.take()).toEqual(nothing);
      await block(100);
      const { p50, p99, max } = delay.take();
      expect(max).toBeGreaterThan(0.05);
      expect([p50 <= p99, p99 <= max]).toEqual([true, true]);
    } finally {
      delay.stop();
    }
  });

  test('is not measured after the stop', async () => {
    const delay = watchLoopDelay();
    delay.stop();
    expect(delay.take()).toEqual(nothing);
    await block(100);
    expect(delay.take()).toEqual(nothing);
  });
});
