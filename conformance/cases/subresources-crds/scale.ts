// API-R1: status and scale, of built-in kinds and of custom resources.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, define, get, mergePatch, post, put, remove, thing, things, thingsPath } from '../../src/steps.ts';
import { discovered, type Fields, integer, object, text } from './definitions.ts';

const labels = { app: 'x' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };

interface Workload {
  readonly id: string;
  readonly kind: string;
  readonly path: string;
  readonly body: Fields;
}

const apps = '/apis/apps/v1/namespaces/{{ns}}';
const workloads: readonly Workload[] = [
  {
    id: 'deployment',
    kind: 'Deployment',
    path: `${apps}/deployments`,
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    },
  },
  {
    id: 'replicaset',
    kind: 'ReplicaSet',
    path: `${apps}/replicasets`,
    body: {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    },
  },
  {
    id: 'statefulset',
    kind: 'StatefulSet',
    path: `${apps}/statefulsets`,
    body: {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      spec: { replicas: 1, serviceName: 's', selector: { matchLabels: labels }, template },
    },
  },
  {
    id: 'replicationcontroller',
    kind: 'ReplicationController',
    path: '/api/v1/namespaces/{{ns}}/replicationcontrollers',
    body: { apiVersion: 'v1', kind: 'ReplicationController', spec: { replicas: 1, selector: labels, template } },
  },
];

const scale = (name: string, replicas: number, metadata: Fields = {}): Fields => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, namespace: '{{ns}}', ...metadata },
  spec: { replicas },
});

const ofWorkload = ({ id, kind, path, body }: Workload): Case => ({
  id: `r1-scale-${id}`,
  section: 'subresources-crds',
  shows: ['API-R1'],
  title: `the scale of a ${kind} is read, replaced and patched as an autoscaling/v1 Scale`,
  steps: [
    post('create', path, { ...body, metadata: { name: 'x' } }, { setup: true }),
    get('read', `${path}/x/scale`),
    put('replace', `${path}/x/scale`, scale('x', 3)),
    get('replaced', `${path}/x`),
    mergePatch('patch', `${path}/x/scale`, { spec: { replicas: 2 } }),
    get('patched', `${path}/x`),
    put('stale', `${path}/x/scale`, scale('x', 4, { resourceVersion: '{{create.body.metadata.resourceVersion}}' })),
    put('negative', `${path}/x/scale`, scale('x', -1)),
    put('other-name', `${path}/x/scale`, scale('y', 1)),
    get('missing', `${path}/nope/scale`),
    post('create-scale', `${path}/x/scale`, scale('x', 1)),
    remove('delete-scale', `${path}/x/scale`),
  ],
  claims: [
    claim('verb get', 'read.status', { is: 200 }),
    claim('kind', 'read.body.kind', { is: 'Scale' }),
    claim('autoscaling/v1', 'read.body.apiVersion', { is: 'autoscaling/v1' }),
    claim('spec.replicas', 'read.body.spec.replicas', { is: 1 }),
    claim('status.selector is a string', 'read.body.status.selector', { is: 'app=x' }),
    claim('verb update', 'replace.body.spec.replicas', { is: 3 }),
    claim('the object is scaled by update', 'replaced.body.spec.replicas', { is: 3 }),
    claim('an Update entry…', 'replaced.body.metadata.managedFields.0.operation', { is: 'Update' }),
    claim('…with subresource scale', 'replaced.body.metadata.managedFields.0.subresource', { is: 'scale' }),
    claim('…and without time', 'replaced.body.metadata.managedFields.0.time', { present: false }),
    claim('verb patch', 'patch.body.spec.replicas', { is: 2 }),
    claim('the object is scaled by patch', 'patched.body.spec.replicas', { is: 2 }),
    claim('no other verb: create', 'create-scale.status', { is: 405 }),
    claim('no other verb: delete', 'delete-scale.status', { is: 405 }),
  ],
});

const deployment: Fields = { ...workloads[0]?.body, metadata: { name: 'x' } };

const status = (replicas: number): Fields => ({ replicas, observedGeneration: 1 });

const builtInStatus: Case = {
  id: 'r1-status-builtin',
  section: 'subresources-crds',
  shows: ['API-R1'],
  title: 'the status of a Deployment is read, replaced and patched, and nothing else',
  steps: [
    post('create', `${apps}/deployments`, deployment, { setup: true }),
    get('read', `${apps}/deployments/x/status`),
    put('replace', `${apps}/deployments/x/status`, {
      ...deployment,
      status: status(3),
    }),
    mergePatch('patch', `${apps}/deployments/x/status`, { spec: { replicas: 7 }, status: { replicas: 4 } }),
    post('create-status', `${apps}/deployments/x/status`, deployment),
    remove('delete-status', `${apps}/deployments/x/status`),
  ],
  claims: [
    claim('verb get answers the object', 'read.body.kind', { is: 'Deployment' }),
    claim('verb update', 'replace.body.status.replicas', { is: 3 }),
    claim('verb patch', 'patch.body.status.replicas', { is: 4 }),
    claim('spec stays', 'patch.body.spec.replicas', { is: 1 }),
    claim('no other verb: create', 'create-status.status', { is: 405 }),
    claim('no other verb: delete', 'delete-status.status', { is: 405 }),
  ],
};

const scaled = (subresource: Fields, spec: Fields = {}): Step[] =>
  define(
    'crd',
    things(object({ replicas: { type: 'integer', minimum: 0, maximum: 10 }, note: text, ...spec }), {
      version: {
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', ...subresource },
        },
        schema: {
          openAPIV3Schema: object({
            spec: object({ replicas: { type: 'integer', minimum: 0, maximum: 10 }, note: text, ...spec }),
            status: object({ replicas: integer, selector: text }),
          }),
        },
      },
    }),
  );

const verbs: Json = ['get', 'patch', 'update'];

const custom: readonly Case[] = [
  {
    id: 'r1-scale-custom',
    section: 'subresources-crds',
    shows: ['API-R1'],
    title: 'the scale of a custom resource maps to the paths of its definition',
    steps: [
      ...scaled({ labelSelectorPath: '.status.selector' }),
      discovered('things/scale'),
      post('create', thingsPath, thing('x', { spec: { replicas: 1, note: 'n' } })),
      get('fresh', `${thingsPath}/x/scale`),
      mergePatch('observe', `${thingsPath}/x/status`, { status: { replicas: 1, selector: 'app=x' } }),
      get('read', `${thingsPath}/x/scale`),
      put('replace', `${thingsPath}/x/scale`, scale('x', 3)),
      get('replaced', `${thingsPath}/x`),
      mergePatch('patch', `${thingsPath}/x/scale`, { spec: { replicas: 2 } }),
      get('patched', `${thingsPath}/x`),
      put('too-many', `${thingsPath}/x/scale`, scale('x', 11)),
      put('negative', `${thingsPath}/x/scale`, scale('x', -1)),
      put(
        'stale',
        `${thingsPath}/x/scale`,
        scale('x', 4, { resourceVersion: '{{create.body.metadata.resourceVersion}}' }),
      ),
      post('create-scale', `${thingsPath}/x/scale`, scale('x', 1)),
      remove('delete-scale', `${thingsPath}/x/scale`),
    ],
    claims: [
      claim('status has get, patch, update', 'discovery.body.resources', {
        contains: { name: 'things/status', verbs },
      }),
      claim('scale has get, patch, update', 'discovery.body.resources', {
        contains: { name: 'things/scale', verbs, group: 'autoscaling', version: 'v1', kind: 'Scale' },
      }),
      claim('autoscaling/v1', 'read.body.apiVersion', { is: 'autoscaling/v1' }),
      claim('Scale', 'read.body.kind', { is: 'Scale' }),
      claim('status.selector is a string', 'read.body.status.selector', { is: 'app=x' }),
      claim('a status value that is missing counts as 0', 'fresh.body.status.replicas', { is: 0 }),
      claim('update', 'replaced.body.spec.replicas', { is: 3 }),
      claim('patch', 'patched.body.spec.replicas', { is: 2 }),
      claim('an Update entry…', 'replaced.body.metadata.managedFields.0.operation', { is: 'Update' }),
      claim('…with subresource scale', 'replaced.body.metadata.managedFields.0.subresource', { is: 'scale' }),
      claim('…and without time', 'replaced.body.metadata.managedFields.0.time', { present: false }),
      claim('the schema still holds', 'too-many.body.code', { is: 422 }),
      claim('stale', 'stale.body.code', { is: 409 }),
    ],
  },
  {
    id: 'r1-scale-no-selector',
    section: 'subresources-crds',
    shows: ['API-R1'],
    title: 'a scale without a selector path has no selector',
    steps: [
      ...scaled({}),
      post('create', thingsPath, thing('x', { spec: { replicas: 1 } }), { setup: true }),
      get('read', `${thingsPath}/x/scale`),
    ],
    claims: [
      claim('200', 'read.status', { is: 200 }),
      claim('no selector', 'read.body.status.selector', { present: false }),
    ],
  },
  {
    id: 'r1-scale-no-value',
    section: 'subresources-crds',
    shows: ['API-R1'],
    title: 'without the value the scale is not a scale',
    steps: [
      ...scaled({}),
      post('create', thingsPath, thing('x', { spec: { note: 'n' } }), { setup: true }),
      get('read', `${thingsPath}/x/scale`),
      put('replace', `${thingsPath}/x/scale`, scale('x', 3)),
      post('second', thingsPath, thing('y', { spec: { note: 'n' } }), { setup: true }),
      mergePatch('patch', `${thingsPath}/y/scale`, { spec: { replicas: 2 } }),
    ],
    claims: [
      claim('500 to a get', 'read.body.code', { is: 500 }),
      claim('the message', 'read.body.message', {
        contains: 'the spec replicas field ".spec.replicas" does not exist',
      }),
      claim('an update sets the value', 'replace.body.spec.replicas', { is: 3 }),
    ],
  },
  {
    id: 'r1-status-custom',
    section: 'subresources-crds',
    shows: ['API-R1'],
    title: 'the status of a custom resource is read, replaced and patched',
    steps: [
      ...scaled({}),
      post('create', thingsPath, thing('x', { spec: { replicas: 1 } }), { setup: true }),
      get('read', `${thingsPath}/x/status`),
      put(
        'replace',
        `${thingsPath}/x/status`,
        thing('x', {
          metadata: { resourceVersion: '{{read.body.metadata.resourceVersion}}' },
          spec: { replicas: 5 },
          status: { replicas: 3 },
        }),
      ),
      mergePatch('patch', `${thingsPath}/x/status`, { spec: { replicas: 7 }, status: { replicas: 4 } }),
      post('create-status', `${thingsPath}/x/status`, thing('x')),
      remove('delete-status', `${thingsPath}/x/status`),
    ],
    claims: [
      claim('verb get answers the object', 'read.body.kind', { is: 'Thing' }),
      claim('verb update', 'replace.body.status.replicas', { is: 3 }),
      claim('update leaves spec', 'replace.body.spec.replicas', { is: 1 }),
      claim('verb patch', 'patch.body.status.replicas', { is: 4 }),
      claim('no other verb: create', 'create-status.status', { is: 405 }),
      claim('no other verb: delete', 'delete-status.status', { is: 405 }),
    ],
  },
  {
    id: 'r1-no-subresources',
    section: 'subresources-crds',
    shows: ['API-R1'],
    title: 'a custom resource without subresources has neither status nor scale',
    steps: [
      ...define('crd', things(object({ replicas: integer }))),
      post('create', thingsPath, thing('x', { spec: { replicas: 1 } }), { setup: true }),
      discovered('things'),
      get('status', `${thingsPath}/x/status`),
      get('scale', `${thingsPath}/x/scale`),
    ],
    claims: [
      claim('no status', 'status.status', { is: 404 }),
      claim('no scale', 'scale.status', { is: 404 }),
      claim('discovery has the resource alone', 'discovery.body.resources', { length: 1 }),
    ],
  },
];

const builtInDiscovery: Case = {
  id: 'r1-discovery-builtin',
  section: 'subresources-crds',
  shows: ['API-R1'],
  title: 'discovery says get, patch, update for status and scale of the built-in workloads',
  steps: [
    get('apps', '/apis/apps/v1', { only: ['status'], because: 'the whole document is of the section discovery' }),
    get('core', '/api/v1', { only: ['status'], because: 'the whole document is of the section discovery' }),
  ],
  claims: [
    ...['deployments', 'replicasets', 'statefulsets'].flatMap((name) => [
      claim(`${name}/status`, 'apps.body.resources', { contains: { name: `${name}/status`, verbs } }),
      claim(`${name}/scale`, 'apps.body.resources', {
        contains: { name: `${name}/scale`, verbs, group: 'autoscaling', version: 'v1', kind: 'Scale' },
      }),
    ]),
    claim('replicationcontrollers/status', 'core.body.resources', {
      contains: { name: 'replicationcontrollers/status', verbs },
    }),
    claim('replicationcontrollers/scale', 'core.body.resources', {
      contains: { name: 'replicationcontrollers/scale', verbs, group: 'autoscaling', version: 'v1', kind: 'Scale' },
    }),
  ],
};

export const scaleCases: readonly Case[] = [...workloads.map(ofWorkload), builtInStatus, ...custom, builtInDiscovery];
