import { expect, test } from 'vitest';
import { quiescence, systemClock } from './clock.ts';
import { virtualClock } from './virtual-clock.ts';

const spin = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test('the recent time is what was asked for last in this turn, and never older than the turn', async () => {
  await quiescence();
  void systemClock.pause();
  const asked = systemClock.monotonic();
  spin(2);
  expect(systemClock.recent()).toBe(asked);
  void systemClock.pause();
  expect(systemClock.recent()).toBeGreaterThanOrEqual(asked + 2);
  await quiescence();
  await quiescence();
  const before = performance.now();
  expect(systemClock.recent()).toBeGreaterThanOrEqual(before);
});

test('where nobody counts the turn, the recent time is asked for', async () => {
  await quiescence();
  await quiescence();
  const first = systemClock.recent();
  spin(2);
  expect(systemClock.recent()).toBeGreaterThanOrEqual(first + 2);
});

test('a virtual clock knows only one time', async () => {
  const clock = virtualClock();
  await clock.advance(7);
  expect([clock.recent(), clock.monotonic()]).toEqual([7, 7]);
});
