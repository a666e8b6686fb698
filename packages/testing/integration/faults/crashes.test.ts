// Crashes at every write of a controller that does all a controller may do.
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { type ExchangeRequest, virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../../src/cluster/index.ts';
import { type Fate, OperatorLife } from '../../src/crashes/index.ts';
import { crashEveryWrite } from '../../src/index.ts';
import { Thing, thing } from '../thing.test-support.ts';
import { completeScenario, type Names } from './complete-controller.test-support.ts';

const ignore = (): void => undefined;
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silent };
const isWork = ({ method, path }: ExchangeRequest): boolean =>
  method !== 'GET' && /\/(things|configmaps|secrets)\//.test(path);

/** The operator crashes at one write, its object is deleted while nobody runs, and the next one comes. Says what is left of it all. */
async function deletedWhileNobodyRuns(write: number, fate: Fate) {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const external: Names = { published: new Set() };
  await using env = await cluster({ runtime, kinds: [Thing] });
  let count = 0;
  const fateOf = (request: ExchangeRequest): Fate => (isWork(request) && count++ === write ? fate : 'ordinary');
  const live = async (life: OperatorLife) => {
    const { connection } = life;
    return completeScenario().operator({ external }).start({ connection, runtime: life.runtime, logger: silent });
  };
  const first = new OperatorLife({ runtime, connection: env.connection }, fateOf);
  const managers = [await live(first)];
  await clock.advance(2000);
  await env.client.create(thing('a', { x: '1', y: '1' }));
  await clock.advance(5000);
  const { crashed } = first;
  await env.client.delete(Thing, 'a');
  managers.push(await live(new OperatorLife({ runtime, connection: env.connection }, () => 'ordinary')));
  await clock.advance(120_000);
  const things = await env.client.list(Thing);
  const children = [...(await env.client.list(ConfigMap)), ...(await env.client.list(Secret))];
  const owned = children.filter(({ metadata }) => metadata.ownerReferences !== undefined);
  first.bury();
  const stops = managers.map((manager) => manager.stop().catch(ignore));
  await clock.advance(60_000);
  await Promise.all(stops);
  return { crashed, left: [...things, ...owned].map(({ metadata }) => metadata.name), names: [...external.published] };
}

describe('a crash at any write', () => {
  test('B-18, B-19: a controller with finalizer, two kinds of children, prune and status ends with the same world', async () => {
    const { writes, runs } = await crashEveryWrite(completeScenario());
    const kinds = ['/things/a', '/things/a/status', '/secrets/a', '/configmaps/a-x', '/configmaps/a-y'];
    expect(kinds.filter((end) => !writes.some((write) => write.endsWith(end)))).toEqual([]);
    expect(writes.some((write) => write.startsWith('DELETE ') && write.endsWith('/configmaps/a-y'))).toBe(true);
    expect(runs).toBe(writes.length * 3);
  }, 120_000);

  // The finalizer, the Secret, two ConfigMaps, the status.
  const writes = [0, 1, 2, 3, 4];
  test.each(
    writes.flatMap((write) => (['crash-before', 'crash-after'] as const).map((fate) => [fate, write] as const)),
  )(
    'B-18: %s %d, and the object is deleted before the next life: no orphan, in the cluster or outside',
    async (fate, write) => {
      expect(await deletedWhileNobodyRuns(write, fate)).toEqual({ crashed: true, left: [], names: [] });
    },
  );
});
