import { expect, test } from 'vitest';
import { fieldsAsRead } from './status-values.ts';

const day = new Date(0);
const text = '1970-01-01T00:00:00.000Z';
const map = new Map();
const promise = Promise.resolve();
const ring: Record<string, unknown> = {};
ring['self'] = ring;

test.each<[string, unknown, unknown]>([
  ['a time', day, text],
  ['times inside', { a: [{ at: day }], b: { at: day } }, { a: [{ at: text }], b: { at: text } }],
  ['what says itself as something that says itself', { toJSON: () => day }, text],
  ['a bigint that a number can hold', { a: 5n }, { a: 5 }],
  ['a bigint that none can', 9223372036854775807n, 9223372036854775807n],
  ['nothing inside', { a: undefined, b: null, c: { d: null, e: 1 } }, { c: { e: 1 } }],
  ['nothing in a list', [undefined, null, { a: null }], [null, null, { a: null }]],
  [
    'an object of a class',
    new (class {
      a = 1;
    })(),
    { a: 1 },
  ],
  ['what the client refuses', map, map],
  ['what the client refuses, inside', { a: { promise } }, { a: { promise } }],
  ['to take away', null, null],
  ['plain values', { a: [1, 'x', true], b: {}, c: '' }, { a: [1, 'x', true], b: {}, c: '' }],
])('ST-3: %s is compared as it will be read', (...[, given, read]) => {
  expect(fieldsAsRead({ given })).toEqual({ given: read });
});

test('what holds itself comes to an end, for the client to refuse', () => {
  expect(fieldsAsRead({ ring })).toHaveProperty('ring.self.self');
});
