// What a stranger tries: options that contradict each other, bodies of another kind, names nobody has, selectors of fields nobody knows.
import type { Case, Json, Step } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  strategicPatch,
} from '../../src/steps.ts';

const inSpace = (rest: string): string => `/api/v1/namespaces/{{ns}}/${rest}`;
const deployments = '/apis/apps/v1/namespaces/{{ns}}/deployments';
const yes = (query: string): string => `${configMaps}?${query}`;

type Row = readonly [step: string, query: string];

const asked = (rows: readonly Row[], path = configMaps): Step[] =>
  rows.map(([step, query]) => get(step, `${path}?${query}`));
const refused = (rows: readonly Row[], status = 400) =>
  rows.map(([step]) => claim(step, `${step}.status`, { is: status }));

const watches: readonly Row[] = [
  ['version', 'watch=true&resourceVersion=x'],
  ['fraction', 'watch=true&resourceVersion=1.5'],
  ['negative', 'watch=true&resourceVersion=-1'],
  ['seconds', 'watch=1&timeoutSeconds=abc'],
  ['continue', 'watch=true&continue=abc&timeoutSeconds=1'],
  ['labels', 'watch=true&labelSelector=a+in+('],
  ['fields', 'watch=true&fieldSelector=spec.x%3D1'],
];
const unmatched: readonly Row[] = [
  ['exact', 'watch=true&resourceVersionMatch=Exact&resourceVersion=1'],
  ['initial-exact', 'watch=true&sendInitialEvents=true&resourceVersionMatch=Exact'],
  ['initial-alone', 'watch=true&sendInitialEvents=true'],
  ['match-word', 'watch=true&sendInitialEvents=true&resourceVersionMatch=x'],
];

const lists: readonly Row[] = [
  ['match-alone', 'resourceVersionMatch=NotOlderThan'],
  ['exact-of-any', 'resourceVersionMatch=Exact&resourceVersion=0'],
  ['match-word', 'resourceVersionMatch=x&resourceVersion=1'],
  ['match-continue', 'resourceVersionMatch=Exact&resourceVersion=1&continue=abc'],
  ['initial', 'sendInitialEvents=true'],
  ['version', 'resourceVersion=abc'],
  ['version-negative', 'resourceVersion=-1'],
  ['version-fraction', 'resourceVersion=1.5'],
  ['limit', 'limit=abc'],
  ['limit-large', 'limit=99999999999999999999'],
  ['seconds', 'timeoutSeconds=1h'],
  ['continue', 'limit=1&continue=!!!'],
  ['continue-json', 'limit=1&continue=e30'],
  ['continue-version', 'limit=1&continue=eyJ2IjoidjIiLCJydiI6NSwic3RhcnQiOiJhIn0'],
  ['continue-up', 'limit=1&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiIuLi9hIn0'],
];

const fields: readonly (readonly [step: string, path: string, selector: string])[] = [
  ['pods', inSpace('pods'), 'status.phase=Running,spec.nodeName!=x'],
  ['pods-odd', inSpace('pods'), 'spec.hostNetwork=maybe'],
  ['pods-unknown', inSpace('pods'), 'spec.containers=1'],
  ['services', inSpace('services'), 'spec.type==ClusterIP'],
  ['secrets', inSpace('secrets'), 'type='],
  ['events', inSpace('events'), 'involvedObject.uid=,reason!='],
  ['jobs', '/apis/batch/v1/namespaces/{{ns}}/jobs', 'status.successful=x'],
  ['cron-jobs', '/apis/batch/v1/namespaces/{{ns}}/cronjobs', 'spec.suspend=true'],
  ['deployments', deployments, 'status.replicas=1'],
  ['replica-sets', '/apis/apps/v1/namespaces/{{ns}}/replicasets', 'status.replicas=0'],
  ['leases', '/apis/coordination.k8s.io/v1/namespaces/{{ns}}/leases', 'spec.holderIdentity=x'],
  ['namespaces', '/api/v1/namespaces', 'metadata.namespace=x'],
  ['half', configMaps, 'metadata.name'],
  ['no-key', configMaps, '=a'],
  ['no-value', configMaps, 'metadata.name=='],
  ['twice', configMaps, 'metadata.name=a,metadata.name=b'],
  ['escaped', configMaps, String.raw`metadata.name!=a\,b`],
  ['trailing', configMaps, String.raw`metadata.name=a\x`],
  ['spaces', configMaps, ' metadata.name = a '],
];

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const accepts: readonly Row[] = [
  ['no-version', 'application/json;as=Table;g=meta.k8s.io'],
  ['no-group', 'application/json;as=Table;v=v1'],
  ['other-group', 'application/json;as=Table;v=v1;g=apps'],
  ['other-version', 'application/json;as=Table;v=v2;g=meta.k8s.io'],
  ['lower', 'application/json;as=table;v=v1;g=meta.k8s.io'],
  ['twice', 'application/json;as=Table;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'],
  ['yaml', 'application/yaml;as=Table;v=v1;g=meta.k8s.io'],
  ['any', '*/*;as=Table;v=v1;g=meta.k8s.io'],
  ['quality-zero', `${table};q=0`],
  ['quality-word', `${table};q=abc`],
  ['quality-two', `${table};q=2,application/yaml;q=1`],
  ['quality-fallback', `${table};q=0.1,application/json;q=0.9`],
  ['single-of-list', 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'],
  ['stream', 'application/json;stream=watch'],
  ['pretty', 'application/json;pretty=1'],
  ['upper', 'APPLICATION/JSON'],
  ['comma', ',,application/json,'],
  ['half', 'application'],
  ['parameter', 'application/json;=x'],
];

/** Descriptions of columns are ours (API-Q8). */
const formOnly = {
  only: ['status', 'headers', 'body.kind', 'body.message'],
  because: 'the form counts, and what a column is described by is not the point',
};

const scale = (more: { readonly [key: string]: Json }): Json => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'x', namespace: '{{ns}}' },
  ...more,
});
const deployment: Json = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'x' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};
const x = `${deployments}/x`;

const subresources: readonly Step[] = [
  put('status-empty', `${x}/status`, {}),
  put('status-named', `${x}/status`, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'y' } }),
  put('status-kind', `${x}/status`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } }),
  put('status-list', `${x}/status`, { text: '[]' }),
  put('status-null', `${x}/status`, { text: 'null' }),
  mergePatch('status-text', `${x}/status`, { status: 'x' }),
  mergePatch('status-count', `${x}/status`, { status: { replicas: -1 } }),
  mergePatch('status-type', `${x}/status`, { status: { replicas: 'x' } }),
  apply('status-apply', `${x}/status`, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' } }),
  post('status-post', `${x}/status`, {}),
  remove('status-delete', `${x}/status`),
  get('unknown', `${x}/nope`),
  put('unknown-put', `${x}/nope`, {}),
  put('scale-empty', `${x}/scale`, {}),
  put('scale-kind', `${x}/scale`, deployment),
  put('scale-negative', `${x}/scale`, scale({ spec: { replicas: -1 } })),
  put('scale-large', `${x}/scale`, scale({ spec: { replicas: 2147483648 } })),
  put('scale-text', `${x}/scale`, scale({ spec: { replicas: '1' } })),
  put('scale-name', `${x}/scale`, { ...(scale({}) as object), metadata: { name: 'y', namespace: '{{ns}}' } } as Json),
  put('scale-version', `${x}/scale`, {
    ...(scale({ spec: { replicas: 2 } }) as object),
    metadata: { name: 'x', namespace: '{{ns}}', resourceVersion: '1' },
  } as Json),
  put('scale-dry', `${x}/scale?dryRun=All`, scale({ spec: { replicas: 5 } })),
  put('scale-dry-odd', `${x}/scale?dryRun=Some`, scale({ spec: { replicas: 5 } })),
  mergePatch('scale-null', `${x}/scale`, { spec: { replicas: null } }),
  mergePatch('scale-status', `${x}/scale?dryRun=All`, { status: { replicas: 9 } }),
  jsonPatch('scale-json', `${x}/scale`, [{ op: 'replace', path: '/spec/replicas', value: 'a' }]),
  jsonPatch('scale-test', `${x}/scale`, [{ op: 'test', path: '/spec/replicas', value: 7 }]),
  strategicPatch('scale-strategic', `${x}/scale`, { spec: { $patch: 'x', replicas: 3 } }),
  post('scale-post', `${x}/scale`, scale({})),
  remove('scale-delete', `${x}/scale`),
  get('scale-missing', `${deployments}/none/scale`),
  put('finalize', '/api/v1/namespaces/{{ns}}/finalize', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'other' },
  }),
  post('binding', inSpace('pods/none/binding'), {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'none' },
    target: { kind: 'Pod', name: 'x' },
  }),
  post('binding-empty', inSpace('pods/none/binding'), {}),
  post('eviction', inSpace('pods/none/eviction'), { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'none' } }),
  post('eviction-empty', inSpace('pods/none/eviction'), {}),
  post('eviction-name', inSpace('pods/none/eviction'), {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'other' },
  }),
  post('token', inSpace('serviceaccounts/none/token'), {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: -1 },
  }),
];

const named = (name: string): Json => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const applies: readonly Step[] = [
  apply('no-manager', `${configMaps}/x`, named('x')),
  apply('empty-manager', `${configMaps}/x?fieldManager=`, named('x')),
  apply('long', `${configMaps}/x?fieldManager=${'m'.repeat(129)}`, named('x')),
  apply('unprintable', `${configMaps}/x?fieldManager=a%0Ab`, named('x')),
  apply('two', `${configMaps}/x?fieldManager=a&fieldManager=b&dryRun=All`, named('x'), { setup: false }),
  apply('force', `${configMaps}/x?fieldManager=a&force=maybe&dryRun=All`, named('x')),
  apply('dry', `${configMaps}/x?fieldManager=a&dryRun=None`, named('x')),
  apply('dry-twice', `${configMaps}/x?fieldManager=a&dryRun=All&dryRun=All`, named('x')),
  apply('validation', `${configMaps}/x?fieldManager=a&fieldValidation=x`, named('x')),
  apply('list', `${configMaps}/x?fieldManager=a`, [named('x')]),
  apply('null', `${configMaps}/x?fieldManager=a`, null),
  apply('text', `${configMaps}/x?fieldManager=a`, { text: 'a' }),
  apply('nothing', `${configMaps}/x?fieldManager=a`, { text: '' }),
  apply('no-version', `${configMaps}/x?fieldManager=a`, { kind: 'ConfigMap', metadata: { name: 'x' } }),
  apply('no-kind', `${configMaps}/x?fieldManager=a`, { apiVersion: 'v1', metadata: { name: 'x' } }),
  apply('other-kind', `${configMaps}/x?fieldManager=a`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }),
  apply('unknown-kind', `${configMaps}/x?fieldManager=a`, { apiVersion: 'v1', kind: 'Nope', metadata: { name: 'x' } }),
  apply('name', `${configMaps}/x?fieldManager=a`, named('y')),
  apply('bad-name', `${configMaps}/X_?fieldManager=a`, named('X_')),
  apply('no-name', `${configMaps}/x?fieldManager=a`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: null } }),
  apply('managed', `${configMaps}/x?fieldManager=a`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x', managedFields: [{ manager: 'a' }] },
  }),
  apply('labels', `${configMaps}/x?fieldManager=a`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x', labels: ['a'] },
  }),
  apply('bytes', `${configMaps}/x?fieldManager=a`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x' },
    binaryData: { a: '$' },
  }),
  mergePatch('force-merge', `${configMaps}/x?force=true`, {}),
  post('long-create', yes(`fieldManager=${'m'.repeat(129)}`), configMap('x')),
  post('validation-create', yes('fieldValidation=strict'), configMap('x')),
  post('dry-create', yes('dryRun=all'), configMap('x')),
];

const deletions: readonly Step[] = [
  remove('labels', yes('labelSelector=a+in')),
  remove('fields', yes('fieldSelector=data.a%3Db')),
  remove('dry', yes('dryRun=x')),
  remove('policy', yes('propagationPolicy=x')),
  remove('both', yes('propagationPolicy=Orphan&orphanDependents=true')),
  remove('grace', yes('gracePeriodSeconds=x')),
  remove('kind', configMaps, { body: { apiVersion: 'v1', kind: 'List' } }),
  remove('list', configMaps, { body: [] }),
  remove('null', yes('labelSelector=none%3Dsuch'), { body: null }),
  remove('unknown', yes('labelSelector=none%3Dsuch'), { body: { apiVersion: 'v1', kind: 'DeleteOptions', nope: 1 } }),
  remove('body-dry', configMaps, { body: { dryRun: ['x'] } }),
  remove('body-type', configMaps, { body: { dryRun: 'All' } }),
  remove('body-policy', `${configMaps}/x`, { body: { propagationPolicy: 'x' } }),
  remove('missing-policy', `${configMaps}/none`, { body: { propagationPolicy: 'x' } }),
  remove('condition', `${configMaps}/x`, { body: { preconditions: { uid: 'u', resourceVersion: 'x' } } }),
  remove('condition-empty', `${configMaps}/x?dryRun=All`, { body: { preconditions: { uid: '' } } }),
];

const generate = (generateName: string, more: { readonly [key: string]: Json } = {}): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { generateName, ...more },
});
const random = 'the end of the name is chosen at random';
const reasonOnly = { only: ['status', 'body.reason', 'body.details.causes.0'], because: random };
const names: readonly Step[] = [
  post('longest', yes('dryRun=All'), generate('a'.repeat(253)), { only: ['status'], because: random }),
  post('capital', configMaps, generate('A_'), reasonOnly),
  post('dash', configMaps, generate('-'), reasonOnly),
  post('dot', configMaps, generate('a.'), reasonOnly),
  post('both', yes('dryRun=All'), generate('b-', { name: 'a' })),
  post('both-bad', configMaps, generate('B', { name: 'a' })),
  post('neither', configMaps, generate('', { name: '' })),
  post(
    'space',
    '/api/v1/namespaces?dryRun=All',
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { generateName: 'a.b' },
    },
    reasonOnly,
  ),
  put('put', `${configMaps}/x`, generate('x')),
  post('dots', configMaps, configMap('..')),
  post('slash', configMaps, configMap('a/b')),
  post('long', configMaps, configMap('a'.repeat(254))),
  post('number', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 7 } }),
  post('list', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: [] }),
  post('space-other', configMaps, configMap('a', { metadata: { namespace: 'other' } })),
];

const held = (finalizers: string[]): Json => configMap('held', { metadata: { finalizers } });
const heldPath = `${configMaps}/held`;

const left: Step = get('left', configMaps, { only: ['body.items'], because: 'what was stored counts' });

interface Plain {
  readonly id: string;
  readonly title: string;
  readonly shows: readonly string[];
}

const plain = (about: Plain, steps: readonly Step[], claims: Case['claims'] = []): Case => ({
  ...about,
  section: 'errors',
  steps,
  claims,
});

const because = 'that it is taken counts';

export const oddRequests: readonly Case[] = [
  plain(
    {
      id: 'e1-odd-watches',
      title: 'watches that cannot be are refused before they begin',
      shows: ['API-E1', 'API-W6'],
    },
    [...asked(watches), ...asked(unmatched)],
    [...refused(unmatched, 422)],
  ),
  plain(
    { id: 'e1-odd-lists', title: 'lists of versions, limits and pages that cannot be', shows: ['API-E1', 'API-L7'] },
    asked(lists),
    refused(lists.slice(0, 5), 422),
  ),
  plain(
    { id: 'e1-odd-fields', title: 'selectors of fields, kind by kind', shows: ['API-E1', 'API-L3'] },
    fields.map(([step, path, selector]) => get(step, `${path}?fieldSelector=${encodeURIComponent(selector)}`)),
    [claim('400', 'deployments.status', { is: 400 }), claim('200', 'pods.status', { is: 200 })],
  ),
  plain(
    { id: 'e1-odd-accepts', title: 'answers in forms nobody has', shows: ['API-T3'] },
    accepts.map(([step, accept]) => get(step, configMaps, { send: { accept }, ...formOnly })),
    [claim('406', 'no-group.status', { is: 406 })],
  ),
  plain(
    { id: 'r1-odd-subresources', title: 'subresources take what is theirs', shows: ['API-E1', 'API-R1'] },
    [post('there', deployments, deployment, { setup: true }), ...subresources],
    [claim('404', 'unknown.status', { is: 404 }), claim('422', 'scale-negative.status', { is: 422 })],
  ),
  plain(
    { id: 's1-odd-applies', title: 'applies by nobody, of nothing, as something else', shows: ['API-S1', 'API-E1'] },
    [post('there', configMaps, configMap('x', { data: { a: 'b' } }), { setup: true }), ...applies, left],
    [claim('400', 'no-name.status', { is: 400 }), claim('500', 'bytes.status', { is: 500 })],
  ),
  plain(
    {
      id: 'x1-odd-deletions',
      title: 'deletions that contradict themselves delete nothing',
      shows: ['API-X1', 'API-X8'],
    },
    [post('there', configMaps, configMap('x'), { setup: true }), ...deletions, left],
    [claim('nothing is gone', 'left.body.items', { length: 1 })],
  ),
  plain(
    { id: 'c3-odd-names', title: 'names that are none, and names to be completed', shows: ['API-C3', 'API-C4'] },
    names,
    [claim('422', 'capital.status', { is: 422 })],
  ),
  plain(
    { id: 'x5-odd-policies', title: 'one policy after the other, on what is held', shows: ['API-X2', 'API-X5'] },
    [
      post('create', configMaps, held(['a.example.com/b']), { setup: true }),
      remove('foreground-dry', `${heldPath}?dryRun=All`, { body: { propagationPolicy: 'Foreground' } }),
      remove('foreground', heldPath, { body: { propagationPolicy: 'Foreground' } }),
      remove('orphan', heldPath, { body: { propagationPolicy: 'Orphan' } }),
      remove('background', heldPath, { body: { propagationPolicy: 'Background' } }),
      mergePatch('add', heldPath, { metadata: { finalizers: ['a.example.com/b', 'c.example.com/d'] } }),
      mergePatch('revive', heldPath, { metadata: { deletionTimestamp: null } }),
      mergePatch('move', heldPath, { metadata: { deletionGracePeriodSeconds: 9 } }),
      put('put', heldPath, held([])),
      get('gone', heldPath),
    ],
    [claim('gone', 'gone.status', { is: 404 })],
  ),
  plain(
    { id: 'c13-odd-trials', title: 'who only tries leaves nothing behind', shows: ['API-C13'] },
    [
      post('generated', yes('dryRun=All'), generate('a-')),
      put('put-new', `${configMaps}/a?dryRun=All`, configMap('a')),
      put('lease', '/apis/coordination.k8s.io/v1/namespaces/{{ns}}/leases/a?dryRun=All', {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'a' },
      }),
      apply('apply', `${configMaps}/a?dryRun=All&fieldManager=m`, configMap('a')),
      post(
        'pod',
        inSpace('pods?dryRun=All'),
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'a' },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
        { only: ['status'], because },
      ),
      post('review', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?dryRun=All', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
      }),
      post('version', yes('dryRun=All'), configMap('a', { metadata: { resourceVersion: 'a.b' } })),
      post('version-number', yes('dryRun=All'), configMap('a', { metadata: { resourceVersion: '07' } })),
      remove('delete', `${configMaps}/a?dryRun=All`),
      remove('delete-all', yes('dryRun=All')),
      left,
    ],
    [claim('nothing', 'left.body.items', { length: 0 })],
  ),
];
