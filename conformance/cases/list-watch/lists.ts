import type { Case } from '../../src/case.ts';
import { claim, configMap, configMaps, get, post, thing, things, thingsPath } from '../../src/steps.ts';
import { inNamespace, ready } from './manifests.ts';

const anyVersion = {
  mask: ['body.metadata.resourceVersion'],
  because: 'the masks know lists by kinds that end in List',
};
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const emptyKinds: readonly [name: string, group: string, plural: string, kind: string][] = [
  ['configmaps', 'v1', 'configmaps', 'ConfigMapList'],
  ['secrets', 'v1', 'secrets', 'SecretList'],
  ['pods', 'v1', 'pods', 'PodList'],
  ['services', 'v1', 'services', 'ServiceList'],
  ['endpoints', 'v1', 'endpoints', 'EndpointsList'],
  ['deployments', 'apps/v1', 'deployments', 'DeploymentList'],
  ['jobs', 'batch/v1', 'jobs', 'JobList'],
  ['leases', 'coordination.k8s.io/v1', 'leases', 'LeaseList'],
  ['networkpolicies', 'networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicyList'],
];

export const lists: readonly Case[] = [
  {
    id: 'l1-empty',
    section: 'list-watch',
    shows: ['API-L1'],
    title: 'an empty list has its kind, a version, and items that are a list',
    steps: emptyKinds.map(([name, group, plural]) => get(name, inNamespace(group, plural))),
    claims: emptyKinds.flatMap(([name, , , kind]) => [
      claim('<Kind>List', `${name}.body.kind`, { is: kind }),
      claim('with the RV', `${name}.body.metadata.resourceVersion`, { matches: '^\\d+$' }),
      claim('items never null', `${name}.body.items`, { is: [] }),
    ]),
  },
  {
    id: 'l1-empty-custom',
    section: 'list-watch',
    shows: ['API-L1'],
    title: 'the list of a custom resource has the kind its definition gives; empty, its items are a list',
    steps: [
      ...ready(things(open, { names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ManyThings' } })),
      get('list', thingsPath, anyVersion),
      get('everywhere', '/apis/{{group}}/v1/things', anyVersion),
    ],
    claims: [
      claim('the list kind of the definition', 'list.body.kind', { is: 'ManyThings' }),
      claim('apiVersion', 'list.body.apiVersion', { matches: '/v1$' }),
      claim('with the RV', 'list.body.metadata.resourceVersion', { matches: '^\\d+$' }),
      claim('items never null', 'list.body.items', { is: [] }),
      claim('items never null in all namespaces', 'everywhere.body.items', { is: [] }),
    ],
  },
  {
    id: 'l1-built-in-items',
    section: 'list-watch',
    shows: ['API-L1', 'API-Q5'],
    title: 'items of a built-in kind come in the order of their keys and without apiVersion and kind',
    steps: [
      post('b', configMaps, configMap('b')),
      post('a-long', configMaps, configMap('a-long')),
      post('a', configMaps, configMap('a')),
      post('a-dot-x', configMaps, configMap('a.x')),
      get('list', configMaps),
      get('of-one', `${configMaps}/a`),
    ],
    claims: [
      claim('in key order: a first', 'list.body.items.0.metadata.name', { is: 'a' }),
      claim('in key order: a-long', 'list.body.items.1.metadata.name', { is: 'a-long' }),
      claim('in key order: a.x', 'list.body.items.2.metadata.name', { is: 'a.x' }),
      claim('in key order: b', 'list.body.items.3.metadata.name', { is: 'b' }),
      claim('no kind', 'list.body.items.0.kind', { present: false }),
      claim('no apiVersion', 'list.body.items.0.apiVersion', { present: false }),
      claim('a single object has its kind', 'of-one.body.kind', { is: 'ConfigMap' }),
      claim('the snapshot’s RV', 'list.body.metadata.resourceVersion', {
        atLeast: 'a-dot-x.body.metadata.resourceVersion',
      }),
      claim('each item has the RV of its own write', 'list.body.items.3.metadata.resourceVersion', {
        sameAs: 'b.body.metadata.resourceVersion',
      }),
    ],
  },
  {
    id: 'l1-custom-items',
    section: 'list-watch',
    shows: ['API-L1'],
    title: 'items of a custom resource come in the order of their keys, with apiVersion and kind',
    steps: [
      ...ready(things(open)),
      post('b', thingsPath, thing('b', { spec: { n: 1 } })),
      post('a', thingsPath, thing('a', { spec: { n: 2 } })),
      get('list', thingsPath),
    ],
    claims: [
      claim('ThingList', 'list.body.kind', { is: 'ThingList' }),
      claim('in key order', 'list.body.items.0.metadata.name', { is: 'a' }),
      claim('with kind', 'list.body.items.0.kind', { is: 'Thing' }),
      claim('with apiVersion', 'list.body.items.0.apiVersion', { matches: '/v1$' }),
      claim('the snapshot’s RV', 'list.body.metadata.resourceVersion', { atLeast: 'a.body.metadata.resourceVersion' }),
    ],
  },
  {
    id: 'l1-across-namespaces',
    section: 'list-watch',
    shows: ['API-L1'],
    title: 'over all namespaces the key is namespace, slash, name: a-2 comes before a, as - comes before /',
    steps: [
      post(
        'a-of-second',
        '/api/v1/namespaces/{{ns2}}/configmaps',
        configMap('a', { metadata: { labels: { of: '{{id}}' } } }),
      ),
      post('z-of-first', configMaps, configMap('z', { metadata: { labels: { of: '{{id}}' } } })),
      post('b-of-first', configMaps, configMap('b', { metadata: { labels: { of: '{{id}}' } } })),
      get('list', '/api/v1/configmaps?labelSelector=of%3D{{id}}'),
    ],
    claims: [
      claim('the key of the second namespace, which ends in -2, comes first', 'list.body.items.0.metadata.name', {
        is: 'a',
      }),
      claim('then the first namespace, first name', 'list.body.items.1.metadata.name', { is: 'b' }),
      claim('then its second name', 'list.body.items.2.metadata.name', { is: 'z' }),
      claim('all', 'list.body.items', { length: 3 }),
    ],
  },
  {
    id: 'l1-snapshot-version',
    section: 'list-watch',
    shows: ['API-L1', 'API-L7'],
    title: 'the version of a list names its snapshot: asked for exactly, it comes again',
    steps: [
      post('a', configMaps, configMap('a')),
      get('before', configMaps),
      post('b', configMaps, configMap('b')),
      get('again', `${configMaps}?resourceVersion={{before.body.metadata.resourceVersion}}&resourceVersionMatch=Exact`),
    ],
    claims: [
      claim('the same RV', 'again.body.metadata.resourceVersion', { sameAs: 'before.body.metadata.resourceVersion' }),
      claim('the same items', 'again.body.items', { sameAs: 'before.body.items' }),
    ],
  },
];
