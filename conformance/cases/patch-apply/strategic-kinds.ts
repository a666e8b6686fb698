import type { Case } from '../../src/case.ts';
import { claim, define, post, strategicPatch, thing, things, thingsPath } from '../../src/steps.ts';
import { deployment, deployments, podPatch, podSpecOf } from './manifests.ts';

const d = `${deployments}/d`;
const names = (step: string, list: string, ...more: string[]): string => [podSpecOf(step), list, ...more].join('.');

export const strategicKinds: readonly Case[] = [
  {
    id: 'p4-atomic-lists',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: 'tolerations are atomic, and so are lists without a key; other keyed lists have their own keys',
    steps: [
      post(
        'create',
        deployments,
        deployment('d', {
          tolerations: [{ key: 'a', operator: 'Exists' }],
          imagePullSecrets: [{ name: 'one' }],
          hostAliases: [{ ip: '10.0.0.1', hostnames: ['a'] }],
          topologySpreadConstraints: [{ topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' }],
          nodeSelector: { a: '1' },
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'Exists' }] }],
              },
            },
          },
        }),
      ),
      strategicPatch('tolerations', d, podPatch({ tolerations: [{ key: 'b', operator: 'Exists' }] })),
      strategicPatch('pull-secrets', d, podPatch({ imagePullSecrets: [{ name: 'two' }] })),
      strategicPatch(
        'aliases',
        d,
        podPatch({
          hostAliases: [
            { ip: '10.0.0.1', hostnames: ['b'] },
            { ip: '10.0.0.2', hostnames: ['c'] },
          ],
        }),
      ),
      strategicPatch('spread', d, podPatch({ topologySpreadConstraints: [{ topologyKey: 'zone', maxSkew: 2 }] })),
      strategicPatch('node-selector', d, podPatch({ nodeSelector: { b: '2' } })),
      strategicPatch(
        'terms',
        d,
        podPatch({
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'l', operator: 'Exists' }] }],
              },
            },
          },
        }),
      ),
      post('create-account', '/api/v1/namespaces/{{ns}}/serviceaccounts', {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'sa' },
        secrets: [{ name: 's1' }],
        imagePullSecrets: [{ name: 'p1' }],
      }),
      strategicPatch('account', '/api/v1/namespaces/{{ns}}/serviceaccounts/sa', {
        secrets: [{ name: 's2' }],
        imagePullSecrets: [{ name: 'p2' }],
      }),
      post('create-role', '/apis/rbac.authorization.k8s.io/v1/namespaces/{{ns}}/roles', {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'r' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      }),
      strategicPatch('role', '/apis/rbac.authorization.k8s.io/v1/namespaces/{{ns}}/roles/r', {
        rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
      }),
    ],
    claims: [
      claim('tolerations atomic', names('tolerations', 'tolerations'), { is: [{ key: 'b', operator: 'Exists' }] }),
      claim('imagePullSecrets by name', names('pull-secrets', 'imagePullSecrets'), { length: 2 }),
      claim('hostAliases by ip', names('aliases', 'hostAliases'), {
        is: [
          { ip: '10.0.0.1', hostnames: ['b'] },
          { ip: '10.0.0.2', hostnames: ['c'] },
        ],
      }),
      claim('spread by topologyKey', names('spread', 'topologySpreadConstraints'), {
        is: [{ topologyKey: 'zone', maxSkew: 2, whenUnsatisfiable: 'ScheduleAnyway' }],
      }),
      claim('maps merge', names('node-selector', 'nodeSelector'), { is: { a: '1', b: '2' } }),
      claim('rules are replaced', 'role.body.rules', { length: 1 }),
    ],
  },
  {
    id: 'p4-nodes-webhooks',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: 'webhooks are merged by name; taints of a node are replaced, its addresses merged by type',
    steps: [
      post(
        'create-node',
        '/api/v1/nodes',
        {
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name: '{{id}}-n' },
          spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
        },
        { setup: true },
      ),
      strategicPatch(
        'taints',
        '/api/v1/nodes/{{id}}-n',
        { spec: { taints: [{ key: 'b', effect: 'NoSchedule' }] } },
        { only: ['status', 'body.spec'], because: 'what the server adds to a node is not the point' },
      ),
      strategicPatch(
        'pod-cidrs',
        '/api/v1/nodes/{{id}}-n',
        { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } },
        { only: ['status', 'body.spec'], because: 'as above' },
      ),
      strategicPatch(
        'addresses',
        '/api/v1/nodes/{{id}}-n/status',
        {
          status: {
            addresses: [
              { type: 'Hostname', address: 'h' },
              { type: 'InternalIP', address: '10.0.0.1' },
            ],
          },
        },
        { only: ['status', 'body.status.addresses'], because: 'as above' },
      ),
      strategicPatch(
        'address',
        '/api/v1/nodes/{{id}}-n/status',
        { status: { addresses: [{ type: 'Hostname', address: 'i' }] } },
        { only: ['status', 'body.status.addresses'], because: 'as above' },
      ),
      post(
        'create-webhooks',
        '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingWebhookConfiguration',
          metadata: { name: '{{id}}-w' },
          webhooks: ['one', 'two'].map((name) => ({
            name: `${name}.example.com`,
            clientConfig: { url: 'https://localhost:1/none' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'no-such-namespace' } },
            rules: [],
          })),
        },
        { setup: true },
      ),
      strategicPatch('webhook', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/{{id}}-w', {
        webhooks: [{ name: 'two.example.com', timeoutSeconds: 5 }],
      }),
      strategicPatch('webhook-gone', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/{{id}}-w', {
        webhooks: [{ $patch: 'delete', name: 'one.example.com' }],
      }),
    ],
    claims: [
      claim('the new taint', 'taints.body.spec.taints.0.key', { is: 'b' }),
      claim('addresses by type', 'address.body.status.addresses', { length: 2 }),
      claim('merged', 'address.body.status.addresses', { contains: { type: 'Hostname', address: 'i' } }),
      claim('webhooks by name', 'webhook.body.webhooks', { length: 2 }),
      claim('merged', 'webhook.body.webhooks.1.timeoutSeconds', { is: 5 }),
      claim('deleted by name', 'webhook-gone.body.webhooks', { length: 1 }),
    ],
  },
  {
    id: 'p4-custom-resource',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: 'a custom resource takes no strategic merge patch',
    steps: [
      ...define('crd', things({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })),
      post('create', thingsPath, thing('x', { spec: { n: 1 } })),
      strategicPatch('refused', `${thingsPath}/x`, { spec: { n: 2 } }),
      strategicPatch('missing', `${thingsPath}/none`, { spec: { n: 2 } }),
      strategicPatch(
        'definition',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.{{group}}',
        { metadata: { labels: { a: '1' } } },
        { only: ['status', 'body.metadata.labels'], because: 'a definition is another statement’s' },
      ),
    ],
    claims: [
      claim('415', 'refused.status', { is: 415 }),
      claim('before it is looked for', 'missing.status', { is: 415 }),
      claim('the definition itself is a built-in', 'definition.status', { is: 200 }),
    ],
  },
];
