// What the status of a budget says, as its pods come and go.
import { formatTime, type JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { type Budget, type BudgetView, planBudget } from './disruption-plan.ts';
import type { Meta, Pod } from './workload-objects.ts';

const now = 1_000_000_000_000;

const meta = (name: string, more: Partial<Meta> = {}): Meta => ({
  name,
  namespace: 'default',
  uid: `uid-${name}`,
  resourceVersion: '1',
  generation: 3,
  creationTimestamp: formatTime(now),
  ...more,
});

const pod = (name: string, { ready = true, going = false } = {}): Pod => ({
  metadata: meta(name, going ? { deletionTimestamp: formatTime(now) } : {}),
  spec: { containers: [] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

const three = [pod('a'), pod('b'), pod('c')];

function plan(spec: Budget['spec'], more: Partial<BudgetView> & { status?: JsonObject } = {}): JsonObject | undefined {
  const { status = {}, ...view } = more;
  const budget = { metadata: meta('budget'), spec, status } as Budget;
  return planBudget({ budget, pods: three, scale: () => 3, now, ...view }).status;
}

describe('API-J5: the status of a disruption budget', () => {
  test.each([
    ['minAvailable 2 of 3', { minAvailable: 2 }, three, [3, 2, 3, 1]],
    ['minAvailable 3 of 3', { minAvailable: 3 }, three, [3, 3, 3, 0]],
    ['minAvailable 5 of 3', { minAvailable: 5 }, three, [3, 5, 3, 0]],
    ['minAvailable 50 %, rounded up', { minAvailable: '50%' }, three, [3, 2, 3, 1]],
    ['maxUnavailable 1', { maxUnavailable: 1 }, three, [3, 2, 3, 1]],
    ['maxUnavailable 5', { maxUnavailable: 5 }, three, [3, 0, 3, 3]],
    ['maxUnavailable 34 %, rounded up', { maxUnavailable: '34%' }, three, [3, 1, 3, 2]],
    ['one not ready', { minAvailable: 1 }, [pod('a'), pod('b', { ready: false })], [1, 1, 2, 0]],
    ['one going', { minAvailable: 1 }, [pod('a'), pod('b', { going: true })], [1, 1, 2, 0]],
    ['no pods', { minAvailable: 0 }, [], [0, 0, 0, 0]],
    ['neither bound', {}, three, [3, 0, 0, 0]],
  ])('%s', (_, spec, pods, [currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed]) => {
    expect(plan(spec, { pods })).toMatchObject({
      observedGeneration: 3,
      currentHealthy,
      desiredHealthy,
      expectedPods,
      disruptionsAllowed,
      conditions: [{ type: 'DisruptionAllowed', status: (disruptionsAllowed ?? 0) > 0 ? 'True' : 'False' }],
    });
  });

  test('is left alone once it is true', () => {
    const status = plan({ minAvailable: 2 });
    expect(plan({ minAvailable: 2 }, { status: status ?? {} })).toBeUndefined();
  });

  test('does not count a pod whose eviction was announced, for two minutes', () => {
    const noted = { disruptedPods: { a: formatTime(now - 60_000), gone: formatTime(now) } };
    const status = plan({ minAvailable: 1 }, { status: noted });
    expect(status).toMatchObject({ currentHealthy: 2, disruptedPods: { a: noted.disruptedPods.a } });
    expect(status?.['disruptedPods']).not.toHaveProperty('gone');
    const budget = { metadata: meta('budget'), spec: { minAvailable: 1 }, status } as Budget;
    const { at } = planBudget({ budget, pods: three, scale: () => 3, now });
    expect(at).toBe(now + 60_001);
    const later = planBudget({ budget, pods: three, scale: () => 3, now: at ?? 0 }).status;
    expect(later).toMatchObject({ currentHealthy: 3 });
    expect(later).not.toHaveProperty('disruptedPods');
  });

  test('allows nothing while it is not known how many there should be, and says why', () => {
    const scale = () => ({ problem: 'found no controllers for pod "a"' });
    expect(plan({ maxUnavailable: 1 }, { scale, status: { disruptionsAllowed: 2 } })).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ status: 'False', reason: 'SyncFailed', message: 'found no controllers for pod "a"' }],
    });
  });
});
