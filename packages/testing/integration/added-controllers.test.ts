// Controllers and watches that come while an operator runs, several operators in one process, a rate limiter of your own.
import { cached, controller, type Duration, operator } from 'kilter';
import { customResource } from 'kilter/crd';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cluster } from '../src/cluster/index.ts';
import { Thing, thing } from './thing.test-support.ts';

class Absent extends customResource({ group: 'example.com', version: 'v1', kind: 'Absent', spec: z.object({}) }) {}

const fail = (): never => {
  throw new Error('x');
};

const copying = (name: string) =>
  controller(Thing, { name })
    .owns(ConfigMap)
    .reconcile(async ({ metadata, spec }, ctx) => {
      await ctx.apply(ConfigMap.build({ name: `${metadata.name}-${name}`, data: spec.values }));
    });

describe('MG-6: a controller added to a running operator', () => {
  test('runs for what was there before, is drained with the others, and may come before readiness', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime, kinds: [Thing], objects: [thing('old')] });
    const manager = await operator({ name: 'o', controllers: [copying('first')] }).start({
      connection: env.connection,
      runtime,
      accessReview: false,
    });
    // Not ready yet: nothing has had time to be.
    const added = manager.add(copying('second'));
    await env.eventually(ConfigMap, 'old-second', {});
    await added;
    await env.client.create(thing('new'));
    await env.eventually(ConfigMap, 'new-first', {});
    await env.eventually(ConfigMap, 'new-second', {});
    const applied = (await env.client.get(ConfigMap, 'new-second')).metadata.managedFields?.map(
      ({ manager: by }) => by,
    );
    expect(applied).toEqual(['o/second']);
    await manager.stop();
    await env.client.create(thing('late'));
    await runtime.clock.advance(5000);
    expect(await env.client.find(ConfigMap, 'late-second')).toBeUndefined();
    await expect(manager.add(copying('third'))).rejects.toMatchObject({ code: 'MANAGER_STOPPED' });
  });

  test('is refused where the cache leaves out fields of what it reconciles, as one that was there from the start', async () => {
    const kinds = [cached(Thing, { keep: ['spec.note'] })];
    await using env = await cluster({ kinds: [Thing], operator: operator({ name: 'o', cache: { kinds } }) });
    const [manager] = env.managers;
    await expect(manager?.add(copying('added'))).rejects.toMatchObject({
      code: 'MANAGER_OPTION_INVALID',
      message: expect.stringContaining('leaves out fields of Thing.example.com, which the controller added') as string,
    });
    for (const wrong of [undefined, null, {}, controller(Thing)]) {
      expect(() => manager?.add(wrong as never)).toThrow(expect.objectContaining({ code: 'MANAGER_PART_INVALID' }));
    }
  });

  test.each([
    ['a builder that was not finished', controller(Thing)],
    ['nothing', undefined],
    ['a function', () => undefined],
  ])('%s is refused with what is missing', async (_, given) => {
    await using env = await cluster({ operator: operator({ name: 'o' }), runtime: virtualRuntime() });
    const [manager] = env.managers;
    expect(() => manager?.add(given as never)).toThrow(/takes a controller or a part, not .*finish the controller/s);
  });

  test('waits for the Lease with the others', async () => {
    const runtime = virtualRuntime();
    const elected = (identity: string) => operator({ name: 'o', leaderElection: { identity }, controllers: [] });
    await using env = await cluster({ runtime, kinds: [Thing], operator: elected('one') });
    const standby = await env.start(elected('two'));
    await standby.add(copying('added'));
    await env.client.create(thing('a'));
    await runtime.clock.advance(5000);
    expect(await env.client.find(ConfigMap, 'a-added')).toBeUndefined();
    await env.managers[0]?.stop();
    await env.eventually(ConfigMap, 'a-added', {}, { within: '30s' });
  });

  test('is refused under a name that is taken; where its kind is not served it is taken back, and the operator goes on', async () => {
    const runtime = virtualRuntime();
    const mine = operator({ name: 'o', controllers: [copying('first')], cache: { syncTimeout: '10s' } });
    await using env = await cluster({ runtime, operator: mine });
    const [manager] = env.managers;
    await expect(manager?.add(copying('first'))).rejects.toMatchObject({ code: 'MANAGER_DUPLICATE_CONTROLLER' });
    const absent = controller(Absent).reconcile(() => Promise.resolve());
    const refused = manager?.add(absent).catch((error: unknown) => error);
    await runtime.clock.advance(11_000);
    expect(await refused).toMatchObject({ code: 'CACHE_SYNC_TIMEOUT' });
    await env.client.create(thing('a'));
    await env.eventually(ConfigMap, 'a-first', {});
    const before = env.requests.length;
    await runtime.clock.advance(120_000);
    expect(env.requests.slice(before).filter(({ path }) => path.includes('/absents'))).toEqual([]);
    // The same name is free again.
    await env.install(Absent);
    const again = manager?.add(absent);
    await env.eventually(Thing, 'a', {});
    await again;
  });

  test('of one that failed nothing is left: the next of its name has its indexes, and every series is there once', async () => {
    const runtime = virtualRuntime();
    const mine = operator({ name: 'o', controllers: [copying('first')], cache: { syncTimeout: '10s' } });
    await using env = await cluster({ runtime, operator: mine });
    const [manager] = env.managers;
    const ran: string[] = [];
    const absent = controller(Absent)
      .index('name', ({ metadata }) => metadata.name)
      .watches(ConfigMap, ({ metadata }, { primaries }) => primaries.by('name', metadata.name))
      .reconcile(async ({ metadata }, ctx) => {
        ran.push(`${metadata.name}: ${ctx.causes.map(({ source }) => source).join()}`);
      });
    for (let i = 0; i < 2; i += 1) {
      const refused = manager?.add(absent).catch((error: unknown) => error);
      await runtime.clock.advance(11_000);
      expect(await refused).toMatchObject({ code: 'CACHE_SYNC_TIMEOUT' });
    }
    await env.install(Absent);
    const added = manager?.add(absent);
    await runtime.clock.advance(1000);
    await added;
    await env.client.create(Absent.build({ name: 'a', spec: {} }));
    await env.client.create(ConfigMap.build({ name: 'a' }));
    await runtime.clock.advance(1000);
    expect(ran.join(' ')).toMatch(/a: .*watched/);
    const series = (manager?.metrics() ?? '').split('\n').map((line) => line.slice(0, line.lastIndexOf(' ')));
    const known = series.filter((line) => line !== '' && !line.startsWith('#'));
    expect(known.filter((line, i) => known.indexOf(line) !== i)).toEqual([]);
    expect(known).toContain('kilter_hot_loop_keys{controller="absent"}');
  });

  test('C-02: names the rules it lacks, and the operator goes on', async () => {
    const mine = operator({ name: 'o', controllers: [copying('first')] });
    await using env = await cluster({ backend: 'embedded', operator: mine, rbac: 'derived' });
    const reading = controller(Thing, { name: 'reading' })
      .reads(Secret)
      .reconcile(() => Promise.resolve());
    await expect(env.managers[0]?.add(reading)).rejects.toMatchObject({
      code: 'MANAGER_PERMISSIONS_MISSING',
      message: expect.stringContaining('resources: ["secrets"], verbs: ["get", "list", "watch"]') as string,
    });
    await env.client.create(thing('a'));
    await env.eventually(ConfigMap, 'a-first', {});
  });
});

describe('MG-6: a watch added to a controller that runs', () => {
  test('wakes its objects, for what is there as well', async () => {
    const runtime = virtualRuntime();
    const seen: string[] = [];
    const things = controller(Thing).reconcile(async ({ metadata }, ctx) => {
      seen.push(`${metadata.name}: ${ctx.causes.map(({ source }) => source).join()}`);
    });
    const mine = operator({ name: 'o', controllers: [things] });
    await using env = await cluster({
      runtime,
      operator: mine,
      objects: [Secret.build({ name: 'old', labels: { of: 'a' } })],
    });
    await env.client.create(thing('a'));
    await runtime.clock.advance(1000);
    seen.length = 0;
    const added = env.managers[0]?.watch(things, { kind: Secret, map: ({ metadata }) => metadata.labels?.['of'] });
    await runtime.clock.advance(1000);
    await added;
    expect(seen).toHaveLength(1);
    await env.client.create(Secret.build({ name: 'new', labels: { of: 'a' } }));
    await runtime.clock.advance(1000);
    expect(seen).toHaveLength(2);
    const other = controller(Thing, { name: 'other' }).reconcile(() => Promise.resolve());
    await expect(env.managers[0]?.watch(other, { kind: Secret, map: () => undefined })).rejects.toMatchObject({
      code: 'MANAGER_CONTROLLER_UNKNOWN',
    });
  });
});

test('MG-6: a watch that could not be added leaves nothing behind: each change wakes once', async () => {
  const runtime = virtualRuntime();
  const mapped: string[] = [];
  const things = controller(Thing).reconcile(() => Promise.resolve());
  const mine = operator({ name: 'o', controllers: [things], cache: { syncTimeout: '10s' } });
  await using env = await cluster({ runtime, operator: mine });
  const [manager] = env.managers;
  const watched = { kind: Absent, map: ({ metadata }: Absent) => (mapped.push(metadata.name), undefined) };
  const refused = manager?.watch(things, watched).catch((error: unknown) => error);
  await runtime.clock.advance(11_000);
  expect(await refused).toMatchObject({ code: 'CACHE_SYNC_TIMEOUT' });
  await env.install(Absent);
  const before = env.requests.length;
  await runtime.clock.advance(120_000);
  expect(env.requests.slice(before).filter(({ path }) => path.includes('/absents'))).toEqual([]);
  const added = manager?.watch(things, watched);
  await runtime.clock.advance(1000);
  await added;
  await env.client.create(Absent.build({ name: 'a', spec: {} }));
  await runtime.clock.advance(1000);
  expect(mapped).toEqual(['a']);
});

test('MG-7: several operators in one process share nothing: each has its metrics, its runs and its end', async () => {
  const runtime = virtualRuntime();
  const one = operator({ name: 'one', controllers: [copying('thing')] });
  const two = operator({ name: 'two', controllers: [controller(Thing).reconcile(() => Promise.resolve())] });
  await using env = await cluster({ runtime, operator: [one, two] });
  const [first, second] = env.managers;
  await env.client.create(thing('a'));
  await env.eventually(ConfigMap, 'a-thing', {});
  await first?.stop();
  await env.client.create(thing('b'));
  await runtime.clock.advance(1000);
  expect(second?.runs.recent().map(({ key }) => key)).toContain('default/b');
  expect(first?.runs.recent().map(({ key }) => key)).not.toContain('default/b');
  expect(second?.leading).toBe(true);
  expect(await env.client.find(ConfigMap, 'b-thing')).toBeUndefined();
  const counted = /controller_runtime_reconcile_total\{[^}]*\} (\d+)/g;
  const runsIn = (text = ''): number => [...text.matchAll(counted)].reduce((sum, [, n]) => sum + Number(n), 0);
  expect(runsIn(second?.metrics())).toBeGreaterThanOrEqual(2);
});

describe("a rate limiter of one's own", () => {
  test('RL-8: decides when a failing object is tried again, with the number of the retry and its name', async () => {
    const runtime = virtualRuntime();
    const runs: number[] = [];
    const asked: string[] = [];
    const delay = (retry: number, { name }: { name: string }) => {
      asked.push(`${retry} ${name}`);
      return retry < 3 ? '7s' : 60_000;
    };
    const failing = controller(Thing, { backoff: { delay } }).reconcile(() => {
      runs.push(runtime.clock.now());
      return Promise.reject(new Error('no'));
    });
    await using env = await cluster({ runtime, operator: operator({ name: 'o', controllers: [failing] }) });
    await env.client.create(thing('a'));
    await runtime.clock.advance(80_000);
    expect(runs.slice(1).map((at, i) => at - (runs[i] ?? 0))).toEqual([7000, 7000, 60_000]);
    expect(asked.slice(0, 3)).toEqual(['1 a', '2 a', '3 a']);
  });

  test.each<[string, () => Duration]>([
    ['throws', fail],
    ['gives what is not a time', () => 'soon' as Duration],
    ['is async, and fails', () => Promise.reject(new Error('late')) as never],
  ])('RL-8: one that %s is told once, and the default holds', async (_, delay) => {
    const runtime = virtualRuntime();
    let runs = 0;
    const failing = controller(Thing, { backoff: { delay } }).reconcile(() => {
      runs += 1;
      return Promise.reject(new Error('no'));
    });
    await using env = await cluster({ runtime, operator: operator({ name: 'o', controllers: [failing] }) });
    await env.client.create(thing('a'));
    await runtime.clock.advance(1000);
    expect(runs).toBeGreaterThan(5);
    expect(env.log.filter((line) => line.includes('backoff.delay cannot be used'))).toHaveLength(1);
  });
});
