// What must not happen, whatever a reconciler or a hook does: each of these once did.
import { controller, type KilterError, operator, requeueAfter, terminal } from 'kilter';
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator, things } from './thing.test-support.ts';

type Election = Exclude<NonNullable<Parameters<typeof operator>[0]['leaderElection']>, boolean>;
const elected = (hooks: Election = {}) => ({ leaderElection: { identity: 'one', ...hooks } });
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** An operator started by hand, so that its end can be looked at. */
async function started(given: ReturnType<typeof thingOperator>) {
  const runtime = virtualRuntime();
  const env = await cluster({ kinds: [Thing], runtime });
  const manager = await given.start({ connection: env.connection, runtime });
  const end: { done: boolean; error?: unknown } = { done: false };
  void manager.done.then(
    () => (end.done = true),
    (error: unknown) => Object.assign(end, { done: true, error }),
  );
  const renewed = async () => (await env.client.get(Lease, 'thing-operator')).spec?.renewTime;
  return { env, manager, end, renewed, clock: runtime.clock };
}

describe('one bad result concerns its key alone', () => {
  test.each([
    ['an invalid duration', () => requeueAfter(Number.NaN, 'x'), 'RECONCILE_RESULT_INVALID'],
    ['an invalid unit', () => requeueAfter('5 min' as '5m', 'x'), 'RECONCILE_RESULT_INVALID'],
    [
      'nothing at all, thrown',
      () => {
        throw undefined;
      },
      'RECONCILE_FAILED',
    ],
    [
      'a thrown object without a text',
      () => {
        throw Object.create(null);
      },
      'RECONCILE_FAILED',
    ],
  ])('RC-12, WQ-4: %s', async (_, bad, code) => {
    const { env, manager, end, clock } = await started(
      thingOperator((builder) =>
        builder.reconcile(async (object, ctx) => {
          if (object.metadata.name === 'bad') return bad();
          await ctx.apply(configFor(object));
        }),
      ),
    );
    await using _env = env;
    await env.client.create(thing('bad'));
    await env.client.create(thing('good', { x: '1' }));
    await env.eventually(ConfigMap, 'good', { data: { x: '1' } });
    await clock.advance(40_000);
    expect(end.done).toBe(false);
    expect(manager.runs.recent().find(({ key }) => key === 'default/bad')?.error).toContain(code);
    await using _manager = manager;
    const stopping = manager.stop();
    await clock.advance(1000);
    await stopping;
  });

  test('RC-6, CS-5: a programming error is counted, and the retry says what failed', async () => {
    const causes: (string | undefined)[] = [];
    const given = thingOperator((builder) =>
      builder.reconcile(async (_, ctx) => {
        causes.push(...ctx.causes.map(({ reason }) => reason));
        (undefined as unknown as { x(): void }).x();
      }),
    );
    const runtime = virtualRuntime();
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(thing('a'));
    await runtime.clock.advance(20);
    expect(env.managers[0]?.metrics()).toMatch(/controller_runtime_reconcile_panics_total\{controller="thing"\} [1-9]/);
    expect(causes[1]).toBe('attempt 2: TypeError');
  });

  test('RC-20: onError gets what was thrown, the journal where it was thrown, and a verdict promises no retry', async () => {
    const errors: unknown[] = [];
    const given = thingOperator((builder) =>
      builder
        .onError((error) => void errors.push(error) as undefined)
        .reconcile(async () => terminal(new Error('never'))),
    );
    const runtime = virtualRuntime();
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(thing('a'));
    await runtime.clock.advance(100);
    expect(errors[0]).toMatchObject({ name: 'TerminalError' });
    const told = env.managers[0]?.runs.recent().at(-1)?.error;
    expect(told).toBe('thing default/a: never (RECONCILE_TERMINAL: change the object; the next change runs it again)');
  });
});

describe('hooks of the election', () => {
  test('MG-4: one that runs until its signal holds up no stop', async () => {
    const { env, manager, end, clock } = await started(
      thingOperator(things, elected({ onStartedLeading: ({ signal }) => untilAborted(signal) })),
    );
    await using _ = env;
    await clock.advance(1000);
    void manager.stop();
    await clock.advance(5000);
    expect(end).toEqual({ done: true });
  });

  test('LE-7: one that runs on does not hide a lost lease', async () => {
    const signals: AbortSignal[] = [];
    const { env, end, clock } = await started(
      thingOperator(
        things,
        elected({
          onStartedLeading: ({ signal }) => {
            signals.push(signal);
            return untilAborted(signal);
          },
        }),
      ),
    );
    await using _ = env;
    await clock.advance(1000);
    env.server.fail({ kind: 'Lease', fault: { type: 'status', code: 503 } });
    await clock.advance(20_000);
    expect((end.error as KilterError).code).toBe('ELECTION_LOST');
    expect(signals[0]?.aborted).toBe(true);
  });

  test('MG-13: one that fails ends the operator, and nothing renews the lease any more', async () => {
    const fail = () => {
      throw new Error('hook');
    };
    const { env, end, renewed, clock } = await started(thingOperator(things, elected({ onStartedLeading: fail })));
    await using _ = env;
    await clock.advance(5000);
    expect(String(end.error)).toContain('hook');
    const last = await renewed();
    await clock.advance(60_000);
    expect(await renewed()).toBe(last);
  });

  test('LE-10: one that throws at the end does not keep the lease', async () => {
    const fail = () => {
      throw new Error('hook');
    };
    const { env, manager, end, clock } = await started(thingOperator(things, elected({ onStoppedLeading: fail })));
    await using _ = env;
    await clock.advance(1000);
    void manager.stop().catch(() => undefined);
    await clock.advance(5000);
    expect(String(end.error)).toContain('hook');
    expect((await env.client.get(Lease, 'thing-operator')).spec?.holderIdentity ?? '').toBe('');
  });
});

test('LE-10, MG-13: where a run is stuck the lease is not released, and not renewed either', async () => {
  const { env, manager, end, renewed, clock } = await started(
    thingOperator((builder) => builder.reconcile(() => new Promise<void>(() => undefined)), elected()),
  );
  await using _ = env;
  await env.client.create(thing('a'));
  await clock.advance(1000);
  void manager.stop().catch(() => undefined);
  await clock.advance(40_000);
  expect((end.error as KilterError).code).toBe('MANAGER_STOP_TIMEOUT');
  expect((await env.client.get(Lease, 'thing-operator')).spec?.holderIdentity).toBe('one');
  const last = await renewed();
  await clock.advance(60_000);
  expect([await renewed(), manager.leading]).toEqual([last, false]);
});

describe('AP-6: a prune deletes only what a finished run did not want', () => {
  const pruning = (reconcile: Parameters<ReturnType<typeof builderOf>['reconcile']>[0]) =>
    thingOperator((builder) => builder.owns(ConfigMap, { prune: true }).reconcile(reconcile as never));
  const builderOf = () => controller(Thing).owns(ConfigMap, { prune: true });

  test.each([
    ['a run that asked to be run again', () => requeueAfter('5s', 'waiting for the database')],
    ['a run with an invalid result', () => 'no' as never],
  ])('not after %s', async (_, early) => {
    let stop = false;
    const runtime = virtualRuntime();
    const given = pruning(async (object, ctx) => {
      if (stop) return early();
      await ctx.apply(configFor(object));
    });
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(thing('a', { x: '1' }));
    await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
    stop = true;
    await env.client.patch(Thing, 'a', { metadata: { labels: { z: '1' } } });
    await runtime.clock.advance(1000);
    expect(await env.client.find(ConfigMap, 'a')).toBeDefined();
  });

  test('not a child whose apply failed', async () => {
    const runtime = virtualRuntime();
    const given = pruning(async (object, ctx) => void (await ctx.apply(configFor(object)).catch(() => undefined)));
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(thing('a', { x: '1' }));
    await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
    env.server.fail({ kind: 'ConfigMap', verb: 'patch', fault: { type: 'status', code: 500 } });
    await env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
    await runtime.clock.advance(1000);
    expect(await env.client.find(ConfigMap, 'a')).toBeDefined();
  });

  test('not the children another controller of the same kind applied', async () => {
    const named = (name: string) =>
      controller(Thing, { name })
        .owns(ConfigMap, { prune: true })
        .reconcile(
          async (object, ctx) => void (await ctx.apply(ConfigMap.build({ name: `${object.metadata.name}-${name}` }))),
        );
    const runtime = virtualRuntime();
    const given = operator({ name: 'two', logger: quiet, controllers: [named('one'), named('two')] });
    await using env = await cluster({ operator: given, runtime });
    await env.client.create(thing('a'));
    await runtime.clock.advance(1000);
    expect(env.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(
      (await env.client.list(ConfigMap, { namespace: 'default' })).filter(({ metadata }) =>
        metadata.name.startsWith('a-'),
      ),
    ).toHaveLength(2);
  });
});

describe('finalizers', () => {
  test('FI-6: a cleanup that asks for no time is run again all the same', async () => {
    let cleanups = 0;
    const given = thingOperator((builder) =>
      builder
        .cleanup('example.com/x', async () => {
          cleanups += 1;
          return cleanups < 2 ? requeueAfter(0, 'busy') : undefined;
        })
        .reconcile(async () => undefined),
    );
    await using env = await cluster({ operator: given, runtime: virtualRuntime() });
    await env.client.create(thing('a'));
    await env.eventually(Thing, 'a', { metadata: { finalizers: ['example.com/x'] } });
    await env.client.delete(Thing, 'a');
    await env.gone(Thing, 'a', { within: '30s' });
    expect(cleanups).toBe(2);
  });

  test('RC-19: a pending cleanup of reconcileKey runs again although the caller only returned', async () => {
    let cleanups = 0;
    const keyed = controller(Thing).reconcileKey(async (ref, ctx) => {
      const found = await ctx.client.find(Thing, ref);
      if (found === undefined) return;
      await ctx.of(found).finalizer('example.com/x', async () => {
        cleanups += 1;
        return cleanups < 3 ? requeueAfter('3s', 'busy') : undefined;
      });
    });
    const given = operator({ name: 'thing-operator', logger: quiet, controllers: [keyed] });
    await using env = await cluster({ operator: given, runtime: virtualRuntime() });
    await env.client.create(thing('a'));
    await env.eventually(Thing, 'a', { metadata: { finalizers: ['example.com/x'] } });
    await env.client.delete(Thing, 'a');
    await env.gone(Thing, 'a', { within: '30s' });
    expect(cleanups).toBe(3);
  });

  test('RC-19: one finalizer that is not there does not end the waiting for another', async () => {
    let slow = 0;
    const keyed = controller(Thing).reconcileKey(async (ref, ctx) => {
      const found = await ctx.client.find(Thing, ref);
      if (found === undefined) return;
      const on = ctx.of(found);
      await on.finalizer('example.com/slow', async () => ((slow += 1) < 3 ? requeueAfter('3s', 'busy') : undefined));
      await on.finalizer('example.com/none', async () => undefined);
    });
    const given = operator({ name: 'thing-operator', logger: quiet, controllers: [keyed] });
    const held = { ...thing('a'), metadata: { name: 'a', namespace: 'default', finalizers: ['example.com/slow'] } };
    await using env = await cluster({ runtime: virtualRuntime(), kinds: [Thing], objects: [held] });
    await env.client.delete(Thing, 'a');
    await env.start(given);
    await env.gone(Thing, 'a', { within: '30s' });
    expect(slow).toBe(3);
  });

  test('FI-5: a cleanup that edits its object ends all the same', async () => {
    let edits = 0;
    const given = thingOperator((builder) =>
      builder
        .cleanup('example.com/x', async (object, ctx) => {
          edits += 1;
          await ctx.client.patch(Thing, object.metadata, { metadata: { labels: { edit: String(edits) } } });
        })
        .reconcile(async () => undefined),
    );
    await using env = await cluster({ operator: given, runtime: virtualRuntime() });
    await env.client.create(thing('a'));
    await env.eventually(Thing, 'a', { metadata: { finalizers: ['example.com/x'] } });
    await env.client.delete(Thing, 'a');
    await env.gone(Thing, 'a', { within: '30s' });
    expect(edits).toBe(1);
  });

  test('what needs an object is refused beside reconcileKey', () => {
    const keyed = () =>
      controller(Thing)
        .cleanup('example.com/x', async () => undefined)
        .reconcileKey(async () => undefined);
    expect(keyed).toThrow(/cleanup cannot be used with reconcileKey.*CONTROLLER_OPTION_INVALID/);
  });
});

test('ctx.apply works for children watched as metadata only', async () => {
  const built = controller(Thing)
    .owns(ConfigMap, { metadataOnly: true })
    .reconcile(async (object, ctx) => void (await ctx.apply(configFor(object))));
  const given = operator({ name: 'thing-operator', logger: quiet, controllers: [built] });
  await using env = await cluster({ operator: given, runtime: virtualRuntime() });
  await env.client.create(thing('a', { x: '1' }));
  await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
});

test.each([
  ['an orphan', undefined, 'RECONCILE_ORPHAN_NOT_ADOPTED'],
  ['a child of another', 'other', 'RECONCILE_OWNED_BY_OTHER'],
])('OW-3: %s that no cache covers is not adopted against the word given', async (_, owner, code) => {
  const codes: unknown[] = [];
  const built = controller(Thing)
    .writes(ConfigMap)
    .reconcile(async (object, ctx) => {
      if (object.metadata.name !== 'a') return;
      const applied = ctx.apply(configFor(object), { owner: true, adopt: 'never' });
      await applied.catch((error: KilterError) => codes.push(error.code));
    });
  const given = operator({ name: 'thing-operator', logger: quiet, controllers: [built] });
  const runtime = virtualRuntime();
  await using env = await cluster({ runtime, kinds: [Thing] });
  const map = ConfigMap.build({ name: 'a', namespace: 'default', data: { mine: '1' } });
  const other = await env.client.create(thing('other'));
  const reference = {
    apiVersion: other.apiVersion,
    kind: other.kind,
    name: 'other',
    uid: other.metadata.uid ?? '',
    controller: true,
  };
  const ownerReferences = owner === undefined ? {} : { ownerReferences: [reference] };
  await env.client.create({ ...map, metadata: { ...map.metadata, ...ownerReferences } });
  await env.start(given);
  await env.client.create(thing('a', { x: '1' }));
  await runtime.clock.advance(1000);
  expect(codes).toEqual([code]);
  expect((await env.client.get(ConfigMap, 'a')).data).toEqual({ mine: '1' });
});

test('ST-4: what two different failures set is taken out by one success', async () => {
  let mode = 'A';
  const given = thingOperator((builder) =>
    builder
      .onError(() => (mode === 'A' ? { note: 'A' } : { conditions: [{ type: 'B', status: true, reason: 'B' }] }))
      .reconcile(async () => {
        if (mode !== 'good') throw new Error(mode);
      }),
  );
  const runtime = virtualRuntime();
  await using env = await cluster({ operator: given, runtime });
  await env.client.create(thing('a'));
  await env.eventually(Thing, 'a', { status: { note: 'A' } });
  mode = 'B';
  await env.eventually(Thing, 'a', { status: { conditions: [{ type: 'B' }] } });
  mode = 'good';
  const healed = await env.eventually(Thing, 'a', (found) => found.status?.note === undefined, { within: '60s' });
  expect(healed.status?.conditions ?? []).toEqual([]);
});

test('an operator that fails under test fails the test, and the server is closed all the same', async () => {
  const runtime = virtualRuntime();
  const fail = () => {
    throw new Error('hook');
  };
  const left: { closed?: () => Promise<number> } = {};
  const use = async () => {
    await using env = await cluster({ operator: thingOperator(things, elected({ onStartedLeading: fail })), runtime });
    await runtime.clock.advance(5000);
    left.closed = async () =>
      (
        await env.server.handle({
          method: 'GET',
          path: '/api/v1/pods',
          headers: {},
          signal: new AbortController().signal,
        })
      ).status;
  };
  await expect(use()).rejects.toThrow('hook');
  expect(await left.closed?.()).toBe(503);
});

test.each([
  ['an error', new Error('no quota'), /no quota/],
  ['nothing at all', undefined, /onStartedLeading threw undefined/],
])('what onStartedLeading throws is reported once, as that: %s', async (_, thrown, text) => {
  const told: unknown[][] = [];
  const logger = { ...quiet, error: (...line: unknown[]) => void told.push(line), child: () => logger };
  const onStartedLeading = (): never => {
    throw thrown;
  };
  const { env, end, clock } = await started(thingOperator(things, { ...elected({ onStartedLeading }), logger }));
  await using _env = env;
  await clock.advance(5000);
  expect(String(end.error)).toMatch(text);
  expect(told).toEqual([[{ err: end.error }, 'onStartedLeading failed; the operator is stopping']]);
});

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet };
