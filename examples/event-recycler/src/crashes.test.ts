// A sample of the faults at the points of a recycle; `crashes.long.test.ts` tries them all.
import { expect, test } from 'vitest';
import { differenceAt, pointsOf, recycleWith, undisturbed } from './crash-points.test-support.ts';

const strategies = ['Replace', 'ScaleToZero'] as const;

test.each(strategies)('ER-75: %s ends as it should where nothing happens', async (strategy) => {
  expect((await recycleWith(strategy)).outcome).toEqual(undisturbed);
});

test.each(strategies)(
  'ER-31, ER-75: %s ends the same with a fault at every 41st point',
  async (strategy) => {
    const points = (await pointsOf(strategy)).filter((_, n) => n % 41 === 20);
    const differences: string[] = [];
    for (const point of points) differences.push(...[(await differenceAt(strategy, point)) ?? []].flat());
    expect(differences).toEqual([]);
  },
  180_000,
);
