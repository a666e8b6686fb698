// A death before and after every write and AWS call of a whole recycle, and the loss of each answer.
import { expect, test } from 'vitest';
import { recycleWith, undisturbed } from './crash-points.test-support.ts';

test.each(['Replace', 'ScaleToZero'] as const)(
  'ER-30, ER-31, ER-33, ER-75: %s ends the same wherever the leader dies',
  async (strategy) => {
    const { points } = await recycleWith(strategy);
    const broken: string[] = [];
    let runs = 0;
    for (const [nth, what] of points.entries()) {
      for (const fate of ['before', 'after', 'lost'] as const) {
        runs += 1;
        const told = await recycleWith(strategy, { nth, fate }).then(
          ({ outcome }) => JSON.stringify(outcome),
          (error: unknown) => String(error).slice(0, 300),
        );
        if (told !== JSON.stringify(undisturbed)) broken.push(`${fate} ${nth} ${what}: ${told}`);
      }
    }
    console.log(`${strategy}: ${points.length} points, ${runs} runs`);
    expect(broken).toEqual([]);
  },
  1_800_000,
);
