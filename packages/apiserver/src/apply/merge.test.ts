import type { JsonObject } from 'kilter/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { merge } from './merge.ts';
import { typeOf } from './type.ts';

const text: Schema = { type: 'string' };
const type = typeOf({
  type: 'object',
  properties: {
    image: text,
    tls: { type: 'object', properties: { secret: text, mode: text } },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    env: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: text, value: text, note: text } },
    },
    args: { type: 'array', items: text },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  },
});
const mergedSet = (live: string[], applied: string[]): unknown => merge({ set: live }, { set: applied }, type)['set'];

describe('a configuration laid over the live object', () => {
  test.each<[string, { live: JsonObject; applied: JsonObject; merged: JsonObject }]>([
    [
      'takes leaves',
      {
        live: { image: 'a', tls: { mode: 'm' } },
        applied: { image: 'b', tls: { secret: 's' } },
        merged: { image: 'b', tls: { mode: 'm', secret: 's' } },
      },
    ],
    [
      'removes nothing',
      { live: { image: 'a', set: ['x'] }, applied: { set: [], tls: {} }, merged: { image: 'a', set: ['x'], tls: {} } },
    ],
    ['keeps null and {} apart where nothing is', { live: { tls: {} }, applied: { tls: null }, merged: { tls: null } }],
    [
      'cannot empty a map with null',
      { live: { tls: { mode: 'm' } }, applied: { tls: null }, merged: { tls: { mode: 'm' } } },
    ],
    ['replaces atomic lists', { live: { args: ['a', 'b'] }, applied: { args: ['c'] }, merged: { args: ['c'] } }],
    [
      'merges items of one key',
      {
        live: { env: [{ name: 'A', value: '1', note: 'n' }] },
        applied: { env: [{ name: 'A', value: '2' }] },
        merged: { env: [{ name: 'A', value: '2', note: 'n' }] },
      },
    ],
    [
      'lets duplicates give way to one item',
      {
        live: {
          env: [
            { name: 'A', note: '1' },
            { name: 'A', note: '2' },
          ],
        },
        applied: { env: [{ name: 'A', value: '3' }] },
        merged: { env: [{ name: 'A', value: '3' }] },
      },
    ],
    [
      'changes the shape of untyped places',
      { live: { any: 'x' }, applied: { any: { k: [1] } }, merged: { any: { k: [1] } } },
    ],
    ['adds to untyped maps', { live: { any: { a: 1 } }, applied: { any: { b: 2 } }, merged: { any: { a: 1, b: 2 } } }],
  ])('%s', (_, { live, applied, merged }) => {
    expect(merge(live, applied, type)).toEqual(merged);
  });
});

describe('API-S7: the order of a merged list', () => {
  test.each([
    [['a', 'b', 'c'], [], ['a', 'b', 'c']],
    [[], ['a', 'b'], ['a', 'b']],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['a', 'b', 'c', 'd'],
    ],
    [
      ['a', 'b', 'c'],
      ['c', 'x'],
      ['a', 'b', 'c', 'x'],
    ],
    [
      ['a', 'b', 'c'],
      ['x', 'a'],
      ['x', 'a', 'b', 'c'],
    ],
    [
      ['a', 'b', 'c', 'd'],
      ['d', 'b'],
      ['a', 'c', 'd', 'b'],
    ],
    [
      ['a', 'b', 'c', 'd'],
      ['x', 'd', 'y', 'b'],
      ['a', 'c', 'x', 'd', 'y', 'b'],
    ],
    [
      ['1', '2', '3', '4', '5'],
      ['4', '5', '3', '2', '1'],
      ['4', '5', '3', '2', '1'],
    ],
  ])('%j with %j is %j', (live, applied, expected) => {
    expect(mergedSet(live, applied)).toEqual(expected);
  });

  const letter: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  const list = fc.uniqueArray(letter, { minLength: 1 });

  test('every item is there once, applied items and items only the object has each in their own order', () => {
    fc.assert(
      fc.property(list, list, (live, applied) => {
        const merged = mergedSet(live, applied) as string[];
        expect(merged.toSorted()).toEqual([...new Set([...live, ...applied])].toSorted());
        expect(merged.filter((item) => applied.includes(item))).toEqual(applied);
        expect(merged.filter((item) => !applied.includes(item))).toEqual(
          live.filter((item) => !applied.includes(item)),
        );
      }),
    );
  });
});
