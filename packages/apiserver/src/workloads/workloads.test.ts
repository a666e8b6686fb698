import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { EndpointSlice } from './endpoint-slice-plan.ts';
import type { Pod } from './workload-objects.ts';
import { cluster, conditions, deployment, image, ready } from './workloads-under-test.test-support.ts';

describe('API-J1: Deployments and ReplicaSets', () => {
  test('a ReplicaSet named after the template, its pods owned and labelled', async () => {
    const { call, list, pass } = cluster();
    await call('Deployment', { verb: 'create', body: deployment() });
    await pass(1000);
    const [set] = list('ReplicaSet');
    const hash = set?.metadata.labels?.['pod-template-hash'] ?? '';
    const [owner] = list('Deployment');
    expect(set).toMatchObject({
      metadata: {
        name: `web-${hash}`,
        labels: { app: 'web' },
        annotations: { 'deployment.kubernetes.io/revision': '1', 'deployment.kubernetes.io/desired-replicas': '3' },
        ownerReferences: [{ kind: 'Deployment', name: 'web', uid: owner?.metadata.uid, controller: true }],
      },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } },
        template: { metadata: { labels: { app: 'web', 'pod-template-hash': hash } } },
      },
      status: { replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 3, availableReplicas: 3, observedGeneration: 1 },
    });
    const pods = list('Pod');
    expect(pods).toHaveLength(3);
    for (const pod of pods) {
      expect(pod.metadata.name).toMatch(new RegExp(`^web-${hash}-[a-z0-9]{5}$`));
      expect(pod.metadata).toMatchObject({
        labels: { app: 'web', 'pod-template-hash': hash },
        ownerReferences: [{ kind: 'ReplicaSet', uid: set?.metadata.uid, controller: true, blockOwnerDeletion: true }],
      });
    }
  });

  test('the status counts, and its conditions say when it is available and done', async () => {
    const { call, list, pass, settle } = cluster();
    await call('Deployment', { verb: 'create', body: deployment() });
    await settle();
    expect(list('Deployment')[0]?.status).toMatchObject({ observedGeneration: 1, replicas: 3, unavailableReplicas: 3 });
    expect(conditions(list('Deployment')[0]?.status?.conditions)).toEqual({
      Available: 'False MinimumReplicasUnavailable',
      Progressing: 'True ReplicaSetUpdated',
    });
    await pass(1000);
    const [done] = list('Deployment');
    expect(done?.metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1' });
    expect(done?.status).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
    });
    expect(done?.status).not.toHaveProperty('unavailableReplicas');
    expect(conditions(done?.status?.conditions)).toEqual({
      Available: 'True MinimumReplicasAvailable',
      Progressing: 'True NewReplicaSetAvailable',
    });
  });

  test('scaling up and down', async () => {
    const { call, list, pass, patch } = cluster();
    await call('Deployment', { verb: 'create', body: deployment() });
    await pass(1000);
    await patch('Deployment', 'web', { spec: { replicas: 5 } });
    await pass(1000);
    expect(ready(list('Pod'))).toBe(5);
    await patch('Deployment', 'web', { spec: { replicas: 1 } });
    await pass(1000);
    expect(list('Pod')).toHaveLength(1);
    await patch('Deployment', 'web', { spec: { replicas: 0 } });
    await pass(1000);
    expect(list('Pod')).toEqual([]);
    expect(list('ReplicaSet')).toHaveLength(1);
    expect(list('Deployment')[0]?.status).toMatchObject({ observedGeneration: 4 });
  });

  test('a new template rolls out without falling below what must be available', async () => {
    const { call, list, clock, patch, pass, settle, stages } = cluster();
    await call('Deployment', { verb: 'create', body: deployment() });
    await pass(1000);
    await patch('Deployment', 'web', image('nginx:2'));
    let least = 3;
    let most = 3;
    const end = clock.now() + 5000;
    while (clock.now() < end) {
      const action = stages.map((stage) => stage.next()).find((next) => next !== undefined);
      if (action === undefined) await clock.advance(50);
      else await action();
      const living = list('Pod').filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      least = Math.min(least, ready(living));
      most = Math.max(most, living.length);
    }
    await settle();
    expect({ least, most }).toEqual({ least: 3, most: 4 });
    expect(list('Pod').map(({ spec }) => spec.containers[0]?.image)).toEqual(['nginx:2', 'nginx:2', 'nginx:2']);
    const sets = Object.fromEntries(
      list('ReplicaSet').map(({ metadata, spec }) => [
        metadata.annotations?.['deployment.kubernetes.io/revision'],
        spec.replicas,
      ]),
    );
    expect(sets).toEqual({ 1: 0, 2: 3 });
    expect(list('Deployment')[0]?.metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '2' });
  });

  test('a template rolled back to takes its ReplicaSet again, as the newest revision', async () => {
    const { call, list, pass, patch } = cluster();
    await call('Deployment', { verb: 'create', body: deployment() });
    await pass(1000);
    for (const name of ['nginx:2', 'nginx:1']) {
      await patch('Deployment', 'web', image(name));
      await pass(5000);
    }
    expect(list('ReplicaSet')).toHaveLength(2);
    expect(list('Deployment')[0]?.metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '3' });
    expect(list('Pod').map(({ spec }) => spec.containers[0]?.image)).toEqual(['nginx:1', 'nginx:1', 'nginx:1']);
  });

  test('why it was changed is noted on its newest ReplicaSet, what was applied is not', async () => {
    const { call, list, settle } = cluster();
    await settle();
    const said = (cause: string): JsonObject => ({
      'kubernetes.io/change-cause': cause,
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
    });
    const made = deployment();
    const metadata = { ...(made['metadata'] as JsonObject), annotations: said('first') };
    await call('Deployment', { verb: 'create', body: { ...made, metadata } });
    await settle();
    const causes = (): unknown[] => list('ReplicaSet').map((set) => set.metadata.annotations);
    expect(causes()).toMatchObject([{ 'kubernetes.io/change-cause': 'first' }]);
    const body = { metadata: { annotations: said('second') } };
    await call('Deployment', { verb: 'patch', patchType: 'merge', name: 'web', body });
    await settle();
    expect(causes()).toMatchObject([{ 'kubernetes.io/change-cause': 'second' }]);
    expect(causes()[0]).not.toHaveProperty(['kubectl.kubernetes.io/last-applied-configuration']);
  });

  test('old ReplicaSets are kept up to the history limit', async () => {
    const { call, list, pass, patch } = cluster();
    await call('Deployment', { verb: 'create', body: deployment({ revisionHistoryLimit: 1, replicas: 1 }) });
    for (const name of ['nginx:2', 'nginx:3', 'nginx:4']) {
      await pass(3000);
      await patch('Deployment', 'web', image(name));
    }
    await pass(3000);
    const revisions = list('ReplicaSet').map(
      ({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision'],
    );
    expect(new Set(revisions)).toEqual(new Set(['3', '4']));
  });

  test('Recreate: nothing new before everything old is gone', async () => {
    const { call, list, patch, pass, clock, stages } = cluster();
    await call('Deployment', { verb: 'create', body: deployment({ strategy: { type: 'Recreate' } }) });
    await pass(1000);
    await patch('Deployment', 'web', image('nginx:2'));
    const end = clock.now() + 3000;
    while (clock.now() < end) {
      const action = stages.map((stage) => stage.next()).find((next) => next !== undefined);
      if (action === undefined) await clock.advance(50);
      else await action();
      expect(new Set(list('Pod').map(({ spec }) => spec.containers[0]?.image)).size).toBeLessThanOrEqual(1);
    }
    expect(ready(list('Pod'))).toBe(3);
  });

  test('a pod that is deleted is replaced', async () => {
    const { call, list, pass } = cluster();
    await call('Deployment', { verb: 'create', body: deployment() });
    await pass(1000);
    const name = list('Pod')[0]?.metadata.name ?? '';
    await call('Pod', { verb: 'delete', name });
    await pass(1000);
    expect(list('Pod').map(({ metadata }) => metadata.name)).not.toContain(name);
    expect(ready(list('Pod'))).toBe(3);
  });

  test('orphaned ReplicaSets and pods that match are adopted, not doubled', async () => {
    const { call, list, pass, patch } = cluster();
    await call('Deployment', { verb: 'create', body: deployment() });
    await pass(1000);
    const before = list('Pod').map(({ metadata }) => metadata.name);
    await call('Deployment', { verb: 'delete', name: 'web', body: { propagationPolicy: 'Background' } });
    const set = list('ReplicaSet')[0]?.metadata.name ?? '';
    await patch('ReplicaSet', set, { metadata: { ownerReferences: null } });
    await call('Deployment', { verb: 'create', body: deployment() });
    await pass(1000);
    const [again] = list('Deployment');
    expect(list('ReplicaSet').map(({ metadata }) => metadata.ownerReferences?.[0]?.uid)).toEqual([again?.metadata.uid]);
    expect(list('Pod').map(({ metadata }) => metadata.name)).toEqual(before);
  });

  test('pods count as available only after minReadySeconds', async () => {
    const { call, list, pass } = cluster();
    await call('Deployment', { verb: 'create', body: deployment({ minReadySeconds: 5 }) });
    await pass(3000);
    expect(list('Deployment')[0]?.status).toMatchObject({ readyReplicas: 3 });
    expect(list('Deployment')[0]?.status?.availableReplicas).toBeUndefined();
    await pass(5000);
    expect(list('Deployment')[0]?.status).toMatchObject({ availableReplicas: 3 });
  });

  test('a rollout that does not move is given up after its deadline', async () => {
    const { call, list, pass } = cluster({ podTimesOf: () => ({ readyAfter: Infinity }) });
    await call('Deployment', { verb: 'create', body: deployment({ progressDeadlineSeconds: 60 }) });
    await pass(59_000);
    expect(conditions(list('Deployment')[0]?.status?.conditions)['Progressing']).toBe('True ReplicaSetUpdated');
    await pass(2000);
    expect(conditions(list('Deployment')[0]?.status?.conditions)['Progressing']).toBe('False ProgressDeadlineExceeded');
  });

  test('a paused deployment keeps what it has', async () => {
    const { call, list, pass, patch } = cluster();
    await call('Deployment', { verb: 'create', body: deployment() });
    await pass(1000);
    await patch('Deployment', 'web', { spec: { paused: true } });
    await patch('Deployment', 'web', image('nginx:2'));
    await pass(1000);
    expect(list('ReplicaSet')).toHaveLength(1);
  });

  test('without nodes pods stay Pending', async () => {
    const { call, list, pass } = cluster({ nodes: 0 });
    await call('Deployment', { verb: 'create', body: deployment() });
    await pass(10_000);
    expect(list('Pod').map(({ status }) => status?.phase)).toEqual(['Pending', 'Pending', 'Pending']);
    expect(list('Node')).toEqual([]);
  });

  test('at rest nothing is written, and nothing is planned', async () => {
    const { call, clock, pass, settle, stages, writes } = cluster();
    await call('Deployment', { verb: 'create', body: deployment() });
    await pass(5000);
    const before = writes();
    await clock.advance(3_600_000);
    expect(await settle()).toBe(0);
    expect(writes()).toBe(before);
    expect(stages.map((stage) => stage.dueAt())).toEqual(stages.map(() => undefined));
  });

  test('a namespace that goes is left alone', async () => {
    const { call, settle, list } = cluster();
    await call('Namespace', {
      verb: 'create',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    });
    await call('Deployment', { verb: 'create', namespace: 'shop', body: deployment() });
    await settle();
    await call('Namespace', { verb: 'delete', name: 'shop' });
    const before = list('Pod').length;
    await call('Deployment', {
      verb: 'patch',
      patchType: 'merge',
      namespace: 'shop',
      name: 'web',
      body: { spec: { replicas: 9 } },
    });
    await expect(settle()).resolves.toBeGreaterThan(0);
    expect(list('Pod')).toHaveLength(before);
  });
});

describe('API-J2: nodes', () => {
  test('one fake node unless asked for more: Ready, with capacity, without taints', async () => {
    const { list, settle } = cluster();
    await settle();
    expect(list('Node')).toHaveLength(1);
    expect(list('Node')[0]).toMatchObject({
      metadata: { name: 'node-1', labels: { 'kubernetes.io/hostname': 'node-1' } },
      status: { capacity: { pods: '110' }, allocatable: { pods: '110' } },
    });
    expect(conditions(list('Node')[0]?.status?.conditions)['Ready']).toBe('True KubeletReady');
    expect(list('Node')[0]?.spec).not.toHaveProperty('taints');
  });

  test('several share the pods; one that is cordoned, or does not match, gets none', async () => {
    const { list, settle, pass, call, patch } = cluster({ nodes: 3 });
    await settle();
    await patch('Node', 'node-3', { spec: { unschedulable: true } });
    await call('Deployment', { verb: 'create', body: deployment({ replicas: 4 }) });
    await pass(1000);
    const on = (node: string): number => list('Pod').filter(({ spec }) => spec.nodeName === node).length;
    expect([on('node-1'), on('node-2'), on('node-3')]).toEqual([2, 2, 0]);
    await call('Pod', {
      verb: 'create',
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'picky' },
        spec: { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'c', image: 'nginx:1' }] },
      },
    });
    await pass(1000);
    const picky = (): Pod | undefined => list('Pod').find(({ metadata }) => metadata.name === 'picky');
    expect(picky()?.spec.nodeName).toBeUndefined();
    await patch('Node', 'node-2', { metadata: { labels: { disk: 'ssd' } } });
    await pass(1000);
    expect(picky()?.spec.nodeName).toBe('node-2');
  });

  test('one that is deleted stays away', async () => {
    const { list, settle, call } = cluster();
    await settle();
    await call('Node', { verb: 'delete', name: 'node-1' });
    await settle();
    expect(list('Node')).toEqual([]);
  });
});

const single = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'nginx:1' }], ...more },
});

describe('API-J3: pods', () => {
  test('bound at once, running and ready after their time', async () => {
    const { call, list, pass, settle } = cluster({ podTimes: { runningAfter: 100, readyAfter: 300 } });
    await call('Pod', { verb: 'create', body: single('p') });
    await settle();
    expect(list('Pod')[0]).toMatchObject({ spec: { nodeName: 'node-1' }, status: { phase: 'Pending' } });
    expect(conditions(list('Pod')[0]?.status?.conditions)).toMatchObject({ PodScheduled: 'True' });
    await pass(100);
    expect(list('Pod')[0]).toMatchObject({ status: { phase: 'Running', podIP: '10.244.1.2', hostIP: '10.0.0.1' } });
    expect(conditions(list('Pod')[0]?.status?.conditions)['Ready']).toBe('False ContainersNotReady');
    await pass(200);
    expect(list('Pod')[0]).toMatchObject({
      status: { containerStatuses: [{ name: 'c', ready: true, restartCount: 0, state: { running: {} } }] },
    });
    expect(ready(list('Pod'))).toBe(1);
  });

  test('a test sets the times of one pod', async () => {
    const { call, list, pass } = cluster({
      podTimesOf: (pod) => ((pod['metadata'] as JsonObject)['name'] === 'slow' ? { readyAfter: 60_000 } : undefined),
    });
    await call('Pod', { verb: 'create', body: single('fast') });
    await call('Pod', { verb: 'create', body: single('slow') });
    await pass(1000);
    expect(
      list('Pod')
        .filter((pod) => ready([pod]) === 1)
        .map(({ metadata }) => metadata.name),
    ).toEqual(['fast']);
    await pass(60_000);
    expect(ready(list('Pod'))).toBe(2);
  });

  test('a deleted one goes after its time, and never after its grace', async () => {
    const { call, list, pass, settle } = cluster({ podTimes: { goneAfter: 5000 } });
    await call('Pod', { verb: 'create', body: single('patient') });
    await call('Pod', { verb: 'create', body: single('hasty', { terminationGracePeriodSeconds: 1 }) });
    await pass(1000);
    for (const name of ['patient', 'hasty']) await call('Pod', { verb: 'delete', name });
    await settle();
    expect(list('Pod')).toHaveLength(2);
    await pass(1000);
    expect(list('Pod').map(({ metadata }) => metadata.name)).toEqual(['patient']);
    await pass(4000);
    expect(list('Pod')).toEqual([]);
  });

  test('readiness gates are waited for', async () => {
    const { call, list, pass } = cluster();
    await call('Pod', { verb: 'create', body: single('p', { readinessGates: [{ conditionType: 'example.com/ok' }] }) });
    await pass(1000);
    expect(conditions(list('Pod')[0]?.status?.conditions)).toMatchObject({
      ContainersReady: 'True',
      Ready: 'False ReadinessGatesNotReady',
    });
    const open = [...(list('Pod')[0]?.status?.conditions ?? []), { type: 'example.com/ok', status: 'True' }];
    const body = { status: { conditions: open as unknown as JsonObject[] } };
    await call('Pod', { verb: 'patch', patchType: 'merge', name: 'p', subresource: 'status', body });
    await pass(1000);
    expect(ready(list('Pod'))).toBe(1);
  });

  test('those of another scheduler, of an unknown node, and those that ended are left alone', async () => {
    const { call, list, pass, settle } = cluster();
    await settle();
    await call('Pod', { verb: 'create', body: single('other', { schedulerName: 'mine' }) });
    await call('Pod', { verb: 'create', body: single('lost', { nodeName: 'nowhere' }) });
    await call('Pod', { verb: 'create', body: single('ended', { nodeName: 'node-1' }) });
    const body = { status: { phase: 'Succeeded' } };
    await call('Pod', { verb: 'patch', patchType: 'merge', name: 'ended', subresource: 'status', body });
    await pass(10_000);
    expect(Object.fromEntries(list('Pod').map(({ metadata, status }) => [metadata.name, status?.phase]))).toEqual({
      other: 'Pending',
      lost: 'Pending',
      ended: 'Succeeded',
    });
  });

  test('one with gates waits for whoever takes them away', async () => {
    const { call, list, pass } = cluster();
    const gates = [{ name: 'example.com/wait' }];
    await call('Pod', { verb: 'create', body: single('gated', { schedulingGates: gates }) });
    await pass(60_000);
    const [waiting] = list('Pod');
    expect(waiting?.spec.nodeName).toBeUndefined();
    expect(waiting?.status?.conditions).toMatchObject([{ type: 'PodScheduled', reason: 'SchedulingGated' }]);
    const body = { spec: { schedulingGates: null } };
    await call('Pod', { verb: 'patch', patchType: 'merge', name: 'gated', body });
    await pass(10_000);
    expect(list('Pod')[0]?.status?.phase).toBe('Running');
  });
});

describe('API-J6: endpoints', () => {
  const webService: JsonObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', labels: { team: 'x' } },
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
  };
  const addresses = (slices: readonly EndpointSlice[]): unknown[] =>
    slices.flatMap(({ endpoints }) => (endpoints ?? []).flatMap((endpoint) => endpoint['addresses'] ?? []));

  test('follow the pods of a Service, and rest with them', async () => {
    const { call, list, pass, patch, settle, writes } = cluster();
    await call('Service', { verb: 'create', body: webService });
    await call('Deployment', { verb: 'create', body: deployment({ replicas: 2 }) });
    await pass(1000);
    const addressesOfPods = (): unknown[] => list('Pod').map(({ status }) => status?.podIP);
    expect(list('EndpointSlice')).toMatchObject([
      { addressType: 'IPv4', ports: [{ name: '', port: 8080, protocol: 'TCP' }], metadata: { labels: { team: 'x' } } },
    ]);
    expect(addresses(list('EndpointSlice'))).toHaveLength(2);
    expect(addresses(list('EndpointSlice')).toSorted()).toEqual(addressesOfPods().toSorted());
    await patch('Deployment', 'web', { spec: { replicas: 1 } });
    await pass(1000);
    expect(addresses(list('EndpointSlice'))).toEqual(addressesOfPods());
    const before = writes();
    expect(await settle()).toBe(0);
    expect(writes()).toBe(before);
  });

  test('a Service that nobody serves has a slice with nothing in it, which is written once', async () => {
    const { call, list, pass, settle } = cluster();
    await call('Service', { verb: 'create', body: webService });
    await pass(1000);
    expect(addresses(list('EndpointSlice'))).toEqual([]);
    expect(list('EndpointSlice')).toHaveLength(1);
    expect(await settle()).toBe(0);
  });
});
