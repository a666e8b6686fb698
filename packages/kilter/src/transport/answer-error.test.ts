import { describe, expect, test } from 'vitest';
import { ApiError, apiErrorOf, isNotFound, isTooManyRequests, isUnavailable } from '../errors/index.ts';
import { answerError, noObject, type RefusedAnswer } from './answer-error.ts';
import type { ApiRequest } from './transport.ts';

const request: ApiRequest = { method: 'GET', path: '/api/v1/pods' };
const answer = (some: Partial<RefusedAnswer>): RefusedAnswer => ({
  status: 500,
  contentType: 'application/json',
  text: '',
  retryAfterSeconds: undefined,
  ...some,
});
const html = (status: number): RefusedAnswer =>
  answer({ status, contentType: 'text/html', text: `<html>\n<body>\u001b[31m ${'wait '.repeat(100)}</body></html>` });

describe('an answer other than success', () => {
  test('TR-11: a Status gives code, reason, causes, the time to wait, method and path', () => {
    const status = {
      kind: 'Status',
      code: 422,
      reason: 'Invalid',
      message: 'WebApp "x" is invalid: spec.image: Required value',
      details: {
        name: 'x',
        kind: 'WebApp',
        causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.image' }],
        retryAfterSeconds: 3,
      },
    };
    const error = apiErrorOf(answerError(answer({ status: 422, text: JSON.stringify(status) }), request));
    expect(error?.status).toEqual({
      code: 422,
      reason: 'Invalid',
      message: status.message,
      causes: status.details.causes,
      retryAfterSeconds: 3,
      details: status.details,
    });
    expect([error?.method, error?.path, error?.code]).toEqual(['GET', '/api/v1/pods', 'CLIENT_INVALID']);
  });

  test('TR-11: the time to wait comes from the header where the body has none', () => {
    const text = JSON.stringify({ kind: 'Status', code: 429, reason: 'TooManyRequests' });
    const error = apiErrorOf(answerError(answer({ status: 429, text, retryAfterSeconds: 7 }), request));
    expect(error?.status.retryAfterSeconds).toBe(7);
  });

  test('fields that only the causes name are in the message', () => {
    const details = {
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.replicas' }],
    };
    const text = JSON.stringify({ kind: 'Status', code: 409, reason: 'Conflict', message: 'Apply failed', details });
    const error = answerError(answer({ status: 409, text }), request);
    expect(error.code).toBe('CLIENT_APPLY_CONFLICT');
    expect(error.message).toContain('Apply failed; .spec.replicas: conflict with "m1"');
  });

  test('plain text is the API server too: an unknown path is not found', () => {
    const error = answerError(
      answer({ status: 404, contentType: 'text/plain; charset=utf-8', text: '404 page not found\n' }),
      request,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(isNotFound(error)).toBe(true);
    expect(error.message).toContain('404 page not found');
  });

  test.each([
    ['an HTML page', html(404)],
    ['JSON of somebody else', answer({ status: 404, text: '{"message":"no Route matched"}' })],
    ['HTML called plain text', answer({ status: 404, contentType: 'text/plain', text: '<html>' })],
    ['a redirect', answer({ status: 302, contentType: '', text: 'Found' })],
  ])('%s is not the API server: its 404 is not "not found"', (_, given) => {
    const error = answerError(given, request);
    expect(error.code).toBe('CLIENT_UNEXPECTED_ANSWER');
    expect(isNotFound(error)).toBe(false);
    expect(apiErrorOf(error)).toBeUndefined();
  });

  test('an HTML page is shown by a short excerpt on one line', () => {
    const { message } = answerError(html(200), request);
    expect(message).toContain('<html> <body>');
    expect(message.length).toBeLessThan(400);
    expect(message).not.toMatch(/\p{Cc}/u);
  });

  test.each([
    [503, isUnavailable],
    [502, isUnavailable],
    [429, isTooManyRequests],
  ])('a proxy that says %d says "not now"', (status, predicate) => {
    const error = answerError(html(status), request);
    expect(error.code).toBe('CLIENT_UNEXPECTED_ANSWER');
    expect(predicate(error)).toBe(true);
  });

  test.each([
    '',
    'null',
    '[]',
    '{',
    '{"kind":"Status"}',
    '{"kind":"Status","details":[],"code":"x"}',
    '{"__proto__":{"polluted":1}}',
  ])('a body of %j is an error and harms nothing', (text) => {
    const error = answerError(answer({ text, contentType: 'application/json' }), request);
    expect(['CLIENT_UNEXPECTED_ANSWER', 'CLIENT_UNAVAILABLE']).toContain(error.code);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('a success that is not an object', () => {
  test('HTML is shown', () => {
    expect(noObject({ text: '<html>login</html>' }, request).message).toContain('<html>login');
  });
  test('what could be a Secret is not', () => {
    expect(noObject({ text: '{"data":{"password":"hunter2"' }, request).message).not.toContain('hunter2');
  });
});
