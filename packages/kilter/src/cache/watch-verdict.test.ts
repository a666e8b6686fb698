import { expect, test } from 'vitest';
import { KilterError } from '../errors/index.ts';
import { apiError } from './model-server.test-support.ts';
import { askedDelay, isSilence, isUnreached, verdictOf } from './watch-verdict.ts';

const coded = (code: string): Error => new KilterError(code as never, 'for a test');
const inside = (cause: unknown): Error => new Error('a request failed', { cause });

test.each<[string, unknown, ReturnType<typeof verdictOf>]>([
  ['410', apiError(410, 'Expired'), 'expired'],
  ['404', apiError(404, 'NotFound'), 'missing'],
  ...[400, 405, 406, 415, 422, 501].map(
    (code) => [`${code}`, apiError(code, 'Refused'), 'refused'] as [string, unknown, 'refused'],
  ),
  ['500', apiError(500, 'InternalError'), 'internal'],
  [
    'a version the server does not have yet',
    apiError(504, 'Timeout', [{ reason: 'ResourceVersionTooLarge' }]),
    'internal',
  ],
  ['a version too large as 400', apiError(400, 'BadRequest', [{ reason: 'ResourceVersionTooLarge' }]), 'internal'],
  ['403', apiError(403, 'Forbidden'), 'retry'],
  ['429', apiError(429, 'TooManyRequests'), 'retry'],
  ['503', apiError(503, 'ServiceUnavailable'), 'retry'],
  ['a line that is not JSON', coded('TRANSPORT_STREAM_MALFORMED'), 'malformed'],
  ['a line without end', coded('TRANSPORT_LINE_TOO_LONG'), 'malformed'],
  ['a broken connection', coded('TRANSPORT_CONNECTION_LOST'), 'lost'],
  ['a broken connection inside another error', inside(coded('TRANSPORT_CONNECTION_LOST')), 'lost'],
  ['anything else', new Error('no route to host'), 'retry'],
])('what a failed watch means: %s', (_, error, verdict) => {
  expect(verdictOf(error)).toBe(verdict);
});

test.each<[string, unknown, boolean]>([
  ['no answer', new Error('no route to host'), true],
  ['a broken connection', coded('TRANSPORT_CONNECTION_LOST'), true],
  ['an answer', apiError(503, 'ServiceUnavailable'), false],
  ['a stream that broke', coded('TRANSPORT_STREAM_MALFORMED'), false],
  ['a line without end', coded('TRANSPORT_LINE_TOO_LONG'), false],
  ['an answer nobody asked for', coded('CACHE_WATCH_UNEXPECTED'), false],
])('only who hears nothing takes the server for silent: %s', (_, error, silent) => {
  expect(isSilence(error)).toBe(silent);
});

test('a server says how long it wants to be left alone in seconds; one that does not, not at all', () => {
  const asked = apiError(429, 'TooManyRequests');
  Object.assign(asked.status, { retryAfterSeconds: 7 });
  expect([askedDelay(asked), askedDelay(apiError(429, 'TooManyRequests')), askedDelay(new Error('x'))]).toEqual([
    7000, 0, 0,
  ]);
});

test('a version is out of reach where one of the causes says so', () => {
  const causes = [{ reason: 'Other' }, { reason: 'ResourceVersionTooLarge' }];
  expect([
    isUnreached(apiError(504, 'Timeout', causes)),
    isUnreached(apiError(504, 'Timeout')),
    isUnreached(1),
  ]).toEqual([true, false, false]);
});
