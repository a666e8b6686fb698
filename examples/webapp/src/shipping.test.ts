// What is shipped is taken by a server. That its rights are enough is shown by webapp.test.ts, which runs with them alone.
import { cluster } from '@kilter/testing';
import type { KubeObject } from 'kilter/api';
import { Deployment } from 'kilter/k8s/apps/v1';
import type { Service } from 'kilter/k8s/core/v1';
import { expect, test } from 'vitest';
import { shippingManifests } from './shipping.ts';

const shipping = { namespace: 'webapp-system', image: 'registry.example.com/webapp-operator:1.0' };
const objects = shippingManifests(shipping);
const of = (kind: string): KubeObject | undefined => objects.find((object) => object.kind === kind);

test('every object is accepted by a server that refuses unknown fields', async () => {
  await using env = await cluster();
  for (const object of objects) {
    await env.client.apply(object, { manager: 'shipping', fieldValidation: 'Strict' });
  }
  const { spec } = await env.client.get(Deployment, { name: 'webapp-operator', namespace: 'webapp-system' });
  expect(spec?.replicas).toBe(3);
});

test('the Service is the one that definitions and webhooks name, and reaches replicas that are not ready', () => {
  const { metadata, spec } = of('Service') as Service;
  expect([metadata.name, spec?.publishNotReadyAddresses]).toEqual(['webapp-operator-webhook', true]);
  const deployed = (of('Deployment') as Deployment).spec?.template;
  expect(deployed?.metadata?.labels).toMatchObject(spec?.selector ?? {});
  expect(deployed?.spec?.serviceAccountName).toBe(of('ServiceAccount')?.metadata.name);
  const ports = deployed?.spec?.containers[0]?.ports?.map(({ name }) => name);
  expect(ports).toContain(spec?.ports?.[0]?.targetPort);
});
