// What the write guard and the order of leaders promise, seen from the server.
import { controller, type KilterError, operator } from 'kilter';
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator, things } from './thing.test-support.ts';

const elected = (identity: string) => ({ leaderElection: { identity } });

test('WG-3: a guarded write ends within D - R, and the server is told the same limit', async () => {
  const runtime = virtualRuntime();
  const ends: { code: string; after: number }[] = [];
  const given = thingOperator(
    (builder) =>
      builder.reconcile(async (object, ctx) => {
        const before = runtime.clock.monotonic();
        await ctx.apply(configFor(object)).catch((error: KilterError) => {
          ends.push({ code: error.code, after: runtime.clock.monotonic() - before });
        });
      }),
    elected('one'),
  );
  await using env = await cluster({ operator: given, runtime });
  env.server.fail({ kind: 'ConfigMap', verb: 'patch', times: 1, fault: { type: 'delay', ms: 60_000 } });
  await env.client.create(thing('a', { x: '1' }));
  await runtime.clock.advance(5100);
  expect(ends).toHaveLength(1);
  expect(ends[0]?.code).toBe('TRANSPORT_OUTCOME_UNKNOWN');
  expect(ends[0]?.after).toBeLessThanOrEqual(5000);
  const write = env.requests.find(({ method, path }) => method === 'PATCH' && path.includes('/configmaps/a'));
  expect(write?.path).toContain('timeout=5s');
});

test('WG-7: a packet that lands after the takeover fails, or is corrected by the successor', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  await using env = await cluster({ kinds: [Thing], runtime });
  const first = await thingOperator(things, elected('one')).start({ connection: env.connection, runtime });
  await env.client.create(thing('a', { x: '1' }));
  await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
  const seen = await env.client.get(ConfigMap, 'a');
  const stopping = first.stop();
  await clock.advance(5000);
  await stopping;
  const second = await env.start(thingOperator(things, elected('two')));
  await env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
  await env.eventually(ConfigMap, 'a', { data: { x: '2' } });
  expect(second.leading).toBe(true);
  // What the first sent and the network kept: an edit with the version it saw, and a deletion with the UID it saw.
  const late = { manager: 'thing-operator/thing' };
  await expect(env.client.update({ ...seen, data: { x: 'late' } }, late)).rejects.toMatchObject({
    code: 'CLIENT_CONFLICT',
  });
  await env.client.delete(ConfigMap, 'a');
  await env.eventually(ConfigMap, 'a', { data: { x: '2' } });
  await expect(env.client.delete(seen)).rejects.toMatchObject({ code: 'CLIENT_CONFLICT' });
  // An apply carries no version and changes the object; that wakes the successor.
  const owner = (await env.client.get(ConfigMap, 'a')).metadata.ownerReferences;
  const stale = ConfigMap.build({ name: 'a', namespace: 'default', data: { x: 'late', y: 'late' } });
  const packet = { ...stale, metadata: { ...stale.metadata, ...(owner && { ownerReferences: owner }) } };
  await env.client.apply(packet, { ...late, force: true });
  const healed = await env.eventually(ConfigMap, 'a', { data: { x: '2' } });
  expect(healed.data).toEqual({ x: '2' });
});

test('WG-9: behind a closed gate no run begins; keys wait until it opens', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const runs: number[] = [];
  const given = thingOperator(
    (builder) => builder.concurrency(4).reconcile(async () => void runs.push(clock.monotonic())),
    elected('one'),
  );
  await using env = await cluster({ operator: given, runtime });
  await clock.advance(100);
  // As after a suspend: ten seconds of the wall clock are gone, and no timer has said so.
  clock.jump(11_000);
  const before = clock.monotonic();
  for (let i = 0; i < 20; i += 1) await env.client.create(thing(`t${i}`));
  await clock.advance(500);
  expect(runs).toEqual([]);
  await clock.advance(3000);
  expect(runs).toHaveLength(20);
  // After the renewal that showed who leads.
  expect(Math.min(...runs)).toBeGreaterThan(before + 500);
  expect(env.managers[0]?.metrics()).not.toMatch(/kilter_guarded_writes_refused_total [1-9]/);
});

test('WG-9: keys that wait when the lease is lost are not run', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const runs: string[] = [];
  const given = thingOperator(
    (builder) => builder.reconcile(async ({ metadata }) => void runs.push(metadata.name)),
    elected('one'),
  );
  await using env = await cluster({ kinds: [Thing], runtime });
  const manager = await given.start({ connection: env.connection, runtime });
  const lost = manager.done.catch((error: unknown) => error);
  await clock.advance(1000);
  env.server.fail({ kind: 'Lease', fault: { type: 'lost-request' } });
  clock.jump(11_000);
  await env.client.create(thing('a'));
  await clock.advance(15_000);
  expect(await lost).toMatchObject({ code: 'ELECTION_LOST' });
  expect(runs).toEqual([]);
});

describe('MG-7', () => {
  test('one controller twice, or two of one name, is a coded error', () => {
    const built = () => controller(Thing).reconcile(async () => undefined);
    const once = built();
    const refused = expect.objectContaining({ code: 'MANAGER_DUPLICATE_CONTROLLER' });
    expect(() => operator({ name: 'op', controllers: [once, once] })).toThrow(refused);
    expect(() => operator({ name: 'op', controllers: [built(), built()] })).toThrow(refused);
  });

  test('an operator can be started again: each start is a manager of its own', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ kinds: [Thing], runtime });
    const given = thingOperator(things, elected('one'));
    for (const values of [{ x: '1' }, { x: '2' }]) {
      await using manager = await given.start({ connection: env.connection, runtime });
      const name = `a${values.x}`;
      await env.client.create(thing(name, values));
      await env.eventually(ConfigMap, name, { data: values });
      const stopping = manager.stop();
      await runtime.clock.advance(5000);
      await stopping;
    }
    expect((await env.client.get(Lease, 'thing-operator')).spec?.leaseTransitions).toBe(1);
  });
});

test('MG-15: an informer that a read brought about has the sync deadline too', async () => {
  const runtime = virtualRuntime();
  const cache = { policy: 'extend', syncTimeout: '20s' } as const;
  const given = operator({ name: 'op', controllers: [], cache });
  await using env = await cluster({ kinds: [Thing], runtime });
  const manager = await given.start({ connection: env.connection, runtime });
  await manager.ready;
  env.server.fail({ kind: 'Thing', fault: { type: 'delay', ms: 3_600_000 } });
  const read = manager.client.find(Thing, { name: 'a', namespace: 'default' }).catch((error: unknown) => error);
  await runtime.clock.advance(19_900);
  let settled = false;
  void read.then(() => (settled = true));
  await runtime.clock.settle();
  expect(settled).toBe(false);
  await runtime.clock.advance(200);
  expect(await read).toMatchObject({ code: 'CACHE_SYNC_TIMEOUT' });
  const stopping = manager.stop();
  await runtime.clock.advance(1000);
  await stopping;
});

test('TR-8, G-1: an operator with a rate limit keeps to it, and its lease is renewed all the same', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const given = thingOperator(things, { ...elected('one'), rateLimit: { qps: 1, burst: 5 } });
  await using env = await cluster({ operator: given, runtime });
  for (let i = 0; i < 30; i += 1) await env.client.create(thing(`t${i}`, { x: '1' }));
  await clock.advance(10_000);
  const sent = (method: string, path: string) =>
    env.requests.filter((request) => request.method === method && request.path.includes(path)).length;
  expect(sent('PUT', '/leases/')).toBeGreaterThanOrEqual(4);
  expect(sent('PATCH', '/configmaps/')).toBeGreaterThan(5);
  expect(sent('PATCH', '/configmaps/')).toBeLessThanOrEqual(15);
  expect(env.managers[0]?.leading).toBe(true);
});

test('RF-30: watches that nobody answers are opened with the next write of the Lease', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  await using env = await cluster({ operator: thingOperator(things, elected('one')), runtime });
  await clock.advance(5000);
  const faults = ['Thing', 'ConfigMap'].map((kind) => env.server.fail({ kind, fault: { type: 'lost-request' } }));
  env.server.breakWatches();
  // By now they wait for half a minute from one try to the next; the Lease is written every two seconds.
  await clock.advance(120_000);
  for (const end of faults) end();
  const from = env.requests.length;
  await clock.advance(2200);
  const watched = env.requests
    .slice(from)
    .flatMap(({ path }) => (path.includes('watch=true') ? [path.split('?')[0]] : []));
  expect(watched.toSorted()).toEqual(['/api/v1/configmaps', '/apis/example.com/v1/things']);
});
