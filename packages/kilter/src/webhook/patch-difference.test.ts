import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepEqual } from '../internal/index.ts';
import { patchDifference } from './patch-difference.ts';

type Holder = Record<string, unknown> | unknown[];

/** RFC 6902, as far as differences use it. */
function applied(before: object, operations: ReturnType<typeof patchDifference>): unknown {
  const root = { whole: structuredClone(before) } as Record<string, unknown>;
  for (const operation of operations) {
    const keys = ['whole', ...operation.path.slice(1).split('/')].map((key) =>
      key.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
    const last = keys.pop() ?? '';
    let holder = root as Holder;
    for (const key of keys) {
      expect(Object.hasOwn(holder, key), operation.path).toBe(true);
      holder = (holder as Record<string, unknown>)[key] as Holder;
    }
    const value = 'value' in operation ? structuredClone(operation.value) : undefined;
    // Only what exists can be removed or replaced.
    if (operation.op !== 'add') expect(Object.hasOwn(holder, last), operation.path).toBe(true);
    if (Array.isArray(holder)) {
      if (operation.op === 'remove') holder.splice(Number(last), 1);
      else holder.splice(Number(last), operation.op === 'add' ? 0 : 1, value);
    } else if (operation.op === 'remove') Reflect.deleteProperty(holder, last);
    else Object.defineProperty(holder, last, { value, enumerable: true, writable: true, configurable: true });
  }
  return root['whole'];
}

const objects = fc.dictionary(
  fc.constantFrom('a', 'b', 'a/b', 'a~b', '__proto__', 'constructor', 'list'),
  fc.jsonValue({ maxDepth: 4 }),
);
const items = fc.array(fc.record({ n: fc.nat(3) }), { maxLength: 6 });

test('a difference makes one object out of the other, whatever they are', () => {
  fc.assert(
    fc.property(objects, objects, (before, after) => {
      expect(deepEqual(applied(before, patchDifference(before, after)), after)).toBe(true);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(items, items, (before, after) => {
      expect(applied({ list: before }, patchDifference({ list: before }, { list: after }))).toEqual({ list: after });
    }),
    { numRuns: 500 },
  );
});

test.each<[string, object, object, object[]]>([
  ['nothing', { a: [{ b: 1 }] }, { a: [{ b: 1 }] }, []],
  ['undefined is nothing', { a: 1 }, { a: 1, b: undefined }, []],
  [
    'a field of an item',
    { a: [{ b: 1 }, { c: 1 }] },
    { a: [{ b: 1 }, { c: 2 }] },
    [{ op: 'replace', path: '/a/1/c', value: 2 }],
  ],
  ['an item in front', { a: [1, 2] }, { a: [0, 1, 2] }, [{ op: 'add', path: '/a/0', value: 0 }]],
  ['an item at the end', { a: [1] }, { a: [1, 2] }, [{ op: 'add', path: '/a/1', value: 2 }]],
  [
    'items taken out',
    { a: [1, 2, 3, 4] },
    { a: [1, 4] },
    [
      { op: 'remove', path: '/a/2' },
      { op: 'remove', path: '/a/1' },
    ],
  ],
  ['names are escaped', {}, { 'a/b~c': 1 }, [{ op: 'add', path: '/a~1b~0c', value: 1 }]],
  ['a null', { a: 1 }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
  ['another type', { a: { b: 1 } }, { a: [1] }, [{ op: 'replace', path: '/a', value: [1] }]],
])('no more is said than needed: %s', (_, before, after, operations) => {
  expect(patchDifference(before, after)).toEqual(operations);
});
