// pods/eviction and the budgets it asks.
import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { refusal, RegistryUnderTest, type Stored } from './registry-under-test.test-support.ts';

const policy = { apiVersion: 'policy/v1' };

const budgetOf = (name: string, spec: JsonObject = {}): JsonObject => ({
  ...policy,
  kind: 'PodDisruptionBudget',
  metadata: { name },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } }, ...spec },
});

class Evictions extends RegistryUnderTest {
  async runningPod(name: string, ready = 'True'): Promise<Stored> {
    const spec = { nodeName: 'node-1', containers: [{ name: 'c', image: 'i' }] };
    await this.create('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: 'x' } }, spec });
    const body = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] } };
    return this.patch('pods', name, { body, subresource: 'status' });
  }

  async budget(
    name: string,
    { spec = {}, status = {} }: { spec?: JsonObject; status?: JsonObject } = {},
  ): Promise<void> {
    await this.create('poddisruptionbudgets', budgetOf(name, spec), policy);
    const known = { observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, ...status };
    await this.patch('poddisruptionbudgets', name, { ...policy, body: { status: known }, subresource: 'status' });
  }

  budgetStatus(name: string): Promise<JsonObject> {
    return this.get('poddisruptionbudgets', name, policy).then(({ status }) => status as JsonObject);
  }

  evict(name: string, deleteOptions: JsonObject = {}, query = ''): Promise<Stored> {
    const body = { ...policy, kind: 'Eviction', metadata: { name }, deleteOptions };
    return this.create('pods', body, { name, subresource: 'eviction', query });
  }
}

describe('API-R2: an eviction', () => {
  test('marks the pod, says why on it, and lets it go', async () => {
    const api = new Evictions();
    await api.runningPod('p');
    expect(await api.evict('p')).toMatchObject({ kind: 'Status', status: 'Success', code: 201 });
    const { metadata, status } = await api.get('pods', 'p');
    expect(metadata).toMatchObject({ deletionGracePeriodSeconds: 30, generation: 2 });
    expect((status as JsonObject)['conditions']).toMatchObject([
      { type: 'Ready' },
      { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' },
    ]);
    await api.evict('p', { gracePeriodSeconds: 0 });
    expect(await refusal(api.get('pods', 'p'))).toMatchObject({ code: 404 });
  });

  test('within the budget spends it, and one beyond it is refused with the real words; nothing is changed then', async () => {
    const api = new Evictions();
    await api.runningPod('p');
    const second = await api.runningPod('q');
    await api.budget('b', { status: { disruptionsAllowed: 1, currentHealthy: 2 } });
    await api.evict('p');
    const spent = await api.budgetStatus('b');
    expect(spent).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { p: expect.any(String) as string },
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
    });
    const { resourceVersion } = (await api.list('pods')).metadata;
    const refused = await api.evict('q').catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: { causes: [{ reason: 'DisruptionBudget' }] },
    });
    expect(await api.get('pods', 'q')).toEqual(second);
    expect(await api.budgetStatus('b')).toEqual(spent);
    expect((await api.list('pods')).metadata.resourceVersion).toBe(resourceVersion);
  });

  test('covered by two budgets is refused, and both stay as they are', async () => {
    const api = new Evictions();
    const pod = await api.runningPod('p');
    for (const name of ['a', 'b']) await api.budget(name, { status: { disruptionsAllowed: 1 } });
    expect(await refusal(api.evict('p'))).toMatchObject({
      code: 500,
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    });
    expect(await api.get('pods', 'p')).toEqual(pod);
    expect([await api.budgetStatus('a'), await api.budgetStatus('b')]).toMatchObject([
      { disruptionsAllowed: 1 },
      { disruptionsAllowed: 1 },
    ]);
  });

  test('waits for a budget whose newest form nobody has looked at', async () => {
    const api = new Evictions();
    await api.runningPod('p');
    await api.budget('b', { status: { observedGeneration: 0, disruptionsAllowed: 5 } });
    const refused = await api.evict('p').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 429, details: { retryAfterSeconds: 10 } });
  });

  test('of a dry run asks the budget and changes nothing', async () => {
    const api = new Evictions();
    const pod = await api.runningPod('p');
    await api.budget('b', { status: { disruptionsAllowed: 1 } });
    const before = await api.budgetStatus('b');
    await api.evict('p', {}, 'dryRun=All');
    await api.evict('p', { dryRun: ['All'] });
    expect(await api.get('pods', 'p')).toEqual(pod);
    expect(await api.budgetStatus('b')).toEqual(before);
  });

  test('of another uid or version is a conflict, and leaves no condition on the pod', async () => {
    const api = new Evictions();
    const pod = await api.runningPod('p');
    for (const preconditions of [{ uid: 'other' }, { resourceVersion: '1' }])
      expect(await refusal(api.evict('p', { preconditions }))).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(await api.get('pods', 'p')).toEqual(pod);
    const { uid, resourceVersion } = pod.metadata;
    expect(await api.evict('p', { preconditions: { uid, resourceVersion } })).toMatchObject({ status: 'Success' });
  });

  test.each([
    ['IfHealthyBudget', 0, 429],
    ['IfHealthyBudget', 1, 201],
    ['AlwaysAllow', 0, 201],
  ])('of a pod that is not ready under %s with %i healthy is %i', async (unhealthyPodEvictionPolicy, healthy, code) => {
    const api = new Evictions();
    await api.runningPod('p', 'False');
    await api.budget('b', { spec: { unhealthyPodEvictionPolicy }, status: { currentHealthy: healthy } });
    const answer = code === 201 ? api.evict('p') : api.evict('p').catch((error: unknown) => error);
    expect(await answer).toMatchObject({ code });
  });

  test('of a pod in a namespace beside the budget is not its matter', async () => {
    const api = new Evictions();
    await api.runningPod('p');
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'else' } };
    await api.create('namespaces', namespace);
    await api.create('poddisruptionbudgets', budgetOf('b'), { ...policy, namespace: 'else' });
    expect(await api.evict('p')).toMatchObject({ code: 201 });
  });
});
