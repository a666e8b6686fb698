import { describe, expect, test, vi } from 'vitest';
import { kind, type KubeObject, type NamedRef } from '../api/index.ts';
import type { Client, ClientDefaults } from '../client/index.ts';
import { at, rejection, startedCache, testCache } from './cache.test-support.ts';
import { CachedClient, type CachedClientOptions } from './cached-client.ts';
import type { SentWrite } from './shared-cache.ts';
import { apiError, modelClient, ModelServer, Thing, thing } from './model-server.test-support.ts';
import { ObjectCodec } from './object-codec.ts';

const Box = kind<KubeObject>({ group: 'example.com', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Cluster' });
const Item = kind<KubeObject>({
  group: 'example.com',
  version: 'v1',
  kind: 'Item',
  plural: 'items',
  scope: 'Namespaced',
});

test('a write is remembered under the key its object has, whether or not the kind has namespaces', async () => {
  const remembered: (NamedRef | undefined)[] = [];
  const ledger = { delete: async ({ ref }: { ref: NamedRef | undefined }) => void remembered.push(ref) };
  const scope = { check: () => undefined };
  const options = { client: {}, reads: {}, ledger, scope, madeFor: undefined, defaultNamespace: 'default' };
  const client = new CachedClient(options as unknown as CachedClientOptions);
  const object = (kindName: string): KubeObject => ({
    apiVersion: 'example.com/v1',
    kind: kindName,
    metadata: { name: 'x', uid: 'u' },
  });
  await client.delete(object('Box'));
  await client.delete(Box, 'x');
  await client.delete(object('Item'));
  await client.delete(Item, 'x');
  expect(remembered).toEqual([
    { name: 'x' },
    { name: 'x' },
    { name: 'x', namespace: 'default' },
    { name: 'x', namespace: 'default' },
  ]);
});

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['get', (client) => client.get(undefined as never, 'a')],
  ['find', (client) => client.find(undefined as never, 'a')],
  ['list', (client) => client.list(undefined as never)],
  ['patch', async (client) => client.patch(undefined as never, 'a', {})],
  ['delete', async (client) => client.delete(undefined as never, 'a')],
])('%s of what is not a kind, as an import of modules that import each other gives it, says so', async (_, call) => {
  const { cache, client } = await startedCache(new ModelServer());
  expect(await rejection(call(client))).toMatchObject({
    code: 'CLIENT_OPTION_INVALID',
    message: expect.stringContaining('undefined is not a kind') as string,
  });
  await cache.stop();
});

describe('reads that the cache can answer', () => {
  test('metadata alone, and no more than wanted', async () => {
    const server = new ModelServer();
    for (const name of ['a', 'b', 'c']) server.put(thing(name));
    const { cache, client } = await startedCache(server);
    const before = server.requests.length;
    const one = await client.get(Thing, at('a'), { metadataOnly: true });
    expect(Object.keys(one).toSorted()).toEqual(['apiVersion', 'kind', 'metadata']);
    const some = await client.list(Thing, { metadataOnly: true, limit: 2 });
    expect(some.map((object) => ['spec' in object, object.metadata.name])).toEqual([
      [false, 'a'],
      [false, 'b'],
    ]);
    expect(server.requests).toHaveLength(before);
    await cache.stop();
  });

  test('CA-5: a list decodes what it returns and no more, whatever it is narrowed by', async () => {
    const server = new ModelServer();
    for (let i = 0; i < 200; i += 1) server.put(thing(`k${i}`, { labels: { third: String(i % 3 === 0) } }));
    const { cache, client } = await startedCache(server);
    const decode = vi.spyOn(ObjectCodec.prototype, 'decode');
    const decoded = async (list: () => unknown): Promise<number> => {
      decode.mockClear();
      await list();
      return decode.mock.calls.length;
    };
    expect(await decoded(() => client.list(Thing, { limit: 1 }))).toBe(1);
    expect(await decoded(() => cache.view.list(Thing, { limit: 2 }))).toBe(2);
    expect(await decoded(() => client.list(Thing, { labels: { third: 'true' } }))).toBe(67);
    expect(await decoded(() => client.list(Thing, { labels: { third: 'true' }, limit: 3 }))).toBe(3);
    expect(await decoded(() => cache.view.each(Thing).next())).toBe(1);
    expect(await client.list(Thing, { limit: 0 })).toEqual([]);
    decode.mockRestore();
    await cache.stop();
  });

  test('CA-5, CA-6: a list looks at no more than it must: as far as its limit, or at what an index names', async () => {
    const server = new ModelServer();
    for (let i = 0; i < 200; i += 1) server.put(thing(`k${i}`, { labels: { third: String(i % 3 === 0) } }));
    const { cache, client } = await startedCache(server);
    const labels = vi.spyOn(ObjectCodec.prototype, 'labels');
    const looked = async (list: () => Promise<unknown[]>): Promise<number[]> => {
      labels.mockClear();
      const found = await list();
      return [found.length, labels.mock.calls.length];
    };
    expect(await looked(() => client.list(Thing, { labels: 'third!=maybe', limit: 1 }))).toEqual([1, 1]);
    for (const selector of ['third=true', 'third in (true)', 'third in (true,maybe)']) {
      await client.list(Thing, { labels: selector });
      expect(await looked(() => client.list(Thing, { labels: selector }))).toEqual([67, 67]);
    }
    labels.mockRestore();
    await cache.stop();
  });

  test('a part or a version of its own is asked from the server', async () => {
    const asked: unknown[] = [];
    const live = new Proxy({} as Client, {
      get:
        (_, verb) =>
        (...args: unknown[]): Promise<undefined> => {
          asked.push([verb, ...args]);
          return Promise.resolve(undefined);
        },
    });
    const { cache } = testCache();
    const client = cache.client(live);
    await client.get(Thing, at('a'), { subresource: 'status' });
    await client.find(Thing, at('a'), { resourceVersion: '7' });
    await client.list(Thing, { resourceVersion: '0' });
    expect(asked).toEqual([
      ['get', Thing, at('a'), { subresource: 'status' }],
      ['find', Thing, at('a'), { resourceVersion: '7' }],
      ['list', Thing, { resourceVersion: '0' }],
    ]);
  });
});

describe('what only the server can do', () => {
  const live = (): { client: Client; asked: unknown[][] } => {
    const asked: unknown[][] = [];
    const answer = { apiVersion: 'v1', kind: 'Other', metadata: { name: 'x' } };
    const client: unknown = new Proxy(
      {},
      {
        get: (_, verb) =>
          function (...given: unknown[]): unknown {
            asked.push([verb, ...given]);
            return verb === 'subresource' ? client : Promise.resolve(answer);
          },
      },
    );
    return { client: client as Client, asked };
  };
  const [options, ref] = [{ fieldValidation: 'Warn' } as const, at('x')];
  const [mine, yours] = [{ preconditions: { uid: 'a' } }, { preconditions: { uid: 'b' } }];

  test('is asked of it with what was given', async () => {
    const { client: server, asked } = live();
    const client = testCache().cache.client(server);
    const object = thing('x');
    await client.token(ref, { audiences: ['a'] });
    await client.evict(ref, mine);
    await client.scale(Thing, ref);
    await client.scale(Thing, ref, 3, options);
    await client.create(object, options);
    await client.update(object, options);
    await client.patch(Thing, ref, [] as never, options);
    await client.apply(object, { manager: 'm' });
    await client.delete(object, mine);
    await client.delete(Thing, ref, yours);
    await client.deleteAll(Thing, { namespace: 'shop' });
    await client.kind('v1', 'Pod', {});
    await client.can({ verb: 'get', resource: 'pods' } as never, {});
    expect(asked).toEqual([
      ['token', ref, { audiences: ['a'] }],
      ['evict', ref, mine],
      ['scale', Thing, ref],
      ['scale', Thing, ref, 3, options],
      ['create', object, options],
      ['update', object, options],
      ['patch', Thing, ref, [], options],
      ['apply', object, { manager: 'm' }],
      ['delete', object, mine],
      ['delete', Thing, ref, yours],
      ['deleteAll', Thing, { namespace: 'shop' }],
      ['kind', 'v1', 'Pod', {}],
      ['can', { verb: 'get', resource: 'pods' }, {}],
    ]);
  });

  test('each write is told to the run it is made for: what kind of object, which one, and what was sent', async () => {
    const { client: server } = live();
    const told: unknown[] = [];
    const observe = <R>({ verb, kind: of, ref: one, part, body }: SentWrite, send: () => Promise<R>): Promise<R> => {
      told.push([verb, of.names.kind, one?.name, part, body]);
      return send();
    };
    const madeFor = { kind: Thing, key: 'default/owner', observe };
    const client = testCache().cache.client(server, { madeFor });
    const object = thing('x');
    await client.create(object);
    await client.update(object);
    await client.edit(object, () => undefined);
    await client.patch(Thing, ref, { spec: { size: 2 } });
    await client.patch(Thing, ref, { status: {} } as never, { subresource: 'status' });
    await client.apply(object, { manager: 'm' });
    await client.delete(object);
    await client.delete(Thing, ref);
    expect(told).toEqual([
      ['create', 'Thing', 'x', undefined, object],
      ['update', 'Thing', 'x', undefined, object],
      ['edit', 'Thing', 'x', undefined, undefined],
      ['patch', 'Thing', 'x', undefined, { spec: { size: 2 } }],
      ['patch', 'Thing', 'x', 'status', { status: {} }],
      ['apply', 'Thing', 'x', undefined, object],
      ['delete', 'Thing', 'x', undefined, undefined],
      ['delete', 'Thing', 'x', undefined, undefined],
    ]);
    told.length = 0;
    await client.patch(Thing, ref, { spec: { size: 2 } }, { dryRun: true });
    expect(told).toEqual([]);
  });

  test('parts of objects too', async () => {
    const { client: server, asked } = live();
    const part = testCache().cache.client(server).subresource(Thing, ref, 'status');
    const body = { status: {} } as never;
    await part.get({});
    await part.create(body, options);
    await part.update(body, options);
    await part.patch([] as never, options);
    await part.apply(body, { manager: 'm' });
    expect(asked).toEqual([
      ['subresource', Thing, ref, 'status'],
      ['get', {}],
      ['create', body, options],
      ['update', body, options],
      ['patch', [], options],
      ['apply', body, { manager: 'm' }],
    ]);
  });

  test('an eviction that is refused fails', async () => {
    const refused = { evict: () => Promise.reject(apiError(429, 'TooManyRequests')) } as unknown as Client;
    expect(await rejection(testCache().cache.client(refused).evict(ref))).toMatchObject({ status: { code: 429 } });
  });
});

describe('RW-1: writes that answer with another kind', () => {
  test('a Scale carries the version of the object it scales, and is waited for', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const given = await startedCache(server);
    let size = 5;
    const scale = (): Promise<unknown> => {
      const { metadata } = server.put(thing('a', { size }));
      return Promise.resolve({ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas: size } });
    };
    const subresource = (): object => ({ patch: scale });
    const client = given.cache.client({ ...modelClient(server), scale, subresource } as unknown as Client);
    const ways = [
      () => client.scale(Thing, at('a'), size),
      () => client.subresource(Thing, at('a'), 'scale').patch({ spec: { replicas: size } }),
    ];
    for (const way of ways) {
      size += 1;
      server.silent = true;
      expect((await way()).spec).toEqual({ replicas: size });
      const read = client.get(Thing, at('a'));
      await given.clock.settle();
      server.speak();
      expect((await read).spec).toEqual({ size });
    }
    await given.cache.stop();
  });
});

test('a client with defaults reads from the cache, in its namespace, and a dry run leaves nothing to wait for', async () => {
  const server = new ModelServer();
  server.put(thing('a', { namespace: 'shop' }));
  server.put(thing('a'));
  const given = await startedCache(server);
  const live = modelClient(server);
  const said: ClientDefaults[] = [];
  // A dry run as the server makes one: it answers with a version that never comes.
  const dry = { ...live, create: () => live.create(thing('b', { namespace: 'shop' }), { dryRun: true }) };
  const withDefaults = { ...live, with: (defaults: ClientDefaults) => (said.push(defaults), dry) };
  const shop = given.cache.client(withDefaults as unknown as Client).with({ namespace: 'shop', dryRun: true });
  expect((await shop.get(Thing, 'a')).metadata.namespace).toBe('shop');
  expect(await shop.list(Thing)).toHaveLength(1);
  await shop.create(thing('b', { namespace: 'shop' }));
  expect(await shop.list(Thing)).toHaveLength(1);
  expect(said).toEqual([{ namespace: 'shop', dryRun: true }]);
  await given.cache.stop();
});

test('what is dry stays dry, whatever is said after', async () => {
  const server = new ModelServer();
  const given = await startedCache(server);
  const live = modelClient(server);
  const answers = { ...live, with: (): unknown => answers, create: () => live.create(thing('b'), { dryRun: true }) };
  const client = given.cache.client(answers as unknown as Client);
  await client.with({ dryRun: true }).with({ manager: 'me', dryRun: false }).create(thing('b'));
  expect(await client.list(Thing)).toEqual([]);
  // Where nothing is dry, the version that was answered is waited for.
  await client.with({ manager: 'me' }).create(thing('b'));
  const failed = rejection(client.list(Thing));
  await given.clock.advance(10_000);
  expect(await failed).toMatchObject({ code: 'CACHE_WAIT_EXPIRED' });
  await given.cache.stop();
});

test('what is not said again stays: a namespace that is undefined does not open all of them', async () => {
  const server = new ModelServer();
  server.put(thing('a', { namespace: 'shop' }));
  server.put(thing('a'));
  const given = await startedCache(server);
  const live = { ...modelClient(server), with: (): unknown => live };
  const shop = given.cache.client(live as unknown as Client).with({ namespace: 'shop' });
  expect(await shop.with({ namespace: undefined, manager: 'me' }).list(Thing)).toHaveLength(1);
  await given.cache.stop();
});

test('whether an object is outside is asked once the read has its answer, not before', async () => {
  const arrived = Promise.withResolvers<KubeObject>();
  let isOutside = false;
  const options = {
    client: {},
    reads: { find: () => arrived.promise },
    ledger: {},
    madeFor: undefined,
    defaultNamespace: 'default',
    outside: () => isOutside,
  };
  const client = new CachedClient(options as unknown as CachedClientOptions);
  const inside = client.find(Item, 'x');
  const [left, object] = [client.find(Item, 'y'), { metadata: { name: 'x' } } as KubeObject];
  await Promise.resolve();
  isOutside = true;
  arrived.resolve(object);
  expect([await inside, await left]).toEqual([undefined, undefined]);
});
