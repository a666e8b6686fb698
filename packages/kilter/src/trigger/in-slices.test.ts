import { expect, test } from 'vitest';
import { inSlices } from './in-slices.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

test('the time is asked for after every 64 items, and never while there are fewer', () => {
  const asked: number[] = [];
  const seen: number[] = [];
  const clock = { pause: () => void asked.push(seen.length) };
  inSlices(clock, upTo(63), (item) => seen.push(item));
  expect(asked).toEqual([]);
  seen.length = 0;
  inSlices(clock, upTo(200), (item) => seen.push(item));
  expect(seen).toEqual(upTo(200));
  expect(asked).toEqual([64, 128, 192]);
});

test('what is left when the turn is over waits for the next one', async () => {
  const turn = Promise.withResolvers<void>();
  const pauses = [turn.promise, undefined];
  const seen: number[] = [];
  inSlices({ pause: () => pauses.shift() }, upTo(100), (item) => seen.push(item));
  expect(seen).toHaveLength(64);
  turn.resolve();
  await turn.promise;
  expect(seen).toEqual(upTo(100));
});
