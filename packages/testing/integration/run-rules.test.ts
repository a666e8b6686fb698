// What a run may count on and what never happens around it; on the embedded server with a virtual clock.
import { type Controller, controller, type ControllerBuilder, operator, requeueAfter } from 'kilter';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator } from './thing.test-support.ts';

const settle = 1000;

test('FI-7: watches, owners, references and timers add no finalizer', async () => {
  const runtime = virtualRuntime();
  const given = thingOperator((builder) =>
    builder
      .watches(Secret, () => 'a')
      .references(Secret, ({ spec }) => spec.note)
      .every('1m')
      .reconcile(async (object, ctx) => {
        await ctx.apply(configFor(object));
        await ctx.status({ seen: 1 });
        return requeueAfter('10s', 'poll');
      }),
  );
  await using env = await cluster({ operator: given, runtime });
  await env.client.create(Secret.build({ name: 's', namespace: 'default' }));
  await env.client.create({ ...thing('a', { x: '1' }), spec: { values: {}, note: 's' } });
  await runtime.clock.advance(120_000);
  const objects = [
    await env.client.get(Thing, 'a'),
    await env.client.get(ConfigMap, 'a'),
    await env.client.get(Secret, 's'),
  ];
  expect(objects.map(({ metadata }) => metadata.finalizers)).toEqual([undefined, undefined, undefined]);
});

test('FI-7: a cleanup adds its finalizer to the object, and to nothing else', async () => {
  const runtime = virtualRuntime();
  const given = thingOperator((builder) =>
    builder
      .cleanup('example.com/x', async () => undefined)
      .reconcile(async (object, ctx) => void (await ctx.apply(configFor(object)))),
  );
  await using env = await cluster({ operator: given, runtime });
  await env.client.create(thing('a'));
  await runtime.clock.advance(settle);
  const { metadata } = await env.client.get(Thing, 'a');
  const child = await env.client.get(ConfigMap, 'a');
  expect([metadata.finalizers, child.metadata.finalizers]).toEqual([['example.com/x'], undefined]);
});

test('RC-17: one key at a time unless told, never more than told, and exported', async () => {
  const runtime = virtualRuntime();
  for (const [workers, expected] of [
    [undefined, 1],
    [3, 3],
  ] as const) {
    let running = 0;
    let most = 0;
    const gate = Promise.withResolvers<void>();
    const given = thingOperator((builder) =>
      (workers === undefined ? builder : builder.concurrency(workers)).reconcile(async () => {
        running += 1;
        most = Math.max(most, running);
        await gate.promise;
        running -= 1;
      }),
    );
    await using env = await cluster({ operator: given, runtime });
    for (let n = 0; n < 9; n += 1) await env.client.create(thing(`t${n}`));
    await runtime.clock.advance(settle);
    expect(most).toBe(expected);
    gate.resolve();
    await runtime.clock.advance(settle);
    expect(most).toBe(expected);
    expect(env.managers[0]?.metrics()).toContain(
      `controller_runtime_max_concurrent_reconciles{controller="thing"} ${expected}`,
    );
  }
  for (const wrong of [0, -1, 1.5, Infinity, Number.NaN]) {
    expect(() =>
      controller(Thing)
        .concurrency(wrong)
        .reconcile(async () => {}),
    ).toThrow('concurrency');
  }
});

test('PH-10: a foreign change right behind an own write is not taken for its echo', async () => {
  const runtime = virtualRuntime();
  let interfere: (() => Promise<unknown>) | undefined;
  const given = thingOperator((builder) =>
    builder.reconcile(async (object, ctx) => {
      await ctx.apply(configFor(object));
      await interfere?.();
      interfere = undefined;
    }),
  );
  await using env = await cluster({ operator: given, runtime });
  // While the run that wrote the child is still under way, somebody deletes it.
  interfere = () => env.client.delete(ConfigMap, 'a');
  const { metadata } = await env.client.create(thing('a', { x: '1' }));
  await runtime.clock.advance(settle);
  const again = await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
  expect(again.metadata.ownerReferences?.[0]?.uid).toBe(metadata.uid);
});

test('PH-10: every change of others is followed: of a child, its deletion, and the object; what changes nothing is not written', async () => {
  const runtime = virtualRuntime();
  let runs = 0;
  const given = thingOperator((builder) =>
    builder.reconcile(async (object, ctx) => {
      runs += 1;
      await ctx.apply(configFor(object));
      await ctx.status({ seen: 1 });
    }),
  );
  await using env = await cluster({ operator: given, runtime });
  await env.client.create(thing('a', { x: '1' }));
  await runtime.clock.advance(settle);
  const dataAfter = async (change: () => Promise<unknown>) => {
    await change();
    await runtime.clock.advance(settle);
    return (await env.client.find(ConfigMap, 'a'))?.data;
  };
  expect(await dataAfter(() => env.client.patch(ConfigMap, 'a', { data: { x: 'theirs' } }))).toEqual({ x: '1' });
  expect(await dataAfter(() => env.client.delete(ConfigMap, 'a'))).toEqual({ x: '1' });
  const changed = () => env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
  expect(await dataAfter(changed)).toEqual({ x: '2' });
  const [before, ran] = [env.requests.length, runs];
  await dataAfter(() => env.client.patch(Thing, 'a', { metadata: { labels: { touched: 'yes' } } }));
  expect(runs).toBe(ran + 1);
  const writes = env.requests.slice(before).filter(({ method, path }) => method !== 'GET' && !path.includes('touched'));
  expect(writes.filter(({ path }) => /configmaps|status/.test(path))).toEqual([]);
});

test('CS-4: causes hold no content, and what they say changes nothing', async () => {
  const runtime = virtualRuntime();
  const causes: unknown[] = [];
  const given = thingOperator((builder) =>
    builder
      .references(Secret, ({ spec }) => spec.note)
      .reconcile(async (_, ctx) => {
        causes.push(...structuredClone(ctx.causes));
        // A reconciler may do what it likes with them.
        (ctx.causes as unknown[]).length = 0;
      }),
  );
  await using env = await cluster({ operator: given, runtime });
  await env.client.create({ ...thing('a'), spec: { values: {}, note: 's' } });
  await env.client.create(Secret.build({ name: 's', namespace: 'default', stringData: { password: 'hunter2' } }));
  await runtime.clock.advance(settle);
  const allowed = ['source', 'change', 'kind', 'ref', 'resourceVersion', 'reason', 'count', 'firstAt', 'lastAt'];
  expect(causes.length).toBeGreaterThan(1);
  expect(causes.flatMap((cause) => Object.keys(cause as object)).filter((key) => !allowed.includes(key))).toEqual([]);
  // As it was sent, and as the server shows it.
  expect(JSON.stringify(causes)).not.toMatch(/hunter2|aHVudGVyMg/);
  expect(env.managers[0]?.runs.recent().every((run) => run.causes.length > 0)).toBe(true);
});

test('RC-26: a write nobody waits for is told with its target; one that is awaited, or left by a failure, is not', async () => {
  const runtime = virtualRuntime();
  let late: () => Promise<unknown> = () => Promise.resolve();
  const forgetful = controller(Thing)
    .owns(ConfigMap)
    .reconcile(async (object, ctx) => {
      const { name } = object.metadata;
      if (name === 'awaited') await ctx.apply(configFor(object));
      if (name === 'forgotten') void ctx.apply(configFor(object));
      if (name === 'kept') late = () => ctx.client.patch(Thing, 'kept', { spec: { note: 'late' } });
      if (name !== 'failed') return;
      void ctx.client.patch(Thing, name, { spec: { note: 'x' } });
      throw new Error('on purpose');
    });
  const given = operator({ name: 'forgetful', controllers: [forgetful] });
  await using env = await cluster({ operator: given, runtime });
  const told = (): string[] => env.log.filter((line) => line.includes('RECONCILE_NOT_AWAITED'));
  for (const name of ['awaited', 'forgotten', 'kept', 'failed']) await env.client.create(thing(name));
  await runtime.clock.advance(settle);
  expect(told()).toEqual([expect.stringContaining('without waiting for: apply ConfigMap default/forgotten')]);
  await late();
  expect(told()[1]).toContain('without waiting for: patch Thing.example.com default/kept');
});

test.each<[string, (builder: ControllerBuilder<Thing>) => Controller<Thing>]>([
  [
    'while what was not applied is pruned',
    (builder) =>
      builder.owns(ConfigMap, { prune: true }).reconcile(async (object, ctx) => {
        if (object.spec.note === undefined) await ctx.apply(ConfigMap.build({ name: 'old' }));
        else void ctx.apply(configFor(object));
      }),
  ],
  [
    'while a finalizer is taken away',
    (builder) =>
      builder
        .owns(ConfigMap)
        .cleanup('example.com/forgetful', async (object, ctx) => {
          void ctx.apply(configFor(object));
        })
        .reconcile(async () => {}),
  ],
])('RC-26: a write that nobody waits for and that ends %s is told once', async (_, build) => {
  const runtime = virtualRuntime();
  const given = operator({ name: 'forgetful', controllers: [build(controller(Thing))] });
  await using env = await cluster({ operator: given, runtime });
  await env.client.create(thing('forgotten'));
  await runtime.clock.advance(settle);
  await env.client.patch(Thing, 'forgotten', { spec: { note: 'x' } });
  await runtime.clock.advance(settle);
  await env.client.delete(Thing, 'forgotten');
  await runtime.clock.advance(settle);
  const told = env.log.filter((line) => line.includes('RECONCILE_NOT_AWAITED'));
  expect(told).toEqual([expect.stringContaining('without waiting for: apply ConfigMap default/forgotten')]);
});

test('RC-26: a write that was sent, and is not answered when the run returns, is told once', async () => {
  const runtime = virtualRuntime();
  const forgetful = controller(Thing).reconcile(async ({ metadata: { name } }, ctx) => {
    if (name !== 'slow') return;
    void ctx.client.patch(Thing, name, { metadata: { annotations: { by: 'run' } } });
    await ctx.live.get(Thing, 'other');
  });
  const given = operator({ name: 'forgetful', controllers: [forgetful] });
  await using env = await cluster({ backend: 'embedded', operator: given, runtime });
  await env.client.create(thing('other'));
  env.server.fail({ kind: 'Thing', verb: 'patch', times: 1, fault: { type: 'delay', ms: 5000 } });
  await env.client.create(thing('slow'));
  await runtime.clock.advance(1000);
  const told = env.log.filter((line) => line.includes('RECONCILE_NOT_AWAITED'));
  expect(told).toEqual([expect.stringContaining('without waiting for: patch Thing.example.com default/slow')]);
  await runtime.clock.advance(5000);
  expect((await env.client.get(Thing, 'slow')).metadata.annotations).toEqual({ by: 'run' });
});
