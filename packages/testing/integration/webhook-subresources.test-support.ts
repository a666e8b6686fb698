// Webhooks on a built-in kind and on subresources, of built-in and of custom kinds.
import { mutating, operator, type Operator, validating } from 'kilter';
import { customResource } from 'kilter/crd';
import { Deployment } from 'kilter/k8s/apps/v1';
import { Namespace, Pod } from 'kilter/k8s/core/v1';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Cluster, cluster, type ClusterOptions } from '../src/index.ts';

class Shelf extends customResource({
  group: 'parts.example.com',
  version: 'v1',
  kind: 'Shelf',
  plural: 'shelves',
  spec: z.object({ replicas: z.int().default(1) }),
  status: z.object({ seen: z.int().optional() }),
  scale: { spec: '.spec.replicas', status: '.status.seen' },
}) {}

const injected = { inject: 'yes' };

const sidecar = mutating(
  Pod,
  {
    on: ['CREATE'],
    namespaceSelector: 'kubernetes.io/metadata.name notin (kube-system,left-alone)',
    matchConditions: { asked: 'has(object.metadata.labels) && "inject" in object.metadata.labels' },
  },
  (pod) => void pod.spec?.containers.push({ name: 'sidecar', image: 'side:1' }),
);
const kept = validating(Pod, { on: ['CREATE', 'DELETE'], objectSelector: injected }, (pod, review) => {
  if (review.operation === 'DELETE') return void (pod.metadata.annotations?.['keep'] && review.deny('it is kept'));
  for (const [i, { image }] of (pod.spec?.containers ?? []).entries()) {
    if (image === 'bad:1') review.deny(`spec.containers[${i}].image`, 'is bad');
  }
});
const podStatus = validating(
  Pod,
  { on: ['UPDATE'], subresource: 'status', objectSelector: injected },
  (pod, review) => {
    if (pod.status?.message === 'no') review.deny('status.message', 'was no');
  },
);
const eviction = validating(Pod, { on: ['CREATE'], subresource: 'eviction' }, (sent, { name, deny }) =>
  deny(`no ${sent.kind} of ${name}`),
);
const deploymentScale = validating(Deployment, { on: ['UPDATE'], subresource: 'scale' }, (scale, review) => {
  const [now = 0, before] = [scale.spec?.replicas, review.old.spec?.replicas];
  if (now > 5) review.deny('spec.replicas', `${now} after ${before}`);
});
const shelfScale = validating(Shelf, { on: ['UPDATE'], subresource: 'scale' }, (scale, review) => {
  if ((scale.spec?.replicas ?? 0) > 3) review.deny('spec.replicas', 'at most 3');
});
const shelfStatus = mutating(Shelf, { on: ['UPDATE'], subresource: 'status' }, (shelf) => {
  if (shelf.status?.seen === 7) shelf.status.seen = 8;
});

const made = (): Operator =>
  operator({
    name: 'parts-operator',
    webhooks: [sidecar, kept, podStatus, eviction, deploymentScale, shelfScale, shelfStatus],
  });

const pod = (name: string, image = 'a:1'): Pod =>
  Pod.build({ name, labels: injected, spec: { containers: [{ name: 'main', image }] } });

/** What holds on every backend; without options it is skipped. */
export function testSubresources(place: string, options: ClusterOptions | undefined): void {
  let env: Cluster;
  beforeAll(async () => {
    if (options !== undefined) env = await cluster({ ...options, operator: made(), kinds: [Shelf] });
  }, 120_000);
  afterAll(() => env?.[Symbol.asyncDispose](), 60_000);
  describe.skipIf(options === undefined)(`webhooks of built-in kinds on ${place}`, { timeout: 120_000 }, () => {
    test('a Pod is changed, refused and kept as its selectors and conditions say', async () => {
      const { spec } = await env.client.create(pod('changed'));
      expect(spec?.containers.map(({ name }) => name)).toEqual(['main', 'sidecar']);
      await expect(env.client.create(pod('refused', 'bad:1'))).rejects.toThrow('spec.containers[0].image: is bad');
      await env.client.create(Namespace.build({ name: 'left-alone' }));
      const { metadata, ...rest } = pod('alone');
      const alone = await env.client.create({ ...rest, metadata: { ...metadata, namespace: 'left-alone' } });
      expect(alone.spec?.containers).toHaveLength(1);
      await env.client.patch(Pod, 'changed', { metadata: { annotations: { keep: '1' } } });
      await expect(env.client.delete(Pod, 'changed')).rejects.toThrow('it is kept');
    });

    test('the status of a Pod, and its eviction', async () => {
      await env.client.create(pod('told'));
      const tell = (message: string): Promise<unknown> =>
        env.client.patch(Pod, 'told', { status: { message } }, { subresource: 'status' });
      await tell('yes');
      await expect(tell('no')).rejects.toThrow('status.message: was no');
      await expect(env.client.evict('told')).rejects.toThrow('no Eviction of told');
    });

    test('the scale of a Deployment', async () => {
      const labels = { app: 'scaled' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'a:1' }] } };
      const spec = { replicas: 1, selector: { matchLabels: labels }, template };
      await env.client.create(Deployment.build({ name: 'scaled', spec }));
      await env.client.scale(Deployment, 'scaled', 3);
      await expect(env.client.scale(Deployment, 'scaled', 6)).rejects.toThrow('spec.replicas: 6 after 3');
    });

    test('the scale and the status of a custom resource', async () => {
      await env.client.create(Shelf.build({ name: 'own', spec: {} }));
      await expect(env.client.scale(Shelf, 'own', 4)).rejects.toThrow('spec.replicas: at most 3');
      await env.client.scale(Shelf, 'own', 3);
      const told = await env.client.patch(Shelf, 'own', { status: { seen: 7 } }, { subresource: 'status' });
      expect([told.spec.replicas, told.status?.seen]).toEqual([3, 8]);
    });
  });
}
