import fc from 'fast-check';
import type { Json } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { mergePatch } from './merge-patch.ts';

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

describe('API-P2: null deletes, lists are replaced, objects are merged', () => {
  const rows: [why: string, document: Json, patch: Json, result: Json][] = [
    ['a field changes', { a: 'b' }, { a: 'c' }, { a: 'c' }],
    ['a field is added', { a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    ['null takes away', { a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    ['null of nothing is nothing', { a: 'b' }, { z: null }, { a: 'b' }],
    ['a scalar replaces a list', { a: ['b'] }, { a: 'c' }, { a: 'c' }],
    ['a list replaces a scalar', { a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    ['a list replaces a list as a whole', { a: [{ b: 'c' }, 2] }, { a: [1] }, { a: [1] }],
    ['objects merge at depth', { a: { b: 'c', d: 'e' } }, { a: { b: 'd', d: null } }, { a: { b: 'd' } }],
    ['an object takes a scalar’s place', { a: 'x' }, { a: { b: 1 } }, { a: { b: 1 } }],
    ['nulls of a new object are not stored', {}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    ['nulls of the document stay', { e: null }, { a: 1 }, { e: null, a: 1 }],
    ['a document that is not an object starts empty', [1, 2], { a: 'b', c: null }, { a: 'b' }],
    ['a patch that is not an object is the result', { a: 'b' }, ['c'], ['c']],
    ['null as a patch is the result', { a: 'b' }, null, null],
    [
      'null fields of objects inside a list go, as on the API server',
      { a: 1 },
      { a: [{ b: null, c: 1 }, null] },
      { a: [{ c: 1 }, null] },
    ],
  ];
  test.each(rows)('%s', (...[, document, patch, result]) => {
    expect(mergePatch(frozen(document), frozen(patch))).toEqual(result);
  });
});

test('a field called __proto__ is data, and no prototype changes', () => {
  const patch = JSON.parse('{"__proto__": {"polluted": true}, "a": {"__proto__": {"x": 1}}}') as Json;
  const result = mergePatch({ a: {} }, patch);
  expect(JSON.stringify(result)).toBe('{"a":{"__proto__":{"x":1}},"__proto__":{"polluted":true}}');
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('the result shares nothing with document and patch', () => {
  const [document, patch] = [{ a: { x: [1] } }, { b: { y: [2] } }];
  const result = mergePatch(document, patch) as { a: { x: number[] }; b: { y: number[] } };
  result.a.x.push(9);
  result.b.y.push(9);
  expect([document, patch]).toEqual([{ a: { x: [1] } }, { b: { y: [2] } }]);
});

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), json);

test('the same patch again changes nothing', () => {
  fc.assert(
    fc.property(object, object, (document, patch) => {
      const once = mergePatch(document, patch);
      expect(mergePatch(once, patch)).toEqual(once);
    }),
  );
});

test('a document without nulls is its own patch from nothing', () => {
  fc.assert(
    fc.property(object, (document) => {
      const clean = mergePatch({}, document);
      expect(mergePatch({}, clean)).toEqual(clean);
      expect(mergePatch(clean, {})).toEqual(clean);
    }),
  );
});
