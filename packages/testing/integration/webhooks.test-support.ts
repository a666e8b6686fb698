import { type Cluster, cluster, type ClusterOptions } from '../src/index.ts';
import { controller, isInvalid, isNotFound, mutating, operator, type Operator, validating } from 'kilter';
import { customResource } from 'kilter/crd';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from 'kilter/k8s/admissionregistration/v1';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

class Shop extends customResource({
  group: 'hooks.example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ image: z.string(), port: z.int().default(80), owner: z.string().optional() }),
  status: z.object({ image: z.string().optional() }),
  versions: { v1alpha1: { spec: z.object({ repository: z.string(), tag: z.string() }) } },
}).converts({
  v1alpha1: {
    up: ({ repository, tag }) => ({ image: `${repository}:${tag}` }),
    down: ({ image }) => {
      const [repository = '', tag = ''] = image.split(':');
      return { repository, tag };
    },
  },
}) {}
const Old = Shop.at('v1alpha1');

const defaults = mutating(Shop, (shop, review) => {
  shop.metadata.labels['hooks.example.com/by'] ??= review.user.name === '' ? 'nobody' : 'somebody';
  if (review.operation === 'CREATE') shop.spec.owner ??= 'me';
});
const rules = validating(Shop, { on: ['CREATE', 'UPDATE', 'DELETE'] }, (shop, review) => {
  if (review.operation === 'DELETE') {
    if (shop.metadata.labels?.['keep'] !== undefined) review.deny('it is to be kept');
    return;
  }
  if (!shop.spec.image.includes(':')) review.deny('spec.image', 'name a tag');
  if (shop.spec.port === 99) throw new Error('ninety-nine');
  if (review.operation === 'UPDATE' && shop.spec.port !== review.old.spec.port) review.warn('another port');
});
const guarded = validating(
  ConfigMap,
  { objectSelector: { guarded: 'yes' }, matchConditions: { named: 'object.metadata.name != "free"' } },
  (config, review) => void (config.data?.['key'] === undefined && review.deny('data', 'has no key')),
);

const shopOperator = (): Operator =>
  operator({
    name: 'shop-operator',
    controllers: [
      controller(Shop).reconcile(async (shop, ctx) => {
        await ctx.status({ image: shop.spec.image });
      }),
    ],
    webhooks: [defaults, rules, guarded],
  });

const early = Old.build({ name: 'early', spec: { repository: 'nginx', tag: '0' } });
const shop = (name: string, spec: Parameters<typeof Shop.build>[0]['spec'] = { image: 'nginx:1' }): Shop =>
  Shop.build({ name, spec });

/** What holds on every backend; without options it is skipped. */
export function testWebhooks(place: string, options: ClusterOptions | undefined): void {
  let env: Cluster;
  beforeAll(async () => {
    if (options === undefined) return;
    env = await cluster({ ...options, operator: shopOperator(), kinds: [Shop], objects: [early] });
  }, 120_000);
  afterAll(() => env?.[Symbol.asyncDispose](), 60_000);
  describe.skipIf(options === undefined)(`webhooks and versions on ${place}`, { timeout: 120_000 }, () => {
    test('what is created is changed by the mutating webhook', async () => {
      const made = await env.client.create(shop('changed'));
      expect(made.metadata.labels).toEqual({ 'hooks.example.com/by': 'somebody' });
      expect(made.spec).toEqual({ image: 'nginx:1', port: 80, owner: 'me' });
    });

    test('what the validating webhook refuses is refused with the path', async () => {
      const creating = env.client.create(shop('bad', { image: 'nginx' }));
      await expect(creating).rejects.toThrow('spec.image: name a tag');
      await expect(creating).rejects.toThrow(
        'admission webhook "validate.v1.shops.hooks.example.com" denied the request',
      );
      await expect(creating).rejects.toSatisfy(isInvalid);
      await expect(creating).rejects.toMatchObject({
        status: { code: 422, causes: [{ field: 'spec.image', message: 'name a tag', reason: 'FieldValueInvalid' }] },
      });
      await expect(env.client.get(Shop, 'bad')).rejects.toSatisfy(isNotFound);
    });

    test('WH-5 a webhook that throws refuses', async () => {
      await expect(env.client.create(shop('thrown', { image: 'a:1', port: 99 }))).rejects.toMatchObject({
        status: { code: 403, message: expect.stringContaining('ninety-nine') as string },
      });
    });

    test('updates, patches and deletes are asked about with what is stored', async () => {
      await env.client.create(shop('kept'));
      await expect(env.client.patch(Shop, 'kept', { spec: { image: 'x' } })).rejects.toSatisfy(isInvalid);
      await env.client.patch(Shop, 'kept', { spec: { port: 81 }, metadata: { labels: { keep: '1' } } });
      await expect(env.client.delete(Shop, 'kept')).rejects.toThrow('it is to be kept');
      await env.client.patch(Shop, 'kept', { metadata: { labels: { keep: null } } });
      await env.client.delete(Shop, 'kept');
      await env.gone(Shop, 'kept');
    });

    testVersions(() => env);
  });
}

function testVersions(env: () => Cluster): void {
  test('objects are written and read in every version', async () => {
    const old = await env().client.create(Old.build({ name: 'old', spec: { repository: 'nginx', tag: '2' } }));
    expect(old.spec).toEqual({ repository: 'nginx', tag: '2' });
    const stored = await env().client.get(Shop, 'old');
    expect(stored.spec).toMatchObject({ image: 'nginx:2', port: 80 });
    expect(stored.metadata.labels).toEqual({ 'hooks.example.com/by': 'somebody' });
    await env().client.create(shop('new', { image: 'nginx:3', port: 8080 }));
    expect((await env().client.get(Old, 'new')).spec).toEqual({ repository: 'nginx', tag: '3' });
    await env().client.patch(Old, 'new', { spec: { tag: '4' } });
    expect((await env().client.get(Shop, 'new')).spec).toMatchObject({ image: 'nginx:4', port: 8080 });
    const all = await env().client.list(Old, { namespace: env().namespace });
    expect(all.every(({ apiVersion }) => apiVersion === 'hooks.example.com/v1alpha1')).toBe(true);
  });

  test('what was there before the operator is converted for it', async () => {
    await env().eventually(Shop, 'early', { spec: { image: 'nginx:0' }, status: { image: 'nginx:0' } });
  });

  test('requests in an older version are asked about in the version of the webhook', async () => {
    const bad = Old.build({ name: 'bad-old', spec: { repository: 'a', tag: '1' } });
    await expect(env().client.create(bad, { dryRun: true })).resolves.toBeDefined();
    const untagged = { ...bad, spec: { repository: 'a:b', tag: '' } };
    await expect(env().client.create(untagged, { dryRun: true })).resolves.toBeDefined();
  });

  test('built-in kinds are asked about as the selectors and conditions say', async () => {
    const config = (name: string, labels: Record<string, string>): ConfigMap => ConfigMap.build({ name, labels });
    await expect(env().client.create(config('bad', { guarded: 'yes' }))).rejects.toThrow('data: has no key');
    await env().client.create(config('other', {}));
    await env().client.create(config('free', { guarded: 'yes' }));
  });

  test("both configurations and the definition are the operator's", async () => {
    const labels = { 'kilter.dev/operator': 'shop-operator' };
    expect((await env().client.get(MutatingWebhookConfiguration, 'shop-operator')).metadata.labels).toEqual(labels);
    expect((await env().client.get(ValidatingWebhookConfiguration, 'shop-operator')).metadata.labels).toEqual(labels);
    const { spec } = await env().client.get(CustomResourceDefinition, 'shops.hooks.example.com');
    expect(spec.conversion?.strategy).toBe('Webhook');
    expect(spec.versions.map(({ name, served }) => [name, served])).toEqual([
      ['v1', true],
      ['v1alpha1', true],
    ]);
  });
}
