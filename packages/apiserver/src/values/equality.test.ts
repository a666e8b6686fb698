import { describe, expect, test } from 'vitest';
import { compareText, parseJson, sameValue, stringifyJson } from './index.ts';

describe('API-N1: one idea of equal for every room', () => {
  test.each<[string, unknown, unknown, boolean]>([
    ['a number and a bigint of one value', 1, 1n, true],
    ['a number and a bigint of two values', 1, 2n, false],
    ['keys in another order', { a: 1, b: [2n] }, { b: [2], a: 1n }, true],
    ['lists in another order', [1, 2], [2, 1], false],
    ['a field that is missing, and one that is null', {}, { a: null }, false],
    ['a field that every object inherits', { constructor: 1 }, {}, false],
    ['a text and a number', '1', 1, false],
  ])('%s', (_, left, right, same) => {
    expect([sameValue(left, right), sameValue(right, left)]).toEqual([same, same]);
  });
});

test('texts are ordered by code point, also where UTF-16 orders otherwise', () => {
  expect(['\u{1F600}', '\uFFFD', 'a', ''].toSorted(compareText)).toEqual(['', 'a', '\uFFFD', '\u{1F600}']);
});

test.each(['9223372036854775807', '-9223372036854775808', '1', '[{"a":9007199254740993}]'])(
  '%s comes and goes exactly',
  (text) => {
    expect(stringifyJson(parseJson(text))).toBe(text);
  },
);

test('what 64 bits cannot hold is a float', () => {
  expect(parseJson('9223372036854775808')).toBe(9223372036854775808);
});
