import { describe, expect, test } from 'vitest';
import type { Client } from '../client/index.ts';
import { isNotFound } from '../errors/index.ts';
import { at, rejection, startedCache, state } from './cache.test-support.ts';
import { apiError, modelClient, ModelServer, Thing, thing } from './model-server.test-support.ts';

describe('CA-11: after a successful write', () => {
  test('a Get returns that version, and a List contains it', async () => {
    const given = await startedCache(new ModelServer());
    const { cache, client, server } = given;
    server.silent = true;
    const created = await client.create(thing('a'));
    const get = client.get(Thing, at('a'));
    const list = client.list(Thing);
    expect(await state(get, given)).toBe('waiting');
    expect(await state(list, given)).toBe('waiting');
    server.speak();
    expect((await get).metadata.resourceVersion).toBe(created.metadata.resourceVersion);
    expect((await list).map(({ metadata }) => metadata.name)).toEqual(['a']);
    const updated = await client.update(thing('a', { size: 2 }));
    expect((await client.get(Thing, at('a'))).metadata.resourceVersion).toBe(updated.metadata.resourceVersion);
    await cache.stop();
  });

  test('a Get after a Delete returns NotFound, or the deleting version', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const kept = thing('b');
    server.put({ ...kept, metadata: { ...kept.metadata, finalizers: ['x/y'] } });
    const given = await startedCache(server);
    const { cache, client } = given;
    server.silent = true;
    await client.delete(await client.get(Thing, at('a')));
    await client.delete(Thing, at('b'));
    const gone = client.find(Thing, at('a'));
    const deleting = client.get(Thing, at('b'));
    expect(await state(gone, given)).toBe('waiting');
    expect(await state(deleting, given)).toBe('waiting');
    server.speak();
    expect(await gone).toBeUndefined();
    expect((await deleting).metadata.deletionTimestamp).toBeDefined();
    await cache.stop();
  });
});

test('RW-1: on by default and for every client of the cache', async () => {
  const given = await startedCache(new ModelServer());
  const { cache, client, server } = given;
  const other = cache.client(modelClient(server));
  server.silent = true;
  await other.create(thing('a'));
  const read = client.get(Thing, at('a'));
  expect(await state(read, given)).toBe('waiting');
  server.speak();
  expect((await read).metadata.name).toBe('a');
  await cache.stop();
});

test('RW-2: a Get waits for its key, a namespaced List for its namespace, a List of all for every write; writes never', async () => {
  const server = new ModelServer();
  server.put(thing('other'));
  server.put(thing('far', { namespace: 'shop' }));
  const given = await startedCache(server);
  const { cache, client, clock } = given;
  server.silent = true;
  await client.create(thing('a'));
  await client.update(thing('other', { size: 2, namespace: 'other' }));
  server.silent = true;
  expect((await client.get(Thing, at('far', 'shop'))).metadata.name).toBe('far');
  expect((await client.get(Thing, at('other'))).metadata.name).toBe('other');
  expect(await client.list(Thing, { namespace: 'shop' })).toHaveLength(1);
  const reads = [client.get(Thing, at('a')), client.list(Thing, { namespace: 'default' }), client.list(Thing)];
  for (const read of reads) expect(await state(read, given)).toBe('waiting');
  server.speak();
  await clock.settle();
  expect((await Promise.all(reads)).length).toBe(3);
  await cache.stop();
});

test('RW-3: a read is held only by writes before it', async () => {
  const given = await startedCache(new ModelServer());
  const { cache, client, server } = given;
  server.silent = true;
  const first = await client.create(thing('a'));
  const read = client.get(Thing, at('a'));
  await client.update(thing('a', { size: 2 }));
  server.send({ type: 'ADDED', object: first });
  expect(await state(read, given)).toBe('settled');
  expect((await read).metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  expect(await state(client.get(Thing, at('a')), given)).toBe('waiting');
  server.speak();
  await cache.stop();
});

test('RW-3: a write without its answer holds nobody: a webhook behind it may be the reader', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  const given = await startedCache(server);
  const answer = Promise.withResolvers<void>();
  const slow = {
    ...modelClient(server),
    update: () => answer.promise,
    delete: () => answer.promise,
  } as unknown as Client;
  const client = given.cache.client(slow);
  const update = client.update(thing('a', { size: 2 }));
  const deletion = client.delete(Thing, at('a'));
  expect((await given.client.get(Thing, at('a'))).spec).toEqual({ size: 1 });
  answer.reject(new Error('never mind'));
  await Promise.allSettled([update, deletion]);
  await given.cache.stop();
});

test('RW-4: a failed or dry-run write leaves nothing to wait for', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  const given = await startedCache(server);
  const { cache, client } = given;
  server.silent = true;
  server.failNext('update', apiError(409, 'Conflict'));
  server.failNext('delete', apiError(409, 'Conflict'));
  await rejection(client.update(thing('a', { size: 2 })));
  await rejection(client.delete(Thing, at('a')));
  await client.update(thing('a', { size: 3 }), { dryRun: true });
  await client.create(thing('b'), { dryRun: true });
  await client.delete(await client.get(Thing, at('a')), { dryRun: true });
  expect((await client.get(Thing, at('a'))).spec).toEqual({ size: 1 });
  expect(await client.list(Thing)).toHaveLength(1);
  await cache.stop();
});

describe('RW-5: a delete', () => {
  test('is fulfilled by the deletion of its UID, even before its answer', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const given = await startedCache(server);
    const answer = Promise.withResolvers<void>();
    const live = modelClient(server);
    const slow = {
      ...live,
      delete: async (...request: Parameters<Client['delete']>) => {
        await live.delete(...request);
        await answer.promise;
      },
    } as unknown as Client;
    const deletion = given.cache.client(slow).delete(Thing, at('a'));
    await given.clock.settle();
    answer.resolve();
    await deletion;
    expect(await given.client.find(Thing, at('a'))).toBeUndefined();
    expect(given.metrics.text()).not.toContain('kilter_read_your_writes_waits_total{');
    await given.cache.stop();
  });

  test('is fulfilled by another UID under the key', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const given = await startedCache(server);
    const { cache, client } = given;
    server.silent = true;
    await client.delete(Thing, at('a'));
    const read = client.get(Thing, at('a'));
    expect(await state(read, given)).toBe('waiting');
    const again = server.put(thing('a', { size: 2 }));
    server.send({ type: 'MODIFIED', object: again });
    expect((await read).metadata.uid).toBe(again.metadata.uid);
    await cache.stop();
  });

  test('by a write that takes the last finalizer is fulfilled by the deletion alone, whatever version it was answered with', async () => {
    const server = new ModelServer();
    const deleting = {
      ...thing('a').metadata,
      deletionTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['example.com/x'],
    };
    server.put({ ...thing('a'), metadata: deleting });
    const given = await startedCache(server);
    const held = await given.client.get(Thing, at('a'));
    const ended = { ...held, metadata: { ...held.metadata, finalizers: [] } };
    const live = { ...modelClient(server), update: async () => ended } as unknown as Client;
    await given.cache.client(live).update(held);
    const read = given.client.find(Thing, at('a'));
    expect(await state(read, given)).toBe('waiting');
    server.send({ type: 'MODIFIED', object: { ...held, metadata: { ...held.metadata, resourceVersion: '900' } } });
    expect(await state(read, given)).toBe('waiting');
    server.send({ type: 'DELETED', object: { ...ended, metadata: { ...ended.metadata, resourceVersion: '901' } } });
    expect(await read).toBeUndefined();
    await given.cache.stop();
  });

  test('of an object still on its way here waits for the arrival of both', async () => {
    const given = await startedCache(new ModelServer());
    const { cache, client, server } = given;
    server.silent = true;
    await client.create(thing('a'));
    await client.delete(Thing, at('a'));
    const read = client.find(Thing, at('a'));
    server.send({
      type: 'ADDED',
      object: { ...thing('a'), metadata: { ...thing('a').metadata, uid: 'uid-1', resourceVersion: '101' } },
    });
    expect(await state(read, given)).toBe('waiting');
    server.speak();
    expect(await read).toBeUndefined();
    await cache.stop();
  });

  test('of which only the key is told is fulfilled', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const given = await startedCache(server);
    const { cache, client } = given;
    server.silent = true;
    await client.delete(Thing, at('a'));
    const read = client.find(Thing, at('a'));
    expect(await state(read, given)).toBe('waiting');
    server.send({ type: 'DELETED', object: { metadata: at('a') } });
    expect(await read).toBeUndefined();
    await cache.stop();
  });

  test('of an object this cache never saw is fulfilled by the one that took its key since', async () => {
    const given = await startedCache(new ModelServer());
    const { cache, client, server } = given;
    server.silent = true;
    await client.create(thing('a'));
    await client.delete(Thing, at('a'));
    const read = client.find(Thing, at('a'));
    expect(await state(read, given)).toBe('waiting');
    const other = server.put(thing('a'));
    server.break(apiError(410, 'Expired'));
    expect((await read)?.metadata.uid).toBe(other.metadata.uid);
    await cache.stop();
  });

  test('kept by finalizers is fulfilled by the version of its answer, not by an older one on its way out', async () => {
    const server = new ModelServer();
    const kept = thing('a');
    server.put({ ...kept, metadata: { ...kept.metadata, finalizers: ['x/y'] } });
    const given = await startedCache(server);
    const { cache, client } = given;
    server.silent = true;
    const held = server.objects.get('default/a') as Thing;
    const byOthers = server.put({
      ...held,
      metadata: { ...held.metadata, deletionTimestamp: '2024-01-01T00:00:00Z' },
    });
    const answer = await client.delete(Thing, at('a'));
    expect(answer?.metadata.finalizers).toEqual(['x/y']);
    const read = client.get(Thing, at('a'));
    expect(await state(read, given)).toBe('waiting');
    server.send({ type: 'MODIFIED', object: byOthers });
    expect(await state(read, given)).toBe('waiting');
    server.speak();
    expect((await read).metadata.resourceVersion).toBe(answer?.metadata.resourceVersion);
    // Once more, now that the store shows it on its way out: the answer is awaited all the same.
    server.silent = true;
    const again = await client.delete(Thing, at('a'));
    const later = client.get(Thing, at('a'));
    expect(await state(later, given)).toBe('waiting');
    server.speak();
    expect((await later).metadata.resourceVersion).toBe(again?.metadata.resourceVersion);
    await cache.stop();
  });

  test('found done by a re-sync is fulfilled too', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const given = await startedCache(server);
    const { cache, client } = given;
    server.silent = true;
    await client.delete(Thing, at('a'));
    const read = client.find(Thing, at('a'));
    expect(await state(read, given)).toBe('waiting');
    server.break(apiError(410, 'Expired'));
    expect(await read).toBeUndefined();
    await cache.stop();
  });
});

describe('RW-6: the wait', () => {
  test('ends after 10 s with an error that names kind, key, version and the last error; never with older data', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const given = await startedCache(server);
    const { cache, client, clock, metrics } = given;
    server.break(apiError(503, 'ServiceUnavailable'));
    server.silent = true;
    await clock.settle();
    const updated = await client.update(thing('a', { size: 2 }));
    const read = client.get(Thing, at('a'));
    const failed = rejection(read);
    await clock.advance(9999);
    expect(await state(read, given)).toBe('waiting');
    await clock.advance(1);
    const error = await failed;
    expect(error.code).toBe('CACHE_WAIT_EXPIRED');
    expect(error.message).toContain('Thing.example.com default/a');
    expect(error.message).toContain(`version ${updated.metadata.resourceVersion}`);
    expect(error.message).toContain('503 ServiceUnavailable');
    expect(error.message).toContain('look at the informer error named here');
    expect(metrics.text()).toContain('kilter_read_your_writes_expiries_total{kind="Thing.example.com"} 1');
    expect(
      await state(
        client.get(Thing, at('a')).catch(() => undefined),
        given,
      ),
    ).toBe('waiting');
    await cache.stop();
    expect(clock.pending).toBe(0);
  });

  test('ends with the signal of the caller', async () => {
    const given = await startedCache(new ModelServer());
    const { cache, client, server, clock } = given;
    server.silent = true;
    await client.create(thing('a'));
    const before = clock.pending;
    const abort = new AbortController();
    const failed = rejection(client.get(Thing, at('a'), { signal: abort.signal }));
    await clock.settle();
    abort.abort(new Error('enough'));
    expect((await failed).message).toBe('enough');
    expect(clock.pending).toBe(before);
    await cache.stop();
  });

  test('takes as long as the option says', async () => {
    const given = await startedCache(new ModelServer(), { waitTimeout: '1s' });
    const { cache, client, server, clock } = given;
    server.silent = true;
    await client.create(thing('a'));
    const failed = rejection(client.list(Thing));
    await clock.advance(1000);
    const error = await failed;
    expect(error.code).toBe('CACHE_WAIT_EXPIRED');
    expect(error.message).toMatch(
      /reported no error \(CACHE_WAIT_EXPIRED: the watch lags behind: .*`cache\.waitTimeout`/,
    );
    await cache.stop();
  });
});

test('RW-7: a write starts no informer, and without one nothing is awaited', async () => {
  const { cache, client, server } = await startedCache(new ModelServer(), { declare: [], policy: 'adhoc' });
  await client.create(thing('a'));
  expect((await client.get(Thing, at('a'))).metadata.name).toBe('a');
  await client.delete(Thing, at('a'));
  expect(isNotFound(await rejection(client.get(Thing, at('a'))))).toBe(true);
  expect(server.requests.filter(({ verb }) => verb === 'watch')).toEqual([]);
  await cache.stop();
});

test("RW-8: an object outside the informer's namespaces or selectors is not awaited", async () => {
  const declare = [{ kind: Thing, labels: { app: 'db' }, namespaces: ['default'] }];
  const given = await startedCache(new ModelServer(), { declare, policyIn: { shop: 'adhoc' } });
  const { cache, client, server } = given;
  server.silent = true;
  await client.create(thing('elsewhere', { namespace: 'shop', labels: { app: 'db' } }));
  await client.create(thing('unlabelled'));
  for (const key of ['shop/elsewhere', 'default/unlabelled']) {
    expect(await state(cache.settled(Thing, key), given)).toBe('settled');
  }
  expect(await client.find(Thing, at('unlabelled'))).toBeUndefined();
  expect(await client.list(Thing, { namespace: 'default' })).toEqual([]);
  await client.create(thing('inside', { labels: { app: 'db' } }));
  expect(await state(client.list(Thing, { namespace: 'default' }), given)).toBe('waiting');
  server.speak();
  await cache.stop();
});

test('an object written out of the selector is gone from the next read', async () => {
  const server = new ModelServer();
  server.put(thing('a', { labels: { app: 'db' } }));
  const given = await startedCache(server, { declare: [{ kind: Thing, labels: { app: 'db' } }] });
  const { cache, client } = given;
  server.silent = true;
  await client.update(thing('a', { labels: { app: 'web' } }));
  const read = client.find(Thing, at('a'));
  expect(await state(read, given)).toBe('waiting');
  server.speak();
  expect(await read).toBeUndefined();
  await cache.stop();
});

test('RW-10: the view shows the store as it is, without waiting', async () => {
  const { cache, client, server } = await startedCache(new ModelServer());
  server.silent = true;
  await client.create(thing('a'));
  expect(cache.view.find(Thing, at('a'))).toBeUndefined();
  server.speak();
  expect((await client.get(Thing, at('a'))).metadata.name).toBe('a');
  expect(cache.view.find(Thing, at('a'))).toBeDefined();
  await cache.stop();
});

test('RF-14: a bookmark fulfils a wait for an object that no event will bring', async () => {
  const given = await startedCache(new ModelServer());
  const { cache, client, server } = given;
  server.silent = true;
  await client.create(thing('a'));
  const read = client.find(Thing, at('a'));
  expect(await state(read, given)).toBe('waiting');
  server.bookmark();
  expect(await state(read, given)).toBe('settled');
  await cache.stop();
});

test('RF-5: when history goes back, nobody waits for a version that will not come', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  const given = await startedCache(server);
  const { cache, client, clock } = given;
  const backup = new Map([...server.objects].map(([key, object]) => [key, structuredClone(object)] as const));
  server.put(thing('a', { size: 2 }));
  await clock.settle();
  server.silent = true;
  await client.update(thing('a', { size: 3 }));
  const read = client.get(Thing, at('a'));
  server.restore(backup, 101);
  server.silent = false;
  server.break(apiError(410, 'Expired'));
  await clock.advance(5000);
  expect((await read).spec).toEqual({ size: 1 });
  await cache.stop();
});

test('RW-3: a re-sync that is older than an own write does not fulfil it', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  const given = await startedCache(server);
  const { cache, client, clock } = given;
  server.silent = true;
  server.put(thing('a', { size: 2 }));
  const older = new Map([...server.objects].map(([key, object]) => [key, structuredClone(object)] as const));
  await client.update(thing('a', { size: 3 }));
  const read = client.get(Thing, at('a'));
  // As a server behind whose watch cache has not caught up.
  server.restore(older, 102);
  server.silent = false;
  server.break(apiError(410, 'Expired'));
  await clock.settle();
  expect(cache.view.get(Thing, at('a')).spec).toEqual({ size: 2 });
  expect(await state(read, given)).toBe('waiting');
  server.put(thing('a', { size: 3 }));
  expect((await read).spec).toEqual({ size: 3 });
  await cache.stop();
});

test('IN-5: when another object takes the key, what was written to the old one is not awaited any more', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  const given = await startedCache(server);
  const { cache, client } = given;
  server.silent = true;
  const updated = await client.update(thing('a', { size: 2 }));
  const read = client.get(Thing, at('a'));
  expect(await state(read, given)).toBe('waiting');
  const metadata = { ...updated.metadata, uid: 'another', resourceVersion: 'opaque' };
  server.send({ type: 'MODIFIED', object: { ...updated, metadata } });
  expect((await read).metadata.uid).toBe('another');
  await cache.stop();
});

test('other verbs go to the server', async () => {
  const server = new ModelServer();
  const { cache, client } = await startedCache(server);
  await client.listPage(Thing, { namespace: 'default' });
  const stream = client.watch(Thing, { namespace: 'default' });
  await stream.return?.();
  expect(server.requests.slice(1).map(({ verb }) => verb)).toEqual(['list', 'watch']);
  await cache.stop();
});

test('IN-5: also where that is found by a re-sync', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  const given = await startedCache(server);
  const { cache, client } = given;
  server.silent = true;
  await client.update(thing('a', { size: 2 }));
  const read = client.get(Thing, at('a'));
  expect(await state(read, given)).toBe('waiting');
  server.remove('default/a');
  server.put(thing('a', { size: 3 }));
  const held = server.objects.get('default/a');
  server.break(apiError(410, 'Expired'));
  expect((await read).metadata.uid).toBe(held?.metadata.uid);
  await cache.stop();
});
