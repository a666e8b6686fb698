import { expect, test } from 'vitest';
import { isBase64 } from './base64.ts';

test.each([
  ['', true],
  ['AAAA', true],
  ['AAA=', true],
  ['AA==', true],
  ['AAAAAA==', true],
  ['A===', false],
  ['====', false],
  ['AAA', false],
  ['AA=A', false],
  ['AA==AAAA', false],
  ['AA-_', false],
  ['AA A', false],
  ['AAAA\n', false],
])('%j is base64: %s', (text, expected) => {
  expect(isBase64(text)).toBe(expected);
});

test('millions of characters need no stack', () => {
  const text = 'A'.repeat(20_000_000);
  expect([isBase64(text), isBase64(`${text}!!!!`)]).toEqual([true, false]);
});
