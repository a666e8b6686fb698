import { expect, test } from 'vitest';
import { remembering } from './aws.ts';

test('C-23: what was made for a region is used again, and a thousand invented regions are not kept', () => {
  const made: string[] = [];
  const regionOf = remembering((name) => ({ name, nth: made.push(name) }));
  expect(regionOf('eu-west-1')).toBe(regionOf('eu-west-1'));
  for (let n = 0; n < 1000; n += 1) regionOf(`r-${n}`);
  const before = made.length;
  for (let n = 950; n < 1000; n += 1) regionOf(`r-${n}`);
  expect(made.length).toBe(before);
  regionOf('r-949');
  regionOf('eu-west-1');
  expect(made.length).toBe(before + 2);
});
