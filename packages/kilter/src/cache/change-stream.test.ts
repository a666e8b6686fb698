import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { codeOf, startedCache } from './cache.test-support.ts';
import { ModelServer, Thing, thing } from './model-server.test-support.ts';
import type { CacheChange } from './view.ts';

const inShort = ({ type, ref, object, initial }: CacheChange<Thing>): string =>
  `${type} ${ref.name} ${object?.spec?.size ?? '?'}${initial ? ' initial' : ''}`;

/** Reads what exists, without waiting for more. */
async function readAll(stream: AsyncIterableIterator<CacheChange<Thing>>, count: number): Promise<string[]> {
  const read: string[] = [];
  while (read.length < count) {
    const { done, value } = await stream.next();
    if (done === true) return [...read, 'end'];
    read.push(inShort(value));
  }
  return read;
}

describe('IN-22: a stream of changes', () => {
  test('begins with every object, and goes on with what happens', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache, clock } = await startedCache(server);
    const stream = cache.view.changes(Thing);
    expect(await readAll(stream, 1)).toEqual(['add a 1 initial']);
    const next = readAll(stream, 3);
    server.put(thing('b'));
    server.put(thing('a', { size: 2 }));
    server.remove('default/b');
    await clock.settle();
    await cache.stop();
    // b came and went while nobody had read of it, unless its add was taken at once.
    expect(await next).toEqual(['add b 1', 'update a 2', 'delete b 1']);
  });

  test('a slow reader holds one entry per object, in its newest state', async () => {
    const server = new ModelServer();
    const { cache, clock } = await startedCache(server);
    const stream = cache.view.changes(Thing);
    for (let size = 1; size <= 50; size += 1) for (const name of ['a', 'b']) server.put(thing(name, { size }));
    server.put(thing('gone'));
    await clock.settle();
    server.remove('default/gone');
    await clock.settle();
    expect((stream as unknown as { waiting: number }).waiting).toBe(2);
    expect(await readAll(stream, 2)).toEqual(['add a 50', 'add b 50']);
    server.remove('default/a');
    server.put(thing('a', { size: 60 }));
    server.remove('default/b');
    await clock.settle();
    expect(await readAll(stream, 2)).toEqual(['update a 60', 'delete b 50']);
    await cache.stop();
    expect(await readAll(stream, 1)).toEqual(['end']);
  });

  test('has any number of readers, none of which affects another', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const { cache, clock } = await startedCache(server);
    const one = cache.view.changes(Thing);
    const two = cache.view.changes(Thing);
    expect(await readAll(one, 1)).toEqual(['add a 1 initial']);
    await one.return?.();
    server.put(thing('a', { size: 3 }));
    await clock.settle();
    expect(await readAll(one, 1)).toEqual(['end']);
    expect(await readAll(two, 1)).toEqual(['add a 3']);
    await cache.stop();
  });

  test('through labels, what stops matching is a delete and what begins to is an add', async () => {
    const server = new ModelServer();
    server.put(thing('a', { labels: { app: 'x' } }));
    server.put(thing('b', { labels: { app: 'y' } }));
    server.put(thing('c', { namespace: 'shop', labels: { app: 'x' } }));
    const { cache, clock } = await startedCache(server);
    const stream = cache.view.changes(Thing, { labels: { app: 'x' }, namespace: 'default' });
    expect(await readAll(stream, 1)).toEqual(['add a 1 initial']);
    server.put(thing('b', { labels: { app: 'x' }, size: 2 }));
    server.put(thing('a', { labels: { app: 'y' }, size: 2 }));
    await clock.settle();
    expect(await readAll(stream, 2)).toEqual(['add b 2', 'delete a 1']);
    await cache.stop();
    expect(await readAll(stream, 1)).toEqual(['end']);
  });

  test('over two informers, what one of them still holds is not gone', async () => {
    const server = new ModelServer();
    server.put(thing('a', { labels: { app: 'x', tier: 'y' } }));
    const declare = [
      { kind: Thing, labels: 'app' },
      { kind: Thing, labels: 'tier' },
    ];
    const { cache, clock } = await startedCache(server, { declare });
    const stream = cache.view.changes(Thing);
    expect(await readAll(stream, 1)).toEqual(['add a 1 initial']);
    server.put(thing('a', { labels: { tier: 'y' }, size: 2 }));
    await clock.settle();
    expect(await readAll(stream, 1)).toEqual(['update a 2']);
    server.remove('default/a');
    await clock.settle();
    expect(await readAll(stream, 1)).toEqual(['delete a 2']);
    await cache.stop();
  });

  test('ends with the reason of its signal, and is refused for what nobody watches', async () => {
    const { cache } = await startedCache(new ModelServer());
    const abort = new AbortController();
    const stream = cache.view.changes(Thing, { signal: abort.signal });
    const next = stream.next();
    abort.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    expect(await readAll(stream, 1)).toEqual(['end']);
    await cache.stop();
    const bare = await startedCache(new ModelServer(), { declare: [], policy: 'adhoc' });
    expect(codeOf(() => bare.cache.view.changes(Thing))).toBe('CACHE_KIND_UNDECLARED');
    await bare.cache.stop();
  });
});

test('IN-22: what leaves the filter is a deletion with its last matching state; a stream that ends leaves no listener', async () => {
  const server = new ModelServer();
  server.put(thing('a', { labels: { app: 'x' }, size: 1 }));
  const { cache, clock } = await startedCache(server);
  const { signal } = new AbortController();
  const stream = cache.view.changes(Thing, { labels: { app: 'x' }, signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await stream.next();
  const left = stream.next();
  server.put(thing('a', { labels: { app: 'y' }, size: 2 }));
  await clock.settle();
  expect((await left).value).toMatchObject({ type: 'delete', object: { spec: { size: 1 } } });
  await stream.return?.();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  await cache.stop();
});
