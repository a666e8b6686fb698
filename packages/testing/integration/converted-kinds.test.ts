import { controller, operator } from 'kilter';
import { customResource, renamed } from 'kilter/crd';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cluster, type EmbeddedCluster } from '../src/index.ts';

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

/** Whose conversion fails on what its schema would refuse. */
class Span extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Span',
  spec: z.object({ from: z.int(), to: z.int() }),
  versions: { v1alpha1: { spec: z.object({ range: z.string().regex(/^[0-9]+-[0-9]+$/) }) } },
}).converts({
  v1alpha1: {
    up: ({ range }) => {
      const [from = Number.NaN, to = Number.NaN] = range.split('-').map(Number);
      return { from, to };
    },
    down: ({ from, to }) => ({ range: `${from}-${to}` }),
  },
}) {}

test('what an older version refuses is refused by its own schema, whatever its conversion makes of it', async () => {
  await using env = await cluster({ kinds: [Span] });
  await env.client.create(Span.build({ name: 'a', namespace: 'default', spec: { from: 1, to: 2 } }));
  const Old = Span.at('v1alpha1');
  const refusal = await env.client.patch(Old, 'a', { spec: { range: 'x' } }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'CLIENT_INVALID' });
  expect(String(refusal)).toContain('spec.range');
  await env.client.patch(Old, 'a', { spec: { range: '3-4' } });
  expect(await env.client.get(Span, 'a')).toMatchObject({ spec: { from: 3, to: 4 } });
});

describe('two operators that share a kind with conversions', () => {
  const definition = (env: EmbeddedCluster): Promise<CustomResourceDefinition> =>
    env.client.get(CustomResourceDefinition, 'shops.example.com');
  const users = controller(ConfigMap)
    .watches(Shop, () => undefined)
    .reconcile(async () => {});

  test('WH-11 the first to reconcile it converts it; the second leaves it, and says so once with the cure', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime, operator: operator({ name: 'first', controllers: [shops] }) });
    const before = await definition(env);
    expect(before.metadata.annotations).toEqual({ 'kilter.dev/converted-by': 'first' });
    await env.start(operator({ name: 'second', controllers: [shops] }));
    await runtime.clock.advance(300_000);
    expect(await definition(env)).toEqual(before);
    const told = env.log.filter((line) => line.includes('Shop') && line.includes('is left to the operator first'));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('remove the annotation kilter.dev/converted-by from the definition shops.example.com');
    await env.client.patch(CustomResourceDefinition, 'shops.example.com', {
      metadata: { annotations: { 'kilter.dev/converted-by': null } },
    });
    // Whoever looks next.
    await runtime.clock.advance(60_000);
    expect((await definition(env)).metadata.annotations?.['kilter.dev/converted-by']).toMatch(/^(first|second)$/);
  });

  test('WH-11 one that only uses it converts it until one comes that reconciles it', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime, operator: operator({ name: 'user', controllers: [users] }) });
    expect((await definition(env)).metadata.annotations).toEqual({ 'kilter.dev/converted-by': 'user (stands in)' });
    await env.start(operator({ name: 'owner', controllers: [shops] }));
    const after = await definition(env);
    expect(after.metadata.annotations).toEqual({ 'kilter.dev/converted-by': 'owner' });
    await runtime.clock.advance(300_000);
    expect(await definition(env)).toEqual(after);
    await env.client.create(Shop.at('v1alpha1').build({ name: 'a', namespace: 'default', spec: { count: 2 } }));
    await env.eventually(Shop, 'a', { status: { seen: 2 } });
  });
});
