// What watches lose and how the cache gets it back. In memory, on a virtual clock.
import type { Manager } from 'kilter';
import { Secret } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { type Cluster, cluster } from '../../src/cluster/index.ts';
import { Thing, thing, thingOperator, things } from '../thing.test-support.ts';
import { type GappyWatch, gappyWatch } from './gappy-watch.test-support.ts';

interface Scene extends AsyncDisposable {
  readonly env: Cluster & { readonly server: { compact(): void; breakWatches(kind?: object): void } };
  readonly manager: Manager;
  readonly watch: GappyWatch;
  readonly pass: (ms: number) => Promise<void>;
  /** What the cache says happened since it was last asked. */
  changes(): Promise<string[]>;
}

async function scene(names: readonly string[] = ['a', 'b', 'c']): Promise<Scene> {
  const runtime = virtualRuntime();
  const env = await cluster({ runtime, kinds: [Thing] });
  for (const name of names) await env.client.create(thing(name, { x: '1' }));
  const watch = gappyWatch(env.connection, 'things');
  const manager = await thingOperator(things).start({ connection: watch.connection, runtime });
  await runtime.clock.advance(2000);
  await manager.ready;
  const seen: string[] = [];
  const follow = async (): Promise<void> => {
    for await (const { type, ref, initial } of manager.cache.changes(Thing))
      if (!initial) seen.push(`${type} ${ref.name}`);
  };
  const following = follow();
  await runtime.clock.settle();
  return {
    env: env as Scene['env'],
    manager,
    watch,
    pass: (ms) => runtime.clock.advance(ms),
    changes: async () => {
      await runtime.clock.settle();
      return seen.splice(0).toSorted();
    },
    [Symbol.asyncDispose]: async () => {
      const stopping = manager.stop();
      await runtime.clock.advance(1000);
      await Promise.all([stopping, following]);
      await env[Symbol.asyncDispose]();
    },
  };
}

const counted = ({ manager }: Scene, name: string, ...labels: string[]): number =>
  manager
    .metrics()
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
const relists = (at: Scene, kind: string): number => counted(at, 'kilter_cache_relists_total', `kind="${kind}"`);
/** Complete reads: whoever asks for one object asks only whether the server has that version (RF-31). */
const complete = ({ watch }: Scene): number =>
  watch.requests.filter((query) =>
    query.has('watch') ? query.get('sendInitialEvents') === 'true' : query.get('limit') !== '1',
  ).length;

/** Changes that nobody receives, and no way to receive them later. */
async function changeUnheard({ env, pass }: Scene): Promise<void> {
  await env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
  await env.client.delete(Thing, 'b');
  await env.client.create(thing('d', { x: '1' }));
  await pass(100);
  env.server.compact();
}

const expired =
  '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version","reason":"Expired","code":410}}';

describe('B-03, B-04: a version that has expired', () => {
  test.each<[string, (at: Scene) => Promise<void>]>([
    [
      'B-03: when a watch starts',
      async (at) => {
        at.watch.refusing = true;
        at.env.server.breakWatches({ group: 'example.com', kind: 'Thing' });
        await at.pass(10);
        await changeUnheard(at);
        at.watch.refusing = false;
      },
    ],
    [
      'B-04: in the middle of a stream',
      async (at) => {
        at.watch.deaf = true;
        await changeUnheard(at);
        at.watch.deaf = false;
        at.watch.inject(expired);
      },
    ],
  ])('%s: one relist of that kind, and the difference as add, update and delete', async (_, lose) => {
    await using at = await scene();
    const others = relists(at, 'ConfigMap');
    await lose(at);
    await at.pass(5000);
    expect(await at.changes()).toEqual(['add d', 'delete b', 'update a']);
    expect([complete(at), relists(at, 'Thing.example.com'), relists(at, 'ConfigMap')]).toEqual([2, 2, others]);
    expect(
      at.manager.cache
        .list(Thing)
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    ).toEqual(['a', 'c', 'd']);
    // It goes on from there.
    await at.env.client.patch(Thing, 'c', { spec: { values: { x: '3' } } });
    await at.pass(100);
    expect(await at.changes()).toEqual(['update c']);
    expect(complete(at)).toBe(2);
  });
});

test('B-06, RF-28: a watch that hangs is noticed by its own time-out, counted, and resumed without a list', async () => {
  await using at = await scene();
  at.watch.deaf = true;
  await at.env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
  const opened = at.watch.requests.length;
  const timeout = Number(at.watch.requests.at(-1)?.get('timeoutSeconds'));
  expect(timeout).toBeGreaterThanOrEqual(300);
  await at.pass(timeout * 1000 - 5000);
  at.watch.deaf = false;
  // RF-28: silence alone is not a reason.
  expect([at.watch.requests.length, counted(at, 'kilter_watch_stalled_total')]).toEqual([opened, 0]);
  expect(counted(at, 'kilter_cache_silence_seconds', 'Thing.example.com')).toBeGreaterThan(200);
  await at.pass(10_000);
  expect(counted(at, 'kilter_watch_stalled_total', 'Thing.example.com')).toBe(1);
  expect(await at.changes()).toEqual(['update a']);
  expect(complete(at)).toBe(1);
});

test('B-09: after 24 hours of bookmarks only, a watch resumes from the last of them', async () => {
  await using at = await scene(['a']);
  for (let hour = 0; hour < 24; hour += 1) {
    // The server's history moves on by what others do.
    await at.env.client.create(Secret.build({ name: `s${hour}`, namespace: 'default' }));
    await at.pass(3_600_000);
    at.env.server.compact();
  }
  const before = at.watch.requests.length;
  at.env.server.breakWatches({ group: 'example.com', kind: 'Thing' });
  await at.env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
  await at.pass(5000);
  expect(at.watch.requests.length).toBeGreaterThan(before);
  expect(await at.changes()).toEqual(['update a']);
  expect([complete(at), relists(at, 'Thing.example.com')]).toEqual([1, 1]);
});

test('B-08: of 100,000 events that wait, one entry per object is kept', { timeout: 120_000 }, async () => {
  const runtime = virtualRuntime();
  const env = await cluster({ runtime, kinds: [Thing] });
  const names = Array.from({ length: 200 }, (_, n) => `t${n}`);
  for (const name of names) await env.client.create(thing(name));
  const watch = gappyWatch(env.connection, 'things');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const ran: string[] = [];
  let held = false;
  const waiting = thingOperator((builder) =>
    builder.reconcile(async ({ metadata, spec }) => {
      if (held) await released;
      ran.push(`${metadata.name} ${spec.note}`);
    }),
  );
  const manager = await waiting.start({ connection: watch.connection, runtime });
  await runtime.clock.advance(5000);
  await manager.ready;
  ran.length = 0;
  held = true;
  const metadataOf = names.map((name) => manager.cache.get(Thing, { namespace: 'default', name }).metadata);
  for (let round = 0; round < 500; round += 1) {
    const lines = metadataOf.map((metadata, n) => {
      const newer = { ...metadata, generation: round + 2, resourceVersion: `${1_000_000 + round * 200 + n}` };
      const spec = { values: {}, note: `r${round}` };
      const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: newer, spec };
      return JSON.stringify({ type: 'MODIFIED', object });
    });
    watch.inject(lines.join('\n'));
    await runtime.clock.settle();
  }
  const depth = manager.metrics().match(/^workqueue_depth\{[^}]*name="thing"[^}]*\} (\d+)$/m)?.[1];
  // One runs, and is to run again; the others wait.
  expect(Number(depth)).toBeLessThanOrEqual(names.length);
  expect(Number(depth)).toBeGreaterThanOrEqual(names.length - 1);
  held = false;
  release();
  await runtime.clock.advance(60_000);
  expect(new Set(ran.filter((run) => run.endsWith(' r499'))).size).toBe(names.length);
  expect(ran.length).toBeLessThanOrEqual(names.length + 1);
  const stopping = manager.stop();
  await runtime.clock.advance(1000);
  await stopping;
  await env[Symbol.asyncDispose]();
});
