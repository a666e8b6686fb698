import { expect, test } from 'vitest';
import { ApiError, type Code, KilterError } from '../errors/index.ts';
import { ReconcileError } from '../reconcile/index.ts';
import { kind, type KubeObject } from '../api/index.ts';
import { isAbortOf, isCalledOff, isOrdinary, isOwnAbsence, isPassing } from './ordinary.ts';

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
  ['a watch that lags behind', coded('CACHE_WAIT_EXPIRED'), true],
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

const Box = kind<KubeObject>({
  group: 'example.com',
  version: 'v1',
  kind: 'Box',
  plural: 'boxes',
  scope: 'Namespaced',
});
const missing = (
  details: Record<string, unknown>,
  { code = 404, path = '/apis/example.com/v1/namespaces/n/boxes/x' } = {},
) =>
  new ApiError(
    { code, reason: 'NotFound', message: 'no', causes: [], retryAfterSeconds: undefined, details } as never,
    { method: 'PATCH', path },
  );
const own = { name: 'x', kind: 'boxes', group: 'example.com' };

test.each([
  ['the object itself', missing(own), true],
  ['another of its kind', missing({ ...own, name: 'y' }), false],
  ['another kind', missing({ ...own, kind: 'lids' }), false],
  ['the same name in another group', missing({ ...own, group: 'other.com' }), false],
  ['the same name in another namespace', missing(own, { path: '/apis/example.com/v1/namespaces/m/boxes/x' }), false],
  ['the whole kind', missing({}), false],
  ['a conflict about it', missing(own, { code: 409 }), false],
  ['something else', new Error('x'), false],
])('RC-16: what was not found is %s: its own absence %#', (_, error, expected) => {
  expect(isOwnAbsence(thrown(error), Box, { name: 'x', namespace: 'n' })).toBe(expected);
});

test('RC-16: an object without a namespace is known by its name', () => {
  const error = missing(own, { path: '/apis/example.com/v1/boxes/x' });
  expect(isOwnAbsence(error, Box, { name: 'x' })).toBe(true);
});

test.each([
  ['an abort after the stop', coded('MANAGER_STOPPED'), new DOMException('stop', 'AbortError'), true],
  ['an abort around it', coded('ELECTION_LOST'), new Error('x', { cause: new DOMException('', 'AbortError') }), true],
  ['a failure after the stop', coded('MANAGER_STOPPED'), new Error('broken'), false],
  ['an abort by the timeout', coded('RECONCILE_TIMEOUT'), new DOMException('late', 'AbortError'), false],
  ['an abort of its own', undefined, new DOMException('own', 'AbortError'), false],
])('RC-16: %s: called off %#', (_, reason, error, expected) => {
  const signal = reason === undefined ? new AbortController().signal : AbortSignal.abort(reason);
  expect(isAbortOf(signal, thrown(error))).toBe(expected);
});
