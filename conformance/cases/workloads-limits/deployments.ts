import type { Case, Json } from '../../src/case.ts';
import { claim, get, mergePatch, post } from '../../src/steps.ts';

const apps = '/apis/apps/v1/namespaces/{{ns}}';
const deployments = `${apps}/deployments`;
const replicaSets = `${apps}/replicasets`;
const pods = '/api/v1/namespaces/{{ns}}/pods';

const template = (image: string): Json => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image }], terminationGracePeriodSeconds: 0 },
});
const deployment = (more: { [key: string]: Json } = {}): Json => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('web:1'), ...more },
});

// Who wrote when, and how often, is up to the controllers; what they arrive at is not.
const arrival = {
  mask: [
    'body.metadata.managedFields',
    'body.metadata.resourceVersion',
    'body.items.*.metadata.managedFields',
    'body.items.*.metadata.resourceVersion',
  ],
  because: 'controllers write in their own time, one field or several at once',
} as const;
const podArrival = {
  only: [
    'body.items.0.metadata.generateName',
    'body.items.0.metadata.labels',
    'body.items.0.metadata.ownerReferences',
    'body.items.1.metadata.ownerReferences',
    'body.items.2',
  ],
  because: 'what a fake kubelet writes into a Pod is no promise of the API',
};

export const workloads: readonly Case[] = [
  {
    id: 'j1-deployment-becomes-available',
    section: 'workloads-limits',
    shows: ['API-J1'],
    world: 'workloads',
    title: 'a Deployment makes a ReplicaSet, that makes Pods, and both count them',
    steps: [
      post('create', deployments, deployment()),
      get('available', `${deployments}/web`, {
        until: {
          at: 'available.body.status.conditions',
          contains: { type: 'Progressing', reason: 'NewReplicaSetAvailable' },
        },
        ...arrival,
      }),
      get('replica-sets', replicaSets, {
        until: { at: 'replica-sets.body.items.0.status.availableReplicas', is: 2 },
        ...arrival,
      }),
      get('pods', pods, { ...podArrival }),
    ],
    claims: [
      claim('observedGeneration', 'available.body.status.observedGeneration', { is: 1 }),
      claim('replicas', 'available.body.status.replicas', { is: 2 }),
      claim('updated', 'available.body.status.updatedReplicas', { is: 2 }),
      claim('ready', 'available.body.status.readyReplicas', { is: 2 }),
      claim('available', 'available.body.status.availableReplicas', { is: 2 }),
      claim('condition Available', 'available.body.status.conditions', {
        contains: { type: 'Available', status: 'True' },
      }),
      claim('condition Progressing', 'available.body.status.conditions', {
        contains: { type: 'Progressing', status: 'True' },
      }),
      claim('the revision', ['available', 'body', 'metadata', 'annotations', 'deployment.kubernetes.io/revision'], {
        is: '1',
      }),
      claim('one ReplicaSet', 'replica-sets.body.items', { length: 1 }),
      claim('named after the Deployment and a hash', 'replica-sets.body.items.0.metadata.name', {
        matches: '^web-[a-z0-9]+$',
      }),
      claim(
        'with the label of the hash',
        ['replica-sets', 'body', 'items', '0', 'spec', 'selector', 'matchLabels', 'pod-template-hash'],
        { present: true },
      ),
      claim(
        'and the revision',
        ['replica-sets', 'body', 'items', '0', 'metadata', 'annotations', 'deployment.kubernetes.io/revision'],
        { is: '1' },
      ),
      claim('owned by the Deployment', 'replica-sets.body.items.0.metadata.ownerReferences.0.uid', {
        sameAs: 'create.body.metadata.uid',
      }),
      claim('counts of the ReplicaSet', 'replica-sets.body.items.0.status', {
        contains: {
          replicas: 2,
          readyReplicas: 2,
          availableReplicas: 2,
          fullyLabeledReplicas: 2,
          observedGeneration: 1,
        },
      }),
      claim('Pods by generateName', 'pods.body.items.0.metadata.generateName', { matches: '^web-[a-z0-9]+-$' }),
      claim('owned by the ReplicaSet', 'pods.body.items.0.metadata.ownerReferences.0.uid', {
        sameAs: 'replica-sets.body.items.0.metadata.uid',
      }),
      claim('as its controller', 'pods.body.items.0.metadata.ownerReferences.0.controller', { is: true }),
      claim('with the hash', ['pods', 'body', 'items', '0', 'metadata', 'labels', 'pod-template-hash'], {
        present: true,
      }),
    ],
  },
  {
    id: 'j1-rolling-change',
    section: 'workloads-limits',
    shows: ['API-J1'],
    world: 'workloads',
    title: 'another template rolls out as a second ReplicaSet, and the first is scaled down',
    steps: [
      post('create', deployments, deployment(), { setup: true }),
      get('first', `${deployments}/web`, {
        setup: true,
        until: {
          at: 'first.body.status.conditions',
          contains: { type: 'Progressing', reason: 'NewReplicaSetAvailable' },
        },
      }),
      mergePatch('change', `${deployments}/web`, { spec: { template: template('web:2') } }, { setup: true }),
      get('second', `${deployments}/web`, {
        until: {
          at: 'second.body.status',
          contains: { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 },
        },
        ...arrival,
        mask: [
          ...arrival.mask,
          'body.status.terminatingReplicas',
          'body.status.conditions.*.message',
          'body.status.conditions.*.reason',
        ],
      }),
      get('replica-sets', replicaSets, {
        unordered: ['body.items.*.spec.replicas'],
        only: ['body.items.0.metadata.ownerReferences', 'body.items.1.metadata.ownerReferences', 'body.items.2'],
        because: 'which one is first by name is a matter of hashes',
      }),
      get('pods', `${pods}?labelSelector=app%3Dweb`, {
        until: { at: 'pods.body.items.1.spec.containers.0.image', is: 'web:2' },
        ...podArrival,
      }),
    ],
    claims: [
      claim('generation', 'second.body.metadata.generation', { is: 2 }),
      claim('all are new', 'second.body.status.updatedReplicas', { is: 2 }),
      claim('the revision grows', ['second', 'body', 'metadata', 'annotations', 'deployment.kubernetes.io/revision'], {
        is: '2',
      }),
      claim('two ReplicaSets', 'replica-sets.body.items', { length: 2 }),
    ],
  },
  {
    id: 'j1-scale',
    section: 'workloads-limits',
    shows: ['API-J1'],
    world: 'workloads',
    title: 'more replicas are more Pods of the same ReplicaSet, fewer are fewer',
    steps: [
      post('create', deployments, deployment(), { setup: true }),
      mergePatch('up', `${deployments}/web/scale`, { spec: { replicas: 3 } }, { setup: true }),
      get('three', `${deployments}/web`, {
        until: { at: 'three.body.status.availableReplicas', is: 3 },
        ...arrival,
        mask: [...arrival.mask, 'body.status.conditions'],
      }),
      mergePatch('down', `${deployments}/web/scale`, { spec: { replicas: 1 } }, { setup: true }),
      get('one', `${deployments}/web`, {
        until: { at: 'one.body.status', contains: { replicas: 1, availableReplicas: 1 } },
        ...arrival,
        mask: [...arrival.mask, 'body.status.conditions', 'body.status.terminatingReplicas'],
      }),
      get('replica-sets', replicaSets, {
        only: ['body.items.0.spec.replicas', 'body.items.1'],
        because: 'how many there are is the topic',
      }),
    ],
    claims: [
      claim('three', 'three.body.status.replicas', { is: 3 }),
      claim('one', 'one.body.status.replicas', { is: 1 }),
      claim('one ReplicaSet all the time', 'replica-sets.body.items', { length: 1 }),
    ],
  },
  {
    id: 'j1-pending-without-nodes',
    section: 'workloads-limits',
    shows: ['API-J1'],
    title: 'without nodes Pods stay Pending',
    steps: [
      post('create', pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p' },
        spec: { containers: [{ name: 'c', image: 'c' }] },
      }),
      { do: 'pause', ms: 500, because: 'who would start it needs a moment' },
      get('later', `${pods}/p`),
    ],
    claims: [
      claim('Pending', 'create.body.status.phase', { is: 'Pending' }),
      claim('and so it stays', 'later.body.status.phase', { is: 'Pending' }),
      claim('on no node', 'later.body.spec.nodeName', { present: false }),
    ],
  },
];
