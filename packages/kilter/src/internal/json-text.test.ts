import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

const ring: Record<string, unknown> = {};
ring['self'] = ring;

test.each<[string, unknown, string | undefined]>([
  ['what JSON can say', { a: [1, 'x', null], at: new Date(0) }, '{"a":[1,"x",null],"at":"1970-01-01T00:00:00.000Z"}'],
  ['a bigint', { big: 9223372036854775807n }, '{"big":"9223372036854775807n"}'],
  ['nothing', undefined, undefined],
  ['what holds itself', ring, undefined],
  ['what throws when asked for its text', { toJSON: () => expect.unreachable() as unknown }, undefined],
])('%s has a text that stands for it, or none', (...[, value, text]) => {
  expect(jsonText(value)).toBe(text);
});
