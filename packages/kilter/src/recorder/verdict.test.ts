import { describe, expect, test } from 'vitest';
import { ApiError, KilterError } from '../errors/index.ts';
import { type Failure, type Verdict, verdictOn } from './verdict.ts';

const answer = (code: number, reason: string, cause?: string): ApiError =>
  new ApiError(
    {
      code,
      reason,
      message: 'no',
      causes: cause === undefined ? [] : [{ reason: cause }],
      retryAfterSeconds: undefined,
      details: {},
    },
    { method: 'POST', path: '/' },
  );
const lost = new KilterError('TRANSPORT_CONNECTION_LOST', 'reset');

describe('EV-5: what follows from a failed request', () => {
  test.each<[string, Partial<Failure> & { error: unknown }, Verdict]>([
    ['404 for a patch', { error: answer(404, 'NotFound'), verb: 'patch' }, { type: 'recreate' }],
    ['404 for a create', { error: answer(404, 'NotFound') }, { type: 'give-up', silent: false }],
    ['AlreadyExists for a create', { error: answer(409, 'AlreadyExists') }, { type: 'exists' }],
    [
      'a terminating namespace',
      { error: answer(403, 'Forbidden', 'NamespaceTerminating') },
      { type: 'give-up', silent: true },
    ],
    ['403', { error: answer(403, 'Forbidden') }, { type: 'give-up', silent: false }],
    ['422', { error: answer(422, 'Invalid') }, { type: 'give-up', silent: false }],
    ['503', { error: answer(503, 'ServiceUnavailable') }, { type: 'give-up', silent: false }],
    ['a lost connection at first', { error: lost, chance: 0.25 }, { type: 'retry', afterMs: 2500 }],
    ['a lost connection later', { error: lost, tries: 5 }, { type: 'retry', afterMs: 10_000 }],
    ['a lost connection at the 11th try', { error: lost, tries: 11 }, { type: 'retry', afterMs: 10_000 }],
    ['a lost connection at the 12th try', { error: lost, tries: 12 }, { type: 'give-up', silent: false }],
    ['a programming error', { error: new TypeError('x') }, { type: 'give-up', silent: false }],
  ])('EV-5: %s', (_, failure, verdict) => {
    expect(verdictOn({ verb: 'create', tries: 1, chance: 0, ...failure })).toEqual(verdict);
  });
});
