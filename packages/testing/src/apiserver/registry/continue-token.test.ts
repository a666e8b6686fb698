import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeToken, encodeToken } from './continue-token.ts';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token comes back as it went out', () => {
  const revision = fc.integer({ min: -1, max: 2 ** 40 }).filter((value) => value !== 0);
  fc.assert(
    fc.property(revision, fc.string({ minLength: 1 }), (at, after) => {
      expect(decodeToken(encodeToken({ revision: at, after }))).toEqual({ revision: at, after });
    }),
  );
});

test.each([
  ['no JSON', 'garbage'],
  ['another version', encoded({ v: 'x', rv: 1, start: 'a' })],
  ['no revision', encoded({ v: 'meta.k8s.io/v1', start: 'a' })],
  ['revision 0', encoded({ v: 'meta.k8s.io/v1', rv: 0, start: 'a' })],
  ['no start', encoded({ v: 'meta.k8s.io/v1', rv: 1 })],
  ['no object', encoded([])],
])('a token with %s is a bad request', (_, token) => {
  expect(() => decodeToken(token)).toThrow(/^invalid continue token: continue key is not valid: /);
});
