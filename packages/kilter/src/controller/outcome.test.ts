import { describe, expect, test } from 'vitest';
import { ApiError, KilterError } from '../errors/index.ts';
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
const forbidden = new ApiError(
  {
    code: 403,
    reason: 'Forbidden',
    message: 'pods is forbidden: User "u" cannot list resource "pods" in API group "" at the cluster scope',
    causes: [],
    retryAfterSeconds: undefined,
    details: {},
  },
  { method: 'GET', path: '/x' },
);
const threw = (error: unknown) => outcomeOf({ type: 'threw', error });
const returned = (value: unknown) => outcomeOf({ type: 'returned', value });

describe('what follows from a run', () => {
  test.each([
    [
      'an error',
      () => threw(new Error('x')),
      { type: 'retry', reason: 'Error', atLeast: undefined },
      'error',
      false,
      false,
    ],
    [
      'RL-7: an error with a time to wait',
      () => threw(new Error('y', { cause: busy })),
      { type: 'retry', reason: 'Error', atLeast: 7000 },
      'error',
      false,
      false,
    ],
    [
      'B-25: a missing rule',
      () => threw(new Error('y', { cause: forbidden })),
      { type: 'retry', reason: 'Error', atLeast: undefined, atMost: 30_000 },
      'error',
      false,
      false,
    ],
    ['terminal()', () => threw(thrownBy(() => terminal(new Error('x')))), { type: 'forget' }, 'error', true, false],
    [
      'terminal() as a cause',
      () => threw(new Error('y', { cause: thrownBy(() => terminal('x')) })),
      { type: 'forget' },
      'error',
      true,
      false,
    ],
    [
      'requeueAfter',
      () => returned(requeueAfter('30s', 'poll')),
      { type: 'after', ms: 30_000, reason: 'poll' },
      'requeue_after',
      false,
      false,
    ],
    [
      'requeueAfter of a time that is over',
      () => returned(requeueAfter(-5, 'poll')),
      { type: 'requeue', reason: 'poll' },
      'requeue',
      false,
      false,
    ],
    [
      'requeueAfter at once',
      () => returned(requeueAfter(0, 'poll')),
      { type: 'requeue', reason: 'poll' },
      'requeue',
      false,
      false,
    ],
    ['requeue', () => returned(requeue('again')), { type: 'requeue', reason: 'again' }, 'requeue', false, false],
    ['nothing', () => returned(undefined), { type: 'forget' }, 'success', false, false],
    [
      'RC-6: a programming error',
      () => threw(new TypeError('x is undefined')),
      { type: 'retry', reason: 'TypeError', atLeast: undefined },
      'error',
      false,
      true,
    ],
    [
      'RC-10: waitFor()',
      () => threw(thrownBy(() => waitFor('Secret db', '3s'))),
      { type: 'wait', ms: 3000, reason: 'Secret db' },
      'requeue_after',
      false,
      false,
    ],
    [
      'RC-10: waitFor() without any time',
      () => threw(thrownBy(() => waitFor('Secret db', 0))),
      { type: 'wait', ms: 5000, reason: 'Secret db' },
      'requeue_after',
      false,
      false,
    ],
    [
      'the shortest waitFor()',
      () => threw(thrownBy(() => waitFor('Secret db', 1))),
      { type: 'wait', ms: 1, reason: 'Secret db' },
      'requeue_after',
      false,
      false,
    ],
    [
      'the shortest requeueAfter',
      () => returned(requeueAfter(1, 'poll')),
      { type: 'after', ms: 1, reason: 'poll' },
      'requeue_after',
      false,
      false,
    ],
    [
      'an error with a code',
      () => threw(new KilterError('CACHE_STOPPED', 'x')),
      { type: 'retry', reason: 'CACHE_STOPPED', atLeast: undefined },
      'error',
      false,
      false,
    ],
    ['a thrown text', () => threw('x'), { type: 'retry', reason: 'string', atLeast: undefined }, 'error', false, true],
    [
      'a terminal error of another copy of this package',
      () => threw(new KilterError('RECONCILE_TERMINAL', 'x')),
      { type: 'forget' },
      'error',
      true,
      false,
    ],
    [
      'nothing, for an object that is gone',
      () => outcomeOf({ type: 'returned', value: undefined, gone: true }),
      { type: 'drop' },
      'success',
      false,
      false,
    ],
    ['RC-11: no object', () => outcomeOf({ type: 'absent' }), { type: 'drop' }, 'success', false, false],
  ])('%s', (_, outcome, next, result, isTerminal, panic) => {
    // Asked for here and not in the table: a table is made when the file is loaded.
    expect(outcome()).toMatchObject({ next, result, terminal: isTerminal, panic });
  });

  test.each([NaN, Infinity])('RC-12: requeueAfter(%d) is refused by that name', (after) => {
    expect(() => requeueAfter(after, 'x')).toThrow(`requeueAfter(${after}) is not a duration`);
  });

  test.each([[null], [0], ['30s'], [{ requeue: true }], [{ requeueAfter: 5 }]])(
    'RC-12: %j is not a result, and an error says so',
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
  expect(nextInWords({ type: 'drop' })).toBe('waits for the next change');
  expect(nextInWords({ type: 'wait', ms: 500, reason: 'a Secret' })).toBe('again in 0.5s: a Secret');
  expect(nextInWords({ type: 'requeue', reason: 'busy' })).toBe('again: busy');
  expect(nextInWords({ type: 'retry', reason: 'Error' })).toBe('retried with backoff: Error');
});
