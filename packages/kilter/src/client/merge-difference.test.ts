import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeDifference } from './merge-difference.ts';

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7386, as its own text writes it, on objects without a prototype. */
function merge(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const result = Object.assign(Object.create(null), isFields(target) ? target : {}) as Fields;
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merge(result[key], value);
  }
  return result;
}

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the difference of two objects as a merge patch', () => {
  test.each<[string, Fields, Fields, Fields | undefined]>([
    ['nothing changed', { a: 1, b: { c: [1] } }, { a: 1, b: { c: [1] } }, undefined],
    [
      'a field changed, its neighbours are left out',
      { a: 1, b: { c: 1, d: 2 } },
      { a: 1, b: { c: 3, d: 2 } },
      { b: { c: 3 } },
    ],
    ['a field added', {}, { a: { b: 1 } }, { a: { b: 1 } }],
    ['a field removed', { a: 1, b: 2 }, { b: 2 }, { a: null }],
    ['a field set to undefined is removed', { a: 1 }, { a: undefined }, { a: null }],
    ['absent and undefined are the same', {}, { a: undefined }, undefined],
    ['a list changed is there whole', { a: [1, 2, 3] }, { a: [1, 9, 3] }, { a: [1, 9, 3] }],
    [
      'a list of objects too',
      { a: [{ n: 'x', v: 1 }, { n: 'y' }] },
      { a: [{ n: 'x', v: 2 }, { n: 'y' }] },
      { a: [{ n: 'x', v: 2 }, { n: 'y' }] },
    ],
    ['an object emptied', { a: { b: 1 } }, { a: {} }, { a: { b: null } }],
    ['an object becomes a list', { a: { b: 1 } }, { a: [1] }, { a: [1] }],
    ['a list becomes an object', { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
  ])('CL-1: %s', (...[, before, after, expected]) => {
    expect(json(mergeDifference(before, after) ?? null)).toEqual(json(expected ?? null));
  });

  test('CL-1: applied to the first it makes the second, and it holds no field that did not change', () => {
    // A merge patch cannot say null, so there is none in what it makes.
    const { value } = fc.letrec((tie) => ({
      leaf: fc.oneof(fc.integer(), fc.string(), fc.boolean()),
      fields: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), tie('value'), { maxKeys: 4 }),
      value: fc.oneof({ maxDepth: 4 }, tie('leaf'), fc.array(tie('leaf'), { maxLength: 3 }), tie('fields')),
    }));
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), value, { maxKeys: 4 });
    fc.assert(
      fc.property(object, object, (before, after) => {
        const patch = mergeDifference(before, after);
        expect(json(merge(before, patch ?? {}))).toEqual(json(after));
        for (const key of Object.keys(patch ?? {})) {
          const own = (fields: Fields): string =>
            JSON.stringify(Object.hasOwn(fields, key) ? fields[key] : undefined) ?? '';
          expect(own(before) === own(after)).toBe(false);
        }
      }),
    );
  });

  test('J-02: keys named like parts of a prototype are keys, and pollute nothing', () => {
    const after = JSON.parse(
      '{"data":{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}}',
    ) as Fields;
    const patch = mergeDifference({ data: {} }, after);
    expect(JSON.stringify(patch)).toBe(JSON.stringify(after));
    expect(({} as Fields).polluted).toBeUndefined();
  });
});
