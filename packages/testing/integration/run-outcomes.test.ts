// What follows a run, whatever it threw, returned or left behind; on the embedded server with a virtual clock.
import { controller, operator, requeueAfter } from 'kilter';
import { customResource } from 'kilter/crd';
import { ConfigMap, Namespace, Secret } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cluster } from '../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator } from './thing.test-support.ts';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly fields: Record<string, unknown>;
}

function recorder(lines: Line[] = []) {
  const at =
    (level: string) =>
    (fields: object | string, msg?: string): void => {
      const given = typeof fields === 'string' ? {} : fields;
      lines.push({ level, msg: typeof fields === 'string' ? fields : (msg ?? ''), fields: { ...given } });
    };
  const logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: () => logger };
  return { lines, logger };
}

const settle = 1000;

describe('a status', () => {
  test('CL-6: null takes a field away, once; types know it', async () => {
    const runtime = virtualRuntime();
    const given = thingOperator((builder) =>
      builder.every('1m').reconcile(async (object, ctx) => {
        await ctx.status({ note: object.spec.note ?? null, seen: 1 });
        // @ts-expect-error conditions are not taken away as a whole
        void (() => ctx.status({ conditions: null }));
      }),
    );
    await using env = await cluster({ operator: given, runtime });
    await env.client.create({ ...thing('a'), spec: { values: {}, note: 'x' } });
    await env.eventually(Thing, 'a', { status: { note: 'x' } });
    await env.client.patch(Thing, 'a', { spec: { note: null as never } });
    await env.eventually(Thing, 'a', ({ status }) => status?.note === undefined && status?.observedGeneration === 2);
    const before = env.requests.filter(({ method }) => method === 'PATCH').length;
    await runtime.clock.advance(300_000);
    expect(env.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(before);
  });

  test('CL-6: a kind without one is told so, before and after the server is asked', async () => {
    class Plain extends customResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Plain',
      spec: z.object({ a: z.string().optional() }),
    }) {}
    const runtime = virtualRuntime();
    const codes: string[] = [];
    const write = async (ctx: { status: (patch: never) => Promise<void> }) => {
      await ctx.status({ a: 1 } as never).catch((error: { code: string }) => codes.push(error.code));
    };
    const plains = controller(Plain).reconcile(async (_, ctx) => write(ctx));
    const maps = controller(ConfigMap, { fields: { 'metadata.name': 'map' } }).reconcile(async (_, ctx) => write(ctx));
    const given = operator({ name: 'x', logger: recorder().logger, controllers: [plains, maps] });
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(Plain.build({ name: 'a', namespace: 'default', spec: {} }));
    await runtime.clock.advance(settle);
    await env.client.create(ConfigMap.build({ name: 'map', namespace: 'default' }));
    await runtime.clock.advance(settle);
    expect(codes).toEqual(['RECONCILE_STATUS_MISSING', 'RECONCILE_STATUS_MISSING']);
    expect(() =>
      controller(Plain)
        .onError(() => undefined as never)
        .reconcile(async () => {}),
    ).toThrow('Plain has none');
  });

  test('ST-4: what an error set is taken out by the first success of another start, and costs nothing at rest', async () => {
    const runtime = virtualRuntime();
    const failing = { now: true };
    const given = () =>
      thingOperator((builder) =>
        builder
          .onError(() => ({
            note: 'failed',
            conditions: [
              { type: 'Ready', status: false, reason: 'Failed' },
              { type: 'Broken', status: true, reason: 'Failed' },
            ],
          }))
          .every('1m')
          .reconcile(async (_, ctx) => {
            if (failing.now) throw new Error('no');
            await ctx.status({ seen: 1, conditions: [{ type: 'Ready', status: true, reason: 'Yes' }] });
          }),
      );
    await using env = await cluster({ kinds: [Thing], runtime });
    const first = await given().start({ connection: env.connection, runtime });
    await env.client.create(thing('a'));
    await env.eventually(Thing, 'a', { status: { note: 'failed' } });
    const stopping = first.stop();
    await runtime.clock.advance(settle);
    await stopping;
    failing.now = false;
    await using second = await given().start({ connection: env.connection, runtime });
    const healed = await env.eventually(Thing, 'a', ({ status }) => status?.seen === 1 && status.note === undefined);
    await runtime.clock.advance(settle);
    const { status } = await env.client.get(Thing, 'a');
    expect(status?.conditions?.map(({ type, reason }) => `${type} ${reason}`)).toEqual(['Ready Yes']);
    expect(healed.metadata.uid).toBeDefined();
    const before = env.requests.filter(({ method }) => method !== 'GET').length;
    await runtime.clock.advance(600_000);
    expect(env.requests.filter(({ method }) => method !== 'GET')).toHaveLength(before);
    const ended = second.stop();
    await runtime.clock.advance(settle);
    await ended;
  });

  test('ST-4: the write for an error ends before its run does, and its failure is reported without hiding the first', async () => {
    const runtime = virtualRuntime();
    const { lines, logger } = recorder();
    const written: boolean[] = [];
    const given = thingOperator(
      (builder) =>
        builder
          .onError(() => ({ note: 'failed' }))
          .reconcile(async () => {
            throw new Error('first');
          }),
      { logger },
    );
    await using env = await cluster({ operator: given, runtime });
    env.managers[0]?.runs.subscribe(() =>
      written.push(env.requests.some(({ method, path }) => method === 'PATCH' && path.includes('/status'))),
    );
    await env.client.create(thing('a'));
    await env.eventually(Thing, 'a', { status: { note: 'failed' } });
    expect(written[0]).toBe(true);
    expect(lines.find(({ msg }) => msg === 'the run failed')?.fields['err']).toMatchObject({
      message: expect.stringContaining('first'),
    });
  });

  test.each<[string, () => unknown]>([
    ['a text', () => 'failed'],
    ['a list', () => ['failed']],
    ['invalid conditions', () => ({ conditions: 'Ready' })],
    ['a condition without a type', () => ({ conditions: [{ status: true }] })],
    ['a promise', () => Promise.reject(new Error('late'))],
  ])('RC-12, ST-4: %s from onError is refused and reported', async (_, patch) => {
    const runtime = virtualRuntime();
    const { lines, logger } = recorder();
    const given = thingOperator(
      (builder) =>
        builder
          .onError(() => patch() as never)
          .reconcile(async () => {
            throw new Error('first');
          }),
      { logger },
    );
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(thing('a'));
    await runtime.clock.advance(20);
    const told = lines.find(({ msg }) => msg.startsWith('the status of a failed run'));
    expect(told?.fields['err']).toMatchObject({ code: 'RECONCILE_STATUS_INVALID' });
    expect((await env.client.get(Thing, 'a')).status).toBeUndefined();
  });
});

describe('RC-16: what happens to every controller', () => {
  test('a conflict is one line without a stack, also where onError meets the same one', async () => {
    const runtime = virtualRuntime();
    const { lines, logger } = recorder();
    let interfere: (() => Promise<unknown>) | undefined;
    const given = thingOperator(
      (builder) =>
        builder
          .onError(() => ({ note: 'failed' }))
          .reconcile(async (object, ctx) => {
            await interfere?.();
            interfere = undefined;
            await ctx.status({ note: object.spec.note ?? 'none' });
          }),
      { logger },
    );
    await using env = await cluster({ operator: given, runtime });
    interfere = () => env.client.patch(Thing, 'a', { spec: { note: 'new' } });
    await env.client.create(thing('a'));
    await env.eventually(Thing, 'a', { status: { note: 'new' } });
    const loud = lines.filter(({ level }) => level === 'warn' || level === 'error');
    expect(loud.map(({ level, msg }) => `${level} ${msg}`)).toEqual(['warn the run failed']);
    expect(loud[0]?.fields).not.toHaveProperty('err');
    expect(loud[0]?.fields['error']).toContain('CLIENT_CONFLICT');
  });

  test('a terminating namespace is not an error of anybody', async () => {
    const runtime = virtualRuntime();
    const { lines, logger } = recorder();
    const held = { ...thing('a'), metadata: { name: 'a', namespace: 'shop', finalizers: ['example.com/hold'] } };
    await using env = await cluster({ kinds: [Thing], runtime, objects: [Namespace.build({ name: 'shop' }), held] });
    await env.client.delete(Namespace, 'shop');
    await env.start(
      operator({
        name: 'x',
        logger,
        controllers: [
          controller(Thing, { deleting: true })
            .owns(ConfigMap)
            .reconcile(async (object, ctx) => void (await ctx.apply(configFor(object)))),
        ],
      }),
    );
    await runtime.clock.advance(5000);
    const failed = lines.filter(({ msg }) => msg === 'the run failed');
    expect(failed.length).toBeGreaterThan(1);
    expect(new Set(failed.map(({ level }) => level))).toEqual(new Set(['info']));
    expect(failed[0]?.fields).not.toHaveProperty('err');
  });
});

describe('anything can be thrown or returned', () => {
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
      has: () => {
        throw new Error('no');
      },
      getPrototypeOf: () => {
        throw new Error('no');
      },
    },
  );
  const frozen = Object.freeze(new Error('frozen'));
  const cyclic: Record<string, unknown> = { name: 'cycle' };
  cyclic['self'] = cyclic;
  const secret = Secret.build({ name: 's', namespace: 'default', stringData: { password: 'hunter2' } });
  test.each<[string, unknown, string]>([
    ['undefined', undefined, 'a thrown undefined'],
    ['null', null, 'a thrown object: null'],
    ['a text', 'boom', "a thrown string: 'boom'"],
    ['a plain object', { reason: 'boom', nested: { a: 1 } }, "reason: 'boom'"],
    ['a frozen error', frozen, 'frozen'],
    ['a proxy that defends itself', hostile, 'a thrown object'],
    ['a cycle', cyclic, 'Circular'],
    ['a symbol', Symbol('boom'), 'Symbol(boom)'],
    ['a Secret', secret, 'Secret default/s'],
  ])('RC-6, RC-20: %s', async (_, thrown, words) => {
    const runtime = virtualRuntime();
    const { lines, logger } = recorder();
    let runs = 0;
    const given = thingOperator(
      (builder) =>
        builder
          .onError((error) => ({ note: typeof error }))
          .reconcile(async (object, ctx) => {
            await ctx.apply(configFor(object));
            runs += 1;
            if (runs < 3) throw thrown;
          }),
      { logger },
    );
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(thing('a', { x: '1' }));
    await runtime.clock.advance(settle);
    expect(runs).toBeGreaterThanOrEqual(3);
    const failed = lines.find(({ msg }) => msg === 'the run failed');
    const message = (failed?.fields['err'] as Error | undefined)?.message;
    expect(message).toContain(words);
    expect(message).not.toContain('hunter2');
    expect(lines.some(({ msg }) => msg.includes('could not be concluded'))).toBe(false);
  });

  test.each<[string, unknown]>([
    ['a number', 5],
    ['an object of controller-runtime', { RequeueAfter: 5 }],
    ['null', null],
  ])('RC-12: %s returned is a coded error', async (_, value) => {
    const runtime = virtualRuntime();
    const given = thingOperator((builder) => builder.reconcile(async () => value as undefined));
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(thing('a'));
    await runtime.clock.advance(50);
    expect(env.managers[0]?.runs.recent()[0]?.error).toContain('RECONCILE_RESULT_INVALID');
  });

  test('IN-17: a reconciler that spoils its object spoils nobody else’s', async () => {
    const runtime = virtualRuntime();
    const given = thingOperator((builder) =>
      builder.every('1m').reconcile(async (object, ctx) => {
        await ctx.apply(configFor(object));
        for (const key of Object.keys(object)) delete (object as unknown as Record<string, unknown>)[key];
        await ctx.status({ seen: 1 });
      }),
    );
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(thing('a', { x: '1' }));
    await runtime.clock.advance(120_000);
    expect((await env.client.get(Thing, 'a')).status?.seen).toBe(1);
    expect(env.managers[0]?.runs.recent().every(({ result }) => result === 'success')).toBe(true);
  });

  test('PH-6: mappers, predicates and indexes that answer rubbish lose nothing and say so', async () => {
    const runtime = virtualRuntime();
    const { lines, logger } = recorder();
    const seen: string[] = [];
    const late = (): Promise<never> => Promise.reject(new Error('late'));
    const rubbish = () => [5, { a: 1 }, 'b', [], null, hostile, late(), 'c/d', '', { name: 'a', namespace: 3 }];
    const given = controller(Thing)
      .watches(ConfigMap, rubbish as never, { fields: { 'metadata.name': 'map' } })
      .watches(Secret, (async () => 'a') as never, { when: (async () => false) as never })
      .references(Secret, (() => 7) as never)
      .index('wrong', (async () => 'x') as never)
      .index('number', (() => [1]) as never)
      .index('many', () => Array.from({ length: 100_000 }, (_, n) => String(n % 10)))
      .reconcile(async ({ metadata }, ctx) => {
        seen.push(metadata.name);
        if (metadata.name === 'a') seen.push(...ctx.primaries.by('many', '3').map(({ name }) => `3:${name}`));
      });
    await using env = await cluster({ operator: operator({ name: 'x', logger, controllers: [given] }), runtime });
    for (const name of ['a', 'b']) await env.client.create(thing(name));
    await runtime.clock.advance(settle);
    expect(seen).toEqual(['a', '3:a', 'b']);
    seen.length = 0;
    await env.client.create(ConfigMap.build({ name: 'map', namespace: 'default' }));
    await runtime.clock.advance(settle);
    expect(seen).toEqual(['b']);
    await env.client.create(Secret.build({ name: 's', namespace: 'default' }));
    await runtime.clock.advance(settle);
    const codes = new Set(lines.map(({ fields }) => (fields['err'] as { code?: string } | undefined)?.code));
    expect(codes).toContain('TRIGGER_TARGET_INVALID');
    expect(codes).toContain('TRIGGER_INDEX_INVALID');
    expect(codes).toContain('TRIGGER_PREDICATE_INVALID');
    expect(lines.every(({ level, msg }) => level !== 'error' || msg !== '')).toBe(true);
  });
});

test('AP-6: children are pruned before the run ends', async () => {
  const runtime = virtualRuntime();
  const left: number[] = [];
  const given = thingOperator((builder) =>
    builder.owns(ConfigMap, { prune: true }).reconcile(async (object, ctx) => {
      for (const name of Object.keys(object.spec.values)) await ctx.apply(ConfigMap.build({ name, data: {} }));
    }),
  );
  await using env = await cluster({ operator: given, runtime });
  await env.client.create(thing('a', { one: '', two: '' }));
  await env.eventually(ConfigMap, 'two', {});
  await runtime.clock.advance(1000);
  env.managers[0]?.runs.subscribe(() => left.push(env.requests.filter(({ method }) => method === 'DELETE').length));
  await env.client.patch(Thing, 'a', { spec: { values: { two: null as never } } });
  await env.gone(ConfigMap, 'two');
  // The child is gone a moment before the run that removed it has ended.
  await runtime.clock.advance(1000);
  expect(left[0]).toBe(1);
});

test('AP-6: a run that asks to be run again prunes nothing, and that is said once', async () => {
  const runtime = virtualRuntime();
  const { lines, logger } = recorder();
  const given = thingOperator(
    (builder) =>
      builder.owns(ConfigMap, { prune: true }).reconcile(async (object, ctx) => {
        for (const name of Object.keys(object.spec.values)) await ctx.apply(ConfigMap.build({ name, data: {} }));
        return requeueAfter('10s', 'poll');
      }),
    { logger },
  );
  await using env = await cluster({ operator: given, runtime });
  await env.client.create(thing('a', { one: '', two: '' }));
  await env.eventually(ConfigMap, 'two', {});
  await env.client.patch(Thing, 'a', { spec: { values: { two: null as never } } });
  await runtime.clock.advance(60_000);
  expect(await env.client.find(ConfigMap, 'two')).toBeDefined();
  const told = lines.filter(({ msg }) => msg.includes('are kept'));
  expect(told.map(({ fields }) => fields['children'])).toEqual([['default/two']]);
});

test('IN-5, AP-3: nothing is kept of an object that is gone: its namesake starts afresh', async () => {
  const runtime = virtualRuntime();
  let another: (() => Promise<unknown>) | undefined;
  const given = thingOperator((builder) =>
    builder
      .onError(() => ({ note: 'failed' }))
      .reconcile(async (object, ctx) => {
        await ctx.apply(ConfigMap.build({ name: 'shared', data: { a: '1' } }), { owner: false });
        if (object.spec.note === 'bad') throw new Error('no');
        await another?.();
        await ctx.status({ seen: 1 });
      }),
  );
  await using env = await cluster({ operator: given, runtime });
  await env.client.create({ ...thing('a'), spec: { values: {}, note: 'bad' } });
  await env.eventually(Thing, 'a', { status: { note: 'failed' } });
  await env.client.delete(Thing, 'a');
  await env.gone(Thing, 'a');
  await runtime.clock.advance(settle);
  const applies = () =>
    env.requests.filter(({ method, path }) => method === 'PATCH' && path.includes('/shared')).length;
  const before = applies();
  another = () => env.client.patch(Thing, 'a', { status: { note: 'of another' } }, { subresource: 'status' });
  await env.client.create(thing('a'));
  await env.eventually(Thing, 'a', { status: { seen: 1 } });
  await runtime.clock.advance(settle);
  expect(applies()).toBe(before + 1);
  expect((await env.client.get(Thing, 'a')).status?.note).toBe('of another');
});
