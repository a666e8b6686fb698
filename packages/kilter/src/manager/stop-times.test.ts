import { expect, test } from 'vitest';
import { virtualClock } from '../internal/index.ts';
import { lastMoment, stopTimes } from './stop-times.ts';

test.each([
  [60_000, 55_000],
  [30_000, 25_000],
  [6000, 5000],
  [600, 500],
])('MG-4: of %d ms, running work gets %d', (gracefulStop, grace) => {
  expect(stopTimes(virtualClock(), gracefulStop).grace()).toBe(grace);
});

test('MG-4: both run down to nothing, and not below', async () => {
  const clock = virtualClock();
  const times = stopTimes(clock, 12_000);
  expect([times.grace(), times.left()]).toEqual([10_000, 12_000]);
  await clock.advance(11_000);
  expect([times.grace(), times.left()]).toEqual([0, 1000]);
  await clock.advance(2000);
  expect([times.grace(), times.left()]).toEqual([0, 0]);
  expect(lastMoment).toBe(1000);
});
