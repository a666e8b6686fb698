// A sample of the faults at the points of a recycle; `crashes.long.test.ts` tries them all.
import { expect, test } from 'vitest';
import { differenceAt, pointsOf, recycleWith, undisturbed } from './crash-points.test-support.ts';
import { Stage } from './stage.test-support.ts';

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

test('ER-31: leaders that die one after the other in mid-run leave no group at zero: no quarantine keeps the next one from it', async () => {
  let deaths = 0;
  await using stage: Stage = await Stage.open({
    groups: ['asg-sick', 'b', 'c', 'd'].map((name) => ({ name, size: 1 })),
    // Six in a row, each in its first look at AWS once the sizes are zero.
    fateOf: (what) => {
      const isZero = stage.model.groupNow('asg-sick')?.max === 0;
      return isZero && what === 'aws group' && deaths < 6 ? ((deaths += 1), 'before') : undefined;
    },
  });
  await stage.start('r0');
  await stage.recycler({ strategy: 'ScaleToZero' });
  await stage.sicken('asg-sick');
  await stage.until(async () => {
    if (stage.replicas.every(({ dead }) => dead)) await stage.start(`r${deaths}`);
    return ((await stage.status()).recycleHistory ?? []).length === 1;
  });
  expect(deaths).toBe(6);
  expect((await stage.status()).recycleHistory).toMatchObject([{ status: 'Succeeded' }]);
  expect(stage.model.groupNow('asg-sick')).toMatchObject({ min: 1, max: 3, desired: 1, original: undefined });
}, 60_000);
