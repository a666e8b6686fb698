import type { Case, Json } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  define,
  get,
  mergePatch,
  post,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import {
  anyCauses,
  applied,
  deployment,
  deployments,
  entry,
  managersOf,
  podSpecOf,
  service,
  services,
} from './manifests.ts';

const d = `${deployments}/d`;
const podApply = (podSpec: Json): Json => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: { template: { spec: podSpec } },
});
const limited = (cpu: string): Json => ({ name: 'app', image: 'app:1', resources: { limits: { cpu } } });
const stringSecret: Json = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'text' } };
const t = `${thingsPath}/x`;
const textsOf = (type: string): Json => ({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': type });
const keyed: Json = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, v: { type: 'string' } } },
};
const named = (...names: string[]): Json => names.map((name) => ({ name }));

export const builtInListTypes: readonly Case[] = [
  {
    id: 's6-built-in-pod-spec',
    section: 'patch-apply',
    shows: ['API-S6'],
    title: 'the lists of a pod spec: keyed containers, env, ports, volumes; atomic tolerations, args, nodeSelector',
    steps: [
      apply(
        'first',
        applied(d, 'm1'),
        deployment('d', {
          containers: [
            {
              name: 'app',
              image: 'app:1',
              args: ['a'],
              env: [{ name: 'A', value: '1' }],
              ports: [{ containerPort: 80 }],
              volumeMounts: [{ name: 'v', mountPath: '/v' }],
              resources: { limits: { cpu: '1' } },
            },
          ],
          volumes: [{ name: 'v', emptyDir: {} }],
          tolerations: [{ key: 'a', operator: 'Exists' }],
          nodeSelector: { a: '1' },
          imagePullSecrets: [{ name: 'one' }],
          securityContext: { supplementalGroups: [1] },
        }),
      ),
      apply(
        'beside',
        applied(d, 'm2'),
        podApply({
          containers: [
            {
              name: 'app',
              env: [{ name: 'B', value: '2' }],
              ports: [{ containerPort: 80, protocol: 'UDP' }],
              volumeMounts: [{ name: 'v', mountPath: '/w' }],
              resources: { limits: { memory: '1Gi' } },
            },
            { name: 'side', image: 'side:1' },
          ],
          volumes: [{ name: 'w', emptyDir: {} }],
          imagePullSecrets: [{ name: 'two' }],
        }),
      ),
      apply('tolerations', applied(d, 'm2'), podApply({ tolerations: [{ key: 'b', operator: 'Exists' }] })),
      apply('node-selector', applied(d, 'm2'), podApply({ nodeSelector: { b: '2' } })),
      apply('args', applied(d, 'm2'), podApply({ containers: [{ name: 'app', args: ['b'] }] })),
      apply('selector', applied(d, 'm2'), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: { selector: { matchLabels: { app: 'd', more: '1' } } },
      }),
      apply(
        'duplicate-env',
        applied(d, 'm3'),
        podApply({
          containers: [
            {
              name: 'app',
              env: [
                { name: 'C', value: '1' },
                { name: 'C', value: '2' },
              ],
            },
          ],
        }),
      ),
      apply('no-name', applied(d, 'm3'), podApply({ containers: [{ image: 'x' }] })),
      apply('undeclared', applied(d, 'm3'), podApply({ nope: 1 })),
    ],
    claims: [
      claim('merged by key', `${podSpecOf('beside')}.containers`, { length: 2 }),
      claim('env by name', `${podSpecOf('beside')}.containers.0.env`, { length: 2 }),
      claim('ports by containerPort and protocol', `${podSpecOf('beside')}.containers.0.ports`, { length: 2 }),
      claim('limits are a map', `${podSpecOf('beside')}.containers.0.resources.limits`, {
        is: { cpu: '1', memory: '1Gi' },
      }),
      claim('tolerations atomic', 'tolerations.status', { is: 409 }),
      claim('nodeSelector atomic', 'node-selector.status', { is: 409 }),
      claim('args atomic', 'args.status', { is: 409 }),
      claim('a selector is atomic', 'selector.status', { is: 409 }),
      claim('duplicate keys: 500', 'duplicate-env.status', { is: 500 }),
      claim('undeclared: 500', 'undeclared.status', { is: 500 }),
    ],
  },
  {
    id: 's6-built-in-service',
    section: 'patch-apply',
    shows: ['API-S6'],
    title: 'the ports of a Service are keyed by port and protocol, whose default counts',
    steps: [
      apply(
        'first',
        applied(`${services}/s`, 'm1'),
        service('s', { ports: [{ name: 'dns', port: 53 }], selector: { a: '1' }, externalIPs: ['192.0.2.1'] }),
      ),
      apply(
        'default-counts',
        applied(`${services}/s`, 'm2'),
        service('s', { ports: [{ port: 53, protocol: 'TCP', targetPort: 5353 }] }),
      ),
      apply(
        'other-protocol',
        applied(`${services}/s`, 'm3'),
        service('s', { ports: [{ name: 'dns-udp', port: 53, protocol: 'UDP' }] }),
      ),
      apply('selector', applied(`${services}/s`, 'm2'), service('s', { selector: { b: '2' } })),
      apply('conflict', applied(`${services}/s`, 'm2'), service('s', { ports: [{ name: 'other', port: 53 }] })),
      apply('finalizers', applied(`${services}/s`, 'm4'), {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 's', finalizers: ['example.com/a'], labels: { a: '1' } },
      }),
      apply('more-finalizers', applied(`${services}/s`, 'm5'), {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 's', finalizers: ['example.com/b'] },
      }),
      mergePatch('clean', `${services}/s`, { metadata: { finalizers: null } }, { setup: true }),
    ],
    claims: [
      claim('key defaults count', 'default-counts.body.spec.ports', { length: 1 }),
      claim('merged', 'default-counts.body.spec.ports.0.targetPort', { is: 5353 }),
      claim('another protocol is another port', 'other-protocol.body.spec.ports', { length: 2 }),
      claim('the selector is atomic', 'selector.status', { is: 409 }),
      claim('a conflict', 'conflict.body.message', { contains: '.spec.ports[port=53,protocol="TCP"].name' }),
      claim('finalizers a set', 'more-finalizers.body.metadata.finalizers', { is: ['example.com/a', 'example.com/b'] }),
    ],
  },
  {
    id: 's6-built-in-others',
    section: 'patch-apply',
    shows: ['API-S6'],
    title: 'data is a map, rules are atomic, owner references are keyed by uid',
    steps: [
      apply('data', applied(`${configMaps}/x`, 'm1'), configMap('x', { data: { a: '1' }, binaryData: { b: 'YQ==' } })),
      apply('more-data', applied(`${configMaps}/x`, 'm2'), configMap('x', { data: { c: '3' } })),
      apply(
        'owner',
        applied(`${configMaps}/x`, 'm1'),
        configMap('x', {
          metadata: {
            ownerReferences: [
              { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '00000000-0000-4000-8000-000000000001' },
            ],
          },
          data: { a: '1' },
        }),
      ),
      apply(
        'owner-conflict',
        applied(`${configMaps}/x`, 'm2'),
        configMap('x', {
          metadata: {
            ownerReferences: [
              {
                apiVersion: 'v1',
                kind: 'ConfigMap',
                name: 'o',
                uid: '00000000-0000-4000-8000-000000000001',
                controller: true,
              },
            ],
          },
          data: { c: '3' },
        }),
      ),
      apply('role', applied('/apis/rbac.authorization.k8s.io/v1/namespaces/{{ns}}/roles/r', 'm1'), {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'r' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      }),
      apply('rules', applied('/apis/rbac.authorization.k8s.io/v1/namespaces/{{ns}}/roles/r', 'm2'), {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'r' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
      }),
      apply('secret', applied('/api/v1/namespaces/{{ns}}/secrets/s', 'm1'), {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 's' },
        stringData: { a: 'text' },
        data: { b: 'YQ==' },
      }),
      apply('ingress', applied('/apis/networking.k8s.io/v1/namespaces/{{ns}}/ingresses/i', 'm1'), {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'i' },
        spec: {
          defaultBackend: { service: { name: 's', port: { number: 80 } } },
          tls: [{ hosts: ['a.example.com'], secretName: 's' }],
        },
      }),
      apply('job', applied('/apis/batch/v1/namespaces/{{ns}}/jobs/j', 'm1'), {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'j' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
      }),
    ],
    claims: [
      claim('data is granular', 'more-data.body.data', { is: { a: '1', c: '3' } }),
      claim('an owner reference is atomic', 'owner-conflict.status', { is: 409 }),
      claim('rules atomic', 'rules.status', { is: 409 }),
      claim('stringData is owned as it was sent', entry('secret', 0, 'fieldsV1'), {
        is: { 'f:data': { 'f:b': {} }, 'f:stringData': { 'f:a': {} } },
      }),
    ],
  },
  {
    id: 's7-order',
    section: 'patch-apply',
    shows: ['API-S7'],
    title: 'items of the applied list follow its order, the others keep theirs before what follows them there',
    steps: [
      ...define('crd', things({ type: 'object', properties: { set: textsOf('set'), items: keyed } })),
      apply(
        'live',
        applied(t, 'm1'),
        thing('x', { spec: { set: ['a', 'b', 'c', 'd'], items: named('a', 'b', 'c', 'd') } }),
      ),
      apply(
        'applied',
        applied(t, 'm2'),
        thing('x', { spec: { set: ['x', 'd', 'y', 'b'], items: named('x', 'd', 'y', 'b') } }),
      ),
      apply(
        'reversed',
        applied(t, 'm2'),
        thing('x', { spec: { set: ['b', 'y', 'd', 'x'], items: named('b', 'y', 'd', 'x') } }),
      ),
      apply(
        'own-order',
        applied(t, 'm1'),
        thing('x', { spec: { set: ['d', 'c', 'b', 'a'], items: named('d', 'c', 'b', 'a') } }),
      ),
      apply('only-new', applied(t, 'm3'), thing('x', { spec: { set: ['q', 'r'], items: named('q', 'r') } })),
      apply('removed', applied(t, 'm1'), thing('x', { spec: { set: ['a'], items: named('a') } })),
      apply(
        'deployment',
        applied(d, 'm1'),
        deployment('d', { containers: ['a', 'b', 'c', 'd'].map((name) => ({ name, image: 'i' })) }),
        { setup: true },
      ),
      apply(
        'containers',
        applied(d, 'm2'),
        podApply({ containers: ['x', 'd', 'y', 'b'].map((name) => ({ name, image: 'i' })) }),
      ),
    ],
    claims: [
      claim('a c x d y b', 'applied.body.spec.set', { is: ['a', 'c', 'x', 'd', 'y', 'b'] }),
      claim('items as well', 'applied.body.spec.items', { is: named('a', 'c', 'x', 'd', 'y', 'b') }),
      claim('containers as well', `${podSpecOf('containers')}.containers.2.name`, { is: 'x' }),
      ...['a', 'c', 'x', 'd', 'y', 'b'].map((name, index) =>
        claim(`${name} is number ${index}`, `${podSpecOf('containers')}.containers.${index}.name`, { is: name }),
      ),
    ],
  },
  {
    id: 's7-normalised-values',
    section: 'patch-apply',
    shows: ['API-S7'],
    title: 'what decoding writes in another way is compared as it is stored',
    steps: [
      apply('first', applied(d, 'm1'), deployment('d', { containers: [limited('1000m')] })),
      apply('again', applied(d, 'm1'), deployment('d', { containers: [limited('1000m')] })),
      apply('stored-form', applied(d, 'm2'), podApply({ containers: [limited('1')] })),
      apply('other-form', applied(d, 'm3'), podApply({ containers: [limited('1000m')] }), anyCauses),
      apply('other-value', applied(d, 'm3'), podApply({ containers: [limited('2')] }), anyCauses),
      apply('secret', applied('/api/v1/namespaces/{{ns}}/secrets/s', 'm1'), stringSecret),
      apply('secret-again', applied('/api/v1/namespaces/{{ns}}/secrets/s', 'm1'), stringSecret),
      apply(
        'empty-text',
        applied(`${configMaps}/x`, 'm1'),
        configMap('x', { metadata: { annotations: { a: '' } }, data: { k: '' } }),
      ),
      apply(
        'empty-list',
        applied(`${configMaps}/x`, 'm1'),
        configMap('x', { metadata: { finalizers: [] }, data: { k: '' } }),
      ),
    ],
    claims: [
      claim('stored in its own form', `${podSpecOf('first')}.containers.0.resources.limits.cpu`, { is: '1' }),
      claim('again: same RV', 'again.body.metadata.resourceVersion', { sameAs: 'first.body.metadata.resourceVersion' }),
      claim('the stored form is shared', 'stored-form.status', { is: 200 }),
      claim('another form is another value', 'other-form.status', { is: 409 }),
      claim('another value is a conflict', 'other-value.status', { is: 409 }),
    ],
  },
  {
    id: 's7-no-op',
    section: 'patch-apply',
    shows: ['API-S7', 'API-C10'],
    title: 'an apply that changes nothing keeps the version, and so do its neighbours',
    steps: [
      apply('first', applied(`${configMaps}/x`, 'm1'), configMap('x', { data: { a: '1' } })),
      apply('again', applied(`${configMaps}/x`, 'm1'), configMap('x', { data: { a: '1' } })),
      mergePatch('other', `${configMaps}/x?fieldManager=m2`, { data: { b: '2' } }),
      apply('after-other', applied(`${configMaps}/x`, 'm1'), configMap('x', { data: { a: '1' } })),
      apply('deployment', applied(d, 'm1'), deployment('d')),
      apply('deployment-again', applied(d, 'm1'), deployment('d')),
      apply('shared', applied(`${configMaps}/x`, 'm3'), configMap('x', { data: { a: '1' } })),
      apply('shared-again', applied(`${configMaps}/x`, 'm3'), configMap('x', { data: { a: '1' } })),
      ...define(
        'crd',
        things({ type: 'object', properties: { n: { type: 'integer' }, defaulted: { type: 'string', default: 'd' } } }),
      ),
      apply('custom', applied(t, 'm1'), thing('x', { spec: { n: 1 } })),
      apply('custom-again', applied(t, 'm1'), thing('x', { spec: { n: 1 } })),
      get('end', `${configMaps}/x`),
    ],
    claims: [
      claim('same RV', 'again.body.metadata.resourceVersion', { sameAs: 'first.body.metadata.resourceVersion' }),
      claim('after another’s write', 'after-other.body.metadata.resourceVersion', {
        sameAs: 'other.body.metadata.resourceVersion',
      }),
      claim('of a Deployment', 'deployment-again.body.metadata.resourceVersion', {
        sameAs: 'deployment.body.metadata.resourceVersion',
      }),
      claim('of a custom resource', 'custom-again.body.metadata.resourceVersion', {
        sameAs: 'custom.body.metadata.resourceVersion',
      }),
      claim('a new owner is a change', 'shared.body.metadata.resourceVersion', {
        greaterThan: 'other.body.metadata.resourceVersion',
      }),
      claim('an entry made by an apply that changed no value has no time', entry('shared', 0, 'time'), {
        present: false,
      }),
      claim('and sorts first', entry('shared', 0, 'manager'), { is: 'm3' }),
      claim('the other has one', managersOf('shared'), { length: 3 }),
      claim('it stays so', 'shared-again.body.metadata.resourceVersion', {
        sameAs: 'shared.body.metadata.resourceVersion',
      }),
    ],
  },
  {
    id: 's7-times',
    section: 'patch-apply',
    shows: ['API-S7'],
    title: 'an entry’s time moves when its manager changes a value',
    steps: [
      post('create', `${configMaps}?fieldManager=m0`, configMap('x', { data: { z: '0' } }), { setup: true }),
      apply('first', applied(`${configMaps}/x`, 'm1'), configMap('x', { data: { a: '1' } })),
      { do: 'pause', ms: 1100, because: 'times have whole seconds' },
      apply('again', applied(`${configMaps}/x`, 'm1'), configMap('x', { data: { a: '1' } })),
      apply('set-grows', applied(`${configMaps}/x`, 'm1'), configMap('x', { data: { a: '1', z: '0' } })),
      apply('set-shrinks', applied(`${configMaps}/x`, 'm1'), configMap('x', { data: { a: '1' } })),
      mergePatch('beside', `${configMaps}/x?fieldManager=m2`, { data: { c: '3' } }),
      apply('value', applied(`${configMaps}/x`, 'm1'), configMap('x', { data: { a: '2' } })),
      { do: 'pause', ms: 1100, because: 'times have whole seconds' },
      mergePatch('taken', `${configMaps}/x?fieldManager=m2`, { data: { a: '3' } }),
      mergePatch('update-no-change', `${configMaps}/x?fieldManager=m2`, { data: { a: '3' } }),
      apply('forced', applied(`${configMaps}/x`, 'm1', 'force=true'), configMap('x', { data: { a: '4' } })),
    ],
    claims: [
      claim('no change, same time', entry('again', 0, 'time'), { sameAs: entry('first', 0, 'time') }),
      claim('a set that grows without a value changed does not move it', entry('set-grows', 0, 'time'), {
        sameAs: entry('first', 0, 'time'),
      }),
      claim('nor one that shrinks so', entry('set-shrinks', 0, 'time'), { sameAs: entry('first', 0, 'time') }),
      claim('nor another’s write', entry('beside', 0, 'time'), { sameAs: entry('first', 0, 'time') }),
      claim('a value does', entry('value', 0, 'time'), { differsFrom: entry('first', 0, 'time') }),
      claim('an update’s too', entry('taken', -1, 'time'), { differsFrom: entry('beside', -1, 'time') }),
    ],
  },
];
