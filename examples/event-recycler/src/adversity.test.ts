// Bad input and bad luck: counted, told with a cure, never a guess and never an instance too many.
import { formatTime } from 'kilter/api';
import type { CustomResourceDefinition as Definition } from 'kilter/k8s/apiextensions/v1';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { Node, Pod } from 'kilter/k8s/core/v1';
import { Event } from 'kilter/k8s/events/v1';
import { PodDisruptionBudget } from 'kilter/k8s/policy/v1';
import { describe, expect, test } from 'vitest';
import { AwsError } from './aws.ts';
import { EventRecycler } from './event-recycler.ts';
import { nodeName } from './fake/fleet.ts';
import { Stage, type StageOptions } from './stage.test-support.ts';

const sick = 'asg-sick';
const groups = [{ name: sick, nodeGroup: 'workers', size: 2 }, ...['b', 'c', 'd'].map((name) => ({ name, size: 1 }))];

async function open(options: StageOptions = {}): Promise<Stage> {
  const stage = await Stage.open({ groups, ...options });
  await stage.start('one');
  return stage;
}
const reaches = (stage: Stage, phase: string) =>
  stage.until(async () => (await stage.status()).activeRecycles?.[0]?.phase === phase);
const toldAs = async (stage: Stage, reason: string) =>
  (await stage.client.list(Event, { namespace: 'default' })).filter((event) => event.reason === reason);
const launched = (stage: Stage) => stage.model.instancesNow().filter(({ group }) => group === sick).length;

test('ER-13: in a wrong region nothing is counted and nothing is done; status and Event say what to check', async () => {
  await using stage = await open();
  await stage.recycler({ awsRegion: 'us-east-1' });
  await stage.sicken(sick);
  await stage.pass(5 * 60_000);
  expect((await stage.status()).eventCounts).toEqual({});
  expect(stage.model.changes).toEqual([]);
  expect((await stage.condition('Ready'))?.message).toMatch(
    /^not counted: AWS knows no instance i-\w+ in this region \(check awsRegion\)$/,
  );
  expect((await toldAs(stage, 'NotCounted')).map(({ note }) => note)).toEqual([
    expect.stringMatching('check awsRegion'),
  ]);
  await stage.client.patch(EventRecycler, 'sandbox', { spec: { awsRegion: null } });
  await stage.sicken(sick);
  expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
});

test('ER-12, ER-13: an instance that AWS does not know is told with a cure, and keeps nobody else from being counted', async () => {
  await using stage = await open();
  const providerID = 'aws:///eu-west-1a/i-0badbadbadbadbad0';
  await stage.client.create(Node.build({ name: 'stranger', spec: { providerID } }));
  const spec = { nodeName: 'stranger', containers: [{ name: 'c', image: 'i' }] };
  const pod = await stage.client.create(Pod.build({ name: 'stray', namespace: 'default', spec }));
  await stage.recycler({ threshold: 500 });
  await stage.event(pod, { count: 400 });
  await stage.sicken(sick, 2);
  await stage.pass(125_000);
  expect((await stage.status()).eventCounts).toEqual({ [sick]: 2 });
  const told = 'not counted: AWS knows no instance i-0badbadbadbadbad0 in this region (check awsRegion)';
  expect(await stage.condition('Ready')).toMatchObject({ status: 'True', message: told });
  expect(await toldAs(stage, 'NotCounted')).toMatchObject([{ note: told }]);
  expect(stage.model.changes).toEqual([]);
});

test.each(['Replace', 'ScaleToZero'] as const)(
  'ER-14, ER-31: credentials that expire in mid-recycle are told with a cure, once; %s goes on where it was when they are back',
  async (strategy) => {
    await using stage = await open();
    await stage.recycler({ strategy });
    await stage.sicken(sick);
    await reaches(stage, 'ScalingDown');
    stage.model.intercept = () => {
      throw new AwsError('denied', 'ExpiredToken: the security token included in the request is expired');
    };
    await stage.pass(3 * 60_000);
    expect(await stage.condition('Ready')).toMatchObject({ status: 'False', reason: 'Aws' });
    expect((await stage.condition('Recycling'))?.message).toBe('workers waits for AWS');
    const told = await toldAs(stage, 'Aws');
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ note: expect.stringMatching(/ExpiredToken.*check the role/) as string });
    expect(told[0]?.series).toBeUndefined();
    stage.model.intercept = () => undefined;
    expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
    expect(launched(stage)).toBe(4);
    expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
  },
);

test.each(['throttled', 'unreachable', 'denied'] as const)(
  'ER-31, ER-82: an effect that is %s is tried again until it succeeds, and is not given up',
  async (problem) => {
    await using stage = await open();
    await stage.recycler({ strategy: 'ScaleToZero' });
    const left = new Map([
      ['tag', 2],
      ['resize', 2],
      ['untag', 2],
    ]);
    stage.model.intercept = ({ call }, when) => {
      const more = left.get(call) ?? 0;
      if (when !== 'before' || more === 0) return;
      left.set(call, more - 1);
      throw new AwsError(problem, 'not now');
    };
    await stage.sicken(sick);
    expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
    expect([...left.values()]).toEqual([0, 0, 0]);
    expect(launched(stage)).toBe(4);
  },
);

describe('an intent of another version', () => {
  /** As an older definition would have it, which asks for less. */
  async function storing(stage: Stage, change: object): Promise<void> {
    const name = EventRecycler.manifest().metadata.name;
    const definition = await stage.client.get(CustomResourceDefinition, name);
    const loose = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
    const versions = (schema: Definition['spec']['versions'][number]['schema']) =>
      definition.spec.versions.map((version) => ({ ...version, schema }));
    await stage.client.patch(CustomResourceDefinition, name, {
      spec: { versions: versions({ openAPIV3Schema: loose }) },
    } as never);
    const { activeRecycles = [] } = await stage.status();
    const older = activeRecycles.map((intent) => ({ ...intent, ...change }));
    await stage.client.patch(EventRecycler, 'sandbox', { status: { activeRecycles: older } } as never, {
      subresource: 'status',
    });
    await stage.client.patch(CustomResourceDefinition, name, { spec: { versions: definition.spec.versions } } as never);
  }

  test.each([
    ['without a field', { batch: null }],
    ['in a phase that is not known', { phase: 'Tagging' }],
    ['with a strategy that is not known', { strategy: 'Drain' }],
  ])('ER-39: %s is told with a cure and never acted on', async (_, change) => {
    await using stage = await open();
    await stage.recycler({ strategy: 'ScaleToZero', recycleTimeout: '5m', breakerPercent: 100 });
    await stage.client.create(
      PodDisruptionBudget.build({
        name: 'web',
        namespace: 'default',
        spec: { minAvailable: '100%', selector: { matchLabels: { app: 'web' } } },
      }),
    );
    await stage.sicken(sick);
    await reaches(stage, 'Draining');
    await storing(stage, change);
    await stage.pass(20_000);
    const before = stage.model.changes.length;
    await stage.pass(6 * 60_000);
    expect(stage.model.changes.length).toBe(before);
    expect(await stage.condition('Ready')).toMatchObject({ status: 'False', reason: 'ForeignIntent' });
    expect((await stage.condition('Ready'))?.message).toMatch(/asg-sick.*repair by hand/);
    expect(await toldAs(stage, 'ForeignIntent')).toHaveLength(1);
    // The others are watched and recycled all the same.
    await stage.client.delete(PodDisruptionBudget, { namespace: 'default', name: 'web' });
    await stage.sicken('b');
    expect(await stage.history(1)).toMatchObject([{ nodeGroup: 'b', status: 'Succeeded' }]);
    expect(stage.model.groupNow(sick)?.original).toBe('1/4/2');
  });
});

test.each(['Replace', 'ScaleToZero'] as const)(
  'ER-31, ER-37: a group deleted while it drains ends %s, and no cordon is left',
  async (strategy) => {
    await using stage = await open();
    await stage.client.create(
      PodDisruptionBudget.build({
        name: 'web',
        namespace: 'default',
        spec: { minAvailable: '100%', selector: { matchLabels: { app: 'web' } } },
      }),
    );
    await stage.recycler({ strategy });
    await stage.sicken(sick);
    await reaches(stage, 'Draining');
    stage.model.deleteGroup(sick);
    const told = 'Failed: the Auto Scaling group is gone (nothing to do, unless it was deleted by mistake)';
    expect(await stage.history(1)).toMatchObject([{ status: told }]);
    expect(await toldAs(stage, 'Recycled')).toMatchObject([{ type: 'Warning', note: `workers: ${told}` }]);
    expect(await stage.cordoned()).toEqual([]);
    expect(stage.model.changes.map(({ call }) => call)).toEqual(['tag']);
  },
);

test('ER-31: a group that AWS does not have any more when it trips is told, and asked for again', async () => {
  await using stage = await open();
  await stage.recycler();
  await stage.sicken(sick);
  await stage.pass(5000);
  const { instances = [] } = stage.model.groupNow(sick) ?? {};
  expect(instances).toHaveLength(2);
  stage.model.deleteGroup(sick);
  await stage.pass(62_000);
  expect((await stage.condition('Ready'))?.message).toMatch(
    /^asg-sick has to wait: AWS has no instances of it \(.*by mistake\)$/,
  );
  expect((await stage.status()).activeRecycles).toEqual([]);
});

describe('ER-44: a group that AWS would not bring back is not touched, and told with a cure', () => {
  test.each(['Replace', 'ScaleToZero'] as const)(
    '%s, with launches suspended until somebody resumes them',
    async (strategy) => {
      await using stage = await open();
      await stage.recycler({ strategy });
      stage.model.suspend(sick, 'Launch');
      await stage.sicken(sick);
      await stage.pass(5 * 60_000);
      expect(stage.model.changes).toEqual([]);
      expect(await stage.cordoned()).toEqual([]);
      const told = 'asg-sick has to wait: its process Launch is suspended (resume it, else nothing is replaced)';
      expect(await stage.condition('Ready')).toMatchObject({ status: 'True', message: told });
      stage.model.suspend(sick);
      expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
    },
  );

  test('one whose recycle was never undone, as its EventRecycler is gone: the tag keeps the sizes to go back to', async () => {
    await using stage = await open();
    await stage.recycler({ strategy: 'ScaleToZero' });
    await stage.sicken(sick);
    await reaches(stage, 'ScalingDown');
    // The operator is gone, and somebody takes the finalizer away. The next EventRecycler sees Events of new Nodes.
    stage.replicas[0]?.kill();
    await stage.client.patch(EventRecycler, 'sandbox', { metadata: { finalizers: null } } as never);
    await stage.client.delete(EventRecycler, 'sandbox');
    stage.model.changeSizes(sick, { min: 0, max: 4, desired: 2 });
    await stage.start('two');
    await stage.recycler({ strategy: 'ScaleToZero' }, 'next');
    await stage.pass(60_000);
    const fresh = stage.model.groupNow(sick)?.instances[0]?.id ?? '';
    await stage.event(await stage.pod('again', fresh), { count: 3 });
    await stage.pass(3 * 60_000);
    expect(stage.model.groupNow(sick)).toMatchObject({ min: 0, max: 4, desired: 2, original: '1/4/2' });
    expect((await stage.condition('Ready', 'next'))?.message).toMatch(
      /^asg-sick has to wait: its tag kilter.dev\/original says that a recycle to 1\/4\/2 was not undone \(see/,
    );
  });
});

describe('sizes that somebody else changes meanwhile', () => {
  const stayed = (sizes: string): string =>
    expect.stringMatching(`Succeeded; somebody else changed the sizes from 1/4/2 to ${sizes}: they stay`) as string;

  test('ER-35: at zero: theirs stay, and what they started is not replaced', async () => {
    await using stage = await open();
    await stage.recycler({ strategy: 'ScaleToZero' });
    await stage.sicken(sick);
    await stage.until(() => stage.model.groupNow(sick)?.desired === 0);
    stage.model.changeSizes(sick, { min: 1, max: 6, desired: 3 });
    expect(await stage.history(1)).toMatchObject([{ status: stayed('1/6/3') }]);
    expect(await toldAs(stage, 'Recycled')).toMatchObject([{ note: stayed('1/6/3') }]);
    expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 6, desired: 3, original: undefined });
    expect(launched(stage)).toBe(2 + 3);
  });

  test.each([1, 4])('ER-34: a desired size of %d while Replace is under way is kept', async (desired) => {
    await using stage = await open();
    await stage.recycler();
    await stage.sicken(sick);
    await reaches(stage, 'ScalingDown');
    stage.model.changeSizes(sick, { min: 1, max: 6, desired });
    expect(await stage.history(1)).toMatchObject([{ status: stayed(`1/6/${desired}`) }]);
    expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 6, desired, original: undefined });
    expect(stage.model.changes.filter(({ call }) => call === 'resize')).toEqual([]);
    expect(stage.model.groupNow(sick)?.instances).toHaveLength(desired);
  });
});

test('ER-15, ER-55: a flood that the status cannot hold is told with a cure, and what it holds stays small', async () => {
  await using stage = await open();
  await stage.recycler({ threshold: 1000 });
  const growth = [{ at: formatTime(stage.clock.now()), by: 1 }];
  const full = Array.from({ length: 1000 }, (_, n) => ({
    uid: `e${n}`,
    group: n % 2 === 0 ? 'b' : 'c',
    count: 1,
    growth,
  }));
  await stage.client.patch(EventRecycler, 'sandbox', { status: { counted: full } }, { subresource: 'status' });
  await stage.sicken(sick, 999);
  await stage.pass(65_000);
  const told = 'not counted: more Events than the status holds (narrow searchTerms)';
  expect(await stage.condition('Ready')).toMatchObject({ status: 'True', reason: 'NotCounted', message: told });
  expect(await toldAs(stage, 'NotCounted')).toMatchObject([{ note: told }]);
  const { counted = [], activeRecycles } = await stage.status();
  expect([counted.length, activeRecycles]).toEqual([1000, []]);
});

test('ER-15: forged Events with huge counts, odd times and Pods that vanish cost one recycle of one group and no more', async () => {
  await using stage = await open();
  await stage.recycler({ breakerPercent: 50 });
  const id = stage.model.groupNow(sick)?.instances[0]?.id ?? '';
  const odd = [
    { count: 2 ** 31 - 1 },
    { count: -5 },
    { count: 0 },
    { count: 9, firstTimestamp: '9999-12-31T23:59:59Z', lastTimestamp: '9999-12-31T23:59:59Z' },
    { count: 9, firstTimestamp: '1970-01-01T00:00:00Z', lastTimestamp: '1970-01-01T00:00:00Z' },
    { series: { count: 2 ** 31 - 1, lastObservedTime: '9999-12-31T23:59:59.000000Z' } },
  ];
  for (const [n, given] of odd.entries()) await stage.event(await stage.pod(`forged-${n}`, id), given);
  const gone = await stage.pod('vanished', id);
  await stage.event(gone, { count: 100 });
  await stage.client.delete(Pod, gone.metadata, { gracePeriod: 0 });
  expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
  for (let minute = 0; minute < 50; minute += 10) {
    const fresh = stage.model.groupNow(sick)?.instances[0]?.id ?? '';
    await stage.event(await stage.pod(`again-${minute}`, fresh), { count: 1_000_000 });
    await stage.pass(10 * 60_000 - 5000);
  }
  expect(stage.model.changes.filter(({ call }) => call === 'tag')).toHaveLength(1);
  expect(launched(stage)).toBe(4);
});

test('ER-31: a recycle stays in the region where it began, whatever awsRegion says by now', async () => {
  await using stage = await Stage.open({ groups });
  const asked = new Set<string | undefined>();
  const { regions } = stage.model;
  Object.assign(stage.model, { regions: (name: string | undefined) => (asked.add(name), regions(name)) });
  await stage.start('one');
  await stage.recycler({ awsRegion: 'eu-west-1' });
  await stage.sicken(sick);
  await reaches(stage, 'ScalingDown');
  expect((await stage.status()).activeRecycles).toMatchObject([{ region: 'eu-west-1' }]);
  await stage.patchSpec({ awsRegion: 'us-east-1' });
  expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
  expect([...asked].toSorted()).toEqual(['eu-west-1', 'us-east-1']);
});

test('ER-42: nothing starts while AWS cannot say to which groups the Nodes belong', async () => {
  await using stage = await open();
  await stage.recycler();
  await stage.sicken(sick);
  await stage.pass(5000);
  // A Node that joins before the recycle is due, and an EC2 that is away; Auto Scaling itself answers.
  stage.model.changeSizes('b', { min: 1, max: 3, desired: 2 });
  stage.model.intercept = ({ call }) => {
    if (call === 'instances') throw new AwsError('throttled', 'RequestLimitExceeded: Request limit exceeded.');
  };
  await stage.pass(3 * 60_000);
  expect(await stage.status()).toMatchObject({ eventCounts: { [sick]: 3 }, activeRecycles: [] });
  expect((await stage.condition('Ready'))?.message).toContain('RequestLimitExceeded');
  stage.model.intercept = () => undefined;
  expect(await stage.history(1)).toMatchObject([{ nodeGroup: 'workers', status: 'Succeeded' }]);
});

test.each(['Replace', 'ScaleToZero'] as const)(
  'ER-37, ER-76: an AWS that is away for an hour in mid-recycle ends %s in a timeout, with everything undone',
  async (strategy) => {
    await using stage = await open();
    await stage.recycler({ strategy });
    await stage.sicken(sick);
    await reaches(stage, 'ScalingDown');
    await stage.until(() => stage.model.changes.length > 1);
    stage.model.intercept = () => {
      throw new AwsError('unreachable', 'connect ETIMEDOUT');
    };
    await stage.pass(60 * 60_000);
    expect((await stage.condition('Recycling'))?.message).toBe('workers waits for AWS');
    stage.model.intercept = () => undefined;
    expect(await stage.history(1)).toMatchObject([
      { status: expect.stringMatching(/^Failed: timed out after 20m in phase ScalingDown/) as string },
    ]);
    expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
    expect(await stage.cordoned()).toEqual([]);
    await stage.pass(60_000);
    expect(stage.model.groupNow(sick)?.instances).toHaveLength(2);
  },
);

test.each(['Replace', 'ScaleToZero'] as const)(
  'ER-34, ER-35: %s of a group that may have one instance only, whose Node is gone already',
  async (strategy) => {
    await using stage = await open();
    await stage.recycler({ strategy, threshold: 1 });
    stage.model.changeSizes('b', { min: 1, max: 1, desired: 1 });
    const id = stage.model.groupNow('b')?.instances[0]?.id ?? '';
    await stage.sicken('b', 1);
    await stage.pass(5000);
    await stage.client.delete(Node, nodeName(id));
    expect(await stage.history(1)).toMatchObject([{ nodeGroup: 'b', eventCount: 1, status: 'Succeeded' }]);
    expect(stage.model.groupNow('b')).toMatchObject({ min: 1, max: 1, desired: 1, original: undefined });
    expect(stage.model.instancesNow().filter(({ group }) => group === 'b')).toHaveLength(2);
  },
);

test('ER-40, ER-76: a clock that is two hours ahead ends a recycle, which is undone; once it is right again, nothing is held up', async () => {
  await using stage = await open();
  await stage.recycler({ strategy: 'ScaleToZero' });
  await stage.sicken(sick);
  await stage.until(() => stage.model.groupNow(sick)?.desired === 0);
  stage.clock.jump(2 * 3_600_000);
  const failed = { status: expect.stringMatching(/^Failed: timed out/) as string };
  expect(await stage.history(1)).toMatchObject([failed]);
  expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
  await stage.pass(2 * 60_000);
  stage.clock.jump(-2 * 3_600_000);
  await stage.sicken(sick);
  expect(await stage.history(2)).toMatchObject([{ status: 'Succeeded' }, failed]);
  expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
});

test('ER-01, ER-37: what AWS refuses at length is cut to what a status holds, and ends the recycle all the same', async () => {
  await using stage = await open();
  await stage.recycler();
  stage.model.intercept = ({ call }, when) => {
    if (call === 'terminate' && when === 'before') throw new AwsError('refused', 'ValidationError '.repeat(300));
  };
  await stage.sicken(sick);
  const [entry] = await stage.history(1);
  expect(entry?.status).toMatch(/^Failed: AWS refused: (ValidationError )+/);
  expect(entry?.status).toHaveLength(1000);
  expect(stage.model.groupNow(sick)?.original).toBeUndefined();
});

test('ER-36, ER-37: a Pod with two budgets, which the server evicts for nobody, is told in its words, and ends the recycle in time', async () => {
  await using stage = await open();
  for (const name of ['one', 'two']) {
    const spec = { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } };
    await stage.client.create(PodDisruptionBudget.build({ name, namespace: 'default', spec }));
  }
  await stage.recycler({ recycleTimeout: '5m' });
  await stage.sicken(sick);
  await reaches(stage, 'Draining');
  await stage.pass(60_000);
  expect((await stage.condition('Ready'))?.message).toMatch(/more than one PodDisruptionBudget/);
  const told = 'Failed: timed out after 5m in phase Draining, waiting for 1 Pod to leave 1 Node';
  expect(await stage.history(1)).toMatchObject([{ status: told }]);
  expect(await stage.cordoned()).toEqual([]);
  expect(await stage.condition('Ready')).toMatchObject({ status: 'True' });
});
