import { expect, test } from 'vitest';
import { desireOf, sentFields } from './observed-write.ts';

// Computed with the published form of cyrb53, seed 0.
test.each([
  [{}, '24xpth6jso7'],
  [{ a: 1 }, '18wxssjtft2'],
  [{ data: { color: 'red' } }, 'jzzgyns3jf'],
  [[1, 2, 3], '1j375rlwxbu'],
])('a wish is known by its hash: %j', (body, hash) => {
  expect(desireOf(body)).toBe(hash);
});

test('what cannot be said in JSON is still a wish', () => {
  expect(desireOf(() => undefined)).toBe(desireOf(Symbol('x')));
  expect(desireOf(() => undefined)).not.toBeUndefined();
});

test('a bigint is a wish like any other: what was written is not a failure afterwards', () => {
  const wish = (size: unknown) => desireOf({ spec: { size } });
  expect(wish(5n)).toBe(wish(5n));
  expect(new Set([wish(5n), wish(6n), wish('5')]).size).toBe(3);
});

test.each([
  [{ status: { b: 1, a: { d: [1], c: null } } }, 'status.a.c, status.a.d, status.b'],
  [{ status: { observedGeneration: 1 } }, undefined],
  [{ status: {} }, undefined],
  [{ status: null }, undefined],
  [{ status: 'x' }, undefined],
  [{ spec: {} }, undefined],
  [[{ op: 'add' }], undefined],
  [undefined, undefined],
])('fields of a status that are sent: %j', (body, fields) => {
  expect(sentFields(body)).toBe(fields);
});
