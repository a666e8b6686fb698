import { describe, expect, test, vi } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { ApiError, isNotFound } from '../errors/index.ts';
import { at, codeOf, follow, rejection, startedCache, testCache } from './cache.test-support.ts';
import { apiError, ModelServer, Thing, thing } from './model-server.test-support.ts';
import { ObjectCodec } from './object-codec.ts';

const Cluster = kind<KubeObject>({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' });
const names = (objects: readonly KubeObject[]): string[] => objects.map(({ metadata }) => metadata.name);

describe('start and stop', () => {
  test('CA-1: a read before the start fails at once with a coded error', async () => {
    const { cache, client, clock } = testCache();
    cache.informer({ kind: Thing });
    expect(codeOf(() => cache.view.list(Thing))).toBe('CACHE_NOT_STARTED');
    expect(await rejection(client.get(Thing, at('a')))).toMatchObject({ code: 'CACHE_NOT_STARTED' });
    expect(clock.pending).toBe(0);
  });

  test('start resolves when all informers are synced, and fails with the name and error of the one that is not', async () => {
    const server = new ModelServer();
    for (let n = 0; n < 20; n += 1) server.failNext('watch', apiError(503, 'ServiceUnavailable'));
    const { cache, clock } = testCache({ syncTimeout: '20s' }, server);
    cache.informer({ kind: Thing });
    const failed = rejection(cache.start());
    await clock.advance(19_999);
    expect(cache.synced).toBe(false);
    await clock.advance(1);
    const error = await failed;
    expect(error.code).toBe('CACHE_SYNC_TIMEOUT');
    expect(error.message).toContain('Thing.example.com');
    expect(error.cause).toMatchObject({ code: 'CLIENT_UNAVAILABLE' });
    await cache.stop();
    expect(clock.pending).toBe(0);
  });

  test('the view never takes an informer that is not synced for an empty one; a client read waits for it', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    server.failNext('watch', apiError(503, 'ServiceUnavailable'));
    const { cache, client, clock } = testCache({}, server);
    cache.informer({ kind: Thing });
    void cache.start();
    await clock.settle();
    expect(codeOf(() => cache.view.list(Thing))).toBe('CACHE_NOT_SYNCED');
    const read = client.list(Thing);
    await clock.advance(2000);
    expect(names(await read)).toEqual(['a']);
    await cache.stop();
  });

  test('a client read gives up on an informer that does not sync in time', async () => {
    const server = new ModelServer();
    for (let n = 0; n < 30; n += 1) server.failNext('watch', apiError(503, 'ServiceUnavailable'));
    const { cache, client, clock } = testCache({ syncTimeout: '5s' }, server);
    cache.informer({ kind: Thing });
    cache.start().catch(() => undefined);
    const read = rejection(client.list(Thing));
    await clock.advance(5000);
    expect(await read).toMatchObject({ code: 'CACHE_SYNC_TIMEOUT' });
    await cache.stop();
  });

  test('an informer declared after the start is started at once', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache, clock } = await startedCache(server, { declare: [] });
    const informer = cache.informer({ kind: Thing });
    expect(cache.synced).toBe(false);
    await clock.settle();
    expect([informer.synced, cache.synced]).toEqual([true, true]);
    await cache.stop();
  });

  test('a stop closes every watch, ends every wait and leaves no timer', async () => {
    const server = new ModelServer();
    const { cache, client, clock } = await startedCache(server, { namespaces: ['default', 'shop'] });
    server.silent = true;
    await client.create(thing('a'));
    const waiting = rejection(client.get(Thing, at('a')));
    await cache.stop();
    await clock.settle();
    expect(await waiting).toMatchObject({ code: 'CACHE_STOPPED' });
    expect(server.open()).toEqual([]);
    expect(clock.pending).toBe(0);
    expect(codeOf(() => cache.view.list(Thing))).toBe('CACHE_STOPPED');
    expect(codeOf(() => cache.informer({ kind: Thing }))).toBe('CACHE_STOPPED');
  });

  test.each([
    [{ waitTimeout: 0 }, 'CACHE_OPTION_INVALID'],
    [{ syncTimeout: 'soon' as never }, 'CACHE_OPTION_INVALID'],
    [{ policy: 'lax' as never }, 'CACHE_OPTION_INVALID'],
    [{ namespaces: [] }, 'CACHE_NAMESPACES_INVALID'],
    [{ namespaces: ['a', ''] }, 'CACHE_NAMESPACES_INVALID'],
  ])('options out of range are refused: %j', (options, code) => {
    expect(codeOf(() => testCache(options))).toBe(code);
  });
});

describe('sharing', () => {
  test('IN-19: equal declarations share one watch, however they are written', async () => {
    const server = new ModelServer();
    const { cache, clock } = testCache({}, server);
    cache.informer({ kind: Thing, labels: { app: 'db', tier: 'x' }, namespaces: ['b', 'a'] });
    cache.informer({ kind: Thing, labels: 'tier=x,app=db', namespaces: ['a', 'b', 'a'] });
    void cache.start();
    await clock.settle();
    expect(server.requests.map(({ namespace }) => namespace)).toEqual(['a', 'b']);
    cache.informer({ kind: Thing, labels: { app: 'web' }, namespaces: ['a'] });
    await clock.settle();
    expect(server.requests).toHaveLength(3);
    await cache.stop();
  });

  test('IN-19: a whole informer serves metadata-only users too, whichever was declared first', async () => {
    const server = new ModelServer();
    server.put(thing('a', { size: 5 }));
    const { cache, clock } = testCache({}, server);
    cache.informer({ kind: Thing, metadataOnly: true });
    cache.informer({ kind: Thing });
    cache.informer({ kind: Thing, metadataOnly: true });
    void cache.start();
    await clock.settle();
    expect(server.requests).toMatchObject([{ verb: 'watch', metadataOnly: false }]);
    expect(cache.view.get(Thing, at('a')).spec).toEqual({ size: 5 });
    await cache.stop();
  });

  test('IN-19: whole objects asked for after the start of a metadata-only informer have a watch of their own', async () => {
    const server = new ModelServer();
    server.put(thing('a', { size: 3 }));
    const { cache, clock } = await startedCache(server, { declare: [{ kind: Thing, metadataOnly: true }] });
    cache.informer({ kind: Thing });
    await clock.settle();
    expect(cache.view.get(Thing, at('a')).spec).toEqual({ size: 3 });
    expect(server.requests.map(({ metadataOnly }) => metadataOnly === true)).toEqual([true, false]);
    await cache.stop();
  });

  test('IN-19: the watch is closed with its last user, and what a user added goes with it', async () => {
    const server = new ModelServer();
    const { cache, clock } = testCache({}, server);
    const first = cache.informer({ kind: Thing });
    const second = cache.informer({ kind: Thing });
    const seen = follow(first);
    first.index('size', () => ['1']);
    void cache.start();
    await clock.settle();
    await first.release();
    await first.release();
    server.put(thing('a'));
    await clock.settle();
    expect(seen).toEqual([]);
    expect(codeOf(() => second.by('size', '1'))).toBe('CACHE_INDEX_MISSING');
    expect(server.open()).toHaveLength(1);
    await second.release();
    await clock.settle();
    expect(server.open()).toHaveLength(0);
    expect(codeOf(() => cache.view.list(Thing))).toBe('CACHE_KIND_UNDECLARED');
    expect(clock.pending).toBe(0);
    await cache.stop();
  });

  test('a metadata-only informer asks for and hands out metadata alone and answers no read of whole objects', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache, clock } = testCache({}, server);
    const informer = cache.informer({ kind: Thing, metadataOnly: true });
    const objects: unknown[] = [];
    informer.handle(({ after }) => objects.push(after));
    void cache.start();
    await clock.settle();
    expect(objects).toEqual([
      {
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata: { ...thing('a').metadata, uid: 'uid-1', resourceVersion: '101' },
      },
    ]);
    expect(server.requests).toMatchObject([{ verb: 'watch', metadataOnly: true }]);
    expect(codeOf(() => cache.view.list(Thing))).toBe('CACHE_KIND_UNDECLARED');
    await cache.stop();
  });
});

describe('reads', () => {
  test('CA-3: of a cluster-scoped kind ignore a namespace', async () => {
    const server = new ModelServer();
    server.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });
    const { cache, clock } = testCache({ namespaces: ['default', 'shop'] }, server);
    cache.informer({ kind: Cluster });
    void cache.start();
    await clock.settle();
    expect(cache.view.get(Cluster, { name: 'n1', namespace: 'elsewhere' }).metadata.name).toBe('n1');
    expect(names(cache.view.list(Cluster, { namespace: 'elsewhere' }))).toEqual(['n1']);
    await cache.stop();
  });

  test("CA-4: NotFound equals the API's", async () => {
    const { cache, client } = await startedCache(new ModelServer());
    const error = await rejection(client.get(Thing, at('gone')));
    expect(error).toBeInstanceOf(ApiError);
    expect(isNotFound(error)).toBe(true);
    expect((error as ApiError).status).toEqual({
      code: 404,
      reason: 'NotFound',
      message: 'things.example.com "gone" not found',
      causes: [],
      retryAfterSeconds: undefined,
      details: { name: 'gone', group: 'example.com', kind: 'things' },
    });
    expect((error as ApiError).path).toBe('/apis/example.com/v1/namespaces/default/things/gone');
    expect(codeOf(() => cache.view.get(Thing, at('gone')))).toBe('CLIENT_NOT_FOUND');
    expect(await client.find(Thing, at('gone'))).toBeUndefined();
    await cache.stop();
  });

  test('CA-5: give private objects with apiVersion and kind, decoded one by one', async () => {
    const server = new ModelServer();
    for (const name of ['a', 'b']) server.put(thing(name));
    for (const object of server.objects.values()) Object.assign(object, { apiVersion: undefined, kind: undefined });
    const { cache } = await startedCache(server);
    const each = cache.view.each(Thing);
    const first = each.next().value as Thing;
    expect(first).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } });
    first.metadata.name = 'changed';
    expect(names(cache.view.list(Thing))).toEqual(['a', 'b']);
    const decode = vi.spyOn(ObjectCodec.prototype, 'decode');
    each.next();
    expect(decode).toHaveBeenCalledTimes(1);
    decode.mockRestore();
    await cache.stop();
  });

  test('CA-6: a list takes a namespace, labels and indexed fields', async () => {
    const server = new ModelServer();
    server.put(thing('a', { size: 1, labels: { app: 'db' } }));
    server.put(thing('b', { size: 2, labels: { app: 'db' } }));
    server.put(thing('c', { size: 1, namespace: 'shop' }));
    const { cache, client } = await startedCache(server);
    cache.informer({ kind: Thing }).index('spec.size', (object) => [String(object.spec?.size)]);
    expect(names(await client.list(Thing))).toEqual(['a', 'b', 'c']);
    expect(names(await client.list(Thing, { namespace: 'shop' }))).toEqual(['c']);
    expect(names(await client.list(Thing, { labels: 'app in (db)' }))).toEqual(['a', 'b']);
    expect(names(await client.list(Thing, { fields: { 'spec.size': '1' } }))).toEqual(['a', 'c']);
    expect(names(await client.list(Thing, { fields: 'spec.size=1', namespace: 'default' }))).toEqual(['a']);
    expect(names(await client.list(Thing, { fields: 'metadata.name=b' }))).toEqual(['b']);
    expect(server.requests.filter(({ verb }) => verb === 'list')).toEqual([]);
    await cache.stop();
  });

  test.each([
    [{ fields: 'spec.node=n1' }, 'CACHE_INDEX_MISSING'],
    [{ fields: 'metadata.name!=a' }, 'CACHE_SELECTOR_INVALID'],
    [{ fields: 'spec.node' }, 'CACHE_SELECTOR_INVALID'],
    [{ labels: 'app in (' }, 'CACHE_SELECTOR_INVALID'],
  ])('CA-6: what no index can answer is an error, never an empty list: %j', async (options, code) => {
    const { cache, client } = await startedCache(new ModelServer());
    expect(codeOf(() => cache.view.list(Thing, options))).toBe(code);
    expect(await rejection(client.list(Thing, options))).toMatchObject({ code });
    await cache.stop();
  });

  test('CA-7, CA-8: an index may give several values, covers what is stored, and several terms must all match', async () => {
    const server = new ModelServer();
    server.put(thing('a', { labels: { x: '1', y: '2' }, size: 1 }));
    server.put(thing('b', { labels: { y: '2' }, size: 2 }));
    const { cache, clock } = await startedCache(server);
    const informer = cache.informer({ kind: Thing });
    informer.index('label', (object) => Object.keys(object.metadata.labels ?? {}));
    informer.index('size', (object) => [String(object.spec?.size)]);
    expect(informer.by('label', 'y')).toEqual([at('a'), at('b')].map(({ name, namespace }) => ({ namespace, name })));
    expect(informer.by('label', 'x')).toHaveLength(1);
    expect(names(cache.view.list(Thing, { fields: 'label=y,size=2' }))).toEqual(['b']);
    server.put(thing('b', { labels: { x: '1' }, size: 2 }));
    server.remove('default/a');
    await clock.settle();
    expect(informer.by('label', 'y')).toEqual([]);
    expect(informer.by('label', 'x')).toMatchObject([{ name: 'b' }]);
    await cache.stop();
  });

  test('an index function that throws leaves out that object only', async () => {
    const server = new ModelServer();
    for (const name of ['a', 'b']) server.put(thing(name));
    const { cache, lines } = await startedCache(server);
    const informer = cache.informer({ kind: Thing });
    informer.index('all', ({ metadata }) => {
      if (metadata.name === 'a') throw new Error('no a');
      return ['x'];
    });
    expect(informer.by('all', 'x')).toMatchObject([{ name: 'b' }]);
    expect(lines.filter(({ level }) => level === 'error').map(({ fields }) => fields)).toMatchObject([
      { index: 'all', key: 'default/a' },
    ]);
    await cache.stop();
  });

  test('two users may give one name to different indexes; only a list through both is refused', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache } = await startedCache(server);
    const [one, two, three] = [
      cache.informer({ kind: Thing }),
      cache.informer({ kind: Thing }),
      cache.informer({ kind: Thing }),
    ];
    one.index('x', () => ['one']);
    expect(three.by('x', 'one')).toHaveLength(1);
    two.index('x', () => ['two']);
    expect([one.by('x', 'two'), two.by('x', 'two')].map(({ length }) => length)).toEqual([0, 1]);
    expect(codeOf(() => three.by('x', 'one'))).toBe('CACHE_INDEX_AMBIGUOUS');
    expect(codeOf(() => cache.view.list(Thing, { fields: 'x=one' }))).toBe('CACHE_INDEX_AMBIGUOUS');
    expect(codeOf(() => one.index('x', () => []))).toBe('CACHE_INDEX_EXISTS');
    await cache.stop();
  });

  test('an index of a kind serves informers that are there and that come later; one name is one index for each user', async () => {
    const server = new ModelServer();
    server.put(thing('a', { size: 1 }));
    const { cache } = await startedCache(server);
    const size = (object: KubeObject): string[] => [String((object as Thing).spec?.size)];
    const declared = (name: string, user: string) => cache.index(Thing, { name, user, keys: size });
    declared('size', 'one');
    expect(names(cache.view.list(Thing, { fields: 'size=1' }))).toEqual(['a']);
    const late = cache.informer({ kind: Thing, namespaces: ['default'] });
    await cache.synchronized([late]);
    expect(late.by('size', '1')).toEqual([at('a')]);
    expect(codeOf(() => declared('size', 'one'))).toBe('CACHE_INDEX_EXISTS');
    expect([codeOf(() => declared('size', 'two')), codeOf(() => declared('other', 'one'))]).toEqual([
      'no error',
      'no error',
    ]);
    await cache.stop();
  });

  test('a read that nothing watched can answer says where it looked and what is watched', async () => {
    const { cache } = await startedCache(new ModelServer(), { declare: [{ kind: Thing, namespaces: ['default'] }] });
    const message = (read: () => unknown): string => {
      try {
        return String(read());
      } catch (error) {
        return (error as Error).message;
      }
    };
    const where = message(() => cache.view.list(Thing, { namespace: 'other' }));
    expect(where).toContain('Thing.example.com in namespace other is not in the cache: only');
    expect(where).toContain('name a namespace that is watched');
    expect(message(() => cache.view.list(Thing))).toContain('Thing.example.com is not in the cache: only');
    expect(message(() => cache.view.list(Cluster))).toContain('it is not watched at all');
    await cache.stop();
  });

  test('the controller reference is an index', async () => {
    const server = new ModelServer();
    const owner = (uid: string, controller: boolean) => ({ apiVersion: 'v1', kind: 'X', name: 'x', uid, controller });
    const object = thing('a');
    server.put({
      ...object,
      metadata: { ...object.metadata, ownerReferences: [owner('u1', false), owner('u2', true)] },
    });
    const { cache } = await startedCache(server);
    const informer = cache.informer({ kind: Thing });
    expect(names(informer.ownedBy('u2'))).toEqual(['a']);
    expect(informer.ownedBy('u1')).toEqual([]);
    await cache.stop();
  });

  test('a name without a namespace is looked for in the default one, or refused', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const without = await startedCache(server);
    expect(codeOf(() => without.cache.view.get(Thing, 'a'))).toBe('CLIENT_NAMESPACE_MISSING');
    await without.cache.stop();
    const { cache } = await startedCache(server, { defaultNamespace: 'default' });
    expect(cache.view.get(Thing, 'a').metadata.name).toBe('a');
    await cache.stop();
  });
});
