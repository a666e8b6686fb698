import { controller, operator } from 'kilter';
import { customResource, renamed } from 'kilter/crd';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cluster } from '../src/index.ts';

class Shop extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ replicas: z.int().meta(renamed('v1', 'count')) }),
  status: z.object({ seen: z.int().optional() }),
  versions: { v1alpha1: {} },
}) {}

const shops = controller(Shop).reconcile(async (shop, ctx) => {
  await ctx.status({ seen: shop.spec.replicas });
});

test('an operator of a kind with conversions runs in a cluster, on the version it speaks', async () => {
  await using env = await cluster({ operator: operator({ name: 'shops', controllers: [shops] }) });
  await env.client.create(Shop.build({ name: 'a', namespace: 'default', spec: { replicas: 2 } }));
  await env.eventually(Shop, 'a', { status: { seen: 2 } });
  expect(await env.client.find(Shop.at('v1alpha1'), 'a').catch((error: unknown) => error)).toMatchObject({
    code: 'CLIENT_NOT_FOUND',
  });
});

test('a second version that differs is refused, with a cure, and not waited for', async () => {
  await using env = await cluster({ kinds: [Shop.at('v1alpha1')] });
  await env.client.create(Shop.at('v1alpha1').build({ name: 'a', namespace: 'default', spec: { count: 2 } }));
  await env.install(Shop.at('v1alpha1'));
  await expect(env.install(Shop)).rejects.toMatchObject({ code: 'TESTING_VERSION_NOT_SERVED' });
});
