import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { factsFile, factsFolder, formatFacts, readFacts, referencesOf, type SchemaFact } from './facts.ts';
import { workspace } from './outputs.ts';
import { heldByApi, shortName } from './type-names.ts';

const facts = readFacts();
const components = new Map(facts.flatMap((one) => Object.entries(one.components)));
const resources = facts.flatMap(({ resources: own, group, version }) =>
  own.map((resource) => ({ ...resource, group, version })),
);

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const next of Object.values(value)) yield* textsIn(next);
}

function* schemasIn(schema: SchemaFact): Generator<SchemaFact> {
  yield schema;
  const below = [schema.items, schema.additionalProperties, ...(schema.oneOf ?? [])];
  for (const next of [...below, ...Object.values(schema.properties ?? {})])
    if (next !== undefined) yield* schemasIn(next);
}

describe('the facts', () => {
  test('hold no prose: no text has a blank, no schema a description', () => {
    const texts = [...textsIn(facts)];
    expect(texts.length).toBeGreaterThan(5000);
    expect(texts.filter((text) => /\s/.test(text) || text.length > 120)).toEqual([]);
    const schemas = [...components.values()].flatMap((schema) => [...schemasIn(schema)]);
    expect(schemas.filter((schema) => 'description' in schema)).toEqual([]);
  });

  test('list as many kinds as the paths of the documents do', () => {
    for (const { group, version, listed, resources: own } of facts) {
      const lists = own.filter(({ verbs }) => verbs.includes('list'));
      expect({ group, version, lists: lists.length }).toEqual({ group, version, lists: listed });
    }
    expect(facts.reduce((sum, { listed }) => sum + listed, 0)).toBe(88);
  });

  test('hold each component once, and every reference leads to one', () => {
    const names = facts.flatMap((one) => Object.keys(one.components));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const schema of components.values()) {
      for (const name of referencesOf(schema)) expect(components.has(name)).toBe(true);
    }
  });

  test('hold nothing that no kind leads to, but what requests and answers are made of', () => {
    const used = new Set(
      facts.flatMap(({ resources: own, spoken }) => [...own, ...spoken]).map((one) => one.component),
    );
    for (const name of used) for (const next of referencesOf(components.get(name) ?? {})) used.add(next);
    const roots = [...components.keys()].filter((name) => !used.has(name));
    const apart = new Set(roots.flatMap((name) => [...referencesOf(components.get(name) ?? {})]));
    expect(
      roots
        .filter((name) => !apart.has(name))
        .map(shortName)
        .toSorted(),
    ).toEqual(['APIGroupList', 'APIResourceList', 'APIVersions', 'Status', 'WatchEvent']);
  });

  test('stand one line per kind and component, as the extractor writes them', () => {
    for (const one of facts) {
      const text = readFileSync(resolve(factsFolder, factsFile(one)), 'utf8');
      expect(text).toBe(formatFacts(one));
      for (const name of Object.keys(one.components)) expect(text).toContain(`\n${JSON.stringify(name)}:{`);
    }
  });

  test('kilter/api has every field of the components it holds', () => {
    const source = readFileSync(resolve(workspace, 'packages/kilter/src/kind/object.ts'), 'utf8');
    const missing = Object.entries(heldByApi).flatMap(([component, name]) => {
      const body = new RegExp(`interface ${name} \\{([^}]*)\\}`).exec(source)?.[1] ?? '';
      const fields = Object.keys(components.get(component)?.properties ?? {});
      return fields
        .filter((field) => !new RegExp(`^  ${field}\\??:`, 'm').test(body))
        .map((field) => `${name}.${field}`);
    });
    // The server has not filled it since 1.20.
    expect(missing).toEqual(['ObjectMeta.selfLink']);
  });
});

function resource(apiVersion: string, kind: string): (typeof resources)[number] | undefined {
  return resources.find(
    (one) => one.kind === kind && [one.group, one.version].filter(Boolean).join('/') === apiVersion,
  );
}

/** Written down by hand: what anybody who works with Kubernetes knows. */
const known: [
  apiVersion: string,
  kind: string,
  plural: string,
  scope: string,
  shortNames: string,
  subresources: string,
][] = [
  [
    'v1',
    'Pod',
    'pods',
    'Namespaced',
    'po',
    'attach binding ephemeralcontainers eviction exec log portforward proxy resize status',
  ],
  ['v1', 'Service', 'services', 'Namespaced', 'svc', 'proxy status'],
  ['v1', 'ConfigMap', 'configmaps', 'Namespaced', 'cm', ''],
  ['v1', 'Secret', 'secrets', 'Namespaced', '', ''],
  ['v1', 'Namespace', 'namespaces', 'Cluster', 'ns', 'finalize status'],
  ['v1', 'Node', 'nodes', 'Cluster', 'no', 'proxy status'],
  ['v1', 'Endpoints', 'endpoints', 'Namespaced', 'ep', ''],
  ['v1', 'PersistentVolume', 'persistentvolumes', 'Cluster', 'pv', 'status'],
  ['v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', 'Namespaced', 'pvc', 'status'],
  ['v1', 'ServiceAccount', 'serviceaccounts', 'Namespaced', 'sa', 'token'],
  ['v1', 'ReplicationController', 'replicationcontrollers', 'Namespaced', 'rc', 'scale status'],
  ['v1', 'ResourceQuota', 'resourcequotas', 'Namespaced', 'quota', 'status'],
  ['v1', 'LimitRange', 'limitranges', 'Namespaced', 'limits', ''],
  ['apps/v1', 'Deployment', 'deployments', 'Namespaced', 'deploy', 'scale status'],
  ['apps/v1', 'StatefulSet', 'statefulsets', 'Namespaced', 'sts', 'scale status'],
  ['apps/v1', 'DaemonSet', 'daemonsets', 'Namespaced', 'ds', 'status'],
  ['apps/v1', 'ReplicaSet', 'replicasets', 'Namespaced', 'rs', 'scale status'],
  ['batch/v1', 'Job', 'jobs', 'Namespaced', '', 'status'],
  ['batch/v1', 'CronJob', 'cronjobs', 'Namespaced', 'cj', 'status'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', 'Namespaced', 'hpa', 'status'],
  ['networking.k8s.io/v1', 'Ingress', 'ingresses', 'Namespaced', 'ing', 'status'],
  ['networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', 'Namespaced', 'netpol', ''],
  ['policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets', 'Namespaced', 'pdb', 'status'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles', 'Cluster', '', ''],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings', 'Namespaced', '', ''],
  ['coordination.k8s.io/v1', 'Lease', 'leases', 'Namespaced', '', ''],
  ['storage.k8s.io/v1', 'StorageClass', 'storageclasses', 'Cluster', 'sc', ''],
  ['scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses', 'Cluster', 'pc', ''],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'customresourcedefinitions', 'Cluster', 'crd crds', 'status'],
  [
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    'certificatesigningrequests',
    'Cluster',
    'csr',
    'approval status',
  ],
  ['authorization.k8s.io/v1', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', 'Cluster', '', ''],
];

describe('names, scope and subresources are those everybody knows', () => {
  test.each(known)('%s %s', (apiVersion, kind, plural, scope, shortNames, subresources) => {
    const found = resource(apiVersion, kind);
    expect(found).toMatchObject({ plural, scope });
    expect((found?.shortNames ?? []).join(' ')).toBe(shortNames);
    expect(Object.keys(found?.subresources ?? {}).join(' ')).toBe(subresources);
  });
});

const field = (component: string, name: string): SchemaFact | undefined =>
  components.get(component)?.properties?.[name];
const core = 'io.k8s.api.core.v1';

describe('fields, keys and defaults are those everybody knows', () => {
  test.each<[component: string, name: string, fact: SchemaFact]>([
    [
      `${core}.PodSpec`,
      'containers',
      { 'x-kubernetes-list-map-keys': ['name'], 'x-kubernetes-patch-merge-key': 'name' },
    ],
    [`${core}.PodSpec`, 'tolerations', { 'x-kubernetes-list-type': 'atomic' }],
    [`${core}.Container`, 'ports', { 'x-kubernetes-list-map-keys': ['containerPort', 'protocol'] }],
    [`${core}.Container`, 'ports', { 'x-kubernetes-patch-merge-key': 'containerPort' }],
    [`${core}.ContainerPort`, 'protocol', { type: 'string', default: 'TCP' }],
    [`${core}.ServiceSpec`, 'selector', { 'x-kubernetes-map-type': 'atomic' }],
    [`${core}.Secret`, 'data', { additionalProperties: { type: 'string', format: 'byte' } }],
    [`${core}.PodStatus`, 'podIPs', { 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'ip' }],
    ['io.k8s.api.apps.v1.DeploymentSpec', 'replicas', { type: 'integer', format: 'int32' }],
    ['io.k8s.api.apps.v1.DeploymentSpec', 'strategy', { 'x-kubernetes-patch-strategy': 'retainKeys' }],
    ['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'finalizers', { 'x-kubernetes-list-type': 'set' }],
    ['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'ownerReferences', { 'x-kubernetes-patch-merge-key': 'uid' }],
  ])('%s %s', (component, name, fact) => {
    expect(field(component, name)).toMatchObject(fact);
  });

  test('required fields', () => {
    expect(components.get('io.k8s.api.apps.v1.DeploymentSpec')?.required).toEqual(['selector', 'template']);
    expect(components.get(`${core}.PodSpec`)?.required).toEqual(['containers']);
    expect(components.get('io.k8s.api.apps.v1.ReplicaSetStatus')?.required).toEqual(['replicas']);
  });
});
