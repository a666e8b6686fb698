import { expect, test } from 'vitest';
import type { Cause } from '../api/index.ts';
import { systemRuntime, virtualRuntime } from '../internal/index.ts';
import type { HeldWork, Work } from './work.ts';
import { workQueue } from './work-queue.ts';

const cause: Cause = { source: 'primary', change: 'update' };

test('causes are told by the wall clock as it is set when the key is taken, a second ago at most', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const queue = workQueue({ name: 'q', runtime });
  const firstAt = (): number | undefined => {
    const work = queue.takeReady() as Work;
    queue.done(work, { type: 'forget' });
    return work.causes[0]?.firstAt;
  };
  await clock.advance(250.5);
  queue.add('default/a', cause);
  const added = clock.now();
  await clock.advance(40);
  expect(firstAt()).toBe(Math.round(added));
  clock.jump(3_600_000);
  await clock.advance(2000);
  queue.add('default/a', cause);
  expect(firstAt()).toBe(Math.round(clock.now()));
});

test('WQ-11: what a turn of the event loop did before a key was handed over is not counted as work on it', async () => {
  const queue = workQueue({ name: 'q', runtime: systemRuntime });
  const { clock } = systemRuntime;
  void clock.pause();
  const asked = clock.monotonic();
  const handed = queue.take();
  queue.add('default/a', cause);
  const busyUntil = performance.now() + 5;
  while (performance.now() < busyUntil);
  const work = (await handed) as Work;
  expect((work as HeldWork).takenAt).toBeGreaterThanOrEqual(asked + 5);
  expect(work.waited).toBeGreaterThanOrEqual(5);
  queue.done(work, { type: 'forget' });
});
