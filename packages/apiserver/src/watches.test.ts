import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import {
  configMap,
  metadataOf,
  paths,
  ServerUnderTest,
  types,
  webApp,
  withWebApps,
} from './server-under-test.test-support.ts';

const { configMaps, webApps } = paths;
const merge = { type: types.merge };
const revisionOf = (api: ServerUnderTest): number => api.server.registry.usage().revision;
const watchList = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

async function withConfigMaps(...names: string[]): Promise<ServerUnderTest> {
  const api = new ServerUnderTest();
  for (const name of names) await api.ok(`POST ${configMaps}`, configMap(name));
  return api;
}

const setData = (api: ServerUnderTest, name: string, k: string): Promise<JsonObject> =>
  api.ok(`PATCH ${configMaps}/${name}`, { data: { k } }, merge);

describe('the stream', () => {
  test.each(['watch=1', 'watch=true', 'watch='])(
    'API-W1: %s: 200, JSON, one event per line; DELETED has the version of the deletion',
    async (query) => {
      await using api = await withConfigMaps('a');
      const lines: string[] = [];
      const response = await api.server.handle({
        method: 'GET',
        path: `${configMaps}?${query}`,
        headers: {},
        signal: new AbortController().signal,
      });
      void (async () => {
        for await (const chunk of response.body) lines.push(Buffer.from(chunk).toString());
      })();
      await setData(api, 'a', 'v');
      await api.ok(`DELETE ${configMaps}/a`);
      await api.clock.settle();
      expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json']);
      expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
      const events = lines.map((line) => JSON.parse(line) as { type: string; object: JsonObject });
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
      expect(events.map((event) => Object.keys(event))).toEqual(events.map(() => ['type', 'object']));
      expect(metadataOf(events[2]?.object ?? {})['resourceVersion']).toBe(String(revisionOf(api)));
      expect(events[2]?.object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { k: 'v' } });
    },
  );

  test('API-W9: one object is the collection with a field selector; a name with watch=1 is a plain get', async () => {
    await using api = await withConfigMaps('a', 'b');
    const one = await api.watch(`${configMaps}?watch=1&fieldSelector=metadata.name=b`);
    await setData(api, 'a', 'v');
    await setData(api, 'b', 'v');
    await api.clock.settle();
    expect(one.seen).toEqual(['ADDED b', 'MODIFIED b']);
    const plain = await api.ok(`GET ${configMaps}/a?watch=1`);
    expect([plain['kind'], metadataOf(plain)['name']]).toEqual(['ConfigMap', 'a']);
  });

  test('API-W11: objects come in the version watched, and from the namespace watched', async () => {
    await using api = await withConfigMaps();
    await api.ok('POST /api/v1/namespaces', { metadata: { name: 'other' } });
    const event = { involvedObject: { kind: 'Pod', namespace: 'other' }, message: 'hi' };
    const modern = await api.watch('/apis/events.k8s.io/v1/namespaces/other/events?watch=1');
    await api.ok('POST /api/v1/namespaces/other/events', { metadata: { name: 'e' }, ...event });
    await api.ok('POST /api/v1/namespaces/default/events', { metadata: { name: 'f' }, involvedObject: {} });
    await api.clock.settle();
    expect(modern.seen).toEqual(['ADDED e']);
    expect(modern.events[0]?.object).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      note: 'hi',
      regarding: { kind: 'Pod' },
    });
  });
});

describe('where it begins', () => {
  test('API-W2: all watchers from N see one order of everything after N, none lost or repeated', async () => {
    await using api = await withConfigMaps('a');
    const start = revisionOf(api);
    await setData(api, 'a', '1');
    const early = await api.watch(`${configMaps}?watch=1&resourceVersion=${start}`);
    await api.ok(`POST ${configMaps}`, configMap('b'));
    const late = await api.watch(`${configMaps}?watch=1&resourceVersion=${start}`);
    const future = await api.watch(`${configMaps}?watch=1&resourceVersion=${revisionOf(api) + 1}`);
    await setData(api, 'b', '2');
    await setData(api, 'a', '3');
    await api.clock.settle();
    expect(early.seen).toEqual(['MODIFIED a', 'ADDED b', 'MODIFIED b', 'MODIFIED a']);
    expect(late.events).toEqual(early.events);
    expect(future.seen).toEqual(['MODIFIED a']);
    const all = await api.watch(`${configMaps}?watch=1&resourceVersion=0`);
    expect(all.seen).toEqual(['ADDED a', 'ADDED b']);
  });

  test('API-W3: an older N than history: 200, one ERROR event with 410 Expired, and the end', async () => {
    await using api = await withConfigMaps('a');
    const start = revisionOf(api);
    await setData(api, 'a', '1');
    api.server.compact();
    const expired = await api.watch(`${configMaps}?watch=1&resourceVersion=${start}`);
    expect(expired.done).toBe(true);
    expect(expired.events).toEqual([
      {
        type: 'ERROR',
        object: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: `too old resource version: ${start} (${start + 1})`,
          reason: 'Expired',
          code: 410,
        },
      },
    ]);
  });

  test('API-W3: history holds 1,000 events of a kind whatever their age, and 75 s whatever their number', async () => {
    await using api = await withConfigMaps('a');
    const start = revisionOf(api);
    for (let i = 0; i < 1500; i += 1) await setData(api, 'a', String(i));
    await api.clock.advance(75_000);
    await setData(api, 'a', 'x');
    const young = await api.watch(`${configMaps}?watch=1&resourceVersion=${start}`);
    expect(young.seen).toHaveLength(1501);
    await api.clock.advance(1);
    await setData(api, 'a', 'y');
    const old = await api.watch(`${configMaps}?watch=1&resourceVersion=${start}`);
    expect(old.seen).toEqual([`ERROR too old resource version: ${start} (${start + 502})`]);
    const thousand = await api.watch(`${configMaps}?watch=1&resourceVersion=${start + 502}`);
    expect(thousand.seen).toHaveLength(1000);
  });
});

describe('bookmarks and initial events', () => {
  test('API-W5: a bookmark is kind, version and resourceVersion, every 60 s and 2 s before the end, never unasked', async () => {
    await using api = await withConfigMaps();
    const start = revisionOf(api);
    const asked = await api.watch(
      `${configMaps}?watch=1&resourceVersion=${start}&allowWatchBookmarks=true&timeoutSeconds=100`,
    );
    const unasked = await api.watch(`${configMaps}?watch=1&resourceVersion=${start}&timeoutSeconds=100`);
    await api.ok('POST /api/v1/namespaces', { metadata: { name: 'x' } });
    await api.clock.advance(60_000);
    expect(asked.events).toEqual([
      {
        type: 'BOOKMARK',
        object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: String(start + 1) } },
      },
    ]);
    await api.clock.advance(37_999);
    expect(asked.events).toHaveLength(1);
    await api.clock.advance(1);
    expect(asked.seen).toEqual([`BOOKMARK ${start + 1}`, `BOOKMARK ${start + 1}`]);
    await api.clock.advance(2000);
    expect([asked.done, unasked.done, unasked.seen]).toEqual([true, true, []]);
  });

  test('API-W6: WatchList: additions, a bookmark with the snapshot`s version, then live events', async () => {
    await using api = await withConfigMaps('a', 'b');
    const revision = revisionOf(api);
    const end = {
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion: String(revision), annotations: { 'k8s.io/initial-events-end': 'true' } },
      },
    };
    const initial = ['ADDED a', 'ADDED b', `BOOKMARK ${revision}`];
    for (const version of ['', '&resourceVersion=0', `&resourceVersion=${revision}`]) {
      const watch = await api.watch(`${configMaps}?${watchList}${version}`);
      expect([watch.seen, watch.events[2]]).toEqual([initial, end]);
      watch.stop();
    }
    // A plain watch from unset or 0 with bookmarks ends its burst with the annotated bookmark too.
    for (const version of ['', '&resourceVersion=0']) {
      const watch = await api.watch(`${configMaps}?watch=1&allowWatchBookmarks=true${version}`);
      expect([watch.seen, watch.events[2]]).toEqual([initial, end]);
      watch.stop();
    }
    const bare = await api.watch(`${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`);
    const live = await api.watch(`${configMaps}?${watchList}`);
    const changes = await api.watch(
      `${configMaps}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    await setData(api, 'a', 'v');
    await api.clock.settle();
    expect(bare.seen).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a']);
    expect(live.seen).toEqual([...initial, 'MODIFIED a']);
    expect(changes.seen).toEqual(['MODIFIED a']);
  });

  test('API-W6: from N it is at least N: it waits for N, and ends with an error if N does not come', async () => {
    await using api = await withConfigMaps('a');
    const next = revisionOf(api) + 1;
    const reply = api.watch(`${configMaps}?${watchList}&resourceVersion=${next}`);
    await api.clock.settle();
    await setData(api, 'a', 'v');
    expect((await reply).seen).toEqual(['ADDED a', `BOOKMARK ${next}`]);
    const never = api.watch(`${configMaps}?${watchList}&resourceVersion=99999`);
    await api.clock.advance(3000);
    expect(await never).toMatchObject({
      done: true,
      seen: [`ERROR Timeout: Too large resource version: 99999, current: ${next}`],
    });
  });

  test.each([
    [
      'watch=1&sendInitialEvents=true',
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'watch=1&resourceVersionMatch=NotOlderThan',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    [
      'watch=1&sendInitialEvents=true&resourceVersionMatch=Exact',
      '[resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    ],
    [
      'watch=1&continue=x',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
    ['sendInitialEvents=true', 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
  ])('API-W6: %s is refused', async (query, message) => {
    await using api = await withConfigMaps();
    const { code, body } = await api.send(`GET ${configMaps}?${query}`);
    expect([code, body['message']]).toEqual([422, `ListOptions.meta.k8s.io "" is invalid: ${message}`]);
  });
});

describe('selectors', () => {
  test('API-W7: beginning to match is ADDED; ceasing is DELETED with the last matching content and the new version', async () => {
    await using api = await withConfigMaps('a');
    const hot = await api.watch(`${configMaps}?watch=1&labelSelector=temperature=hot`);
    const set = (temperature: string, k: string): Promise<JsonObject> =>
      api.ok(`PATCH ${configMaps}/a`, { metadata: { labels: { temperature } }, data: { k } }, merge);
    await set('hot', '1');
    await set('hot', '2');
    const cold = await set('cold', '3');
    await set('cold', '4');
    await api.clock.settle();
    expect(hot.seen).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    const last = hot.events[2]?.object ?? {};
    expect(last).toMatchObject({ data: { k: '2' }, metadata: { labels: { temperature: 'hot' } } });
    expect(metadataOf(last)['resourceVersion']).toBe(metadataOf(cold)['resourceVersion']);
  });
});

describe('ends', () => {
  test('API-W4: timeoutSeconds closes cleanly; without it a random time between 30 and 60 minutes does', async () => {
    for (const [dice, minutes] of [
      [0, 30],
      [0.5, 45],
      [0.999, 59.97],
    ] as const) {
      await using api = new ServerUnderTest({ random: () => dice });
      const short = await api.watch(`${configMaps}?watch=1&timeoutSeconds=7`);
      const long = await api.watch(`${configMaps}?watch=1`);
      await api.clock.advance(6999);
      expect(short.done).toBe(false);
      await api.clock.advance(1);
      expect([short.done, short.events]).toEqual([true, []]);
      await api.clock.advance(minutes * 60_000 - 7001);
      expect(long.done).toBe(false);
      await api.clock.advance(1);
      expect(long.done).toBe(true);
      expect(api.clock.pending).toBe(0);
    }
  });

  test('API-W10: a slow consumer is closed without a gap; watches of a removed definition end', async () => {
    await using api = await withWebApps();
    const gone = await api.watch(`${webApps}?watch=1`);
    await api.ok(`DELETE ${paths.definitions}/webapps.example.com`);
    await api.clock.settle();
    expect(gone.done).toBe(true);
    const slow = await api.server.handle({
      method: 'GET',
      path: `${configMaps}?watch=1`,
      headers: {},
      signal: new AbortController().signal,
    });
    const reader = slow.body[Symbol.asyncIterator]();
    await api.ok(`POST ${configMaps}`, configMap('a'));
    const first = await reader.next();
    expect(JSON.parse(Buffer.from(first.value as Uint8Array).toString())).toMatchObject({ type: 'ADDED' });
    for (let i = 0; i <= 10_000; i += 1) await setData(api, 'a', String(i));
    expect((await reader.next()).done).toBe(true);
    expect(api.server.registry.usage().watches).toBe(0);
  });

  test('a definition that changes ends the watches of its resource after what they have to say, and no others', async () => {
    await using api = await withWebApps();
    const watch = await api.watch(`${webApps}?watch=1`);
    const other = await api.watch(`${configMaps}?watch=1`);
    const definition = `${paths.definitions}/webapps.example.com`;
    await api.ok(`PATCH ${definition}`, { metadata: { labels: { l: 'x' } } }, merge);
    await api.clock.settle();
    expect(watch.done).toBe(false);
    const writing = api.ok(`POST ${webApps}`, webApp('a'));
    const changing = api.ok(`PATCH ${definition}`, { spec: { names: { shortNames: ['w'] } } }, merge);
    await Promise.all([writing, changing]);
    await api.clock.settle();
    expect([watch.seen, watch.done, other.done]).toEqual([['ADDED a'], true, false]);
    const again = await api.watch(`${webApps}?watch=1`);
    expect([again.seen, again.done]).toEqual([['ADDED a'], false]);
    again.stop();
    other.stop();
  });

  test('API-H2: breakWatches ends the watches of one kind, or all', async () => {
    await using api = await withWebApps();
    const maps = await api.watch(`${configMaps}?watch=1`);
    const apps = await api.watch(`${webApps}?watch=1`);
    api.server.breakWatches({ group: 'example.com', kind: 'WebApp' });
    await api.clock.settle();
    expect([maps.done, apps.done]).toEqual([false, true]);
    api.server.breakWatches();
    await api.clock.settle();
    expect(maps.done).toBe(true);
    expect(() => api.server.breakWatches({ group: '', kind: 'Nope' })).toThrow('no kind Nope in group "" is served');
  });

  test('API-H1: compact expires older versions and page tokens, and leaves open watches alone', async () => {
    await using api = await withConfigMaps('a', 'b');
    const open = await api.watch(`${configMaps}?watch=1`);
    const token = metadataOf(await api.ok(`GET ${configMaps}?limit=1`))['continue'];
    const start = revisionOf(api);
    await setData(api, 'a', 'v');
    api.server.compact();
    await setData(api, 'b', 'v');
    await api.clock.settle();
    expect(open.seen).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'MODIFIED b']);
    expect((await api.send(`GET ${configMaps}?continue=${token}`)).code).toBe(410);
    expect((await api.watch(`${configMaps}?watch=1&resourceVersion=${start}`)).seen).toEqual([
      expect.stringMatching(/^ERROR too old/),
    ]);
  });

  test('a client that goes away ends its watch', async () => {
    await using api = await withWebApps();
    const watch = await api.watch(`${webApps}?watch=1&allowWatchBookmarks=true`);
    await api.ok(`POST ${webApps}`, webApp('a'));
    await api.clock.settle();
    watch.stop();
    await api.clock.settle();
    expect([watch.done, api.clock.pending, api.server.registry.usage().watches]).toEqual([true, 0, 0]);
  });
});
