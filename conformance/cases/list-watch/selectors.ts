import type { Case, Step } from '../../src/case.ts';
import { claim, configMap, configMaps, define, get, post, thing, things, thingsPath } from '../../src/steps.ts';
import { encoded, inNamespace, ready } from './manifests.ts';

type Row = readonly [step: string, selector: string, clause: string, names: readonly string[]];

const labelled: readonly Row[] = [
  ['equal', 'tier=web', '=', ['a']],
  ['double-equal', 'tier==web', '==', ['a']],
  ['not-equal', 'tier!=web', '!= matches objects without the key', ['b', 'c', 'd']],
  ['in', 'tier in (web,db)', 'in', ['a', 'b']],
  ['in-one', 'tier in (db)', 'in with one value', ['b']],
  ['notin', 'tier notin (web,cache)', 'notin matches objects without the key', ['b', 'c', 'd']],
  ['exists', 'tier', 'key', ['a', 'b']],
  ['does-not-exist', '!tier', '!key', ['c', 'd']],
  ['greater', 'n>5', '>', ['b']],
  ['less', 'n<10', '<', ['a']],
  ['both', 'tier,n>4', 'comma means and', ['a', 'b']],
  ['contradiction', 'tier=web,tier=db', 'comma means and: nothing', []],
  ['prefixed', 'example.com/team=blue', 'a key with prefix', ['d']],
  ['empty-value', 'mark=', 'the empty value', ['d']],
  ['in-nothing', 'mark in ()', 'in () is the empty value', ['d']],
  ['in-empty', 'mark in (,x)', 'in may name the empty value', ['d']],
  ['notin-nothing', 'mark notin ()', 'notin () is all but the empty value', ['a', 'b', 'c']],
];

const badLabels: readonly Row[] = [
  ['bad-key', 'bad key=x', 'keys must be valid', []],
  ['bad-key-form', '-a=x', 'keys must be valid', []],
  ['bad-prefix', 'a/b/c=x', 'keys must be valid', []],
  ['bad-value', 'tier=-web', 'values must be valid', []],
  ['long-value', `tier=${'x'.repeat(64)}`, 'values must be valid: 63 characters', []],
  ['greater-than-text', 'n>abc', '> takes integers', []],
  ['less-than-text', 'n<1.5', '< takes integers', []],
  ['empty-term', 'tier=web,,n', 'empty terms', []],
  ['trailing-comma', 'tier=web,', 'an empty last term', []],
  ['leading-comma', ',tier', 'an empty first term', []],
  ['in-open', 'tier in (web', 'an open list', []],
  ['in-without-list', 'tier in', 'in without a list', []],
];

const byLabel = ([step, selector]: Row): Step => get(step, `${configMaps}?labelSelector=${encoded(selector)}`);
const byField = ([step, selector]: Row): Step => get(step, `${configMaps}?fieldSelector=${encoded(selector)}`);

const matching = ([step, , clause, names]: Row) => [
  claim(clause, `${step}.status`, { is: 200 }),
  claim(`${clause}: so many`, `${step}.body.items`, { length: names.length }),
  ...names.map((name, index) => claim(clause, `${step}.body.items.${index}.metadata.name`, { is: name })),
];

const refused = ([step, , clause]: Row) => [
  claim(`${clause}: 400`, `${step}.status`, { is: 400 }),
  claim(`${clause}: BadRequest`, `${step}.body.reason`, { is: 'BadRequest' }),
];

const four: readonly Step[] = [
  post('a', configMaps, configMap('a', { metadata: { labels: { tier: 'web', n: '5' } } }), { setup: true }),
  post('b', configMaps, configMap('b', { metadata: { labels: { tier: 'db', n: '10' } } }), { setup: true }),
  post('c', configMaps, configMap('c'), { setup: true }),
  post('d', configMaps, configMap('d', { metadata: { labels: { 'example.com/team': 'blue', mark: '', n: 'x' } } }), {
    setup: true,
  }),
];

const fields: readonly Row[] = [
  ['equal', 'metadata.name=a', '=', ['a']],
  ['double-equal', 'metadata.name==a', '==', ['a']],
  ['not-equal', 'metadata.name!=a', '!=', ['b', 'c', 'd']],
  ['and', 'metadata.name!=a,metadata.name!=c', 'comma means and', ['b', 'd']],
  ['and-nothing', 'metadata.name=a,metadata.name=b', 'comma means and: nothing', []],
  ['namespace', 'metadata.namespace={{ns}}', 'metadata.namespace', ['a', 'b', 'c', 'd']],
  ['other-namespace', 'metadata.namespace!={{ns}}', 'metadata.namespace !=', []],
  ['nobody', 'metadata.name=z', '= without a match', []],
];

const badFields: readonly Row[] = [
  ['unknown', 'data.k=v', 'an unknown field', []],
  ['no-operator', 'metadata.name', 'no operator', []],
  ['in', 'metadata.name in (a,b)', 'in is for labels', []],
];

const namespacedKinds: readonly [group: string, plural: string][] = [
  ['v1', 'configmaps'],
  ['v1', 'endpoints'],
  ['v1', 'events'],
  ['v1', 'limitranges'],
  ['v1', 'persistentvolumeclaims'],
  ['v1', 'pods'],
  ['v1', 'podtemplates'],
  ['v1', 'replicationcontrollers'],
  ['v1', 'resourcequotas'],
  ['v1', 'secrets'],
  ['v1', 'serviceaccounts'],
  ['v1', 'services'],
  ['apps/v1', 'controllerrevisions'],
  ['apps/v1', 'daemonsets'],
  ['apps/v1', 'deployments'],
  ['apps/v1', 'replicasets'],
  ['apps/v1', 'statefulsets'],
  ['autoscaling/v2', 'horizontalpodautoscalers'],
  ['batch/v1', 'cronjobs'],
  ['batch/v1', 'jobs'],
  ['coordination.k8s.io/v1', 'leases'],
  ['discovery.k8s.io/v1', 'endpointslices'],
  ['events.k8s.io/v1', 'events'],
  ['networking.k8s.io/v1', 'ingresses'],
  ['networking.k8s.io/v1', 'networkpolicies'],
  ['policy/v1', 'poddisruptionbudgets'],
  ['rbac.authorization.k8s.io/v1', 'rolebindings'],
  ['rbac.authorization.k8s.io/v1', 'roles'],
];

const clusterKinds: readonly [path: string, name: string][] = [
  ['/api/v1/namespaces', 'namespaces'],
  ['/api/v1/nodes', 'nodes'],
  ['/api/v1/persistentvolumes', 'persistentvolumes'],
  ['/apis/rbac.authorization.k8s.io/v1/clusterroles', 'clusterroles'],
  ['/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', 'clusterrolebindings'],
  ['/apis/storage.k8s.io/v1/storageclasses', 'storageclasses'],
  ['/apis/scheduling.k8s.io/v1/priorityclasses', 'priorityclasses'],
  ['/apis/networking.k8s.io/v1/ingressclasses', 'ingressclasses'],
  ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'customresourcedefinitions'],
  ['/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', 'validatingwebhookconfigurations'],
  ['/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
];

const stepOf = (group: string, plural: string): string => `${plural}-of-${group.replace(/[./]/g, '-')}`;

export const selectors: readonly Case[] = [
  {
    id: 'l2-labels',
    section: 'list-watch',
    shows: ['API-L2'],
    title: 'the label selector’s operators, and what != and notin say about objects without the key',
    steps: [...four, ...labelled.map(byLabel)],
    claims: labelled.flatMap(matching),
  },
  {
    id: 'l2-bad-labels',
    section: 'list-watch',
    shows: ['API-L2', 'API-E1'],
    title: 'label selectors that are refused',
    steps: [...four, ...badLabels.map(byLabel)],
    claims: badLabels.flatMap(refused),
  },
  {
    id: 'l2-fields',
    section: 'list-watch',
    shows: ['API-L2'],
    title: 'the field selector’s operators',
    steps: [...four, ...fields.map(byField)],
    claims: fields.flatMap(matching),
  },
  {
    id: 'l2-bad-fields',
    section: 'list-watch',
    shows: ['API-L2', 'API-E1'],
    title: 'field selectors that are refused',
    steps: [...four, ...badFields.map(byField)],
    claims: [
      ...badFields.flatMap(refused),
      claim('the message', 'unknown.body.message', {
        is: '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
      }),
    ],
  },
  {
    id: 'l2-labels-and-fields',
    section: 'list-watch',
    shows: ['API-L2'],
    title: 'both selectors at once must match',
    steps: [
      ...four,
      get('both', `${configMaps}?labelSelector=tier&fieldSelector=${encoded('metadata.name!=a')}`),
      get('empty', `${configMaps}?labelSelector=&fieldSelector=`),
    ],
    claims: [
      claim('one matches both', 'both.body.items', { length: 1 }),
      claim('the one', 'both.body.items.0.metadata.name', { is: 'b' }),
      claim('empty selectors match everything', 'empty.body.items', { length: 4 }),
    ],
  },
  {
    id: 'l2-names-of-namespaced-kinds',
    section: 'list-watch',
    shows: ['API-L2'],
    title: 'every namespaced kind has metadata.name and metadata.namespace',
    steps: namespacedKinds.map(([group, plural]) =>
      get(
        stepOf(group, plural),
        `${inNamespace(group, plural)}?fieldSelector=${encoded('metadata.name=nobody,metadata.namespace={{ns}}')}`,
      ),
    ),
    claims: namespacedKinds.flatMap(([group, plural]) => [
      claim(`${plural} have both`, `${stepOf(group, plural)}.status`, { is: 200 }),
      claim(`${plural}: none of that name`, `${stepOf(group, plural)}.body.items`, { is: [] }),
    ]),
  },
  {
    id: 'l2-names-of-cluster-kinds',
    section: 'list-watch',
    shows: ['API-L2'],
    title: 'every cluster-scoped kind has metadata.name; metadata.namespace is known to some all the same',
    steps: clusterKinds.flatMap(([path, name]) => [
      get(name, `${path}?fieldSelector=${encoded('metadata.name={{id}}-nobody')}`),
      get(
        `${name}-by-namespace`,
        `${path}?fieldSelector=${encoded('metadata.name={{id}}-nobody,metadata.namespace=x')}`,
      ),
    ]),
    claims: clusterKinds.flatMap(([, name]) => [
      claim(`${name} have metadata.name`, `${name}.status`, { is: 200 }),
      claim(`${name}: none of that name`, `${name}.body.items`, { is: [] }),
    ]),
  },
  {
    id: 'l2-names-of-custom-resources',
    section: 'list-watch',
    shows: ['API-L2', 'API-E1'],
    title: 'custom resources have metadata.name, and metadata.namespace only where they are namespaced',
    steps: [
      ...ready(things({ type: 'object', properties: { replicas: { type: 'integer' } } })),
      ...define('wide', {
        ...things({ type: 'object' }),
        metadata: { name: 'wides.{{group}}' },
        spec: {
          ...(things({ type: 'object' })['spec'] as { [key: string]: string }),
          names: { kind: 'Wide', plural: 'wides', singular: 'wide', listKind: 'WideList' },
          scope: 'Cluster',
        },
      }),
      post('a', thingsPath, thing('a'), { setup: true }),
      post('b', thingsPath, thing('b'), { setup: true }),
      post(
        'w',
        '/apis/{{group}}/v1/wides',
        { apiVersion: '{{group}}/v1', kind: 'Wide', metadata: { name: 'w' } },
        { setup: true },
      ),
      get('by-name', `${thingsPath}?fieldSelector=${encoded('metadata.name=b')}`),
      get('by-namespace', `/apis/{{group}}/v1/things?fieldSelector=${encoded('metadata.namespace={{ns}}')}`),
      get('by-other', `${thingsPath}?fieldSelector=${encoded('spec.replicas=1')}`),
      get('wide-by-name', `/apis/{{group}}/v1/wides?fieldSelector=${encoded('metadata.name=w')}`),
      get('wide-by-namespace', `/apis/{{group}}/v1/wides?fieldSelector=${encoded('metadata.namespace=x')}`),
    ],
    claims: [
      claim('metadata.name', 'by-name.body.items', { length: 1 }),
      claim('metadata.name', 'by-name.body.items.0.metadata.name', { is: 'b' }),
      claim('metadata.namespace if namespaced', 'by-namespace.body.items', { length: 2 }),
      claim('others are not known', 'by-other.body.message', { is: 'field label not supported: spec.replicas' }),
      claim('metadata.name of cluster-scoped', 'wide-by-name.body.items', { length: 1 }),
      claim('no metadata.namespace of cluster-scoped', 'wide-by-namespace.status', { is: 400 }),
    ],
  },
];
