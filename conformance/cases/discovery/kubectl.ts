// The requests of kubectl's commands, as it sends them.
import type { Case, Json } from '../../src/case.ts';
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
  remove,
  strategicPatch,
  thing,
  things,
  thingsPath,
  watch,
} from '../../src/steps.ts';

const table =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';
const asTable = {
  send: { accept: table },
  mask: ['body.columnDefinitions.*.description'],
  because: 'the texts are compared in l9-descriptions',
};
const json = { send: { accept: 'application/json' } };
const deployments = '/apis/apps/v1/namespaces/{{ns}}/deployments';
const clientSide = 'fieldManager=kubectl-client-side-apply&fieldValidation=Strict';
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

const deployment: { [key: string]: Json } = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', labels: { app: 'x' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } },
  },
};

const applied = (value: string): string =>
  `{"apiVersion":"v1","data":{"k":"${value}"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"c","namespace":"{{ns}}"}}\n`;

// What kubectl makes of the manifest it applies on the server's side.
const lastApplied =
  '{"apiVersion":"v1","data":{"k":"two"},"kind":"ConfigMap","metadata":{"name":"c","namespace":"{{ns}}"}}\n';

const withAnnotation = (value: string): Json =>
  configMap('c', {
    metadata: { annotations: { [annotation]: applied(value) }, namespace: '{{ns}}' },
    data: { k: value },
  });

const reads: readonly Case[] = [
  {
    id: 'o4-table',
    section: 'discovery',
    shows: ['API-O4'],
    title: 'with a Table kubectl get prints the columns of the kind; without, only names and ages are there',
    steps: [
      post('create', deployments, deployment, { setup: true }),
      get('table', `${deployments}?limit=500`, asTable),
      get('list', `${deployments}?limit=500`, json),
    ],
    claims: [
      claim('Table', 'table.body.kind', { is: 'Table' }),
      claim('more than NAME and AGE', 'table.body.columnDefinitions.1.name', { is: 'Ready' }),
      claim('without Table: the list itself', 'list.body.kind', { is: 'DeploymentList' }),
    ],
  },
  {
    id: 'o4-forms-of-discovery',
    section: 'discovery',
    shows: ['API-O4'],
    title: 'both forms of discovery, of which one is enough, and both versions of OpenAPI',
    steps: [
      ...['/api', '/apis'].flatMap((path) => [
        get(`new${path}`, `${path}?timeout=32s`, {
          send: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
          only: ['status', 'body.kind'],
          because: 'd2 compares it',
        }),
        get(`old${path}`, `${path}?timeout=32s`, { ...json, only: ['status', 'body.kind'], because: 'd1 compares it' }),
      ]),
      get('v3', '/openapi/v3?timeout=32s', { only: ['status'], because: 'o1 compares it' }),
      get('v2', '/openapi/v2?timeout=32s', { ...json, only: ['status', 'body.swagger'], because: 'o3 compares it' }),
    ],
    claims: [
      claim('aggregated', 'new/apis.body.kind', { is: 'APIGroupDiscoveryList' }),
      claim('one by one', 'old/apis.body.kind', { is: 'APIGroupList' }),
      claim('v3', 'v3.status', { is: 200 }),
      claim('v2', 'v2.status', { is: 200 }),
    ],
  },
  {
    id: 'o5-get',
    section: 'discovery',
    shows: ['API-O5'],
    title: 'kubectl get: a list of at most 500, as a Table',
    steps: [
      ...define('crd', things({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })),
      post('create', configMaps, configMap('c', { data: { k: 'v' } }), { setup: true }),
      post('create-thing', thingsPath, thing('t'), { setup: true }),
      get('list', `${configMaps}?limit=500`, asTable),
      get('one', `${configMaps}/c`, asTable),
      get('missing', `${configMaps}/nope`, asTable),
      get('custom', `${thingsPath}?limit=500`, asTable),
      get('selected', `${configMaps}?labelSelector=a%3Db&limit=500`, asTable),
    ],
    claims: [
      claim('a Table', 'list.body.kind', { is: 'Table' }),
      claim('of one object as well', 'one.body.kind', { is: 'Table' }),
      claim('errors are a Status', 'missing.body.kind', { is: 'Status' }),
      claim('custom resources too', 'custom.body.kind', { is: 'Table' }),
      claim('no rows where nothing is selected', 'selected.body.rows', { is: [] }),
    ],
  },
  {
    id: 'o5-describe',
    section: 'discovery',
    shows: ['API-O5'],
    title: 'kubectl describe: the object, and its Events by kind, uid, name and namespace',
    steps: [
      post('create', deployments, deployment, { setup: true }),
      ...(['{{create.body.metadata.uid}}', 'another'] as const).map((uid, index) =>
        post(
          `event${index}`,
          '/api/v1/namespaces/{{ns}}/events',
          {
            metadata: { name: `e${index}` },
            involvedObject: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'd', namespace: '{{ns}}', uid },
            reason: 'Tested',
          },
          { setup: true },
        ),
      ),
      get('object', `${deployments}/d`, json),
      get(
        'events',
        '/api/v1/namespaces/{{ns}}/events?fieldSelector=involvedObject.name%3Dd%2CinvolvedObject.namespace%3D{{ns}}%2CinvolvedObject.kind%3DDeployment%2CinvolvedObject.uid%3D{{create.body.metadata.uid}}&limit=500',
        json,
      ),
      get('sets', '/apis/apps/v1/namespaces/{{ns}}/replicasets?labelSelector=app%3Dx&limit=500', json),
    ],
    claims: [
      claim('Events of this object alone', 'events.body.items', { length: 1 }),
      claim('the one with its uid', 'events.body.items.0.metadata.name', { is: 'e0' }),
      claim('its ReplicaSets', 'sets.body.items', { is: [] }),
    ],
  },
  {
    id: 'o5-wait',
    section: 'discovery',
    shows: ['API-O5'],
    title: 'kubectl wait up to 1.35: a list by name at any version, then a watch from there',
    steps: [
      post('create', configMaps, configMap('c'), { setup: true }),
      post('other', configMaps, configMap('other'), { setup: true }),
      get('fresh', `${configMaps}/c`, json),
      get('list', `${configMaps}?fieldSelector=metadata.name%3Dc&resourceVersion=0`, {
        ...json,
        until: { at: 'list.body.items.0.metadata.name', is: 'c' },
      }),
      watch(
        'w',
        `${configMaps}?allowWatchBookmarks=true&fieldSelector=metadata.name%3Dc&resourceVersion={{list.body.metadata.resourceVersion|0}}&timeoutSeconds=300&watch=true`,
        json,
      ),
      mergePatch('unseen', `${configMaps}/other`, { data: { k: 'v' } }),
      mergePatch('change', `${configMaps}/c`, { data: { k: 'v' } }),
      remove('gone', `${configMaps}/c`),
      events('seen', 'w', { count: 2, quietMs: 300 }),
    ],
    claims: [
      claim('list by metadata.name with RV 0', 'list.body.items', { length: 1 }),
      claim('then watch: the change', 'seen.events.0.type', { is: 'MODIFIED' }),
      claim('and the end', 'seen.events.1.type', { is: 'DELETED' }),
    ],
  },
  {
    id: 'o5-wait-watchlist',
    section: 'discovery',
    shows: ['API-O5'],
    title: 'kubectl wait of 1.36: a get, then one watch with initial events',
    steps: [
      post('create', configMaps, configMap('c'), { setup: true }),
      get('fresh', `${configMaps}/c`, json),
      watch(
        'w',
        `${configMaps}?allowWatchBookmarks=true&fieldSelector=metadata.name%3Dc&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=347&watch=true`,
        json,
      ),
      events('first', 'w', { count: 2 }),
      remove('gone', `${configMaps}/c`),
      events('then', 'w', { count: 1 }),
    ],
    claims: [
      claim('the object', 'first.events.0.type', { is: 'ADDED' }),
      claim('the bookmark at its end', 'first.events.1.object.metadata.annotations', {
        is: { 'k8s.io/initial-events-end': 'true' },
      }),
      claim('the deletion', 'then.events.0.type', { is: 'DELETED' }),
    ],
  },
];

const writes: readonly Case[] = [
  {
    id: 'o5-apply',
    section: 'discovery',
    shows: ['API-O5', 'API-O2'],
    title: 'kubectl apply: GET, POST, and the next time PATCH, all strict',
    steps: [
      get('missing', `${configMaps}/c`, json),
      get('namespace', '/api/v1/namespaces/{{ns}}', json),
      post('create', `${configMaps}?${clientSide}`, withAnnotation('one'), json),
      get('live', `${configMaps}/c`, json),
      strategicPatch(
        'patch',
        `${configMaps}/c?${clientSide}`,
        { metadata: { annotations: { [annotation]: applied('two') } }, data: { k: 'two' } },
        json,
      ),
      post('wrong', `${configMaps}?${clientSide}`, configMap('w', { dta: { k: 'v' } }), json),
      strategicPatch('wrong-patch', `${configMaps}/c?${clientSide}`, { dta: { k: 'v' } }, json),
    ],
    claims: [
      claim('GET: not there', 'missing.status', { is: 404 }),
      claim('POST with fieldManager', 'create.body.metadata.managedFields.0.manager', {
        is: 'kubectl-client-side-apply',
      }),
      claim('201', 'create.status', { is: 201 }),
      claim('or PATCH', 'patch.body.data', { is: { k: 'two' } }),
      claim('Strict: the server checks', 'wrong.status', { is: 400 }),
      claim('of patches too', 'wrong-patch.body.message', { contains: 'strict decoding error: unknown field "dta"' }),
    ],
  },
  {
    id: 'o5-apply-custom',
    section: 'discovery',
    shows: ['API-O5', 'API-O2'],
    title: 'kubectl apply of a custom resource: a merge patch',
    steps: [
      ...define('crd', things({ type: 'object', properties: { a: { type: 'integer' } } })),
      post(
        'create',
        `${thingsPath}?${clientSide}`,
        thing('t', { metadata: { annotations: { [annotation]: '{}\n' } }, spec: { a: 1 } }),
        json,
      ),
      get('live', `${thingsPath}/t`, json),
      mergePatch('patch', `${thingsPath}/t?${clientSide}`, { spec: { a: 2 } }, json),
      mergePatch('wrong', `${thingsPath}/t?${clientSide}`, { spec: { b: 2 } }, json),
    ],
    claims: [
      claim('POST', 'create.status', { is: 201 }),
      claim('merge patch', 'patch.body.spec', { is: { a: 2 } }),
      claim('Strict', 'wrong.body.message', { contains: 'strict decoding error: unknown field "spec.b"' }),
    ],
  },
  {
    id: 'o5-diff',
    section: 'discovery',
    shows: ['API-O5'],
    title: 'kubectl diff: a PATCH or POST that is not kept',
    steps: [
      post('create', `${configMaps}?${clientSide}`, withAnnotation('one'), { setup: true }),
      get('live', `${configMaps}/c`, json),
      strategicPatch(
        'patch',
        `${configMaps}/c?dryRun=All&fieldManager=kubectl-client-side-apply`,
        { metadata: { resourceVersion: '{{live.body.metadata.resourceVersion}}' }, data: { k: 'two' } },
        json,
      ),
      get('kept', `${configMaps}/c`, json),
      post('new', `${configMaps}?dryRun=All&fieldManager=kubectl-client-side-apply`, configMap('n'), json),
      get('not-kept', `${configMaps}/n`, json),
      apply(
        'server-side',
        `${configMaps}/c?dryRun=All&fieldManager=kubectl&fieldValidation=Strict&force=false`,
        configMap('c', { data: { k: 'three' } }),
        json,
      ),
    ],
    claims: [
      claim('PATCH dryRun=All shows the result', 'patch.body.data', { is: { k: 'two' } }),
      claim('and keeps nothing', 'kept.body', { sameAs: 'live.body' }),
      claim('POST dryRun=All', 'new.status', { is: 201 }),
      claim('creates nothing', 'not-kept.status', { is: 404 }),
    ],
  },
  {
    id: 'o5-first-server-side-apply',
    section: 'discovery',
    shows: ['API-O5', 'API-S9', 'API-S11'],
    title: 'the first kubectl apply --server-side on what was applied client-side: four PATCHes',
    steps: [
      post('create', `${configMaps}?${clientSide}`, withAnnotation('one'), { setup: true }),
      apply(
        'first',
        `${configMaps}/c?fieldManager=kubectl&fieldValidation=Strict&force=false`,
        configMap('c', { metadata: { namespace: '{{ns}}' }, data: { k: 'two' } }),
        json,
      ),
      apply(
        'second',
        `${configMaps}/c?fieldManager=kubectl-last-applied&fieldValidation=Strict`,
        configMap('c', { metadata: { namespace: '{{ns}}', annotations: { [annotation]: lastApplied } } }),
        json,
      ),
      jsonPatch(
        'third',
        `${configMaps}/c?fieldManager=kubectl&fieldValidation=Strict`,
        [
          {
            op: 'replace',
            path: '/metadata/managedFields',
            value: [
              {
                manager: 'kubectl-last-applied',
                operation: 'Apply',
                apiVersion: 'v1',
                fieldsType: 'FieldsV1',
                fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${annotation}`]: {} } } },
              },
              {
                manager: 'kubectl',
                operation: 'Apply',
                apiVersion: 'v1',
                fieldsType: 'FieldsV1',
                fieldsV1: {
                  'f:data': { '.': {}, 'f:k': {} },
                  'f:metadata': { 'f:annotations': { '.': {}, [`f:${annotation}`]: {} } },
                },
              },
            ],
          },
          { op: 'replace', path: '/metadata/resourceVersion', value: '{{second.body.metadata.resourceVersion}}' },
        ],
        json,
      ),
      apply(
        'fourth',
        `${configMaps}/c?fieldManager=kubectl&fieldValidation=Strict&force=false`,
        configMap('c', { metadata: { namespace: '{{ns}}' }, data: { k: 'two' } }),
        json,
      ),
    ],
    claims: [
      claim('apply: no conflict with the client-side manager', 'first.status', { is: 200 }),
      claim('the annotation follows', ['first', 'body', 'metadata', 'annotations', annotation], {
        contains: '"k":"two"',
      }),
      claim('apply as kubectl-last-applied', 'second.status', { is: 200 }),
      claim('JSON patch on managedFields', 'third.status', { is: 200 }),
      claim('which are what was sent', 'third.body.metadata.managedFields', { length: 2 }),
      claim('apply', 'fourth.status', { is: 200 }),
      claim('nobody but kubectl and kubectl-last-applied is left', 'fourth.body.metadata.managedFields', { length: 2 }),
    ],
  },
  {
    id: 'o5-scale',
    section: 'discovery',
    shows: ['API-O5', 'API-R1'],
    title: 'kubectl scale: a merge patch on /scale',
    steps: [
      post('create', deployments, deployment, { setup: true }),
      get('live', `${deployments}/d`, json),
      mergePatch(
        'scale',
        `${deployments}/d/scale`,
        { spec: { replicas: 3 } },
        { send: { accept: 'application/json, */*' } },
      ),
      get('after', `${deployments}/d`, json),
    ],
    claims: [
      claim('a Scale', 'scale.body.kind', { is: 'Scale' }),
      claim('three wanted', 'after.body.spec.replicas', { is: 3 }),
    ],
  },
  {
    id: 'o5-delete',
    section: 'discovery',
    shows: ['API-O5'],
    title: 'kubectl delete: Background, then GET until 404',
    steps: [
      post('create', configMaps, configMap('c'), { setup: true }),
      post('held', configMaps, configMap('held', { metadata: { finalizers: ['example.com/f'] } }), { setup: true }),
      remove('delete', `${configMaps}/c`, { body: { propagationPolicy: 'Background' }, ...json }),
      get('gone', `${configMaps}/c`, { ...json, until: { at: 'gone.status', is: 404 } }),
      remove('delete-held', `${configMaps}/held`, { body: { propagationPolicy: 'Background' }, ...json }),
      get('still', `${configMaps}/held`, json),
      mergePatch('release', `${configMaps}/held`, { metadata: { finalizers: null } }),
      get('gone-too', `${configMaps}/held`, { ...json, until: { at: 'gone-too.status', is: 404 } }),
    ],
    claims: [
      claim('deleted', 'delete.body.status', { is: 'Success' }),
      claim('404', 'gone.status', { is: 404 }),
      claim('200 while finalizers hold it', 'still.status', { is: 200 }),
      claim('404 once they are gone', 'gone-too.status', { is: 404 }),
    ],
  },
];

export const kubectl: readonly Case[] = [...reads, ...writes];
