// Servers, tickers and jobs that live with an operator; controllers and checks of every replica.
import { controller, counter, operator, type Operator, part, type PartContext } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { Thing, thing } from './thing.test-support.ts';

const note = (name: string, text: string): ConfigMap => ConfigMap.build({ name, namespace: 'default', data: { text } });

const sweeps = counter('sweeps_total', { help: 'Sweeps.' });

const served = (ctx: PartContext): Promise<void> =>
  new Promise((ended) => ctx.signal.addEventListener('abort', () => ended()));

test('MG-6: an added job that is done no longer watches what it read, and can be added again', async () => {
  const runtime = virtualRuntime();
  const mine = operator({
    name: 'jobs',
    controllers: [],
    parts: [part('declared', { reads: [Thing] }, () => undefined)],
  });
  await using env = await cluster({ runtime, operator: mine, kinds: [Thing] });
  const [manager] = env.managers;
  const cachedKinds = (): string[] =>
    [...(manager?.metrics() ?? '').matchAll(/^kilter_cache_objects\{kind="(.*)"\}/gm)].map(([, kind = '']) => kind);
  const seen: number[] = [];
  for (let i = 1; i <= 2; i += 1) {
    await env.client.create(note(`n-${i}`, 'x'));
    const job = part('job', { reads: [ConfigMap] }, async ({ client }) => {
      const notes = await client.list(ConfigMap, { namespace: 'default' });
      seen.push(notes.filter(({ metadata }) => metadata.name.startsWith('n-')).length);
    });
    manager?.add(job);
    await runtime.clock.advance(1000);
    // What the operator was declared with stays.
    expect([seen.length, cachedKinds()]).toEqual([i, ['Thing.example.com']]);
  }
  expect(seen).toEqual([1, 2]);
});

function twoReplicas(seen: string[]): () => Operator {
  let replica = 0;
  return () => {
    const name = `replica-${(replica += 1)}`;
    return operator({
      name: 'parts',
      leaderElection: { identity: name },
      cache: { policy: 'adhoc' },
      controllers: [
        controller(Thing, { name: 'table', everyReplica: true }).reconcile(async ({ metadata }, ctx) => {
          seen.push(`${name} knows ${metadata.name}`);
          await ctx.client.create(note(`${name}-knows`, metadata.name));
        }),
        controller(Thing, { name: 'work' }).reconcile(async ({ metadata }) => {
          seen.push(`${name} works on ${metadata.name}`);
        }),
      ],
      metrics: [sweeps],
      parts: [
        part('everywhere', { on: 'everyReplica' }, async (ctx) => {
          await ctx.client.create(note(name, 'everywhere'));
          await served(ctx);
        }),
        part('leader', async (ctx) => {
          await ctx.client.create(note(`${name}-leads`, 'leader'));
          ctx.metric(sweeps).inc();
          await served(ctx);
        }),
      ],
    });
  };
}

test('WG-6 work of every replica runs, and writes, without the Lease; that of the leader with it', async () => {
  const runtime = virtualRuntime();
  const seen: string[] = [];
  const make = twoReplicas(seen);
  await using env = await cluster({ runtime, operator: [make(), make()], objects: [], kinds: [Thing] });
  await env.eventually(ConfigMap, 'replica-1', {});
  await env.eventually(ConfigMap, 'replica-2', {});
  await env.eventually(ConfigMap, 'replica-1-leads', {});
  await env.client.create(thing('a'));
  await runtime.clock.advance(3000);
  expect(env.managers.map(({ leading }) => leading)).toEqual([true, false]);
  expect(seen.toSorted()).toEqual(['replica-1 knows a', 'replica-1 works on a', 'replica-2 knows a']);
  await env.eventually(ConfigMap, 'replica-2-knows', { data: { text: 'a' } });
  expect(await env.client.find(ConfigMap, 'replica-2-leads')).toBeUndefined();
  expect(env.managers[0]?.metrics()).toContain('sweeps_total 1\n');
});

test('C-01 a part that declares what it reads and writes has the rights for it, and no more', async () => {
  const written = { kind: ConfigMap, verbs: ['create', 'delete'] } as const;
  const copier = part('copier', { reads: [Thing], writes: [written] }, async (ctx) => {
    const [first] = await ctx.client.list(Thing);
    await ctx.client.create(note('copied', first?.metadata.name ?? 'nothing'));
    await ctx.client.create(note('passing', ''));
    await ctx.client.delete(ConfigMap, { name: 'passing', namespace: 'default' });
  });
  const copying = operator({ name: 'copying', parts: [copier] });
  await using env = await cluster({ operator: copying, objects: [thing('a')], kinds: [Thing], rbac: 'derived' });
  await env.eventually(ConfigMap, 'copied', { data: { text: 'a' } });
  await env.gone(ConfigMap, 'passing');
  expect(env.permissions).toEqual({ missing: [], unused: [] });
});

test('MG-6 a part that comes later reads what it declares', async () => {
  await using env = await cluster({ operator: operator({ name: 'late' }), objects: [thing('a')], kinds: [Thing] });
  const seen = Promise.withResolvers<string[]>();
  const reader = part('reader', { reads: [Thing] }, async (ctx) => {
    seen.resolve((await ctx.client.list(Thing)).map(({ metadata }) => metadata.name));
  });
  env.managers[0]?.add(reader);
  expect(await seen.promise).toEqual(['a']);
});

test('MG-6 a part added to a running operator starts at once; one added after the stop is refused', async () => {
  const runtime = virtualRuntime();
  await using env = await cluster({ runtime, operator: operator({ name: 'later', cache: { policy: 'adhoc' } }) });
  const [manager] = env.managers;
  const ended: string[] = [];
  manager?.add(
    part('job', async (ctx) => {
      await ctx.client.create(note('job', 'added'));
      await served(ctx);
      ended.push('job');
    }),
  );
  await env.eventually(ConfigMap, 'job', { data: { text: 'added' } });
  expect(() => manager?.add(part('job', () => undefined))).toThrow('two parts are named job');
  await manager?.stop();
  expect(ended).toEqual(['job']);
  expect(() => manager?.add(part('late', () => undefined))).toThrow(
    expect.objectContaining({ code: 'MANAGER_STOPPED' }),
  );
});

test('MG-5 a part that throws ends its operator and no other in the process', async () => {
  await using env = await cluster({ kinds: [Thing] });
  const good = await env.start(operator({ name: 'good' }));
  const bad = await env.start(
    operator({ name: 'bad', parts: [part('boom', { every: undefined }, () => Promise.reject(new Error('boom')))] }),
  );
  await expect(bad.done).rejects.toMatchObject({ code: 'MANAGER_PART_FAILED' });
  expect(await Promise.race([good.done.then(() => 'ended'), Promise.resolve('runs')])).toBe('runs');
});
