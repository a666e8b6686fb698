import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limitsOf, nextScaling, roomFor } from './rolling-update.ts';
import type { Deployment, ReplicaSet } from './workload-objects.ts';

function deployment(
  replicas: number,
  rollingUpdate: { maxSurge?: number | string; maxUnavailable?: number | string } = {},
): Deployment {
  return { spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate } } } as unknown as Deployment;
}

function set(replicas: number, available = replicas): ReplicaSet {
  return { spec: { replicas }, status: { replicas, availableReplicas: available } } as unknown as ReplicaSet;
}

describe('limits of a rolling update', () => {
  test.each([
    [4, {}, { surge: 1, unavailable: 1 }],
    [1, {}, { surge: 1, unavailable: 0 }],
    [10, { maxSurge: '25%', maxUnavailable: '25%' }, { surge: 3, unavailable: 2 }],
    [3, { maxSurge: 2, maxUnavailable: 0 }, { surge: 2, unavailable: 0 }],
    [3, { maxSurge: 0, maxUnavailable: 0 }, { surge: 0, unavailable: 1 }],
    [2, { maxSurge: 0, maxUnavailable: 9 }, { surge: 0, unavailable: 2 }],
  ])('%i replicas with %j', (replicas, strategy, limits) => {
    expect(limitsOf(deployment(replicas, strategy))).toEqual(limits);
  });
});

describe('one step of a rolling update', () => {
  const strict = deployment(3, { maxSurge: 1, maxUnavailable: 0 });

  test('the new set first takes the room above what is wanted', () => {
    expect(roomFor(strict, [set(3)], 0)).toBe(1);
    const current = set(0);
    expect(nextScaling(strict, current, [set(3)])).toEqual({ replicaSet: current, replicas: 1 });
  });

  test('an old one goes for each new one that is available, not before', () => {
    const old = set(3);
    expect(nextScaling(strict, set(1, 0), [old])).toBeUndefined();
    expect(nextScaling(strict, set(1), [old])).toEqual({ replicaSet: old, replicas: 2 });
  });

  test('old ones that are not available cost nothing', () => {
    const broken = set(3, 0);
    expect(nextScaling(deployment(3, { maxSurge: 1, maxUnavailable: 1 }), set(1, 0), [broken])).toEqual({
      replicaSet: broken,
      replicas: 2,
    });
  });

  test('fewer wanted: the new set shrinks at once', () => {
    const current = set(5);
    expect(nextScaling(strict, current, [])).toEqual({ replicaSet: current, replicas: 3 });
  });

  test('done: nothing', () => {
    expect(nextScaling(strict, set(3), [set(0)])).toBeUndefined();
  });
});

test('a rollout always ends, never with more or fewer pods than its limits allow', () => {
  const size = fc.integer({ min: 0, max: 8 });
  fc.assert(
    fc.property(
      fc.record({
        wanted: size,
        before: size,
        surge: fc.integer({ min: 0, max: 3 }),
        unavailable: fc.integer({ min: 0, max: 3 }),
      }),
      (input) => {
        const wanted = deployment(input.wanted, { maxSurge: input.surge, maxUnavailable: input.unavailable });
        const limits = limitsOf(wanted);
        let [current, old] = [set(0), set(input.before)];
        for (let step = 0; step < 100; step += 1) {
          const next = nextScaling(wanted, current, [old]);
          const available = (current.status?.availableReplicas ?? 0) + (old.status?.availableReplicas ?? 0);
          if (next === undefined && available === current.spec.replicas + old.spec.replicas) break;
          if (next?.replicaSet === old) old = set(next.replicas);
          else if (next !== undefined) current = set(next.replicas, current.status?.availableReplicas);
          else current = set(current.spec.replicas);
          const floor = Math.min(input.before, input.wanted) - limits.unavailable;
          expect(
            (current.status?.availableReplicas ?? 0) + (old.status?.availableReplicas ?? 0),
          ).toBeGreaterThanOrEqual(floor);
          const ceiling = Math.max(input.before, input.wanted + limits.surge);
          expect(current.spec.replicas + old.spec.replicas).toBeLessThanOrEqual(ceiling);
        }
        expect([current.spec.replicas, old.spec.replicas]).toEqual([input.wanted, 0]);
      },
    ),
  );
});
