import { describe, expect, test } from 'vitest';
import { type Given, setUp, settle } from './lifecycle.test-support.ts';
import { type Part, part, type PartOptions } from './part.ts';

/** Writes down its start and its end. */
const server = (log: string[], name: string, options: PartOptions): Part =>
  part(name, options, async ({ signal }) => {
    log.push(`${name} starts`);
    await new Promise((ended) => signal.addEventListener('abort', ended));
    log.push(`${name} ends`);
  });

describe("parts of one's own", () => {
  const groups = (told: string[]): Given => ({
    election: true,
    replica: true,
    replicaParts: [server(told, 'proxy', { on: 'everyReplica' })],
    leaderParts: [server(told, 'sweeper', {})],
  });

  test('MG-1 nothing works before caches are synced and webhooks serve, and nobody leads', async () => {
    const told: string[] = [];
    const serving = Promise.withResolvers<void>();
    const { lifecycle, log, stop, won } = setUp({ ...groups(told), serving: serving.promise });
    const done = lifecycle.run();
    await settle();
    expect([log, told]).toEqual([['open', 'connect r', 'connect a', 'connect b', 'sync', 'webhooks'], []]);
    expect(lifecycle.readiness()).toBe('caches are not synced');
    serving.resolve();
    await lifecycle.ready;
    await settle();
    expect([log.slice(6), told]).toEqual([['start r', 'campaign'], ['proxy starts']]);
    stop.abort(new Error('enough'));
    won.reject(new Error('called off'));
    await done;
  });

  test('MG-1 those of every replica start once caches are synced, those of the leader with the controllers', async () => {
    const told: string[] = [];
    const { lifecycle, log, won, stop } = setUp(groups(told));
    const done = lifecycle.run();
    await lifecycle.ready;
    await settle();
    expect([log.at(-2), log.at(-1), told]).toEqual(['start r', 'campaign', ['proxy starts']]);
    won.resolve({ epoch: 1, identity: 'me' });
    await settle();
    expect([log.slice(-2), told]).toEqual([
      ['start a', 'start b'],
      ['proxy starts', 'sweeper starts'],
    ]);
    stop.abort(new Error('enough'));
    await done;
    expect(told.slice(2)).toEqual(['proxy ends', 'sweeper ends']);
    expect(log).toContain('shutdown r');
  });

  test('MG-5 one that fails stops the operator with a code, and what it threw is the cause', async () => {
    const boom = new Error('boom');
    const failing = part('job', { on: 'everyReplica' }, () => Promise.reject(boom));
    const { lifecycle, log } = setUp({ election: true, replicaParts: [failing] });
    await expect(lifecycle.run()).rejects.toMatchObject({ code: 'MANAGER_PART_FAILED', cause: boom });
    expect(log).toContain('recorder stops');
  });

  test('one that throws synchronously at its start, and one of the leader, do the same', async () => {
    const failing = part('job', () => {
      throw new Error('at once');
    });
    const { lifecycle } = setUp({ leaderParts: [failing] });
    await expect(lifecycle.run()).rejects.toThrow('the part job failed: at once');
  });

  test('without one that is optional, and after one that is done, the operator goes on', async () => {
    const optional = part('extra', { optional: true }, () => Promise.reject(new Error('boom')));
    const { lifecycle, stop } = setUp({ leaderParts: [optional, part('job', () => undefined)] });
    const done = lifecycle.run();
    await lifecycle.ready;
    await settle();
    expect(lifecycle.readiness()).toBeUndefined();
    stop.abort(new Error('enough'));
    await done;
  });

  test('one that throws in place of ending is reported with the stop', async () => {
    const stubborn = part('stubborn', { on: 'everyReplica' }, async ({ signal }) => {
      await new Promise((ended) => signal.addEventListener('abort', ended));
      throw new Error('not like this');
    });
    const { lifecycle, stop } = setUp({ replicaParts: [stubborn] });
    const done = lifecycle.run();
    await lifecycle.ready;
    await settle();
    stop.abort(new Error('enough'));
    await expect(done).rejects.toThrow('the part stubborn failed: not like this');
  });

  test('also where another does not end at all', async () => {
    const stubborn = part('stubborn', { on: 'everyReplica' }, async ({ signal }) => {
      await new Promise((ended) => signal.addEventListener('abort', ended));
      throw new Error('not like this');
    });
    const endless = part('endless', { on: 'everyReplica' }, () => new Promise(() => undefined));
    const { lifecycle, stop, clock } = setUp({ replicaParts: [stubborn, endless] });
    const done = lifecycle.run().catch((error: unknown) => error);
    await lifecycle.ready;
    await settle();
    stop.abort(new Error('enough'));
    await clock.advance(31_000);
    const first = (await done) as Error & { suppressed?: readonly unknown[] };
    const told = [first, ...(first.suppressed ?? [])].map(String).join('; ');
    expect(told).toContain('the part stubborn failed: not like this');
    expect(told).toContain('still running: part endless');
  });

  test('MG-4 one that does not end is named', async () => {
    const endless = part('endless', { on: 'everyReplica' }, () => new Promise(() => undefined));
    const { lifecycle, stop, clock } = setUp({ replicaParts: [endless] });
    const done = lifecycle.run().catch((error: unknown) => error);
    await lifecycle.ready;
    await settle();
    stop.abort(new Error('enough'));
    await clock.advance(31_000);
    expect(await done).toMatchObject({
      code: 'MANAGER_STOP_TIMEOUT',
      message: expect.stringContaining('part endless') as string,
    });
  });
});

describe('an access review at the start', () => {
  test('C-02 that denies reading ends the wait for caches that will never be read', async () => {
    const denied = new Error('denied');
    const never = new Promise<void>(() => undefined);
    const { lifecycle, log } = setUp({ synced: never, review: () => Promise.reject(denied) });
    await expect(lifecycle.run()).rejects.toBe(denied);
    expect(log).toEqual(expect.arrayContaining(['cache stops', 'recorder stops']));
  });

  test('that finds nothing, or comes late, changes nothing, and ends with the operator', async () => {
    const signals: AbortSignal[] = [];
    const late = Promise.withResolvers<void>();
    const { lifecycle, stop } = setUp({ review: (signal) => (signals.push(signal), late.promise) });
    const done = lifecycle.run();
    await lifecycle.ready;
    late.reject(new Error('late'));
    await settle();
    expect(signals[0]?.aborted).toBe(false);
    stop.abort(new Error('enough'));
    await done;
    expect(signals[0]?.aborted).toBe(true);
  });
});
