// From Events to groups, on the embedded server.
import { Event, Node, Pod } from 'kilter/k8s/core/v1';
import type { Event as SeenEvent } from 'kilter/k8s/events/v1';
import { describe, expect, test } from 'vitest';
import { type Aws, AwsError } from './aws.ts';
import { instanceOf, matches, Region, type Run } from './detection.ts';
import { term, warningAbout } from './fake/sickness.ts';
import { Stage } from './stage.test-support.ts';

const groups = ['asg-a', 'asg-b', 'asg-c', 'asg-d'].map((name) => ({ name, nodeGroup: `ng-${name}`, size: 1 }));
const node = (providerID?: string) => ({ spec: { providerID } }) as Node;
const about = (note: string, kind = 'Pod', type = 'Warning') => ({ note, type, regarding: { kind } }) as SeenEvent;

test('ER-15: terms are literal: what looks like a pattern matches nothing but itself', () => {
  const spec = { searchTerms: ['a.c', '(x+)+$', '['] };
  expect(matches(spec, about('abc'))).toBe(false);
  expect(matches(spec, about('xxxxxxxx!'))).toBe(false);
  expect(matches(spec, about('an a.c in it'))).toBe(true);
  expect(matches(spec, about('say (x+)+$ twice'))).toBe(true);
  expect(matches({ searchTerms: ['Image'] }, about('image'))).toBe(false);
});

test('ER-11: only Warning Events about Pods', () => {
  expect(matches({ searchTerms: ['a'] }, about('a', 'Node'))).toBe(false);
  expect(matches({ searchTerms: ['a'] }, about('a', 'Pod', 'Normal'))).toBe(false);
});

test('ER-12: an instance is what the provider ID says, and never guessed', () => {
  expect(instanceOf(node('aws:///eu-west-1a/i-0123456789abcdef0'))).toBe('i-0123456789abcdef0');
  for (const bad of [
    undefined,
    '',
    'aws:///eu-west-1a/',
    'gce://p/z/i-0123456789abcdef0',
    'aws:///eu-west-1a/i-XYZ',
    'aws:///eu-west-1a/i-0123456',
    'aws:///eu-west-1a/i-0123456789abcdef01',
    'aws:///eu-west-1a/i-0123456789abcdef0/x',
    'aws:///eu-west-1a/x/i-0123456789abcdef0',
    'aws:////i-0123456789abcdef0',
    'aws://eu-west-1a/i-0123456789abcdef0',
    'azure:///eu-west-1a/i-0123456789abcdef0',
    'xaws:///eu-west-1a/i-0123456789abcdef0',
    ' aws:///eu-west-1a/i-0123456789abcdef0',
    'aws:///eu-west-1a/i-0123456789abcdef0\n',
    'AWS:///eu-west-1a/i-0123456789abcdef0',
    'aws:///fargate/ip-10-0-0-1',
    'i-0123456789abcdef0',
  ]) {
    expect(instanceOf(node(bad)), bad).toBeUndefined();
  }
  const labels = { 'topology.kubernetes.io/zone': 'eu-west-1a', 'kubernetes.io/hostname': 'i-0123456789abcdef0' };
  expect(instanceOf({ ...node(), metadata: { name: 'i-0123456789abcdef0', labels } })).toBeUndefined();
});

test('ER-13, ER-14: of many instances some are asked for at a time, and what was learned before a call fails stays', async () => {
  const nodes = Array.from({ length: 1000 }, (_, i) => node(`aws:///eu-west-1a/i-${String(i).padStart(17, '0')}`));
  const asked: number[] = [];
  let isAway = false;
  const instances: Aws['instances'] = async (ids) => {
    asked.push(ids.length);
    if (isAway) throw new AwsError('unreachable', 'no answer in time');
    isAway = asked.length === 1;
    return new Map(ids.map((id) => [id, { id, state: 'running', group: 'asg', nodeGroup: 'asg' }]));
  };
  const ctx = { cache: { each: () => nodes }, fenced: (aws: Aws) => aws } as unknown as Run;
  const region = new Region({ instances } as Aws);
  await expect(region.learn(ctx)).rejects.toThrow('no answer in time');
  isAway = false;
  await region.learn(ctx);
  await region.learn(ctx);
  expect(asked).toEqual([200, 200, 200, 200, 200, 200]);
  // Those of a large group as well: AWS takes no more in a filter.
  expect(Math.max(...asked)).toBe(200);
});

describe('with a running operator', () => {
  test('ER-10, ER-13: Events are watched by type, read from the cache, and instances are asked for once, together', async () => {
    await using stage = await Stage.open({ groups });
    await stage.start('one');
    await stage.recycler({ threshold: 500 });
    await stage.pass(5000);
    const before = stage.env.requests.length;
    for (let i = 0; i < 20; i += 1) {
      const pod = await stage.pod(`p${i}`, stage.model.groupNow('asg-a')?.instances[0]?.id ?? '');
      await stage.event(pod);
    }
    await stage.pass(130_000);
    expect((await stage.status()).eventCounts).toEqual({ 'asg-a': 20 });
    const reads = stage.env.requests
      .slice(before)
      .filter(({ method, path }) => method === 'GET' && !path.includes('/leases'));
    // Watches are renewed after minutes; nothing else is read.
    expect(reads.filter(({ path }) => !path.includes('watch=true'))).toEqual([]);
    const watched = stage.env.requests.filter(({ path }) => path.includes('/events?') && path.includes('watch=true'));
    expect(watched.length).toBeGreaterThan(0);
    for (const { path } of watched) expect(decodeURIComponent(path)).toContain('fieldSelector=type=Warning');
    const asked = stage.model.calls.filter(({ call }) => call === 'instances');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.of.split(' ')).toHaveLength(4);
  });

  test('ER-10: fifty Events within ten seconds are six looks, and the last of them is counted', async () => {
    await using stage = await Stage.open({ groups });
    await stage.start('one');
    await stage.recycler({ threshold: 500 });
    await stage.pass(5000);
    const before = stage.env.requests.length;
    const pod = await stage.pod('p', stage.model.groupNow('asg-a')?.instances[0]?.id ?? '');
    for (let i = 0; i < 50; i += 1) {
      await stage.event(pod);
      await stage.pass(200);
    }
    await stage.pass(2000);
    expect((await stage.status()).eventCounts).toEqual({ 'asg-a': 50 });
    const written = stage.env.requests
      .slice(before)
      .filter(({ path }) => path.includes('/eventrecyclers/sandbox/status'));
    expect(written.length).toBeGreaterThanOrEqual(5);
    expect(written.length).toBeLessThanOrEqual(7);
  });

  test('ER-11: an Event about a Pod that was made anew does not count', async () => {
    await using stage = await Stage.open({ groups });
    const id = stage.model.groupNow('asg-a')?.instances[0]?.id ?? '';
    const old = await stage.pod('web', id);
    await stage.client.delete(Pod, old.metadata, { gracePeriod: 0 });
    await stage.pod('web', id);
    await stage.event(old, { count: 7 });
    await stage.start('one');
    await stage.recycler();
    await stage.pass(5000);
    expect((await stage.status()).eventCounts).toEqual({});
  });

  test('ER-11, ER-23: Events about Pods that are gone add nothing and trouble nobody; what was counted before stays', async () => {
    await using stage = await Stage.open({ groups });
    const id = stage.model.groupNow('asg-a')?.instances[0]?.id ?? '';
    const [early, late] = [await stage.pod('early', id), await stage.pod('late', id)];
    await stage.start('one');
    await stage.recycler({ threshold: 500 });
    await stage.event(early, { count: 3 });
    await stage.pass(5000);
    for (const { metadata } of [early, late]) await stage.client.delete(Pod, metadata, { gracePeriod: 0 });
    await stage.event(early, { count: 70 });
    await stage.event(late, { count: 70 });
    await stage.pass(125_000);
    expect((await stage.status()).eventCounts).toEqual({ 'asg-a': 3 });
    expect(await stage.condition('Ready')).toMatchObject({ status: 'True', message: '' });
  });

  test('ER-12: a Node without an instance is counted as unresolved, told once, and concerns nobody else', async () => {
    await using stage = await Stage.open({ groups });
    await stage.client.create(Node.build({ name: 'on-premises', spec: { providerID: 'metal://rack-7' } }));
    const spec = { nodeName: 'on-premises', containers: [{ name: 'c', image: 'i' }] };
    const stray = await stage.client.create(Pod.build({ name: 'stray', namespace: 'default', spec }));
    const replica = await stage.start('one');
    await stage.recycler({ threshold: 500 });
    await stage.event(stray, { count: 9 });
    await stage.sicken('asg-b', 2);
    await stage.pass(125_000);
    expect((await stage.status()).eventCounts).toEqual({ 'asg-b': 2 });
    expect(stage.linesOf(replica).filter((line) => line.includes('on-premises'))).toHaveLength(1);
    const told =
      'not counted: Node on-premises has no AWS provider ID (if it is an instance, check what sets spec.providerID)';
    expect(await stage.condition('Ready')).toMatchObject({ status: 'True', message: told });
    const events = await stage.client.list(Event, { namespace: 'default' });
    expect(events.filter(({ reason }) => reason === 'NotCounted')).toMatchObject([{ message: told }]);
    expect(stage.model.changes).toEqual([]);
  });

  test('ER-14: an AWS that fails keeps nothing from being counted later, and is told with a cure', async () => {
    await using stage = await Stage.open({ groups });
    stage.model.intercept = () => {
      throw new AwsError('denied', 'ExpiredToken: the security token has expired');
    };
    await stage.start('one');
    await stage.recycler({ threshold: 500 });
    await stage.sicken('asg-a', 2);
    await stage.pass(5000);
    expect((await stage.status()).eventCounts).toEqual({});
    expect(await stage.condition('Ready')).toMatchObject({ status: 'False', reason: 'Aws' });
    expect((await stage.condition('Ready'))?.message).toMatch(/ExpiredToken.*check the role/);
    stage.model.intercept = () => undefined;
    await stage.pass(20_000);
    expect((await stage.status()).eventCounts).toEqual({ 'asg-a': 2 });
    expect(await stage.condition('Ready')).toMatchObject({ status: 'True' });
  });

  test('ER-20, ER-72: one Event whose count grows from 1 to 5 trips a threshold of 5', async () => {
    await using stage = await Stage.open({ groups });
    await stage.start('one');
    await stage.recycler({ threshold: 5, dryRun: true });
    const pod = await stage.pod('web', stage.model.groupNow('asg-a')?.instances[0]?.id ?? '');
    const { metadata } = await stage.event(pod);
    for (let count = 2; count <= 5; count += 1) {
      await stage.pass(5000);
      expect((await stage.status()).eventCounts).toEqual({ 'asg-a': count - 1 });
      await stage.client.patch(Event, metadata, { count });
    }
    expect(await stage.history(1)).toMatchObject([{ nodeGroup: 'ng-asg-a', eventCount: 5, status: 'DryRun' }]);
  });

  test('ER-20: an Event that is made anew under the same name counts anew, and one that matches two terms counts once', async () => {
    await using stage = await Stage.open({ groups });
    await stage.start('one');
    await stage.recycler({ threshold: 500, searchTerms: [term, 'pause:3.9'] });
    const pod = await stage.pod('web', stage.model.groupNow('asg-a')?.instances[0]?.id ?? '');
    const { metadata } = await stage.event(pod, { count: 4 });
    await stage.pass(5000);
    expect((await stage.status()).eventCounts).toEqual({ 'asg-a': 4 });
    await stage.client.delete(Event, metadata);
    await stage.client.create(warningAbout(pod, { name: metadata.name, now: stage.clock.now() }, { count: 2 }));
    await stage.pass(5000);
    expect((await stage.status()).eventCounts).toEqual({ 'asg-a': 6 });
  });

  test('ER-23: what has left the window counts no more', async () => {
    await using stage = await Stage.open({ groups });
    await stage.start('one');
    await stage.recycler({ window: '10m' });
    await stage.sicken('asg-a', 2);
    await stage.pass(9 * 60_000);
    expect((await stage.status()).eventCounts).toEqual({ 'asg-a': 2 });
    await stage.pass(2 * 60_000);
    expect((await stage.status()).eventCounts).toEqual({});
    await stage.sicken('asg-a', 2);
    await stage.pass(3 * 60_000);
    expect(await stage.status()).toMatchObject({ eventCounts: { 'asg-a': 2 }, activeRecycles: [] });
  });

  test('ER-20: with other searchTerms only what they match counts', async () => {
    await using stage = await Stage.open({ groups });
    await stage.start('one');
    await stage.recycler({ threshold: 5, searchTerms: ['Failed'] });
    await stage.sicken('asg-a', 4);
    const pod = await stage.pod('web', stage.model.groupNow('asg-a')?.instances[0]?.id ?? '');
    await stage.pass(5000);
    expect((await stage.status()).eventCounts).toEqual({ 'asg-a': 4 });
    await stage.patchSpec({ searchTerms: ['disk'] });
    await stage.event(pod, { message: 'the disk is full' });
    await stage.pass(3 * 60_000);
    expect(await stage.status()).toMatchObject({ eventCounts: { 'asg-a': 1 }, activeRecycles: [] });
    expect(stage.model.changes).toEqual([]);
  });

  test('ER-12: an instance without an Auto Scaling group is told, and nothing would replace it', async () => {
    await using stage = await Stage.open({ groups });
    const regions = stage.model.regions;
    const id = stage.model.groupNow('asg-a')?.instances[0]?.id ?? '';
    Object.assign(stage.model, {
      regions: (name: string | undefined): Aws => ({
        ...regions(name),
        instances: async (...given) =>
          new Map(
            [...(await regions(name).instances(...given))].map(([key, one]) => [key, { ...one, group: undefined }]),
          ),
      }),
    });
    await stage.start('one');
    await stage.recycler();
    await stage.sicken('asg-a', 400);
    await stage.pass(125_000);
    expect((await stage.status()).eventCounts).toEqual({});
    const told = `not counted: ${id} is in no Auto Scaling group (nothing would replace it: handle it by hand)`;
    expect(await stage.condition('Ready')).toMatchObject({ status: 'True', reason: 'NotCounted', message: told });
    expect(stage.model.changes).toEqual([]);
  });
});
