import type { Case, Json } from '../../src/case.ts';
import { choosing, type Row } from './choosing.ts';
import { claim, get, mergePatch, post, remove } from '../../src/steps.ts';
import { inNamespace, pod, pods, secrets, template } from './manifests.ts';

const podFields = choosing(
  pods,
  ['one', 'two'],
  [
    ['spec.nodeName', '{{id}}-node', ['one']],
    ['spec.nodeName', '', ['two']],
    ['spec.restartPolicy', 'Never', ['one']],
    ['spec.restartPolicy', 'Always', ['two']],
    ['spec.schedulerName', 'own-scheduler', ['one']],
    ['spec.schedulerName', 'default-scheduler', ['two']],
    ['spec.serviceAccountName', 'robot', ['one']],
    ['spec.serviceAccountName', '', ['two']],
    ['spec.hostNetwork', 'true', ['one']],
    ['spec.hostNetwork', 'false', ['two']],
    ['status.phase', 'Running', ['one']],
    ['status.phase', 'Pending', ['two']],
    ['status.podIP', '10.244.7.7', ['one']],
    // Accepted, but compared with nothing: every pod has the empty value.
    ['status.podIPs', '10.244.7.7', []],
    ['status.podIPs', '', ['one', 'two']],
    ['status.nominatedNodeName', 'wanted', ['two']],
  ],
);

const eventObject = (name: string, more: { [key: string]: Json }): Json => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name },
  message: 'it happened',
  firstTimestamp: '2001-02-03T04:05:06Z',
  lastTimestamp: '2001-02-03T04:05:06Z',
  count: 1,
  ...more,
});

const firstEvent = eventObject('one', {
  involvedObject: {
    kind: 'Pod',
    namespace: '{{ns}}',
    name: 'p',
    uid: 'uid-of-p',
    apiVersion: 'v1',
    resourceVersion: '77',
    fieldPath: 'spec.containers{main}',
  },
  reason: 'Started',
  reportingComponent: 'example.com/robot',
  reportingInstance: 'robot-1',
  source: { component: 'robot', host: 'h' },
  type: 'Warning',
});

const secondEvent = eventObject('two', {
  involvedObject: { kind: 'ConfigMap', namespace: '{{ns}}', name: 'c', apiVersion: 'v1' },
  reason: 'Changed',
  source: { component: 'other' },
  type: 'Normal',
});

const bothEvents = [
  post('create-one', '/api/v1/namespaces/{{ns}}/events', firstEvent, { setup: true }),
  post('create-two', '/api/v1/namespaces/{{ns}}/events', secondEvent, { setup: true }),
];

const objectFields = (at: string): Row[] => [
  [`${at}.kind`, 'Pod', ['one']],
  [`${at}.namespace`, '{{ns}}', ['one', 'two']],
  [`${at}.name`, 'p', ['one']],
  [`${at}.uid`, 'uid-of-p', ['one']],
  [`${at}.apiVersion`, 'v1', ['one', 'two']],
  [`${at}.resourceVersion`, '77', ['one']],
  [`${at}.fieldPath`, 'spec.containers{main}', ['one']],
];

const coreEvents = choosing(
  '/api/v1/namespaces/{{ns}}/events',
  ['one', 'two'],
  [
    ...objectFields('involvedObject'),
    ['reason', 'Started', ['one']],
    ['reportingComponent', 'example.com/robot', ['one']],
    ['source', 'robot', ['one']],
    ['type', 'Warning', ['one']],
  ],
);

const newEvents = choosing(
  '/apis/events.k8s.io/v1/namespaces/{{ns}}/events',
  ['one', 'two'],
  [
    ...objectFields('regarding'),
    ['reason', 'Started', ['one']],
    ['reportingController', 'example.com/robot', ['one']],
    ['type', 'Warning', ['one']],
  ],
);

const nodes = '/api/v1/nodes?labelSelector=of%3D{{id}}';

const secretFields = choosing(
  secrets,
  ['one', 'two'],
  [
    ['type', 'example.com/own', ['one']],
    ['type', 'Opaque', ['two']],
  ],
);

const services = inNamespace('v1', 'services');
const serviceFields = choosing(
  services,
  ['one', 'two'],
  [
    ['spec.clusterIP', 'None', ['one']],
    ['spec.clusterIP', '{{two.body.spec.clusterIP}}', ['two']],
    ['spec.type', 'NodePort', ['two']],
    ['spec.type', 'ClusterIP', ['one']],
  ],
);

const jobs = inNamespace('batch/v1', 'jobs');
const jobFields = choosing(
  jobs,
  ['one', 'two'],
  [
    ['status.successful', '2', ['one']],
    ['status.successful', '0', ['two']],
  ],
);

const controllers = inNamespace('v1', 'replicationcontrollers');
const controllerFields = choosing(
  controllers,
  ['one', 'two'],
  [
    ['status.replicas', '3', ['one']],
    ['status.replicas', '0', ['two']],
  ],
);

const job = (name: string): Json => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/app:1' }] } },
  },
});

const controller = (name: string): Json => ({
  apiVersion: 'v1',
  kind: 'ReplicationController',
  metadata: { name },
  spec: { replicas: 3, selector: { app: name }, template: template(name) },
});

const replicaSet = (name: string): Json => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name },
  spec: { replicas: 3, selector: { matchLabels: { app: name } }, template: template(name) },
});

const namespaces = '/api/v1/namespaces?labelSelector=kubernetes.io%2Fmetadata.name%20in%20%28{{ns}}%2C{{ns2}}%29';

export const fieldSelectors: readonly Case[] = [
  {
    id: 'l3-pods',
    section: 'list-watch',
    shows: ['API-L3'],
    title: 'the fields pods can be chosen by',
    steps: [
      post(
        'one',
        pods,
        pod('one', {
          nodeName: '{{id}}-node',
          restartPolicy: 'Never',
          schedulerName: 'own-scheduler',
          serviceAccountName: 'robot',
          hostNetwork: true,
        }),
        { setup: true },
      ),
      post('two', pods, pod('two'), { setup: true }),
      mergePatch(
        'running',
        `${pods}/one/status`,
        {
          status: {
            phase: 'Running',
            podIP: '10.244.7.7',
            podIPs: [{ ip: '10.244.7.7' }, { ip: 'fd00::7' }],
          },
        },
        { setup: true },
      ),
      mergePatch('nominated', `${pods}/two/status`, { status: { nominatedNodeName: 'wanted' } }, { setup: true }),
      ...podFields.steps,
    ],
    claims: podFields.claims,
  },
  {
    id: 'l3-pods-other-fields',
    section: 'list-watch',
    shows: ['API-L3'],
    title: 'other fields of pods are refused',
    steps: [get('unknown', `${pods}?fieldSelector=spec.priority%3D0`)],
    claims: [
      claim('400', 'unknown.status', { is: 400 }),
      claim('the message', 'unknown.body.message', { is: 'field label not supported: spec.priority' }),
    ],
  },
  {
    id: 'l3-events',
    section: 'list-watch',
    shows: ['API-L3'],
    title: 'the fields core events can be chosen by',
    steps: [...bothEvents, ...coreEvents.steps],
    claims: coreEvents.claims,
  },
  {
    id: 'l3-events-of-the-new-group',
    section: 'list-watch',
    shows: ['API-L3'],
    title: 'events.k8s.io has regarding in place of involvedObject',
    steps: [
      ...bothEvents,
      ...newEvents.steps,
      get('old-name', '/apis/events.k8s.io/v1/namespaces/{{ns}}/events?fieldSelector=involvedObject.kind%3DPod'),
    ],
    claims: [...newEvents.claims, claim('not involvedObject', 'old-name.status', { is: 400 })],
  },
  {
    id: 'l3-nodes',
    section: 'list-watch',
    shows: ['API-L3'],
    title: 'nodes can be chosen by spec.unschedulable',
    steps: [
      post(
        'closed',
        '/api/v1/nodes',
        {
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name: '{{id}}-closed', labels: { of: '{{id}}' } },
          spec: { unschedulable: true },
        },
        { setup: true },
      ),
      post(
        'open',
        '/api/v1/nodes',
        { apiVersion: 'v1', kind: 'Node', metadata: { name: '{{id}}-open', labels: { of: '{{id}}' } } },
        { setup: true },
      ),
      get('chosen', `${nodes}&fieldSelector=spec.unschedulable%3Dtrue`),
      get('others', `${nodes}&fieldSelector=spec.unschedulable%3Dfalse`),
      get('not', `${nodes}&fieldSelector=spec.unschedulable!%3Dtrue`),
    ],
    claims: [
      claim('spec.unschedulable=true', 'chosen.body.items', { length: 1 }),
      claim('spec.unschedulable=true', 'chosen.body.items.0.metadata.name', { sameAs: 'closed.body.metadata.name' }),
      claim('spec.unschedulable=false', 'others.body.items', { length: 1 }),
      claim('spec.unschedulable=false', 'others.body.items.0.metadata.name', { sameAs: 'open.body.metadata.name' }),
      claim('spec.unschedulable!=true', 'not.body.items', { length: 1 }),
    ],
  },
  {
    id: 'l3-namespaces',
    section: 'list-watch',
    shows: ['API-L3'],
    title: 'namespaces can be chosen by status.phase',
    steps: [
      remove('ending', '/api/v1/namespaces/{{ns2}}', { setup: true }),
      get('terminating', `${namespaces}&fieldSelector=status.phase%3DTerminating`),
      get('active', `${namespaces}&fieldSelector=status.phase%3DActive`),
      get('not-active', `${namespaces}&fieldSelector=status.phase!%3DActive`),
    ],
    claims: [
      claim('status.phase=Terminating', 'terminating.body.items', { length: 1 }),
      claim('status.phase=Terminating', 'terminating.body.items.0.metadata.name', { matches: '-2$' }),
      claim('status.phase=Active', 'active.body.items', { length: 1 }),
      claim('status.phase!=Active', 'not-active.body.items', { length: 1 }),
    ],
  },
  {
    id: 'l3-secrets',
    section: 'list-watch',
    shows: ['API-L3'],
    title: 'secrets can be chosen by type',
    steps: [
      post(
        'one',
        secrets,
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, type: 'example.com/own' },
        { setup: true },
      ),
      post('two', secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'two' } }, { setup: true }),
      ...secretFields.steps,
    ],
    claims: secretFields.claims,
  },
  {
    id: 'l3-services',
    section: 'list-watch',
    shows: ['API-L3'],
    title: 'services can be chosen by spec.clusterIP and spec.type',
    steps: [
      post(
        'one',
        services,
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'one' },
          spec: { clusterIP: 'None', selector: { a: 'b' } },
        },
        { setup: true },
      ),
      post(
        'two',
        services,
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'two' },
          spec: { type: 'NodePort', ports: [{ port: 80 }] },
        },
        { setup: true },
      ),
      ...serviceFields.steps,
      remove('address-back', `${services}/two`, { setup: true }),
    ],
    claims: serviceFields.claims,
  },
  {
    id: 'l3-jobs',
    section: 'list-watch',
    shows: ['API-L3'],
    title: 'jobs can be chosen by status.successful',
    steps: [
      post('one', jobs, job('one'), { setup: true }),
      post('two', jobs, job('two'), { setup: true }),
      mergePatch(
        'succeeded',
        `${jobs}/one/status`,
        { status: { succeeded: 2, startTime: '2001-02-03T04:05:06Z', uncountedTerminatedPods: {} } },
        { setup: true },
      ),
      ...jobFields.steps,
      get('unknown', `${jobs}?fieldSelector=status.failed%3D0`),
    ],
    claims: [
      ...jobFields.claims,
      claim('others are refused', 'unknown.body.message', { is: 'field label "status.failed" not supported for Job' }),
    ],
  },
  {
    id: 'l3-replication-controllers',
    section: 'list-watch',
    shows: ['API-L3'],
    title: 'replication controllers can be chosen by status.replicas',
    steps: [
      post('one', controllers, controller('one'), { setup: true }),
      post('two', controllers, controller('two'), { setup: true }),
      mergePatch('counted', `${controllers}/one/status`, { status: { replicas: 3 } }, { setup: true }),
      ...controllerFields.steps,
    ],
    claims: controllerFields.claims,
  },
  {
    id: 'l3-replica-sets',
    section: 'list-watch',
    shows: ['API-L3'],
    title: 'replica sets of apps/v1 cannot be chosen by status.replicas',
    steps: [
      post('one', inNamespace('apps/v1', 'replicasets'), replicaSet('one'), { setup: true }),
      get('by-replicas', `${inNamespace('apps/v1', 'replicasets')}?fieldSelector=status.replicas%3D0`),
      get('by-name', `${inNamespace('apps/v1', 'replicasets')}?fieldSelector=metadata.name%3Done`),
    ],
    claims: [
      claim('400', 'by-replicas.status', { is: 400 }),
      claim('the message', 'by-replicas.body.message', {
        is: '"status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
      }),
      claim('metadata.name', 'by-name.body.items', { length: 1 }),
    ],
  },
];
