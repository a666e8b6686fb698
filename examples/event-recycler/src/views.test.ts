// What is seen may be old, or missing: of AWS, of the watch, of the cache.
import { Pod } from 'kilter/k8s/core/v1';
import { expect, test } from 'vitest';
import { AwsError } from './aws.ts';
import { Stage } from './stage.test-support.ts';

const sick = 'asg-sick';
const groups = [{ name: sick, nodeGroup: 'workers', size: 2 }, ...['b', 'c', 'd'].map((name) => ({ name, size: 1 }))];

test.each(['Replace', 'ScaleToZero'] as const)(
  'ER-54: %s acts on one old view again and again, and the end is that of a fresh one',
  async (strategy) => {
    await using stage = await Stage.open({ groups, lag: 50_000 });
    await stage.start('one');
    await stage.recycler({ strategy, pollInterval: '5s' });
    await stage.sicken(sick);
    expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
    const repeated = strategy === 'Replace' ? 'terminate' : 'resize';
    // It did act on a view more than once.
    expect(stage.model.changes.filter(({ call }) => call === repeated).length).toBeGreaterThan(6);
    expect(stage.model.instancesNow().filter(({ group }) => group === sick)).toHaveLength(4);
    expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
    expect((await stage.status()).recycleHistory).toHaveLength(1);
    // What AWS shows now is from before the end: the cooldown keeps it from beginning again.
    await stage.sicken(sick);
    await stage.pass(10 * 60_000);
    expect(stage.model.changes.filter(({ call }) => call === 'untag')).toHaveLength(1);
  },
);

test('ER-52: an Event that the watch never showed is found by the comparison with a LIST within 11 minutes, and counts', async () => {
  await using stage = await Stage.open({ groups });
  stage.env.server.fail({ verb: 'watch', kind: 'Event', fault: { type: 'watch-drop', after: 1, count: 1 } });
  await stage.start('one');
  await stage.recycler({ dryRun: true });
  await stage.pass(1000);
  await stage.sicken(sick);
  await stage.pass(60_000);
  expect((await stage.status()).eventCounts).toEqual({});
  await stage.pass(11 * 60_000);
  expect((await stage.status()).recycleHistory).toMatchObject([{ nodeGroup: 'workers', status: 'DryRun' }]);
});

test('ER-52: every object is looked at again after 10 minutes, without a request', async () => {
  await using stage = await Stage.open({ groups });
  const one = await stage.start('one');
  await stage.recycler({ watchInterval: '5h' });
  await stage.pass(5 * 60_000);
  const before = one.manager?.runs.recent().length ?? 0;
  await stage.pass(10.5 * 60_000);
  const causes =
    one.manager?.runs
      .recent()
      .slice(before)
      .flatMap((run) => run.causes) ?? [];
  expect(causes.filter((cause) => cause.startsWith('resync')).length).toBeGreaterThan(0);
});

test('ER-52, ER-41: who else recycles is asked of the server, not of the cache of a new leader that is behind', async () => {
  await using stage = await Stage.open({ groups });
  await stage.start('one');
  await stage.pass(1000);
  await stage.start('two');
  await stage.recycler({ breakerPercent: 100, watchInterval: '70s' }, 'late');
  await stage.recycler({ breakerPercent: 100 }, 'soon');
  for (const name of ['b', 'c']) await stage.sicken(name);
  await stage.pass(5000);
  // From here on the caches learn of EventRecyclers five minutes late.
  stage.env.server.fail({ verb: 'watch', kind: 'EventRecycler', fault: { type: 'watch-delay', ms: 5 * 60_000 } });
  stage.env.server.breakWatches({ group: 'kaws.kilter.dev', kind: 'EventRecycler' });
  // The leader dies when one of them has stored an intent. The next leader begins with the other one, which is due, and sees none.
  stage.model.intercept = ({ call, leader }) => {
    if (call !== 'tag' || leader.identity !== 'one') return;
    stage.replicas[0]?.kill();
    // What would keep the others away as well.
    throw new AwsError('unreachable', 'the tag does not arrive');
  };
  let most = 0;
  await stage.until(async () => {
    const both = [await stage.status('late'), await stage.status('soon')];
    most = Math.max(most, both.flatMap(({ activeRecycles = [] }) => activeRecycles).length);
    return both.flatMap(({ recycleHistory = [] }) => recycleHistory).length >= 2;
  }, 60 * 60_000);
  expect(stage.replicas[0]?.dead).toBe(true);
  expect(most).toBe(1);
});

test('ER-36, ER-54: a Pod that was made again under its name, on another Node, is not evicted for one that a new leader still sees', async () => {
  await using stage = await Stage.open({ groups });
  await stage.start('one');
  await stage.pass(1000);
  await stage.start('two');
  await stage.recycler();
  const [old = '', other = ''] = [sick, 'b'].map((name) => stage.model.groupNow(name)?.instances[0]?.id);
  const { metadata } = await stage.pod('web-0', old);
  await stage.event(await stage.client.get(Pod, metadata), { count: 3 });
  await stage.pass(5000);
  // From here on the caches learn of Pods minutes late.
  stage.env.server.fail({ verb: 'watch', kind: 'Pod', fault: { type: 'watch-delay', ms: 5 * 60_000 } });
  stage.env.server.breakWatches({ group: '', kind: 'Pod' });
  await stage.until(async () => (await stage.client.find(Pod, metadata)) === undefined);
  stage.replicas[0]?.kill();
  const again = await stage.pod('web-0', other);
  expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
  const evictions = stage.env.requests.filter(({ path }) => path.includes('/web-0/eviction'));
  expect(evictions.map(({ status }) => status).slice(0, 2)).toEqual([201, 409]);
  expect((await stage.client.get(Pod, metadata)).metadata.uid).toBe(again.metadata.uid);
});
