import { describe, expect, test } from 'vitest';
import { resolveTuning } from './queue-tuning.ts';

const defaults = { backoff: { base: 5, cap: 1_000_000 }, jitter: 0.1, ageing: 30_000, fairness: 'namespace' };

describe('RL-4, PQ-12, PQ-13: the order and the pace of keys are options', () => {
  const fair = (): string => 'all';
  test.each([
    ['nothing is given', {}, {}, defaults],
    [
      "a controller's own is taken",
      { backoff: { base: '1s', cap: '1m', jitter: 0 }, ageing: '2m', fairness: fair },
      {},
      { backoff: { base: 1000, cap: 60_000 }, jitter: 0, ageing: 120_000, fairness: fair },
    ],
    [
      'every wait is the same',
      { backoff: { base: '1s', cap: '1s' } },
      {},
      { ...defaults, backoff: { base: 1000, cap: 1000 } },
    ],
    [
      "the operator's stands behind it, option by option",
      { backoff: { base: '1s' } },
      { backoff: { base: '2s', jitter: 0.5 }, ageing: '1m', fairness: 'off' as const },
      { backoff: { base: 1000, cap: 1_000_000 }, jitter: 0.5, ageing: 60_000, fairness: 'off' },
    ],
  ] as const)('%s', (_, own, operator, expected) => {
    expect(resolveTuning(own, operator)).toEqual(expected);
  });

  test.each([
    ['backoff.base', { backoff: { base: '0s' } }, {}],
    ['backoff.cap', { backoff: { cap: '1ms' } }, {}],
    ['backoff.cap', { backoff: { base: '1m' } }, { backoff: { cap: '1s' } }],
    ['backoff.jitter', { backoff: { jitter: 1 } }, {}],
    ['backoff.jitter', {}, { backoff: { jitter: Number.NaN } }],
    ['ageing', { ageing: -1 }, {}],
    ['fairness', { fairness: 'fair' as never }, {}],
  ] as const)('%s that cannot be used is refused', (option, own, operator) => {
    expect(() => resolveTuning(own, operator)).toThrow(
      expect.objectContaining({ code: 'CONTROLLER_OPTION_INVALID', message: expect.stringContaining(option) }),
    );
  });
});
