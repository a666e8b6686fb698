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

  test('IN-10: whoever comes during a re-sync, at whatever moment, hears of each object once', async () => {
    let between = 0;
    for (let moment = 0; moment < 60; moment += 1) {
      const server = new ModelServer();
      for (let n = 0; n < 300; n += 1) server.put(thing(`a${n}`));
      const given = await startedCache(server);
      const informer = given.cache.informer({ kind: Thing });
      server.silent = true;
      for (let n = 0; n < 900; n += 1) server.put(thing(`b${n}`));
      server.silent = false;
      server.break(apiError(410, 'Expired'));
      for (let turn = 0; turn < moment; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (informer.refs().length < 1200) between += 1;
      const heard = new Map<string, number>();
      informer.handle(({ key }) => void heard.set(key, (heard.get(key) ?? 0) + 1));
      await given.clock.settle();
      expect([moment, heard.size, ...new Set(heard.values())]).toEqual([moment, 1200, 1]);
      await given.cache.stop();
    }
    // Some came before the new state was in place, some while it was told.
    expect(between).toBeGreaterThan(3);
    expect(between).toBeLessThan(57);
  });
});
