import fc from 'fast-check';
import { expect, test } from 'vitest';
import { virtualClock, virtualRuntime } from './virtual-clock.ts';

test('timers fire in the order they are due, those due together in the order they were set', async () => {
  const clock = virtualClock();
  const fired: string[] = [];
  for (const [name, ms] of [
    ['b', 20],
    ['a', 10],
    ['c', 20],
    ['late', 50],
  ] as const)
    clock.timer(ms, () => fired.push(name));
  await clock.advance(20);
  expect(fired).toEqual(['a', 'b', 'c']);
  expect(clock.pending).toBe(1);
});

test('a timer set by a timer fires within the same advance when it is due', async () => {
  const clock = virtualClock();
  const at: number[] = [];
  const again = (): void => {
    at.push(clock.monotonic());
    if (at.length < 3) clock.timer(10, again);
  };
  clock.timer(10, again);
  await clock.advance(100);
  expect(at).toEqual([10, 20, 30]);
});

test('code that awaits runs to rest between two timers', async () => {
  const clock = virtualClock();
  const seen: string[] = [];
  clock.timer(1, () => {
    void (async () => {
      for (let i = 0; i < 100; i += 1) await Promise.resolve();
      seen.push('first');
    })();
  });
  clock.timer(1, () => seen.push('second'));
  await clock.advance(1);
  expect(seen).toEqual(['first', 'second']);
});

test('a cancelled timer neither fires nor counts as pending', async () => {
  const clock = virtualClock();
  const timer = clock.timer(5, () => expect.unreachable());
  timer.cancel();
  timer.cancel();
  expect(clock.pending).toBe(0);
  await clock.advance(10);
  expect(clock.monotonic()).toBe(10);
});

test('a jump moves the wall clock alone', async () => {
  const clock = virtualClock();
  const before = clock.now();
  clock.jump(3_600_000);
  expect(clock.now() - before).toBe(3_600_000);
  expect(clock.monotonic()).toBe(0);
});

test('an aborted sleep rejects with the reason and leaves no timer', async () => {
  const clock = virtualClock();
  const abort = new AbortController();
  const sleep = clock.sleep(1000, abort.signal);
  abort.abort(new Error('enough'));
  await expect(sleep).rejects.toThrow('enough');
  expect(clock.pending).toBe(0);
});

test('one seed gives one sequence of chance', () => {
  const [a, b, other] = [virtualRuntime(7), virtualRuntime(7), virtualRuntime(8)];
  expect([a.random(), a.uuid()]).toEqual([b.random(), b.uuid()]);
  expect(a.random()).not.toBe(other.random());
  fc.assert(fc.property(fc.integer(), (seed) => virtualRuntime(seed).random() < 1));
});
