import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cloneJson } from './clone-json.ts';

test('a copy is equal to what it was made of, and shares nothing with it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = cloneJson(value);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
      if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
    }),
  );
  const original = { list: [{ a: 1 }] };
  const copy = cloneJson(original);
  (copy.list[0] as { a: number }).a = 2;
  expect(original).toEqual({ list: [{ a: 1 }] });
});

test('J-03: a field named __proto__ is a field of the copy', () => {
  const copy = cloneJson(JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as Record<string, unknown>);
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(copy['polluted']).toBeUndefined();
});
