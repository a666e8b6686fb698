// Every fault at every write and AWS call of a whole recycle: a death before and after it, its answer lost, its arrival doubled.
import { expect, test } from 'vitest';
import { differenceAt, pointsOf } from './crash-points.test-support.ts';

/** For a part of them, to find out where something began to fail: `KILTER_CRASH_POINTS=40-60`. */
const [from = 0, to = Infinity] = (process.env['KILTER_CRASH_POINTS'] ?? '').split('-').filter(Boolean).map(Number);

test.each(['Replace', 'ScaleToZero'] as const)(
  'ER-30, ER-31, ER-33, ER-75: %s ends the same, whatever happens at whatever point',
  async (strategy) => {
    const points = (await pointsOf(strategy)).filter(({ nth }) => nth >= from && nth <= to);
    const began = performance.now();
    const differences: string[] = [];
    for (const point of points) {
      const difference = await differenceAt(strategy, point);
      if (difference !== undefined) differences.push(difference);
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`${strategy}: ${points.at(-1)?.nth} calls, ${points.length} faults tried in ${seconds} s`);
    expect(differences).toEqual([]);
  },
  3_600_000,
);
