import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IndexTable } from './index-table.ts';
import type { StoredObject } from './stored-object.ts';

/** Objects that say themselves what they stand under. */
type Indexed = Pick<StoredObject, 'key'> & { readonly values: readonly string[] };
const tableOf = (): IndexTable => new IndexTable((object) => (object as unknown as Indexed).values);
const put = (table: IndexTable, key: string, values: readonly string[]): void =>
  table.put({ key, values } as unknown as StoredObject);

const keys = fc.constantFrom('a', 'b', 'c');
const values = ['x', 'y', 'a value that is longer than most'] as const;
const changes = fc.array(
  fc.oneof(
    fc.record({ key: keys, values: fc.uniqueArray(fc.constantFrom(...values)) }),
    fc.record({ key: keys, values: fc.constant(undefined) }),
  ),
);

test('whatever is put and removed, an index knows just the objects that stand under a value now', () => {
  fc.assert(
    fc.property(changes, (given) => {
      const table = tableOf();
      const model = new Map<string, readonly string[]>();
      for (const { key, values: under } of given) {
        if (under === undefined) {
          table.remove(key);
          model.delete(key);
        } else {
          put(table, key, under);
          model.set(key, under);
        }
        for (const value of values) {
          const expected = [...model].filter(([, held]) => held.includes(value)).map(([at]) => at);
          expect([...table.keys(value)].toSorted()).toEqual(expected.toSorted());
          for (const at of ['a', 'b', 'c']) expect(table.has(value, at)).toBe(expected.includes(at));
        }
      }
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('an object that stands under one value more is found under it, and under one less is not', () => {
  const table = tableOf();
  put(table, 'a', ['x']);
  put(table, 'a', ['x', 'y']);
  expect([table.has('x', 'a'), table.has('y', 'a')]).toEqual([true, true]);
  put(table, 'a', ['x']);
  expect([table.has('x', 'a'), table.has('y', 'a')]).toEqual([true, false]);
});
