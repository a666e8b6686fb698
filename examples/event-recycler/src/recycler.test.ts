// A whole recycle on the embedded server, with the model of AWS, on the virtual clock.
import { DaemonSet } from 'kilter/k8s/apps/v1';
import { Node, Pod } from 'kilter/k8s/core/v1';
import { PodDisruptionBudget } from 'kilter/k8s/policy/v1';
import { describe, expect, test } from 'vitest';
import { AwsError } from './aws.ts';
import { EventRecycler } from './event-recycler.ts';
import { failEvery } from './fake/aws-model.ts';
import { nodeName } from './fake/fleet.ts';
import { Stage, type StageOptions } from './stage.test-support.ts';

const sick = 'eks-workers-7c1b';
const groups = [
  { name: sick, nodeGroup: 'workers', size: 2 },
  ...['asg-b', 'asg-c', 'asg-d'].map((name) => ({ name, nodeGroup: name, size: 1 })),
];
const strategies = ['Replace', 'ScaleToZero'] as const;

async function open(options: StageOptions = {}): Promise<Stage> {
  const stage = await Stage.open({ groups, ...options });
  await stage.start('one');
  return stage;
}
const budget = PodDisruptionBudget.build({
  name: 'web',
  namespace: 'default',
  spec: { minAvailable: '100%', selector: { matchLabels: { app: 'web' } } },
});
const phaseOf = async (stage: Stage) => (await stage.status()).activeRecycles?.[0]?.phase;
const reaches = (stage: Stage, phase: string) => stage.until(async () => (await phaseOf(stage)) === phase);

/** Each test says what is special; this holds after every recycle. */
async function isAsBefore(stage: Stage): Promise<void> {
  expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
  expect(await stage.cordoned()).toEqual([]);
  expect((await stage.status()).activeRecycles).toEqual([]);
}

describe.each(strategies)('a sick group, strategy %s', (strategy) => {
  test('ER-34, ER-35, ER-70, ER-74: every instance is replaced once, the group is as before, and the history says so', async () => {
    await using stage = await open();
    await stage.recycler({ strategy });
    const old = stage.model.groupNow(sick)?.instances.map(({ id }) => id) ?? [];
    await stage.sicken(sick);
    expect(await stage.history(1)).toMatchObject([{ nodeGroup: 'workers', eventCount: 3, status: 'Succeeded' }]);
    await isAsBefore(stage);
    expect(stage.model.groupNow(sick)?.instances.filter(({ id }) => old.includes(id))).toEqual([]);
    expect(stage.model.instancesNow().filter(({ group }) => group === sick)).toHaveLength(4);
    const calls = stage.model.changes.map(({ call }) => call);
    const between = strategy === 'Replace' ? ['terminate', 'terminate'] : ['resize', 'resize', 'resize'];
    expect(calls).toEqual(['tag', ...between, 'untag']);
    expect(stage.model.changes.every(({ of }) => of === sick || old.includes(of))).toBe(true);
  });

  test('ER-38: deleting the EventRecycler in mid-recycle restores the group, then lets go', async () => {
    await using stage = await open();
    await stage.recycler({ strategy });
    await stage.sicken(sick);
    await reaches(stage, 'ScalingDown');
    stage.model.intercept = () => {
      throw new AwsError('unreachable', 'connect ECONNREFUSED');
    };
    await stage.client.delete(EventRecycler, 'sandbox');
    await stage.pass(60_000);
    // What cannot be undone yet keeps it, and it says why.
    expect(await stage.condition('Ready')).toMatchObject({ status: 'False', reason: 'Aws' });
    expect((await stage.condition('Recycling'))?.message).toBe('workers waits for AWS');
    stage.model.intercept = () => undefined;
    await stage.env.gone(EventRecycler, 'sandbox', { within: '5m' });
    expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
    expect(await stage.cordoned()).toEqual([]);
  });

  test('ER-82: with every second call throttled it converges, at a bounded rate', async () => {
    await using stage = await open();
    await stage.recycler({ strategy });
    failEvery(stage.model, 2, 'throttled');
    const began = stage.clock.now();
    await stage.sicken(sick);
    expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
    const minutes = (stage.clock.now() - began) / 60_000;
    expect(stage.model.calls.length / minutes).toBeLessThan(60);
    await isAsBefore(stage);
    expect(stage.model.instancesNow().filter(({ group }) => group === sick)).toHaveLength(4);
  });

  test('ER-31: reads of AWS that lag behind by 20 s delay it and change nothing else', async () => {
    await using stage = await open({ lag: 20_000 });
    await stage.recycler({ strategy });
    await stage.sicken(sick);
    expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
    await isAsBefore(stage);
    expect(stage.model.instancesNow().filter(({ group }) => group === sick)).toHaveLength(4);
  });
});

test('ER-30, ER-32: the intent is stored and read back before the first effect, and the tag holds the sizes', async () => {
  const order: string[] = [];
  await using stage = await open({ fateOf: (what) => void order.push(what) });
  await stage.recycler();
  await stage.sicken(sick);
  await stage.until(() => order.includes('aws tag'));
  const status = 'PATCH /apis/kaws.kilter.dev/v1alpha1/eventrecyclers/sandbox/status';
  const tag = order.indexOf('aws tag');
  expect(order.slice(0, tag)).toContain(status);
  expect(
    order.slice(0, tag).filter((what) => /^aws (tag|untag|resize|terminate)/.test(what) || what.includes('/nodes/')),
  ).toEqual([]);
  const reads = stage.env.requests.filter(
    ({ method, path }) => method === 'GET' && path.endsWith('/eventrecyclers/sandbox'),
  );
  expect(reads.length).toBeGreaterThan(0);
  const [intent] = (await stage.status()).activeRecycles ?? [];
  expect(intent).toMatchObject({ nodeGroup: 'workers', autoScalingGroup: sick, min: 1, max: 4, desired: 2, epoch: 0 });
  expect(intent?.instances).toHaveLength(2);
  expect(stage.model.groupNow(sick)?.original).toBe('1/4/2');
});

test('ER-33: a new leader stores its epoch in the intent before it looks at AWS or changes anything', async () => {
  const order: string[] = [];
  await using stage = await open({ fateOf: (what, replica) => void order.push(`${replica.identity}: ${what}`) });
  await stage.pass(1000);
  await stage.start('two');
  await stage.client.create(budget);
  await stage.recycler();
  await stage.sicken(sick);
  await reaches(stage, 'Draining');
  const before = (await stage.status()).activeRecycles?.[0]?.epoch ?? -1;
  stage.replicas[0]?.kill();
  await stage.until(async () => ((await stage.status()).activeRecycles?.[0]?.epoch ?? -1) > before);
  const status = 'two: PATCH /apis/kaws.kilter.dev/v1alpha1/eventrecyclers/sandbox/status';
  // Instances are asked for by whoever counts; the group itself only by whoever acts on it.
  const acts = order.filter((what) => /^two: (aws (?!instances)|.*\/(nodes|eventrecyclers|eviction))/.test(what));
  expect(acts[0]).toBe(status);
  await stage.client.delete(PodDisruptionBudget, budget.metadata);
  expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
  const epochs = stage.model.changes.map(({ leader }) => leader?.epoch);
  expect(new Set(epochs)).toEqual(new Set([before, before + 1]));
});

test('ER-24: the intent uses the count up, and a group under recycle is not counted', async () => {
  await using stage = await open();
  await stage.recycler();
  await stage.sicken(sick);
  await reaches(stage, 'ScalingDown');
  // In one write: nobody ever sees an intent beside the count that led to it.
  const stored = stage.env.requests.find(({ path, body }) => path.includes('/status') && body?.includes('"Planned"'));
  expect(JSON.parse(stored?.body ?? '{}')).toMatchObject({ status: { counted: [] } });
  expect((await stage.status()).eventCounts).toEqual({});
  // One with a Node: what has been launched instead of the first has none yet.
  const second = stage.model.groupNow(sick)?.instances.find(({ inService }) => inService)?.id ?? '';
  await stage.event(await stage.pod('late', second), { count: 50 });
  // It is looked at, while the recycle is under way.
  await stage.pass(5000);
  const { activeRecycles, eventCounts } = await stage.status();
  expect(activeRecycles).toHaveLength(1);
  expect(eventCounts).toEqual({});
  await stage.history(1);
  await stage.pass(65_000);
  expect((await stage.status()).eventCounts).toEqual({});
});

test('ER-36, ER-37, ER-77: a budget that allows nothing is respected to the end: no Pod is deleted, the recycle fails and is undone', async () => {
  await using stage = await open();
  await stage.client.create(budget);
  await stage.recycler({ recycleTimeout: '10m' });
  await stage.sicken(sick);
  await reaches(stage, 'Draining');
  await stage.pass(60_000);
  // A budget that says no is not a failure.
  expect(await stage.condition('Ready')).toMatchObject({ status: 'True' });
  expect((await stage.condition('Recycling'))?.message).toContain('to leave');
  const [entry] = await stage.history(1);
  expect(entry?.status).toBe('Failed: timed out after 10m in phase Draining, waiting for 1 Pod to leave 1 Node');
  await isAsBefore(stage);
  expect(stage.model.changes.map(({ call }) => call)).toEqual(['tag', 'untag']);
  const deletions = stage.env.requests.filter(({ method, path }) => method === 'DELETE' && path.includes('/pods/'));
  expect(deletions).toEqual([]);
  const evictions = stage.env.requests.filter(({ path, status }) => path.includes('/eviction') && status === 429);
  expect(evictions.length).toBeGreaterThan(10);
});

test('ER-76, ER-77: Nodes that never become Ready end the recycle after 20 minutes', async () => {
  const old = new Set<string>();
  await using stage = await open({ isReady: (id) => old.has(id) || old.size === 0 });
  for (const { id } of stage.model.instancesNow()) old.add(id);
  await stage.recycler({ strategy: 'ScaleToZero' });
  const began = stage.clock.now();
  await stage.sicken(sick);
  const [entry] = await stage.history(1);
  expect(entry?.status).toBe(
    'Failed: timed out after 20m in phase Verifying, waiting for 2 new Nodes to be Ready, 0 so far',
  );
  expect(stage.clock.now() - began).toBeLessThan(23 * 60_000);
  await isAsBefore(stage);
});

test('ER-37: capacity that AWS refuses ends it at once, with the original sizes', async () => {
  await using stage = await open();
  await stage.recycler({ strategy: 'ScaleToZero' });
  let refusals = 0;
  stage.model.intercept = ({ call, sizes }, when) => {
    if (call !== 'resize' || when !== 'before' || sizes?.desired !== 2 || refusals === 2) return;
    refusals += 1;
    throw new AwsError('refused', 'LimitExceeded: you have requested more vCPU capacity than your limit');
  };
  await stage.sicken(sick);
  const [entry] = await stage.history(1);
  expect(entry?.status).toMatch(/^Failed: AWS refused: LimitExceeded/);
  await isAsBefore(stage);
});

test('ER-37: somebody who changes the sizes before they are zero gets theirs back', async () => {
  await using stage = await open();
  await stage.recycler({ strategy: 'ScaleToZero' });
  let isFirst = true;
  stage.model.intercept = ({ call }, when) => {
    if (call === 'tag' && when === 'after' && isFirst) stage.model.changeSizes(sick, { min: 1, max: 6, desired: 3 });
    if (call === 'tag') isFirst = when === 'before' && isFirst;
  };
  await stage.sicken(sick);
  expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
  expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 6, desired: 3, original: undefined });
});

test('ER-31: a group that is deleted in mid-recycle ends it, and its cordons are undone', async () => {
  await using stage = await open();
  await stage.recycler();
  await stage.sicken(sick);
  await reaches(stage, 'ScalingDown');
  stage.model.deleteGroup(sick);
  const [entry] = await stage.history(1);
  expect(entry?.status).toBe(
    'Failed: the Auto Scaling group is gone (nothing to do, unless it was deleted by mistake)',
  );
});

test('ER-31, ER-36: Pods of a DaemonSet, static and finished ones hold no drain up, and are not evicted', async () => {
  await using stage = await open();
  await stage.recycler();
  const [{ id } = { id: '' }] = stage.model.groupNow(sick)?.instances ?? [];
  const [labels, containers] = [{ app: 'agent' }, [{ name: 'c', image: 'i' }]];
  const template = { metadata: { labels }, spec: { containers } };
  const set = { name: 'agent', namespace: 'default', spec: { selector: { matchLabels: labels }, template } };
  await stage.client.create(DaemonSet.build(set));
  await stage.pod('static', id, { annotations: { 'kubernetes.io/config.mirror': 'x' } });
  const { metadata } = await stage.pod('finished', id);
  await stage.client.patch(Pod, metadata, { status: { phase: 'Succeeded' } }, { subresource: 'status' });
  await stage.pass(5000);
  const agents = await stage.client.list(Pod, { labels, fields: { 'spec.nodeName': nodeName(id) } });
  expect(agents).toHaveLength(1);
  await stage.sicken(sick);
  expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
  const evicted = stage.env.requests.flatMap(({ path }) => /pods\/([^/]+)\/eviction/.exec(path)?.[1] ?? []);
  expect(evicted.filter((name) => !name.startsWith('sick-'))).toEqual([]);
});

test('ER-31, ER-38: a cordon of the leader before, which the cache of the next one has not seen yet, is undone as well', async () => {
  await using stage = await open();
  await stage.pass(1000);
  await stage.start('two');
  await stage.client.create(budget);
  await stage.recycler();
  await stage.sicken(sick);
  await stage.pass(5000);
  // From here on the cache learns of Nodes minutes late.
  stage.env.server.fail({ verb: 'watch', kind: 'Node', fault: { type: 'watch-delay', ms: 10 * 60_000 } });
  stage.env.server.breakWatches({ group: '', kind: 'Node' });
  await stage.until(async () => (await stage.cordoned()).length > 0);
  stage.replicas[0]?.kill();
  await stage.client.delete(EventRecycler, 'sandbox');
  await stage.env.gone(EventRecycler, 'sandbox', { within: '5m' });
  expect(await stage.cordoned()).toEqual([]);
});

test('ER-31: what others have cordoned stays cordoned', async () => {
  await using stage = await open();
  await stage.recycler();
  const others = stage.model.groupNow('asg-b')?.instances[0]?.id ?? '';
  await stage.client.patch(Node, nodeName(others), { spec: { unschedulable: true } });
  await stage.client.create(budget);
  await stage.sicken('asg-b');
  await reaches(stage, 'Draining');
  await stage.client.delete(EventRecycler, 'sandbox');
  await stage.env.gone(EventRecycler, 'sandbox', { within: '5m' });
  expect(await stage.cordoned()).toEqual([nodeName(others)]);
});
