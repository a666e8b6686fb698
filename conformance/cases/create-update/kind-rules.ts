// What an author gets wrong in kinds other than Pods: Jobs, selectors, Services, networks, budgets, roles, webhooks, definitions.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, post } from '../../src/steps.ts';
import { inNamespace } from './manifests.ts';

type Fields = { readonly [key: string]: Json };
type Row = readonly [step: string, fields: Fields];

interface Kind {
  readonly title: string;
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** The object but for what all have. */
  readonly body: (fields: Fields) => Fields;
  readonly rows: readonly Row[];
}

const containers = [{ name: 'c', image: 'example.com/c:1' }];
const ended = { template: { spec: { restartPolicy: 'Never', containers } } };
const onExit = (more: Fields): Fields => ({
  podFailurePolicy: { rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [1], ...more } }] },
});
const rule = (more: Fields): Fields => ({ podFailurePolicy: { rules: [more] } });
const indexed = { completionMode: 'Indexed', completions: 2 };
const exit = { onExitCodes: { operator: 'In', values: [1] } };

const jobs: Kind = {
  title: 'when a Job has failed, who has done what, and what is counted',
  path: inNamespace('batch/v1', 'jobs'),
  apiVersion: 'batch/v1',
  kind: 'Job',
  body: (fields) => ({ spec: { ...ended, ...fields } }),
  rows: [
    ['mode', { completionMode: '-' }],
    ['action', rule({ action: 'x' })],
    ['nothing', rule({})],
    ['both', rule({ action: 'Count', ...exit, onPodConditions: [{ type: 'a', status: 'True' }] })],
    ['index', rule({ action: 'FailIndex', ...exit })],
    ['zero', onExit({ values: [0] })],
    ['operator', onExit({ operator: 'X' })],
    ['no-operator', onExit({ operator: '' })],
    ['no-codes', onExit({ values: [] })],
    ['order', onExit({ values: [2, 1] })],
    ['twice', onExit({ values: [1, 1] })],
    ['container', onExit({ containerName: 'zz' })],
    ['many-codes', onExit({ values: Array.from({ length: 256 }, (_, index) => index + 1) })],
    ['condition', rule({ action: 'Ignore', onPodConditions: [{ type: 'a b', status: 'x' }] })],
    [
      'restarts',
      { ...rule({ action: 'Count', ...exit }), template: { spec: { restartPolicy: 'OnFailure', containers } } },
    ],
    ['per-index', { backoffLimitPerIndex: 1 }],
    ['per-index-negative', { ...indexed, backoffLimitPerIndex: -1 }],
    ['failed-indexes', { maxFailedIndexes: 1 }],
    ['replacement', { podReplacementPolicy: 'x' }],
    ['manager', { managedBy: 'x' }],
    ['success', { successPolicy: {} }],
    ['success-of-nothing', { ...indexed, successPolicy: { rules: [{}] } }],
    ['parallel', { ...indexed, parallelism: 200_000 }],
    ['fine', { ...onExit({}), managedBy: 'example.com/me' }],
  ],
};

const selecting = (selector: Json, labels: Fields = { a: 'b' }): Fields => ({
  spec: { selector, template: { metadata: { labels }, spec: { containers } } },
});

const deployments: Kind = {
  title: 'selectors, and the labels of templates',
  path: inNamespace('apps/v1', 'deployments'),
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  body: ({ selector = {}, labels }) => selecting(selector, labels as Fields | undefined),
  rows: [
    ['labels', { selector: { matchLabels: { 'a b': 'c d' } } }],
    ['no-values', { selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }],
    ['operator', { selector: { matchExpressions: [{ key: 'a', operator: 'X', values: ['b'] }] } }],
    ['other', { selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['c'] }] } }],
    ['empty', { selector: {} }],
    ['template', { selector: { matchLabels: { a: 'b' } }, labels: { a: 'b', 'c d': 'e', f: 'g h' } }],
    ['fine', { selector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } }],
  ],
};

const services: Kind = {
  title: 'families of addresses, and what only load balancers have',
  path: '/api/v1/namespaces/{{ns}}/services',
  apiVersion: 'v1',
  kind: 'Service',
  body: (fields) => ({ spec: { ports: [{ port: 80 }], ...fields } }),
  rows: [
    ['policy', { ipFamilyPolicy: '-' }],
    ['family', { ipFamilies: ['x'] }],
    ['family-twice', { ipFamilies: ['IPv4', 'IPv4'] }],
    ['inside', { internalTrafficPolicy: 'x' }],
    ['spread', { trafficDistribution: 'x' }],
    ['class', { loadBalancerClass: 'x' }],
    ['class-name', { type: 'LoadBalancer', loadBalancerClass: 'a b' }],
    ['node-ports', { allocateLoadBalancerNodePorts: true }],
    ['fine', { ipFamilyPolicy: 'PreferDualStack', internalTrafficPolicy: 'Local' }],
  ],
};

const ports = (...list: Fields[]): Fields => ({ ingress: [{ ports: list }] });
const from = (peer: Fields): Fields => ({ ingress: [{ from: [peer] }] });

const policies: Kind = {
  title: 'ports and peers of NetworkPolicies',
  path: inNamespace('networking.k8s.io/v1', 'networkpolicies'),
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  body: (fields) => ({ spec: { podSelector: {}, ...fields } }),
  rows: [
    ['selector', { podSelector: { matchLabels: { a: 'b c' } } }],
    ['port', ports({ port: 'A_' }, { port: 0 })],
    ['protocol', ports({ protocol: 'x' })],
    ['range', ports({ port: 80, endPort: 70 }, { endPort: 70 })],
    ['peer', from({})],
    ['block', from({ ipBlock: { cidr: 'x' } })],
    ['except', from({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/8', 'x'] } })],
    ['both', from({ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} })],
    ['types', { policyTypes: ['x'] }],
    ['fine', from({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } })],
  ],
};

const service = { service: { name: 's', port: { number: 80 } } };
const path = (entry: Fields): Fields => ({ rules: [{ http: { paths: [entry] } }] });
const exact = (text: string): Fields => path({ path: text, pathType: 'Exact', backend: service });

const ingresses: Kind = {
  title: 'hosts, paths and backends of Ingresses',
  path: inNamespace('networking.k8s.io/v1', 'ingresses'),
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  body: (fields) => ({ spec: fields }),
  rows: [
    ['relative', exact('x')],
    ['slashes', exact('/a//b')],
    ['up', exact('/a/../b')],
    ['end', exact('/a/..')],
    ['type', path({ path: '/x', pathType: 'q', backend: service })],
    ['no-backend', path({ path: '/x', pathType: 'Exact', backend: {} })],
    ['service', path({ path: '/x', pathType: 'Exact', backend: { service: { name: 'A_', port: {} } } })],
    [
      'port',
      path({ path: '/x', pathType: 'Exact', backend: { service: { name: 's', port: { number: 1, name: 'x' } } } }),
    ],
    ['host', { rules: [{ host: 'A_' }] }],
    ['address', { rules: [{ host: '1.2.3.4' }] }],
    ['default', { defaultBackend: {} }],
    ['two', { defaultBackend: { ...service, resource: { kind: 'x', name: 'y' } } }],
    ['class', { defaultBackend: service, ingressClassName: 'A_' }],
    ['tls', { defaultBackend: service, tls: [{ hosts: ['A_'] }] }],
    [
      'fine',
      { rules: [{ host: '*.example.com', http: { paths: [{ pathType: 'Prefix', path: '/', backend: service }] } }] },
    ],
  ],
};

const budgets: Kind = {
  title: 'amounts of PodDisruptionBudgets',
  path: inNamespace('policy/v1', 'poddisruptionbudgets'),
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  body: (fields) => ({ spec: fields }),
  rows: [
    ['both', { minAvailable: 1, maxUnavailable: 1 }],
    ['word', { minAvailable: 'x' }],
    ['negative', { maxUnavailable: -1 }],
    ['more-than-all', { minAvailable: '101%' }],
    ['selector', { selector: { matchLabels: { a: 'b c' } } }],
    ['policy', { unhealthyPodEvictionPolicy: 'x' }],
    ['fine', { minAvailable: '50%' }],
  ],
};

const roles: Kind = {
  title: 'selectors of aggregated roles',
  path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  body: (selector) => ({ aggregationRule: { clusterRoleSelectors: [selector] } }),
  rows: [
    ['value', { matchLabels: { a: '\u0000' } }],
    ['no-values', { matchExpressions: [{ key: 'k', operator: 'In' }] }],
    ['all', { matchExpressions: [{ key: 'k k', operator: 'x', values: ['v v'] }] }],
    ['fine', { matchLabels: { a: 'b' } }],
  ],
};

const urls: readonly (readonly [step: string, url: string])[] = [
  ['brace', 'https://}127.0.0.1:1/x'],
  ['space', 'https://a b/x'],
  ['bracket', 'https://[::1/x'],
  ['port', 'https://x:port/'],
  ['escape', 'https://x/%zz'],
  ['escaped-host', 'https://%41/'],
  ['control', 'https://a\tb/'],
  ['no-scheme', ':'],
  ['percent', '%'],
  ['digit', '1https://x'],
  ['fine', 'https://[::1]:443/x%20y'],
];

const webhooks: Kind = {
  title: 'addresses of webhooks',
  path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  body: (clientConfig) => ({
    webhooks: [{ name: 'a.b.c', admissionReviewVersions: ['v1'], sideEffects: 'None', clientConfig, rules: [] }],
  }),
  rows: urls.map(([step, url]) => [step, { url }]),
};

const kinds: Readonly<Record<string, Kind>> = {
  jobs,
  deployments,
  services,
  policies,
  ingresses,
  budgets,
  roles,
  webhooks,
};

const named = ({ apiVersion, kind, body }: Kind, fields: Fields): Json => ({
  apiVersion,
  kind,
  metadata: { name: '{{id}}' },
  ...body(fields),
});

const because = 'what is taken is compared elsewhere';

export const kindRules: readonly Case[] = Object.entries(kinds).map(([name, kind]) => ({
  id: `c16-wrong-${name}`,
  section: 'create-update',
  shows: ['API-C16'],
  title: `${kind.title}: each flaw is told by its place`,
  steps: kind.rows.map(([step, fields]): Step => {
    const tried = post(step, `${kind.path}?dryRun=All`, named(kind, fields));
    return step === 'fine' ? { ...tried, only: ['status'], because } : tried;
  }),
  claims: kind.rows.map(([step]) => claim(step, `${step}.status`, { is: step === 'fine' ? 201 : 422 })),
}));
