// What is not the protocol on a watch stream, and what becomes of the cache. In memory, on a virtual clock.
import type { Logger, Manager } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { type Cluster, cluster } from '../../src/cluster/index.ts';
import { Thing, thing, thingOperator, things } from '../thing.test-support.ts';
import { type Spoiled, spoiled, type SpoiledOptions } from './spoiled-watch.test-support.ts';

interface Scene extends AsyncDisposable {
  readonly env: Cluster;
  readonly manager: Manager;
  readonly stream: Spoiled;
  /** Messages of the log above info. */
  readonly lines: string[];
  readonly pass: (ms: number) => Promise<void>;
  cached(name: string): Thing | undefined;
}

async function scene(options: SpoiledOptions = {}): Promise<Scene> {
  const runtime = virtualRuntime();
  const env = await cluster({ runtime, kinds: [Thing] });
  const lines: string[] = [];
  const note = (fields: object | string): void => void lines.push(JSON.stringify(fields));
  const quiet = (): void => undefined;
  const logger: Logger = { debug: quiet, info: quiet, warn: note, error: note, child: () => logger };
  const stream = spoiled(env.connection, 'things', options);
  const manager = await thingOperator(things, { logger }).start({
    connection: stream.connection,
    runtime,
    accessReview: false,
  });
  await runtime.clock.advance(1000);
  await manager.ready;
  await env.client.create(thing('a', { x: '1' }));
  await runtime.clock.advance(2000);
  return {
    env,
    manager,
    stream,
    lines,
    pass: (ms) => runtime.clock.advance(ms),
    cached: (name) => manager.cache.find(Thing, { namespace: 'default', name }),
    [Symbol.asyncDispose]: async () => {
      const stopping = manager.stop();
      await runtime.clock.advance(1000);
      await stopping;
      await env[Symbol.asyncDispose]();
    },
  };
}

const counted = (manager: Manager, name: string, labels: string): number => {
  const line = manager
    .metrics()
    .split('\n')
    .find((one) => one.startsWith(`${name}{`) && labels.split(',').every((label) => one.includes(label)));
  return line === undefined ? 0 : Number(line.split(' ').at(-1));
};
const restarts = (manager: Manager): number =>
  counted(manager, 'kilter_watch_restarts_total', 'kind="Thing.example.com",reason="malformed"');
const relists = (manager: Manager): number =>
  counted(manager, 'kilter_cache_relists_total', 'kind="Thing.example.com",reason="malformed"');
// A line that is not a change is counted by the client, an unusable object by the cache.
const skipped = (manager: Manager): number =>
  ['kilter_watch_lines_skipped_total', 'kilter_cache_skipped_total']
    .map((name) => counted(manager, name, 'kind="Thing.example.com"'))
    .reduce((sum, count) => sum + count, 0);

test('B-27: characters split across chunks are not a fault', async () => {
  await using at = await scene({ shredded: true });
  const values = { text: 'é漢字🙂'.repeat(20) };
  await at.env.client.patch(Thing, 'a', { spec: { values } });
  await at.pass(5000);
  expect(at.cached('a')?.spec.values).toMatchObject(values);
  expect([at.stream.watches.length, at.stream.lists, at.lines]).toEqual([1, 0, []]);
});

const half = '{"type":"MODIFIED","object":{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"';

describe('B-27: broken framing', () => {
  test.each<[string, (stream: Spoiled) => void]>([
    ['text that is not JSON', (stream) => stream.put('<html>502 Bad Gateway</html>\n')],
    ['a NUL byte', (stream) => stream.put('\0\n')],
    ['JSON that is not complete', (stream) => stream.put(`${half}\n`)],
    ['a line over 4 MiB', (stream) => stream.put(`{"type":"${'x'.repeat(4 * 1024 * 1024 + 1)}`)],
    [
      'a last line that is cut off',
      (stream) => {
        stream.put(half);
        stream.end();
      },
    ],
  ])('%s: counted, said, and the watch goes on from the last good version', async (_, spoil) => {
    await using at = await scene();
    const held = at.cached('a');
    const known = (await at.env.client.get(Thing, 'a')).metadata.resourceVersion;
    spoil(at.stream);
    await at.pass(0);
    // Not at once: a stream that is bad for good must not be opened in a loop.
    expect(at.stream.watches).toHaveLength(1);
    await at.env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
    expect(at.cached('a')).toEqual(held);
    await at.pass(5000);
    expect(at.cached('a')?.spec.values).toEqual({ x: '2' });
    expect((await at.env.client.get(ConfigMap, 'a')).data).toEqual({ x: '2' });
    expect(at.stream.watches).toHaveLength(2);
    expect(at.stream.watches[1]?.get('resourceVersion')).toBe(known);
    expect(at.stream.watches[1]?.has('sendInitialEvents')).toBe(false);
    expect(at.stream.lists).toBe(0);
    expect(restarts(at.manager)).toBe(1);
    expect(at.lines.filter((line) => line.includes('TRANSPORT_')).length).toBeGreaterThan(0);
  });

  test('an object of more levels than can be read is skipped, counted and said; the watch goes on', async () => {
    await using at = await scene();
    const metadata = '{"name":"deep","namespace":"default","uid":"d","resourceVersion":"999999"}';
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const object = `{"apiVersion":"example.com/v1","kind":"Thing","metadata":${metadata},"spec":${nested}}`;
    at.stream.put(`{"type":"ADDED","object":${object}}\n`);
    await at.pass(0);
    await at.env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
    await at.pass(5000);
    expect(at.cached('a')?.spec.values).toEqual({ x: '2' });
    expect([at.stream.watches.length, skipped(at.manager)]).toEqual([1, 1]);
    expect(at.lines.join()).toContain('too many levels');
  });

  test('is logged at most once a minute, however often it happens', async () => {
    await using at = await scene();
    const spoil = async (round: number): Promise<void> => {
      at.stream.put('rubbish\n');
      await at.pass(10_000);
      // Something arrives in between, so that it is never the same place.
      await at.env.client.patch(Thing, 'a', { spec: { values: { x: String(round) } } });
      await at.pass(1000);
    };
    for (let round = 0; round < 5; round += 1) await spoil(round);
    expect(restarts(at.manager)).toBe(5);
    expect(at.lines.filter((line) => line.includes('MALFORMED'))).toHaveLength(1);
    await at.pass(60_000);
    await spoil(6);
    expect(at.lines.filter((line) => line.includes('MALFORMED'))).toHaveLength(2);
    expect([at.stream.lists, relists(at.manager)]).toEqual([0, 0]);
  });

  test('twice at the same place: one relist, and no more', async () => {
    // Resuming from there is bad for ever; reading the whole state is not.
    const bad = new Set<string>();
    await using at = await scene({
      first: (query) => (bad.has(query.get('resourceVersion') ?? '') ? 'rubbish\n' : undefined),
    });
    bad.add((await at.env.client.get(Thing, 'a')).metadata.resourceVersion ?? '');
    at.stream.put('rubbish\n');
    // The server's version moves on through other objects, so that the fresh state has another one.
    await at.env.client.create(ConfigMap.build({ name: 'other', namespace: 'default' }));
    await at.pass(60_000);
    const initial = at.stream.watches.filter((query) => query.has('sendInitialEvents')).length + at.stream.lists;
    expect([relists(at.manager), initial]).toEqual([1, 2]);
    const settled = at.stream.watches.length;
    await at.env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
    await at.pass(60_000);
    expect(at.cached('a')?.spec.values).toEqual({ x: '2' });
    expect(at.stream.watches).toHaveLength(settled);
  });

  test('for ever: tried with growing waits, never a tight loop, and what is cached stays', async () => {
    let broken = false;
    await using at = await scene({ first: () => (broken ? 'rubbish\n' : undefined) });
    broken = true;
    at.stream.put('rubbish\n');
    await at.pass(300_000);
    // 0.8 s doubled up to 30 s, each longer by up to as much again.
    expect(at.stream.watches.length + at.stream.lists).toBeLessThanOrEqual(20);
    expect(at.cached('a')?.spec.values).toEqual({ x: '1' });
    broken = false;
    await at.env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
    await at.pass(65_000);
    expect(at.cached('a')?.spec.values).toEqual({ x: '2' });
  });
});

test.each([
  ['an empty object', '{}'],
  ['an event without metadata', '{"type":"ADDED","object":{"apiVersion":"example.com/v1","kind":"Thing"}}'],
  ['an unknown type', '{"type":"WHATEVER","object":{"metadata":{"name":"a","resourceVersion":"1"}}}'],
  ['an object of another kind', '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}}'],
])('B-27: %s, well-formed, concerns itself alone: the watch goes on', async (_, line) => {
  await using at = await scene();
  at.stream.put(`${line}\n`);
  await at.env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
  await at.pass(5000);
  expect(at.cached('a')?.spec.values).toEqual({ x: '2' });
  expect([at.stream.watches.length, at.stream.lists]).toEqual([1, 0]);
  expect(skipped(at.manager)).toBe(1);
  expect(at.lines).toHaveLength(1);
});
