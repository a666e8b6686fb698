import { expect, test } from 'vitest';
import { warningHeaders } from './message.ts';

const header = (text: string): string => `299 - "${text}"`;

test('warnings are reported once each, and empty ones not at all', () => {
  expect(warningHeaders(['a', 'b', 'a', ''])).toEqual([header('a'), header('b')]);
});

test('of more than 4,096 characters each is cut to 256, by characters and not by halves of one', () => {
  const long = '🙂'.repeat(4000);
  expect(warningHeaders([long, 'b'.repeat(96)])).toEqual([header(long), header('b'.repeat(96))]);
  expect(warningHeaders([long, 'b'.repeat(97)])).toEqual([header('🙂'.repeat(256)), header('b'.repeat(97))]);
});

test('no more of them are sent than reach that limit once they are cut', () => {
  const many = Array.from({ length: 40 }, (_, index) => String(index).padEnd(300, 'w'));
  expect(warningHeaders(many)).toEqual(many.slice(0, 16).map((text) => header(text.slice(0, 256))));
});

test('of very many the first are found at once', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `warning ${index}`.padEnd(64));
  expect(warningHeaders(many)).toHaveLength(64);
});
