import { describe, expect, test } from 'vitest';
import { KilterError } from '../errors/index.ts';
import { setUp, settle } from './lifecycle.test-support.ts';

const up = ['open', 'connect a', 'connect b', 'sync'];
const down = ['shutdown a', 'shutdown b', 'shutdown a', 'shutdown b'];
const aborted = 'abort: the operator is stopping (MANAGER_STOPPED: start it again)';
const last = ['cache stops', 'endpoint closes'];

describe('MG-1, MG-3: the order of start and stop', () => {
  test('without election', async () => {
    const { lifecycle, log, stop, state } = setUp();
    const done = lifecycle.run();
    expect(lifecycle.readiness()).toBe('caches are not synced');
    await lifecycle.ready;
    await settle();
    expect(log).toEqual([...up, 'start a', 'start b']);
    expect(lifecycle.readiness()).toBeUndefined();
    expect(lifecycle.endpoints).toHaveLength(1);
    log.length = 0;
    stop.abort(new Error('enough'));
    expect(log).toEqual(['shutdown a', 'shutdown b']);
    expect(lifecycle.readiness()).toBe('stopping');
    await done;
    expect(log).toEqual([...down, aborted, ...last, 'recorder stops']);
    expect(state.limits).toEqual({ within: 30_000, patience: 1000 });
  });

  test('whatever a signal is aborted with, the stop takes its way', async () => {
    for (const reason of [Object.create(null) as unknown, null, Symbol('enough'), 'enough']) {
      const { lifecycle, log, stop } = setUp();
      const done = lifecycle.run();
      await lifecycle.ready;
      await settle();
      stop.abort(reason);
      await done;
      expect(log.slice(-3)).toEqual([...last, 'recorder stops']);
    }
  });

  test('B-35: with election: hooks around the work, and the lease is released at the end', async () => {
    const told: string[] = [];
    const setting = setUp({
      election: true,
      serving: Promise.resolve(),
      hooks: {
        onStartedLeading: ({ epoch }) => void told.push(`started ${epoch}`),
        onStoppedLeading: () => void told.push('stopped'),
      },
    });
    const { lifecycle, log, stop, won, state } = setting;
    const done = lifecycle.run();
    await settle();
    expect(log).toEqual([...up, 'webhooks', 'campaign']);
    expect(lifecycle.readiness()).toBeUndefined();
    won.resolve({ epoch: 7, identity: 'i' });
    await settle();
    expect([log.slice(6), told]).toEqual([['start a', 'start b'], ['started 7']]);
    log.length = 0;
    stop.abort(new Error('enough'));
    expect([lifecycle.readiness(), log]).toEqual(['stopping', ['shutdown a', 'shutdown b']]);
    await done;
    const closed = ['cache stops', 'webhooks close', 'endpoint closes'];
    expect(log).toEqual([...down, aborted, ...closed, 'release', 'abandon', 'recorder stops']);
    expect([told, state.releasedWithin]).toEqual([['started 7', 'stopped'], 30_000]);
  });

  test('stopped while it waits for the lease: no work begins, and no hook is told of an end', async () => {
    const told: string[] = [];
    const hooks = { onStartedLeading: () => void told.push('a'), onStoppedLeading: () => void told.push('b') };
    const { lifecycle, log, stop, won } = setUp({ election: true, hooks });
    const done = lifecycle.run();
    await settle();
    stop.abort(new Error('enough'));
    won.reject(new Error('called off'));
    await done;
    expect([told, log.includes('start a'), log.at(-1)]).toEqual([[], false, 'recorder stops']);
  });

  test('won in the moment of the stop: nothing of a leader begins', async () => {
    const told: string[] = [];
    const hooks = { onStartedLeading: () => void told.push('a'), onStoppedLeading: () => void told.push('b') };
    const { lifecycle, log, stop, won } = setUp({ election: true, hooks });
    const done = lifecycle.run();
    await settle();
    stop.abort(new Error('enough'));
    won.resolve({ epoch: 1, identity: 'i' });
    await done;
    expect([told, log.includes('start a'), log.includes('release')]).toEqual([['b'], false, true]);
  });

  test('stopped before the caches are synced: that is not a failure, but nobody became ready', async () => {
    const { lifecycle, log, stop } = setUp({ synced: new Promise(() => undefined) });
    const done = lifecycle.run();
    await settle();
    stop.abort(new Error('enough'));
    await done;
    await expect(lifecycle.ready).rejects.toMatchObject({ code: 'MANAGER_STOPPED' });
    expect(log).not.toContain('start a');
  });
});

describe('HZ-2: when an operator is ready', () => {
  test('HZ-2 not before caches are synced', async () => {
    const synced = Promise.withResolvers<void>();
    const { lifecycle, stop } = setUp({ synced: synced.promise });
    const done = lifecycle.run();
    await settle();
    expect(lifecycle.readiness()).toBe('caches are not synced');
    synced.resolve();
    await settle();
    expect(lifecycle.readiness()).toBeUndefined();
    stop.abort(new Error('enough'));
    await done;
  });

  test('HZ-2 leadership plays no part, and from the very moment of a stop it is not', async () => {
    const { lifecycle, log, stop, won } = setUp({ election: true });
    const done = lifecycle.run();
    await settle();
    expect([log.at(-1), lifecycle.readiness()]).toEqual(['campaign', undefined]);
    // The answer to its last try may take its time.
    stop.abort(new Error('enough'));
    expect(lifecycle.readiness()).toBe('stopping');
    won.reject(new Error('called off'));
    await done;
  });

  test('HZ-2 nor while a failure ends it', async () => {
    const drained = Promise.withResolvers<void>();
    const broken = Promise.withResolvers<void>();
    const { lifecycle } = setUp({ loops: { b: broken.promise }, drained: drained.promise });
    const ended = lifecycle.run().catch((error: unknown) => error);
    await settle();
    expect(lifecycle.readiness()).toBeUndefined();
    broken.reject(new Error('broken'));
    await settle();
    expect(lifecycle.readiness()).toBe('stopping');
    drained.resolve();
    expect(await ended).toMatchObject({ message: 'broken' });
  });
});

describe('a failure', () => {
  test('of a loop ends the operator with what was thrown, without grace', async () => {
    const broken = new Error('broken');
    const { lifecycle, log, state } = setUp({ loops: { b: Promise.reject(broken) } });
    await expect(lifecycle.run()).rejects.toBe(broken);
    expect(log.slice(6)).toEqual(['shutdown a', 'shutdown b', 'abort: broken', ...last, 'recorder stops']);
    expect(state.limits).toEqual({ within: 1000, patience: 1000 });
    expect(lifecycle.readiness()).toBe('stopping');
    expect((broken as { suppressed?: unknown }).suppressed).toBeUndefined();
  });

  test('that nobody caught gives the lease back: what it guards has ended; with the lease lost, or after any other, it runs out', async () => {
    const releasedAfter = async (failure: Error, isLost = false): Promise<boolean> => {
      const uncaught = Promise.withResolvers<never>();
      const { lifecycle, won, lost, log } = setUp({ election: true, uncaught: uncaught.promise });
      const done = lifecycle.run();
      won.resolve({ epoch: 1, identity: 'i' });
      await settle();
      uncaught.reject(failure);
      if (isLost) lost.reject(new Error('lost'));
      await expect(done).rejects.toBe(failure);
      return log.includes('release');
    };
    const stray = new KilterError('MANAGER_UNCAUGHT', 'nobody caught it');
    expect(await releasedAfter(stray)).toBe(true);
    expect(await releasedAfter(stray, true)).toBe(false);
    expect(await releasedAfter(new Error('broken'))).toBe(false);
  });

  test('a loop that ends by itself is not news', async () => {
    const { lifecycle, log, stop } = setUp({ loops: { a: Promise.resolve() } });
    const done = lifecycle.run();
    await settle();
    expect(log.at(-1)).toBe('start b');
    stop.abort(new Error('enough'));
    await done;
  });

  test('of the caches is what `ready` and `done` say', async () => {
    const broken = new Error('no such kind');
    const { lifecycle } = setUp({ synced: Promise.reject(broken) });
    await expect(lifecycle.run()).rejects.toBe(broken);
    await expect(lifecycle.ready).rejects.toBe(broken);
  });

  test('on the way down does not end it, and hangs on the first', async () => {
    const [first, second, third] = [new Error('cache'), new Error('endpoint'), new Error('recorder')];
    const refuse = { 'cache stops': first, 'endpoint closes': second, 'recorder stops': third };
    const { lifecycle, log, stop } = setUp({ refuse });
    const done = lifecycle.run();
    await settle();
    stop.abort(new Error('enough'));
    await expect(done).rejects.toBe(first);
    expect(log.slice(-3)).toEqual([...last, 'recorder stops']);
    expect(Object.getOwnPropertyDescriptor(first, 'suppressed')).toMatchObject({
      value: [second, third],
      configurable: true,
      enumerable: false,
    });
  });

  test('one that follows another hangs on it', async () => {
    const [first, second] = [new Error('loop'), new Error('cache')];
    const { lifecycle } = setUp({ loops: { a: Promise.reject(first) }, refuse: { 'cache stops': second } });
    await expect(lifecycle.run()).rejects.toBe(first);
    expect((first as { suppressed?: unknown }).suppressed).toEqual([second]);
  });

  test('a frozen error, or undefined, does no harm', async () => {
    const frozen = Object.freeze(new Error('frozen'));
    const { lifecycle } = setUp({ loops: { a: Promise.reject(frozen) }, refuse: { 'cache stops': new Error('x') } });
    await expect(lifecycle.run()).rejects.toBe(frozen);
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    const nothing = setUp({ loops: { a: Promise.reject(undefined) } });
    await expect(nothing.lifecycle.run()).rejects.toThrow('undefined was thrown');
  });
});

describe('LE-7: a lost lease', () => {
  const loss = new Error('lost');

  test('ends the operator at once, and nothing is released', async () => {
    const { lifecycle, log, won, lost, state } = setUp({ election: true });
    const done = lifecycle.run();
    won.resolve({ epoch: 1, identity: 'i' });
    await settle();
    log.length = 0;
    state.answered = false;
    lost.reject(loss);
    await expect(done).rejects.toBe(loss);
    expect(log).toEqual(['shutdown a', 'shutdown b', 'abort: lost', ...last, 'abandon', 'recorder stops']);
    expect(state.limits).toEqual({ within: 1000, patience: 0 });
  });

  test('during the drain aborts what runs, and is what `done` says', async () => {
    const drained = Promise.withResolvers<void>();
    const { lifecycle, log, stop, won, lost } = setUp({ election: true, drained: drained.promise });
    const done = lifecycle.run();
    won.resolve({ epoch: 1, identity: 'i' });
    await settle();
    stop.abort(new Error('enough'));
    await settle();
    expect(log).not.toContain('abort: lost');
    lost.reject(loss);
    await settle();
    expect(log).toContain('abort: lost');
    drained.resolve();
    await expect(done).rejects.toBe(loss);
    expect(log).not.toContain('release');
  });

  test('MG-5: what the hook of a leader throws on the way down is an error of the stop; its own abort is not', async () => {
    const endOf = async (hookEnds: (signal: AbortSignal) => Promise<void>): Promise<unknown> => {
      const aborted = (signal: AbortSignal) =>
        new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      const hooks = {
        onStartedLeading: async ({ signal }: { signal: AbortSignal }) => (await aborted(signal), hookEnds(signal)),
        onStoppedLeading: undefined,
      };
      const { lifecycle, won, stop } = setUp({ election: true, hooks });
      const done = lifecycle.run();
      won.resolve({ epoch: 1, identity: 'i' });
      await settle();
      stop.abort(new Error('enough'));
      return done.then(
        () => 'resolved',
        (error: unknown) => error,
      );
    };
    const flush = new Error('could not flush');
    expect(await endOf(() => Promise.reject(flush))).toBe(flush);
    expect(await endOf(async (signal) => signal.throwIfAborted())).toBe('resolved');
    expect(await endOf(() => Promise.reject(new DOMException('aborted', 'AbortError')))).toBe('resolved');
    expect(await endOf(async () => undefined)).toBe('resolved');
  });

  test('while the hook of a new leader runs tells it so', async () => {
    let signal: AbortSignal | undefined;
    const ended = Promise.withResolvers<void>();
    const hooks = {
      onStartedLeading: (leadership: { signal: AbortSignal }) => ((signal = leadership.signal), ended.promise),
      onStoppedLeading: undefined,
    };
    const { lifecycle, log, won, lost } = setUp({ election: true, hooks });
    const done = lifecycle.run();
    won.resolve({ epoch: 1, identity: 'i' });
    await settle();
    expect([log.includes('start a'), signal?.aborted]).toEqual([false, false]);
    lost.reject(loss);
    await settle();
    expect(signal?.reason).toBe(loss);
    ended.resolve();
    await expect(done).rejects.toBe(loss);
  });
});

describe('MG-1: a hook that does not return', () => {
  const begun = async (hook: () => Promise<void>) => {
    const setting = setUp({ election: true, hooks: { onStartedLeading: hook, onStoppedLeading: undefined } });
    const done = setting.lifecycle.run();
    done.catch(() => undefined);
    setting.won.resolve({ epoch: 1, identity: 'i' });
    await settle();
    return { ...setting, done };
  };

  test('keeps the leader from its work, and that is told once', async () => {
    const ended = Promise.withResolvers<void>();
    const { log, warnings, clock, stop, done } = await begun(() => ended.promise);
    await clock.advance(9_999);
    expect(warnings).toEqual([]);
    await clock.advance(60_000);
    expect(warnings).toEqual([expect.stringMatching(/^onStartedLeading has not returned: controllers .* a part$/)]);
    expect(log).not.toContain('start a');
    ended.resolve();
    await settle();
    expect(log).toContain('start a');
    stop.abort(new Error('enough'));
    await done;
  });

  test('is not told of once the operator stops, or where it returns in time', async () => {
    const stopped = await begun(() => new Promise<void>(() => undefined));
    stopped.stop.abort(new Error('enough'));
    const quick = await begun(() => Promise.resolve());
    for (const { clock, warnings } of [stopped, quick]) {
      await clock.advance(20_000);
      expect(warnings).toEqual([]);
    }
    expect(quick.clock.pending).toBe(0);
  });
});

describe('MG-4: the time of a stop', () => {
  test('work that does not end is aborted after 25 s, named after one more, and the lease runs out', async () => {
    const hooks = { onStartedLeading: () => undefined, onStoppedLeading: undefined };
    const { lifecycle, log, stop, won, clock } = setUp({
      election: true,
      hooks,
      drained: new Promise(() => undefined),
    });
    const done = lifecycle.run();
    done.catch(() => undefined);
    won.resolve({ epoch: 1, identity: 'i' });
    await settle();
    log.length = 0;
    stop.abort(new Error('enough'));
    await clock.advance(24_999);
    expect(log).toEqual(down);
    await clock.advance(1);
    expect(log.slice(4)).toEqual([aborted, 'cache stops']);
    await clock.advance(999);
    expect(log).not.toContain('abandon');
    await clock.advance(1);
    await expect(done).rejects.toMatchObject({
      code: 'MANAGER_STOP_TIMEOUT',
      message: expect.stringContaining('still running: a, b') as string,
    });
    expect(log.slice(6)).toEqual([...last, 'abandon', 'recorder stops']);
  });

  test('one that does not end is named, and only that one', async () => {
    const hooks = { onStartedLeading: () => new Promise<void>(() => undefined), onStoppedLeading: undefined };
    const { lifecycle, stop, won, clock } = setUp({ election: true, hooks });
    const done = lifecycle.run();
    done.catch(() => undefined);
    won.resolve({ epoch: 1, identity: 'i' });
    await settle();
    stop.abort(new Error('enough'));
    await clock.advance(30_000);
    await expect(done).rejects.toMatchObject({
      code: 'MANAGER_STOP_TIMEOUT',
      message: expect.stringMatching(/still running: onStartedLeading(?![\w,])/) as string,
    });
  });

  test('of a short one, half of what is left after the abort is for what follows', async () => {
    const { lifecycle, log, stop, clock } = setUp({ gracefulStop: 600, drained: new Promise(() => undefined) });
    const done = lifecycle.run();
    done.catch(() => undefined);
    await settle();
    stop.abort(new Error('enough'));
    await clock.advance(500);
    expect(log.slice(-2)).toEqual([aborted, 'cache stops']);
    await clock.advance(49);
    expect(log).not.toContain('endpoint closes');
    await clock.advance(1);
    expect(log).toContain('endpoint closes');
    await expect(done).rejects.toMatchObject({ code: 'MANAGER_STOP_TIMEOUT' });
  });

  test('a hook that does not end is waited for half of what is left', async () => {
    const hooks = { onStartedLeading: undefined, onStoppedLeading: () => new Promise<void>(() => undefined) };
    const { lifecycle, log, stop, won, clock, state } = setUp({ election: true, hooks });
    const done = lifecycle.run();
    done.catch(() => undefined);
    won.resolve({ epoch: 1, identity: 'i' });
    await settle();
    stop.abort(new Error('enough'));
    await settle();
    await clock.advance(14_999);
    expect(log).not.toContain('release');
    await clock.advance(1);
    await expect(done).rejects.toThrow('still running: onStoppedLeading');
    expect([log.slice(-3), state.releasedWithin]).toEqual([['release', 'abandon', 'recorder stops'], 15_000]);
    expect(state.limits).toEqual({ within: 15_000, patience: 1000 });
  });

  test('after a failure it gets a moment', async () => {
    const hooks = { onStartedLeading: undefined, onStoppedLeading: () => new Promise<void>(() => undefined) };
    const { lifecycle, log, won, lost, clock } = setUp({ election: true, hooks });
    const done = lifecycle.run();
    done.catch(() => undefined);
    won.resolve({ epoch: 1, identity: 'i' });
    await settle();
    lost.reject(new Error('lost'));
    await settle();
    await clock.advance(999);
    expect(log).not.toContain('abandon');
    await clock.advance(1);
    await expect(done).rejects.toThrow('lost');
  });

  test('no timer is left behind', async () => {
    const { lifecycle, stop, clock, won } = setUp({
      election: true,
      hooks: { onStartedLeading: undefined, onStoppedLeading: () => undefined },
    });
    const done = lifecycle.run();
    won.resolve({ epoch: 1, identity: 'i' });
    await settle();
    stop.abort(new Error('enough'));
    await done;
    expect(clock.pending).toBe(0);
  });
});
