import { expect, test } from 'vitest';
import type { Aws } from './aws.ts';
import { regionsOf } from './controller.ts';

test('C-23: what was made for a region is used again, and a thousand invented regions are not kept', () => {
  const made: (string | undefined)[] = [];
  const regionOf = regionsOf((name) => (made.push(name), {} as Aws));
  expect(regionOf('eu-west-1')).toBe(regionOf('eu-west-1'));
  expect(regionOf(undefined)).not.toBe(regionOf('eu-west-1'));
  expect(made).toEqual(['eu-west-1', undefined]);
  for (let n = 0; n < 1000; n += 1) regionOf(`r-${n}`);
  // Of the last fifty at most some are kept; what was forgotten is made again.
  const before = made.length;
  for (let n = 0; n < 950; n += 1) regionOf(`r-${n}`);
  expect(made.length).toBe(before + 950);
});
