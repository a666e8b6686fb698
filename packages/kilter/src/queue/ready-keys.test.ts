import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cause } from '../api/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { type Logger, silentLogger } from '../telemetry/index.ts';
import type { ReadyKeys } from './ready-keys.ts';
import { NamedReadyKeys } from './ready-keys.test-support.ts';
import { workQueue } from './work-queue.ts';

const cause: Cause = { source: 'primary', change: 'add' };
const ageing = 30_000;

/** Lets the order be written as `namespace/name@priority`. */
function ready(): {
  readonly add: (text: string, now?: number) => void;
  readonly next: (now?: number) => string | undefined;
  readonly keys: ReadyKeys;
} {
  const named = new NamedReadyKeys(ageing);
  return {
    keys: named.ready,
    add: (text, now = 0) => {
      const [key = '', priority = '0'] = text.split('@');
      const [lane = ''] = key.split('/');
      named.add(key, lane, { priority: Number(priority), now });
    },
    next: (now = 0) => named.next(now),
  };
}

describe('which key is next', () => {
  test('PQ-1: the higher priority, then fairness, then the time of becoming ready', () => {
    const { add, next } = ready();
    for (const text of ['a/low@-100', 'a/1', 'a/2', 'b/1', 'a/high@5']) add(text);
    expect([next(), next(), next(), next(), next(), next()]).toEqual([
      'a/high',
      'b/1',
      'a/1',
      'a/2',
      'a/low',
      undefined,
    ]);
  });

  test('PQ-12: a key rises by 100 for each ageing period, and is first among its peers then', () => {
    const { add, next } = ready();
    add('a/old@-100', 0);
    add('a/new@0', ageing - 1);
    expect(next(ageing - 1)).toBe('a/new');
    add('a/newer@0', ageing);
    expect(next(ageing)).toBe('a/old');
  });

  test('PQ-12: one that was raised and has risen since is handed out after those that came before it', () => {
    const named = new NamedReadyKeys(ageing);
    named.add('a/old', 'a', { priority: -200, now: 0 });
    named.add('a/x', 'a', { priority: 0, now: 0 });
    named.raise('a/old', -100);
    expect([named.next(ageing), named.next(ageing), named.next(ageing)]).toEqual(['a/x', 'a/old', undefined]);
  });

  test('PQ-12: two steps up take two periods', () => {
    const { add, next } = ready();
    add('a/old@-100', 0);
    add('a/x@100', ageing);
    add('a/y@100', ageing);
    expect(next(2 * ageing - 1)).toBe('a/x');
    expect(next(2 * ageing)).toBe('a/old');
  });

  test('PQ-12: age never lifts a key above the highest priority given to a ready one', () => {
    const { add, next } = ready();
    add('b/old@-100', 0);
    add('a/1@0', 0);
    add('a/2@0', 0);
    add('c/1@0', 0);
    const later = 100 * ageing;
    expect([next(later), next(later), next(later), next(later)]).toEqual(['b/old', 'a/1', 'c/1', 'a/2']);
  });

  test('PQ-12: a key that aged to a level that emptied takes turns with the level below, not before it', () => {
    const { add, next } = ready();
    add('a/old1@-100', 0);
    add('a/old2@-100', 0);
    add('a/old3@-100', 0);
    add('b/top@100', 0);
    add('c/1@0', 0);
    const later = 10 * ageing;
    expect([next(later), next(later), next(later), next(later), next(later)]).toEqual([
      'a/old1',
      'b/top',
      'c/1',
      'a/old2',
      'a/old3',
    ]);
  });

  test('PQ-13: a burst in one namespace delays a key of another by one rotation', () => {
    const { add, next } = ready();
    for (let i = 0; i < 1000; i += 1) add(`a/${i}`);
    add('b/1');
    expect([next(), next(), next()]).toEqual(['a/0', 'b/1', 'a/1']);
  });

  test('PQ-13: turns rotate over all fairness keys and each is first in, first out', () => {
    const { add, next } = ready();
    for (const text of ['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1']) add(text);
    const order = Array.from({ length: 6 }, () => next());
    expect(order).toEqual(['a/1', 'b/1', 'c/1', 'a/2', 'b/2', 'a/3']);
  });

  test('PQ-13: a namespace that had nothing ready comes back behind those that wait', () => {
    const { add, next } = ready();
    add('a/1');
    next();
    for (const text of ['b/1', 'b/2', 'a/2']) add(text);
    expect([next(), next(), next()]).toEqual(['b/1', 'a/2', 'b/2']);
  });

  test.each([
    ['raised', (keys: NamedReadyKeys) => keys.raise('a/x', 0)],
    ['come of age', () => undefined],
  ])('PQ-13: a namespace whose key was %s and taken comes back behind those that wait', (_, lift) => {
    const keys = new NamedReadyKeys(ageing);
    const add = (key: string, priority: number, now: number): void => keys.add(key, key.slice(0, 1), { priority, now });
    add('a/x', -100, 0);
    for (const key of ['b/1', 'b/2', 'b/3']) add(key, 0, ageing);
    lift(keys);
    const next = (): string | undefined => keys.next(ageing);
    expect([next(), next()].toSorted()).toEqual(['a/x', 'b/1']);
    expect(next()).toBe('b/2');
    add('a/y', 0, ageing);
    // A lane that was thought to wait still would have kept its turn, which is older than that of b.
    expect([next(), next()]).toEqual(['b/3', 'a/y']);
  });

  test('the age of the oldest key is known, ranks and lanes aside', () => {
    const { add, next, keys } = ready();
    add('a/1@-100', 5);
    add('b/1@7', 3);
    expect(keys.oldest()).toBe(3);
    next(5);
    expect(keys.oldest()).toBe(5);
    next(5);
    expect([keys.oldest(), keys.size]).toEqual([undefined, 0]);
  });

  test('PQ-1, PQ-12: agrees with a plain sort over all ready keys when there is no fairness', () => {
    const arbitrary = fc.array(
      fc.record({
        act: fc.constantFrom('add', 'add', 'take'),
        priority: fc.constantFrom(-200, -100, 0, 50, 100),
        wait: fc.nat(40_000),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(arbitrary, (steps) => {
        const { add, next } = ready();
        const model: { key: string; priority: number; since: number; at: number }[] = [];
        let now = 0;
        for (const [at, { act, priority, wait }] of steps.entries()) {
          now += wait;
          if (act === 'add') {
            add(`a/${at}@${priority}`, now);
            model.push({ key: `a/${at}`, priority, since: now, at });
            continue;
          }
          const top = Math.max(...model.map((item) => item.priority));
          const effective = (item: (typeof model)[number]): number =>
            Math.min(top, item.priority + 100 * Math.floor((now - item.since) / ageing));
          const best = model.toSorted((a, b) => effective(b) - effective(a) || a.at - b.at)[0];
          expect(next(now)).toBe(best?.key);
          if (best !== undefined) model.splice(model.indexOf(best), 1);
        }
      }),
    );
  });
});

test('PQ-2: a priority that was dropped among many comes back in a lane that stays', () => {
  const { add, next } = ready();
  add('a/stays@-1000');
  // More than are kept, the last of them once more at the end.
  for (const priority of [...Array(40).keys(), 38, 39]) {
    add(`a/comes@${priority}`);
    expect(next()).toBe('a/comes');
  }
  expect([next(), next()]).toEqual(['a/stays', undefined]);
});

/** Takes down what is told as an error. */
const recording = (told: unknown[]): Logger => ({ ...silentLogger, error: (...line) => void told.push(line) });

describe('priorities in the queue', () => {
  const setup = (options = {}) => {
    const runtime = virtualRuntime();
    const queue = workQueue({ name: 'q', runtime, fairness: 'off', jitter: 0, ...options });
    return { queue, clock: runtime.clock };
  };

  test('PQ-2: re-adding with a higher priority moves a key to the end of that level, a lower one never lowers it', async () => {
    const { queue } = setup();
    queue.add({ name: 'x' }, cause, { priority: -100 });
    queue.add({ name: 'y' }, cause);
    queue.add({ name: 'x' }, cause, { priority: 0 });
    queue.add({ name: 'y' }, cause, { priority: -100 });
    const order = [await queue.take(), await queue.take()];
    expect(order.map((work) => [work?.key, work?.priority])).toEqual([
      ['y', 0],
      ['x', 0],
    ]);
  });

  test('PQ-2: a raised key keeps the time it became ready, from which it ages', async () => {
    const { queue, clock } = setup({ ageing });
    queue.add({ name: 'x' }, cause, { priority: -200 });
    await clock.advance(ageing);
    queue.add({ name: 'x' }, cause, { priority: -100 });
    queue.add({ name: 'y' }, cause);
    expect((await queue.take())?.key).toBe('x');
  });

  test('PQ-3: a running key is skipped although it ranks first, and is available again at done', async () => {
    const { queue } = setup();
    queue.add({ name: 'x' }, cause, { priority: 10 });
    const running = await queue.take();
    queue.add({ name: 'x' }, cause, { priority: 10 });
    queue.add({ name: 'y' }, cause);
    queue.add({ name: 'z' }, cause);
    expect((await queue.take())?.key).toBe('y');
    if (running !== undefined) queue.done(running, { type: 'forget' });
    expect((await queue.take())?.key).toBe('x');
  });

  test('PQ-5: a requeue, a retry and a requeueAfter keep the priority their run was taken with', async () => {
    const { queue, clock } = setup();
    queue.add({ name: 'x' }, cause, { priority: -100 });
    for (const next of [
      { type: 'requeue', reason: 'r' },
      { type: 'retry', reason: 'r' },
      { type: 'after', ms: 50, reason: 'r' },
    ] as const) {
      const work = await queue.take();
      expect(work?.priority).toBe(-100);
      if (work !== undefined) queue.done(work, next);
      await clock.advance(50);
    }
    expect((await queue.take())?.priority).toBe(-100);
  });

  test.each(['namespace', 'off'] as const)('fairness "%s" asks nobody, so nothing is told', (fairness) => {
    const told: unknown[] = [];
    const { queue } = setup({ logger: recording(told), fairness });
    for (const name of ['x', 'y']) queue.add({ namespace: 'a', name }, cause);
    queue.add({ namespace: 'b', name: 'z' }, cause);
    const order = [queue.takeReady()?.key, queue.takeReady()?.key, queue.takeReady()?.key];
    expect(order).toEqual(fairness === 'off' ? ['a/x', 'a/y', 'b/z'] : ['a/x', 'b/z', 'a/y']);
    expect(told).toEqual([]);
  });
});
