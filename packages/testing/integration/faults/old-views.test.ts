// API servers that show the past: one that lags behind another, and one over an etcd restored from a backup.
import type { Logger, Manager } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster, type EmbeddedCluster } from '../../src/cluster/index.ts';
import { Thing, thing, thingOperator, things } from '../thing.test-support.ts';

interface Scene extends AsyncDisposable {
  readonly env: EmbeddedCluster;
  readonly manager: Manager;
  /** Messages of the log above info. */
  readonly lines: string[];
  readonly pass: (ms: number) => Promise<void>;
  /** What the cache holds of Things, and what the server does: name and value. */
  cached(): string[];
  stored(): Promise<string[]>;
}

const shown = (
  objects: readonly { metadata: { name: string }; spec: { values: Record<string, string> } }[],
): string[] => objects.map(({ metadata, spec }) => `${metadata.name}=${spec.values['x']}`).toSorted();

async function scene(): Promise<Scene> {
  const runtime = virtualRuntime();
  const env = await cluster({ runtime, kinds: [Thing] });
  const lines: string[] = [];
  const note = (fields: object | string, message?: string): void => void lines.push(message ?? JSON.stringify(fields));
  const quiet = (): void => undefined;
  const logger: Logger = { debug: quiet, info: quiet, warn: note, error: note, child: () => logger };
  const manager = await thingOperator(things, { logger }).start({
    connection: env.server.connection('operator'),
    runtime,
  });
  await runtime.clock.advance(1000);
  await manager.ready;
  return {
    env,
    manager,
    lines,
    pass: (ms) => runtime.clock.advance(ms),
    cached: () => shown(manager.cache.list(Thing)),
    stored: async () => shown(await env.client.list(Thing, { namespace: 'default' })),
    [Symbol.asyncDispose]: async () => {
      const stopping = manager.stop();
      await runtime.clock.advance(1000);
      await stopping;
      await env[Symbol.asyncDispose]();
    },
  };
}

const change = (env: EmbeddedCluster, name: string, x: string): Promise<unknown> =>
  env.client.patch(Thing, name, { spec: { values: { x } } });
const creates = (env: EmbeddedCluster): string[] =>
  env.requests.filter(({ method, status }) => method === 'POST' && status === 201).map(({ path }) => path);
const configValue = async (env: EmbeddedCluster, name: string): Promise<string | undefined> =>
  (await env.client.find(ConfigMap, { namespace: 'default', name }))?.data?.['x'];

const versions = (objects: readonly ConfigMap[]): string[] =>
  objects.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).toSorted();
const cachedConfigs = ({ manager }: Scene): string[] => versions(manager.cache.list(ConfigMap));
const storedConfigs = async ({ env }: Scene): Promise<string[]> => versions(await env.client.list(ConfigMap));

describe('B-10: an API server 1000 revisions behind', () => {
  test('a watch that comes back to it does not take the cache back, and nothing is made twice', async () => {
    await using at = await scene();
    const { env, pass } = at;
    await env.client.create(thing('a', { x: '0' }));
    for (let n = 1; n <= 500; n += 1) {
      await change(env, 'a', String(n));
      if (n % 100 === 0) await pass(1000);
    }
    await env.client.create(thing('b', { x: '1' }));
    await pass(3000);
    expect(at.cached()).toEqual(['a=500', 'b=1']);
    const seen: string[] = [];
    const made = creates(env).length;
    env.server.fail({ group: 'example.com', fault: { type: 'stale', behind: 1000 } });
    env.server.fail({ kind: 'ConfigMap', fault: { type: 'stale', behind: 1000 } });
    env.server.breakWatches();
    for (let second = 0; second < 30; second += 1) {
      await pass(1000);
      seen.push(...at.cached().filter((line) => !['a=500', 'b=1'].includes(line)));
    }
    expect(seen).toEqual([]);
    expect(creates(env)).toHaveLength(made);
  });

  test('a re-sync from it is doubted once; the newer server is then the truth', async () => {
    await using at = await scene();
    const { env, pass } = at;
    await env.client.create(thing('a', { x: '1' }));
    await change(env, 'a', '2');
    await pass(2000);
    await env.client.create(thing('late', { x: '1' }));
    await pass(2000);
    // Once the watch expires the whole state is read: from the past the first time, from the present after that.
    env.server.fail({ verb: 'watch', kind: 'Thing', times: 1, fault: { type: 'watch-error', code: 410 } });
    env.server.breakWatches({ group: 'example.com', kind: 'Thing' });
    const stop = env.server.fail({ verb: 'watch', kind: 'Thing', times: 1, fault: { type: 'stale', behind: 8 } });
    const held: string[][] = [];
    for (let step = 0; step < 40; step += 1) {
      await pass(100);
      held.push(at.cached());
    }
    stop();
    await pass(10_000);
    expect(new Set(held.map((lines) => lines.join()))).toEqual(new Set(['a=2,late=1']));
    expect(at.cached()).toEqual(await at.stored());
  });
});

describe('B-43: etcd restored from a backup', () => {
  test('the store equals the server: what came later vanishes, what was deleted is back, versions go back', async () => {
    await using at = await scene();
    const { env, pass } = at;
    await env.client.create(thing('kept', { x: '1' }));
    await env.client.create(thing('deleted', { x: '1' }));
    await pass(2000);
    const backup = env.server.snapshot();
    await change(env, 'kept', '2');
    await env.client.delete(Thing, { namespace: 'default', name: 'deleted' });
    await env.client.create(thing('later', { x: '1' }));
    for (let n = 0; n < 50; n += 1) await env.client.patch(ConfigMap, 'kept', { data: { n: String(n) } });
    await pass(5000);
    expect(at.cached()).toEqual(['kept=2', 'later=1']);

    env.server.restore(backup);
    // 30 s until a server that may only lag is taken at its word, then a state that is read twice.
    await pass(60_000);
    expect(await at.stored()).toEqual(['deleted=1', 'kept=1']);
    expect(at.cached()).toEqual(await at.stored());
    expect(cachedConfigs(at)).toEqual(await storedConfigs(at));
    expect(at.lines.some((line) => line.includes("the server's history went back"))).toBe(true);

    await change(env, 'kept', '3');
    await env.client.create(thing('next', { x: '7' }));
    await pass(5000);
    expect(at.cached()).toEqual(['deleted=1', 'kept=3', 'next=7']);
    expect(await configValue(env, 'kept')).toBe('3');
    expect(await configValue(env, 'next')).toBe('7');
  });

  test('no read waits for a version that was lost', async () => {
    await using at = await scene();
    const { env, pass } = at;
    await env.client.create(thing('a', { x: '1' }));
    await pass(2000);
    const backup = env.server.snapshot();
    for (let n = 2; n < 40; n += 1) await change(env, 'a', String(n));
    await pass(5000);
    env.server.restore(backup);
    // 30 s until a server that may only lag is taken at its word, then a state that is read twice.
    await pass(60_000);
    const read = at.manager.client.get(Thing, { namespace: 'default', name: 'a' });
    await pass(100);
    expect((await read).spec.values).toEqual({ x: '1' });
  });
});
