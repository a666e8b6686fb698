import { describe, expect, test } from 'vitest';
import { KilterError } from '../errors/index.ts';
import { follow, inShort, testCache } from './cache.test-support.ts';
import { apiError, ModelServer, Thing, thing } from './model-server.test-support.ts';
import type { ObjectChange } from './view.ts';

/** A started cache with one informer and what a handler saw. */
async function informed(server = new ModelServer(), options: Parameters<typeof testCache>[0] = {}) {
  const given = testCache(options, server);
  const informer = given.cache.informer({ kind: Thing });
  const seen = follow(informer);
  const started = given.cache.start();
  await given.clock.settle();
  await started;
  return { ...given, informer, seen };
}

/** What happens while the watch is down, then a 410. */
async function acrossGap(
  { server, clock }: { server: ModelServer; clock: { settle(): Promise<void> } },
  change: () => void,
) {
  server.silent = true;
  change();
  server.silent = false;
  server.break(apiError(410, 'Expired'));
  await clock.settle();
}

describe('deletes', () => {
  test('IN-2: what vanished during a gap is deleted, with the last known object and marked so', async () => {
    const server = new ModelServer();
    server.put(thing('a', { size: 7 }));
    server.put(thing('b'));
    const given = await informed(server);
    const deletes: ObjectChange[] = [];
    given.informer.handle((change) => change.type === 'delete' && deletes.push(change));
    await acrossGap(given, () => server.remove('default/a'));
    expect(given.seen.slice(2)).toEqual(['delete default/a@101 finalStateUnknown']);
    expect(deletes[0]?.before).toMatchObject({ metadata: { name: 'a' }, spec: { size: 7 } });
    expect(deletes[0]?.after).toBeUndefined();
    expect(given.informer.refs()).toEqual([{ namespace: 'default', name: 'b' }]);
    await given.cache.stop();
  });

  test('IN-3: a delete that carries no usable object still triggers, by its key', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache, clock, seen, informer } = await informed(server);
    server.send({ type: 'DELETED', object: { metadata: { name: 'a', namespace: 'default' } } });
    server.send({ type: 'DELETED', object: { metadata: { name: 'unseen', namespace: 'default' } } });
    await clock.settle();
    expect(seen.slice(1)).toEqual(['delete default/a@ finalStateUnknown', 'delete default/unseen@ finalStateUnknown']);
    expect(informer.refs()).toEqual([]);
    await cache.stop();
  });

  test('IN-6: a delete carries the version of the deletion and the final object', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache, clock, informer } = await informed(server);
    const changes: ObjectChange[] = [];
    informer.handle((change) => changes.push(change));
    server.remove('default/a');
    await clock.settle();
    expect(changes.map(inShort)).toEqual(['add default/a@101 initial', 'delete default/a@102']);
    expect(changes[1]?.before?.metadata.resourceVersion).toBe('102');
    await cache.stop();
  });
});

describe('a re-sync', () => {
  test('IN-4: deletes come before adds and updates in list order, and see the new state', async () => {
    const server = new ModelServer();
    for (const name of ['a', 'b', 'c']) server.put(thing(name));
    const given = await informed(server);
    const duringDelete: string[][] = [];
    given.informer.handle(({ type }) => {
      if (type === 'delete') duringDelete.push(given.cache.view.list(Thing).map(({ metadata }) => metadata.name));
    });
    await acrossGap(given, () => {
      server.put(thing('a', { size: 2 }));
      server.put(thing('d'));
      server.remove('default/b');
      server.remove('default/c');
    });
    expect(given.seen.slice(3)).toEqual([
      'delete default/b@102 finalStateUnknown',
      'delete default/c@103 finalStateUnknown',
      'update default/a@104',
      'add default/d@105',
    ]);
    expect(duringDelete).toEqual([
      ['a', 'd'],
      ['a', 'd'],
    ]);
    await given.cache.stop();
  });

  test('IN-5, IN-1: deleted and recreated under one name across a gap is one update whose UIDs differ', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const given = await informed(server);
    const updates: ObjectChange[] = [];
    given.informer.handle((change) => change.type === 'update' && updates.push(change));
    await acrossGap(given, () => {
      server.remove('default/a');
      server.put(thing('a'));
    });
    expect(given.seen.slice(1)).toEqual(['update default/a@103']);
    expect(updates[0]?.before?.metadata.uid).not.toBe(updates[0]?.after?.metadata.uid);
    expect(given.informer.refs()).toHaveLength(1);
    await given.cache.stop();
  });

  test('IN-13: objects whose version did not change trigger nothing', async () => {
    const server = new ModelServer();
    for (const name of ['a', 'b']) server.put(thing(name));
    const given = await informed(server);
    await acrossGap(given, () => server.put(thing('b', { size: 2 })));
    expect(given.seen.slice(2)).toEqual(['update default/b@103']);
    await given.cache.stop();
  });

  test('RF-24: the old content stays readable until the new one is complete', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache, clock } = await informed(server);
    server.failNext('watch', apiError(422, 'Invalid'), true);
    const listPage = server.listPage.bind(server);
    const page = Promise.withResolvers<void>();
    server.listPage = async (options) => {
      await page.promise;
      return listPage(options);
    };
    server.silent = true;
    server.put(thing('b'));
    server.break(apiError(410, 'Expired'));
    await clock.settle();
    expect(cache.view.list(Thing).map(({ metadata }) => metadata.name)).toEqual(['a']);
    page.resolve();
    await clock.settle();
    expect(cache.view.list(Thing).map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    await cache.stop();
  });

  test('RF-5: after a restore the older state is the truth, reported once, and deletes what the backup lacks', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const given = await informed(server);
    const backup = new Map([...server.objects].map(([key, object]) => [key, structuredClone(object)] as const));
    server.put(thing('a', { size: 2 }));
    server.put(thing('b'));
    await given.clock.settle();
    server.restore(backup, 101);
    server.break(apiError(410, 'Expired'));
    await given.clock.advance(10_000);
    expect(given.seen.slice(3)).toEqual(['delete default/b@103 finalStateUnknown', 'update default/a@101']);
    expect(given.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields)).toMatchObject([
      { from: '103', to: '101' },
    ]);
    expect(given.metrics.text()).toContain('kilter_cache_rewinds_total{kind="Thing.example.com"} 1');
    await given.cache.stop();
  });

  test('RF-23: an object that cannot be used any more keeps its last good state', async () => {
    const server = new ModelServer();
    for (const name of ['a', 'b']) server.put(thing(name));
    const given = await informed(server);
    await acrossGap(given, () => {
      server.put(thing('b', { size: 2 }));
      const bad = server.put(thing('a'));
      server.objects.set('default/a', { ...bad, metadata: { ...bad.metadata, labels: { no: 7 } as never } });
    });
    expect(given.seen.slice(2)).toEqual(['update default/b@103']);
    expect(given.cache.view.get(Thing, { namespace: 'default', name: 'a' }).metadata.resourceVersion).toBe('101');
    expect(given.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields)).toContainEqual(
      expect.objectContaining({
        code: 'CACHE_OBJECT_UNUSABLE',
        key: 'default/a',
        problem: 'has labels that are not strings',
      }),
    );
    await given.cache.stop();
  });
});

describe('a stream', () => {
  test('RF-5: an older version of an object never enters the store, deletions included', async () => {
    const server = new ModelServer();
    const old = server.put(thing('a', { size: 1 }));
    server.put(thing('a', { size: 2 }));
    const { cache, clock, seen } = await informed(server);
    server.send({ type: 'MODIFIED', object: old });
    server.send({ type: 'DELETED', object: old });
    await clock.settle();
    expect(seen).toEqual(['add default/a@102 initial']);
    expect(cache.view.get(Thing, { namespace: 'default', name: 'a' }).spec).toEqual({ size: 2 });
    await cache.stop();
  });

  test('RF-22: versions are ordered as integers of any size', async () => {
    const server = new ModelServer();
    const { cache, clock, seen } = await informed(server);
    const at = (resourceVersion: string): object => ({
      ...thing('a'),
      metadata: { ...thing('a').metadata, uid: 'u', resourceVersion },
    });
    server.send({ type: 'ADDED', object: at('9007199254740993') });
    server.send({ type: 'MODIFIED', object: at('9007199254740992') });
    server.send({ type: 'MODIFIED', object: at('10000000000000000000000') });
    await clock.settle();
    expect(seen).toEqual(['add default/a@9007199254740993', 'update default/a@10000000000000000000000']);
    await cache.stop();
  });

  test('RF-16, RF-23: what is of another kind, or no object at all, is reported, counted and skipped; the rest goes on', async () => {
    const server = new ModelServer();
    const { cache, clock, seen, lines, metrics } = await informed(server);
    const metadata = { name: 'x', namespace: 'default', resourceVersion: '500' };
    server.send({ type: 'ADDED', object: { kind: 'Status', metadata } });
    server.send({ type: 'ADDED', object: {} });
    server.send({ type: 'RENAMED', object: thing('x') });
    server.put(thing('a'));
    await clock.settle();
    expect(seen).toEqual(['add default/a@101']);
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(3);
    expect(metrics.text()).toContain('kilter_cache_skipped_total{kind="Thing.example.com"} 3');
    expect(server.requests).toHaveLength(1);
    await cache.stop();
  });

  test('RF-17: an object that leaves the selector is deleted with its last matching content and the version of the event', async () => {
    const server = new ModelServer();
    server.put(thing('a', { size: 3, labels: { app: 'db' } }));
    const { cache, clock } = testCache({}, server);
    const informer = cache.informer({ kind: Thing, labels: { app: 'db' } });
    const changes: ObjectChange[] = [];
    informer.handle((change) => changes.push(change));
    void cache.start();
    await clock.settle();
    server.put(thing('a', { size: 4, labels: { app: 'web' } }));
    await clock.settle();
    expect(changes.map(inShort)).toEqual(['add default/a@101 initial', 'delete default/a@102']);
    expect(changes[1]?.before).toMatchObject({ spec: { size: 3 }, metadata: { labels: { app: 'db' } } });
    await cache.stop();
  });
});

describe('handlers', () => {
  test('IN-7, IN-9: get every change in order, after the store and its indexes have it', async () => {
    const server = new ModelServer();
    const { cache, clock, informer, seen } = await informed(server);
    informer.index('size', (object) => [String(object.spec?.size)]);
    const indexed: unknown[] = [];
    informer.handle(({ after }) => indexed.push(informer.by('size', String(after?.spec?.size))[0]?.name));
    for (const size of [1, 2, 3]) server.put(thing('a', { size }));
    server.put(thing('b', { size: 9 }));
    await clock.settle();
    expect(seen).toEqual(['add default/a@101', 'update default/a@102', 'update default/a@103', 'add default/b@104']);
    expect(indexed).toEqual(['a', 'a', 'a', 'b']);
    await cache.stop();
  });

  test('IN-10: one added late gets every stored object as an initial add, then changes, none twice', async () => {
    const server = new ModelServer();
    for (const name of ['a', 'b']) server.put(thing(name));
    const { cache, clock, informer } = await informed(server);
    const late = follow(informer);
    expect(late).toEqual(['add default/a@101 initial', 'add default/b@102 initial']);
    server.put(thing('a', { size: 2 }));
    await clock.settle();
    expect(late.slice(2)).toEqual(['update default/a@103']);
    await cache.stop();
  });

  test('IN-10: one added late to a large store gets its objects in slices; what changes meanwhile is reported once and in its newest state', async () => {
    const server = new ModelServer();
    const keys = Array.from({ length: 1500 }, (_, i) => `k${String(i).padStart(4, '0')}`);
    for (const key of keys) server.put(thing(key));
    const { cache, clock, informer } = await informed(server);
    const late = follow(informer);
    expect(late.length).toBeGreaterThan(0);
    expect(late.length).toBeLessThan(1500);
    const told = late.length;
    server.put(thing('k0000', { size: 2 }));
    server.put(thing('k1499', { size: 2 }));
    server.remove('default/k1498');
    server.remove('default/k1497');
    server.put(thing('k1497', { size: 2 }));
    server.put(thing('new', { size: 2 }));
    await clock.settle();
    expect(late.filter((line) => line.includes('k1499'))).toEqual([
      expect.stringMatching(/^add default\/k1499@\d+ initial$/),
    ]);
    expect(late.filter((line) => line.includes('k1498'))).toEqual([]);
    expect(late.filter((line) => line.includes('k1497'))).toHaveLength(1);
    expect(late.filter((line) => line.includes('k0000'))).toHaveLength(2);
    expect(late.filter((line) => line.includes('default/new'))).toHaveLength(1);
    expect(late.length).toBeGreaterThan(told);
    expect(new Set(late.filter((line) => line.startsWith('add')).map((line) => line.split('@')[0])).size).toBe(1500);
    await cache.stop();
  });

  test('IN-10: one added by another handler misses nothing and gets nothing twice', async () => {
    const server = new ModelServer();
    const { cache, clock, informer } = await informed(server);
    let nested: string[] | undefined;
    informer.handle(() => {
      nested ??= follow(informer);
    });
    server.put(thing('a'));
    server.put(thing('b'));
    await clock.settle();
    expect(nested).toEqual(['add default/a@101 initial', 'add default/b@102']);
    await cache.stop();
  });

  test('IN-11: synced is reached only when handlers have processed the first state', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache, clock } = testCache({}, server);
    const informer = cache.informer({ kind: Thing });
    const during: boolean[] = [];
    informer.handle(() => during.push(informer.synced || cache.synced));
    void cache.start();
    expect(informer.synced).toBe(false);
    await clock.settle();
    expect(during).toEqual([false]);
    expect([informer.synced, cache.synced]).toEqual([true, true]);
    await cache.stop();
  });

  test('IN-14: an empty first state is a sync too', async () => {
    const { cache, informer } = await informed();
    expect([informer.synced, cache.synced]).toEqual([true, true]);
    await cache.stop();
  });

  test('IN-12: every 10 h ±10 % each object comes again as it is, without a request', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache, clock, seen, informer } = await informed(server);
    const equal: boolean[] = [];
    informer.handle(
      ({ resync, before, after }) => resync && equal.push(JSON.stringify(before) === JSON.stringify(after)),
    );
    const hour = 3_600_000;
    const keepAlive = async (hours: number): Promise<void> => {
      for (let n = 0; n < hours * 20; n += 1) {
        await clock.advance(hour / 20);
        server.bookmark();
        server.close();
      }
    };
    await keepAlive(9);
    expect(seen).toHaveLength(1);
    const listed = server.requests.filter(({ resourceVersion }) => resourceVersion === undefined).length;
    await keepAlive(2);
    expect(seen.slice(1)).toEqual(['update default/a@101 resync']);
    expect(equal).toEqual([true]);
    await keepAlive(11);
    expect(seen).toHaveLength(3);
    expect(server.requests.filter(({ resourceVersion }) => resourceVersion === undefined)).toHaveLength(listed);
    await cache.stop();
    expect(clock.pending).toBe(0);
  });

  test('IN-15: one that throws is counted and logged, and loses no later change; others lose nothing', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache, clock, informer, lines, metrics } = await informed(server);
    const got: string[] = [];
    informer.handle((change) => {
      got.push(change.key);
      if (change.key === 'default/b') throw new Error('no b');
    });
    const after = follow(informer);
    server.put(thing('b'));
    server.put(thing('c'));
    await clock.settle();
    expect(got).toEqual(['default/a', 'default/b', 'default/c']);
    expect(after).toHaveLength(3);
    expect(lines.filter(({ level }) => level === 'error').map(({ fields }) => fields)).toMatchObject([
      { key: 'default/b' },
    ]);
    expect(metrics.text()).toContain('kilter_cache_handler_errors_total{kind="Thing.example.com"} 1');
    await cache.stop();
  });

  test('IN-16: removing one twice is harmless, affects no other, and it is not called again', async () => {
    const server = new ModelServer();
    const { cache, clock, informer, seen } = await informed(server);
    const removed: string[] = [];
    const removals: (() => void)[] = [];
    informer.handle(() => removals.forEach((remove) => remove()));
    removals.push(informer.handle((change) => removed.push(change.key)));
    server.put(thing('a'));
    await clock.settle();
    removals.forEach((remove) => remove());
    server.put(thing('b'));
    await clock.settle();
    expect(removed).toEqual([]);
    expect(seen).toHaveLength(2);
    await cache.stop();
  });

  test('IN-17: each gets its own objects, and so does each read', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache, informer } = await informed(server);
    const spoil = (object: Thing | undefined): void => {
      if (object?.spec !== undefined) object.spec.size = 99;
    };
    informer.handle(({ after }) => spoil(after));
    const sizes: unknown[] = [];
    informer.handle(({ after }) => sizes.push(after?.spec?.size));
    const ref = { namespace: 'default', name: 'a' };
    spoil(cache.view.get(Thing, ref));
    sizes.push(cache.view.get(Thing, ref).spec?.size);
    expect(sizes).toEqual([1, 1]);
    await cache.stop();
  });
});

describe('errors', () => {
  test('RF-26: the last one is kept with its time, and a 403 names the missing rule', async () => {
    const server = new ModelServer();
    for (let n = 0; n < 9; n += 1) server.failNext('watch', apiError(403, 'Forbidden'));
    const { cache, clock } = testCache({ namespaces: ['shop'], syncTimeout: '5s' }, server);
    const informer = cache.informer({ kind: Thing });
    const started = cache.start().catch((error: unknown) => error);
    await clock.advance(5000);
    const { error, at } = informer.lastError ?? { error: undefined, at: 0 };
    expect(error).toMatchObject({
      code: 'CACHE_WATCH_FORBIDDEN',
      message: expect.stringContaining('may not list and watch things of example.com/v1 in namespace shop') as string,
    });
    expect((error as KilterError).cure).toBe(
      'grant this rule to the user in a Role in namespace shop, or a ClusterRole: - {apiGroups: ["example.com"], resources: ["things"], verbs: ["list", "watch"]}',
    );
    expect(at).toBeGreaterThan(clock.now() - 5000);
    const timeout = (await started) as KilterError;
    expect(timeout.code).toBe('CACHE_SYNC_TIMEOUT');
    expect(timeout.message).toContain('Thing.example.com in shop');
    expect(timeout.message).toContain('verbs: ["list", "watch"]');
    await cache.stop();
  });

  test('a malformed stream is logged at most once a minute', async () => {
    const server = new ModelServer();
    const { cache, clock, lines } = await informed(server);
    for (let n = 0; n < 10; n += 1) {
      server.bookmark();
      server.break(new KilterError('TRANSPORT_STREAM_MALFORMED', 'no JSON'));
      server.version += 1;
      await clock.advance(5000);
    }
    const warnings = (): number => lines.filter(({ level }) => level === 'warn').length;
    expect(warnings()).toBe(1);
    await clock.advance(20_000);
    server.break(new KilterError('TRANSPORT_STREAM_MALFORMED', 'no JSON'));
    await clock.settle();
    expect(warnings()).toBe(2);
    await cache.stop();
  });
});

test('RF-27: objects carry no managedFields; the entries of own managers stand beside them', async () => {
  const server = new ModelServer();
  const entry = (manager: string): object => ({
    manager,
    operation: 'Apply',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: {},
  });
  const object = thing('a');
  server.put({
    ...object,
    metadata: { ...object.metadata, managedFields: [entry('op/thing'), entry('kubectl')] as never },
  });
  const { cache, informer } = await informed(server, { ownManager: (manager) => manager.startsWith('op/') });
  const ref = { namespace: 'default', name: 'a' };
  expect(cache.view.get(Thing, ref).metadata).not.toHaveProperty('managedFields');
  expect(informer.managedFieldsOf('default/a')).toEqual([entry('op/thing')]);
  await cache.stop();
});
