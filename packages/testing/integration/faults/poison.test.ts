// Objects that end the process: found out over its ends, left out, named, and taken back.
import { type Controller, controller, generationChanged, operator, type Operator, type Reconcile } from 'kilter';
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { Event } from 'kilter/k8s/events/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../../src/cluster/index.ts';
import { OperatorLife } from '../../src/crashes/index.ts';
import { configFor, Thing, thing } from '../thing.test-support.ts';

const ignore = (): void => undefined;
const never = (): Promise<never> => new Promise<never>(ignore);

interface World {
  readonly runs: string[];
  /** Its log lines from warnings on. */
  readonly told: string[];
  /** Ends the process whose reconciler calls it. */
  readonly crash: () => Promise<never>;
}

type Build = (world: World) => Operator;

const poisonous = (
  reconcile: (world: World) => Reconcile<Thing, ConfigMap>,
  { concurrency = 1, quarantine = undefined as boolean | undefined, predicates = false } = {},
): Build => {
  return (world) => {
    const tell = (_: unknown, message?: string): void => void world.told.push(message ?? String(_));
    const lines = { debug: ignore, info: ignore, warn: tell, error: tell, child: () => lines };
    const built = controller(Thing, { quarantine, ...(predicates && { when: generationChanged }) })
      .owns(ConfigMap)
      .concurrency(concurrency)
      .reconcile(reconcile(world));
    return operator({ name: 'op', logger: lines, leaderElection: true, controllers: [built] });
  };
};

/** Starts the operator again and again, as a kubelet does, whenever its process has ended. */
async function lives(build: Build) {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const env = await cluster({ runtime, kinds: [Thing] });
  const runs: string[] = [];
  const told: string[] = [];
  const ended: OperatorLife[] = [];
  let life: OperatorLife | undefined;
  const managers: { metrics(): string; stop(): Promise<void> }[] = [];
  const start = async (): Promise<void> => {
    const next = new OperatorLife({ runtime, connection: env.connection }, () => 'ordinary');
    const crash = (): Promise<never> => {
      next.crash();
      return never();
    };
    life = next;
    managers.push(await build({ runs, told, crash }).start({ connection: next.connection, runtime: next.runtime }));
  };
  /** Lets time pass; says how often the process ended meanwhile. */
  const pass = async (ms: number): Promise<number> => {
    const before = ended.length;
    for (let left = ms; left > 0; left -= 1000) {
      if (life?.crashed === true) {
        ended.push(life);
        await start();
      }
      await clock.advance(1000);
    }
    return ended.length - before;
  };
  /** Ends it from outside, as kill -9 does. */
  const kill = (): void => life?.crash();
  await start();
  await pass(2000);
  const dispose = async (): Promise<void> => {
    for (const one of ended) one.bury();
    const stops = managers.map((manager) => manager.stop().catch(ignore));
    await clock.advance(60_000);
    await Promise.all(stops);
    await env[Symbol.asyncDispose]();
  };
  return { env, runs, told, pass, kill, managers, [Symbol.asyncDispose]: dispose };
}

const annotation = 'quarantine.kilter.dev/thing';
const loops =
  (name: string) =>
  ({ runs, crash }: World): Reconcile<Thing, ConfigMap> =>
  async (object, ctx) => {
    runs.push(object.metadata.name);
    if (object.metadata.name === name && object.spec.values['mended'] === undefined) return crash();
    await ctx.apply(configFor(object));
  };

test('B-30: a condition of a quarantine that nobody remembers is taken out of the status, and no other', async () => {
  const runtime = virtualRuntime();
  await using env = await cluster({ runtime, kinds: [Thing], objects: [thing('a')] });
  const since = '2026-01-01T00:00:00Z';
  const condition = (type: string) => ({ type, status: 'True', reason: 'R', message: '', lastTransitionTime: since });
  const status = { conditions: [condition('Quarantined'), condition('Other')] };
  await env.client.patch(Thing, 'a', { status } as never, { subresource: 'status' });
  const runs: string[] = [];
  const built = controller(Thing).reconcile(async ({ metadata }) => void runs.push(metadata.name));
  await env.start(operator({ name: 'op', leaderElection: true, controllers: [built] }));
  const left = await env.eventually(Thing, 'a', (object) => object.status?.conditions?.length === 1);
  expect(left.status?.conditions).toMatchObject([{ type: 'Other' }]);
  expect(runs).toContain('a');
});

describe('B-30: an object that ends the process', () => {
  test('is found out after three ends on its key, marked and left out; the others run; status, Event and metric name it', async () => {
    await using world = await lives(poisonous(loops('bad')));
    const { env, pass, managers } = world;
    for (const name of ['a', 'bad', 'c']) await env.client.create(thing(name, { x: '1' }));
    const ends = await pass(120_000);
    // One before anybody looks, then three that are seen.
    expect(ends).toBe(4);
    const bad = await env.client.get(Thing, 'bad');
    expect(JSON.parse(bad.metadata.annotations?.[annotation] ?? '{}')).toMatchObject({
      reason: 'the process ended 3 times while thing reconciled this object',
      generation: 1,
    });
    expect(bad.status?.conditions).toMatchObject([{ type: 'Quarantined', status: 'True', reason: 'EndsProcess' }]);
    expect(bad.status?.observedGeneration).toBeUndefined();
    const events = await env.client.list(Event);
    const told = events.filter(({ reason }) => reason === 'Quarantined');
    expect(told).toMatchObject([{ type: 'Warning', regarding: { name: 'bad' } }]);
    expect(told[0]?.note).toContain('CONTROLLER_QUARANTINED');
    expect(managers.at(-1)?.metrics()).toContain('kilter_quarantined_objects{controller="thing"} 1');
    const line = /^the process ended 3 times while thing reconciled this object \(CONTROLLER_QUARANTINED: /;
    expect(world.told.filter((message) => line.test(message))).toHaveLength(1);
    for (const name of ['a', 'c']) await env.eventually(ConfigMap, name, { data: { x: '1' } });
    expect(await env.client.find(ConfigMap, 'bad')).toBeUndefined();
  });

  test.each([
    ['a new generation', { spec: { values: { mended: 'yes' } } }],
    ['removing the annotation', { metadata: { annotations: { [annotation]: null } } }],
  ])('is lifted by %s, whatever the predicates; the status says nothing of it then', async (_, patch) => {
    let mended = false;
    const build = poisonous(
      ({ crash }) =>
        async (object, ctx) => {
          if (!mended) return crash();
          await ctx.apply(configFor(object));
        },
      { predicates: true },
    );
    await using world = await lives(build);
    const { env, pass, managers } = world;
    await env.client.create(thing('bad', { x: '1' }));
    await pass(120_000);
    expect((await env.client.get(Thing, 'bad')).metadata.annotations?.[annotation]).toBeDefined();
    mended = true;
    await pass(20_000);
    expect(await env.client.find(ConfigMap, 'bad')).toBeUndefined();
    await env.client.patch(Thing, 'bad', patch);
    expect(await pass(10_000)).toBe(0);
    const { metadata, status } = await env.client.get(Thing, 'bad');
    expect(metadata.annotations?.[annotation]).toBeUndefined();
    expect(status?.conditions ?? []).toEqual([]);
    expect(await env.client.find(ConfigMap, 'bad')).toBeDefined();
    expect(managers.at(-1)?.metrics()).toContain('kilter_quarantined_objects{controller="thing"} 0');
  });

  test('is alone in it: those that ran beside it are run by themselves and cleared', async () => {
    const slow = ({ runs, crash }: World): Reconcile<Thing, ConfigMap> => {
      let going = 0;
      return async (object, ctx) => {
        going += 1;
        runs.push(object.metadata.name);
        await ctx.live.find(ConfigMap, 'nothing');
        await ctx.live.find(ConfigMap, 'nothing');
        if (object.metadata.name === 'bad' && going > 0) return crash();
        await ctx.live.find(ConfigMap, 'nothing');
        await ctx.live.find(ConfigMap, 'nothing');
        await ctx.apply(configFor(object));
        going -= 1;
      };
    };
    await using world = await lives(poisonous(slow, { concurrency: 4 }));
    const { env, pass } = world;
    for (const name of ['a', 'b', 'bad', 'c']) await env.client.create(thing(name, { x: '1' }));
    await pass(150_000);
    const marked = (await env.client.list(Thing)).filter(({ metadata }) => metadata.annotations?.[annotation]);
    expect(marked.map(({ metadata }) => metadata.name)).toEqual(['bad']);
    for (const name of ['a', 'b', 'c']) await env.eventually(ConfigMap, name, { data: { x: '1' } });
  });

  test('is not anybody whose process others end: a run that comes to its end once is not suspected any more', async () => {
    await using world = await lives(poisonous(loops('nobody'), { concurrency: 2 }));
    const { env, pass, kill } = world;
    for (const name of ['a', 'b']) await env.client.create(thing(name, { x: '1' }));
    for (let n = 0; n < 8; n += 1) {
      await pass(25_000);
      kill();
    }
    await pass(60_000);
    expect((await env.client.list(Thing)).filter(({ metadata }) => metadata.annotations?.[annotation])).toEqual([]);
    const stored = await env.client.get(Lease, 'op-crashes');
    expect(JSON.parse(stored.metadata.annotations?.['kilter.dev/reign'] ?? '{}')).toMatchObject({ strikes: [] });
  });

  test('is not whatever ran when the operator stopped in order', async () => {
    await using world = await lives(poisonous(loops('nobody')));
    const { env, pass, managers } = world;
    await env.client.create(thing('a', { x: '1' }));
    await pass(5000);
    const reign = async (): Promise<unknown> =>
      JSON.parse((await env.client.get(Lease, 'op-crashes')).metadata.annotations?.['kilter.dev/reign'] ?? '{}');
    expect(await reign()).toMatchObject({ stopped: false, youngEnds: 0, running: [] });
    const stopping = managers[0]?.stop();
    await pass(5000);
    await stopping;
    expect(await reign()).toMatchObject({ stopped: true });
  });

  test('costs nothing once its time is over: a suspect that is gone does not make every run of the others write', async () => {
    await using world = await lives(poisonous(loops('nobody')));
    const { env, pass, kill } = world;
    await env.client.create(thing('a', { x: '0' }));
    await pass(5000);
    const { metadata } = await env.client.get(Lease, 'op-crashes');
    const reign = JSON.parse(metadata.annotations?.['kilter.dev/reign'] ?? '{}') as object;
    const struck = JSON.stringify({ ...reign, strikes: [['thing/default/gone', 1, 2]] });
    await env.client.patch(Lease, 'op-crashes', { metadata: { annotations: { 'kilter.dev/reign': struck } } });
    kill();
    await pass(30_000);
    let written = 0;
    const change = async (): Promise<number> => {
      const from = env.requests.length;
      written += 1;
      await env.client.patch(Thing, 'a', { spec: { values: { x: String(written) } } });
      await pass(1000);
      await env.eventually(ConfigMap, 'a', { data: { x: String(written) } });
      return env.requests.slice(from).filter(({ method, path }) => method !== 'GET' && path.includes('/op-crashes'))
        .length;
    };
    // The runs for the change and for its own write: each is announced.
    expect(await change()).toBeGreaterThanOrEqual(1);
    await pass(600_000);
    await change();
    expect([await change(), await change()]).toEqual([0, 0]);
    const stored = await env.client.get(Lease, 'op-crashes');
    expect(JSON.parse(stored.metadata.annotations?.['kilter.dev/reign'] ?? '{}')).toMatchObject({
      running: [],
      strikes: [],
    });
  });

  test('is run for ever where quarantine is switched off', async () => {
    await using world = await lives(poisonous(loops('bad'), { quarantine: false }));
    const { env, pass } = world;
    await env.client.create(thing('bad'));
    expect(await pass(120_000)).toBeGreaterThan(4);
    expect((await env.client.get(Thing, 'bad')).metadata.annotations?.[annotation]).toBeUndefined();
  });

  const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silent };
  const nothing = async (): Promise<void> => undefined;
  test.each<[string, boolean, () => Controller, boolean]>([
    ['a custom resource, with election', true, () => controller(Thing).reconcile(nothing), true],
    ['a custom resource, without election', false, () => controller(Thing).reconcile(nothing), false],
    ['a built-in kind', true, () => controller(ConfigMap).reconcile(nothing), false],
    [
      'a custom resource on every replica',
      true,
      () => controller(Thing, { everyReplica: true }).reconcile(nothing),
      false,
    ],
    ['a custom resource by key', true, () => controller(Thing).reconcileKey(nothing), false],
  ])('is looked for or not: %s', async (_, leaderElection, build, expected) => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime, kinds: [Thing], objects: [thing('a')] });
    await env.start(operator({ name: 'op', logger: silent, leaderElection, controllers: [build()] }));
    await runtime.clock.advance(5000);
    expect((await env.client.find(Lease, 'op-crashes')) !== undefined).toBe(expected);
  });

  test('one that always throws is retried up to the cap, and the others do not notice', async () => {
    const runtime = virtualRuntime();
    const { clock } = runtime;
    const attempts: number[] = [];
    const late = new Map<string, number>();
    const lines = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => lines };
    const built = controller(Thing)
      .owns(ConfigMap)
      .reconcile(async (object, ctx) => {
        if (object.metadata.name === 'bad') {
          attempts.push(clock.monotonic());
          throw new Error('no');
        }
        await ctx.apply(configFor(object));
        if (late.has(object.metadata.name)) return;
        late.set(object.metadata.name, clock.now() - Date.parse(object.metadata.creationTimestamp ?? ''));
      });
    await using env = await cluster({
      runtime,
      operator: operator({ name: 'op', logger: lines, controllers: [built] }),
    });
    await env.client.create(thing('bad'));
    for (let n = 0; n < 100; n += 1) {
      await env.client.create(thing(`t${n}`, { x: '1' }));
      await clock.advance(60_000);
    }
    const gaps = attempts.slice(1).map((at, i) => at - (attempts[i] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1_000_000);
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(900_000);
    // Creation times have whole seconds.
    expect(late.size).toBe(100);
    expect(Math.max(...late.values())).toBeLessThanOrEqual(1000);
  });
});
