// CL-18 where users meet it: in a run, on the cache of a running operator, in a test.
import { ConfigMap } from 'kilter/k8s/core/v1';
import { expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { controlPlane, installControlPlane, roundTrips, validate } from '../src/index.ts';
import { Thing, thing, thingOperator } from './thing.test-support.ts';

const refusal = async (call: (options: never) => unknown): Promise<string> => {
  const thrown: unknown = await (async () => call({ forse: true } as never))().catch((error: unknown) => error);
  return String(thrown);
};

test('CL-18: neither a run nor the cache takes an option that is misspelled', async () => {
  const told: [string, string][] = [];
  const operator = thingOperator((things) =>
    things.reconcile(async ({ metadata: { name } }, ctx) => {
      const calls: Record<string, (options: never) => unknown> = {
        'ctx.apply': (options) => ctx.apply(ConfigMap.build({ name }), options),
        'ctx.status': (options) => ctx.status({}, options),
        'ctx.fence': (options) => ctx.fence(async () => {}, options),
        'ctx.event': (options) => ctx.event('Normal', 'Tried', 'tried', options),
        'cache.get': (options) => ctx.cache.get(Thing, name, options),
        'cache.find': (options) => ctx.cache.find(Thing, name, options),
        'cache.list': (options) => ctx.cache.list(Thing, options),
        'cache.each': (options) => ctx.cache.each(Thing, options),
        get: (options) => ctx.client.get(Thing, name, options),
        find: (options) => ctx.client.find(Thing, name, options),
        list: (options) => ctx.client.list(Thing, options),
      };
      for (const [what, call] of Object.entries(calls)) told.push([what, await refusal(call)]);
      await ctx.status({ seen: 1 });
    }),
  );
  await using env = await cluster({ operator });
  await env.client.create(thing('a'));
  await env.eventually(Thing, 'a', { status: { seen: 1 } });
  const [manager] = env.managers;
  told.push(['cache.changes', await refusal((options) => manager?.cache.changes(Thing, options))]);
  expect(new Set(told.map(([what]) => what)).size).toBe(12);
  for (const [what, text] of told) expect(text).toContain(`${what} has no option 'forse'; it has `);
  expect(await env.client.find(ConfigMap, 'a')).toBeUndefined();
});

test('CL-18: nor does a test', async () => {
  await using env = await cluster();
  const calls: Record<string, (options: never) => unknown> = {
    cluster,
    eventually: (options) => env.eventually(ConfigMap, 'kube-root-ca.crt', {}, options),
    ready: (options) => env.ready(ConfigMap, 'kube-root-ca.crt', options),
    gone: (options) => env.gone(ConfigMap, 'a', options),
    controlPlane,
    installControlPlane,
    validate: (options) => validate(Thing, thing('a'), options),
    roundTrips: (options) => roundTrips(Thing as never, options),
  };
  for (const [what, call] of Object.entries(calls)) {
    const text = await refusal(call);
    expect(text).toContain(`${what} has no option 'forse'; it has `);
    expect(text).toContain('TESTING_OPTION_INVALID');
  }
  // Also where no control plane is started: the same test may run on one.
  await expect(cluster({ controlPlane: { nods: 1 } as object })).rejects.toThrow("controlPlane has no option 'nods'");
});

test('CL-18: neither a controller nor nothing is taken for an operator, and nothing is expected of no object', async () => {
  const controllerAlone = thingOperator((things) => things.reconcile(async () => {})).controllers[0];
  await expect(cluster({ operator: controllerAlone as never })).rejects.toThrow(
    /^cluster: .* is not an operator \(TESTING_/,
  );
  await expect(cluster({ operator: [undefined] as never })).rejects.toThrow('cluster: undefined is not an operator');
  await using env = await cluster({ objects: [ConfigMap.build({ name: 'a', namespace: 'default' })] });
  await expect(env.start(undefined as never)).rejects.toThrow('start: undefined is not an operator');
  const wait = env.eventually(ConfigMap, 'a', undefined as never);
  await expect(wait).rejects.toThrow('eventually: expected is undefined (TESTING_OPTION_INVALID: give a pattern');
  for (const nothing of [Promise.resolve({ data: {} }), new Map([['data', {}]]), new Date(), []]) {
    const everything = env.eventually(ConfigMap, 'a', nothing as never);
    await expect(everything).rejects.toThrow(/^eventually: expected is .* \(TESTING_OPTION_INVALID: give a pattern/);
  }
  await env.eventually(ConfigMap, 'a', {});
});

test.each<[string, object]>([
  ['labels', { app: undefined }],
  ['labels', { app: 'a,b' }],
  ['labels', new Map([['app', 'a']])],
  ['fields', { app: undefined }],
  ['fields', [1]],
])('CL-18: %s as %o are refused by every read, not taken for others', async (option, wrong) => {
  await using env = await cluster({ operator: thingOperator((things) => things.reconcile(async () => {})) });
  const [manager] = env.managers;
  const given = { [option]: wrong };
  const reads = [
    () => env.client.list(ConfigMap, given),
    () => manager?.client.list(ConfigMap, given),
    () => manager?.cache.list(ConfigMap, given),
    () => env.client.watch(ConfigMap, given),
    ...(option === 'labels' ? [() => manager?.cache.changes(ConfigMap, given)] : []),
  ];
  for (const read of reads) {
    await expect((async () => read())()).rejects.toThrow(
      /^(labels|fields): .*\((CLIENT_OPTION|CACHE_SELECTOR)_INVALID/,
    );
  }
});

test.each(['eventually', 'ready', 'gone', 'install'] as const)('CL-18: %s takes a kind, and a name', async (what) => {
  await using env = await cluster();
  const call = env[what].bind(env) as (...given: unknown[]) => Promise<unknown>;
  const object = ConfigMap.build({ name: 'a', namespace: 'default' });
  for (const wrong of [undefined, null, 'ConfigMap', object]) {
    await expect(call(wrong, 'a', {})).rejects.toThrow(
      /^\w+: .* is not a kind \(TESTING_OPTION_INVALID: give the kind itself/,
    );
  }
  if (what === 'install') return;
  for (const wrong of [undefined, null, 5, object]) {
    await expect(call(ConfigMap, wrong, {})).rejects.toThrow(
      /^\w+: .* is not a name \(TESTING_OPTION_INVALID: give the name, \{ namespace, name \}/,
    );
  }
});
