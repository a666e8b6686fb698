import { Buffer } from 'node:buffer';
import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { ConnectionLost } from './http/index.ts';
import { configMap, metadataOf, paths, ServerUnderTest } from './server-under-test.test-support.ts';

const { configMaps } = paths;
const admin = { authorization: 'Bearer admin' };

const namesOf = (list: JsonObject): string[] => (list['items'] as JsonObject[]).map((item) => metadataOf(item).name);

/** What arrives of an answer, and how it ended. */
async function received(api: ServerUnderTest, path: string): Promise<{ text: string; error: unknown }> {
  const signal = new AbortController().signal;
  const response = await api.server.handle({ method: 'GET', path, headers: admin, signal });
  let text = '';
  try {
    for await (const chunk of response.body) text += Buffer.from(chunk).toString('utf8');
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
}

describe('API-H3: faults of answers', () => {
  test('410 has the reason of an expired version', async () => {
    await using api = new ServerUnderTest();
    api.server.fail({ verb: 'list', times: 1, fault: { type: 'status', code: 410 } });
    const { code, body } = await api.send(`GET ${configMaps}`);
    expect([code, body['reason']]).toEqual([410, 'Expired']);
  });

  test('a body that is cut off half-way', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('a'));
    const whole = await received(api, `${configMaps}/a`);
    api.server.fail({ verb: 'get', times: 1, fault: { type: 'cut' } });
    const cut = await received(api, `${configMaps}/a`);
    expect(cut.error).toBeInstanceOf(ConnectionLost);
    expect(cut.text).toBe(whole.text.slice(0, cut.text.length));
    expect(cut.text).toHaveLength(Math.floor(whole.text.length / 2));
    expect(await received(api, `${configMaps}/a`)).toEqual(whole);
  });

  test('a socket is closed within a body that is cut off', async () => {
    await using api = new ServerUnderTest();
    const { url } = await api.server.listen({ plain: true });
    api.server.fail({ verb: 'list', fault: { type: 'cut' } });
    const response = await fetch(`${url}/api/v1/namespaces`, { headers: admin });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });
});

describe('API-H3: faults of watches', () => {
  test('an ERROR event after so many events, and the end', async () => {
    await using api = new ServerUnderTest();
    const fault = { type: 'watch-error', code: 410, message: 'too old resource version: 1 (2)', after: 1 } as const;
    api.server.fail({ verb: 'watch', kind: 'ConfigMap', times: 1, fault });
    const watch = await api.watch(`${configMaps}?watch=1`);
    await api.ok(`POST ${configMaps}`, configMap('a'));
    await api.clock.settle();
    expect([watch.seen, watch.done]).toEqual([['ADDED a', 'ERROR too old resource version: 1 (2)'], true]);
    expect(watch.events[1]?.object).toMatchObject({ kind: 'Status', code: 410, reason: 'Expired' });
  });

  test('an ERROR event at once', async () => {
    await using api = new ServerUnderTest();
    api.server.fail({ verb: 'watch', fault: { type: 'watch-error', code: 500, message: 'boom' } });
    const watch = await api.watch(`${configMaps}?watch=1`);
    expect([watch.seen, watch.done]).toEqual([['ERROR boom'], true]);
  });

  test('a stream that breaks within an event', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('a'));
    await api.ok(`POST ${configMaps}`, configMap('b'));
    api.server.fail({ verb: 'watch', fault: { type: 'cut', after: 1 } });
    const { text, error } = await received(api, `${configMaps}?watch=1`);
    expect(error).toBeInstanceOf(ConnectionLost);
    const [first = '', second = '', ...rest] = text.split('\n');
    expect(rest).toEqual([]);
    expect(JSON.parse(first)).toMatchObject({ type: 'ADDED' });
    expect(second).toMatch(/^\{"type":"ADDED"/);
    expect(() => JSON.parse(second) as unknown).toThrow(SyntaxError);
  });

  test('events that come late, and events that never come', async () => {
    await using api = new ServerUnderTest();
    api.server.fail({ verb: 'watch', times: 1, fault: { type: 'watch-delay', ms: 100 } });
    const late = await api.watch(`${configMaps}?watch=1`);
    api.server.fail({ verb: 'watch', times: 1, fault: { type: 'watch-drop', after: 1, count: 1 } });
    const gaps = await api.watch(`${configMaps}?watch=1`);
    for (const name of ['a', 'b', 'c']) await api.ok(`POST ${configMaps}`, configMap(name));
    await api.clock.settle();
    expect([late.seen, gaps.seen]).toEqual([[], ['ADDED a', 'ADDED c']]);
    await api.clock.advance(100);
    expect(late.seen).toEqual(['ADDED a']);
    await api.clock.advance(200);
    expect(late.seen).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
  });
});

describe('API-H5: old views', () => {
  const versionOf = (object: JsonObject): number => Number(metadataOf(object).resourceVersion);

  async function withPast(): Promise<ServerUnderTest> {
    const api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('a', { data: { n: '1' } }));
    await api.ok(`POST ${configMaps}`, configMap('gone'));
    await api.ok(`PUT ${configMaps}/a`, configMap('a', { data: { n: '2' } }));
    await api.ok(`DELETE ${configMaps}/gone`);
    await api.ok(`POST ${configMaps}`, configMap('new'));
    return api;
  }

  test('a list, an object and what is not there yet, as they were', async () => {
    await using api = await withPast();
    const now = await api.ok(`GET ${configMaps}`);
    const stop = api.server.fail({ fault: { type: 'stale', behind: 3 } });
    const then = await api.ok(`GET ${configMaps}`);
    expect(versionOf(then)).toBe(versionOf(now) - 3);
    expect(namesOf(then)).toEqual(['a', 'gone']);
    expect((await api.ok(`GET ${configMaps}/a`))['data']).toEqual({ n: '1' });
    expect((await api.send(`GET ${configMaps}/new`)).code).toBe(404);
    expect((await api.send(`GET ${configMaps}/gone`)).code).toBe(200);
    stop();
    expect(await api.ok(`GET ${configMaps}`)).toEqual(now);
  });

  test('further back than is known is the oldest that is known', async () => {
    await using api = await withPast();
    api.server.fail({ fault: { type: 'stale', behind: 1000 } });
    expect(namesOf(await api.ok(`GET ${configMaps}`))).toEqual([]);
    api.server.compact();
    expect(namesOf(await api.ok(`GET ${configMaps}`))).toEqual(['a', 'new']);
  });

  test('a watch begins in the past and catches up', async () => {
    await using api = await withPast();
    api.server.fail({ verb: 'watch', times: 1, fault: { type: 'stale', behind: 3 } });
    const watch = await api.watch(
      `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    const { revision } = api.server.registry.usage();
    const initial = ['ADDED a', 'ADDED gone', `BOOKMARK ${revision - 3}`];
    expect(watch.seen).toEqual([...initial, 'MODIFIED a', 'DELETED gone', 'ADDED new']);
  });

  test('a version the view has not reached is refused after three seconds', async () => {
    await using api = await withPast();
    const { revision } = api.server.registry.usage();
    api.server.fail({ fault: { type: 'stale', behind: 2 } });
    const asked = api.send(`GET ${configMaps}?resourceVersion=${revision}&resourceVersionMatch=NotOlderThan`);
    await api.clock.advance(3000);
    const { code, body } = await asked;
    expect([code, body['message']]).toEqual([
      504,
      `Timeout: Too large resource version: ${revision}, current: ${revision - 2}`,
    ]);
  });

  test('writes meet the store of now', async () => {
    await using api = await withPast();
    api.server.fail({ fault: { type: 'stale', behind: 3 } });
    expect((await api.send(`POST ${configMaps}`, configMap('new'))).code).toBe(409);
    const old = await api.ok(`GET ${configMaps}/a`);
    expect((await api.send(`PUT ${configMaps}/a`, old)).code).toBe(409);
  });
});
