// What the types know of indexes, reads and status fields.
import { type Context, controller, type DeclaredIndex, generationChanged, operator, type Stored } from 'kilter';
import { Deployment } from 'kilter/k8s/apps/v1';
import { ConfigMap, Pod, Service } from 'kilter/k8s/core/v1';
import { describe, expectTypeOf, test } from 'vitest';
import { WebApp } from './webapp.ts';

describe('a controller', () => {
  test('indexes of any kind are known by kind and name', () => {
    controller(WebApp)
      .owns(Deployment)
      .reads(Pod, { labels: { app: 'x' }, namespaces: ['a'] })
      .index('image', (a) => a.spec.image)
      .index(Pod, 'node', (pod) => pod.spec?.nodeName)
      .index(Deployment, 'node', () => ['a', 'b'])
      .reconcile(async (_, ctx) => {
        expectTypeOf(ctx.cache.by(Pod, 'node', 'n1')).toEqualTypeOf<Stored<Pod>[]>();
        expectTypeOf(ctx.cache.by(WebApp, 'image', undefined)).toEqualTypeOf<Stored<WebApp>[]>();
        expectTypeOf(ctx.primaries.by('image', 'x')).toExtend<readonly { name: string }[]>();
        ctx.cache.by(Deployment, 'node', 'x');
        // @ts-expect-error no such index
        ctx.cache.by(Pod, 'nodes', 'n1');
        // @ts-expect-error an index of another kind
        ctx.cache.by(WebApp, 'node', 'n1');
        // @ts-expect-error no index over it
        ctx.cache.by(Service, 'node', 'n1');
        // @ts-expect-error an index of another kind
        ctx.primaries.by('node', 'n1');
      });
    // @ts-expect-error a key is a text
    controller(WebApp).index(Pod, 'node', (pod) => pod.spec?.priority);
    // @ts-expect-error what is only read decides nothing
    controller(WebApp).reads(Pod, { when: generationChanged });
    const helper = (ctx: Context<WebApp, never, never, DeclaredIndex<'v1', 'Pod', 'node'>>): Pod[] =>
      ctx.cache.by(Pod, 'node', 'x');
    controller(WebApp)
      .reads(Pod)
      .index(Pod, 'node', (pod) => pod.spec?.nodeName)
      .reconcile(async (_, ctx) => void helper(ctx));
    controller(WebApp).reconcile(async (_, ctx) => {
      // @ts-expect-error the index the helper needs is not declared
      helper(ctx);
    });
  });

  test('a controller without its function does not fit an operator, and the error says what it lacks', () => {
    const unfinished = controller(WebApp).owns(ConfigMap);
    // @ts-expect-error it has no .reconcile
    operator({ name: 'webapps', controllers: [unfinished] });
    type Lacking = '.reconcile(…), .reconcileKey(…) or .compose(…) at its end';
    expectTypeOf(unfinished.spec?.missing).toEqualTypeOf<Lacking | undefined>();
  });

  test('status fields that may be missing can be taken away', () => {
    controller(WebApp).reconcile(async (_, ctx) => {
      await ctx.status({ availableReplicas: null });
      // @ts-expect-error conditions are keyed by type, not taken away as a whole
      await ctx.status({ conditions: null });
    });
    controller(ConfigMap).reconcile(async (_, ctx) => {
      // @ts-expect-error it has no status
      await ctx.status({ a: 1 });
    });
  });
});
