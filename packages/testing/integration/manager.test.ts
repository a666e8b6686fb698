// Order of start and stop, standbys and leadership, on the embedded server with a virtual clock.
import { KilterError, type Logger } from 'kilter';
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator, things } from './thing.test-support.ts';

const elected = (identity: string) => ({ leaderElection: { identity } });
const writesOf = (requests: readonly { method: string; path: string }[]) =>
  requests.filter(({ method, path }) => method !== 'GET' && path.includes('/configmaps'));

describe('two replicas', () => {
  test('MG-9: a standby is warm, runs nothing, and starts on the filled queue when it wins', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ operator: thingOperator(things, elected('one')), runtime });
    const runs: string[] = [];
    const standby = thingOperator(
      (builder) =>
        builder.reconcile(async (object, ctx) => {
          runs.push(object.metadata.name);
          await ctx.apply(configFor(object));
        }),
      elected('two'),
    );
    const second = await env.start(standby);
    await env.client.create(thing('a', { x: '1' }));
    await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
    await runtime.clock.advance(5000);
    expect(second.cache.find(Thing, { namespace: 'default', name: 'a' })?.spec.values).toEqual({ x: '1' });
    expect([second.leading, runs]).toEqual([false, []]);
    const watches = env.requests.filter(({ path }) => path.includes('/things') && path.includes('watch=')).length;
    const stopping = env.managers[0]?.stop();
    await runtime.clock.advance(5000);
    await stopping;
    expect([second.leading, runs]).toEqual([true, ['a']]);
    // No source started twice: the watches it had are the watches it works with.
    expect(env.requests.filter(({ path }) => path.includes('/things') && path.includes('watch='))).toHaveLength(
      watches,
    );
  });

  test('LE-10, LE-3: a stopped leader releases its lease, and the next acquires it at once', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ operator: thingOperator(things, elected('one')), runtime });
    await env.eventually(Lease, 'thing-operator', { spec: { holderIdentity: 'one', leaseTransitions: 0 } });
    const second = await env.start(thingOperator(things, elected('two')));
    const before = runtime.clock.monotonic();
    const stopping = env.managers[0]?.stop();
    const taken = await env.eventually(Lease, 'thing-operator', { spec: { holderIdentity: 'two' } });
    await stopping;
    expect(runtime.clock.monotonic() - before).toBeLessThan(2000);
    expect(taken.spec?.leaseTransitions).toBe(1);
    expect(second.leading).toBe(true);
  });

  test('LE-7, WG-4: a leader cut off from its lease stops writing, is lost, and says so', async () => {
    const runtime = virtualRuntime();
    const signals: AbortSignal[] = [];
    const operator = thingOperator(
      (builder) =>
        builder.reconcile(async (object, ctx) => {
          signals.push(ctx.signal);
          if (object.spec.note === 'hang')
            await new Promise((_, fail) => ctx.signal.addEventListener('abort', () => fail(ctx.signal.reason)));
          await ctx.apply(configFor(object));
        }),
      elected('one'),
    );
    await using env = await cluster({ runtime, kinds: [Thing] });
    const manager = await operator.start({ connection: env.connection, runtime });
    await env.client.create(thing('a', { x: '1' }));
    await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
    await env.client.create({ ...thing('b'), spec: { values: {}, note: 'hang' } });
    await runtime.clock.advance(1000);
    const lost = manager.done.then(
      () => expect.unreachable(),
      (error: unknown) => error,
    );
    env.server.fail({ kind: 'Lease', fault: { type: 'status', code: 503 } });
    await runtime.clock.advance(9000);
    const before = writesOf(env.requests).length;
    await runtime.clock.advance(20_000);
    const error = await lost;
    expect(error).toBeInstanceOf(KilterError);
    expect((error as KilterError).code).toBe('ELECTION_LOST');
    expect(signals.at(-1)?.aborted).toBe(true);
    expect(writesOf(env.requests)).toHaveLength(before);
  });
});

test('LE-7: the grace period is skipped when the lease is lost, even for a run that ignores its signal', async () => {
  const runtime = virtualRuntime();
  const stuck = thingOperator((builder) => builder.reconcile(() => new Promise<void>(() => undefined)), elected('one'));
  await using env = await cluster({ runtime, kinds: [Thing] });
  const manager = await stuck.start({ connection: env.connection, runtime });
  await env.client.create(thing('a'));
  await runtime.clock.advance(1000);
  let ended = false;
  const done = manager.done.catch((error: unknown) => {
    ended = true;
    return error;
  });
  env.server.fail({ kind: 'Lease', fault: { type: 'status', code: 503 } });
  // The renew deadline, the last moment for what runs, and a retry period to spare; not the 30 s of a graceful stop.
  await runtime.clock.advance(10_000 + 1000 + 2000);
  expect(ended).toBe(true);
  expect(String(await done)).toContain('ELECTION_LOST');
});

describe('start and stop', () => {
  test('MG-3, MG-4: a stop lets running work finish, takes no new keys, and releases nothing before', async () => {
    const runtime = virtualRuntime();
    let end: () => void = () => undefined;
    const runs: string[] = [];
    const operator = thingOperator(
      (builder) =>
        builder.reconcile(async (object, ctx) => {
          runs.push(object.metadata.name);
          await new Promise<void>((resolve) => (end = resolve));
          await ctx.apply(configFor(object));
        }),
      elected('one'),
    );
    await using env = await cluster({ operator, runtime });
    await env.client.create(thing('a', { x: '1' }));
    await runtime.clock.advance(100);
    const stopping = env.managers[0]?.stop();
    await env.client.create(thing('b'));
    await runtime.clock.advance(5000);
    expect((await env.client.get(Lease, 'thing-operator')).spec?.holderIdentity).toBe('one');
    end();
    await runtime.clock.advance(100);
    await stopping;
    expect(runs).toEqual(['a']);
    expect((await env.client.get(ConfigMap, 'a')).data).toEqual({ x: '1' });
    expect((await env.client.get(Lease, 'thing-operator')).spec?.holderIdentity ?? '').toBe('');
  });

  test('MG-4: what does not end is aborted 5 s before the deadline and named', async () => {
    const runtime = virtualRuntime();
    const signals: AbortSignal[] = [];
    const stuck = thingOperator((builder) =>
      builder.reconcile(async (_, ctx) => {
        signals.push(ctx.signal);
        await new Promise(() => undefined);
      }),
    );
    await using env = await cluster({ runtime, kinds: [Thing] });
    const manager = await stuck.start({ connection: env.connection, runtime });
    await env.client.create(thing('a'));
    await runtime.clock.advance(100);
    const stopping = manager.stop().catch((error: unknown) => error);
    await runtime.clock.advance(24_900);
    expect(signals[0]?.aborted).toBe(false);
    await runtime.clock.advance(100);
    expect(signals[0]?.aborted).toBe(true);
    await runtime.clock.advance(5000);
    expect(await stopping).toMatchObject({ code: 'MANAGER_STOP_TIMEOUT' });
    expect(String(await stopping)).toContain('still running: thing/default/a (');
  });

  test('MG-13: nothing of an operator outlives its stop', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime, kinds: [Thing] });
    const startAndStop = async (): Promise<number> => {
      const manager = await thingOperator(things, elected('one')).start({ connection: env.connection, runtime });
      await runtime.clock.advance(1000);
      await manager.ready;
      const running = runtime.clock.pending;
      const stopping = manager.stop();
      await runtime.clock.advance(1000);
      await stopping;
      return running;
    };
    // The first Events of an operator start a timer of the server; the second operator starts none.
    await startAndStop();
    const before = runtime.clock.pending;
    expect(await startAndStop()).toBeGreaterThan(before);
    expect(runtime.clock.pending).toBe(before);
  });

  test('MG-8, MG-15: a kind that does not exist fails the start in time, naming it and the last error', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime });
    const manager = await thingOperator(things).start({ connection: env.connection, runtime });
    const failed = manager.ready.catch((error: unknown) => error);
    await runtime.clock.advance(125_000);
    expect(await failed).toMatchObject({ code: 'CACHE_SYNC_TIMEOUT' });
    expect(String(await failed)).toMatch(/Thing\.example\.com/);
    await expect(manager.done).rejects.toMatchObject({ code: 'CACHE_SYNC_TIMEOUT' });
  });

  test('MG-16: a stop before readiness ends promptly and releases nothing it does not hold', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime });
    const manager = await thingOperator(things, elected('one')).start({ connection: env.connection, runtime });
    await runtime.clock.advance(1000);
    const stopping = manager.stop();
    await runtime.clock.advance(1000);
    await stopping;
    await expect(manager.ready).rejects.toMatchObject({ code: 'MANAGER_STOPPED' });
    expect(await env.client.find(Lease, 'thing-operator')).toBeUndefined();
  });

  test('RC-1: a reconciler that throws is retried with backoff, and the log says why', async () => {
    const runtime = virtualRuntime();
    const lines: object[] = [];
    const logger: Logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (fields: object | string) => void lines.push(fields as object),
      child: () => logger,
    };
    let runs = 0;
    const operator = thingOperator(
      (builder) =>
        builder.reconcile(async () => {
          runs += 1;
          throw new Error('the database is down');
        }),
      { logger },
    );
    await using env = await cluster({ operator, runtime });
    await env.client.create(thing('a'));
    await runtime.clock.advance(1000);
    // 5 ms doubled each time, shortened by up to a tenth: eight retries fit into a second.
    expect(runs).toBeGreaterThanOrEqual(8);
    expect(runs).toBeLessThanOrEqual(9);
    expect(lines[0]).toMatchObject({
      causes: ['add of Thing.example.com default/a'],
      err: { code: 'RECONCILE_FAILED', cause: { message: 'the database is down' } },
    });
  });
});

test('without election every run belongs to the one term of its process', async () => {
  const runtime = virtualRuntime();
  const terms: unknown[] = [];
  const operator = thingOperator((builder) => builder.reconcile(async (_, ctx) => void terms.push(ctx.leadership)));
  await using env = await cluster({ operator, runtime });
  await env.client.create(thing('a'));
  await runtime.clock.advance(1000);
  expect(terms).toEqual([{ epoch: 0, identity: expect.stringMatching(/^.+_.+$/) }]);
});
