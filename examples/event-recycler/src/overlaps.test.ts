// Several EventRecyclers that look at the same groups.
import { expect, test } from 'vitest';
import { EventRecycler } from './event-recycler.ts';
import { Stage } from './stage.test-support.ts';

const sick = 'asg-sick';
const groups = [sick, 'b', 'c', 'd'].map((name) => ({ name, size: 1 }));
const tags = (stage: Stage) => stage.model.changes.filter(({ call }) => call === 'tag');

async function open(): Promise<Stage> {
  const stage = await Stage.open({ groups });
  await stage.start('one');
  return stage;
}

test('ER-40, ER-43: what one EventRecycler would have recycled in a dry run holds nobody else up', async () => {
  await using stage = await open();
  // The dry one decides half a minute before the other one may.
  await stage.recycler({ dryRun: true, watchInterval: '10s' }, 'dry');
  await stage.recycler({ watchInterval: '40s' }, 'real');
  await stage.sicken(sick);
  expect(await stage.history(1, 'dry')).toMatchObject([{ status: 'DryRun' }]);
  expect(stage.model.changes).toEqual([]);
  expect(await stage.history(1, 'real')).toMatchObject([{ status: 'Succeeded' }]);
  // The other way round a recycle counts: the dry one would not have begun another.
  await stage.pass(10 * 60_000);
  expect((await stage.status('dry')).recycleHistory).toHaveLength(1);
});

test.each([false, true])(
  'ER-24, ER-41: what one EventRecycler has recycled is dealt with for the others too (dryRun: %s)',
  async (dryRun) => {
    await using stage = await open();
    await stage.recycler({ cooldown: '5m' }, 'first');
    await stage.recycler({ cooldown: '5m', watchInterval: '2m', dryRun }, 'second');
    await stage.sicken(sick);
    await stage.history(1, 'first');
    // Its cooldown is over long before the Events of before leave the window.
    await stage.pass(30 * 60_000);
    expect(tags(stage)).toHaveLength(1);
    expect((await stage.status('second')).recycleHistory ?? []).toEqual([]);
    // What comes after it counts for both, and one of them acts.
    await stage.sicken(sick);
    await stage.until(() => tags(stage).length === 2);
  },
);

test('ER-24, ER-42: groups that another one has recycled are in trouble no more: the breaker closes', async () => {
  await using stage = await open();
  await stage.recycler({ breakerPercent: 100, maxConcurrentRecycles: 2 }, 'bold');
  await stage.recycler({ maxConcurrentRecycles: 2 }, 'careful');
  for (const name of [sick, 'b']) await stage.sicken(name);
  await stage.pass(5000);
  expect(await stage.condition('BreakerOpen', 'careful')).toMatchObject({ status: 'True' });
  await stage.history(2, 'bold');
  await stage.pass(65_000);
  expect(await stage.condition('BreakerOpen', 'careful')).toMatchObject({ status: 'False' });
  expect(tags(stage)).toHaveLength(2);
});

test('ER-38, ER-41: one that is deleted while it recycles leaves the group to the other, as it was before', async () => {
  await using stage = await open();
  await stage.recycler({ strategy: 'ScaleToZero' }, 'first');
  await stage.recycler({ watchInterval: '90s' }, 'second');
  await stage.sicken(sick);
  await stage.until(() => stage.model.groupNow(sick)?.desired === 0);
  await stage.client.delete(EventRecycler, 'first');
  expect(await stage.history(1, 'second')).toMatchObject([{ status: 'Succeeded' }]);
  expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 3, desired: 1, original: undefined });
  expect(await stage.cordoned()).toEqual([]);
});
