import { describe, expect, test } from 'vitest';
import type { Cause } from '../api/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { type Logger, silentLogger } from '../telemetry/index.ts';
import type { WorkQueueOptions } from './options.ts';
import type { Work } from './work.ts';
import { workQueue } from './work-queue.ts';

const cause: Cause = { source: 'primary', change: 'add' };

function setup(options: Partial<WorkQueueOptions>) {
  const told: unknown[][] = [];
  const logger: Logger = { ...silentLogger, error: (...line) => void told.push(line) };
  const runtime = virtualRuntime();
  const queue = workQueue({ name: 'q', runtime, jitter: 0, logger, ...options });
  return { queue, told, clock: runtime.clock };
}

const thrower = (): never => {
  throw new Error('broken');
};
const wrong: [string, () => unknown, string][] = [
  ['throws', thrower, 'broken'],
  ['is async', () => Promise.resolve('a'), 'returned Promise'],
  ['is async and fails', () => Promise.reject(new Error('late')), 'returned Promise'],
  ['answers nothing', () => undefined, 'returned undefined'],
  ['answers an object', () => ({}), 'returned {}'],
  ['answers -1', () => -1, 'returned -1'],
];

describe('a fairness function', () => {
  test.each(wrong)(
    'PQ-13: that %s is reported once, costs no key, and namespaces take turns',
    async (_, fairness, text) => {
      const { queue, told } = setup({ fairness: fairness as () => string });
      for (const key of ['a/1', 'a/2', 'b/1']) queue.add(key, cause);
      const order = [queue.takeReady(), queue.takeReady(), queue.takeReady()].map((work) => work?.key);
      expect(order).toEqual(['a/1', 'b/1', 'a/2']);
      const err = expect.objectContaining({ message: expect.stringContaining(text) as string }) as Error;
      expect(told).toEqual([[{ err, queue: 'q', key: 'a/1' }, 'fairness cannot be used; the default applies']]);
      // A rejection that nobody has taken notice of would end the process now.
      await new Promise(setImmediate);
    },
  );

  test('that fails for one key decides for the others', () => {
    const { queue } = setup({ fairness: ({ name }) => (name === 'odd' ? thrower() : name) });
    for (const key of ['a/x', 'a/odd', 'b/x', 'b/y']) queue.add(key, cause);
    const order = Array.from({ length: 4 }, () => queue.takeReady()?.key);
    expect(order).toEqual(['a/x', 'a/odd', 'b/y', 'b/x']);
  });
});

describe('a delay of the user', () => {
  test.each(wrong)('RL-4: that %s is told once, and the backoff holds', async (_, delay, text) => {
    const { queue, told, clock } = setup({ retryDelay: delay as () => number });
    queue.add('a/1', cause);
    for (const wait of [5, 10, 20]) {
      queue.done(queue.takeReady() as Work, { type: 'retry', reason: 'r' });
      await clock.advance(wait - 1);
      expect(queue.depth).toBe(0);
      await clock.advance(1);
    }
    expect(queue.depth).toBe(1);
    const err = expect.objectContaining({ message: expect.stringContaining(text) as string }) as Error;
    expect(told).toEqual([[{ err, queue: 'q', key: 'a/1' }, 'backoff.delay cannot be used; the default applies']]);
  });

  test('RL-4: decides for each retry of each key; none at all is one', async () => {
    const asked: string[] = [];
    const { queue, told, clock } = setup({
      retryDelay: (n, { name }) => (asked.push(`${name} ${n}`), n === 1 ? 0 : 70),
    });
    queue.add('a/1', cause);
    queue.done(queue.takeReady() as Work, { type: 'retry', reason: 'r' });
    queue.done(queue.takeReady() as Work, { type: 'retry', reason: 'r' });
    await clock.advance(69);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect([queue.depth, asked, told]).toEqual([1, ['1 1', '1 2'], []]);
  });
});
