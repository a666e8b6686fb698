// PUT of what is not there, and writes that change nothing.
import type { Case } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  define,
  events,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  strategicPatch,
  thing,
  things,
  thingsPath,
  watch,
} from '../../src/steps.ts';
import { type Kind, counting, notCounting } from './kinds.ts';
import { inCluster, inNamespace, manifest } from './manifests.ts';

const section = 'create-update';
const definition = define('crd', things({ type: 'object', properties: { n: { type: 'integer' } } }));
const nameOf = ({ object }: Kind): string => (object['metadata'] as { name: string }).name;
const kindsOf = (...ids: string[]): Kind[] =>
  ids.map((id) => [...counting, ...notCounting].find((kind) => kind.id === id) as Kind);
const kind = (id: string, path: string, object: Kind['object']): Kind => ({ id, path, object, change: {} });

const created: readonly Kind[] = [
  kind(
    'lease',
    inNamespace('coordination.k8s.io/v1', 'leases'),
    manifest(['coordination.k8s.io/v1', 'Lease'], 'x', { spec: { holderIdentity: 'me' } }),
  ),
  kind(
    'endpoints',
    inNamespace('v1', 'endpoints'),
    manifest(['v1', 'Endpoints'], 'x', { subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }] }),
  ),
  kind(
    'event',
    inNamespace('v1', 'events'),
    manifest(['v1', 'Event'], 'x', {
      involvedObject: { kind: 'ConfigMap', name: 'c', namespace: '{{ns}}' },
      reason: 'Because',
      message: 'm',
      type: 'Normal',
    }),
  ),
  kind(
    'limitrange',
    inNamespace('v1', 'limitranges'),
    manifest(['v1', 'LimitRange'], 'x', { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } }),
  ),
  kind(
    'runtimeclass',
    inCluster('node.k8s.io/v1', 'runtimeclasses'),
    manifest(['node.k8s.io/v1', 'RuntimeClass'], '{{id}}', { handler: 'h' }),
  ),
  ...kindsOf('service', 'role', 'rolebinding', 'clusterrole', 'clusterrolebinding'),
];

const notFound = kindsOf(
  ...['configmap', 'secret', 'serviceaccount', 'namespace', 'node', 'persistentvolumeclaim', 'pod', 'deployment'],
  ...['statefulset', 'daemonset', 'replicaset', 'job', 'cronjob', 'ingress', 'networkpolicy', 'poddisruptionbudget'],
  ...['endpointslice', 'priorityclass', 'validatingwebhooks'],
);

const createdCase = (one: Kind): Case => ({
  id: `c9-put-creates-${one.id}`,
  section,
  shows: one.id === 'lease' ? ['API-C9', 'API-Z5'] : ['API-C9'],
  title: `a PUT creates a ${one.id} that is not there`,
  steps: [
    put('put', `${one.path}/${nameOf(one)}`, one.object),
    get('stored', `${one.path}/${nameOf(one)}`),
    ...(one.path.includes('{{ns}}') ? [] : [remove('clean', `${one.path}/${nameOf(one)}`, { setup: true })]),
  ],
  claims: [claim('201', 'put.status', { is: 201 }), claim('it is there', 'stored.body', { sameAs: 'put.body' })],
});

export const upsert: readonly Case[] = [
  ...created.map(createdCase),
  {
    id: 'c9-put-of-nothing',
    section,
    shows: ['API-C9', 'API-E4'],
    title: 'a PUT of another kind that is not there is 404',
    steps: notFound.map((one) => put(one.id, `${one.path}/${nameOf(one)}`, one.object)),
    claims: notFound.flatMap(({ id }) => [
      claim(`else 404: ${id}`, `${id}.status`, { is: 404 }),
      claim(`NotFound: ${id}`, `${id}.body.reason`, { is: 'NotFound' }),
    ]),
  },
  {
    id: 'c9-put-of-no-custom-resource',
    section,
    shows: ['API-C9', 'API-E4'],
    title: 'a PUT of a custom resource that is not there is 404',
    steps: [
      ...definition,
      put('put', `${thingsPath}/x`, thing('x')),
      put('versioned', `${thingsPath}/x`, thing('x', { metadata: { resourceVersion: '1' } })),
      put('definition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/others.{{group}}', {
        ...things({ type: 'object' }),
        metadata: { name: 'others.{{group}}' },
      }),
    ],
    claims: [
      claim('else 404', 'put.status', { is: 404 }),
      claim('with a version as well', 'versioned.status', { is: 404 }),
      claim('of a definition as well', 'definition.status', { is: 404 }),
    ],
  },
  {
    id: 'c9-put-with-a-version',
    section,
    shows: ['API-C9'],
    title: 'a PUT with a version creates all the same, one with a uid does not',
    steps: [
      put('versioned', inNamespace('coordination.k8s.io/v1', 'leases').concat('/x'), {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'x', resourceVersion: '1' },
      }),
      put('dry', inNamespace('coordination.k8s.io/v1', 'leases').concat('/z?dryRun=All'), {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'z', resourceVersion: '17' },
      }),
      put('identified', inNamespace('coordination.k8s.io/v1', 'leases').concat('/y'), {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'y', uid: '11111111-2222-4333-8444-555555555555' },
      }),
    ],
    claims: [
      claim('the version is ignored', 'versioned.status', { is: 201 }),
      claim('a dry run answers with it', 'dry.body.metadata.resourceVersion', { is: '17' }),
      claim('409 for a uid', 'identified.status', { is: 409 }),
      claim('nothing has it', 'identified.body.message', { matches: 'UID in object meta: $' }),
    ],
  },
  {
    id: 'c10-no-change',
    section,
    shows: ['API-C10', 'API-W8'],
    title: 'a write that changes nothing is 200 with the same version, and no watcher hears of it',
    steps: [
      post('create', configMaps, configMap('x', { metadata: { labels: { a: 'b' } }, data: { k: 'v' } })),
      watch('w', `${configMaps}?watch=1&resourceVersion={{create.body.metadata.resourceVersion}}`),
      put('put', `${configMaps}/x`, configMap('x', { metadata: { labels: { a: 'b' } }, data: { k: 'v' } })),
      put(
        'put-with-version',
        `${configMaps}/x`,
        configMap('x', {
          metadata: { labels: { a: 'b' }, resourceVersion: '{{create.body.metadata.resourceVersion}}' },
          data: { k: 'v' },
        }),
      ),
      mergePatch('merge', `${configMaps}/x`, { data: { k: 'v' } }),
      mergePatch('nothing', `${configMaps}/x`, {}),
      jsonPatch('json', `${configMaps}/x`, [{ op: 'replace', path: '/data/k', value: 'v' }]),
      strategicPatch('strategic', `${configMaps}/x`, { data: { k: 'v' } }),
      put(
        'other-manager',
        `${configMaps}/x?fieldManager=other`,
        configMap('x', { metadata: { labels: { a: 'b' } }, data: { k: 'v' } }),
      ),
      get('stored', `${configMaps}/x`),
      events('heard', 'w', { count: 0, quietMs: 400 }),
    ],
    claims: [
      ...['put', 'put-with-version', 'merge', 'nothing', 'json', 'strategic', 'other-manager'].flatMap((step) => [
        claim(`200: ${step}`, `${step}.status`, { is: 200 }),
        claim(`same RV: ${step}`, `${step}.body.metadata.resourceVersion`, {
          sameAs: 'create.body.metadata.resourceVersion',
        }),
      ]),
      claim('as stored', 'stored.body', { sameAs: 'create.body' }),
      claim('no event', 'heard.events', { length: 0 }),
    ],
  },
  {
    id: 'c10-no-change-custom',
    section,
    shows: ['API-C10', 'API-W8'],
    title: 'a write that changes nothing of a custom resource: same version, no event, a second later as well',
    steps: [
      ...define(
        'crd',
        things(
          { type: 'object', properties: { n: { type: 'integer' } } },
          { version: { subresources: { status: {} } } },
        ),
      ),
      post('create', thingsPath, thing('x', { spec: { n: 1 } }), { setup: true }),
      mergePatch('status', `${thingsPath}/x/status`, { status: { phase: 'Up' } }),
      watch('w', `${thingsPath}?watch=1&resourceVersion={{status.body.metadata.resourceVersion}}`),
      { do: 'pause', ms: 1100, because: 'times in managedFields have seconds: this one is another' },
      put(
        'put',
        `${thingsPath}/x`,
        thing('x', { metadata: { resourceVersion: '{{status.body.metadata.resourceVersion}}' }, spec: { n: 1 } }),
      ),
      mergePatch('merge', `${thingsPath}/x`, { spec: { n: 1 } }),
      mergePatch('merge-status', `${thingsPath}/x/status`, { status: { phase: 'Up' } }),
      put('put-status', `${thingsPath}/x/status`, {
        apiVersion: '{{group}}/v1',
        kind: 'Thing',
        metadata: { name: 'x', resourceVersion: '{{status.body.metadata.resourceVersion}}' },
        status: { phase: 'Up' },
      }),
      get('stored', `${thingsPath}/x`),
      events('heard', 'w', { count: 0, quietMs: 400 }),
    ],
    claims: [
      ...['put', 'merge', 'merge-status', 'put-status'].flatMap((step) => [
        claim(`200: ${step}`, `${step}.status`, { is: 200 }),
        claim(`same RV: ${step}`, `${step}.body.metadata.resourceVersion`, {
          sameAs: 'status.body.metadata.resourceVersion',
        }),
      ]),
      claim('the times in managedFields are as before', 'stored.body', { sameAs: 'status.body' }),
      claim('no event', 'heard.events', { length: 0 }),
    ],
  },
  {
    id: 'c10-times-aside',
    section,
    shows: ['API-C10'],
    title: 'other times in the managedFields sent are not a change',
    steps: [
      apply('create', `${configMaps}/x?fieldManager=m`, configMap('x', { data: { k: 'v' } })),
      { do: 'pause', ms: 1100, because: 'times in managedFields have seconds: this one is another' },
      apply('again', `${configMaps}/x?fieldManager=m`, configMap('x', { data: { k: 'v' } })),
      put(
        'sent',
        `${configMaps}/x`,
        configMap('x', {
          metadata: {
            managedFields: [
              {
                manager: 'm',
                operation: 'Apply',
                apiVersion: 'v1',
                time: '2001-02-03T04:05:06Z',
                fieldsType: 'FieldsV1',
                fieldsV1: { 'f:data': { 'f:k': {} } },
              },
            ],
          },
          data: { k: 'v' },
        }),
      ),
      get('stored', `${configMaps}/x`),
    ],
    claims: [
      claim('same RV by an apply', 'again.body.metadata.resourceVersion', {
        sameAs: 'create.body.metadata.resourceVersion',
      }),
      claim('same RV by a PUT with other times', 'sent.body.metadata.resourceVersion', {
        sameAs: 'create.body.metadata.resourceVersion',
      }),
      claim('as stored', 'stored.body', { sameAs: 'create.body' }),
    ],
  },
];
