import { expect, test } from 'vitest';
import { ApiError, type Code, KilterError } from '../errors/index.ts';
import { ReconcileError } from '../reconcile/index.ts';
import { isCalledOff, isOrdinary, isPassing } from './ordinary.ts';

const answer = (code: number, reason = '', causes: { reason: string }[] = []) =>
  new ApiError(
    { code, reason, message: 'no', causes, retryAfterSeconds: undefined, details: {} },
    { method: 'PUT', path: '/' },
  );
const coded = (code: Code) => new KilterError(code, 'x');
const thrown = (error: unknown) => new ReconcileError(error, { controller: 'c', key: 'k', reconcileID: 'r' });

test.each([
  ['a conflict', answer(409, 'Conflict'), true],
  ['throttling', answer(429), true],
  ['a server that starts', answer(503), true],
  ['a time-out', answer(504), true],
  ['no server', coded('TRANSPORT_UNREACHABLE'), true],
  ['no answer', coded('TRANSPORT_DEADLINE'), true],
  ['a closed gate', coded('TRANSPORT_GATE_CLOSED'), true],
  ['a broken connection', coded('TRANSPORT_CONNECTION_LOST'), true],
  ['a write that may have been done', coded('TRANSPORT_OUTCOME_UNKNOWN'), true],
  ['a request held back here', coded('TRANSPORT_RATE_LIMITED'), true],
  ['a lost lease', coded('ELECTION_LOST'), true],
  ['a cache that stops', coded('CACHE_STOPPED'), true],
  ['a refusal', answer(422, 'Invalid'), false],
  ['missing rights', answer(403, 'Forbidden'), false],
  ['a mistake of the user', new TypeError('x is not a function'), false],
])('RC-16: %s: ordinary %#', (_, error, expected) => {
  expect(isOrdinary(thrown(error))).toBe(expected);
});

test('RC-16: what a terminating namespace refuses is known by its cause', () => {
  expect(isPassing(thrown(answer(403, 'Forbidden', [{ reason: 'NamespaceTerminating' }])))).toBe(true);
  expect(isPassing(thrown(answer(403, 'Forbidden')))).toBe(false);
});

test('what was called off has not failed', () => {
  expect(isCalledOff(thrown(coded('ELECTION_LOST')))).toBe(true);
  expect(isCalledOff(thrown(coded('MANAGER_STOPPED')))).toBe(true);
  expect(isCalledOff(thrown(coded('CACHE_STOPPED')))).toBe(true);
  expect(isCalledOff(thrown(new Error('x')))).toBe(false);
});
