// What a controller's declarations mean together, on the embedded server with a virtual clock.
import { controller, type KilterError, operator, requeueAfter, waitFor } from 'kilter';
import { customResource } from 'kilter/crd';
import { ConfigMap, Namespace, Secret } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cluster } from '../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator } from './thing.test-support.ts';

class Fleet extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Fleet',
  scope: 'Cluster',
  spec: z.object({ names: z.array(z.string()).default([]) }),
}) {}

const settle = 1000;
const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet };
const inShop = Namespace.build({ name: 'shop' });
const codeOf = (error: unknown): string => (error as KilterError).code;
const writes = (requests: readonly { method: string; path: string }[]) =>
  requests.filter(({ method, path }) => method !== 'GET' && !path.includes('/events'));

describe('the selectors of a controller bound its runs', () => {
  const sharded = (shard: string) => controller(Thing, { name: shard, labels: { shard } }).owns(ConfigMap);
  const labelled = (name: string, shard: string): Thing => ({
    ...thing(name),
    metadata: { name, namespace: 'default', labels: { shard } },
  });

  test('RC-21, RC-11: an object another informer knows is not run, and one that left is not run again', async () => {
    const runtime = virtualRuntime();
    const seen: string[] = [];
    const record = (shard: string) =>
      sharded(shard).reconcile(async (object, ctx) => {
        seen.push(`${shard}:${object.metadata.name}`);
        await ctx.apply(configFor(object));
        return requeueAfter('1m', 'poll');
      });
    const both = operator({ name: 'shards', logger: quiet, controllers: [record('a'), record('b')] });
    await using env = await cluster({ operator: both, runtime });
    await env.client.create(labelled('one', 'a'));
    await env.client.create(labelled('two', 'b'));
    await runtime.clock.advance(settle);
    // The children of one shard's objects are known to the other controller too.
    await env.client.patch(ConfigMap, 'two', { metadata: { labels: { touched: 'x' } } });
    await runtime.clock.advance(settle);
    expect([...new Set(seen)].toSorted()).toEqual(['a:one', 'b:two']);
    await env.client.patch(Thing, 'one', { metadata: { labels: { shard: 'b' } } });
    await runtime.clock.advance(settle);
    seen.length = 0;
    await runtime.clock.advance(180_000);
    expect(new Set(seen)).toEqual(new Set(['b:one', 'b:two']));
  });

  test('RC-21, RC-19: by key, a bounded controller is not woken for what lies outside', async () => {
    const runtime = virtualRuntime();
    const seen: string[] = [];
    const bounded = controller(Thing, { labels: { shard: 'a' } })
      .watches(ConfigMap, (map) => map.data?.['of'])
      .reconcileKey(async (ref) => void seen.push(ref.name));
    const every = controller(Thing, { name: 'all' }).reconcile(async () => {});
    await using env = await cluster({
      operator: operator({ name: 'x', logger: quiet, controllers: [bounded, every] }),
      runtime,
    });
    await env.client.create(labelled('in', 'a'));
    await env.client.create(labelled('out', 'b'));
    await runtime.clock.advance(settle);
    seen.length = 0;
    for (const owner of ['in', 'out', 'nobody']) {
      await env.client.create(ConfigMap.build({ name: owner, namespace: 'default', data: { of: owner } }));
    }
    await runtime.clock.advance(settle);
    expect(seen).toEqual(['in']);
  });
});

test('RC-21: by key, an object that left is gone to its old controller, though another one knows it', async () => {
  const runtime = virtualRuntime();
  const seen: string[] = [];
  const sharded = (shard: string) =>
    controller(Thing, { name: shard, labels: { shard } }).reconcileKey(async (ref, ctx) => {
      const found = await ctx.client.find(Thing, ref);
      seen.push(`${shard}:${found === undefined ? 'gone' : 'there'}`);
      return found && requeueAfter('1m', 'poll');
    });
  const given = operator({ name: 'x', logger: quiet, controllers: [sharded('a'), sharded('b')] });
  await using env = await cluster({ operator: given, runtime });
  await env.client.create(Thing.build({ name: 't', namespace: 'default', labels: { shard: 'a' }, spec: {} }));
  await runtime.clock.advance(settle);
  await env.client.patch(Thing, 't', { metadata: { labels: { shard: 'b' } } });
  await runtime.clock.advance(180_000);
  expect(seen.filter((one) => one.startsWith('a'))).toEqual(['a:there', 'a:gone']);
  expect(seen.filter((one) => one === 'b:there').length).toBeGreaterThan(2);
});

describe('a cluster-scoped object', () => {
  const fleets = (build: (fleet: Fleet) => ConfigMap[]) =>
    operator({
      name: 'fleets',
      logger: quiet,
      controllers: [
        controller(Fleet)
          .owns(ConfigMap, { prune: true })
          .owns(Namespace, { prune: true })
          .reconcile(async (fleet, ctx) => {
            for (const child of build(fleet)) await ctx.apply(child);
            // A namespace a cluster-scoped kind has no use for.
            await ctx.apply(Namespace.build({ name: `${fleet.metadata.name}-ns`, namespace: 'default' }));
          }),
      ],
    });

  test('RC-22: must say the namespace of a child that has one', async () => {
    const runtime = virtualRuntime();
    const given = fleets(() => [ConfigMap.build({ name: 'child', data: {} })]);
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(Fleet.build({ name: 'a', spec: { names: [] } }));
    await runtime.clock.advance(10_000);
    expect(env.managers[0]?.runs.recent().at(-1)?.error).toContain('CLIENT_NAMESPACE_MISSING');
    expect(await env.client.find(ConfigMap, 'child')).toBeUndefined();
  });

  test('AP-6: prunes what it did not apply, and leaves what it did', async () => {
    const runtime = virtualRuntime();
    const given = fleets(({ spec }) => spec.names.map((name) => ConfigMap.build({ name, namespace: 'default' })));
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(Fleet.build({ name: 'a', spec: { names: ['x', 'y'] } }));
    await env.eventually(ConfigMap, 'y', {});
    await env.client.patch(Fleet, 'a', { spec: { names: ['x'] } });
    await env.gone(ConfigMap, 'y');
    await runtime.clock.advance(settle);
    const before = writes(env.requests).length;
    await runtime.clock.advance(60_000);
    expect(writes(env.requests)).toHaveLength(before);
    expect(await env.client.find(ConfigMap, 'x')).toBeDefined();
    expect(await env.client.find(Namespace, 'a-ns')).toBeDefined();
  });

  test('AP-6: a declaration that prunes leaves the children of one that does not', async () => {
    const runtime = virtualRuntime();
    const configs = controller(Fleet)
      .owns(ConfigMap, { labels: { use: 'cache' }, prune: true })
      .owns(ConfigMap, { labels: { use: 'data' } })
      .reconcile(async ({ spec }, ctx) => {
        for (const name of spec.names) {
          await ctx.apply(ConfigMap.fields({ name, namespace: 'default', labels: { use: name } }));
        }
      });
    await using env = await cluster({ operator: operator({ name: 'two', controllers: [configs] }), runtime });
    await env.client.create(Fleet.build({ name: 'a', spec: { names: ['cache', 'data'] } }));
    await env.eventually(ConfigMap, 'data', {});
    await env.client.patch(Fleet, 'a', { spec: { names: [] } });
    await env.gone(ConfigMap, 'cache');
    await runtime.clock.advance(settle);
    expect(await env.client.find(ConfigMap, 'data')).toBeDefined();
  });
});

describe('a selector hides what is there', () => {
  const hiding = (adopt: 'ifOrphan' | 'never', seen: unknown[]) =>
    operator({
      name: 'hiding',
      logger: quiet,
      controllers: [
        controller(Thing)
          .owns(ConfigMap, { labels: { app: 'x' } })
          .reconcile(async (object, ctx) => {
            const child = ConfigMap.build({ name: object.metadata.name, labels: { app: 'x' }, data: { mine: '1' } });
            await ctx.apply(child, { adopt }).catch((error: unknown) => seen.push(codeOf(error)));
            const missing = ctx.client.get(ConfigMap, 'hidden').catch((error: unknown) => seen.push(String(error)));
            await missing;
          }),
      ],
    });

  test('OW-3: what must not be adopted is not, and is asked of the server', async () => {
    const runtime = virtualRuntime();
    const seen: unknown[] = [];
    const objects = [ConfigMap.build({ name: 'a', namespace: 'default', data: { old: '1' } })];
    await using env = await cluster({ operator: hiding('never', seen), runtime, objects });
    await env.client.create(thing('a'));
    await runtime.clock.advance(settle);
    expect(seen[0]).toBe('RECONCILE_ORPHAN_NOT_ADOPTED');
    expect((await env.client.get(ConfigMap, 'a')).data).toEqual({ old: '1' });
  });

  test('OW-3: a hidden child of another is refused before anything is sent', async () => {
    const runtime = virtualRuntime();
    const seen: unknown[] = [];
    await using env = await cluster({ operator: hiding('ifOrphan', seen), runtime });
    const { metadata } = await env.client.create(Secret.build({ name: 's', namespace: 'default' }));
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 's', uid: metadata.uid ?? '', controller: true };
    const other = ConfigMap.build({ name: 'a', namespace: 'default' });
    await env.client.create({ ...other, metadata: { ...other.metadata, ownerReferences: [owner] } });
    await env.client.create(thing('a'));
    await runtime.clock.advance(settle);
    expect(seen[0]).toBe('RECONCILE_OWNED_BY_OTHER');
  });

  test('CA-4: NotFound names the selector', async () => {
    const runtime = virtualRuntime();
    const seen: unknown[] = [];
    await using env = await cluster({ operator: hiding('ifOrphan', seen), runtime });
    await env.client.create(thing('a'));
    await runtime.clock.advance(settle);
    expect(String(seen[0])).toContain('configmaps "hidden" not found');
    expect(String(seen[0])).toContain('holds only ConfigMap with app=x');
  });
});

describe('a bare name', () => {
  test('RC-22: means the namespace of the object, in every reader and writer of a run', async () => {
    const runtime = virtualRuntime();
    const seen: unknown[] = [];
    const given = thingOperator((builder) =>
      builder
        .references(Secret, (object) => object.spec.note)
        .writes(Secret)
        .reconcile(async (_, ctx) => {
          const found = [
            await ctx.client.find(Secret, 's'),
            await ctx.live.find(Secret, 's'),
            ctx.cache.find(Secret, 's'),
            await ctx.client.get(Secret, 's', { subresource: undefined, resourceVersion: '0' }),
            await ctx.client.patch(Secret, 's', { metadata: { labels: { a: 'b' } } }),
            await ctx.apply(Secret.fields({ name: 's', labels: { c: 'd' } }), { owner: false }),
          ];
          seen.push(...found.map((secret) => secret?.metadata.namespace));
          const made = await ctx.client.create(ConfigMap.build({ name: `made-${runtime.uuid()}` }));
          seen.push(made.metadata.namespace, (await ctx.client.list(Secret)).length);
        }),
    );
    const secrets = ['default', 'shop'].map((namespace) => Secret.build({ name: 's', namespace }));
    await using env = await cluster({ operator: given, runtime, objects: [inShop, ...secrets] });
    await env.client.create({ ...thing('a'), metadata: { name: 'a', namespace: 'shop' } });
    await runtime.clock.advance(settle);
    expect(seen.slice(0, 8)).toEqual([...Array.from({ length: 7 }, () => 'shop'), 2]);
  });

  test('RC-22: of a reference means the namespace of the object', async () => {
    const runtime = virtualRuntime();
    const woken: string[] = [];
    const given = thingOperator((builder) =>
      builder
        .references(Secret, (object) => object.spec.note)
        .reconcile(async ({ metadata }) => void woken.push(`${metadata.namespace}/${metadata.name}`)),
    );
    await using env = await cluster({ operator: given, runtime, objects: [inShop] });
    for (const namespace of ['default', 'shop']) {
      await env.client.create({ ...thing('a'), metadata: { name: 'a', namespace }, spec: { values: {}, note: 's' } });
    }
    await runtime.clock.advance(settle);
    woken.length = 0;
    await env.client.create(Secret.build({ name: 's', namespace: 'shop' }));
    await runtime.clock.advance(settle);
    expect(woken).toEqual(['shop/a']);
  });

  test('RC-22: is refused where the object has no namespace to share', async () => {
    const runtime = virtualRuntime();
    const codes: unknown[] = [];
    const given = controller(Fleet)
      .reads(Secret)
      .reconcile(async (_, ctx) => {
        const attempts = [
          () => ctx.client.find(Secret, 's'),
          () => ctx.client.create(ConfigMap.build({ name: 'x' })),
          () => ctx.client.delete(Secret, 's'),
          () => ctx.live.get(Secret, 's'),
          async () => ctx.cache.find(Secret, 's'),
          () => ctx.client.find(Secret, { name: 's', namespace: 'default' }),
        ];
        for (const attempt of attempts) codes.push(await attempt().catch(codeOf));
      });
    await using env = await cluster({
      operator: operator({ name: 'x', logger: quiet, controllers: [given] }),
      runtime,
      objects: [Secret.build({ name: 's', namespace: 'default' })],
    });
    await env.client.create(Fleet.build({ name: 'a', spec: {} }));
    await runtime.clock.advance(settle);
    expect(codes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'CLIENT_NAMESPACE_MISSING'));
    expect(codes[5]).toMatchObject({ metadata: { namespace: 'default' } });
    expect(await env.client.find(Secret, 's')).toBeDefined();
  });
});

describe('declarations of one kind', () => {
  test('ctx.owned sees the children of all of them, each once', async () => {
    const runtime = virtualRuntime();
    const seen: string[][] = [];
    const given = controller(Thing)
      .owns(ConfigMap, { labels: { tier: 'a' } })
      .owns(ConfigMap, { labels: { tier: ['a', 'b'] } })
      .reconcile(async (_, ctx) => {
        for (const tier of ['a', 'b']) await ctx.apply(ConfigMap.build({ name: tier, labels: { tier } }));
        seen.push((await ctx.owned(ConfigMap)).map(({ metadata }) => metadata.name));
      });
    await using env = await cluster({
      operator: operator({ name: 'x', logger: quiet, controllers: [given] }),
      runtime,
    });
    await env.client.create(thing('t'));
    await runtime.clock.advance(settle);
    expect(seen[0]?.toSorted()).toEqual(['a', 'b']);
  });

  test('CA-13: reads takes selectors, namespaces and metadataOnly', async () => {
    const runtime = virtualRuntime();
    const seen: unknown[] = [];
    const given = controller(Thing)
      .reads(Secret, { namespaces: ['default'], labels: { app: 'x' } })
      .reads(ConfigMap, { metadataOnly: true })
      .reconcile(async (_, ctx) => {
        seen.push(ctx.cache.list(Secret, { namespace: 'default' }).map(({ metadata }) => metadata.name));
        seen.push(await ctx.client.find(Secret, { name: 'in', namespace: 'shop' }).catch(codeOf));
        seen.push(await ctx.client.find(ConfigMap, 'map').catch(codeOf));
        const map = await ctx.client.get(ConfigMap, 'map', { metadataOnly: true });
        const listed = ctx.cache.list(ConfigMap, { metadataOnly: true, fields: { 'metadata.name': 'map' } });
        seen.push(Object.keys(map), listed.length);
      });
    const secret = (name: string, namespace: string, app: string) => Secret.build({ name, namespace, labels: { app } });
    await using env = await cluster({
      operator: operator({ name: 'x', logger: quiet, controllers: [given] }),
      runtime,
      objects: [
        inShop,
        secret('in', 'default', 'x'),
        secret('out', 'default', 'y'),
        secret('in', 'shop', 'x'),
        ConfigMap.build({ name: 'map', namespace: 'default', data: { a: 'b' } }),
      ],
    });
    await env.client.create(thing('a'));
    await runtime.clock.advance(settle);
    expect(seen).toEqual([
      ['in'],
      'CACHE_KIND_UNDECLARED',
      'CACHE_KIND_UNDECLARED',
      ['apiVersion', 'kind', 'metadata'],
      1,
    ]);
  });
});

test('CA-6, CA-12: indexes of any declared kind serve lists of client and cache, and each controller has its own', async () => {
  const runtime = virtualRuntime();
  const seen: unknown[] = [];
  const names = (objects: readonly { metadata: { name: string } }[]) => objects.map(({ metadata }) => metadata.name);
  const first = controller(Thing, { name: 'first', labels: { shard: 'a' } })
    .owns(ConfigMap)
    .reads(Secret)
    .index('note', ({ spec }) => spec.note)
    .index(ConfigMap, 'owner', ({ metadata }) => metadata.ownerReferences?.map(({ name }) => name))
    .index(Secret, 'type', (secret) => secret.type)
    .reconcile(async (_, ctx) => {
      await ctx.apply(ConfigMap.build({ name: 'child' }));
      seen.push(names(await ctx.client.list(ConfigMap, { fields: { owner: 'a' } })));
      seen.push(names(ctx.cache.by(Secret, 'type', 'kilter.dev/x')), ctx.cache.by(Secret, 'type', undefined));
      seen.push(
        names(ctx.cache.list(Thing, { fields: 'note=n' })),
        names(await ctx.client.list(Thing, { fields: { note: 'n' } })),
      );
      seen.push(ctx.primaries.by('note', 'n').map(({ name }) => name));
    });
  // The same name for something else, over an informer that serves both.
  const second = controller(Thing, { name: 'second' })
    .index('note', ({ metadata }) => metadata.name)
    .reconcile(async () => {});
  await using env = await cluster({
    operator: operator({ name: 'x', logger: quiet, controllers: [first, second] }),
    runtime,
    objects: [Secret.build({ name: 's', namespace: 'default', type: 'kilter.dev/x' })],
  });
  const noted = (name: string, shard: string): Thing =>
    Thing.build({ name, namespace: 'default', labels: { shard }, spec: { note: 'n' } });
  await env.client.create(noted('other', 'b'));
  await env.client.create(noted('a', 'a'));
  await runtime.clock.advance(settle);
  expect(seen.slice(0, 6)).toEqual([['child'], ['s'], [], ['other', 'a'], ['other', 'a'], ['a']]);
});

test('RC-10: waiting for no time at all is not a busy loop', async () => {
  const runtime = virtualRuntime();
  let runs = 0;
  const given = thingOperator((builder) =>
    builder.reconcile(async () => {
      runs += 1;
      waitFor('what never comes', runs % 2 === 0 ? 0 : -5);
    }),
  );
  await using env = await cluster({ operator: given, runtime });
  await env.client.create(thing('a'));
  await runtime.clock.advance(60_500);
  expect(runs).toBeGreaterThan(10);
  expect(runs).toBeLessThan(15);
});

test('WG-1: what reads from the server cannot be made to write', async () => {
  const runtime = virtualRuntime();
  const found: unknown[] = [];
  const given = thingOperator((builder) =>
    builder.reconcile(async (_, ctx) => {
      const live = ctx.live as unknown as Record<string, unknown>;
      found.push(Object.getOwnPropertyNames(live), Object.getPrototypeOf(live) === Object.prototype);
      found.push(Object.isFrozen(live), Object.isFrozen(ctx.cache));
    }),
  );
  await using env = await cluster({ operator: given, runtime });
  await env.client.create(thing('a'));
  await runtime.clock.advance(settle);
  expect(found).toEqual([['get', 'find', 'list'], true, true, true]);
});

test('WQ-9, RC-19: by key, the timer of an object that is gone does not fire', async () => {
  const runtime = virtualRuntime();
  const seen: string[] = [];
  const given = controller(Thing).reconcileKey(async (ref, ctx) => {
    const found = await ctx.client.find(Thing, ref);
    seen.push(found === undefined ? 'gone' : 'there');
    if (found !== undefined) return requeueAfter('1m', 'poll');
  });
  await using env = await cluster({ operator: operator({ name: 'x', logger: quiet, controllers: [given] }), runtime });
  await env.client.create(thing('a'));
  await runtime.clock.advance(settle);
  await env.client.delete(Thing, 'a');
  await runtime.clock.advance(600_000);
  expect(seen).toEqual(['there', 'gone']);
});

test('RC-20: onError gets what was thrown, as it was thrown', async () => {
  class Refused extends Error {}
  const runtime = virtualRuntime();
  const given = thingOperator((builder) =>
    builder
      .onError((error) => ({ note: `${error instanceof Refused}: ${String(error)}` }))
      .reconcile(async () => {
        throw new Refused('no');
      }),
  );
  await using env = await cluster({ operator: given, runtime });
  await env.client.create(thing('a'));
  await env.eventually(Thing, 'a', { status: { note: 'true: Error: no' } });
});
