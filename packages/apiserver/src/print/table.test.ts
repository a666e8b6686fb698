import type { Json, JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { partialListOf, partialOf } from './partial.ts';
import { type Printable, tableOf, type TableOptions } from './table.ts';

const now = Date.parse('2026-01-01T01:00:00Z');

/** Dotted paths are enough here; the server hands in a whole JSON path reader. */
const read: TableOptions['read'] = (object, path) => {
  const found = path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, field) => (value as Record<string, unknown> | undefined)?.[field], object);
  return found === undefined ? [] : [found as Json];
};

function table(resource: Printable, objects: JsonObject[], options: Partial<TableOptions> = {}): JsonObject {
  return tableOf(resource, objects, { now, read, ...options });
}

interface Row {
  readonly cells: Json[];
  readonly object: JsonObject | null;
  readonly conditions?: JsonObject[];
}

const rows = (made: JsonObject): Row[] => made['rows'] as unknown as Row[];
const headers = (made: JsonObject): string[] =>
  (made['columnDefinitions'] as { name: string }[]).map(({ name }) => name);

const metadata = {
  name: 'shop',
  namespace: 'default',
  resourceVersion: '7',
  creationTimestamp: '2026-01-01T00:56:40Z',
};

const builtin = (group: string, kind: string): Printable => ({ group, kind, custom: false, columns: [] });
const webapp: Printable = {
  group: 'example.com',
  kind: 'WebApp',
  custom: true,
  columns: [
    { name: 'Image', type: 'string', jsonPath: '.spec.image' },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', description: 'Wanted.' },
    { name: 'Born', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 1 },
    { name: 'Node', type: 'string', jsonPath: '.status.node' },
  ],
};

describe('API-L9: tables of custom resources', () => {
  const object = { apiVersion: 'example.com/v1', kind: 'WebApp', metadata, spec: { image: 'a:1', replicas: 3 } };

  test('Name and the declared columns; a date is a human duration, a missing path null', () => {
    expect(table(webapp, [object], { metadata: { resourceVersion: '9', continue: 'c' } })).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '9', continue: 'c' },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', priority: 0, description: expect.any(String) },
        {
          name: 'Image',
          type: 'string',
          format: '',
          priority: 0,
          description: 'Custom resource definition column (in JSONPath format): .spec.image',
        },
        { name: 'Replicas', type: 'integer', format: '', priority: 0, description: 'Wanted.' },
        { name: 'Born', type: 'date', format: '', priority: 1, description: expect.any(String) },
        { name: 'Node', type: 'string', format: '', priority: 0, description: expect.any(String) },
      ],
      rows: [
        {
          cells: ['shop', 'a:1', 3, '3m20s', null],
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata },
        },
      ],
    });
  });

  test('without declared columns: Name and Age', () => {
    const made = table({ ...webapp, columns: [] }, [object]);
    expect(headers(made)).toEqual(['Name', 'Age']);
    expect(rows(made)[0]?.cells).toEqual(['shop', '3m20s']);
    expect(made['metadata']).toEqual({ resourceVersion: '7' });
  });

  test.each([
    ['integer', 'three', null],
    ['integer', 3.7, 3],
    ['boolean', true, true],
    ['boolean', 'true', null],
    ['number', 1.5, 1.5],
    ['string', 3, '3'],
    ['string', { a: 1 }, '{"a":1}'],
    ['date', 'yesterday', '<invalid>'],
  ])('a cell of type %s with %j holds %j', (type, value, cell) => {
    const columns = [{ name: 'X', type, jsonPath: '.spec.x' }];
    const made = table({ ...webapp, columns }, [{ ...object, spec: { x: value } }]);
    expect(rows(made)[0]?.cells[1]).toEqual(cell);
  });

  test('includeObject decides what a row carries, and a watch repeats no headers', () => {
    expect(rows(table(webapp, [object], { includeObject: 'Object' }))[0]?.object).toEqual(object);
    expect(rows(table(webapp, [object], { includeObject: 'None' }))[0]?.object).toBeNull();
    expect(table(webapp, [object], { headers: false })['columnDefinitions']).toBeNull();
  });
});

const running = (name: string): JsonObject => ({ name, ready: true, restartCount: 0, state: { running: {} } });
const pod = (status: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { ...metadata, ...more },
  spec: { containers: [{ name: 'a' }, { name: 'b' }], nodeName: 'n1' },
  status: { phase: 'Running', podIP: '10.0.0.7', ...status },
});

describe('API-L9: tables of built-in kinds', () => {
  test('Pod', () => {
    const made = table(builtin('', 'Pod'), [pod({ containerStatuses: [running('a'), running('b')] })]);
    expect(headers(made)).toEqual([
      'Name',
      'Ready',
      'Status',
      'Restarts',
      'Age',
      'IP',
      'Node',
      'Nominated Node',
      'Readiness Gates',
    ]);
    expect(rows(made)[0]?.cells).toEqual([
      'shop',
      '2/2',
      'Running',
      '0',
      '3m20s',
      '10.0.0.7',
      'n1',
      '<none>',
      '<none>',
    ]);
  });

  const crashed = {
    name: 'b',
    ready: false,
    restartCount: 4,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
    lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-01T00:59:30Z' } },
  };
  const ended = (exitCode: number, reason?: string): JsonObject => ({
    name: 'b',
    ready: false,
    restartCount: 0,
    state: { terminated: { exitCode, ...(reason !== undefined && { reason }) } },
  });

  test.each([
    ['waits', { phase: 'Pending' }, '0/2', 'Pending', '0'],
    ['crashes', { containerStatuses: [running('a'), crashed] }, '1/2', 'CrashLoopBackOff', '4 (30s ago)'],
    ['completed', { phase: 'Succeeded', containerStatuses: [ended(0, 'Completed')] }, '0/2', 'Completed', '0'],
    ['half done', { containerStatuses: [running('a'), ended(0, 'Completed')] }, '1/2', 'NotReady', '0'],
    ['failed', { phase: 'Failed', containerStatuses: [ended(0, 'Completed'), ended(3)] }, '0/2', 'ExitCode:3', '0'],
    ['evicted', { phase: 'Failed', reason: 'Evicted' }, '0/2', 'Evicted', '0'],
  ])('Pod that %s', (_, status, ...cells) => {
    const made = table(builtin('', 'Pod'), [pod(status)]);
    expect(rows(made)[0]?.cells.slice(1, 4)).toEqual(cells);
  });

  test('Pod that initializes, is deleted, has ended', () => {
    const initializing = pod({ phase: 'Pending', initContainerStatuses: [ended(0), { name: 'c', state: {} }] });
    Object.assign(initializing['spec'] as JsonObject, { initContainers: [{ name: 'b' }, { name: 'c' }] });
    const deleted = pod({}, { deletionTimestamp: '2026-01-01T01:00:30Z' });
    const made = table(builtin('', 'Pod'), [initializing, deleted, pod({ phase: 'Succeeded' })]);
    expect(rows(made).map(({ cells }) => cells[2])).toEqual(['Init:1/2', 'Terminating', 'Succeeded']);
    expect(rows(made)[2]?.conditions).toMatchObject([{ type: 'Completed', status: 'True', reason: 'Succeeded' }]);
  });

  const template = { spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };
  const selector = { matchLabels: { app: 'shop' } };

  test.each<[string, string, JsonObject, Record<string, Json>]>([
    [
      'apps',
      'Deployment',
      {
        spec: { replicas: 3, template, selector },
        status: { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 },
      },
      { Ready: '2/3', 'Up-to-date': 3, Available: 1, Containers: 'web', Images: 'nginx:1', Selector: 'app=shop' },
    ],
    [
      'apps',
      'ReplicaSet',
      { spec: { replicas: 3 }, status: { replicas: 2, readyReplicas: 1 } },
      { Desired: 3, Current: 2, Ready: 1, Age: '3m20s' },
    ],
    [
      '',
      'Service',
      {
        spec: {
          type: 'NodePort',
          clusterIP: '10.96.0.2',
          ports: [{ port: 80, nodePort: 30_001, protocol: 'TCP' }],
          selector: { app: 'shop' },
        },
      },
      {
        Type: 'NodePort',
        'Cluster-IP': '10.96.0.2',
        'External-IP': '<none>',
        'Port(s)': '80:30001/TCP',
        Selector: 'app=shop',
      },
    ],
    ['', 'Service', { spec: { type: 'LoadBalancer' } }, { 'External-IP': '<pending>', 'Port(s)': '<none>' }],
    ['', 'ConfigMap', { data: { a: '1' }, binaryData: { b: 'Yg==' } }, { Data: 2 }],
    ['', 'Secret', { type: 'Opaque', data: { a: 'Yg==' } }, { Type: 'Opaque', Data: 1 }],
    ['', 'Namespace', { status: { phase: 'Active' } }, { Status: 'Active', Age: '3m20s' }],
    [
      '',
      'Node',
      {
        spec: { unschedulable: true },
        status: {
          conditions: [{ type: 'Ready', status: 'True' }],
          nodeInfo: { kubeletVersion: 'v1.36.3' },
          addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        },
      },
      { Status: 'Ready,SchedulingDisabled', Roles: '<none>', Version: 'v1.36.3', 'Internal-IP': '10.0.0.1' },
    ],
    ['coordination.k8s.io', 'Lease', { spec: { holderIdentity: 'me' } }, { Holder: 'me', Age: '3m20s' }],
    [
      '',
      'Event',
      {
        type: 'Normal',
        reason: 'Synced',
        message: 'done ',
        involvedObject: { kind: 'WebApp', name: 'shop' },
        source: { component: 'op' },
        eventTime: '2026-01-01T00:59:00.000000Z',
      },
      { 'Last Seen': '60s', Type: 'Normal', Object: 'webapp/shop', Message: 'done', Source: 'op', Count: 1 },
    ],
    [
      'events.k8s.io',
      'Event',
      {
        note: 'done',
        regarding: { kind: 'WebApp', name: 'shop' },
        eventTime: '2026-01-01T00:00:00.000000Z',
        series: { count: 5, lastObservedTime: '2026-01-01T00:59:55.000000Z' },
        reportingController: 'op',
      },
      { 'Last Seen': '5s', 'First Seen': '60m', Object: 'webapp/shop', Message: 'done', Source: 'op', Count: 5 },
    ],
    [
      'batch',
      'Job',
      {
        spec: { completions: 2 },
        status: {
          succeeded: 1,
          startTime: '2026-01-01T00:59:00Z',
          conditions: [{ type: 'Complete', status: 'False' }],
        },
      },
      { Status: 'Running', Completions: '1/2', Duration: '60s' },
    ],
    ['apiextensions.k8s.io', 'CustomResourceDefinition', {}, { Name: 'shop', 'Created At': '2026-01-01T00:56:40Z' }],
    ['', 'ServiceAccount', {}, { Name: 'shop', Age: '3m20s' }],
    [
      'networking.k8s.io',
      'Ingress',
      {
        spec: { rules: [{ host: 'a' }, {}, { host: 'b' }, { host: 'c' }, {}], tls: [{}] },
        status: { loadBalancer: { ingress: [{ ip: '10.0.0.9' }, { hostname: 'b.example' }, { ip: '10.0.0.9' }] } },
      },
      { Class: '<none>', Hosts: 'a,b,c + 2 more...', Address: '10.0.0.9,b.example', Ports: '80, 443' },
    ],
    ['networking.k8s.io', 'Ingress', { spec: { rules: [{}] } }, { Hosts: '*', Address: '', Ports: '80' }],
    [
      '',
      'Endpoints',
      { subsets: [{ addresses: [{ ip: 'fd00::1' }, { ip: '10.0.0.1' }], ports: [{ port: 80 }, { port: 443 }] }] },
      { Endpoints: '[fd00::1]:80,10.0.0.1:80,[fd00::1]:443 + 1 more...' },
    ],
    ['', 'Endpoints', {}, { Endpoints: '<none>' }],
    [
      'discovery.k8s.io',
      'EndpointSlice',
      { addressType: 'IPv4', ports: [{ name: 'web' }, {}], endpoints: [] },
      { Ports: 'web,*', Endpoints: '<unset>' },
    ],
    [
      'autoscaling',
      'HorizontalPodAutoscaler',
      {
        spec: {
          scaleTargetRef: { kind: 'Deployment', name: 'web' },
          maxReplicas: 9,
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 80 } } },
            { type: 'Pods', pods: { target: { averageValue: '5' } } },
            { type: 'External', external: { target: { value: '7' } } },
          ],
        },
        status: { currentMetrics: [{ type: 'Resource', resource: { current: { averageUtilization: 40 } } }] },
      },
      { Reference: 'Deployment/web', Targets: 'cpu: 40%/80%, <unknown>/5 + 1 more...', MinPods: '<unset>', MaxPods: 9 },
    ],
    [
      'autoscaling',
      'HorizontalPodAutoscaler',
      { spec: { minReplicas: 2, targetCPUUtilizationPercentage: 50 } },
      { Targets: 'cpu: <unknown>/50%', MinPods: '2', Replicas: 0 },
    ],
    [
      '',
      'PersistentVolumeClaim',
      {
        spec: { volumeName: 'v', storageClassName: 'fast' },
        status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadOnlyMany', 'ReadWriteOnce'] },
      },
      { Status: 'Bound', Capacity: '1Gi', 'Access Modes': 'RWO,ROX', StorageClass: 'fast', VolumeMode: '<unset>' },
    ],
    [
      '',
      'ResourceQuota',
      { status: { hard: { pods: '5', 'limits.cpu': '2', 'requests.cpu': '1' }, used: { pods: '3' } } },
      { Request: 'pods: 3/5, requests.cpu: 0/1', Limit: 'limits.cpu: 0/2' },
    ],
    [
      'batch',
      'CronJob',
      {
        spec: { schedule: '@daily', suspend: true },
        status: { active: [{}], lastScheduleTime: '2026-01-01T00:59:00Z' },
      },
      { Schedule: '@daily', Timezone: '<none>', Suspend: 'True', Active: 1, 'Last Schedule': '60s' },
    ],
    [
      'rbac.authorization.k8s.io',
      'RoleBinding',
      {
        roleRef: { kind: 'Role', name: 'r' },
        subjects: [
          { kind: 'User', name: 'u' },
          { kind: 'User', name: 'w' },
          { kind: 'ServiceAccount', name: 's', namespace: 'n' },
        ],
      },
      { Role: 'Role/r', Users: 'u, w', Groups: '', ServiceAccounts: 'n/s' },
    ],
    [
      'certificates.k8s.io',
      'CertificateSigningRequest',
      {
        spec: { signerName: 'a/b', expirationSeconds: 7200 },
        status: { conditions: [{ type: 'Approved' }], certificate: 'eA==' },
      },
      { SignerName: 'a/b', RequestedDuration: '120m', Condition: 'Approved,Issued' },
    ],
    ['', 'LimitRange', {}, { Name: 'shop', 'Created At': '2026-01-01T00:56:40Z' }],
  ])('%s %s', (group, kind, ...[object, expected]) => {
    const made = table(builtin(group, kind), [{ metadata, ...object }]);
    const names = headers(made);
    const cells = Object.fromEntries((rows(made)[0]?.cells ?? []).map((cell, index) => [names[index], cell]));
    expect(cells).toMatchObject(expected);
    expect(Object.keys(cells)).toHaveLength(names.length);
  });

  test('columns for wide output have a priority above 0', () => {
    const definitions = table(builtin('apps', 'Deployment'), [])['columnDefinitions'] as JsonObject[];
    const priorities = Object.fromEntries(definitions.map(({ name, priority }) => [name, priority]));
    expect(priorities).toMatchObject({ Name: 0, Ready: 0, Age: 0, Containers: 1, Images: 1, Selector: 1 });
  });

  test('an object without spec and status still makes a row', () => {
    const kinds = ['/Pod', '/Service', '/Node', '/Event', 'apps/Deployment', 'batch/Job', '/PersistentVolumeClaim'];
    for (const [group = '', kind = ''] of kinds.map((name) => name.split('/'))) {
      expect(rows(table(builtin(group, kind), [{ metadata }]))).toHaveLength(1);
    }
  });
});

describe('API-L10: metadata alone', () => {
  test('of an object and of a list', () => {
    const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
    expect(partialOf({ apiVersion: 'v1', kind: 'Pod', metadata, spec: {} })).toEqual(partial);
    expect(partialListOf({ kind: 'PodList', metadata: { resourceVersion: '9' }, items: [{ metadata }] })).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '9' },
      items: [partial],
    });
  });

  test('what has no metadata has no such form', () => {
    expect(partialOf({ kind: 'Status', apiVersion: 'v1', metadata: {} })).toBeUndefined();
    expect(partialListOf({ kind: 'Status', metadata: {} })).toBeUndefined();
  });
});
