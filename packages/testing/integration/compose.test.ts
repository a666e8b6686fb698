// The pure form of a controller, on the embedded server with a virtual clock.
import { type Composition, controller, observe, type Observed, operator, type Operator, readiness } from 'kilter';
import { customResource } from 'kilter/crd';
import { Deployment } from 'kilter/k8s/apps/v1';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cluster } from '../src/cluster/index.ts';
import { Thing, thing } from './thing.test-support.ts';

class Shop extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ image: z.string(), replicas: z.int().default(1), settings: z.array(z.string()).default([]) }),
  status: z.object({ available: z.int().optional(), password: z.string().optional() }),
}) {}

const deploymentFor = (shop: Shop, name: string): Deployment =>
  Deployment.build({
    name,
    spec: {
      replicas: shop.spec.replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image: shop.spec.image }] } },
    },
  });

/** Settings first, then the database, and the shop once the database is ready. */
function composeShop(shop: Shop, observed: Observed): Composition<Shop, ConfigMap | Deployment> {
  const { name } = shop.metadata;
  const settings = shop.spec.settings.map((key) => ConfigMap.build({ name: `${name}-${key}`, data: { key } }));
  return {
    children: [[...settings, deploymentFor(shop, `${name}-db`)], [deploymentFor(shop, name)]],
    status: {
      available: observed.child(Deployment, name)?.status?.availableReplicas ?? 0,
      password: observed.find(Secret, `${name}-password`)?.type ?? 'missing',
    },
  };
}

const shops = (): Operator =>
  operator({
    name: 'shops',
    controllers: [
      controller(Shop)
        .owns(Deployment)
        .owns(ConfigMap)
        .references(Secret, (shop) => `${shop.metadata.name}-password`)
        .compose(composeShop),
    ],
  });

const shop = (name: string, settings: string[] = []): Shop => Shop.build({ name, spec: { image: 'shop:1', settings } });
const readyOf = ({ status }: Shop) => status?.conditions?.find(({ type }) => type === 'Ready');

describe('a controller with .compose', () => {
  test('CP-7: is a plain function: nothing has to run to try it', () => {
    const { children, status } = composeShop(shop('a', ['x']), observe());
    expect(children.flat().map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ConfigMap a-x',
      'Deployment a-db',
      'Deployment a',
    ]);
    expect(status).toEqual({ available: 0, password: 'missing' });
    const there = { ...deploymentFor(shop('a'), 'a'), status: { availableReplicas: 2 } };
    expect(composeShop(shop('a'), observe({ children: [there] })).status).toMatchObject({ available: 2 });
  });

  test('CP-1, CP-2: applies its children in order, each step once what is before it is ready', async () => {
    await using env = await cluster({ operator: shops(), runtime: virtualRuntime(), rbac: 'derived' });
    await env.client.create(shop('a', ['x']));
    await env.eventually(Deployment, 'a', {});
    const made = env.requests
      .filter(({ method, path, status }) => method === 'PATCH' && status === 201 && path.includes('/namespaces/'))
      .map(({ path }) => path.split('?')[0]?.split('/').slice(-2).join('/'));
    expect(made).toEqual(['configmaps/a-x', 'deployments/a-db', 'deployments/a']);
    const ready = env.requests.findIndex(({ body }) => body?.includes('Deployment default/a-db: ') === true);
    const second = env.requests.findIndex(({ path, status }) => status === 201 && path.includes('/deployments/a?'));
    expect(ready).toBeGreaterThan(-1);
    expect(second).toBeGreaterThan(ready);
    const owner = (await env.client.get(Deployment, 'a')).metadata.ownerReferences;
    expect(owner).toMatchObject([{ kind: 'Shop', name: 'a', controller: true }]);
    await env.eventually(Shop, 'a', { status: { available: 1 } });
  });

  test('CP-2, CP-3: a later step that is there stays as it is while an earlier one is not ready, and nothing is deleted', async () => {
    await using env = await cluster({ operator: shops(), runtime: virtualRuntime() });
    await env.client.create(shop('a', ['x']));
    await env.ready(Shop, 'a');
    // Nobody rolls out what is paused: the first step is not ready until it continues.
    await env.client.patch(Deployment, 'a-db', { spec: { paused: true } });
    const before = await env.client.get(Deployment, 'a');
    await env.client.patch(Shop, 'a', { spec: { image: 'shop:2', settings: [] } });
    await env.eventually(Deployment, 'a-db', ({ spec }) => spec?.template.spec?.containers[0]?.image === 'shop:2');
    await env.eventually(Shop, 'a', (object) => readyOf(object)?.message.includes('a-db: ') === true);
    const after = await env.client.get(Deployment, 'a');
    expect([after.metadata.uid, after.metadata.generation]).toEqual([before.metadata.uid, before.metadata.generation]);
    expect(await env.client.find(ConfigMap, 'a-x')).toBeDefined();
    await env.client.patch(Deployment, 'a-db', { spec: { paused: null } });
    await env.gone(ConfigMap, 'a-x');
    await env.eventually(Deployment, 'a', ({ spec }) => spec?.template.spec?.containers[0]?.image === 'shop:2');
  });

  test('CP-3: what is not composed any more is deleted, and kept where the declaration says so', async () => {
    const compose = ({ spec }: Thing): Composition<Thing, ConfigMap | Secret> => {
      const names = Object.keys(spec.values);
      return {
        children: [...names.map((name) => ConfigMap.build({ name })), ...names.map((name) => Secret.build({ name }))],
      };
    };
    const things = controller(Thing).owns(ConfigMap).owns(Secret, { prune: false }).compose(compose);
    const both = operator({ name: 'o', controllers: [things] });
    expect(both.permissions().cluster.filter(({ verbs }) => verbs.includes('delete'))).toEqual([
      expect.objectContaining({ resources: ['configmaps'] }),
    ]);
    await using env = await cluster({ operator: both, runtime: virtualRuntime() });
    await env.client.create(thing('t', { a: '', b: '' }));
    await env.eventually(ConfigMap, 'b', {});
    await env.eventually(Secret, 'b', {});
    await env.client.patch(Thing, 't', { spec: { values: { b: null } } });
    await env.gone(ConfigMap, 'b');
    expect(await env.client.find(ConfigMap, 'a')).toBeDefined();
    expect(await env.client.find(Secret, 'b')).toBeDefined();
  });

  test('CP-3: a composition that asks to be made again is made again after that time, and prunes all the same', async () => {
    const compose = ({ spec }: Thing): Composition<Thing, ConfigMap | Deployment> => ({
      children: Object.keys(spec.values).map((name) => ConfigMap.build({ name })),
      again: '1h',
    });
    const things = controller(Thing).owns(ConfigMap).owns(Deployment).compose(compose);
    const runtime = virtualRuntime();
    await using env = await cluster({ operator: operator({ name: 'o', controllers: [things] }), runtime });
    await env.client.create(thing('t', { a: '', b: '' }));
    await env.eventually(ConfigMap, 'b', {});
    await env.client.patch(Thing, 't', { spec: { values: { b: null } } });
    await env.gone(ConfigMap, 'b');
    const runs = () => env.managers[0]?.runs.recent().length ?? 0;
    const before = runs();
    await runtime.clock.advance(59 * 60_000);
    expect(runs()).toBe(before);
    await runtime.clock.advance(120_000);
    expect(runs()).toBe(before + 1);
  });

  test('CP-4: reports a status with a Ready condition, and writes nothing when nothing changed', async () => {
    await using env = await cluster({ operator: shops(), runtime: virtualRuntime() });
    await env.client.create(shop('a'));
    const ready = await env.ready(Shop, 'a');
    expect(readyOf(ready)).toMatchObject({
      status: 'True',
      reason: 'ChildrenReady',
      message: '2 of 2 children are ready',
    });
    expect(readiness(ready).status).toBe('Current');
    await env.eventually(Shop, 'a', { status: { available: 1, password: 'missing', observedGeneration: 1 } });
    const writes = () => env.requests.filter(({ method }) => method !== 'GET').length;
    const before = writes();
    await env.client.patch(Shop, 'a', { metadata: { labels: { touched: 'yes' } } });
    await env.client.create(Secret.build({ name: 'other' }));
    await env.eventually(Shop, 'a', () => (env.managers[0]?.runs.recent().length ?? 0) > 0);
    expect(writes()).toBe(before);
    await env.client.create(Secret.build({ name: 'a-password', type: 'Opaque' }));
    await env.eventually(Shop, 'a', { status: { password: 'Opaque' } });
  });

  test('CP-4: leaves a Ready condition of its own alone', async () => {
    const things = controller(Thing).compose(() => ({
      children: [],
      status: { note: 'n', conditions: [{ type: 'Ready', status: false, reason: 'Mine', message: 'as I say' }] },
    }));
    await using env = await cluster({
      operator: operator({ name: 'o', controllers: [things] }),
      runtime: virtualRuntime(),
    });
    await env.client.create(thing('t'));
    const { status } = await env.eventually(Thing, 't', { status: { note: 'n' } });
    expect(status?.conditions).toMatchObject([{ type: 'Ready', reason: 'Mine' }]);
  });

  test.each([
    [
      'two children of one name',
      () => [ConfigMap.build({ name: 'x' }), ConfigMap.build({ name: 'x', namespace: 'default' })],
      'RECONCILE_COMPOSITION_INVALID',
      'two children are the same object: ConfigMap/default/x',
    ],
    [
      'a kind that is not declared',
      () => [ConfigMap.build({ name: 'y' }), Secret.build({ name: 'x' })],
      'RECONCILE_KIND_UNDECLARED',
      'does not declare Secret (v1)',
    ],
    ['nothing', () => undefined, 'RECONCILE_COMPOSITION_INVALID', 'children is not a list'],
  ])('CP-5: %s: nothing is applied, the error is coded, and others go on', async (_, children, code, message) => {
    const compose = (object: Thing): Composition<Thing, ConfigMap> => {
      if (object.metadata.name === 'good') return { children: [ConfigMap.build({ name: 'good' })] };
      return { children: children() as never };
    };
    const things = controller(Thing).owns(ConfigMap).compose(compose);
    await using env = await cluster({
      operator: operator({ name: 'o', controllers: [things] }),
      runtime: virtualRuntime(),
    });
    await env.client.create(thing('bad'));
    await env.client.create(thing('good'));
    await env.eventually(ConfigMap, 'good', {});
    const failed = env.managers[0]?.runs.recent().find(({ key }) => key === 'default/bad');
    expect(JSON.stringify(failed?.error)).toContain(code);
    expect(JSON.stringify(failed?.error)).toContain(message);
    const all = await env.client.list(ConfigMap, { namespace: 'default' });
    expect(all.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt')).toEqual(['good']);
  });

  test.each<[string, (observed: Observed) => unknown]>([
    ['a child', (observed) => observed.child(Secret, 'a')],
    ['the children', (observed) => observed.children(Secret)],
  ])('CP-5: %s of a kind that is not owned: asked for, that is a coded error, not an empty answer', async (_, look) => {
    const things = controller(Thing)
      .owns(ConfigMap)
      .reads(Secret)
      .compose((object, observed) => {
        observed.find(Secret, 'a');
        look(observed);
        return { children: [ConfigMap.build({ name: object.metadata.name })] };
      });
    const given = operator({ name: 'o', controllers: [things] });
    await using env = await cluster({ operator: given, runtime: virtualRuntime(), objects: [thing('a')] });
    await expect(env.eventually(ConfigMap, 'a', {}, { within: '1s' })).rejects.toThrow('it does not exist');
    const failed = JSON.stringify(env.managers[0]?.runs.recent()[0]?.error);
    expect(failed).toContain('RECONCILE_KIND_UNDECLARED');
    expect(failed).toContain('the controller does not own Secret, but asks for its children');
  });

  test('CP-6: a child that is refused keeps none of its step from being applied, and all behind it', async () => {
    const bad = ConfigMap.build({ name: 'UPPER', data: { a: 'b' } });
    const compose = (): Composition<Thing, ConfigMap> => ({
      children: [[bad, ConfigMap.build({ name: 'beside' })], [ConfigMap.build({ name: 'behind' })]],
    });
    const things = controller(Thing)
      .owns(ConfigMap)
      .onError((error) => ({ note: String(error).includes('UPPER') ? 'refused' : 'other' }))
      .compose(compose);
    await using env = await cluster({
      operator: operator({ name: 'o', controllers: [things] }),
      runtime: virtualRuntime(),
    });
    await env.client.create(thing('t'));
    await env.eventually(ConfigMap, 'beside', {});
    await env.eventually(Thing, 't', { status: { note: 'refused' } });
    expect(await env.client.find(ConfigMap, 'behind')).toBeUndefined();
  });
});
