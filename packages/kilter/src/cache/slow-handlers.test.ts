import { describe, expect, test } from 'vitest';
import { follow, inShort, startedCache } from './cache.test-support.ts';
import { apiError, ModelServer, Thing, thing } from './model-server.test-support.ts';
import type { ObjectChange } from './view.ts';

async function informed() {
  const server = new ModelServer();
  const given = await startedCache(server);
  const informer = given.cache.informer({ kind: Thing });
  return { ...given, informer, seen: follow(informer) };
}

describe('handlers that take their time', () => {
  test('IN-8: one that never settles or throws holds up neither the watch nor another handler', async () => {
    const given = await informed();
    const { server, clock, informer, seen } = given;
    informer.handle((() => new Promise(() => undefined)) as () => void);
    informer.handle(() => {
      throw new Error('bad handler');
    });
    const late: string[] = [];
    informer.handle((change) => void late.push(inShort(change)));
    for (let size = 1; size <= 100; size += 1) server.put(thing('a', { size }));
    await clock.settle();
    expect([seen.length, late.length]).toEqual([100, 100]);
    expect(informer.get('default/a')).toMatchObject({ spec: { size: 100 } });
    await given.cache.stop();
  });

  test('IN-20: what a change was stays readable, however often the object has changed since', async () => {
    const given = await informed();
    const { server, clock, informer } = given;
    const kept: ObjectChange<Thing>[] = [];
    informer.handle((change) => void kept.push(change as ObjectChange<Thing>));
    // More than a slab holds, so that slabs are given up and what is kept moves.
    const note = 'x'.repeat(100_000);
    for (let size = 1; size <= 40; size += 1) server.put({ ...thing('a', { size }), note } as Thing);
    await clock.settle();
    expect(kept.map(({ before, after }) => [before?.spec?.size, after?.spec?.size])).toEqual(
      Array.from({ length: 40 }, (_, n) => [n === 0 ? undefined : n, n + 1]),
    );
    await given.cache.stop();
  });

  test('IN-10: who catches up while a re-sync is told hears of each object once', async () => {
    const server = new ModelServer();
    const given = await startedCache(server);
    const informer = given.cache.informer({ kind: Thing });
    const count = 500;
    server.silent = true;
    for (let n = 0; n < count; n += 1) server.put(thing(`t${n}`));
    server.silent = false;
    server.break(apiError(410, 'Expired'));
    const heard = new Map<string, number>();
    // Comes once the new state is in the store and is being told, in slices.
    let late = false;
    informer.handle(() => {
      if (late) return;
      late = true;
      queueMicrotask(() => informer.handle(({ key }) => void heard.set(key, (heard.get(key) ?? 0) + 1)));
    });
    await given.clock.advance(5000);
    expect(heard.size).toBe(count);
    expect(new Set(heard.values())).toEqual(new Set([1]));
    await given.cache.stop();
  });

  test('IN-10: nor does one that was there before the re-sync, and had not caught up', async () => {
    const server = new ModelServer();
    for (let n = 0; n < 200; n += 1) server.put(thing(`a${n}`));
    const given = await startedCache(server);
    const informer = given.cache.informer({ kind: Thing });
    server.silent = true;
    for (let n = 0; n < 300; n += 1) server.put(thing(`b${n}`));
    server.silent = false;
    server.break(apiError(410, 'Expired'));
    const heard = new Map<string, number>();
    informer.handle(({ key, resync }) => {
      if (!resync) heard.set(key, (heard.get(key) ?? 0) + 1);
    });
    await given.clock.advance(5000);
    expect(heard.size).toBe(500);
    expect(new Set(heard.values())).toEqual(new Set([1]));
    await given.cache.stop();
  });
});
