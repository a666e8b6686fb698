import type { JsonObject } from 'kilter/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../schema/index.ts';
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
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'takes leaves',
      { image: 'a', tls: { mode: 'm' } },
      { image: 'b', tls: { secret: 's' } },
      { image: 'b', tls: { mode: 'm', secret: 's' } },
    ],
    ['removes nothing', { image: 'a', set: ['x'] }, { set: [], tls: {} }, { image: 'a', set: ['x'], tls: {} }],
    ['keeps null and {} apart where nothing is', { tls: {} }, { tls: null }, { tls: null }],
    ['cannot empty a map with null', { tls: { mode: 'm' } }, { tls: null }, { tls: { mode: 'm' } }],
    ['replaces atomic lists', { args: ['a', 'b'] }, { args: ['c'] }, { args: ['c'] }],
    [
      'merges items of one key',
      { env: [{ name: 'A', value: '1', note: 'n' }] },
      { env: [{ name: 'A', value: '2' }] },
      { env: [{ name: 'A', value: '2', note: 'n' }] },
    ],
    [
      'lets duplicates give way to one item',
      {
        env: [
          { name: 'A', note: '1' },
          { name: 'A', note: '2' },
        ],
      },
      { env: [{ name: 'A', value: '3' }] },
      { env: [{ name: 'A', value: '3' }] },
    ],
    ['changes the shape of untyped places', { any: 'x' }, { any: { k: [1] } }, { any: { k: [1] } }],
    ['adds to untyped maps', { any: { a: 1 } }, { any: { b: 2 } }, { any: { a: 1, b: 2 } }],
  ])('%s', (_, live, applied, expected) => {
    expect(merge(live, applied, type)).toEqual(expected);
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

  const list = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { minLength: 1 });

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
