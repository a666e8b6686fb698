import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cluster } from '@kilter/testing';
import { loadAll } from 'js-yaml';
import type { KubeObject } from 'kilter/api';
import { Deployment } from 'kilter/k8s/apps/v1';
import { PodDisruptionBudget } from 'kilter/k8s/policy/v1';
import { expect, test } from 'vitest';
import { EventRecycler } from '../event-recycler.ts';
import { operatorManifests } from './deployment.ts';

const read = (file: string) =>
  loadAll(readFileSync(resolve(import.meta.dirname, '../../manifests', file), 'utf8')) as KubeObject[];
const plain = (objects: readonly object[]) => JSON.parse(JSON.stringify(objects)) as KubeObject[];

test('ER-50, ER-60: the manifests are those of the code; `npm run manifests -w examples/event-recycler` writes them', () => {
  expect(read('operator.yaml')).toEqual(plain(operatorManifests()));
  expect(read('crd.yaml')).toEqual(plain([EventRecycler.manifest()]));
});

test('ER-50: three replicas on three nodes, of which one always stays', async () => {
  await using env = await cluster({ backend: 'embedded' });
  for (const object of [...read('crd.yaml'), ...read('operator.yaml'), ...read('sandbox.yaml')]) {
    await env.client.create(object, { fieldValidation: 'Strict' });
  }
  const { spec } = await env.client.get(Deployment, { namespace: 'kube-system', name: 'kaws-operator' });
  const budget = await env.client.get(PodDisruptionBudget, { namespace: 'kube-system', name: 'kaws-operator' });
  expect(spec?.replicas).toBe(3);
  expect(budget.spec).toMatchObject({ minAvailable: 1, selector: spec?.selector });
  const [apart] = spec?.template.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  expect(apart).toMatchObject({ topologyKey: 'kubernetes.io/hostname', labelSelector: spec?.selector });
  expect(spec?.template.spec?.serviceAccountName).toBe('kaws-operator');
});
