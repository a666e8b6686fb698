import { expect, test } from 'vitest';
import { virtualRuntime } from '../internal/index.ts';
import { type WorkQueueOptions, resolveQueueOptions } from './options.ts';

const runtime = virtualRuntime();

test('RL-4: base, cap, factor and jitter are options with defaults', () => {
  const { backoff, jitter, ageing, fairness } = resolveQueueOptions({ name: 'q', runtime });
  expect({ backoff, jitter, ageing, fairness }).toEqual({
    backoff: { base: 5, factor: 2, cap: 1_000_000 },
    jitter: 0.1,
    ageing: 30_000,
    fairness: 'namespace',
  });
  const chosen = resolveQueueOptions({ name: 'q', runtime, backoff: { base: 1000, cap: 300_000 } });
  expect(chosen.backoff).toEqual({ base: 1000, factor: 2, cap: 300_000 });
});

test('RL-4: the limits themselves are allowed: delays that do not grow, no jitter', () => {
  const { backoff, jitter } = resolveQueueOptions({
    name: 'q',
    runtime,
    backoff: { factor: 1, base: 7, cap: 7 },
    jitter: 0,
  });
  expect([backoff, jitter]).toEqual([{ base: 7, factor: 1, cap: 7 }, 0]);
});

test.each<[string, Partial<WorkQueueOptions>]>([
  ['backoff.base', { backoff: { base: 0 } }],
  ['backoff.factor', { backoff: { factor: 0.5 } }],
  ['backoff.cap', { backoff: { cap: 1 } }],
  ['jitter', { jitter: 1 }],
  ['jitter', { jitter: -0.1 }],
  ['ageing', { ageing: Number.NaN }],
  ['ageing', { ageing: 0 }],
])('a bad %s is refused with a code', (name, options) => {
  expect(() => resolveQueueOptions({ name: 'q', runtime, ...options })).toThrow(
    expect.objectContaining({ code: 'QUEUE_OPTION_INVALID', message: expect.stringContaining(name) }),
  );
});
