// The limits on a running operator.
import { formatTime } from 'kilter/api';
import { Event } from 'kilter/k8s/events/v1';
import { expect, test } from 'vitest';
import { EventRecycler, type Recycle } from './event-recycler.ts';
import { Stage } from './stage.test-support.ts';

const names = ['asg-a', 'asg-b', 'asg-c', 'asg-d'];
const groups = names.map((name) => ({ name, size: 1 }));

async function open(): Promise<Stage> {
  const stage = await Stage.open({ groups });
  await stage.start('one');
  return stage;
}

test('ER-42, ER-80: an outage that trips all groups recycles none, although it reaches them one after the other', async () => {
  await using stage = await open();
  await stage.recycler();
  for (const name of names) {
    await stage.sicken(name);
    await stage.pass(10_000);
  }
  await stage.pass(5 * 60_000);
  expect(stage.model.changes).toEqual([]);
  expect(await stage.cordoned()).toEqual([]);
  expect(await stage.condition('BreakerOpen')).toMatchObject({ status: 'True', reason: 'TooManyGroups' });
  expect((await stage.condition('BreakerOpen'))?.message).toBe('4 of 4 node groups are in trouble: not a node problem');
});

test('ER-42: groups whose Nodes are gone are known no more: of two that are left two in trouble open the breaker', async () => {
  await using stage = await open();
  await stage.recycler({ breakerPercent: 60 });
  await stage.pass(5000);
  for (const name of ['asg-c', 'asg-d']) stage.model.changeSizes(name, { min: 0, max: 3, desired: 0 });
  await stage.pass(60_000);
  for (const name of ['asg-a', 'asg-b']) await stage.sicken(name);
  await stage.pass(5 * 60_000);
  expect((await stage.condition('BreakerOpen'))?.message).toBe('2 of 2 node groups are in trouble: not a node problem');
  expect(stage.model.changes).toEqual([]);
});

test('ER-21: what somebody else stored while a look was under way is not written over: the look begins anew', async () => {
  await using stage = await open();
  const at = formatTime(stage.clock.now());
  const other = { uid: 'by-another', group: 'asg-b', count: 1, growth: [{ at, by: 1 }] };
  let isFirst = true;
  stage.model.intercept = async ({ call }, when) => {
    if (call !== 'instances' || when !== 'after' || !isFirst) return;
    isFirst = false;
    const status = { counted: [other] };
    await stage.client.patch(EventRecycler, 'sandbox', { status }, { subresource: 'status' });
  };
  await stage.sicken('asg-a', 2);
  await stage.recycler();
  await stage.pass(10_000);
  expect(isFirst).toBe(false);
  const conditions = stage.env.requests.filter(
    ({ path, body }) => path.includes('/sandbox/status') && body?.includes('"Ready"'),
  );
  expect(conditions.length).toBeGreaterThan(0);
  // It is not a failure, and is not told as one.
  expect(conditions.filter(({ body }) => body?.includes('"Failed"'))).toEqual([]);
  expect((await stage.status()).eventCounts).toEqual({ 'asg-a': 2, 'asg-b': 1 });
});

test('ER-40: a group is not recycled again within its cooldown, and is afterwards', async () => {
  await using stage = await open();
  await stage.recycler({ cooldown: '5m', window: '4m' });
  await stage.sicken('asg-a');
  await stage.history(1);
  const ended = stage.clock.now();
  await stage.pass(5000);
  await stage.sicken('asg-a');
  await stage.pass(2 * 60_000);
  expect((await stage.condition('Ready'))?.message).toBe('asg-a has to wait: its cooldown is not over');
  await stage.pass(2 * 60_000);
  await stage.sicken('asg-a');
  await stage.history(2);
  const starts = stage.model.changes.filter(({ call }) => call === 'tag');
  expect(starts).toHaveLength(2);
  expect((starts[1]?.at ?? 0) - ended).toBeGreaterThanOrEqual(4.9 * 60_000);
});

test('ER-22, ER-41: two EventRecyclers share one limit, and never a group', async () => {
  await using stage = await open();
  await stage.recycler({ maxConcurrentRecycles: 1, breakerPercent: 100 }, 'first');
  await stage.recycler({ maxConcurrentRecycles: 5, breakerPercent: 100 }, 'second');
  for (const name of ['asg-a', 'asg-b']) await stage.sicken(name);
  let most = 0;
  await stage.until(async () => {
    const both = [await stage.status('first'), await stage.status('second')];
    most = Math.max(most, both.flatMap(({ activeRecycles = [] }) => activeRecycles).length);
    return both.flatMap(({ recycleHistory = [] }) => recycleHistory).length >= 2;
  });
  expect(most).toBe(1);
  expect(stage.model.changes.filter(({ call }) => call === 'terminate')).toHaveLength(2);
});

test('ER-41: of two EventRecyclers that stored an intent for one group the earlier one acts, and the other replaces nothing again', async () => {
  await using stage = await open();
  await stage.recycler({ breakerPercent: 100, watchInterval: '5s' }, 'first');
  await stage.recycler({ threshold: 1000, watchInterval: '5s' }, 'second');
  await stage.sicken('asg-a');
  await stage.until(async () => (await stage.status('first')).activeRecycles?.length === 1);
  const [intent] = (await stage.status('first')).activeRecycles ?? [];
  // As a leader would have that did not know of the first one.
  const later = { ...(intent as Recycle), phase: 'Planned' as const, startTime: formatTime(stage.clock.now() + 1000) };
  await stage.client.patch(EventRecycler, 'second', { status: { activeRecycles: [later] } }, { subresource: 'status' });
  await stage.until(async () => (await stage.condition('Recycling', 'second'))?.status === 'True');
  expect((await stage.condition('Recycling', 'second'))?.message).toContain('EventRecycler first, which began earlier');
  await stage.history(1, 'first');
  const replaced = () => stage.model.changes.filter(({ call }) => call === 'terminate').map(({ of }) => of);
  const once = replaced();
  await stage.history(1, 'second');
  expect(replaced()).toEqual(once);
  expect(new Set(once).size).toBe(once.length);
});

test('ER-24, ER-43: a dry run decides the same, reports it, and changes nothing', async () => {
  await using stage = await open();
  await stage.recycler({ dryRun: true });
  await stage.sicken('asg-a');
  expect(await stage.history(1)).toMatchObject([{ nodeGroup: 'asg-a', eventCount: 3, status: 'DryRun' }]);
  await stage.pass(3 * 60_000);
  expect((await stage.status()).recycleHistory).toHaveLength(1);
  // What was decided has used up its count (ER-24), although the Pod and its Event are still there.
  expect(await stage.status()).toMatchObject({ eventCounts: {}, counted: [] });
  expect(stage.model.changes).toEqual([]);
  expect(await stage.cordoned()).toEqual([]);
  expect(stage.env.requests.filter(({ path }) => path.includes('/eviction'))).toEqual([]);
  const events = await stage.client.list(Event, { namespace: 'default' });
  expect(events.filter(({ reason }) => reason === 'DryRun')).toMatchObject([{ note: 'would recycle asg-a' }]);
  const [replica] = stage.replicas;
  expect(replica?.manager?.runs.recent().every(({ result }) => result !== 'error')).toBe(true);
  // Nothing was dealt with: after the dry run, what is still in the window is.
  await stage.patchSpec({ dryRun: false });
  expect(await stage.history(2)).toMatchObject([{ status: 'Succeeded' }, { status: 'DryRun' }]);
});

test('ER-43, ER-44: a dry run says what would have to wait, and does not say that it would recycle it', async () => {
  await using stage = await open();
  stage.model.suspend('asg-a', 'Terminate');
  await stage.recycler({ dryRun: true });
  await stage.sicken('asg-a');
  await stage.pass(3 * 60_000);
  expect((await stage.condition('Ready'))?.message).toMatch(/^asg-a has to wait: its process Terminate is suspended/);
  expect((await stage.status()).recycleHistory ?? []).toEqual([]);
  stage.model.suspend('asg-a');
  expect(await stage.history(1)).toMatchObject([{ nodeGroup: 'asg-a', status: 'DryRun' }]);
  expect(stage.model.changes).toEqual([]);
});

test('ER-43: switching dryRun on ends what is under way', async () => {
  await using stage = await open();
  await stage.recycler({ strategy: 'ScaleToZero' });
  await stage.sicken('asg-a');
  await stage.until(async () => (await stage.status()).activeRecycles?.[0]?.phase === 'ScalingDown');
  await stage.patchSpec({ dryRun: true });
  expect(await stage.history(1)).toMatchObject([{ status: 'Failed: dryRun was turned on' }]);
  expect(stage.model.groupNow('asg-a')).toMatchObject({ min: 1, max: 3, desired: 1, original: undefined });
});
