// Others at the same objects: rivals, namesakes, webhooks that are down, namespaces on their way out.
import { controller, isWebhookUnavailable, operator } from 'kilter';
import { ConfigMap, Namespace, Secret } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster, type EmbeddedCluster } from '../../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator, things } from '../thing.test-support.ts';

const writesTo = (env: EmbeddedCluster, path: string, from = 0): string[] =>
  env.requests
    .slice(from)
    .filter((request) => request.method !== 'GET' && request.path.includes(path))
    .map(({ method, status }) => `${method} ${status}`);

describe('B-17: a rival writes the same object every 50 ms', () => {
  test('an apply converges without a storm, and leaves alone what only the rival owns', async () => {
    const runtime = virtualRuntime();
    const { clock } = runtime;
    await using env = await cluster({ runtime, operator: thingOperator(things), hotLoops: 'allow' });
    await env.client.create(thing('a', { x: '1' }));
    await clock.advance(1000);
    const from = env.requests.length;
    for (let n = 0; n < 200; n += 1) {
      const edit = { data: { x: 'rival', own: String(n) }, metadata: { annotations: { rival: String(n) } } };
      await env.client.patch(ConfigMap, 'a', edit, { manager: 'rival' });
      await clock.advance(50);
    }
    // Ten seconds: one answer to each write at most, however the rival insists.
    expect(
      writesTo(env, '/configmaps/a', from).filter((write) => write.startsWith('PATCH')).length,
    ).toBeLessThanOrEqual(400);
    await clock.advance(600_000);
    // Not one of them says anything of what only the rival writes, not even what it is just now.
    const bodies = env.requests
      .slice(from)
      .filter(({ path, userAgent }) => path.includes('/configmaps/a') && userAgent.startsWith('thing-operator/'))
      .map(({ body }) => body ?? '');
    expect(bodies.length).toBeGreaterThan(0);
    expect(bodies.filter((body) => /"(own|rival)":/.test(body))).toEqual([]);
    const { data, metadata } = await env.client.get(ConfigMap, 'a');
    expect([data?.['x'], data?.['own'], metadata.annotations?.['rival']]).toEqual(['1', '199', '199']);
  });

  test('an edit that loses five times is left to the backoff; what only the rival writes is never written over', async () => {
    const runtime = virtualRuntime();
    const { clock } = runtime;
    const runs: { at: number; tries: number; code: string }[] = [];
    const given = thingOperator((builder) =>
      builder.reconcile(async (object, ctx) => {
        const seen = await ctx.live.get(ConfigMap, object.metadata.name);
        const at = clock.monotonic();
        let tries = 0;
        const code = await ctx.client
          .edit(seen, (draft) => {
            tries += 1;
            (draft.data ??= {})['x'] = 'operator';
          })
          .then(
            () => 'written',
            (error: { code: string }) => error.code,
          );
        runs.push({ at, tries, code });
        if (code !== 'written') throw new Error(code);
      }),
    );
    const objects = [ConfigMap.build({ name: 'a', namespace: 'default', data: { x: '0', own: '0' } })];
    await using env = await cluster({ runtime, operator: given, objects, hotLoops: 'allow' });
    // Every patch takes longer than the rival needs for its next write.
    const slow = env.server.fail({ kind: 'ConfigMap', verb: 'patch', fault: { type: 'delay', ms: 120 } });
    await env.client.create(thing('a'));
    for (let n = 1; n <= 200; n += 1) {
      const current = await env.client.get(ConfigMap, 'a');
      await env.client.update({ ...current, data: { ...current.data, own: String(n) } }, { manager: 'rival' });
      await clock.advance(50);
    }
    expect(runs.length).toBeGreaterThanOrEqual(3);
    expect(runs.map(({ tries, code }) => `${tries} ${code}`)).toEqual(runs.map(() => '5 CLIENT_CONFLICT'));
    const gaps = runs.slice(1).map(({ at }, i) => at - (runs[i]?.at ?? 0));
    expect(gaps.at(-1)).toBeGreaterThan(gaps[0] ?? Infinity);
    slow();
    await clock.advance(60_000);
    expect((await env.client.get(ConfigMap, 'a')).data).toEqual({ x: 'operator', own: '200' });
    expect(runs.at(-1)).toMatchObject({ code: 'written' });
  });
});

test('B-21: a webhook of others that is down has a code of its own; backoff; other kinds proceed', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const attempts: number[] = [];
  const given = operator({
    name: 'op',
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet },
    controllers: [
      controller(Thing)
        .owns(ConfigMap)
        .owns(Secret)
        .onError((error) =>
          isWebhookUnavailable(error)
            ? {
                conditions: [
                  { type: 'Ready', status: 'Unknown', reason: 'AdmissionUnavailable', message: 'a webhook is down' },
                ],
              }
            : undefined,
        )
        .reconcile(async (object, ctx) => {
          if (object.spec.note === 'secret') {
            await ctx.apply(Secret.build({ name: object.metadata.name }));
            return;
          }
          attempts.push(clock.monotonic());
          await ctx.apply(configFor(object));
        }),
    ],
  });
  await using env = await cluster({ runtime, operator: given });
  const message =
    'Internal error occurred: failed calling webhook "v.example.com": failed to call webhook: Post "https://v.default.svc:443/?timeout=10s": dial tcp 10.0.0.1:443: connect: connection refused';
  const heal = env.server.fail({
    kind: 'ConfigMap',
    verb: 'patch',
    fault: { type: 'status', code: 500, reason: 'InternalError', message },
  });
  await env.client.create(thing('a', { x: '1' }));
  await env.client.create(Thing.build({ name: 'b', namespace: 'default', spec: { note: 'secret' } }));
  await clock.advance(30_000);
  const { status } = await env.client.get(Thing, 'a');
  expect(status).toMatchObject({ conditions: [{ type: 'Ready', status: 'Unknown', reason: 'AdmissionUnavailable' }] });
  await env.client.get(Secret, 'b');
  const gaps = attempts.slice(1).map((at, i) => at - (attempts[i] ?? 0));
  expect(gaps.length).toBeGreaterThan(2);
  expect(gaps.at(-1)).toBeGreaterThan(4 * (gaps[0] ?? Infinity));
  heal();
  await clock.advance(120_000);
  expect((await env.client.get(ConfigMap, 'a')).data).toEqual({ x: '1' });
  expect((await env.client.get(Thing, 'a')).status?.conditions ?? []).toEqual([]);
});

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet };

describe('B-31: a namespace on its way out', () => {
  test('a run that meets it is not retried, and its cleanup still runs', async () => {
    const runtime = virtualRuntime();
    const { clock } = runtime;
    const runs: string[] = [];
    const given = thingOperator((builder) =>
      builder
        .cleanup('example.com/x', async ({ metadata }) => void runs.push(`cleanup ${metadata.name}`))
        .reconcile(async (object, ctx) => {
          runs.push(`run ${object.metadata.name}`);
          // Only what exists before the namespace ends can be applied; this child is always a new one.
          await ctx.apply(ConfigMap.build({ name: `${object.metadata.name}-${runs.length}` }));
        }),
    );
    await using env = await cluster({ runtime, operator: given });
    await env.client.create(Namespace.build({ name: 'shop' }));
    const held = ConfigMap.build({ name: 'held', namespace: 'shop' });
    await env.client.create({ ...held, metadata: { ...held.metadata, finalizers: ['example.com/hold'] } });
    // The server refuses what is new in the namespace; the Thing itself is not deleted yet.
    const end = env.server.fail({
      kind: 'ConfigMap',
      verb: 'patch',
      namespace: 'shop',
      fault: {
        type: 'status',
        code: 403,
        reason: 'Forbidden',
        message: 'unable to create new content in namespace shop because it is being terminated',
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace shop is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    });
    await env.client.create(Thing.build({ name: 'a', namespace: 'shop', spec: { values: {} } }));
    await clock.advance(600_000);
    // Once for its creation, once for the finalizer it got; none of them again.
    expect(runs).toEqual(['run a', 'run a']);
    end();
    await env.client.delete(Namespace, 'shop');
    await clock.advance(5000);
    expect(runs).toContain('cleanup a');
    await env.gone(Thing, { namespace: 'shop', name: 'a' });
  });
});

test('B-31: a run for an object elsewhere is retried: the namespace of its child may come back', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const given = operator({
    name: 'op',
    logger: quiet,
    controllers: [
      controller(Thing)
        .writes(ConfigMap)
        .reconcile(async (_, ctx) => {
          await ctx.apply(ConfigMap.build({ name: 'far', namespace: 'shop', data: { x: '1' } }));
        }),
    ],
  });
  const held = ConfigMap.build({ name: 'held', namespace: 'shop' });
  const objects = [
    Namespace.build({ name: 'shop' }),
    { ...held, metadata: { ...held.metadata, finalizers: ['example.com/hold'] } },
  ];
  await using env = await cluster({ runtime, operator: given, objects });
  await env.client.delete(Namespace, 'shop');
  await env.client.create(thing('a'));
  await clock.advance(5000);
  await env.client.patch(ConfigMap, { namespace: 'shop', name: 'held' }, { metadata: { finalizers: null } });
  await env.gone(Namespace, 'shop');
  await env.client.create(Namespace.build({ name: 'shop' }));
  await env.eventually(ConfigMap, { namespace: 'shop', name: 'far' }, { data: { x: '1' } }, { within: '5m' });
});

test('B-39, R-8: deleted and created again under one name during a run: the stale run changes nothing of the new one', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const ends: string[] = [];
  let resume: () => void = () => undefined;
  const given = thingOperator((builder) =>
    builder.reconcile(async (object, ctx) => {
      const { uid } = object.metadata;
      if (ends.length === 0) {
        ends.push('held');
        const child = await ctx.apply(configFor(object));
        await new Promise<void>((resolve) => (resume = resolve));
        const codeOf = (write: Promise<unknown>) =>
          write.then(
            () => 'written',
            (error: { code: string }) => error.code,
          );
        ends.push(`delete ${await codeOf(Promise.resolve(ctx.client.delete(child)))}`);
        ends.push(`status ${await codeOf(ctx.status({ note: `of ${uid}` }))}`);
        return;
      }
      await ctx.apply(configFor(object));
      await ctx.status({ note: `of ${uid}` });
    }),
  );
  await using env = await cluster({ runtime, operator: given });
  await env.client.create(thing('a', { x: 'old' }));
  await clock.advance(1000);
  const old = await env.client.get(Thing, 'a');
  await env.client.delete(Thing, 'a');
  await clock.advance(5000);
  await env.client.create(thing('a', { x: 'new' }));
  await env.client
    .create(ConfigMap.build({ name: 'a', namespace: 'default', data: { of: 'the new one' } }))
    .catch(ignore);
  resume();
  await clock.advance(60_000);
  const now = await env.client.get(Thing, 'a');
  expect(now.metadata.uid).not.toBe(old.metadata.uid);
  expect(ends.slice(1)).toEqual(['delete CLIENT_CONFLICT', expect.stringMatching(/^status CLIENT_/)]);
  expect(now.status?.note).toBe(`of ${now.metadata.uid}`);
  const child = await env.client.get(ConfigMap, 'a');
  expect(child.data).toMatchObject({ x: 'new' });
  expect(child.metadata.ownerReferences).toMatchObject([{ uid: now.metadata.uid }]);
});
