// The kinds that random requests are about, and what may be in their objects.
import fc from 'fast-check';
import type { Json } from '../case.ts';

interface Sort {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly fields: fc.Arbitrary<object>;
  /** One place in it, for JSON patches, and a value that fits there. */
  readonly place: { readonly path: string; readonly value: Json };
}

const letter = fc.constantFrom('a', 'b', 'c');
const dictionary = (values: fc.Arbitrary<unknown>, maxKeys: number): fc.Arbitrary<object> =>
  fc.dictionary(letter, values, { maxKeys, noNullPrototype: true });
const labels = dictionary(fc.constantFrom('1', '2'), 2);
const some = fc.record as (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.Arbitrary<object>;
/** Each field may be missing. */
const maybe = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> =>
  fc.record(fields, { requiredKeys: [] });
const named = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> =>
  fc.record({ name: letter, ...fields }, { requiredKeys: ['name'] });
const listOf = (entries: fc.Arbitrary<object>, maxLength: number): fc.Arbitrary<object[]> =>
  fc.uniqueArray(entries, { selector: (entry) => (entry as { name?: string }).name, maxLength });

const item = named({ port: fc.integer({ min: 1, max: 3 }), note: fc.constantFrom('x', 'y') });
const thingSpec = maybe({
  n: fc.integer({ min: -1, max: 4 }),
  text: fc.constantFrom('', 'x', 'yy'),
  map: dictionary(fc.integer({ min: 0, max: 2 }), 2),
  items: listOf(item, 3),
  set: fc.uniqueArray(letter, { maxLength: 3 }),
  atomic: fc.array(letter, { maxLength: 3 }),
  unknown: fc.boolean(),
});

const base64 = fc.constantFrom('', 'YQ==', 'AAEC/w==');
const quantity = fc.constantFrom('100m', '1', '1500m', '2Gi', '0.5', '1e3');
const amounts = fc.record({ cpu: quantity, memory: quantity }, { requiredKeys: [] });
const numberOrShare = fc.oneof(fc.integer({ min: -1, max: 3 }), fc.constantFrom('0%', '50%', 'half'));
const selector = maybe({
  matchLabels: labels,
  matchExpressions: fc.array(
    some({
      key: letter,
      operator: fc.constantFrom('In', 'Exists', 'NotIn'),
      values: fc.array(fc.constantFrom('1', '2'), { maxLength: 2 }),
    }),
    { maxLength: 1 },
  ),
});
const microTime = fc.constantFrom('2024-01-02T03:04:05.000006Z', '2024-01-02T03:04:05.100000Z');

const container = fc.record(
  {
    name: letter,
    image: fc.constantFrom('a', 'a:1', 'a:latest'),
    ports: fc.uniqueArray(
      fc.record(
        { containerPort: fc.integer({ min: 0, max: 2 }), protocol: fc.constantFrom('TCP', 'UDP') },
        { requiredKeys: ['containerPort'] },
      ),
      { selector: ({ containerPort }) => containerPort, maxLength: 2 },
    ),
    env: listOf(named({ value: fc.constantFrom('', '1') }), 2),
    resources: maybe({ limits: amounts, requests: amounts }),
    livenessProbe: maybe({
      httpGet: fc.record({ port: fc.oneof(fc.constant(80), fc.constant('http')), path: fc.constant('/') }),
      periodSeconds: fc.integer({ min: 0, max: 3 }),
    }),
    securityContext: maybe({ privileged: fc.boolean(), runAsUser: fc.integer({ min: 0, max: 1 }) }),
  },
  { requiredKeys: ['name', 'image'] },
);
const deploymentSpec = fc.record(
  {
    replicas: fc.integer({ min: -1, max: 2 }),
    selector: fc.constant({ matchLabels: { a: '1' } }),
    template: fc.record({
      metadata: fc.record({ labels: fc.constantFrom({ a: '1' }, { a: '1', b: '2' }, { a: '2' }) }),
      spec: fc.record(
        {
          containers: listOf(container, 2),
          terminationGracePeriodSeconds: fc.integer({ min: 0, max: 1 }),
          nodeSelector: labels,
          hostNetwork: fc.boolean(),
        },
        { requiredKeys: ['containers'] },
      ),
    }),
    strategy: maybe({
      type: fc.constantFrom('Recreate', 'RollingUpdate'),
      rollingUpdate: maybe({ maxSurge: numberOrShare, maxUnavailable: numberOrShare }),
    }),
    minReadySeconds: fc.integer({ min: 0, max: 1 }),
    paused: fc.boolean(),
  },
  { requiredKeys: ['selector', 'template'] },
);

const servicePort = fc.record(
  {
    port: fc.integer({ min: 1, max: 2 }),
    name: letter,
    protocol: fc.constantFrom('TCP', 'UDP'),
    targetPort: fc.oneof(fc.integer({ min: 1, max: 2 }), letter),
    appProtocol: letter,
  },
  { requiredKeys: ['port'] },
);
// Without an address: which one a server gives is its own affair.
const serviceSpec = fc.oneof(
  fc.record(
    { clusterIP: fc.constant('None'), ports: listOf(servicePort, 2), selector: labels },
    { requiredKeys: ['clusterIP'] },
  ),
  fc.record({ type: fc.constant('ExternalName'), externalName: fc.constantFrom('a.example.com', '', 'A') }),
);

const specOf = (spec: fc.Arbitrary<object>): fc.Arbitrary<object> => fc.record({ spec });
const namespaced = (root: string, plural: string): string => `${root}/namespaces/{{ns}}/${plural}`;

export const targets = {
  configmaps: {
    path: namespaced('/api/v1', 'configmaps'),
    apiVersion: 'v1',
    kind: 'ConfigMap',
    fields: maybe({ data: dictionary(fc.constantFrom('1', '2', ''), 3) }),
    place: { path: '/data/a', value: '2' },
  },
  things: {
    path: namespaced('/apis/{{group}}/v1', 'things'),
    apiVersion: '{{group}}/v1',
    kind: 'Thing',
    fields: specOf(thingSpec),
    place: { path: '/spec/n', value: 3 },
  },
  secrets: {
    path: namespaced('/api/v1', 'secrets'),
    apiVersion: 'v1',
    kind: 'Secret',
    fields: maybe({
      data: dictionary(base64, 2),
      stringData: dictionary(fc.constantFrom('', 'x'), 2),
      type: fc.constantFrom('Opaque', 'example.com/t', 'kubernetes.io/basic-auth'),
      immutable: fc.boolean(),
    }),
    place: { path: '/data/a', value: 'Yg==' },
  },
  leases: {
    path: namespaced('/apis/coordination.k8s.io/v1', 'leases'),
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    fields: maybe({
      spec: maybe({
        holderIdentity: fc.constantFrom('', 'x'),
        leaseDurationSeconds: fc.integer({ min: 0, max: 2 }),
        leaseTransitions: fc.integer({ min: -1, max: 1 }),
        acquireTime: microTime,
        renewTime: microTime,
      }),
    }),
    place: { path: '/spec/leaseDurationSeconds', value: 7 },
  },
  deployments: {
    path: namespaced('/apis/apps/v1', 'deployments'),
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    fields: specOf(deploymentSpec),
    place: { path: '/spec/replicas', value: 3 },
  },
  poddisruptionbudgets: {
    path: namespaced('/apis/policy/v1', 'poddisruptionbudgets'),
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    // Not both: the refusal quotes structs of the real server's memory.
    fields: specOf(
      maybe({
        maxUnavailable: numberOrShare,
        selector,
        unhealthyPodEvictionPolicy: fc.constantFrom('AlwaysAllow', 'IfHealthyBudget', 'Never'),
      }),
    ),
    place: { path: '/spec/unhealthyPodEvictionPolicy', value: 'AlwaysAllow' },
  },
  services: {
    path: namespaced('/api/v1', 'services'),
    apiVersion: 'v1',
    kind: 'Service',
    fields: specOf(serviceSpec),
    place: { path: '/spec/sessionAffinity', value: 'ClientIP' },
  },
  limitranges: {
    path: namespaced('/api/v1', 'limitranges'),
    apiVersion: 'v1',
    kind: 'LimitRange',
    fields: specOf(
      fc.record({
        limits: fc.array(
          fc.record(
            { type: fc.constantFrom('Container', 'Pod'), max: amounts, min: amounts, default: amounts },
            { requiredKeys: ['type'] },
          ),
          { maxLength: 2 },
        ),
      }),
    ),
    place: { path: '/spec/limits', value: [] },
  },
} as const satisfies Readonly<Record<string, Sort>>;

export type Target = keyof typeof targets;
