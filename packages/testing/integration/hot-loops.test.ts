import { type Controller, controller, type ControllerBuilder, type Logger, operator } from 'kilter';
import { ConfigMap, Event } from 'kilter/k8s/core/v1';
import { systemRuntime, virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { Thing, thing, thingOperator } from './thing.test-support.ts';

type Builder = ControllerBuilder<Thing, ConfigMap>;

/** Warnings and what follows them, as they were logged. */
function recorder(): { logger: Logger; lines: { message: string; fields: Record<string, unknown> }[] } {
  const lines: { message: string; fields: Record<string, unknown> }[] = [];
  const take = (fields: object | string, message = ''): void => {
    if (typeof fields !== 'string') lines.push({ message, fields: { ...fields } });
  };
  const logger: Logger = { debug: () => undefined, info: take, warn: take, error: take, child: () => logger };
  return { logger, lines };
}

const counting = (builder: Builder, state: { n: number }): Controller<Thing> =>
  builder.reconcile(async (object, ctx) => {
    if (object.spec.note !== 'calm') state.n += 1;
    await ctx.apply(ConfigMap.build({ name: object.metadata.name, data: { n: String(state.n), fixed: 'x' } }));
  });

describe('RC-18: a controller that wakes itself', () => {
  test('is named with its field in log, metric and Event, slowed down, and recovers when the loop ends', async () => {
    const { logger, lines } = recorder();
    const state = { n: 0 };
    const given = thingOperator((builder) => counting(builder, state), { logger });
    const runtime = virtualRuntime();
    await using env = await cluster({ operator: given, runtime, hotLoops: 'allow' });
    await env.client.create(thing('a'));
    await runtime.clock.advance(1000);
    const found = lines.filter(({ fields }) => fields['code'] === 'CONTROLLER_HOT_LOOP');
    expect(found).toHaveLength(1);
    expect(found[0]?.fields).toMatchObject({ loop: 'self-waking', target: 'ConfigMap default/a', fields: ['data.n'] });
    expect(found[0]?.message).toContain('thing triggers itself');
    expect(env.managers[0]?.metrics()).toContain('kilter_hot_loops_total{controller="thing",loop="self-waking"} 1');
    expect(env.managers[0]?.metrics()).toContain('kilter_hot_loop_keys{controller="thing"} 1');
    await runtime.clock.advance(600_000);
    const events = await env.client.list(Event, { namespace: 'default' });
    const told = events.filter(({ reason, type }) => reason === 'HotLoop' && type === 'Warning');
    expect(told.map(({ involvedObject }) => involvedObject.name)).toContain('a');
    // Half a minute between two runs in the end: slowed down, never stopped.
    const before = state.n;
    await runtime.clock.advance(300_000);
    expect(state.n - before).toBeGreaterThanOrEqual(9);
    expect(state.n - before).toBeLessThanOrEqual(11);

    await env.client.patch(Thing, 'a', { spec: { note: 'calm' } });
    await runtime.clock.advance(60_000);
    const rest = state.n;
    expect(lines.some(({ message }) => message === 'the hot loop has ended')).toBe(true);
    expect(env.managers[0]?.metrics()).toContain('kilter_hot_loop_keys{controller="thing"} 0');
    await env.client.patch(Thing, 'a', { spec: { values: { x: 'y' } } });
    await runtime.clock.advance(10);
    expect([state.n, env.managers[0]?.runs.recent().at(-1)?.hotLoop]).toEqual([rest, undefined]);
  });

  test.each([['virtual'], ['real']])('fails a test within a second, on a %s clock', async (which) => {
    const runtime = which === 'virtual' ? virtualRuntime() : systemRuntime;
    const use = async (): Promise<void> => {
      const given = thingOperator((builder) => counting(builder, { n: 0 }));
      await using env = await cluster({ backend: 'embedded', operator: given, runtime });
      await env.client.create(thing('a'));
      await env.eventually(ConfigMap, 'a', { data: { n: 'never' } });
    };
    const start = systemRuntime.clock.monotonic();
    await expect(use()).rejects.toThrow(
      expect.objectContaining({
        code: 'TESTING_HOT_LOOP',
        message: expect.stringMatching(/the controller thing loops on default\/a: data\.n of ConfigMap default\/a/),
      }),
    );
    // A second on an idle machine.
    expect(systemRuntime.clock.monotonic() - start).toBeLessThan(5000);
  });

  test('a status that changes on every run and wakes it is named too', async () => {
    let n = 0;
    const { logger, lines } = recorder();

    const restless = controller(Thing, { statusUpdates: true }).reconcile(async (_, ctx) => {
      await ctx.status({ seen: (n += 1) });
    });
    const runtime = virtualRuntime();
    const given = operator({ name: 'o', logger, controllers: [restless] });
    await using env = await cluster({ operator: given, runtime, hotLoops: 'allow' });
    await env.client.create(thing('a'));
    await runtime.clock.advance(1000);
    expect(lines.filter(({ fields }) => fields['code'] === 'CONTROLLER_HOT_LOOP')).toMatchObject([
      { fields: { loop: 'self-waking', target: 'Thing.example.com default/a/status', fields: ['status.seen'] } },
    ]);
  });

  test('RC-25: a status that only timers change is named once for all objects, and not slowed down', async () => {
    const runs: number[] = [];
    const { logger, lines } = recorder();
    const runtime = virtualRuntime();
    const given = thingOperator(
      (builder) =>
        builder.every('30s').reconcile(async (_, ctx) => {
          runs.push(runtime.clock.monotonic());
          await ctx.status({ note: String(runtime.clock.now()) });
        }),
      { logger },
    );
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(thing('a'));
    await env.client.create(thing('b'));
    await runtime.clock.advance(600_000);
    const found = lines.filter(({ fields }) => fields['code'] === 'CONTROLLER_HOT_LOOP');
    expect(found).toMatchObject([{ fields: { loop: 'restless-status', fields: ['status.note'] } }]);
    expect(runs.length).toBeGreaterThanOrEqual(2 * 19);
  });

  test('work that comes to an end is not a loop: ten steps by own writes, and a thousand changes of others', async () => {
    const { logger, lines } = recorder();
    const given = thingOperator(
      (builder) =>
        builder.reconcile(async (object, ctx) => {
          const step = Math.min(9, Number((await ctx.owned(ConfigMap))[0]?.data?.['step'] ?? 0) + 1);
          const data = { step: String(step), note: object.spec.note ?? '' };
          await ctx.apply(ConfigMap.build({ name: object.metadata.name, data }));
        }),
      { logger },
    );
    const runtime = virtualRuntime();
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(thing('a'));
    await env.eventually(ConfigMap, 'a', { data: { step: '9' } });
    for (let i = 0; i < 50; i += 1) {
      await env.client.patch(Thing, 'a', { spec: { note: String(i) } });
      await runtime.clock.advance(10);
    }
    await env.eventually(ConfigMap, 'a', { data: { note: '49' } });
    expect(lines.filter(({ fields }) => fields['code'] === 'CONTROLLER_HOT_LOOP')).toEqual([]);
  });
});

describe('AP-4, RC-18: a field that flaps between two writers', () => {
  const fixed = (value: string) => (builder: Builder) =>
    builder.reconcile(async (object, ctx) => {
      const { name, namespace } = object.metadata;
      await ctx.apply(ConfigMap.build({ name: `${name}-config`, namespace, data: { color: value } }));
    });

  test('is named with the other manager, slowed down, and forgotten when the other one gives up', async () => {
    const { logger, lines } = recorder();
    const runtime = virtualRuntime();
    await using env = await cluster({ operator: thingOperator(fixed('red'), { logger }), runtime, hotLoops: 'allow' });
    await env.client.create(thing('a'));
    await env.eventually(ConfigMap, 'a-config', { data: { color: 'red' } });
    const rival = env.client.with({ manager: 'rival' });
    const paint = async (): Promise<void> => {
      await rival.patch(ConfigMap, 'a-config', { data: { color: 'blue' } });
      await runtime.clock.advance(1000);
    };
    for (let i = 0; i < 20; i += 1) await paint();
    const found = lines.filter(({ fields }) => fields['code'] === 'CONTROLLER_HOT_LOOP');
    expect(found).toHaveLength(1);
    expect(found[0]?.fields).toMatchObject({
      loop: 'contested',
      target: 'ConfigMap default/a-config',
      fields: ['data.color'],
      managers: ['rival'],
    });
    expect(found[0]?.message).toContain('flaps between thing and rival');
    expect(env.managers[0]?.metrics()).toContain('kilter_hot_loops_total{controller="thing",loop="contested"} 1');
    // Held, not given up.
    await paint();
    expect((await env.client.get(ConfigMap, 'a-config')).data).toEqual({ color: 'blue' });
    await runtime.clock.advance(31_000);
    expect((await env.client.get(ConfigMap, 'a-config')).data).toEqual({ color: 'red' });
    await runtime.clock.advance(600_000);
    await paint();
    expect((await env.client.get(ConfigMap, 'a-config')).data).toEqual({ color: 'red' });
    expect(env.managers[0]?.metrics()).toContain('kilter_hot_loop_keys{controller="thing"} 0');
  });

  test('is forgotten with its object, also where a predicate keeps deletions from waking anybody', async () => {
    const runtime = virtualRuntime();
    const built = fixed('red')(controller(Thing, { when: ({ after }) => after !== undefined }).owns(ConfigMap));
    await using env = await cluster({ operator: thingOperator(() => built), runtime, hotLoops: 'allow' });
    await env.client.create(thing('a'));
    await env.eventually(ConfigMap, 'a-config', { data: { color: 'red' } });
    for (let i = 0; i < 20; i += 1) {
      await env.client.with({ manager: 'rival' }).patch(ConfigMap, 'a-config', { data: { color: 'blue' } });
      await runtime.clock.advance(1000);
    }
    await runtime.clock.advance(31_000);
    const slowed = (): string | undefined => /hot_loop_keys\{.*\} (\d+)/.exec(env.managers[0]?.metrics() ?? '')?.[1];
    expect(slowed()).toBe('1');
    const runs = env.managers[0]?.runs.recent().length;
    await env.client.delete(Thing, 'a');
    await env.gone(Thing, 'a');
    await runtime.clock.advance(1000);
    expect([slowed(), env.managers[0]?.runs.recent().length]).toEqual(['0', runs]);
  });

  test('two operators that fight over a field fail a test that does not expect it', async () => {
    const runtime = virtualRuntime();
    const use = async (): Promise<void> => {
      const one = thingOperator(fixed('red'), { name: 'one' });

      const watching = controller(Thing, { name: 'other' })
        .writes(ConfigMap)
        .watches(ConfigMap, ({ metadata }) => metadata.name.replace('-config', ''))
        .reconcile(async (object, ctx) => {
          const { name, namespace } = object.metadata;
          await ctx.apply(ConfigMap.build({ name: `${name}-config`, namespace, data: { color: 'blue' } }));
        });
      const quiet = recorder().logger;
      const two = operator({ name: 'two', logger: quiet, controllers: [watching] });
      await using env = await cluster({ operator: [one, two], runtime });
      await env.client.create(thing('a'));
      await runtime.clock.advance(5000);
    };
    await expect(use()).rejects.toThrow(
      expect.objectContaining({ code: 'TESTING_HOT_LOOP', message: expect.stringContaining('data.color') }),
    );
  });
});
