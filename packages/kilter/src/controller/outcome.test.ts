import { describe, expect, test } from 'vitest';
import { ApiError } from '../errors/index.ts';
import { requeue, requeueAfter, terminal, waitFor } from '../reconcile/index.ts';
import { isProgrammingError, nextInWords, outcomeOf } from './outcome.ts';

const thrownBy = (run: () => never): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};
const busy = new ApiError(
  { code: 429, reason: 'TooManyRequests', message: 'm', causes: [], retryAfterSeconds: 7, details: {} },
  { method: 'GET', path: '/x' },
);
const threw = (error: unknown) => outcomeOf({ type: 'threw', error });
const returned = (value: unknown) => outcomeOf({ type: 'returned', value });

describe('what follows from a run', () => {
  test.each([
    ['an error', threw(new Error('x')), { type: 'retry', reason: 'Error', atLeast: undefined }, 'error', false, false],
    [
      'RL-7: an error with a time to wait',
      threw(new Error('y', { cause: busy })),
      { type: 'retry', reason: 'Error', atLeast: 7000 },
      'error',
      false,
      false,
    ],
    ['terminal()', threw(thrownBy(() => terminal(new Error('x')))), { type: 'forget' }, 'error', true, false],
    [
      'terminal() as a cause',
      threw(new Error('y', { cause: thrownBy(() => terminal('x')) })),
      { type: 'forget' },
      'error',
      true,
      false,
    ],
    [
      'requeueAfter',
      returned(requeueAfter('30s', 'poll')),
      { type: 'after', ms: 30_000, reason: 'poll' },
      'requeue_after',
      false,
      false,
    ],
    ['requeueAfter of nothing', returned(requeueAfter(0, 'poll')), { type: 'forget' }, 'success', false, false],
    ['requeue', returned(requeue('again')), { type: 'requeue', reason: 'again' }, 'requeue', false, false],
    ['nothing', returned(undefined), { type: 'forget' }, 'success', false, false],
    [
      'RC-6: a programming error',
      threw(new TypeError('x is undefined')),
      { type: 'retry', reason: 'TypeError', atLeast: undefined },
      'error',
      false,
      true,
    ],
    [
      'RC-10: waitFor()',
      threw(thrownBy(() => waitFor('Secret db', '3s'))),
      { type: 'wait', ms: 3000, reason: 'Secret db' },
      'requeue_after',
      false,
      false,
    ],
    ['RC-11: no object', outcomeOf({ type: 'absent' }), { type: 'drop' }, 'success', false, false],
  ])('%s', (_, outcome, next, result, isTerminal, panic) => {
    expect(outcome).toMatchObject({ next, result, terminal: isTerminal, panic });
  });

  test.each([NaN, Infinity])('RC-12: requeueAfter(%d) is refused by that name', (after) => {
    expect(() => requeueAfter(after, 'x')).toThrow(`requeueAfter(${after}) is not a duration`);
  });

  test.each([[null], [0], ['30s'], [{ requeue: true }], [{ requeueAfter: 5 }]])(
    'RC-12: %j is no result, and an error says so',
    (value) => {
      const { result, error } = returned(value);
      expect(result).toBe('error');
      expect(error).toMatchObject({ code: 'RECONCILE_RESULT_INVALID' });
    },
  );
});

test.each([
  [new ReferenceError('x'), true],
  [new RangeError('x'), true],
  [new TypeError('x'), true],
  ['text', true],
  [undefined, true],
  [new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }), false],
  [new Error('x'), false],
])('RC-6: %s is a programming error: %s', (error, expected) => {
  expect(isProgrammingError(error)).toBe(expected);
});

test('what follows can be said in words', () => {
  expect(nextInWords({ type: 'after', ms: 30_000, reason: 'poll the rollout' })).toBe('again in 30s: poll the rollout');
  expect(nextInWords({ type: 'forget' })).toBe('waits for the next change');
});
