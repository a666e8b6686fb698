import { describe, expect, test } from 'vitest';
import { KilterError } from '../errors/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import { at, follow, startedCache, type TestCache } from './cache.test-support.ts';
import { cached } from './cached-kind.ts';
import { apiError, ModelServer, Thing, thing } from './model-server.test-support.ts';
import { type VerifiedPart, Verifier } from './verifier.ts';

const differs = 'the cache differs from the server; its complete state is read again';
const complaints = ({ lines }: TestCache) => lines.filter(({ message }) => message === differs);
const lists = (server: ModelServer): number => server.requests.filter(({ verb }) => verb === 'list').length;

describe('RF-29: what is held is compared with the server', () => {
  /** A change that no watch ever delivers. */
  function unheard(server: ModelServer, change: () => unknown): void {
    server.silent = true;
    change();
    for (const stream of server.open()) stream.version = server.version;
    server.silent = false;
  }

  test.each([
    ['a missed update', (server: ModelServer) => server.put(thing('a', { size: 9 })), 'default/a'],
    ['a missed creation', (server: ModelServer) => server.put(thing('new')), 'default/new'],
    ['a missed deletion', (server: ModelServer) => server.remove('default/a'), 'default/a'],
  ])('%s is reported, counted, and healed by one re-sync', async (_, change, key) => {
    const server = new ModelServer();
    server.put(thing('a'));
    server.put(thing('b'));
    const given = await startedCache(server, { verifyEvery: '2m' });
    const seen = follow(given.cache.informer({ kind: Thing }));
    unheard(server, () => change(server));
    await given.clock.advance(2.2 * 60_000 + 40_000);
    expect(complaints(given).map(({ fields }) => fields)).toMatchObject([
      { kind: 'Thing.example.com', count: 1, keys: [key] },
    ]);
    expect(given.metrics.text()).toContain('kilter_cache_differences_total{kind="Thing.example.com"} 1');
    expect(given.metrics.text()).toContain('kilter_cache_relists_total{kind="Thing.example.com",reason="differs"} 1');
    expect(seen.slice(2)).toHaveLength(1);
    expect(given.cache.view.list(Thing)).toHaveLength(server.objects.size);
    // The next comparison finds nothing. (A watch that ends would have brought it, too: that takes five minutes.)
    await given.clock.advance(4 * 60_000);
    expect(complaints(given)).toHaveLength(1);
    await given.cache.stop();
  });

  test('lists metadata alone, page by page, and finds nothing where all is well', async () => {
    const server = new ModelServer();
    for (let n = 0; n < 501; n += 1) server.put(thing(`t${n}`));
    const given = await startedCache(server, { verifyEvery: '10m' });
    await given.clock.advance(12 * 60_000);
    expect(server.requests.filter(({ verb }) => verb === 'list')).toMatchObject([
      { metadataOnly: true, pageSize: 500 },
      { metadataOnly: true, continue: '500' },
    ]);
    expect(complaints(given)).toEqual([]);
    await given.cache.stop();
    await given.clock.advance(60 * 60_000);
    expect(lists(server)).toBe(2);
  });

  test('what changes meanwhile, or is still on its way, is not a difference', async () => {
    const server = new ModelServer();
    for (const name of ['late', 'moved', 'gone']) server.put(thing(name));
    const given = await startedCache(server, { verifyEvery: '10m' });
    await given.clock.advance(8 * 60_000);
    // Made before the list, delivered ten seconds after it.
    server.silent = true;
    server.put(thing('late', { size: 2 }));
    server.put(thing('new'));
    server.remove('default/gone');
    while (lists(server) === 0) await given.clock.advance(1000);
    await given.clock.advance(10_000);
    server.put(thing('moved', { size: 2 }));
    server.speak();
    await given.clock.advance(40_000);
    expect(complaints(given)).toEqual([]);
    expect(given.cache.view.list(Thing)).toHaveLength(3);
    await given.cache.stop();
  });

  test('nor is what a re-sync took away meanwhile', async () => {
    const server = new ModelServer();
    for (const name of ['late', 'gone']) server.put(thing(name));
    const given = await startedCache(server, { verifyEvery: '2m' });
    server.silent = true;
    // Heard of by nobody: the comparison waits for it.
    server.put(thing('late', { size: 2 }));
    while (lists(server) === 0) await given.clock.advance(1000);
    server.remove('default/gone');
    server.silent = false;
    server.failNext('watch', apiError(410, 'Expired'));
    server.break(new KilterError('TRANSPORT_CONNECTION_LOST', 'for a test'));
    await given.clock.advance(40_000);
    expect(given.cache.view.list(Thing)).toHaveLength(1);
    expect(complaints(given)).toEqual([]);
    await given.cache.stop();
  });

  test('an object that cannot be used is not missed', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    server.put(thing('bad'));
    const transform = ({ metadata }: Thing): void => {
      if (metadata.name.startsWith('bad')) throw new Error('bad');
    };
    const given = await startedCache(server, { kinds: [cached(Thing, { transform, verifyEvery: '10m' })] });
    server.put(thing('bad2'));
    await given.clock.advance(12 * 60_000);
    expect(lists(server)).toBe(1);
    expect(complaints(given)).toEqual([]);
    await given.cache.stop();
  });

  test('a list older than what was seen means that history went back', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const backup = new Map(server.objects);
    server.put(thing('b'));
    const given = await startedCache(server, { verifyEvery: '10m' });
    server.restore(backup, 101);
    await given.clock.advance(15 * 60_000);
    expect(complaints(given)).toHaveLength(1);
    expect(given.cache.view.find(Thing, at('b'))).toBeUndefined();
    expect(given.cache.view.list(Thing)).toHaveLength(1);
    await given.cache.stop();
  });

  test('a comparison that fails says so, and the next one is made', async () => {
    const server = new ModelServer();
    const given = await startedCache(server, { verifyEvery: '10m' });
    server.failNext('list', apiError(500, 'InternalError'));
    await given.clock.advance(12 * 60_000);
    expect(given.lines.map(({ message }) => message)).toContain('the cache could not be compared with the server');
    await given.clock.advance(12 * 60_000);
    expect(lists(server)).toBe(2);
    await given.cache.stop();
  });

  test('is off unless asked for, and a kind may leave it out', async () => {
    for (const kinds of [undefined, [cached(Thing, { verifyEvery: false })]]) {
      const server = new ModelServer();
      const given = await startedCache(server, kinds === undefined ? {} : { verifyEvery: '10m', kinds });
      await given.clock.advance(60 * 60_000);
      expect(lists(server)).toBe(0);
      await given.cache.stop();
    }
  });
});

describe('a comparison', () => {
  /** The server has version 2 of the objects a to m; what is held is given by name. */
  async function compared(
    held: Readonly<Record<string, string>>,
    {
      during = () => undefined,
      unusable = [],
    }: { during?: (changed: (key?: string) => void) => void; unusable?: string[] } = {},
  ) {
    const runtime = virtualRuntime();
    const listed = [...'abcdefghijklm'].map((name) => ({ key: `n/${name}`, resourceVersion: '2' }));
    const told: unknown[] = [];
    const found: number[] = [];
    const state = { resyncs: 0, following: 0 };
    let changed: (key: string | undefined) => void = () => undefined;
    const list = async (): Promise<object> => {
      during((key) => changed(key));
      return { items: listed, resourceVersion: '9', continue: undefined };
    };
    const part = {
      namespace: 'n',
      source: () => ({ list }),
      progress: () => '9',
      held: () => Object.entries(held).map(([name, resourceVersion]) => ({ key: `n/${name}`, resourceVersion })),
      versionOf: (key: string) => held[key.slice(2)],
      isUnusable: (key: string) => unusable.includes(key),
      follow: (handler: typeof changed) => {
        changed = handler;
        state.following += 1;
        return () => void (state.following -= 1);
      },
      resync: () => void (state.resyncs += 1),
    };
    const logger = { ...silentLogger, error: (fields: object | string) => void told.push(fields) };
    const verifier = new Verifier({
      every: 60_000,
      runtime,
      logger,
      parts: [part as unknown as VerifiedPart],
      found: (count) => void found.push(count),
    });
    verifier.schedule();
    await runtime.clock.advance(66_001);
    verifier.stop();
    expect([state.following, runtime.clock.pending]).toEqual([0, 0]);
    return { told, found, resyncs: state.resyncs };
  }
  const all = (version = '2'): Record<string, string> =>
    Object.fromEntries([...'abcdefghijklm'].map((name) => [name, version]));

  test('finds nothing where the same is held, or newer, or what is newer than the list', async () => {
    const nothing = { told: [], found: [], resyncs: 0 };
    expect(await compared(all())).toEqual(nothing);
    expect(await compared(all('3'))).toEqual(nothing);
    expect(await compared({ ...all(), new: '10' })).toEqual(nothing);
  });

  test('finds what is older, missing, or held too long; names ten of them and counts all', async () => {
    const { m: _, ...rest } = all();
    const { told, found, resyncs } = await compared({ ...rest, a: '1', gone: '9' });
    expect([found, resyncs]).toEqual([[3], 1]);
    expect(told).toEqual([{ namespace: 'n', count: 3, keys: ['n/a', 'n/m', 'n/gone'] }]);
    const none = await compared({});
    expect(none.told).toEqual([{ namespace: 'n', count: 13, keys: [...'abcdefghij'].map((name) => `n/${name}`) }]);
  });

  test('says nothing of what changed meanwhile or cannot be used, and nothing at all where everything was read anew', async () => {
    const changes = { during: (changed: (key?: string) => void) => changed('n/a'), unusable: ['n/b'] };
    const { m: _, ...rest } = all('1');
    expect((await compared({ ...rest, a: '1' }, changes)).found).toEqual([11]);
    const anew = { during: (changed: (key?: string) => void) => changed() };
    expect(await compared({}, anew)).toEqual({ told: [], found: [], resyncs: 0 });
  });
});
