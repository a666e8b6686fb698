import { describe, expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { isNotFound } from '../errors/index.ts';
import { type ResolvedDeclaration, resolveDeclaration } from './declaration.ts';
import { undeclared } from './read-errors.ts';
import { at, codeOf, follow, rejection, startedCache, testCache } from './cache.test-support.ts';
import { apiError, ModelServer, Thing, thing } from './model-server.test-support.ts';

const Cluster = kind<KubeObject>({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' });
const names = (objects: readonly KubeObject[]): string[] => objects.map(({ metadata }) => metadata.name);

describe('several namespaces', () => {
  test('CA-9: each is watched once, nothing comes twice, and a read outside is not a NotFound', async () => {
    const server = new ModelServer();
    for (const namespace of ['default', 'shop', 'other']) server.put(thing('a', { namespace }));
    const given = testCache({ namespaces: ['default', 'shop'] }, server);
    const seen = follow(given.cache.informer({ kind: Thing }));
    given.cache.informer({ kind: Cluster });
    void given.cache.start();
    await given.clock.settle();
    expect(seen).toEqual(['add default/a@101 initial', 'add shop/a@102 initial']);
    expect(server.requests.map(({ namespace }) => namespace)).toEqual(['default', 'shop', undefined]);
    expect(given.cache.view.list(Thing)).toHaveLength(2);
    expect(codeOf(() => given.cache.view.get(Thing, at('a', 'other')))).toBe('CACHE_KIND_UNDECLARED');
    expect(codeOf(() => given.cache.view.list(Thing, { namespace: 'other' }))).toBe('CACHE_KIND_UNDECLARED');
    expect(await rejection(given.client.get(Thing, at('b', 'other')))).toMatchObject({ code: 'CACHE_KIND_UNDECLARED' });
    await given.cache.stop();
  });

  test('CA-9: a re-sync of one namespace touches no other', async () => {
    const server = new ModelServer();
    for (const namespace of ['default', 'shop']) server.put(thing('a', { namespace }));
    const { cache, clock } = testCache({ namespaces: ['default', 'shop'] }, server);
    const seen = follow(cache.informer({ kind: Thing }));
    void cache.start();
    await clock.settle();
    server.silent = true;
    server.remove('default/a');
    server.open()[0]?.push({ error: apiError(410, 'Expired') });
    await clock.settle();
    expect(seen.slice(2)).toEqual(['delete default/a@101 finalStateUnknown']);
    expect(server.requests.slice(2).map(({ namespace }) => namespace)).toEqual(['default']);
    await cache.stop();
  });

  test('a list over all namespaces is not a list of the few that happen to be watched', async () => {
    const server = new ModelServer();
    const { cache } = await startedCache(server, { declare: [{ kind: Thing, namespaces: ['default'] }] });
    expect(codeOf(() => cache.view.list(Thing))).toBe('CACHE_KIND_UNDECLARED');
    expect(cache.view.list(Thing, { namespace: 'default' })).toEqual([]);
    await cache.stop();
  });

  test('a list over all configured namespaces needs every one of them watched', async () => {
    const declare = [{ kind: Thing, namespaces: ['default'] }];
    const { cache } = await startedCache(new ModelServer(), { namespaces: ['default', 'shop'], declare });
    expect(codeOf(() => cache.view.list(Thing))).toBe('CACHE_KIND_UNDECLARED');
    await cache.stop();
  });

  test('an informer without a selector answers alone: an index of its own is enough', async () => {
    const server = new ModelServer();
    server.put(thing('a', { size: 3, labels: { app: 'db' } }));
    const { cache } = await startedCache(server, {
      declare: [{ kind: Thing, labels: { app: 'db' } }, { kind: Thing }],
    });
    cache.informer({ kind: Thing }).index('size', (object) => [String(object.spec?.size)]);
    expect(names(cache.view.list(Thing, { fields: 'size=3' }))).toEqual(['a']);
    await cache.stop();
  });

  test('CA-10: a selector holds in every namespace', async () => {
    const server = new ModelServer();
    for (const namespace of ['default', 'shop']) {
      server.put(thing('in', { namespace, labels: { app: 'db' } }));
      server.put(thing('out', { namespace }));
    }
    const declare = [{ kind: Thing, labels: { app: 'db' } }];
    const { cache } = await startedCache(server, { namespaces: ['default', 'shop'], declare });
    expect(names(cache.view.list(Thing))).toEqual(['in', 'in']);
    expect(cache.view.find(Thing, at('out', 'shop'))).toBeUndefined();
    await cache.stop();
  });

  test('several informers of a kind answer together, each object once', async () => {
    const server = new ModelServer();
    server.put(thing('both', { labels: { app: 'db', tier: 'x' } }));
    server.put(thing('one', { labels: { app: 'db' } }));
    server.put(thing('two', { labels: { tier: 'x' } }));
    const { cache } = await startedCache(server, {
      declare: [
        { kind: Thing, labels: { app: 'db' } },
        { kind: Thing, labels: { tier: 'x' } },
      ],
    });
    expect(names(cache.view.list(Thing)).toSorted()).toEqual(['both', 'one', 'two']);
    expect(cache.view.get(Thing, at('two')).metadata.name).toBe('two');
    await cache.stop();
  });
});

describe('CA-2: a read of what is not declared', () => {
  test.each([
    ['only the metadata', { metadataOnly: true }, 'read the cached metadata with { metadataOnly: true }'],
    ['other namespaces', { namespaces: ['default'] }, 'name a namespace that is watched'],
  ])('says what to do where %s are watched', async (_, declared, cure) => {
    const { cache, client } = await startedCache(new ModelServer(), { declare: [{ kind: Thing, ...declared }] });
    expect(await rejection(client.list(Thing))).toMatchObject({ cure: expect.stringContaining(cure) });
    await cache.stop();
  });

  test('is a coded error under strict, the default, and starts nothing', async () => {
    const { cache, client, server } = await startedCache(new ModelServer(), { declare: [] });
    const error = await rejection(client.get(Thing, at('a')));
    expect(error.code).toBe('CACHE_KIND_UNDECLARED');
    expect(isNotFound(error)).toBe(false);
    expect(await rejection(client.list(Thing))).toMatchObject({ code: 'CACHE_KIND_UNDECLARED' });
    expect(server.requests).toEqual([]);
    await cache.stop();
  });

  test('goes to the server under adhoc, and keeps nothing', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache, client } = await startedCache(server, { declare: [], policy: 'adhoc' });
    expect((await client.get(Thing, at('a'))).metadata.name).toBe('a');
    expect(names(await client.list(Thing))).toEqual(['a']);
    expect(server.requests.map(({ verb }) => verb)).toEqual(['get', 'list']);
    expect(server.open()).toEqual([]);
    await cache.stop();
  });

  test('starts an informer of that kind and namespace under extend, waits for it and keeps it', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    server.put(thing('b', { namespace: 'shop' }));
    const { cache, client, clock } = await startedCache(server, { declare: [], policy: 'extend' });
    expect((await client.get(Thing, at('a'))).metadata.name).toBe('a');
    expect(server.requests.map(({ verb, namespace }) => [verb, namespace])).toEqual([['watch', 'default']]);
    expect(await client.find(Thing, at('b'))).toBeUndefined();
    expect((await client.get(Thing, at('b', 'shop'))).metadata.name).toBe('b');
    expect(server.requests).toHaveLength(2);
    server.put(thing('c'));
    await clock.settle();
    expect(names(await client.list(Thing, { namespace: 'default' }))).toEqual(['a', 'c']);
    expect(server.requests).toHaveLength(2);
    await cache.stop();
    expect(clock.pending).toBe(0);
  });

  test('under extend, a kind that does not sync fails the read at the deadline and not the readiness', async () => {
    const server = new ModelServer();
    const { cache, client, clock } = await startedCache(server, { declare: [], policy: 'extend', syncTimeout: '3s' });
    for (let n = 0; n < 9; n += 1) server.failNext('watch', apiError(404, 'NotFound'));
    const read = rejection(client.get(Thing, at('a')));
    await clock.advance(3000);
    expect(await read).toMatchObject({ code: 'CACHE_SYNC_TIMEOUT' });
    expect(cache.synced).toBe(true);
    // Declared since, it counts as any other.
    cache.informer({ kind: Thing, namespaces: ['default'] });
    expect(cache.synced).toBe(false);
    await cache.stop();
  });
});

test('metrics tell per kind what is held, whether it is synced, and why it was read again', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  const { cache, clock, metrics } = await startedCache(server);
  await clock.advance(2000);
  expect(metrics.text()).toContain('kilter_cache_silence_seconds{kind="Thing.example.com"} 2');
  server.close();
  await clock.settle();
  server.break(apiError(410, 'Expired'));
  await clock.settle();
  const text = metrics.text();
  for (const line of [
    'kilter_cache_objects{kind="Thing.example.com"} 1',
    'kilter_cache_synced{kind="Thing.example.com"} 1',
    'kilter_cache_silence_seconds{kind="Thing.example.com"} 0',
    'kilter_cache_relists_total{kind="Thing.example.com",reason="initial"} 1',
    'kilter_cache_relists_total{kind="Thing.example.com",reason="expired"} 1',
    'kilter_watch_restarts_total{kind="Thing.example.com",reason="closed"} 1',
    'kilter_cache_errors_total{code="CLIENT_EXPIRED",kind="Thing.example.com"} 1',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).toMatch(/kilter_cache_bytes\{kind="Thing.example.com"\} \d{2,}/);
  await cache.stop();
});

test('what is not in the cache is told with what is, or that nothing is', () => {
  const undeclaredOf = (declared: readonly ResolvedDeclaration[]): string => undeclared(Thing, 'n', declared).message;
  expect(undeclaredOf([])).toContain('it is not watched at all');
  const declared = resolveDeclaration({ kind: Thing, namespaces: ['m'] }, undefined);
  expect(undeclaredOf([declared])).toMatch(/only .*m is watched/);
});
