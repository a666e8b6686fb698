// A sample of the crash points; `crashes.long.test.ts` runs them all.
import { expect, test } from 'vitest';
import { recycleWith, undisturbed } from './crash-points.test-support.ts';

test.each(['Replace', 'ScaleToZero'] as const)('ER-75: %s ends as it should where nobody dies', async (strategy) => {
  expect((await recycleWith(strategy)).outcome).toEqual(undisturbed);
});

test.each([
  ['Replace', 3, 'after'],
  ['ScaleToZero', 8, 'before'],
  ['ScaleToZero', 8, 'after'],
] as const)('ER-75: %s ends the same with a death at point %d, %s its effect', async (strategy, nth, fate) => {
  expect((await recycleWith(strategy, { nth, fate })).outcome).toEqual(undisturbed);
});
