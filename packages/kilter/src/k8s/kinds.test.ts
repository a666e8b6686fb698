import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { knownKind } from '../api/index.ts';

const rows: [module: string, apiVersion: string, kind: string, plural: string, scope: string][] = [
  ['core/v1', 'v1', 'Pod', 'pods', 'Namespaced'],
  ['core/v1', 'v1', 'Service', 'services', 'Namespaced'],
  ['core/v1', 'v1', 'ConfigMap', 'configmaps', 'Namespaced'],
  ['core/v1', 'v1', 'Secret', 'secrets', 'Namespaced'],
  ['core/v1', 'v1', 'ServiceAccount', 'serviceaccounts', 'Namespaced'],
  ['core/v1', 'v1', 'Event', 'events', 'Namespaced'],
  ['core/v1', 'v1', 'Namespace', 'namespaces', 'Cluster'],
  ['core/v1', 'v1', 'Node', 'nodes', 'Cluster'],
  ['apps/v1', 'apps/v1', 'Deployment', 'deployments', 'Namespaced'],
  ['apps/v1', 'apps/v1', 'ReplicaSet', 'replicasets', 'Namespaced'],
  ['coordination/v1', 'coordination.k8s.io/v1', 'Lease', 'leases', 'Namespaced'],
  ['events/v1', 'events.k8s.io/v1', 'Event', 'events', 'Namespaced'],
  ['apiextensions/v1', 'apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'customresourcedefinitions', 'Cluster'],
];

interface Built {
  build(input: object): unknown;
  fields(input: object): unknown;
}

describe('built-in kinds', () => {
  test.each(rows)('%s: %s %s', async (module, apiVersion, kind, plural, scope) => {
    const exports = (await import(/* @vite-ignore */ `./${module}.ts`)) as Record<string, Built>;
    const value = exports[kind];
    const head = { apiVersion, kind, metadata: { name: 'x' } };
    expect(value?.build({ name: 'x', spec: { a: 1 } })).toEqual({ ...head, spec: { a: 1 } });
    expect(value?.fields({ name: 'x' })).toEqual(head);
    expect(knownKind({ apiVersion, kind })).toMatchObject({ plural, scope, listKind: `${kind}List` });
  });

  test('the table names every kind of every module', async () => {
    const modules = readdirSync(import.meta.dirname, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${entry.name}/v1`);
    const found = await Promise.all(
      modules.map(async (module) =>
        Object.keys((await import(/* @vite-ignore */ `./${module}.ts`)) as object).map((kind) => `${module} ${kind}`),
      ),
    );
    expect(found.flat().toSorted()).toEqual(rows.map(([module, , kind]) => `${module} ${kind}`).toSorted());
  });
});
