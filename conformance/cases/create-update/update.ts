// PUT: what must agree, what stays as it was, and who must say which version is meant.
import type { Case, Json } from '../../src/case.ts';
import {
  claim,
  configMap,
  configMaps,
  define,
  get,
  mergePatch,
  post,
  put,
  remove,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { type Kind, counting, notCounting } from './kinds.ts';
import { inCluster, inNamespace, manifest } from './manifests.ts';

const section = 'create-update';
const modified = 'the object has been modified; please apply your changes to the latest version and try again';
const mustBeSpecified = 'metadata.resourceVersion: Invalid value: 0: must be specified for an update';
const otherUid = '11111111-2222-4333-8444-555555555555';
const definition = define('crd', things({ type: 'object', properties: { n: { type: 'integer' } } }));

const nameOf = ({ object }: Kind): string => (object['metadata'] as { name: string }).name;
const kindsOf = (...ids: string[]): Kind[] =>
  ids.map((id) => [...counting, ...notCounting].find((kind) => kind.id === id) as Kind);
const kind = (id: string, path: string, object: Kind['object']): Kind => ({ id, path, object, change: {} });

const conditional: readonly Kind[] = [
  ...kindsOf(
    'poddisruptionbudget',
    'validatingwebhooks',
    'mutatingwebhooks',
    'validatingadmissionpolicy',
    'mutatingadmissionpolicy',
    'validatingpolicybinding',
    'mutatingpolicybinding',
  ),
  kind('lease', inNamespace('coordination.k8s.io/v1', 'leases'), manifest(['coordination.k8s.io/v1', 'Lease'], 'x')),
  kind(
    'apiservice',
    inCluster('apiregistration.k8s.io/v1', 'apiservices'),
    // Local, without a service: it is available at once, and serves nothing.
    manifest(['apiregistration.k8s.io/v1', 'APIService'], 'v1.{{group}}', {
      spec: { group: '{{group}}', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    }),
  ),
  kind(
    'runtimeclass',
    inCluster('node.k8s.io/v1', 'runtimeclasses'),
    manifest(['node.k8s.io/v1', 'RuntimeClass'], '{{id}}', { handler: 'h' }),
  ),
  kind(
    'csidriver',
    inCluster('storage.k8s.io/v1', 'csidrivers'),
    manifest(['storage.k8s.io/v1', 'CSIDriver'], '{{id}}', { spec: {} }),
  ),
  kind(
    'csinode',
    inCluster('storage.k8s.io/v1', 'csinodes'),
    manifest(['storage.k8s.io/v1', 'CSINode'], '{{id}}', { spec: { drivers: [] } }),
  ),
  kind(
    'csistoragecapacity',
    inNamespace('storage.k8s.io/v1', 'csistoragecapacities'),
    manifest(['storage.k8s.io/v1', 'CSIStorageCapacity'], 'x', { storageClassName: 's' }),
  ),
  kind(
    'volumeattachment',
    inCluster('storage.k8s.io/v1', 'volumeattachments'),
    manifest(['storage.k8s.io/v1', 'VolumeAttachment'], '{{id}}', {
      spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } },
    }),
  ),
];

const unconditional = kindsOf(
  ...['configmap', 'secret', 'service', 'serviceaccount', 'namespace', 'node', 'persistentvolumeclaim'],
  ...['role', 'clusterrole', 'rolebinding', 'clusterrolebinding', 'pod', 'deployment', 'statefulset', 'daemonset'],
  ...['replicaset', 'replicationcontroller', 'cronjob', 'ingress', 'networkpolicy', 'endpointslice'],
  'priorityclass',
);

const labelled = (object: Kind['object']): Json => ({
  ...object,
  metadata: { ...(object['metadata'] as object), labels: { touched: 'yes' } },
});

const versionless = (one: Kind): Case['steps'] => [
  post('create', one.path, one.object, { setup: true }),
  put('put', `${one.path}/${nameOf(one)}`, labelled(one.object)),
  ...(one.path.includes('{{ns}}') ? [] : [remove('clean', `${one.path}/${nameOf(one)}`, { setup: true })]),
];

const conditionalCase = (one: Kind): Case => ({
  id: `c8-conditional-${one.id}`,
  section,
  shows: one.id === 'lease' ? ['API-C8', 'API-Z5'] : ['API-C8'],
  title: `a PUT of a ${one.id} must say which version it replaces`,
  steps: versionless(one),
  claims: [
    claim('422', 'put.status', { is: 422 }),
    claim('Invalid', 'put.body.reason', { is: 'Invalid' }),
    claim('the message', 'put.body.message', { contains: mustBeSpecified }),
  ],
});

const unconditionalCase = (one: Kind): Case => ({
  id: `c8-unconditional-${one.id}`,
  section,
  shows: ['API-C8'],
  title: `a PUT of a ${one.id} without a version is unconditional`,
  steps: versionless(one),
  claims: [
    claim('200', 'put.status', { is: 200 }),
    claim('it is written', 'put.body.metadata.labels', { contains: { touched: 'yes' } }),
  ],
});

const held = (metadata: { readonly [key: string]: Json }): Json =>
  configMap('x', { metadata: { finalizers: ['example.com/hold'], ...metadata } });

export const update: readonly Case[] = [
  {
    id: 'c8-other-name',
    section,
    shows: ['API-C8', 'API-E1'],
    title: 'a PUT whose object has another name is 400',
    steps: [
      ...definition,
      post('create', configMaps, configMap('x'), { setup: true }),
      post('thing', thingsPath, thing('x'), { setup: true }),
      put('built-in', `${configMaps}/x`, configMap('y')),
      put('missing', `${configMaps}/nope`, configMap('y')),
      put('custom', `${thingsPath}/x`, thing('y')),
      put('no-name', `${configMaps}/x`, { apiVersion: 'v1', kind: 'ConfigMap', data: { k: 'v' } }),
    ],
    claims: [
      claim('400', 'built-in.status', { is: 400 }),
      claim('BadRequest', 'built-in.body.reason', { is: 'BadRequest' }),
      claim('the message', 'built-in.body.message', {
        is: 'the name of the object (y) does not match the name on the URL (x)',
      }),
      claim('before it is looked for', 'missing.body.message', {
        is: 'the name of the object (y) does not match the name on the URL (nope)',
      }),
      claim('the message for a CR', 'custom.body.message', {
        is: 'the name of the object (y) does not match the name on the URL (x)',
      }),
    ],
  },
  {
    id: 'c8-other-namespace',
    section,
    shows: ['API-C8'],
    title: 'a PUT whose object has another namespace is 400: it is immutable',
    steps: [
      post('create', configMaps, configMap('x'), { setup: true }),
      put('put', `${configMaps}/x`, configMap('x', { metadata: { namespace: 'elsewhere' } })),
      mergePatch('patch', `${configMaps}/x`, { metadata: { namespace: 'elsewhere' } }),
      mergePatch('rename', `${configMaps}/x`, { metadata: { name: 'y' } }),
      get('stored', `${configMaps}/x`),
    ],
    claims: [
      claim('400', 'put.status', { is: 400 }),
      claim('the message', 'put.body.message', {
        is: 'the namespace of the provided object does not match the namespace sent on the request',
      }),
      claim('not by a patch', 'patch.status', { is: 400 }),
      claim('the name is immutable', 'rename.status', { is: 400 }),
      claim('it is as before', 'stored.body.metadata.name', { is: 'x' }),
    ],
  },
  {
    id: 'c8-stale-version',
    section,
    shows: ['API-C8', 'API-E6'],
    title: 'a PUT with a stale version is 409, the right one is taken',
    steps: [
      ...definition,
      post('create', configMaps, configMap('x', { data: { k: '1' } })),
      put('first', `${configMaps}/x`, configMap('x', { data: { k: '2' } })),
      put(
        'stale',
        `${configMaps}/x`,
        configMap('x', {
          metadata: { resourceVersion: '{{create.body.metadata.resourceVersion}}' },
          data: { k: '3' },
        }),
      ),
      put(
        'right',
        `${configMaps}/x`,
        configMap('x', { metadata: { resourceVersion: '{{first.body.metadata.resourceVersion}}' }, data: { k: '4' } }),
      ),
      post('thing', thingsPath, thing('x', { spec: { n: 1 } }), { setup: true }),
      mergePatch('moved', `${thingsPath}/x`, { spec: { n: 2 } }, { setup: true }),
      put(
        'custom',
        `${thingsPath}/x`,
        thing('x', { metadata: { resourceVersion: '{{thing.body.metadata.resourceVersion}}' }, spec: { n: 3 } }),
      ),
      put('no-number', `${configMaps}/x`, configMap('x', { metadata: { resourceVersion: 'abc' } })),
      put('future', `${configMaps}/x`, configMap('x', { metadata: { resourceVersion: '99999999' } })),
    ],
    claims: [
      claim('409', 'stale.status', { is: 409 }),
      claim('Conflict', 'stale.body.reason', { is: 'Conflict' }),
      claim('the message', 'stale.body.message', {
        is: `Operation cannot be fulfilled on configmaps "x": ${modified}`,
      }),
      claim('details.kind holds the resource', 'stale.body.details.kind', { is: 'configmaps' }),
      claim('the right version is taken', 'right.status', { is: 200 }),
      claim('409 for a CR', 'custom.status', { is: 409 }),
      claim('the message for a CR', 'custom.body.message', {
        matches: `^Operation cannot be fulfilled on things\\..* "x": ${modified}$`,
      }),
      claim('409 for a version to come', 'future.status', { is: 409 }),
    ],
  },
  {
    id: 'c8-other-uid',
    section,
    shows: ['API-C8', 'API-E6'],
    title: 'a PUT with another uid is 409: it is immutable',
    steps: [
      ...definition,
      post('create', configMaps, configMap('x')),
      put('put', `${configMaps}/x`, configMap('x', { metadata: { uid: otherUid } })),
      mergePatch('patch', `${configMaps}/x`, { metadata: { uid: otherUid } }),
      put('same', `${configMaps}/x`, configMap('x', { metadata: { uid: '{{create.body.metadata.uid}}' } })),
      post('thing', thingsPath, thing('x')),
      put(
        'custom',
        `${thingsPath}/x`,
        thing('x', { metadata: { uid: otherUid, resourceVersion: '{{thing.body.metadata.resourceVersion}}' } }),
      ),
    ],
    claims: [
      claim('409', 'put.status', { is: 409 }),
      claim('Conflict', 'put.body.reason', { is: 'Conflict' }),
      claim('the message', 'put.body.message', {
        matches: '^Operation cannot be fulfilled on configmaps "x": .*Precondition failed: UID in precondition: ',
      }),
      claim('not by a patch', 'patch.status', { is: 422 }),
      claim('the same uid is taken', 'same.status', { is: 200 }),
      claim('409 for a CR', 'custom.status', { is: 409 }),
    ],
  },
  {
    id: 'c8-conditional-custom-resource',
    section,
    shows: ['API-C8'],
    title: 'a PUT of a custom resource must say which version it replaces',
    steps: [
      ...definition,
      post('create', thingsPath, thing('x', { spec: { n: 1 } }), { setup: true }),
      put('put', `${thingsPath}/x`, thing('x', { spec: { n: 2 } })),
      put('empty', `${thingsPath}/x`, thing('x', { metadata: { resourceVersion: '' }, spec: { n: 2 } })),
      put('zero', `${thingsPath}/x`, thing('x', { metadata: { resourceVersion: '0' }, spec: { n: 2 } })),
    ],
    claims: [
      claim('422', 'put.status', { is: 422 }),
      claim('the message', 'put.body.message', { contains: mustBeSpecified }),
      claim('422 for an empty one', 'empty.status', { is: 422 }),
      claim('422 for zero', 'zero.status', { is: 422 }),
    ],
  },
  {
    id: 'c8-conditional-definition',
    section,
    shows: ['API-C8'],
    title: 'a PUT of a definition must say which version it replaces',
    steps: [
      ...definition,
      put(
        'put',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.{{group}}',
        things({ type: 'object', properties: { n: { type: 'integer' } } }),
      ),
    ],
    claims: [
      claim('422', 'put.status', { is: 422 }),
      claim('the message', 'put.body.message', { contains: mustBeSpecified }),
    ],
  },
  ...conditional.map(conditionalCase),
  ...unconditional.map(unconditionalCase),
  {
    id: 'c8-old-metadata-stays',
    section,
    shows: ['API-C8'],
    title: 'a PUT leaves creationTimestamp, deletion fields and generation as they were',
    steps: [
      ...definition,
      post('create', thingsPath, thing('x', { spec: { n: 1 } })),
      put(
        'put',
        `${thingsPath}/x`,
        thing('x', {
          metadata: {
            resourceVersion: '{{create.body.metadata.resourceVersion}}',
            creationTimestamp: '2001-02-03T04:05:06Z',
            generation: 42,
            labels: { touched: 'yes' },
          },
          spec: { n: 1 },
        }),
      ),
      mergePatch('patch', `${thingsPath}/x`, {
        metadata: { creationTimestamp: '2001-02-03T04:05:06Z', generation: 43, labels: { touched: 'again' } },
      }),
      post('plain', configMaps, configMap('x')),
      put('timeless', `${configMaps}/x`, configMap('x', { metadata: { creationTimestamp: null } })),
      put('counted', `${configMaps}/x`, configMap('x', { metadata: { generation: 42 } })),
    ],
    claims: [
      claim('200', 'put.status', { is: 200 }),
      claim('old creationTimestamp', 'put.body.metadata.creationTimestamp', {
        sameAs: 'create.body.metadata.creationTimestamp',
      }),
      claim('old generation', 'put.body.metadata.generation', { is: 1 }),
      claim('old creationTimestamp after a patch', 'patch.body.metadata.creationTimestamp', {
        sameAs: 'create.body.metadata.creationTimestamp',
      }),
      claim('old generation after a patch', 'patch.body.metadata.generation', { is: 1 }),
      claim('creationTimestamp left out', 'timeless.body.metadata.creationTimestamp', {
        sameAs: 'plain.body.metadata.creationTimestamp',
      }),
      claim('old generation of a kind without one', 'counted.body.metadata.generation', { present: false }),
    ],
  },
  {
    id: 'c8-old-deletion-stays',
    section,
    shows: ['API-C8', 'API-X2'],
    title: 'a PUT can neither set nor unset nor move the deletion fields',
    steps: [
      post('create', configMaps, held({})),
      put('set', `${configMaps}/x`, held({ deletionTimestamp: '2001-02-03T04:05:06Z' })),
      put('set-grace', `${configMaps}/x`, held({ deletionGracePeriodSeconds: 17 })),
      remove('delete', `${configMaps}/x`),
      put('unset', `${configMaps}/x`, held({})),
      put('move', `${configMaps}/x`, held({ deletionTimestamp: '2001-02-03T04:05:06Z' })),
      put('move-grace', `${configMaps}/x`, held({ deletionGracePeriodSeconds: 17 })),
    ],
    claims: [
      claim('setting is refused', 'set.status', { is: 422 }),
      claim('as immutable', 'set.body.message', {
        is: 'ConfigMap "x" is invalid: metadata.deletionTimestamp: Invalid value: "2001-02-03T04:05:06Z": field is immutable',
      }),
      claim('setting the grace is refused', 'set-grace.body.message', {
        is: 'ConfigMap "x" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 17: field is immutable',
      }),
      claim('not unset', 'unset.body.metadata.deletionTimestamp', { sameAs: 'delete.body.metadata.deletionTimestamp' }),
      claim('grace not unset', 'unset.body.metadata.deletionGracePeriodSeconds', { is: 0 }),
      claim('not moved', 'move.body.metadata.deletionTimestamp', { sameAs: 'delete.body.metadata.deletionTimestamp' }),
      claim('moving the grace is refused', 'move-grace.status', { is: 422 }),
    ],
  },
];
