import { describe, expect, test } from 'vitest';
import type { Client } from '../client/index.ts';
import { at, rejection, startedCache, state } from './cache.test-support.ts';
import { modelClient, ModelServer, Thing, thing } from './model-server.test-support.ts';

describe('RW-9: what earlier runs wrote for a key', () => {
  test('is awaited before the next run, writes to other objects made for it included', async () => {
    const given = await startedCache(new ModelServer());
    const { cache, client, server } = given;
    const child = cache.client(modelClient(server), { madeFor: { kind: Thing, key: 'default/parent' } });
    expect(await state(cache.settled(Thing, 'default/parent'), given)).toBe('settled');
    server.silent = true;
    await client.create(thing('unrelated'));
    expect(await state(cache.settled(Thing, 'default/parent'), given)).toBe('settled');
    await child.create(thing('child'));
    const settled = cache.settled(Thing, 'default/parent');
    expect(await state(settled, given)).toBe('waiting');
    server.speak();
    expect(await state(settled, given)).toBe('settled');
    expect(cache.view.find(Thing, at('child'))).toBeDefined();
    server.silent = true;
    await client.update(thing('parent'));
    expect(await state(cache.settled(Thing, 'default/parent'), given)).toBe('waiting');
    server.speak();
    await cache.stop();
  });

  test('includes what an aborted run left without an answer, and is bounded', async () => {
    const given = await startedCache(new ModelServer());
    const { cache, server, clock } = given;
    const answer = Promise.withResolvers<void>();
    const live = modelClient(server);
    const slow = {
      ...live,
      create: async (object: Thing) => (await answer.promise, live.create(object)),
    } as unknown as Client;
    const client = cache.client(slow, { madeFor: { kind: Thing, key: 'default/parent' } });
    const creation = client.create(thing('child'));
    const settled = cache.settled(Thing, 'default/parent');
    expect(await state(settled, given)).toBe('waiting');
    answer.resolve();
    await creation;
    expect(await state(settled, given)).toBe('settled');
    expect(cache.view.find(Thing, at('child'))).toBeDefined();
    server.silent = true;
    await client.create(thing('lost'));
    const failed = rejection(cache.settled(Thing, 'default/parent'));
    await clock.advance(10_000);
    expect(await failed).toMatchObject({ code: 'CACHE_WAIT_EXPIRED' });
    await cache.stop();
  });

  test('ends after 10 s where no answer comes', async () => {
    const { cache, clock, server } = await startedCache(new ModelServer());
    const never = { ...modelClient(server), create: () => new Promise<never>(() => undefined) } as unknown as Client;
    void cache.client(never, { madeFor: { kind: Thing, key: 'default/parent' } }).create(thing('child'));
    const failed = rejection(cache.settled(Thing, 'default/parent'));
    await clock.advance(10_000);
    const error = await failed;
    expect(error.code).toBe('CACHE_WAIT_EXPIRED');
    expect(error.message).toContain('a write for Thing.example.com default/parent was not answered within 10 s');
    await cache.stop();
  });
});
