// The public API as types: what must compile, and what must not.
import { cluster, validate } from '@kilter/testing';
import {
  type Change,
  type Client,
  connect,
  type Context,
  controller,
  type Controller,
  type Finalizing,
  generationChanged,
  isObserved,
  json,
  labelsChanged,
  type MergedCause,
  mutating,
  operator,
  type Operator,
  requeue,
  requeueAfter,
  type Result,
  type Stored,
  strategic,
  terminal,
  validating,
  waitFor,
} from 'kilter';
import { customResource } from 'kilter/crd';
import { Deployment } from 'kilter/k8s/apps/v1';
import { ConfigMap, Node, Pod, Secret, Service } from 'kilter/k8s/core/v1';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { deploymentFor, serviceFor } from './children.ts';
import { webapps } from './controller.ts';
import type { Dns } from './dns.ts';
import { WebApp } from './webapp.ts';

class Versioned extends customResource({
  group: 'example.com',
  kind: 'Versioned',
  version: 'v1',
  spec: z.object({ image: z.string(), replicas: z.int().default(1) }),
  status: z.object({ ready: z.boolean().optional() }),
  versions: { v1alpha1: { spec: z.object({ image: z.string(), count: z.string() }), deprecated: 'use v1' } },
}).converts({
  v1alpha1: {
    up: (old) => ({ image: old.image, replicas: Number(old.count) }),
    down: (spec) => ({ image: spec.image, count: String(spec.replicas) }),
  },
}) {}

declare const app: WebApp;
declare const dns: Dns;
declare const ref: { name: string; namespace: string };

describe('client', () => {
  test('reads', async () => {
    const client = await connect();
    expectTypeOf(client).toEqualTypeOf<Client>();
    expectTypeOf(await client.get(WebApp, ref)).toEqualTypeOf<Stored<WebApp>>();
    expectTypeOf(await client.get(WebApp, 'shop')).toEqualTypeOf<Stored<WebApp>>();
    expectTypeOf(await client.find(WebApp, ref)).toEqualTypeOf<Stored<WebApp> | undefined>();
    expectTypeOf(await client.list(Pod, { labels: { tier: ['a', 'b'] } })).toEqualTypeOf<Stored<Pod>[]>();
    for await (const pod of client.each(Pod)) expectTypeOf(pod).toEqualTypeOf<Stored<Pod>>();
    for await (const change of client.watch(WebApp, { namespace: 'x' })) {
      expectTypeOf(change).toEqualTypeOf<Change<Stored<WebApp>>>();
      // @ts-expect-error a bookmark has no object
      void change.object;
      if (change.type !== 'BOOKMARK') expectTypeOf(change.object).toEqualTypeOf<Stored<WebApp>>();
    }
    await client.get(Secret, { namespace: app.metadata.namespace, name: 'x' });
    // @ts-expect-error a reference has a name
    await client.get(WebApp, { namespace: 'x' });
    // @ts-expect-error no such option
    await client.list(Pod, { label: { app: 'db' } });
  });

  test('writes', async () => {
    const client = await connect();
    expectTypeOf(await client.create(app)).toEqualTypeOf<Stored<WebApp>>();
    expectTypeOf(await client.update(app)).toEqualTypeOf<Stored<WebApp>>();
    const patched = await client.edit(app, (draft) => {
      draft.spec.replicas = 3;
      draft.metadata.labels['a'] = 'b';
      // @ts-expect-error no such field
      draft.spec.replcas = 3;
      // @ts-expect-error wrong type
      draft.spec.replicas = '3';
      // @ts-expect-error the status may be missing
      draft.status.availableReplicas = 1;
    });
    expectTypeOf(patched).toEqualTypeOf<Stored<WebApp>>();
    await client.edit(
      app,
      (draft) => {
        draft.status.availableReplicas = 1;
      },
      { subresource: 'status', dryRun: true },
    );
    await client.edit(app, (draft) => void (draft.spec.replicas = 1), { dryRun: true });
    await client.edit(app, (draft) => void draft, { subresource: 'somethingelse' });
    expectTypeOf(await client.patch(Deployment, ref, strategic({ spec: { replicas: 3 } }))).toEqualTypeOf<
      Stored<Deployment>
    >();
    await client.patch(Deployment, 'shop', { metadata: { labels: { a: null } }, spec: { replicas: null } });
    await client.patch(Deployment, ref, json([{ op: 'remove', path: '/spec/replicas' }]));
    // @ts-expect-error no such field
    await client.patch(Deployment, ref, strategic({ spec: { replicas: 3, replcas: 3 } }));
    // @ts-expect-error wrong type
    await client.patch(Deployment, ref, { spec: { replicas: '3' } });
    // @ts-expect-error a value is missing
    await client.patch(Deployment, ref, json([{ op: 'replace', path: '/spec/replicas' }]));
    expectTypeOf(await client.patch(WebApp, ref, { spec: { replicas: 3 } })).toEqualTypeOf<Stored<WebApp>>();
    // @ts-expect-error no such field
    await client.patch(WebApp, ref, { spec: { replcas: 3 } });
    expectTypeOf(await client.apply(app, { manager: 'me', force: false })).toEqualTypeOf<Stored<WebApp>>();
    expectTypeOf(
      await client.apply(Deployment.fields({ name: 'x', spec: { replicas: 3 } }), { manager: 'me' }),
    ).toEqualTypeOf<Stored<Deployment>>();
    // @ts-expect-error apply needs a manager
    await client.apply(app, { force: false });
    await client.delete(app);
    await client.delete(WebApp, ref, { propagation: 'Foreground' });
    // @ts-expect-error no such propagation
    await client.delete(WebApp, ref, { propagation: 'foreground' });
    // @ts-expect-error a kind without a reference
    await client.delete(WebApp);
  });
});

describe('controller', () => {
  test('a function with dependencies', () => {
    expectTypeOf(webapps).toEqualTypeOf<(deps: { dns: Dns }) => Controller<WebApp>>();
  });

  test('every answer of a mapper', () => {
    const builder = controller(WebApp);
    builder.references(Secret, (a) => a.spec.tlsSecret);
    builder.references(Secret, (a) => (a.spec.tlsSecret ? { name: a.spec.tlsSecret, namespace: 'certs' } : undefined));
    builder.references(Secret, (a) => a.spec.env.map((e) => e.name));
    builder.watches(ConfigMap, (config) => config.metadata.labels?.['example.com/webapp']);
    builder.watches(ConfigMap, (config) => ({ name: config.metadata.name, namespace: config.metadata.namespace }));
    builder.watches(ConfigMap, (config) => [config.metadata.name, { name: 'x', namespace: 'y' }]);
    builder.watches(ConfigMap, () => undefined);
    builder.watches(ConfigMap, () => {});
    builder.watches(ConfigMap, () => []);
    builder.watches(ConfigMap, (config) => (config.data ? 'a' : null));
    builder.watches(ConfigMap, (_, { primaries }) => primaries.all());
    // @ts-expect-error a mapper names objects
    builder.watches(ConfigMap, () => 3);
    // @ts-expect-error a mapper names objects
    builder.watches(ConfigMap, (config) => [config.metadata.name, 3]);
    // @ts-expect-error no such field
    builder.references(Secret, (a) => a.spec.tlsSecrt);
  });

  test('indexes are known by name', () => {
    controller(WebApp)
      .index('node', (a) => a.metadata.labels?.['node'])
      .index('image', (a) => [a.spec.image])
      .watches(Node, (node, { primaries }) => primaries.by('node', node.metadata.name))
      .watches(Node, (node, { primaries }) => [...primaries.by('image', node.metadata.name), 'x'])
      // @ts-expect-error no such index
      .watches(Node, (node, { primaries }) => primaries.by('nodes', node.metadata.name));
    // @ts-expect-error no index at all
    controller(WebApp).watches(Node, (node, { primaries }) => primaries.by('node', node.metadata.name));
    // @ts-expect-error a key is a string
    controller(WebApp).index('replicas', (a) => a.spec.replicas);
  });

  test('sources and options', () => {
    async function* ticks(): AsyncGenerator<{ app: string }> {
      yield { app: 'shop' };
    }
    controller(WebApp, { when: generationChanged, namespaces: ['a'] })
      .owns(Deployment, { when: [generationChanged, labelsChanged], labels: { a: 'b' } })
      .on(ticks(), (event) => event.app)
      .on(
        (signal) => (signal.aborted ? ticks() : ticks()),
        (event) => ({ name: event.app, namespace: 'x' }),
      )
      .every('10m')
      .watches(ConfigMap, (config) => config.data?.['a'], { when: ({ before, after }) => before?.data !== after?.data })
      .watches(ConfigMap, (config) => config.metadata.labels?.['a'], { metadataOnly: true })
      // @ts-expect-error there is only metadata
      .watches(ConfigMap, (config) => config.data?.['a'], { metadataOnly: true })
      .reconcile(async () => {});
    // @ts-expect-error no such unit
    controller(WebApp).every('10 minutes');
    // @ts-expect-error no such field of the event
    controller(WebApp).on(ticks(), (event) => event.name);
  });

  test('the context', () => {
    controller(WebApp)
      .owns(Deployment)
      .owns(ConfigMap, { prune: true })
      .writes(Secret)
      .reads(Pod)
      .onError((error, a) => ({
        availableReplicas: a.spec.replicas,
        conditions: [{ type: 'Ready', status: false, reason: 'Failed', message: String(error) }],
      }))
      .cleanup('example.com/dns', async (a, ctx) => {
        await dns.remove(a.metadata.name, { signal: ctx.signal });
        if (ctx.leadership.epoch > 3) return requeueAfter('5s', 'still there');
      })
      .reconcile(async (a, ctx) => {
        expectTypeOf(a).toEqualTypeOf<Stored<WebApp>>();
        expectTypeOf(ctx).toEqualTypeOf<Context<WebApp, Deployment | ConfigMap, Secret>>();
        expectTypeOf(ctx.leadership.epoch).toEqualTypeOf<number>();
        expectTypeOf(ctx.causes).toEqualTypeOf<readonly MergedCause[]>();
        expectTypeOf(ctx.request).toEqualTypeOf<{ readonly name: string; readonly namespace: string }>();
        expectTypeOf(await ctx.fence((signal) => fetchId(a.metadata.name, { signal }))).toEqualTypeOf<number>();
        expectTypeOf(await ctx.owned(Deployment)).toEqualTypeOf<Stored<Deployment>[]>();
        expectTypeOf(await ctx.client.find(Secret, 'x')).toEqualTypeOf<Stored<Secret> | undefined>();
        expectTypeOf(await ctx.live.get(WebApp, ctx.request)).toEqualTypeOf<Stored<WebApp>>();
        expectTypeOf(ctx.cache.list(Pod)).toEqualTypeOf<Stored<Pod>[]>();
        ctx.event('Warning', 'Slow', 'it takes long', { action: 'Wait' });
        ctx.log.info({ a: 1 }, 'hello');
        expectTypeOf(await ctx.apply(deploymentFor(a))).toEqualTypeOf<Stored<Deployment>>();
        expectTypeOf(await ctx.apply(deploymentFor(a), { force: false, adopt: 'never' })).toEqualTypeOf<
          Stored<Deployment>
        >();
        await ctx.apply(Secret.build({ name: 'x', stringData: { a: 'b' } }));
        await ctx.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: 'b' } });
        expectTypeOf(
          await ctx.apply(Deployment.fields({ name: 'x', spec: { replicas: 3 } }), { force: false }),
        ).toEqualTypeOf<Stored<Deployment>>();
        // @ts-expect-error no such field
        await ctx.apply(Deployment.fields({ name: 'x', spec: { replcas: 3 } }));
        // @ts-expect-error Service is not declared
        await ctx.apply(Service.fields({ name: 'x' }));
        // @ts-expect-error selector and template are missing
        await ctx.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec: { replicas: 3 } });
        // @ts-expect-error no such field
        await ctx.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, dta: {} });
        for (const child of [deploymentFor(a), Secret.build({ name: 'x' })])
          expectTypeOf(await ctx.apply(child)).toEqualTypeOf<Stored<Deployment | Secret>>();
        for (const child of [deploymentFor(a), serviceFor(a)]) {
          // @ts-expect-error one of them is not declared
          await ctx.apply(child);
        }
        // @ts-expect-error a Secret is written, not owned
        await ctx.owned(Secret);
        // @ts-expect-error Service is not declared
        await ctx.apply(serviceFor(a));
        // @ts-expect-error no such option
        await ctx.apply(deploymentFor(a), { adopts: 'never' });
        // @ts-expect-error no such type of event
        ctx.event('Info', 'Slow', 'it takes long');
        await ctx.status({ availableReplicas: 1, conditions: [{ type: 'Ready', status: true, reason: 'X' }] });
        // @ts-expect-error no such status field
        await ctx.status({ availableReplcas: 1 });
        if (isObserved(a)) return requeue('again');
      });
    // @ts-expect-error no such status field
    controller(WebApp).onError(() => ({ available: 1 }));
  });

  test('throwables end the function', () => {
    controller(WebApp).reconcile(async (_, ctx) => {
      const secret = (await ctx.client.find(Secret, 'db')) ?? waitFor('Secret db', '5s');
      expectTypeOf(secret).toEqualTypeOf<Stored<Secret>>();
      const config = await ctx.client.find(ConfigMap, 'db');
      if (!config) throw waitFor('ConfigMap db', '5s');
      expectTypeOf(config).toEqualTypeOf<Stored<ConfigMap>>();
      const pod = await ctx.client.find(Pod, 'db');
      if (!pod) waitFor('Pod db');
      expectTypeOf(pod).toEqualTypeOf<Stored<Pod>>();
      throw terminal(new Error('no'));
    });
  });

  test('objects, classes and functions from elsewhere', () => {
    class Shop implements Finalizing<WebApp, Deployment> {
      readonly finalizer = 'example.com/dns';
      constructor(private_: Dns) {
        void private_;
      }
      async reconcile(a: WebApp, ctx: Context<WebApp, Deployment>): Promise<Result> {
        await ctx.apply(deploymentFor(a));
      }
      async cleanup(a: WebApp, ctx: Context<WebApp, Deployment>): Promise<Result> {
        await dns.remove(a.metadata.name, { signal: ctx.signal });
      }
    }
    controller(WebApp).owns(Deployment).reconcile(new Shop(dns));
    controller(WebApp).owns(Deployment).owns(Service).reconcile(new Shop(dns));
    // @ts-expect-error it applies Deployments, and they are not declared
    controller(WebApp).owns(Service).reconcile(new Shop(dns));
    controller(WebApp)
      .owns(Deployment)
      .reconcile({
        finalizer: 'example.com/x',
        reconcile: async (a, ctx) => {
          await ctx.apply(deploymentFor(a));
          return requeueAfter('1m', a.spec.image);
        },
        cleanup: async (a, ctx) => ctx.log.info(a.spec.image),
      });
    controller(WebApp).reconcile({ reconcile: async (a) => void a.spec.image });
    // @ts-expect-error a cleanup needs the name of its finalizer
    controller(WebApp).reconcile({ reconcile: async () => {}, cleanup: async () => {} });
    const helper = async (a: WebApp, ctx: Context<WebApp, Deployment>): Promise<Deployment> =>
      ctx.apply(deploymentFor(a));
    controller(WebApp)
      .owns(Deployment)
      .owns(Service)
      .reconcile(async (a, ctx) => {
        expectTypeOf(await helper(a, ctx)).toEqualTypeOf<Deployment>();
      });
    controller(WebApp)
      .owns(Service)
      .reconcile(async (a, ctx) => {
        // @ts-expect-error the helper applies Deployments, and they are not declared
        await helper(a, ctx);
      });
  });

  test('by key', () => {
    const keyed = controller(WebApp)
      .owns(Deployment)
      .reconcileKey(async (key, ctx) => {
        expectTypeOf(key.name).toEqualTypeOf<string>();
        const found = await ctx.client.find(WebApp, key);
        if (!found) return requeue('gone');
        await ctx.of(found).apply(deploymentFor(found));
        await ctx.of(found).status({ availableReplicas: 1 });
        expectTypeOf(await ctx.of(found).finalizer('example.com/x', async () => {})).toEqualTypeOf<
          'continue' | 'cleaned' | 'pending' | 'foreign'
        >();
        // @ts-expect-error without an object there is no status
        await ctx.status({ availableReplicas: 1 });
      });
    expectTypeOf(keyed).toEqualTypeOf<Controller<WebApp>>();
  });
});

describe('webhooks', () => {
  test('paths', () => {
    validating(WebApp, (a, review) => {
      review.deny('spec.image', 'x');
      review.deny('spec', 'x');
      review.deny('spec.env[0].name', 'x');
      review.deny(`spec.env[${a.spec.env.length}].value`, 'x');
      review.deny('metadata.labels[example.com/app]', 'x');
      review.deny('status.conditions[0].reason', 'x');
      review.deny('the object as a whole is wrong');
      // @ts-expect-error no such field
      review.deny('spec.imgae', 'x');
      // @ts-expect-error no such field in the list
      review.deny('spec.env[0].nam', 'x');
      // @ts-expect-error a list has no such field
      review.deny('spec.env.name', 'x');
      // @ts-expect-error a string has no fields
      review.deny('spec.image.tag', 'x');
    });
    validating(Deployment, (_, review) => {
      review.deny('spec.template.spec.containers[0].env[1].valueFrom.secretKeyRef.name', 'x');
      review.deny('spec.template.metadata.labels[app]', 'x');
      // @ts-expect-error no such field
      review.deny('spec.template.spec.containers[0].env[1].valueFrom.secretRef.name', 'x');
    });
  });

  test('operations', () => {
    validating(WebApp, { on: ['CREATE'] }, (_, review) => {
      expectTypeOf(review.old).toEqualTypeOf<undefined>();
    });
    validating(WebApp, { on: ['UPDATE', 'DELETE'] }, (a, review) => {
      expectTypeOf(a).toEqualTypeOf<WebApp>();
      expectTypeOf(review.old).toEqualTypeOf<WebApp>();
    });
    validating(WebApp, { on: ['CREATE', 'UPDATE'], failurePolicy: 'Ignore' }, async (_, review) => {
      expectTypeOf(review.old).toEqualTypeOf<WebApp | undefined>();
      if (review.operation === 'UPDATE') expectTypeOf(review.old).toEqualTypeOf<WebApp>();
    });
    mutating(WebApp, (a, review) => {
      a.metadata.labels['x'] ??= 'y';
      a.spec.replicas = 3;
      expectTypeOf(review.operation).toEqualTypeOf<'CREATE' | 'UPDATE'>();
      // @ts-expect-error no such field
      a.spec.replcas = 3;
    });
    // @ts-expect-error no such operation
    validating(WebApp, { on: ['PATCH'] }, () => {});
  });
});

describe('operator', () => {
  const o = operator({
    name: 'x',
    controllers: [webapps({ dns }), controller(Deployment).reconcile(async () => {})],
    webhooks: [mutating(WebApp, () => {}), validating(Pod, () => {})],
    leaderElection: { lease: 'x', namespace: 'y', onStartedLeading: async ({ epoch }) => void epoch },
    cache: { policy: 'extend', resync: '10h' },
  });
  test('runs and starts', async () => {
    expectTypeOf(o).toEqualTypeOf<Operator>();
    await using manager = await o.start({ signal: new AbortController().signal });
    await manager.ready;
    expectTypeOf(await manager.client.get(WebApp, 'x')).toEqualTypeOf<Stored<WebApp>>();
    await manager.stop();
  });
  test('refuses', () => {
    // @ts-expect-error unknown option
    operator({ name: 'x', controlers: [] });
    // @ts-expect-error unknown option of leader election
    operator({ name: 'x', leaderElection: { leas: 'x' } });
    // @ts-expect-error no such policy
    operator({ name: 'x', cache: { policy: 'lax' } });
    // @ts-expect-error a builder is not a controller yet
    operator({ name: 'x', controllers: [controller(WebApp)] });
    // @ts-expect-error a function of dependencies is not a controller yet
    operator({ name: 'x', controllers: [webapps] });
    // @ts-expect-error no name
    operator({ controllers: [] });
  });

  test('cluster', async () => {
    await using env = await cluster({ operator: o });
    expectTypeOf(await env.client.create(WebApp.build({ name: 'a', spec: { image: 'b' } }))).toEqualTypeOf<
      Stored<WebApp>
    >();
    expectTypeOf(await env.eventually(Deployment, 'shop', (d) => d.spec?.replicas === 3)).toEqualTypeOf<
      Stored<Deployment>
    >();
    await env.eventually(Deployment, 'shop', { spec: { replicas: 3 } });
    await env.eventually(Deployment, 'shop', (d) => {
      expectTypeOf(d).toEqualTypeOf<Deployment>();
    });
    // @ts-expect-error no such field
    await env.eventually(Deployment, 'shop', (d) => d.spec?.replcas === 3);
    // @ts-expect-error no such field
    await env.eventually(Deployment, 'shop', { spec: { replcas: 3 } });
    // @ts-expect-error not an operator
    await cluster({ operator: webapps({ dns }) });
  });

  test('validate', () => {
    const verdict = validate(WebApp, {});
    if (verdict.valid) expectTypeOf(verdict.object).toEqualTypeOf<WebApp>();
    else expectTypeOf(verdict.errors[0]?.field).toEqualTypeOf<string | undefined>();
  });
});

describe('definition', () => {
  test('names, parse, at', () => {
    expectTypeOf(WebApp.names.kind).toEqualTypeOf<'WebApp'>();
    expectTypeOf(WebApp.names.shortNames).toEqualTypeOf<readonly string[]>();
    expectTypeOf(WebApp.parse(JSON.parse('{}'))).toEqualTypeOf<WebApp>();
    const old = Versioned.at('v1alpha1');
    expectTypeOf<(typeof old.prototype)['spec']>().toEqualTypeOf<{ image: string; count: string }>();
    expectTypeOf<NonNullable<(typeof old.prototype)['status']>['ready']>().toEqualTypeOf<boolean | undefined>();
    controller(Versioned).reconcile(async (v, ctx) => ctx.status({ ready: v.spec.replicas > 0 }));
    controller(old).reconcile(async (v) => void v.spec.count);
  });
});

declare function fetchId(name: string, options: { signal: AbortSignal }): Promise<number>;

describe('compose', () => {
  test('is typed by the object and what is declared', () => {
    const composed = controller(WebApp)
      .owns(Deployment)
      .owns(Service)
      .compose((object, observed) => {
        expectTypeOf(object).toEqualTypeOf<Stored<WebApp>>();
        expectTypeOf(observed.child(Deployment, 'shop')).toEqualTypeOf<Stored<Deployment> | undefined>();
        return { children: [[deploymentFor(object)], [serviceFor(object)]], status: { availableReplicas: 1 } };
      });
    expectTypeOf(composed).toEqualTypeOf<Controller<WebApp>>();
  });

  test('refuses what is not declared, and what a status does not have', () => {
    const deploying = controller(WebApp).owns(Deployment);
    // @ts-expect-error Service is not declared
    deploying.compose((object) => ({ children: [serviceFor(object)] }));
    // @ts-expect-error a status has no such field
    controller(WebApp).compose(() => ({ children: [], status: { nothing: 1 } }));
    // @ts-expect-error nothing is awaited
    controller(WebApp).compose(async () => ({ children: [] }));
  });
});
