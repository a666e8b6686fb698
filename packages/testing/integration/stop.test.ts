// How an operator ends: with grace, without an API server, and when the lease is lost on the way.
import type { KilterError, Logger } from 'kilter';
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator, things } from './thing.test-support.ts';

type Given = Parameters<typeof thingOperator>;
const elected = (more: object = {}) => ({ leaderElection: { identity: 'one', ...more } });
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
const never = () => new Promise<void>(() => undefined);

const ignore = (): void => undefined;
const silent: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silent };

function recordingLogger() {
  const lines: string[] = [];
  const note = (fields: object | string, message?: string): void =>
    void lines.push(typeof fields === 'string' ? fields : (message ?? ''));
  const logger: Logger = { debug: ignore, info: note, warn: note, error: note, child: () => logger };
  return { lines, logger };
}

/** An operator started by hand, so that its end and the time it takes can be looked at. */
async function started(build: Given[0], options: Given[1] = {}) {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const { lines, logger } = recordingLogger();
  const env = await cluster({ kinds: [Thing], runtime });
  const caller = new AbortController();
  const operator = thingOperator(build, { logger, ...options });
  const manager = await operator.start({ connection: env.connection, runtime, signal: caller.signal });
  const end: { at?: number; error?: unknown } = {};
  void manager.done.then(
    () => (end.at = clock.monotonic()),
    (error: unknown) => Object.assign(end, { at: clock.monotonic(), error }),
  );
  await clock.advance(1000);
  const holder = async () => (await env.client.get(Lease, 'thing-operator')).spec?.holderIdentity ?? '';
  return { env, manager, end, clock, caller, lines, holder };
}

const dead = { fault: { type: 'lost-request' } } as const;
const frozen = { fault: { type: 'delay', ms: 3_600_000 } } as const;

describe('the lease is lost during the graceful drain', () => {
  test('LE-7, MG-4: every ctx.signal aborts at once, and done rejects', async () => {
    const signals: AbortSignal[] = [];
    const { env, manager, end, clock } = await started(
      (builder) =>
        builder.reconcile(async (_, ctx) => {
          signals.push(ctx.signal);
          await untilAborted(ctx.signal);
        }),
      elected(),
    );
    await using _ = env;
    await env.client.create(thing('a'));
    await clock.advance(1000);
    void manager.stop().catch(() => undefined);
    env.server.fail({ kind: 'Lease', fault: { type: 'status', code: 503 } });
    await clock.advance(7900);
    expect([signals[0]?.aborted, end.at]).toEqual([false, undefined]);
    await clock.advance(3000);
    expect(signals[0]?.reason).toMatchObject({ code: 'ELECTION_LOST' });
    expect((end.error as KilterError).code).toBe('ELECTION_LOST');
  });

  test('LE-7: also while a hook ends', async () => {
    const { env, manager, end, clock, holder } = await started(things, elected({ onStoppedLeading: never }));
    await using _ = env;
    void manager.stop().catch(() => undefined);
    await clock.advance(100);
    const lease = await env.client.get(Lease, 'thing-operator');
    await env.client.update({ ...lease, spec: { ...lease.spec, holderIdentity: 'two' } });
    await clock.advance(30_000);
    expect((end.error as KilterError).code).toBe('ELECTION_LOST');
    expect((end.error as { suppressed?: unknown }).suppressed).toMatchObject([{ code: 'MANAGER_STOP_TIMEOUT' }]);
    expect(await holder()).toBe('two');
  });
});

describe('onStartedLeading', () => {
  test('LE-10, MG-10: its signal aborts when controllers are drained, and the lease is kept until it has ended', async () => {
    let release: () => void = () => undefined;
    const seen: { signal?: AbortSignal } = {};
    const onStartedLeading = async ({ signal }: { signal: AbortSignal }): Promise<void> => {
      seen.signal = signal;
      await untilAborted(signal);
      await new Promise<void>((resolve) => (release = resolve));
    };
    const { env, manager, end, clock, holder } = await started(things, elected({ onStartedLeading }));
    await using _ = env;
    void manager.stop();
    await clock.advance(3000);
    expect([seen.signal?.aborted, end.at, await holder()]).toEqual([true, undefined, 'one']);
    release();
    await clock.advance(100);
    expect([end.error, await holder()]).toEqual([undefined, '']);
    expect(end.at).toBeDefined();
  });

  test('LE-10, MG-4: one that never ends is named, and the lease runs out', async () => {
    const { env, manager, end, clock, holder } = await started(things, elected({ onStartedLeading: never }));
    await using _ = env;
    void manager.stop().catch(() => undefined);
    await clock.advance(30_000);
    expect(String(end.error)).toMatch(/still running: onStartedLeading .*MANAGER_STOP_TIMEOUT/);
    expect(await holder()).toBe('one');
  });
});

describe('MG-4, B-35: one deadline over everything', () => {
  test.each([30_000, 3000])(
    'the stop of an operator with a stuck run and a stuck hook ends within %d ms',
    async (ms) => {
      const { env, manager, end, clock } = await started((builder) => builder.reconcile(never), {
        ...elected({ onStoppedLeading: never }),
        gracefulStop: ms,
      });
      await using _ = env;
      await env.client.create(thing('a'));
      await clock.advance(1000);
      const before = clock.monotonic();
      env.server.fail({ kind: 'Event', ...frozen });
      void manager.stop().catch(() => undefined);
      await clock.advance(60_000);
      expect((end.error as KilterError).code).toBe('MANAGER_STOP_TIMEOUT');
      expect((end.at ?? Infinity) - before).toBeLessThanOrEqual(ms);
    },
  );

  test.each([
    ['refuses connections', dead],
    ['does not answer', frozen],
  ])('an API server that %s is not waited for', async (_, fault) => {
    const { env, manager, end, clock, lines } = await started(
      (builder) => builder.reconcile(async (_object, ctx) => ctx.event('Normal', 'Seen', 'once')),
      elected(),
    );
    await using __ = env;
    const before = clock.monotonic();
    env.server.fail(fault);
    void manager.stop().catch(() => undefined);
    await clock.advance(60_000);
    expect(end.error).toBeUndefined();
    expect((end.at ?? Infinity) - before).toBeLessThanOrEqual(4000);
    expect(lines).toContain('the Lease could not be released; it expires within 15 s');
  });

  test('EV-10: nor are Events that cannot be written, without election', async () => {
    const { env, manager, end, clock } = await started((builder) =>
      builder.reconcile(async (_object, ctx) => ctx.event('Normal', 'Seen', 'once')),
    );
    await using _ = env;
    env.server.fail({ kind: 'Event', ...dead });
    await env.client.create(thing('a'));
    await clock.advance(100);
    const before = clock.monotonic();
    void manager.stop();
    await clock.advance(60_000);
    expect((end.at ?? Infinity) - before).toBeLessThanOrEqual(1000);
  });

  test('LE-7: nor after a lost lease, with the API server away', async () => {
    const { env, end, clock } = await started(things, elected());
    await using _ = env;
    const before = clock.monotonic();
    env.server.fail(dead);
    await clock.advance(60_000);
    expect((end.error as KilterError).code).toBe('ELECTION_LOST');
    // The renew deadline counts from the last renewal; then nothing is waited for.
    expect((end.at ?? Infinity) - before).toBeLessThanOrEqual(10_500);
  });

  test("a run that waits for the framework's own request ends with the abort, and is not blamed", async () => {
    const { env, manager, end, clock } = await started(
      (builder) =>
        builder.reconcile(async (object, ctx) => {
          await ctx.live.find(ConfigMap, { namespace: 'default', name: 'x' });
          await ctx.apply(configFor(object));
        }),
      { gracefulStop: '6s' },
    );
    await using _ = env;
    env.server.fail({ kind: 'ConfigMap', ...frozen });
    await env.client.create(thing('a'));
    await clock.advance(100);
    const before = clock.monotonic();
    void manager.stop().catch(() => undefined);
    await clock.advance(30_000);
    expect(end.error).toBeUndefined();
    expect((end.at ?? Infinity) - before).toBeLessThanOrEqual(6000);
  });
});

describe('signals', () => {
  test("MG-10, MG-4: a run's signal follows the end of its grace, not the caller's signal", async () => {
    const signals: AbortSignal[] = [];
    const { env, end, clock, caller } = await started((builder) =>
      builder.reconcile(async (_, ctx) => {
        signals.push(ctx.signal);
        await untilAborted(ctx.signal);
      }),
    );
    await using _ = env;
    await env.client.create(thing('a'));
    await clock.advance(100);
    caller.abort(new Error('enough'));
    await clock.advance(24_000);
    expect([signals[0]?.aborted, end.at]).toEqual([false, undefined]);
    await clock.advance(1000);
    expect(signals[0]?.aborted).toBe(true);
    expect(signals[0]?.reason).toMatchObject({ code: 'MANAGER_STOPPED' });
    expect(end).toMatchObject({ at: expect.any(Number) });
    expect(end.error).toBeUndefined();
  });

  test('MG-14: a stop while caches wait for their first sync, or while a standby waits, returns promptly', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ kinds: [Thing], runtime });
    env.server.fail({ kind: 'ConfigMap', ...frozen });
    const waiting = await thingOperator(things).start({ connection: env.connection, runtime });
    await runtime.clock.advance(1000);
    let ended = false;
    void waiting.stop().then(() => (ended = true));
    await runtime.clock.settle();
    expect(ended).toBe(true);
    await expect(waiting.ready).rejects.toMatchObject({ code: 'MANAGER_STOPPED' });
  });

  test('LE-13, MG-14: a standby that is stopped starts nothing of a leader, and holds no lease afterwards', async () => {
    const begun: string[] = [];
    const runtime = virtualRuntime();
    const held = Lease.build({
      name: 'thing-operator',
      namespace: 'default',
      spec: { holderIdentity: 'other', leaseDurationSeconds: 15 },
    });
    await using env = await cluster({ kinds: [Thing], objects: [held, thing('a')], runtime });
    const hooks = {
      onStartedLeading: () => void begun.push('started'),
      onStoppedLeading: () => void begun.push('stopped'),
    };
    const standby = thingOperator((builder) => builder.reconcile(async () => void begun.push('run')), elected(hooks));
    const manager = await standby.start({ connection: env.connection, runtime });
    await runtime.clock.advance(3000);
    // The winning write is on its way when the stop comes.
    env.server.fail({ kind: 'Lease', verb: 'update', times: 1, fault: { type: 'delay', ms: 500 } });
    const lease = await env.client.get(Lease, 'thing-operator');
    const freed = env.client.patch(Lease, 'thing-operator', { spec: { holderIdentity: '' } });
    await runtime.clock.advance(100);
    await freed;
    expect(lease.spec?.holderIdentity).toBe('other');
    const before = runtime.clock.monotonic();
    const stopping = manager.stop().then(() => runtime.clock.monotonic() - before);
    await runtime.clock.advance(20_000);
    expect(await stopping).toBeLessThanOrEqual(4000);
    expect(begun).toEqual([]);
    expect((await env.client.get(Lease, 'thing-operator')).spec?.holderIdentity ?? '').toBe('');
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'LE-13: nor one that wins in the moment of its stop, %i microtasks before it',
    async (depth) => {
      const runtime = virtualRuntime();
      await using env = await cluster({ kinds: [Thing], runtime });
      const caller = new AbortController();
      const begunAfterStop: string[] = [];
      const note = (what: string) => (caller.signal.aborted ? void begunAfterStop.push(what) : undefined);
      const stopLater = (left: number): void =>
        left === 0 ? caller.abort(new Error('stop')) : queueMicrotask(() => stopLater(left - 1));
      const info = (_: object | string, message?: string): void => {
        if (message === 'this replica leads') stopLater(depth);
      };
      const logger: Logger = { ...silent, info, child: () => logger };
      const operator = thingOperator((builder) => builder.reconcile(async () => note('run')), {
        logger,
        ...elected({ onStartedLeading: () => note('hook') }),
      });
      await env.client.create(thing('a'));
      const manager = await operator.start({ connection: env.connection, runtime, signal: caller.signal });
      await runtime.clock.advance(10_000);
      await manager.done;
      expect([caller.signal.aborted, begunAfterStop]).toEqual([true, []]);
    },
  );
});

describe('MG-5: the first failure', () => {
  test('start returns at once; what a part throws is the error of done, as it was thrown, with those of the stop attached', async () => {
    class HookError extends Error {}
    const failing = () => Promise.reject(new HookError('no database'));
    const late = () => Promise.reject(new Error('nor a way out'));
    const { env, manager, end, clock } = await started(
      things,
      elected({ onStartedLeading: failing, onStoppedLeading: late }),
    );
    await using _ = env;
    await clock.advance(5000);
    expect(end.error).toBeInstanceOf(HookError);
    expect((end.error as { suppressed?: unknown }).suppressed).toEqual([new Error('nor a way out')]);
    await expect(manager.ready).resolves.toBeUndefined();
  });

  test('start does not wait: ready settles with the first sync, done with the end', async () => {
    const runtime = virtualRuntime();
    const { clock } = runtime;
    await using env = await cluster({ kinds: [Thing], runtime });
    env.server.fail({ kind: 'ConfigMap', verb: 'watch', times: 1, fault: { type: 'delay', ms: 20_000 } });
    const happened: string[] = [];
    const manager = await thingOperator(things).start({ connection: env.connection, runtime });
    void manager.ready.then(() => happened.push('ready'));
    void manager.done.then(() => happened.push('done'));
    await clock.advance(1000);
    expect(happened).toEqual([]);
    await clock.advance(60_000);
    expect(happened).toEqual(['ready']);
    const stopping = manager.stop();
    await clock.advance(1000);
    await stopping;
    expect(happened).toEqual(['ready', 'done']);
  });

  test.each<[string, (signal: AbortSignal) => Promise<void>]>([
    ['returns', untilAborted],
    [
      'throws what its signal says',
      async (signal) => {
        await untilAborted(signal);
        signal.throwIfAborted();
      },
    ],
  ])('what a stop aborts is silent, where a run %s', async (_, run) => {
    const { env, manager, end, clock, lines } = await started(
      (builder) => builder.reconcile(async (__, ctx) => run(ctx.signal)),
      elected(),
    );
    await using __ = env;
    await env.client.create(thing('a'));
    await clock.advance(100);
    void manager.stop();
    await clock.advance(30_000);
    expect(end.error).toBeUndefined();
    expect(lines.filter((line) => /fail|error/i.test(line))).toEqual([]);
    expect(lines.filter((line) => line !== 'the run was cancelled').slice(-3)).toEqual([
      'stopping',
      'the Lease was released',
      'stopped',
    ]);
  });

  test('what a stop aborts is silent, before the caches are synced', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ kinds: [Thing], runtime });
    const { lines, logger } = recordingLogger();
    env.server.fail({ kind: 'ConfigMap', ...frozen });
    const manager = await thingOperator(things, { logger }).start({ connection: env.connection, runtime });
    await runtime.clock.advance(1000);
    const stopping = manager.stop();
    await runtime.clock.advance(1000);
    await stopping;
    expect(lines).toEqual(['stopping', 'stopped']);
  });
});

test("a user's logger that throws harms nothing", async () => {
  const fail = (): never => {
    throw new Error('disk full');
  };
  const logger: Logger = { debug: fail, info: fail, warn: fail, error: fail, child: fail };
  const { env, manager, end, clock } = await started(
    (builder) =>
      builder.reconcile(async (object, ctx) => {
        ctx.log.info('about to apply');
        await ctx.apply(configFor(object));
      }),
    { ...elected(), logger },
  );
  await using _ = env;
  await env.client.create(thing('a', { x: '1' }));
  await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
  void manager.stop();
  await clock.advance(5000);
  expect(end.error).toBeUndefined();
  expect(end.at).toBeDefined();
});
