import fc from 'fast-check';
import type { Json } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { jsonPatch } from './json-patch.ts';
import { PatchError, type PatchFailure } from './patch-error.ts';

function failureOf(document: Json, operations: unknown): PatchFailure | undefined {
  try {
    jsonPatch(document, operations);
    return undefined;
  } catch (error) {
    if (error instanceof PatchError) return error.failure;
    throw error;
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

test.each([
  [500, undefined],
  [1000, undefined],
  [1001, 'too-large'],
  [2000, 'too-large'],
  [200_000, 'too-large'],
])('J-01: copies in copies may make %i levels: %s', (levels, failure) => {
  const operations: Json[] = [];
  // The document itself is one of them.
  for (let depth = 1; depth < levels - 1; depth += Math.min(depth, levels - 1 - depth)) {
    const more = Math.min(depth, levels - 1 - depth);
    const from = `/x${'/x'.repeat(depth - more)}`;
    operations.push({ op: 'copy', from, path: `${'/x'.repeat(depth)}/x` });
  }
  expect(failureOf({ x: {} }, operations)).toBe(failure);
});

describe('API-P1: the six operations', () => {
  const rows: [why: string, document: Json, operations: Json, result: Json][] = [
    ['add sets a field', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { foo: 'bar', baz: 'qux' }],
    ['add replaces a field that is there', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['add inserts into a list', { l: ['a', 'c'] }, [{ op: 'add', path: '/l/1', value: 'b' }], { l: ['a', 'b', 'c'] }],
    ['add at the length appends', { l: ['a'] }, [{ op: 'add', path: '/l/1', value: 'b' }], { l: ['a', 'b'] }],
    ['add with a dash appends', { l: ['a'] }, [{ op: 'add', path: '/l/-', value: ['b'] }], { l: ['a', ['b']] }],
    ['replace of the empty path replaces the document', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
    ['a tilde that escapes nothing is a tilde', { 'a~2': 1 }, [{ op: 'remove', path: '/a~2' }], {}],
    ['what stands before the first slash is dropped', {}, [{ op: 'add', path: 'x/a', value: 1 }], { a: 1 }],
    ['a list inside a list', { l: [[1]] }, [{ op: 'add', path: '/l/0/-', value: 2 }], { l: [[1, 2]] }],
    ['remove takes a field away', { a: 1, b: 2 }, [{ op: 'remove', path: '/b' }], { a: 1 }],
    ['remove takes an item away', { l: [1, 2, 3] }, [{ op: 'remove', path: '/l/1' }], { l: [1, 3] }],
    ['replace changes a field', { a: { b: 1 } }, [{ op: 'replace', path: '/a/b', value: [2] }], { a: { b: [2] } }],
    ['replace changes an item', { l: [1, 2] }, [{ op: 'replace', path: '/l/0', value: 9 }], { l: [9, 2] }],
    ['move renames', { a: { x: 1 }, b: {} }, [{ op: 'move', from: '/a/x', path: '/b/y' }], { a: {}, b: { y: 1 } }],
    ['move reorders a list', { l: [1, 2, 3, 4] }, [{ op: 'move', from: '/l/1', path: '/l/3' }], { l: [1, 3, 4, 2] }],
    ['move onto itself changes nothing', { a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], { a: 1 }],
    ['copy', { a: { x: 1 } }, [{ op: 'copy', from: '/a', path: '/b' }], { a: { x: 1 }, b: { x: 1 } }],
    [
      'test lets pass what is equal',
      { a: [1, { b: null }] },
      [{ op: 'test', path: '/a', value: [1, { b: null }] }],
      { a: [1, { b: null }] },
    ],
    [
      'test compares objects without their order',
      { a: { x: 1, y: 2 } },
      [{ op: 'test', path: '/a', value: { y: 2, x: 1 } }],
      { a: { x: 1, y: 2 } },
    ],
    [
      '~1 is a slash, ~0 a tilde, ~01 the text ~1',
      { 'a/b': 1, 'm~n': 2, '~1': 3 },
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'remove', path: '/m~0n' },
        { op: 'remove', path: '/~01' },
      ],
      {},
    ],
    ['the empty name is a name', { '': { '': 1 } }, [{ op: 'replace', path: '//', value: 2 }], { '': { '': 2 } }],
    ['members nobody knows are ignored', { a: 1 }, [{ op: 'add', path: '/b', value: 2, xyz: 123 }], { a: 1, b: 2 }],
    ['null is a value like any other', { a: 1 }, [{ op: 'add', path: '/b', value: null }], { a: 1, b: null }],
    [
      'later operations see what earlier ones did',
      {},
      [
        { op: 'add', path: '/a', value: {} },
        { op: 'add', path: '/a/b', value: 1 },
        { op: 'move', from: '/a/b', path: '/c' },
      ],
      { a: {}, c: 1 },
    ],
    ['no operations', { a: 1 }, [], { a: 1 }],
  ];
  test.each(rows)('%s', (...[, document, operations, result]) => {
    expect(jsonPatch(frozen(document), frozen(operations))).toEqual(result);
  });
});

describe('API-P1: what the API server takes beyond the RFC', () => {
  const rows: [why: string, document: Json, operations: Json, result: Json][] = [
    ['replace sets a missing field', {}, [{ op: 'replace', path: '/a', value: 1 }], { a: 1 }],
    ['a missing field is null to test', { a: 1 }, [{ op: 'test', path: '/b', value: null }], { a: 1 }],
    ['a missing field is null to copy', {}, [{ op: 'copy', from: '/a', path: '/b' }], { b: null }],
    ['a missing value is null', {}, [{ op: 'add', path: '/a' }], { a: null }],
    [
      'negative indices count from the end',
      { l: [1, 2, 3] },
      [
        { op: 'remove', path: '/l/-1' },
        { op: 'replace', path: '/l/-2', value: 9 },
      ],
      { l: [9, 2] },
    ],
    ['add at -1 appends', { l: [1] }, [{ op: 'add', path: '/l/-1', value: 2 }], { l: [1, 2] }],
  ];
  test.each(rows)('%s', (...[, document, operations, result]) => {
    expect(jsonPatch(document, operations)).toEqual(result);
  });
});

describe('API-P1: what is refused, and as what', () => {
  const rows: [why: string, document: Json, operations: unknown, failure: PatchFailure][] = [
    ['no list', {}, { op: 'add' }, 'malformed'],
    ['an operation that is not an object', {}, ['add'], 'malformed'],
    [
      'more than 10,000 operations',
      {},
      Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a', value: null })),
      'too-large',
    ],
    ['an unknown operation', {}, [{ op: 'spam', path: '/a' }], 'inapplicable'],
    ['no path', {}, [{ op: 'add', value: 1 }], 'inapplicable'],
    ['no from', { a: 1 }, [{ op: 'move', path: '/b' }], 'inapplicable'],
    ['a path without slash', { a: 1 }, [{ op: 'remove', path: 'a' }], 'inapplicable'],
    ['add of the document', { a: 1 }, [{ op: 'add', path: '', value: {} }], 'inapplicable'],
    ['a path that is not text', {}, [{ op: 'add', path: 1 }], 'malformed'],
    ['add without a parent', { q: { bar: 2 } }, [{ op: 'add', path: '/a/b', value: 1 }], 'inapplicable'],
    ['add beyond the end of a list', { l: [1] }, [{ op: 'add', path: '/l/3', value: 1 }], 'inapplicable'],
    ['add at a name in a list', { l: [1] }, [{ op: 'add', path: '/l/e', value: 1 }], 'inapplicable'],
    ['remove of nothing', { a: 1 }, [{ op: 'remove', path: '/b' }], 'inapplicable'],
    ['remove of the document', { a: 1 }, [{ op: 'remove', path: '' }], 'inapplicable'],
    ['replace beyond the end of a list', { l: [1] }, [{ op: 'replace', path: '/l/1', value: 1 }], 'inapplicable'],
    ['replace below a scalar', { a: 1 }, [{ op: 'replace', path: '/a/b', value: 1 }], 'inapplicable'],
    ['move of nothing', {}, [{ op: 'move', from: '/a', path: '/b' }], 'inapplicable'],
    ['move into itself', { a: { b: 1 } }, [{ op: 'move', from: '/a', path: '/a/c' }], 'inapplicable'],
    ['copy from a missing object', {}, [{ op: 'copy', from: '/a/b', path: '/c' }], 'inapplicable'],
    ['test of another value', { a: 'x' }, [{ op: 'test', path: '/a', value: 'y' }], 'inapplicable'],
    ['test of another type', { a: '10' }, [{ op: 'test', path: '/a', value: 10 }], 'inapplicable'],
    ['test in a missing object', {}, [{ op: 'test', path: '/a/b', value: null }], 'inapplicable'],
    ['test of a missing item', { l: [] }, [{ op: 'test', path: '/l/0', value: null }], 'inapplicable'],
    ['a name every JavaScript object inherits', {}, [{ op: 'remove', path: '/toString' }], 'inapplicable'],
    [
      'more than 3 MiB copied in all',
      { a: 'x'.repeat(2 ** 20) },
      Array.from({ length: 4 }, (_, i) => ({ op: 'copy', from: '/a', path: `/b${i}` })),
      'inapplicable',
    ],
  ];
  test.each(rows)('%s', (...[, document, operations, failure]) => {
    expect(failureOf(document, operations)).toBe(failure);
  });

  test('10,000 operations are allowed', () => {
    const operations = Array.from({ length: 10_000 }, () => ({ op: 'add', path: '/l/-', value: 1 }));
    expect(jsonPatch({ l: [] }, operations)).toEqual({ l: Array.from({ length: 10_000 }, () => 1) });
  });

  test('a patch that fails late leaves the document as it was', () => {
    const document = { a: { b: [1] } };
    const operations = [
      { op: 'add', path: '/a/b/-', value: 2 },
      { op: 'remove', path: '/nope' },
    ];
    expect(failureOf(document, operations)).toBe('inapplicable');
    expect(document).toEqual({ a: { b: [1] } });
  });
});

test('a field called __proto__ is data, and no prototype changes', () => {
  const result = jsonPatch({ a: 1 }, [
    { op: 'add', path: '/__proto__', value: { polluted: true } },
    { op: 'add', path: '/__proto__/more', value: 1 },
  ]) as Record<string, Json>;
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect(Object.keys(result)).toEqual(['a', '__proto__']);
  expect(JSON.stringify(result)).toBe('{"a":1,"__proto__":{"polluted":true,"more":1}}');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('what was copied or added is not shared with its source', () => {
  const value = { x: [1] };
  const result = jsonPatch({}, [
    { op: 'add', path: '/a', value },
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'add', path: '/b/x/-', value: 2 },
  ]);
  expect(result).toEqual({ a: { x: [1] }, b: { x: [1, 2] } });
  expect(value).toEqual({ x: [1] });
});

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const pointerOf = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

test('add and remove undo each other', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), fc.string(), json, (document, name, value) => {
      fc.pre(!Object.hasOwn(document, name));
      const path = pointerOf(name);
      const added = jsonPatch(document, [{ op: 'add', path, value }]);
      expect(
        jsonPatch(added, [
          { op: 'test', path, value },
          { op: 'remove', path },
        ]),
      ).toEqual(document);
    }),
  );
});

test('move there and back changes nothing but the order of fields', () => {
  fc.assert(
    fc.property(fc.array(json, { minLength: 1 }), fc.nat(), fc.nat(), (list, a, b) => {
      const [from, path] = [`/${a % list.length}`, `/${b % list.length}`];
      const there = jsonPatch(list, [{ op: 'move', from, path }]);
      expect(jsonPatch(there, [{ op: 'move', from: path, path: from }])).toEqual(list);
    }),
  );
});
