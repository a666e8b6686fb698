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

test('an operator of a kind with conversions runs in a cluster, with every version served', async () => {
  await using env = await cluster({ operator: operator({ name: 'shops', controllers: [shops] }) });
  await env.client.create(Shop.build({ name: 'a', namespace: 'default', spec: { replicas: 2 } }));
  await env.eventually(Shop, 'a', { status: { seen: 2 } });
  expect(await env.client.get(Shop.at('v1alpha1'), 'a')).toMatchObject({ spec: { count: 2 } });
});

test('kinds that are installed without an operator are converted too', async () => {
  await using env = await cluster({ kinds: [Shop] });
  await env.client.create(Shop.at('v1alpha1').build({ name: 'a', namespace: 'default', spec: { count: 2 } }));
  expect(await env.client.get(Shop, 'a')).toMatchObject({ spec: { replicas: 2 } });
});
