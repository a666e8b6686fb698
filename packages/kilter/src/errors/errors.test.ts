import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ApiError, apiErrorOf, isConflict, isExpired, isInvalid, isNotFound, isTimeout } from './api-error.ts';
import { causeChain, findCause, hasCode, KilterError } from './kilter-error.ts';
import { errorTable } from './table.ts';
import { inShort, inWordsWithCauses } from './thrown.ts';

const status = (code: number, reason: string, more = {}) => ({
  code,
  reason,
  message: 'm',
  causes: [],
  retryAfterSeconds: undefined,
  details: {},
  ...more,
});
const apiError = (code: number, reason: string, more = {}) =>
  new ApiError(status(code, reason, more), { method: 'GET', path: '/api/v1/pods' });

/** The text of every source of the three packages that is not a test, by its path. */
function sources(): Map<string, string> {
  const packages = resolve(import.meta.dirname, '../../..');
  const files = ['kilter', 'apiserver', 'testing'].flatMap((name) =>
    globSync(`${name}/src/**/*.ts`, { cwd: packages, exclude: (file) => String(file).includes('.test') }),
  );
  return new Map(files.map((file) => [file, readFileSync(resolve(packages, file), 'utf8')]));
}

test('E-01: every code names its room, is thrown by somebody, and its cure does not repeat the cause', () => {
  const texts = [...sources()].filter(([file]) => !file.includes('src/errors/table')).map(([, text]) => text);
  const whole = texts.join('\n');
  const unused = Object.keys(errorTable).filter((code) => !new RegExp(`\\b${code}\\b`).test(whole));
  expect(unused).toEqual([]);
  for (const [code, { cause, cure }] of Object.entries(errorTable)) {
    expect(code).toMatch(/^[A-Z0-9]+(_[A-Z0-9]+)+$/);
    expect([code, cause.length > 10, cure.length > 5, cause === cure]).toEqual([code, true, true, false]);
  }
});

test('E-01: every code says what causes it and what to do, in docs/reference/errors.md too', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/reference/errors.md'), 'utf8');
  const documented = [...page.matchAll(/^### ([A-Z0-9_]+)$/gm)].map((match) => match[1]);
  expect(documented.toSorted()).toEqual(Object.keys(errorTable).toSorted());
  for (const { cause, cure } of Object.values(errorTable)) {
    expect(page).toContain(cause);
    expect(page).toContain(cure);
  }
});

test('E-01: an error carries its code and the cure in its message', () => {
  const error = new KilterError('CACHE_NOT_STARTED', 'read of Pod a/b', { cause: new Error('x') });
  expect(error.message).toBe(`read of Pod a/b (CACHE_NOT_STARTED: ${errorTable.CACHE_NOT_STARTED.cure})`);
  expect(new KilterError('CACHE_NOT_STARTED', 'x', { cure: 'do this' }).cure).toBe('do this');
});

test('STYLE-H12: instanceof holds across two copies of the package, and only for errors of ours', () => {
  const foreign = Object.assign(new Error('x'), { [Symbol.for('kilter.error')]: true });
  expect(foreign instanceof KilterError).toBe(true);
  expect(new Error('x') instanceof KilterError).toBe(false);
  expect(foreign instanceof ApiError).toBe(false);
  expect(apiError(404, 'NotFound') instanceof ApiError).toBe(true);
});

describe('CL-12: predicates look at the reason first, then at the code, through causes', () => {
  test.each([
    [404, 'NotFound', isNotFound],
    [409, 'Conflict', isConflict],
    [410, 'Expired', isExpired],
    [410, 'Gone', isExpired],
    [422, 'Invalid', isInvalid],
    [404, '', isNotFound],
    [504, 'Timeout', isTimeout],
    [500, 'NotFound', isNotFound],
  ])('%i %s', (code, reason, is) => {
    const error = apiError(code, reason);
    expect(is(error)).toBe(true);
    expect(is(new Error('outer', { cause: new Error('middle', { cause: error }) }))).toBe(true);
    expect(is(new Error('x'))).toBe(false);
  });
  test('AlreadyExists is not a conflict, an apply conflict is', () => {
    expect(isConflict(apiError(409, 'AlreadyExists'))).toBe(false);
    const conflict = apiError(409, 'Conflict', { causes: [{ reason: 'FieldManagerConflict' }] });
    expect(conflict.code).toBe('CLIENT_APPLY_CONFLICT');
    expect(isConflict(conflict)).toBe(true);
  });
});

test.each([
  ['etcdserver: request is too large', 'make the object smaller'],
  [
    'failed to create typed patch object (default/c; /v1, Kind=ConfigMap): .data.a: expected string',
    'correct the field',
  ],
])('an object that can never be stored is not the fault of the server: %s', (message, cure) => {
  const status = { code: 500, reason: '', message, causes: [], details: {}, retryAfterSeconds: undefined };
  expect(new ApiError(status, { method: 'PATCH', path: '/x' }).cure).toMatch(cure);
});

test.each([
  ['/api/v1/namespaces/nope/configmaps/a', 'create the namespace first'],
  ['/api/v1/namespaces/nope', 'check name, namespace and kind'],
])('a namespace that is missing is reported as that: %s', (path, cure) => {
  const details = { name: 'nope', kind: 'namespaces' };
  const message = 'namespaces "nope" not found';
  const status = { code: 404, reason: 'NotFound', message, causes: [], details, retryAfterSeconds: undefined };
  expect(new ApiError(status, { method: 'PATCH', path }).cure).toMatch(cure);
});

test('a chain of causes ends, even in a circle', () => {
  const a: Error & { cause?: unknown } = new Error('a');
  const b = new Error('b', { cause: a });
  a.cause = b;
  expect([...causeChain(b)]).toEqual([b, a]);
  expect(hasCode(a, 'CACHE_NOT_STARTED')).toBe(false);
  expect(findCause(new Error('x', { cause: apiError(404, 'NotFound') }), ApiError)?.status.code).toBe(404);
  expect(apiErrorOf(a)).toBeUndefined();
});

describe('LG-3: what was thrown, in words, with what caused it', () => {
  const circle: Error & { cause?: unknown } = new Error('round');
  circle.cause = circle;
  const sly = new Proxy(new Error('sly'), {
    get: (error, key) => (key === 'cause' ? fail() : Reflect.get(error, key)),
  });
  const fail = (): never => {
    throw new Error('do not look');
  };
  test.each<[string, unknown, string]>([
    [
      'a cause',
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
      'fetch failed: connect ECONNREFUSED',
    ],
    ['a cause the message tells already', new Error('no: away', { cause: new Error('away') }), 'no: away'],
    ['several errors', new AggregateError([new Error('one'), new Error('two')], 'both'), 'both: one; two'],
    [
      'more than anybody reads',
      new AggregateError(
        ['a', 'b', 'c', 'd'].map((text) => new Error(text)),
        '0',
      ),
      '0: a; b; c',
    ],
    ['no message', new RangeError(), 'RangeError'],
    ['its own cause', circle, 'round'],
    ['a cause that defends itself', sly, 'sly'],
    [
      'an error of ours, which tells its cause',
      new KilterError('CACHE_NOT_STARTED', 'ours', { cause: new Error('theirs') }),
      'ours',
    ],
    ['no error', 42, 'a thrown number: 42'],
  ])('%s', (_, thrown, words) => expect(inWordsWithCauses(thrown)).toBe(words));

  test('an error that was not thrown is shown in one line, without its stack', () => {
    expect(inShort(new TypeError('not this'))).toBe('TypeError: not this');
    expect(inShort({ error: new Error('nor that') })).toBe('{ error: Error: nor that }');
  });

  test('causes without end do not make an endless text', () => {
    const chain = Array.from({ length: 50 }, (_, n) => n).reduceRight(
      (cause, n) => new Error(`e${n}`, { cause }),
      new Error('last'),
    );
    expect(inWordsWithCauses(chain)).toBe('e0: e1: e2: e3: e4: e5');
  });
});

test('TR-11: an API error names method, path, reason and message and holds no headers', () => {
  const error = apiError(403, 'Forbidden', { retryAfterSeconds: 3 });
  expect(error.message).toContain('GET /api/v1/pods: 403 Forbidden: m');
  expect(error.status.retryAfterSeconds).toBe(3);
  expect(Object.keys(error).toSorted()).toEqual(['code', 'cure', 'method', 'name', 'path', 'status']);
});
