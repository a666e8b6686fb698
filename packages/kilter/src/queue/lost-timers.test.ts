import { expect, test } from 'vitest';
import type { Cause } from '../api/index.ts';
import { type VirtualClock, virtualRuntime } from '../internal/index.ts';
import type { Next, Work, WorkQueue } from './work.ts';
import { workQueue } from './work-queue.ts';

const shop = { namespace: 'default', name: 'shop' };
const update: Cause = { source: 'primary', change: 'update', kind: 'WebApp.example.com', ref: shop };

test('WQ-10: a key whose timer was lost is found at most 10 s after it was due', async () => {
  const runtime = virtualRuntime();
  const lost: number[] = [];
  let cancelled = 0;
  const timer: VirtualClock['timer'] = (ms, callback) => {
    if (ms !== 60_000) return runtime.clock.timer(ms, callback);
    lost.push(ms);
    return { cancel: () => void (cancelled += 1) };
  };
  const queue = workQueue({ name: 'webapp', runtime: { ...runtime, clock: { ...runtime.clock, timer } }, jitter: 0 });
  queue.addAfter(shop, 60_000, update);
  expect(lost).toEqual([60_000]);
  await runtime.clock.advance(60_000);
  expect(queue.depth).toBe(0);
  await runtime.clock.advance(10_000);
  expect(queue.depth).toBe(1);
  expect(runtime.clock.pending).toBe(0);
  // Should it ring after all, it must not take the place of the next one.
  expect(cancelled).toBe(1);
});

test.each([
  ['is added', 2, (queue: WorkQueue) => queue.add({ name: 'other' }, update)],
  ['is added for later', 1, (queue: WorkQueue) => queue.addAfter({ name: 'other' }, 1, update)],
])('WQ-10: a key whose timer was lost is found as soon as another one %s', async (_, depth, add) => {
  const runtime = virtualRuntime();
  const timer: VirtualClock['timer'] = () => ({ cancel: () => undefined });
  const queue = workQueue({ name: 'webapp', runtime: { ...runtime, clock: { ...runtime.clock, timer } }, jitter: 0 });
  queue.addAfter(shop, 60_000, update);
  await runtime.clock.advance(60_000);
  const before = queue.depth;
  add(queue);
  expect([before, queue.depth]).toEqual([0, depth]);
});

test('WQ-10: looking for lost timers keeps nothing alive once no key waits', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const queue = workQueue({ name: 'webapp', runtime });
  queue.addAfter(shop, 1000, update);
  await clock.advance(1000);
  expect(clock.pending).toBe(0);
  queue.addAfter({ namespace: 'default', name: 'bar' }, 1000, update);
  queue.shutdown();
  expect(clock.pending).toBe(0);
});

test('WQ-10: a run that takes the last delay away leaves no timer behind', async () => {
  const runtime = virtualRuntime();
  const queue = workQueue({ name: 'webapp', runtime, jitter: 0 });
  const run = (next: Next): void => queue.done(queue.takeReady() as Work, next);
  queue.add(shop, update);
  run({ type: 'retry', reason: 'not yet' });
  expect(runtime.clock.pending).toBeGreaterThan(0);
  queue.add(shop, update);
  run({ type: 'forget' });
  expect(runtime.clock.pending).toBe(0);
});

test('B-38: a key that waits for 30 days is an entry and a timer, comes on time, and not before', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const queue = workQueue({ name: 'webapp', runtime, jitter: 0 });
  const month = 30 * 24 * 3_600_000;
  const wait = (name: string, ms: number): void => void queue.addAfter({ namespace: 'default', name }, ms, update);
  wait('shop', month);
  wait('bar', month + 1);
  expect(clock.pending).toBeLessThanOrEqual(2);
  // A day at a time, as a process lives it; a second timer looks for lost ones meanwhile.
  for (let day = 1; day < 30; day += 1) await clock.advance(24 * 3_600_000);
  expect([queue.depth, clock.pending <= 2]).toEqual([0, true]);
  await clock.advance(24 * 3_600_000 - 1);
  expect(queue.depth).toBe(0);
  await clock.advance(1);
  expect(queue.depth).toBe(1);
  await clock.advance(1);
  expect(queue.depth).toBe(2);
});
