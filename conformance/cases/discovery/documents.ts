// What resources there are, in both forms.
import type { Case, Json, RequestStep } from '../../src/case.ts';
import { claim, define, get, post, things } from '../../src/steps.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const everything = 'the document holds the groups of all cases: this one’s place in it is compared';

/** The groups of API-Q4 beside the core, with their versions. */
const groups: readonly [string, ...string[]][] = [
  ['apps', 'v1'],
  ['batch', 'v1'],
  ['autoscaling', 'v2', 'v1'],
  ['networking.k8s.io', 'v1'],
  ['policy', 'v1'],
  ['rbac.authorization.k8s.io', 'v1'],
  ['coordination.k8s.io', 'v1'],
  ['events.k8s.io', 'v1'],
  ['discovery.k8s.io', 'v1'],
  ['storage.k8s.io', 'v1'],
  ['scheduling.k8s.io', 'v1'],
  ['apiextensions.k8s.io', 'v1'],
  ['admissionregistration.k8s.io', 'v1'],
  ['authentication.k8s.io', 'v1'],
  ['authorization.k8s.io', 'v1'],
  ['certificates.k8s.io', 'v1'],
];

const short = (group: string): string => group.replace(/\..*/, '');
const inGroups = (group: string): string[] => ['body', 'groups', `[name=${group}]`];
const inItems = (group: string): string[] => ['body', 'items', `[metadata.name=${group}]`];

const legacy = groups.map(([group, ...versions]): Case => ({
  id: `d1-${short(group)}`,
  section: 'discovery',
  shows: ['API-D1'],
  title: `${group}, its versions and their resources`,
  steps: [
    get('groups', '/apis', { only: ['status', 'headers', 'body.kind', inGroups(group)], because: everything }),
    get('group', `/apis/${group}`),
    ...versions.map((version) => get(version, `/apis/${group}/${version}`)),
  ],
  claims: [
    claim('/apis', 'groups.body.kind', { is: 'APIGroupList' }),
    claim('holds the group', ['groups', ...inGroups(group), 'preferredVersion', 'version'], {
      is: versions[0] ?? '',
    }),
    claim('/apis/<g>', 'group.body.kind', { is: 'APIGroup' }),
    ...versions.flatMap((version) => [
      claim('/apis/<g>/<v>', `${version}.body.kind`, { is: 'APIResourceList' }),
      claim('name, singularName, namespaced, kind, verbs', `${version}.body.resources.0`, {
        inOrder: ['name', 'singularName', 'namespaced', 'kind', 'verbs'],
      }),
    ]),
  ],
}));

const items = groups.map(([group, ...versions]): Case => ({
  id: `d2-${short(group)}`,
  section: 'discovery',
  shows: ['API-D2'],
  title: `${group} in the aggregated document`,
  steps: [get('all', '/apis', { send: { accept: aggregated }, only: ['status', inItems(group)], because: everything })],
  claims: [
    claim('versions[]', ['all', ...inItems(group), 'versions'], { length: versions.length }),
    claim('version', ['all', ...inItems(group), 'versions', '0', 'version'], { is: versions[0] ?? '' }),
    claim('freshness `Current`', ['all', ...inItems(group), 'versions', '0', 'freshness'], { is: 'Current' }),
    claim(
      'resources[] {resource, responseKind, scope, verbs}',
      ['all', ...inItems(group), 'versions', '0', 'resources', '0'],
      { inOrder: ['resource', 'responseKind', 'scope', 'singularResource', 'verbs'] },
    ),
  ],
}));

const core: readonly Case[] = [
  {
    id: 'd1-core',
    section: 'discovery',
    shows: ['API-D1'],
    title: '/api and /api/v1, with subresources',
    steps: [
      get('versions', '/api', {
        mask: ['body.serverAddressByClientCIDRs.0.serverAddress'],
        because: 'where the server listens',
      }),
      get('slash', '/api/', {
        mask: ['body.serverAddressByClientCIDRs.0.serverAddress'],
        because: 'where the server listens',
      }),
      get('resources', '/api/v1'),
      get('resources-slash', '/api/v1/', { only: ['status', 'headers', 'body.kind'], because: 'the same as without' }),
    ],
    claims: [
      claim('/api', 'versions.body.versions', { is: ['v1'] }),
      claim('/api/v1', 'resources.body.kind', { is: 'APIResourceList' }),
      claim('namespaced', 'resources.body.resources.[name=configmaps].namespaced', { is: true }),
      claim('not namespaced', 'resources.body.resources.[name=nodes].namespaced', { is: false }),
      claim('singularName', 'resources.body.resources.[name=configmaps].singularName', { is: 'configmap' }),
      claim('kind', 'resources.body.resources.[name=configmaps].kind', { is: 'ConfigMap' }),
      claim('verbs', 'resources.body.resources.[name=configmaps].verbs', {
        is: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      }),
      claim('shortNames', 'resources.body.resources.[name=configmaps].shortNames', { is: ['cm'] }),
      claim('categories', 'resources.body.resources.[name=pods].categories', { is: ['all'] }),
      claim('subresources as res/sub', 'resources.body.resources.[name=pods/status].kind', { is: 'Pod' }),
      claim('group of scale', 'resources.body.resources.[name=replicationcontrollers/scale].group', {
        is: 'autoscaling',
      }),
      claim('version of scale', 'resources.body.resources.[name=replicationcontrollers/scale].version', { is: 'v1' }),
    ],
  },
  {
    id: 'd2-core',
    section: 'discovery',
    shows: ['API-D2'],
    title: '/api as one document, which clients may keep',
    steps: [
      get('core', '/api', { send: { accept: aggregated }, headers: ['vary'] }),
      get('unchanged', '/api', {
        send: { accept: aggregated, 'if-none-match': '{{core.headers.etag|none}}' },
        headers: ['vary'],
      }),
      get('changed', '/api', {
        send: { accept: aggregated, 'if-none-match': '"0"' },
        only: ['status'],
        because: 'the same document again',
      }),
      get('kubectl', '/api?timeout=32s', {
        send: {
          accept: `${aggregated},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json`,
        },
        only: ['status', 'headers', 'body.kind', 'body.apiVersion'],
        because: 'the same document again',
        headers: ['vary'],
      }),
      get('old', '/api', {
        send: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList' },
        headers: ['vary'],
      }),
      get('plain', '/api', {
        send: { accept: 'application/json' },
        only: ['status', 'headers', 'body.kind'],
        because: 'd1-core compares it',
        headers: ['vary'],
      }),
    ],
    claims: [
      claim('answers that kind', 'core.body.kind', { is: 'APIGroupDiscoveryList' }),
      claim('Content-Type echoes the parameters', 'core.headers.content-type', { is: aggregated }),
      claim('`Vary: Accept`', 'core.headers.vary', { is: 'Accept' }),
      claim('`Cache-Control: public`', 'core.headers.cache-control', { is: 'public' }),
      claim('ETag', 'core.headers.etag', { matches: '^"\\w+"$' }),
      claim('304', 'unchanged.status', { is: 304 }),
      claim('304 for nothing else', 'changed.status', { is: 200 }),
      claim('what kubectl sends', 'kubectl.body.apiVersion', { is: 'apidiscovery.k8s.io/v2' }),
      claim(
        'subresources',
        'core.body.items.0.versions.0.resources.[resource=pods].subresources.[subresource=status].verbs',
        {
          is: ['get', 'patch', 'update'],
        },
      ),
    ],
  },
  {
    id: 'd2-groups',
    section: 'discovery',
    shows: ['API-D2'],
    title: '/apis as one document, which clients may keep',
    // Few definitions come and go there, so that the document stays the same between two requests.
    world: 'workloads',
    steps: [
      get('groups', '/apis', {
        send: { accept: aggregated },
        headers: ['vary'],
        only: ['status', 'headers', 'body.kind', 'body.apiVersion', 'body.metadata'],
        because: everything,
      }),
      get('unchanged', '/apis', {
        send: { accept: aggregated, 'if-none-match': '{{groups.headers.etag|none}}' },
        headers: ['vary'],
      }),
    ],
    claims: [
      claim('answers that kind', 'groups.body.kind', { is: 'APIGroupDiscoveryList' }),
      claim('Content-Type echoes the parameters', 'groups.headers.content-type', { is: aggregated }),
      claim('`Vary: Accept`', 'groups.headers.vary', { is: 'Accept' }),
      claim('`Cache-Control: public`', 'groups.headers.cache-control', { is: 'public' }),
      claim('ETag', 'groups.headers.etag', { matches: '^"\\w+"$' }),
      claim('304', 'unchanged.status', { is: 304 }),
    ],
  },
];

const version = (name: string, storage = false): { [key: string]: Json } => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
});

const full = things(
  { type: 'object', properties: { replicas: { type: 'integer' } } },
  {
    names: {
      kind: 'Thing',
      plural: 'things',
      singular: 'thing',
      listKind: 'ThingList',
      shortNames: ['th', 'tng'],
      categories: ['all', 'stuff'],
    },
    version: {
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    },
  },
);

const hash = 'body.resources.*.storageVersionHash';
const perRun = 'a hash of the group, whose name is new in each run';

/** Discovery of a definition follows its serving: asked until it is there. */
const documents = (last: string): RequestStep[] => [
  get('group', '/apis/{{group}}', { until: { at: 'group.body.versions', contains: { version: last } } }),
  get('version', '/apis/{{group}}/v1', {
    until: { at: 'version.status', is: 200 },
    mask: [hash],
    because: perRun,
  }),
  get('groups', '/apis', {
    until: { at: ['groups', ...inGroups('{{group}}'), 'versions'], contains: { version: last } },
    only: ['status', inGroups('{{group}}')],
    because: everything,
  }),
  get('all', '/apis', {
    send: { accept: aggregated },
    until: { at: ['all', ...inItems('{{group}}'), 'versions'], contains: { version: last } },
    only: ['status', inItems('{{group}}')],
    because: everything,
  }),
];

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const order = ['v11', 'v2', 'v1', 'v10beta3', 'v3beta1', 'v1beta2', 'v1alpha1', 'bar', 'foo1', 'foo10'];

const custom: readonly Case[] = [
  {
    id: 'd1-custom-resource',
    section: 'discovery',
    shows: ['API-D1', 'API-D2', 'API-D3'],
    title: 'a definition with all it may have, in both forms',
    steps: [...define('crd', full), ...documents('v1')],
    claims: [
      claim('name and kind', 'version.body.resources.[name=things].kind', { is: 'Thing' }),
      claim('singularName', 'version.body.resources.[name=things].singularName', { is: 'thing' }),
      claim('namespaced', 'version.body.resources.[name=things].namespaced', { is: true }),
      claim('shortNames', 'version.body.resources.[name=things].shortNames', { is: ['th', 'tng'] }),
      claim('categories', 'version.body.resources.[name=things].categories', { is: ['all', 'stuff'] }),
      claim('status', 'version.body.resources.[name=things/status].verbs', { is: ['get', 'patch', 'update'] }),
      claim('scale: kind', 'version.body.resources.[name=things/scale].kind', { is: 'Scale' }),
      claim('scale: group', 'version.body.resources.[name=things/scale].group', { is: 'autoscaling' }),
      claim('scale: version', 'version.body.resources.[name=things/scale].version', { is: 'v1' }),
      claim('verbs in order', 'version.body.resources.[name=things].verbs', { is: verbs }),
      claim(
        'verbs in order, aggregated',
        ['all', ...inItems('{{group}}'), 'versions', '0', 'resources', '0', 'verbs'],
        {
          is: verbs,
        },
      ),
      claim('scope', ['all', ...inItems('{{group}}'), 'versions', '0', 'resources', '0', 'scope'], {
        is: 'Namespaced',
      }),
      claim('responseKind', ['all', ...inItems('{{group}}'), 'versions', '0', 'resources', '0', 'responseKind'], {
        is: { group: '{{group}}', version: 'v1', kind: 'Thing' },
      }),
      claim('subresources[]', ['all', ...inItems('{{group}}'), 'versions', '0', 'resources', '0', 'subresources'], {
        length: 2,
      }),
    ],
  },
  {
    id: 'd1-cluster-scoped',
    section: 'discovery',
    shows: ['API-D1', 'API-D2', 'API-D3'],
    title: 'a definition for the whole cluster, with as little as it may have',
    steps: [
      ...define('crd', things({ type: 'object' }, { scope: 'Cluster', names: { kind: 'Thing', plural: 'things' } })),
      ...documents('v1'),
    ],
    claims: [
      claim('not namespaced', 'version.body.resources.0.namespaced', { is: false }),
      claim('singularName is the kind’s', 'version.body.resources.0.singularName', { is: 'thing' }),
      claim('Cluster', ['all', ...inItems('{{group}}'), 'versions', '0', 'resources', '0', 'scope'], { is: 'Cluster' }),
      claim('verbs in order', 'version.body.resources.0.verbs', { is: verbs }),
    ],
  },
  {
    id: 'd5-version-order',
    section: 'discovery',
    shows: ['API-D5'],
    title: 'versions in Kubernetes order, whatever the order of the definition',
    steps: [
      ...define(
        'crd',
        things(
          {},
          {
            versions: ['v1alpha1', 'foo10', 'v2', 'bar', 'v1beta2', 'v1', 'v10beta3', 'v11', 'foo1', 'v3beta1'].map(
              (name) => version(name, name === 'v1'),
            ),
          },
        ),
      ),
      ...documents('foo10'),
    ],
    claims: [
      ...order.flatMap((name, index) => [
        claim(`${name} is number ${index + 1}`, `group.body.versions.${index}.version`, { is: name }),
        claim(`of all groups too`, ['groups', ...inGroups('{{group}}'), 'versions', String(index), 'version'], {
          is: name,
        }),
        claim(`aggregated too`, ['all', ...inItems('{{group}}'), 'versions', String(index), 'version'], { is: name }),
      ]),
      claim('the first is preferred', 'group.body.preferredVersion.version', { is: 'v11' }),
      claim('of all groups', ['groups', ...inGroups('{{group}}'), 'preferredVersion', 'version'], { is: 'v11' }),
    ],
  },
  {
    id: 'd5-two-definitions',
    section: 'discovery',
    shows: ['API-D5', 'API-D1'],
    title: 'two definitions of one group: versions are those of both, unserved ones of none',
    steps: [
      ...define('crd', things({}, { versions: [version('v1', true), { ...version('v2'), served: false }] })),
      post(
        'second',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: { name: 'others.{{group}}' },
          spec: {
            group: '{{group}}',
            names: { kind: 'Other', plural: 'others' },
            scope: 'Namespaced',
            versions: [version('v1', true), version('v3alpha1')],
          },
        },
        { setup: true },
      ),
      ...documents('v3alpha1').filter(({ name }) => name !== 'version' && name !== 'all'),
      get('both', '/apis/{{group}}/v1', {
        until: { at: 'both.body.resources', contains: { name: 'others' } },
        mask: [hash],
        because: perRun,
        unordered: ['body.resources'],
      }),
    ],
    claims: [
      claim('stable first', 'group.body.versions.0.version', { is: 'v1' }),
      claim('alpha last', 'group.body.versions.1.version', { is: 'v3alpha1' }),
      claim('what is not served is not there', 'group.body.versions', { length: 2 }),
      claim('both resources', 'both.body.resources', { length: 2 }),
    ],
  },
  {
    id: 'd5-builtin',
    section: 'discovery',
    shows: ['API-D5'],
    title: 'built-in groups: v2 before v1',
    steps: [get('group', '/apis/autoscaling')],
    claims: [
      claim('v2 first', 'group.body.versions.0.version', { is: 'v2' }),
      claim('v1 next', 'group.body.versions.1.version', { is: 'v1' }),
      claim('v2 is preferred', 'group.body.preferredVersion.version', { is: 'v2' }),
    ],
  },
];

export const discoveryDocuments: readonly Case[] = [...core, ...legacy, ...items, ...custom];
