import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { type Measured, measureOf } from './measures.ts';
import { charge, type Charge, recounted } from './quota.ts';

const now = 1_000_000;
const quotaOf = (hard: JsonObject, used: JsonObject, spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'q' },
  spec: { hard, ...spec },
  status: { hard, used },
});

const pod = (resources: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', resources }], ...spec },
  status: { phase: 'Pending' },
});

function measure(plural: string, group = ''): NonNullable<ReturnType<typeof measureOf>> {
  const found = measureOf({ group, plural });
  if (found === undefined) throw new Error(`${plural} are not counted`);
  return found;
}

function asked(quota: JsonObject, object: JsonObject, more: Partial<Measured> & { plural?: string } = {}): Charge {
  const { plural = 'pods', ...rest } = more;
  const change: Measured = { operation: 'create', subresource: undefined, object, old: undefined, ...rest };
  return charge({ quotas: [quota], measure: measure(plural), change, now });
}

const usedAfter = (result: Charge): unknown =>
  'refused' in result ? result.refused : result.charged.map(({ status }) => (status as JsonObject)['used']);

describe('API-A8: a quota', () => {
  test('is charged for what a new pod asks for, up to its bound', () => {
    const quota = quotaOf({ 'requests.cpu': '1', pods: '5' }, { 'requests.cpu': '600m', pods: '1' });
    expect(usedAfter(asked(quota, pod({ requests: { cpu: '400m' } })))).toEqual([{ 'requests.cpu': '1', pods: '2' }]);
    expect(usedAfter(asked(quota, pod({ requests: { cpu: '401m' } })))).toBe(
      'exceeded quota: q, requested: requests.cpu=401m, used: requests.cpu=600m, limited: requests.cpu=1',
    );
  });

  test('counts the neediest container that initializes, beside those before it that go on', () => {
    const quota = quotaOf({ 'requests.ephemeral-storage': '9Gi' }, { 'requests.ephemeral-storage': '0' });
    const needs = (name: string, storage: string): JsonObject => ({
      name,
      resources: { requests: { 'ephemeral-storage': storage } },
    });
    const initContainers = [{ ...needs('x', '2Gi'), restartPolicy: 'Always' }, needs('y', '4Gi'), needs('z', '1Gi')];
    const object = pod({ requests: { 'ephemeral-storage': '1Gi' } }, { initContainers });
    expect(usedAfter(asked(quota, object))).toEqual([{ 'requests.ephemeral-storage': '6Gi' }]);
  });

  test('wants every container to say what it bounds, unless the pod says it for all', () => {
    const quota = quotaOf({ cpu: '1', 'limits.memory': '1Gi' }, { cpu: '0', 'limits.memory': '0' });
    const silent = pod({ requests: { cpu: '1' } }, { initContainers: [{ name: 'b' }, { name: 'a' }] });
    expect(usedAfter(asked(quota, silent))).toBe(
      'failed quota: q: must specify cpu for: a,b; limits.memory for: a,b,c',
    );
    const whole = pod({}, { resources: { requests: { cpu: '1' }, limits: { memory: '1Gi' } } });
    expect(usedAfter(asked(quota, whole))).toEqual([{ cpu: '1', 'limits.memory': '1Gi' }]);
  });

  test('that nobody has counted yet lets nothing pass', () => {
    const quota = quotaOf({ pods: '1', 'count/pods': '1', services: '1' }, {});
    expect(usedAfter(asked(quota, pod()))).toBe('status unknown for quota: q, resources: count/pods,pods');
  });

  test('without a status has no say', () => {
    expect(usedAfter(asked({ metadata: { name: 'q' }, spec: { hard: { pods: '0' } } }, pod()))).toEqual([]);
  });

  test('is charged for what an update adds', () => {
    const quota = quotaOf({ 'services.nodeports': '1' }, { 'services.nodeports': '0' });
    const service = (type: string, ports: number): JsonObject => ({
      spec: { type, ports: Array.from({ length: ports }, () => ({})) },
    });
    const update = { operation: 'update', plural: 'services' } as const;
    expect(usedAfter(asked(quota, service('NodePort', 1), { ...update, old: service('ClusterIP', 1) }))).toEqual([
      { 'services.nodeports': '1' },
    ]);
    expect(usedAfter(asked(quota, service('NodePort', 2), { ...update, old: service('NodePort', 2) }))).toEqual([]);
    expect(usedAfter(asked(quota, service('ClusterIP', 2), { ...update, old: service('NodePort', 2) }))).toEqual([]);
    const own = {
      spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{}, { nodePort: 30000 }] },
    };
    expect(usedAfter(asked(quota, own, { plural: 'services' }))).toEqual([{ 'services.nodeports': '1' }]);
  });

  test('counts a pod in full that comes into its scope', () => {
    const quota = quotaOf({ pods: '1' }, { pods: '0' }, { scopes: ['Terminating'] });
    const ending = pod({}, { activeDeadlineSeconds: 5 });
    expect(usedAfter(asked(quota, ending, { operation: 'update', old: pod() }))).toEqual([{ pods: '1' }]);
    expect(usedAfter(asked(quota, ending, { operation: 'update', old: ending }))).toEqual([]);
  });

  test('counts storage of claims by class, in whole bytes, and what was allocated beyond', () => {
    const bound = { 'requests.storage': '9Gi', 'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '9' };
    const quota = quotaOf(bound, {
      'requests.storage': '0',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '0',
    });
    const claim = (storage: string, status: JsonObject = {}): JsonObject => ({
      spec: { storageClassName: 'gold', resources: { requests: { storage } } },
      status,
    });
    const class1 = { 'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1' };
    const plural = 'persistentvolumeclaims';
    expect(usedAfter(asked(quota, claim('1500m'), { plural }))).toEqual([{ 'requests.storage': '2', ...class1 }]);
    const grown = claim('1Gi', { allocatedResources: { storage: '2Gi' } });
    expect(usedAfter(asked(quota, grown, { plural }))).toEqual([{ 'requests.storage': '2Gi', ...class1 }]);
  });
});

describe('API-A8: scopes of a quota', () => {
  const named = (name: string): JsonObject => ({ scopes: [name] });
  const classed = (operator: string, ...values: string[]): JsonObject => ({
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] },
  });
  const term = {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: { namespaceSelector: {} } }],
    },
  };

  test.each([
    [named('BestEffort'), pod(), true],
    [named('BestEffort'), pod({ requests: { cpu: '1' } }), false],
    [named('NotBestEffort'), pod({ requests: { cpu: '1' } }), true],
    [named('NotBestEffort'), pod(), false],
    [named('Terminating'), pod({}, { activeDeadlineSeconds: 0 }), true],
    [named('Terminating'), pod(), false],
    [named('NotTerminating'), pod(), true],
    [named('PriorityClass'), pod({}, { priorityClassName: 'a' }), true],
    [named('PriorityClass'), pod(), false],
    [classed('In', 'a'), pod({}, { priorityClassName: 'a' }), true],
    [classed('In', 'a'), pod({}, { priorityClassName: 'b' }), false],
    [classed('NotIn', 'a'), pod({}, { priorityClassName: 'b' }), true],
    [classed('NotIn', 'a'), pod(), true],
    [classed('DoesNotExist'), pod(), true],
    [classed('DoesNotExist'), pod({}, { priorityClassName: 'b' }), false],
    [named('CrossNamespacePodAffinity'), pod({}, { affinity: term }), true],
    [named('CrossNamespacePodAffinity'), pod(), false],
    [{ scopes: ['BestEffort', 'Terminating'] }, pod(), false],
  ])('%j take %j: %s', (spec, object, expected) => {
    const result = asked(quotaOf({ pods: '0' }, { pods: '0' }, spec), object);
    expect('refused' in result).toBe(expected);
  });

  test('of attributes take claims, and of pods nothing else', () => {
    const spec = {
      scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['gold'] }] },
    };
    const quota = quotaOf({ persistentvolumeclaims: '0' }, { persistentvolumeclaims: '0' }, spec);
    const of = (claim: JsonObject): boolean => 'refused' in asked(quota, claim, { plural: 'persistentvolumeclaims' });
    expect(of({ spec: { volumeAttributesClassName: 'gold' } })).toBe(true);
    expect(of({ spec: {}, status: { modifyVolumeStatus: { targetVolumeAttributesClassName: 'gold' } } })).toBe(true);
    expect(of({ spec: {} })).toBe(false);
    const maps = quotaOf({ configmaps: '0' }, { configmaps: '0' }, named('BestEffort'));
    expect('refused' in asked(maps, {}, { plural: 'configmaps' })).toBe(false);
  });
});

describe('API-A8: what is counted', () => {
  test('is everything by plural and group, under old names as well, but no events', () => {
    expect([...measure('things', 'example.com').usage({}, now).keys()]).toEqual(['count/things.example.com']);
    expect([...measure('secrets').usage({}, now).keys()]).toEqual(['count/secrets', 'secrets']);
    expect(measureOf({ group: 'events.k8s.io', plural: 'events' })).toBeUndefined();
  });

  test('is a pod as long as it has not ended', () => {
    const names = (object: JsonObject): string[] => [...measure('pods').usage(object, now).keys()];
    expect(names(pod())).toEqual(['count/pods', 'pods']);
    expect(names({ ...pod(), status: { phase: 'Failed' } })).toEqual(['count/pods']);
    const leaving = (seconds: number): JsonObject => ({
      ...pod(),
      metadata: { deletionTimestamp: '1970-01-01T00:16:30Z', deletionGracePeriodSeconds: seconds },
    });
    expect(names(leaving(9))).toEqual(['count/pods']);
    expect(names(leaving(10))).toEqual(['count/pods', 'pods']);
  });

  test('is recounted from what there is; what nobody can count keeps its place empty', () => {
    const quota = {
      metadata: { name: 'q' },
      spec: { hard: { 'requests.cpu': '5', 'count/x.y': '1' }, scopes: [] },
      status: {},
    };
    const objects = (): JsonObject[] => [pod({ requests: { cpu: '1500m' } }), pod({ requests: { cpu: '1' } })];
    const measures = [{ measure: measure('pods'), objects }];
    const counted = recounted(quota, { measures, now });
    expect(counted?.['status']).toEqual({ hard: quota.spec.hard, used: { 'requests.cpu': '2500m' } });
    expect(recounted(counted ?? {}, { measures, now })).toBeUndefined();
    const more = { ...counted, spec: { hard: { 'requests.cpu': '6' } } };
    expect(recounted(more, { measures, now })?.['status']).toEqual({
      hard: { 'requests.cpu': '6' },
      used: { 'requests.cpu': '2500m' },
    });
  });
});
