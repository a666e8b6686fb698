// What writes carry, and what the server makes of them.
import { controller, operator, type Context } from 'kilter';
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { cluster } from '../../src/cluster/index.ts';
import { crashEveryWrite } from '../../src/index.ts';
import { Thing, thing, thingOperator, things } from '../thing.test-support.ts';

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet };

test('R-8: updates, edits, status and finalizers carry the version they were computed from, deletes the UID; applies carry none', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const built = controller(Thing)
    .owns(ConfigMap, { prune: true })
    .writes(Secret)
    .cleanup('example.com/x', async () => undefined)
    .reconcile(async (object, ctx) => {
      const { name } = object.metadata;
      for (const key of Object.keys(object.spec.values)) await ctx.apply(ConfigMap.build({ name: `${name}-${key}` }));
      const secret = await ctx.live.get(Secret, 'there');
      if (secret.stringData === undefined && secret.data === undefined) {
        const updated = await ctx.client.update({ ...secret, stringData: { a: '1' } });
        await ctx.client.edit(updated, (draft) => void (draft.metadata.labels['seen'] = 'yes'));
        const other = await ctx.live.get(Secret, 'other');
        await ctx.client.delete(other);
      }
      await ctx.status({ seen: 1 });
    });
  const objects = ['there', 'other'].map((name) => Secret.build({ name, namespace: 'default' }));
  const given = operator({ name: 'op', logger: quiet, controllers: [built] });
  await using env = await cluster({ runtime, operator: given, objects });
  await env.client.create(thing('a', { x: '1', y: '1' }));
  await clock.advance(2000);
  await env.client.patch(Thing, 'a', { spec: { values: { y: null } } });
  await clock.advance(2000);
  await env.client.delete(Thing, 'a');
  await clock.advance(2000);
  expect(await env.client.find(Thing, 'a')).toBeUndefined();
  const carried = env.requests
    .filter(
      ({ method, path, userAgent }) => method !== 'GET' && userAgent.startsWith('op/') && !path.includes('/events'),
    )
    .map(({ method, path, body }) => {
      const { metadata, preconditions } = JSON.parse(body ?? '{}') as {
        metadata?: { resourceVersion?: string };
        preconditions?: { uid?: string; resourceVersion?: string };
      };
      const version = (metadata ?? preconditions)?.resourceVersion;
      const what = path.split('?')[0]?.replace(/.*\/namespaces\/default\//, '') ?? '';
      const how = path.includes('force=true') ? 'apply' : method;
      return [how, what, preconditions?.uid && 'uid', version && 'version'].filter(Boolean).join(' ');
    });
  expect([...new Set(carried)].toSorted()).toEqual([
    'DELETE configmaps/a-y uid version',
    'DELETE secrets/other uid',
    'PATCH secrets/there version',
    'PATCH things/a version',
    'PATCH things/a/status version',
    'PUT secrets/there version',
    'apply configmaps/a-x',
    'apply configmaps/a-y',
  ]);
});

test('R-8, INV-2: a child that somebody has written since a run decided that nobody wants it is not pruned by that run', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const built = controller(Thing)
    .owns(ConfigMap, { prune: true })
    .reconcile(async (object, ctx) => {
      for (const key of Object.keys(object.spec.values)) await ctx.apply(ConfigMap.build({ name: key }));
    });
  const given = operator({ name: 'op', logger: quiet, controllers: [built] });
  await using env = await cluster({ runtime, operator: given, hotLoops: 'allow' });
  await env.client.create(thing('a', { x: '1', y: '1' }));
  await clock.advance(1000);
  // The delete is on its way for a second; meanwhile a later leader, for whom the child is wanted, writes it.
  env.server.fail({ kind: 'ConfigMap', verb: 'delete', times: 1, fault: { type: 'delay', ms: 1000 } });
  await env.client.patch(Thing, 'a', { spec: { values: { y: null } } });
  await clock.advance(500);
  const { uid } = (await env.client.get(ConfigMap, 'y')).metadata;
  await env.client.patch(ConfigMap, 'y', { data: { wanted: 'by another' } }, { manager: 'later' });
  await env.client.patch(Thing, 'a', { spec: { values: { y: '2' } } });
  await clock.advance(60_000);
  const statuses = env.requests.filter(({ method }) => method === 'DELETE').map(({ status }) => status);
  expect(statuses).toEqual([409]);
  expect((await env.client.get(ConfigMap, 'y')).metadata.uid).toBe(uid);
});

test('R-8: a child whose name the server would make up is refused: the next run could not find it again', async () => {
  const runtime = virtualRuntime();
  const codes: string[] = [];
  const given = thingOperator((builder) =>
    builder.reconcile(async (_, ctx) => {
      const nameless = { ...ConfigMap.build({ name: 'x' }), metadata: { generateName: 'x-' } };
      codes.push(
        await ctx.apply(nameless as unknown as ConfigMap).then(
          () => 'made',
          (error: { code: string }) => error.code,
        ),
      );
    }),
  );
  await using env = await cluster({ runtime, operator: given, objects: [thing('a')] });
  await runtime.clock.advance(1000);
  expect(codes[0]).toBe('CLIENT_NAME_INVALID');
  const made = (await env.client.list(ConfigMap, { namespace: 'default' })).map(({ metadata }) => metadata.name);
  expect(made.filter((name) => name.startsWith('x'))).toEqual([]);
});

test('R-8: an apply of an earlier leader that arrives late is corrected by the run that its own event causes', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  await using env = await cluster({ runtime, operator: thingOperator(things) });
  await env.client.create(thing('a', { x: 'new' }));
  await clock.advance(1000);
  const { metadata } = await env.client.get(ConfigMap, 'a');
  const { name, ownerReferences } = metadata;
  const from = env.requests.length;
  const manager = metadata.managedFields?.[0]?.manager ?? '';
  const late = { ...ConfigMap.build({ name, data: { x: 'old' } }), metadata: { name, ownerReferences } };
  const stored = await env.client.apply(late as ConfigMap, { manager, force: true });
  expect(stored.data).toEqual({ x: 'old' });
  await clock.advance(1000);
  expect((await env.client.get(ConfigMap, 'a')).data).toEqual({ x: 'new' });
  const corrections = env.requests
    .slice(from)
    .filter(
      ({ method, path, userAgent }) =>
        method === 'PATCH' && path.includes('/configmaps/a') && userAgent.startsWith('thing-operator/'),
    );
  expect(corrections).toHaveLength(1);
});

test('B-19: a create and an edit whose answers are lost are not sent again; the next run finds what there is', async () => {
  const posts: string[] = [];
  const creating = () =>
    operator({
      name: 'op',
      controllers: [
        controller(Thing)
          .owns(Secret)
          .writes(ConfigMap, { verbs: ['create', 'patch', 'update'] })
          .reads(ConfigMap)
          .reconcile(async (object, ctx) => {
            const { name } = object.metadata;
            const found = await ctx.client.find(ConfigMap, name);
            const wanted = object.spec.values;
            posts.push(found === undefined ? 'create' : 'look');
            const made = found ?? (await ctx.client.create(ConfigMap.build({ name, data: wanted })));
            await ctx.client.edit(made, (draft) => void (draft.data = { ...wanted, edited: 'yes' }));
          }),
      ],
    });
  const { writes, runs } = await crashEveryWrite({
    operator: creating,
    steps: [
      (user) => user.create(thing('a', { x: '1' })),
      (user) => user.patch(Thing, 'a', { spec: { values: { x: '2' } } }),
    ],
    compare: [ConfigMap],
  });
  expect(writes.map((write) => write.split(' ')[0])).toEqual(['POST', 'PATCH', 'PATCH']);
  expect(runs).toBe(9);
  expect(posts).toContain('look');
});

test.each([
  ['create', 'POST'],
  ['edit', 'PATCH'],
  ['update', 'PUT'],
  ['delete', 'DELETE'],
] as const)(
  'B-19: of a run whose %s was carried out and not answered nothing is sent again; the run fails, and the next one finds out',
  async (deed, method) => {
    const runtime = virtualRuntime();
    const { clock } = runtime;
    const ends: string[] = [];
    const name = 'made';
    const deeds = {
      create: (ctx: Context<Thing, ConfigMap>) => ctx.client.create(ConfigMap.build({ name })),
      edit: async (ctx: Context<Thing, ConfigMap>) =>
        ctx.client.edit(await ctx.live.get(ConfigMap, name), (draft) => void (draft.data = { x: '1' })),
      update: async (ctx: Context<Thing, ConfigMap>) =>
        ctx.client.update({ ...(await ctx.live.get(ConfigMap, name)), data: { x: '1' } }),
      delete: async (ctx: Context<Thing, ConfigMap>) => ctx.client.delete(ConfigMap, name),
    };
    const given = thingOperator((builder) =>
      builder.reconcile(async (_, ctx) => {
        const found = await ctx.live.find(ConfigMap, name);
        const isDone = { create: found !== undefined, delete: found === undefined }[deed as 'create' | 'delete'];
        if (isDone ?? found?.data?.['x'] === '1') return void ends.push('found');
        try {
          await deeds[deed](ctx);
          ends.push('answered');
        } catch (error) {
          ends.push((error as { code: string }).code);
          throw error;
        }
      }),
    );
    const objects = deed === 'create' ? [] : [ConfigMap.build({ name, namespace: 'default' })];
    await using env = await cluster({ runtime, operator: given, objects });
    const verb = deed === 'edit' ? 'patch' : deed;
    env.server.fail({ kind: 'ConfigMap', verb, times: 1, fault: { type: 'lost-answer' } });
    await env.client.create(thing('a'));
    await clock.advance(60_000);
    expect(ends.slice(0, 2)).toEqual(['TRANSPORT_OUTCOME_UNKNOWN', 'found']);
    const sent = env.requests.filter((request) => request.method === method && request.path.includes('/configmaps'));
    expect(sent.filter(({ userAgent }) => userAgent.startsWith('thing-operator/'))).toHaveLength(1);
  },
);

test('B-19: a create that meets AlreadyExists fails the run; the next one finds the object', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const ends: string[] = [];
  // The cache has not seen the object yet: its events are late.
  const given = thingOperator((builder) =>
    builder.reconcile(async ({ metadata: { name } }, ctx) => {
      const found = await ctx.client.find(ConfigMap, name);
      if (found !== undefined) return void ends.push('found');
      try {
        await ctx.client.create(ConfigMap.build({ name }));
        ends.push('made');
      } catch (error) {
        ends.push((error as { code: string }).code);
        throw error;
      }
    }),
  );
  await using env = await cluster({ runtime, operator: given });
  env.server.fail({ kind: 'ConfigMap', verb: 'watch', fault: { type: 'watch-delay', ms: 3000 } });
  env.server.breakWatches({ group: '', kind: 'ConfigMap' });
  await clock.advance(5000);
  await env.client.create(ConfigMap.build({ name: 'a', namespace: 'default' }));
  await env.client.create(thing('a'));
  await clock.advance(60_000);
  expect([ends[0], ends.at(-1)]).toEqual(['CLIENT_ALREADY_EXISTS', 'found']);
  expect(ends).not.toContain('made');
});

test('J-10: Lease times have six digits; the server refuses three', async () => {
  const runtime = virtualRuntime();
  await using env = await cluster({
    runtime,
    operator: thingOperator(things, { leaderElection: { identity: 'one' } }),
  });
  await runtime.clock.advance(5000);
  const { spec } = await env.client.get(Lease, 'thing-operator');
  const micro = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
  expect([spec?.acquireTime, spec?.renewTime].map((time) => micro.test(time ?? ''))).toEqual([true, true]);
  const short = Lease.build({ name: 'short', namespace: 'default', spec: { renewTime: '2026-01-01T00:00:00.123Z' } });
  await expect(env.client.create(short)).rejects.toMatchObject({ status: { code: 400 } });
});
