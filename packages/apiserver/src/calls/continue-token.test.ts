import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeToken, encodeToken, startAfter } from './continue-token.ts';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token comes back as it went out', () => {
  const revision = fc.integer({ min: -1, max: 2 ** 40 }).filter((value) => value !== 0);
  const name = fc.stringMatching(/^[a-z0-9-]{1,20}$/);
  fc.assert(
    fc.property(revision, fc.array(name, { minLength: 1, maxLength: 2 }), (at, names) => {
      const start = startAfter(names.join('/'));
      expect(decodeToken(encodeToken({ revision: at, start }))).toEqual({ revision: at, start });
      expect(decodeToken(encodeToken({ revision: at, start: `/${start}` }))).toEqual({ revision: at, start });
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
  [
    'fields of a prototype',
    Buffer.from('{"__proto__":{"v":"meta.k8s.io/v1","rv":1,"start":"a"}}').toString('base64url'),
  ],
  ['more depth than stack', Buffer.from('['.repeat(9000)).toString('base64url')],
  ['a way out of the list', encoded({ v: 'meta.k8s.io/v1', rv: 1, start: '/../x' })],
  ['a revision that is not a number', encoded({ v: 'meta.k8s.io/v1', rv: 'x', start: 'a' })],
])('a token with %s is a bad request', (_, token) => {
  expect(() => decodeToken(token)).toThrow(/^invalid continue token: continue key is not valid: /);
});
