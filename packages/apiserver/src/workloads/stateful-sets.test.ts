import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { cluster, image, ready } from './workloads-under-test.test-support.ts';

const labels = { app: 'db' };
const statefulSet = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db' },
  spec: {
    replicas: 3,
    serviceName: 'db',
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'db:1' }] } },
    ...spec,
  },
});

const data: JsonObject = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

const started = async (spec: JsonObject = {}) => {
  const world = cluster();
  await world.call('StatefulSet', { verb: 'create', body: statefulSet(spec) });
  const names = (): string[] =>
    world
      .list('Pod')
      .map(({ metadata }) => metadata.name)
      .toSorted();
  const images = (): unknown[] =>
    world
      .list('Pod')
      .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
      .map(({ spec: { containers } }) => containers[0]?.image);
  return { ...world, names, images };
};

describe('API-J4: StatefulSets', () => {
  test('its pods come one after the other, each with its number, name, host and claim', async () => {
    const { list, names, pass, settle } = await started({ volumeClaimTemplates: [data] });
    await pass(100);
    expect(names()).toEqual(['db-0']);
    await pass(250);
    expect(names()).toEqual(['db-0', 'db-1']);
    await pass(5000);
    expect(names()).toEqual(['db-0', 'db-1', 'db-2']);
    expect(list('PersistentVolumeClaim').map(({ metadata }) => [metadata.name, metadata.labels])).toEqual(
      ['data-db-0', 'data-db-1', 'data-db-2'].map((name) => [name, labels]),
    );
    const [set] = list('StatefulSet');
    const [revision] = list('ControllerRevision');
    expect(list('Pod').find(({ metadata }) => metadata.name === 'db-1')).toMatchObject({
      metadata: {
        labels: {
          app: 'db',
          'apps.kubernetes.io/pod-index': '1',
          'controller-revision-hash': revision?.metadata.name,
          'statefulset.kubernetes.io/pod-name': 'db-1',
        },
        ownerReferences: [{ kind: 'StatefulSet', name: 'db', uid: set?.metadata.uid, controller: true }],
      },
      spec: {
        hostname: 'db-1',
        subdomain: 'db',
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } }],
      },
    });
    expect(set?.status).toEqual({
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      availableReplicas: 3,
      currentRevision: revision?.metadata.name,
      updateRevision: revision?.metadata.name,
      collisionCount: 0,
    });
    expect(await settle()).toBe(0);
  });

  test('in parallel all come and go at once', async () => {
    const { names, pass, patch } = await started({ podManagementPolicy: 'Parallel' });
    await pass(50);
    expect(names()).toEqual(['db-0', 'db-1', 'db-2']);
    await pass(1000);
    await patch('StatefulSet', 'db', { spec: { replicas: 0 } });
    await pass(150);
    expect(names()).toEqual([]);
  });

  test('scaled down, the highest go first and one waits for the other; scaled up, claims are taken again', async () => {
    const { list, names, pass, patch } = await started({ volumeClaimTemplates: [data] });
    await pass(5000);
    await patch('StatefulSet', 'db', { spec: { replicas: 1 } });
    await pass(50);
    expect(list('Pod').filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toMatchObject([
      { metadata: { name: 'db-2' } },
    ]);
    await pass(2000);
    expect(names()).toEqual(['db-0']);
    expect(list('PersistentVolumeClaim')).toHaveLength(3);
    await patch('StatefulSet', 'db', { spec: { replicas: 2 } });
    await pass(2000);
    expect(names()).toEqual(['db-0', 'db-1']);
    expect(list('PersistentVolumeClaim')).toHaveLength(3);
  });

  test('a new template replaces the pods from the highest number down, never two at once', async () => {
    const { images, list, pass, patch } = await started();
    await pass(5000);
    await patch('StatefulSet', 'db', image('db:2'));
    const fewest: number[] = [];
    for (let step = 0; step < 40; step += 1) {
      await pass(100);
      fewest.push(ready(list('Pod').filter(({ metadata }) => metadata.deletionTimestamp === undefined)));
      if (images()[0] === 'db:2') expect(images().slice(1)).toEqual(['db:2', 'db:2']);
    }
    expect(Math.min(...fewest)).toBe(2);
    expect(images()).toEqual(['db:2', 'db:2', 'db:2']);
    const revisions = list('ControllerRevision');
    expect(revisions.map(({ revision }) => revision).toSorted()).toEqual([1, 2]);
    const { currentRevision, updateRevision } = list('StatefulSet')[0]?.status ?? {};
    expect(currentRevision).toBe(updateRevision);
    await patch('StatefulSet', 'db', image('db:1'));
    await pass(5000);
    expect(images()).toEqual(['db:1', 'db:1', 'db:1']);
    expect(
      list('ControllerRevision')
        .map(({ revision }) => revision)
        .toSorted(),
    ).toEqual([2, 3]);
  });

  test('below the partition the old template stays, also for a pod that comes anew; OnDelete waits to be asked', async () => {
    const partition = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } };
    const { call, images, pass, patch } = await started(partition);
    await pass(5000);
    await patch('StatefulSet', 'db', image('db:2'));
    await pass(3000);
    expect(images()).toEqual(['db:1', 'db:1', 'db:2']);
    await call('Pod', { verb: 'delete', name: 'db-0' });
    await pass(3000);
    expect(images()).toEqual(['db:1', 'db:1', 'db:2']);
    await patch('StatefulSet', 'db', { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } } });
    await pass(3000);
    expect(images()).toEqual(['db:1', 'db:1', 'db:2']);
    await call('Pod', { verb: 'delete', name: 'db-0' });
    await pass(3000);
    expect(images()).toEqual(['db:2', 'db:1', 'db:2']);
  });

  test('no more revisions are kept than it says, beside those in use', async () => {
    const { list, pass, patch } = await started({ replicas: 1, revisionHistoryLimit: 1 });
    for (const name of ['db:2', 'db:3', 'db:4']) {
      await pass(2000);
      await patch('StatefulSet', 'db', image(name));
    }
    await pass(3000);
    expect(
      list('ControllerRevision')
        .map(({ revision }) => revision)
        .toSorted(),
    ).toEqual([3, 4]);
  });
});

describe('API-J4: DaemonSets', () => {
  const daemonSet = (spec: JsonObject = {}): JsonObject => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: {
        metadata: { labels: { app: 'agent' } },
        spec: { containers: [{ name: 'c', image: 'agent:1' }], ...spec },
      },
    },
  });

  test('one pod on every node, cordoned ones too, also on one that comes later; it goes with its node', async () => {
    const { call, list, pass, patch, settle } = cluster({ nodes: 2 });
    await pass(10);
    await patch('Node', 'node-2', { spec: { unschedulable: true } });
    await call('DaemonSet', { verb: 'create', body: daemonSet() });
    await pass(1000);
    const places = (): unknown[] =>
      list('Pod')
        .map(({ spec }) => spec.nodeName)
        .toSorted();
    expect(places()).toEqual(['node-1', 'node-2']);
    expect(list('DaemonSet')[0]?.status).toEqual({
      currentNumberScheduled: 2,
      desiredNumberScheduled: 2,
      numberAvailable: 2,
      numberMisscheduled: 0,
      numberReady: 2,
      observedGeneration: 1,
      updatedNumberScheduled: 2,
    });
    await call('Node', { verb: 'create', body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'late' } } });
    await pass(1000);
    expect(places()).toEqual(['late', 'node-1', 'node-2']);
    await call('Node', { verb: 'delete', name: 'node-2' });
    await pass(1000);
    expect(places()).toEqual(['late', 'node-1']);
    await pass(1000);
    expect(await settle()).toBe(0);
  });

  test('only on nodes that its template selects', async () => {
    const { call, list, pass, patch } = cluster({ nodes: 2 });
    await call('DaemonSet', { verb: 'create', body: daemonSet({ nodeSelector: { disk: 'fast' } }) });
    await pass(1000);
    expect(list('Pod')).toEqual([]);
    await patch('Node', 'node-2', { metadata: { labels: { disk: 'fast' } } });
    await pass(1000);
    expect(list('Pod')).toMatchObject([{ spec: { nodeName: 'node-2' } }]);
    await patch('Node', 'node-2', { metadata: { labels: { disk: null } } });
    await pass(1000);
    expect(list('Pod')).toEqual([]);
  });

  test('a new template replaces one pod after the other', async () => {
    const { call, list, pass, patch } = cluster({ nodes: 3 });
    await call('DaemonSet', { verb: 'create', body: daemonSet() });
    await pass(1000);
    await patch('DaemonSet', 'agent', image('agent:2'));
    const fewest: number[] = [];
    for (let step = 0; step < 30; step += 1) {
      await pass(100);
      fewest.push(ready(list('Pod').filter(({ metadata }) => metadata.deletionTimestamp === undefined)));
    }
    expect(Math.min(...fewest)).toBe(2);
    expect(list('Pod').map(({ spec }) => spec.containers[0]?.image)).toEqual(['agent:2', 'agent:2', 'agent:2']);
    expect(list('DaemonSet')).toMatchObject([{ status: { updatedNumberScheduled: 3, numberAvailable: 3 } }]);
  });
});
