import type { Case } from '../../src/case.ts';
import { claim, configMap, configMaps, define, get, post, remove, thing, things, thingsPath } from '../../src/steps.ts';
import { deployment, deployments } from './manifests.ts';

const section = 'create-update';
const uuidVersion4 = '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';

/** What a client may write but the server decides. */
const pretended = {
  uid: '11111111-2222-4333-8444-555555555555',
  creationTimestamp: '2001-02-03T04:05:06Z',
  deletionTimestamp: '2001-02-03T04:05:06Z',
  deletionGracePeriodSeconds: 17,
  selfLink: '/pretended',
  generation: 42,
};

export const create: readonly Case[] = [
  {
    id: 'c1-server-sets-metadata',
    section,
    shows: ['API-C1'],
    title: 'a create fills in the metadata that is the server’s and answers 201 with what is stored',
    steps: [
      get('space', '/api/v1/namespaces/{{ns}}', { setup: true }),
      get('before', configMaps, { setup: true }),
      post('create', configMaps, configMap('x', { data: { k: 'v' } })),
      get('stored', `${configMaps}/x`),
    ],
    claims: [
      claim('answer 201', 'create.status', { is: 201 }),
      claim('with the stored object', 'stored.body', { sameAs: 'create.body' }),
      claim('sets uid (v4 form)', 'create.body.metadata.uid', { matches: uuidVersion4 }),
      claim('sets the RV', 'create.body.metadata.resourceVersion', {
        greaterThan: 'before.body.metadata.resourceVersion',
      }),
      claim('sets creationTimestamp', 'create.body.metadata.creationTimestamp', {
        matches: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
      }),
      claim('namespace from the URL', 'create.body.metadata.namespace', { sameAs: 'space.body.metadata.name' }),
      claim('sets managedFields', 'create.body.metadata.managedFields.0.fieldsV1', {
        is: { 'f:data': { '.': {}, 'f:k': {} } },
      }),
      claim('managedFields name the client', 'create.body.metadata.managedFields.0.manager', { is: 'conformance' }),
    ],
  },
  {
    id: 'c1-pretended-metadata',
    section,
    shows: ['API-C1'],
    title: 'the metadata a client pretends is ignored, but the generation of a kind that keeps none',
    steps: [post('create', configMaps, configMap('x', { metadata: pretended })), get('stored', `${configMaps}/x`)],
    claims: [
      claim('answer 201', 'create.status', { is: 201 }),
      claim('ignores the client’s uid', 'create.body.metadata.uid', { isNot: pretended.uid }),
      claim('ignores creationTimestamp', 'create.body.metadata.creationTimestamp', {
        isNot: pretended.creationTimestamp,
      }),
      claim('ignores deletionTimestamp', 'create.body.metadata.deletionTimestamp', { present: false }),
      claim('ignores the deletion grace', 'create.body.metadata.deletionGracePeriodSeconds', { present: false }),
      claim('ignores selfLink', 'create.body.metadata.selfLink', { present: false }),
      claim('else the client’s generation stays', 'create.body.metadata.generation', { is: 42 }),
      claim('and is stored', 'stored.body.metadata.generation', { is: 42 }),
    ],
  },
  {
    id: 'c1-pretended-of-a-deployment',
    section,
    shows: ['API-C1', 'API-C6'],
    title: 'a kind that keeps a generation starts at 1, whatever the client says',
    steps: [post('create', deployments, deployment('d', { metadata: pretended }))],
    claims: [
      claim('ignores generation where the kind keeps one', 'create.body.metadata.generation', { is: 1 }),
      claim('ignores the client’s uid', 'create.body.metadata.uid', { isNot: pretended.uid }),
      claim('ignores selfLink', 'create.body.metadata.selfLink', { present: false }),
    ],
  },
  {
    id: 'c1-pretended-of-a-custom-resource',
    section,
    shows: ['API-C1', 'API-C6'],
    title: 'a custom resource gets its metadata from the server as well',
    steps: [
      ...define('crd', things({ type: 'object', properties: { n: { type: 'integer' } } })),
      get('space', '/api/v1/namespaces/{{ns}}', { setup: true }),
      post('create', thingsPath, thing('x', { metadata: pretended, spec: { n: 1 } })),
      get('stored', `${thingsPath}/x`),
    ],
    claims: [
      claim('answer 201', 'create.status', { is: 201 }),
      claim('with the stored object', 'stored.body', { sameAs: 'create.body' }),
      claim('sets uid (v4 form)', 'create.body.metadata.uid', { matches: uuidVersion4 }),
      claim('ignores the client’s uid', 'create.body.metadata.uid', { isNot: pretended.uid }),
      claim('ignores creationTimestamp', 'create.body.metadata.creationTimestamp', {
        isNot: pretended.creationTimestamp,
      }),
      claim('ignores deletionTimestamp', 'create.body.metadata.deletionTimestamp', { present: false }),
      claim('ignores the deletion grace', 'create.body.metadata.deletionGracePeriodSeconds', { present: false }),
      claim('ignores selfLink', 'create.body.metadata.selfLink', { present: false }),
      claim('ignores generation', 'create.body.metadata.generation', { is: 1 }),
      claim('namespace from the URL', 'create.body.metadata.namespace', { sameAs: 'space.body.metadata.name' }),
      claim('sets managedFields', 'create.body.metadata.managedFields.0.operation', { is: 'Update' }),
    ],
  },
  {
    id: 'c1-client-version',
    section,
    shows: ['API-C1'],
    title: 'a create with a resource version is an error without reason',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('built-in', configMaps, configMap('x', { metadata: { resourceVersion: '1' } })),
      post('zero', configMaps, configMap('z', { metadata: { resourceVersion: '0' } })),
      post('custom', thingsPath, thing('x', { metadata: { resourceVersion: '1' } })),
      get('nothing', `${configMaps}/x`),
    ],
    claims: [
      claim('500', 'built-in.status', { is: 500 }),
      claim('without reason', 'built-in.body.reason', { present: false }),
      claim('the message', 'built-in.body.message', {
        is: 'resourceVersion should not be set on objects to be created',
      }),
      claim('500 for a CR', 'custom.status', { is: 500 }),
      claim('without reason for a CR', 'custom.body.reason', { present: false }),
      claim('the message for a CR', 'custom.body.message', {
        is: 'resourceVersion should not be set on objects to be created',
      }),
      claim('nothing is created', 'nothing.status', { is: 404 }),
    ],
  },
  {
    id: 'c1-namespace-in-a-cluster-scoped',
    section,
    shows: ['API-C1'],
    title: 'an object without a namespace in its URL has none, whatever the client says',
    steps: [
      post('create', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: '{{id}}', namespace: 'elsewhere' },
        rules: [],
      }),
    ],
    claims: [claim('namespace from the URL', 'create.body.metadata.namespace', { present: false })],
  },
  {
    id: 'c5-duplicate',
    section,
    shows: ['API-C5'],
    title: 'a second create of the same name is refused, and the details name the resource',
    steps: [post('first', configMaps, configMap('x')), post('again', configMaps, configMap('x'))],
    claims: [
      claim('409', 'again.status', { is: 409 }),
      claim('AlreadyExists', 'again.body.reason', { is: 'AlreadyExists' }),
      claim('the message', 'again.body.message', { is: 'configmaps "x" already exists' }),
      claim('details.kind holds the resource', 'again.body.details.kind', { is: 'configmaps' }),
    ],
  },
  {
    id: 'c5-duplicate-with-a-group',
    section,
    shows: ['API-C5'],
    title: 'the refusal of a duplicate names the group, of built-in and custom kinds',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('thing', thingsPath, thing('x'), { setup: true }),
      post('thing-again', thingsPath, thing('x')),
      post('deployment', deployments, deployment('x'), { setup: true }),
      post('deployment-again', deployments, deployment('x')),
    ],
    claims: [
      claim('409 AlreadyExists', 'deployment-again.body.reason', { is: 'AlreadyExists' }),
      claim('the message', 'deployment-again.body.message', { is: 'deployments.apps "x" already exists' }),
      claim('details.kind holds the resource', 'deployment-again.body.details.kind', { is: 'deployments' }),
      claim('details.group', 'deployment-again.body.details.group', { is: 'apps' }),
      claim('409 AlreadyExists for a CR', 'thing-again.body.reason', { is: 'AlreadyExists' }),
      claim('the message for a CR', 'thing-again.body.message', { matches: '^things\\..* "x" already exists$' }),
      claim('details.kind holds the resource of a CR', 'thing-again.body.details.kind', { is: 'things' }),
    ],
  },
  {
    id: 'c5-duplicate-while-deleting',
    section,
    shows: ['API-C5'],
    title: 'an object that waits for its finalizers still holds its name',
    steps: [
      post('first', configMaps, configMap('x', { metadata: { finalizers: ['example.com/hold'] } }), { setup: true }),
      remove('delete', `${configMaps}/x`, { setup: true }),
      post('again', configMaps, configMap('x')),
    ],
    claims: [
      claim('409', 'again.status', { is: 409 }),
      claim('AlreadyExists', 'again.body.reason', { is: 'AlreadyExists' }),
      claim('the message', 'again.body.message', { matches: 'configmaps "x" already exists' }),
    ],
  },
];
