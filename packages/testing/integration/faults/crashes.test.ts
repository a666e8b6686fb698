// Crashes at every write of a controller that does all a controller may do: finalizer, two kinds of children, prune, status.
import { controller, operator, type Operator } from 'kilter';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { describe, expect, test } from 'vitest';
import { crashEveryWrite } from '../../src/index.ts';
import { Thing, thing } from '../thing.test-support.ts';

interface Names {
  readonly published: Set<string>;
}

/** A ConfigMap for each value, one Secret, a name outside, and a status. */
const complete = ({ external }: { external: Names }): Operator =>
  operator({
    name: 'complete',
    leaderElection: true,
    controllers: [
      controller(Thing)
        .owns(ConfigMap, { prune: true })
        .owns(Secret)
        .cleanup('example.com/name', async ({ metadata }) => void external.published.delete(metadata.name))
        .reconcile(async (object, ctx) => {
          const { name } = object.metadata;
          await ctx.apply(Secret.build({ name, stringData: { token: name } }));
          for (const [key, value] of Object.entries(object.spec.values)) {
            await ctx.apply(ConfigMap.build({ name: `${name}-${key}`, data: { value } }));
          }
          await ctx.fence(async () => void external.published.add(name));
          await ctx.status({ seen: Object.keys(object.spec.values).length });
        }),
    ],
  });

const scenario = {
  external: (): Names => ({ published: new Set() }),
  observe: ({ published }: Names) => [...published].toSorted(),
  steps: [
    (user) => user.create(thing('a', { x: '1', y: '1' })),
    (user) => user.patch(Thing, 'a', { spec: { values: { x: '2', y: null, z: '3' } } }),
    (user) => user.delete(Thing, 'a'),
  ],
} satisfies Partial<Parameters<typeof crashEveryWrite<Names>>[0]>;

describe('a crash at any write', () => {
  test('B-18, B-19: a controller with finalizer, two kinds of children, prune and status ends with the same world', async () => {
    const { writes, runs } = await crashEveryWrite({ ...scenario, operator: complete });
    const kinds = ['/things/a', '/things/a/status', '/secrets/a', '/configmaps/a-x', '/configmaps/a-y'];
    expect(kinds.filter((end) => !writes.some((write) => write.endsWith(end)))).toEqual([]);
    expect(writes.some((write) => write.startsWith('DELETE ') && write.endsWith('/configmaps/a-y'))).toBe(true);
    expect(runs).toBe(writes.length * 3);
  }, 120_000);
});
