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
const labelled = (labels: Fields): Fields => ({
  template: { metadata: { labels }, spec: { restartPolicy: 'Never', containers } },
});
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
    ['manager-long', { managedBy: `example.com/${'a'.repeat(60)}` }],
    ['indexes', { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0-2' }] } }],
    ['indexes-back', { ...indexed, completions: 9, successPolicy: { rules: [{ succeededIndexes: '3,1' }] } }],
    ['indexes-word', { ...indexed, successPolicy: { rules: [{ succeededIndexes: 'a' }] } }],
    ['indexes-parts', { ...indexed, successPolicy: { rules: [{ succeededIndexes: '1-2-3' }] } }],
    ['succeeded', { ...indexed, successPolicy: { rules: [{ succeededCount: 3 }] } }],
    ['succeeded-of', { ...indexed, successPolicy: { rules: [{ succeededCount: 2, succeededIndexes: '0' }] } }],
    ['more-failed', { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 3 }],
    ['many', { ...indexed, completions: 100_001, backoffLimitPerIndex: 1, parallelism: 10_001 }],
    ['selector', { selector: { matchLabels: { a: 'b' } } }],
    ['selector-flaw', { selector: { matchLabels: { 'a b': 'c d' } } }],
    ['selector-uid', { selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'x' } } }],
    ['manual', { manualSelector: true }],
    ['manual-other', { manualSelector: true, selector: { matchLabels: { a: 'b' } } }],
    ['label-uid', labelled({ 'controller-uid': 'x' })],
    ['label-name', labelled({ 'batch.kubernetes.io/job-name': 'x' })],
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
    ['outside', { clusterIP: '192.0.2.1' }],
    ['network', { clusterIP: '10.0.0.0' }],
    ['everybody', { clusterIP: '10.0.255.255' }],
    ['sixth', { clusterIP: 'fd00::1' }],
    ['sixth-family', { clusterIP: '10.0.0.9', ipFamilies: ['IPv6'] }],
    ['two', { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9', 'fd00::1'] }],
    ['two-alike', { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9', '10.0.0.10'], ipFamilyPolicy: 'PreferDualStack' }],
    ['three', { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9', 'fd00::1', '10.0.0.10'] }],
    ['listed-only', { clusterIPs: ['10.0.0.9'] }],
    ['none-and', { clusterIP: 'None', clusterIPs: ['None', '10.0.0.9'] }],
    ['no-address', { clusterIP: 'x' }],
    ['differs', { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.10'] }],
    ['foreign', { ipFamilies: ['IPv6'] }],
    ['both-families', { ipFamilies: ['IPv4', 'IPv6'] }],
    ['dual', { ipFamilyPolicy: 'RequireDualStack' }],
    ['address-first', { clusterIP: '192.0.2.1', sessionAffinity: 'x', ports: [] }],
    ['fine', { ipFamilyPolicy: 'PreferDualStack', internalTrafficPolicy: 'Local' }],
  ],
};

const aimedAt = (target: Fields): Fields => ({ metric: { name: 'm' }, target });
const measured = (...metrics: Json[]): Fields => ({ metrics });
const cpu = (target: Fields): Fields => ({ type: 'Resource', resource: { name: 'cpu', target } });
const half: Fields = { type: 'Utilization', averageUtilization: 50 };
const behaving = (rules: Fields): Fields => ({ behavior: { scaleUp: rules, scaleDown: rules } });

const autoscalers: Kind = {
  title: 'what autoscalers measure, aim at and how they go',
  path: inNamespace('autoscaling/v2', 'horizontalpodautoscalers'),
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  body: (fields) => ({
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, ...fields },
  }),
  rows: [
    ['replicas', { minReplicas: 0, maxReplicas: -1 }],
    ['no-most', { maxReplicas: 0 }],
    ['fewer', { minReplicas: 5 }],
    ['target', { scaleTargetRef: { apiVersion: 'a/b/c', kind: 'a/b', name: '..' } }],
    ['target-core', { scaleTargetRef: { apiVersion: 'v1', kind: 'Pod', name: 'd' } }],
    ['target-slash', { scaleTargetRef: { apiVersion: '/v1', kind: 'Pod', name: 'd' } }],
    ['no-type', measured({ resource: { name: 'cpu', target: half } })],
    ['unknown-type', measured({ type: 'x' })],
    ['no-source', measured({ type: 'Pods' })],
    ['two-sources', measured({ ...cpu(half), pods: aimedAt({ type: 'AverageValue', averageValue: '1' }) })],
    ['other-source', measured({ type: 'Resource', pods: aimedAt({ type: 'AverageValue', averageValue: '1' }) })],
    ['no-target', measured(cpu({ type: 'Utilization' }))],
    ['target-type', measured(cpu({ type: 'x', averageUtilization: 0 }))],
    ['no-target-type', measured(cpu({ type: '', averageUtilization: 1 }))],
    ['both-targets', measured(cpu({ type: 'Utilization', averageUtilization: 1, averageValue: '1' }))],
    ['zero', measured({ type: 'Pods', pods: aimedAt({ type: 'AverageValue', averageValue: '0' }) })],
    ['no-average', measured({ type: 'Pods', pods: aimedAt({ type: 'Value', value: '-1' }) })],
    ['metric', measured({ type: 'External', external: { metric: { name: 'a/b' }, target: { type: 'Value' } } })],
    ['external', measured({ type: 'External', external: aimedAt({ type: 'Value', value: '1', averageValue: '1' }) })],
    [
      'object',
      measured({ type: 'Object', object: { ...aimedAt({ type: 'Value' }), describedObject: { kind: '', name: '' } } }),
    ],
    [
      'container',
      measured({ type: 'ContainerResource', containerResource: { name: 'x', container: 'A_', target: half } }),
    ],
    [
      'no-container',
      measured({ type: 'ContainerResource', containerResource: { name: '', container: '', target: half } }),
    ],
    ['no-policies', behaving({ policies: [] })],
    ['policy', behaving({ policies: [{ type: 'x', value: 0, periodSeconds: 0 }] })],
    ['period', behaving({ policies: [{ type: 'Pods', value: 1, periodSeconds: 1801 }] })],
    ['window', behaving({ stabilizationWindowSeconds: 3601, selectPolicy: 'x' })],
    ['window-negative', behaving({ stabilizationWindowSeconds: -1 })],
    ['tolerance', behaving({ tolerance: '-1' })],
    ['fine', { ...measured(cpu(half)), ...behaving({ tolerance: '0.1' }) }],
  ],
};

const oldAutoscalers: Kind = {
  ...autoscalers,
  title: 'autoscalers in their first form are judged by what they are stored as',
  path: inNamespace('autoscaling/v1', 'horizontalpodautoscalers'),
  apiVersion: 'autoscaling/v1',
  rows: [
    ['share', { targetCPUUtilizationPercentage: 0 }],
    ['replicas', { minReplicas: 0 }],
    ['target', { scaleTargetRef: { kind: '', name: 'a%b' } }],
    ['fine', { targetCPUUtilizationPercentage: 50 }],
  ],
};

const mounting = (mount: Fields, more: Fields = {}): Fields => ({
  spec: {
    volumes: [{ name: 'v', emptyDir: {} }],
    containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }], ...more }],
  },
});

const mounts: Kind = {
  title: 'how a container mounts a volume',
  path: '/api/v1/namespaces/{{ns}}/pods',
  apiVersion: 'v1',
  kind: 'Pod',
  body: (fields) => fields,
  rows: [
    ['recursion', mounting({ recursiveReadOnly: '' })],
    ['writable', mounting({ recursiveReadOnly: 'Enabled' })],
    ['propagated', mounting({ recursiveReadOnly: 'IfPossible', readOnly: true, mountPropagation: 'HostToContainer' })],
    ['propagation', mounting({ mountPropagation: 'x' })],
    ['both-ways', mounting({ mountPropagation: 'Bidirectional' })],
    ['absolute', mounting({ subPath: '/a' })],
    ['up', mounting({ subPathExpr: 'a/../b' })],
    ['both-paths', mounting({ subPath: 'a', subPathExpr: 'b' })],
    ['device', mounting({}, { volumeDevices: [{ name: 'v', devicePath: '/v' }] })],
    ['fine', mounting({ subPath: 'a/b', mountPropagation: 'None' })],
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
  autoscalers,
  'old-autoscalers': oldAutoscalers,
  mounts,
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
