import type { Json } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/schema.ts';
import { validate } from './validate.ts';

const root = (list: Schema): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { l: list } } },
});
const keyed = (...keys: string[]): Schema => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
  items: {
    type: 'object',
    properties: { name: { type: 'string' }, port: { type: 'integer' }, v: { type: 'integer' } },
  },
});
const set: Schema = { type: 'array', 'x-kubernetes-list-type': 'set', items: {} };
const duplicate = (field: string, value: string): object => ({
  field,
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${value}`,
});

describe('API-K7, CRD-A6: what stands twice in a set or list map, by the position of the second', () => {
  const rows: [why: string, list: Schema, value: Json, issues: object[]][] = [
    ['a key', keyed('name'), [{ name: 'a' }, { name: 'b' }, { name: 'a' }], [duplicate('spec.l[2]', '{"name":"a"}')]],
    [
      'only the second, not the third',
      keyed('name'),
      [{ name: 'a' }, { name: 'a' }, { name: 'a' }],
      [duplicate('spec.l[1]', '{"name":"a"}')],
    ],
    [
      'two keys together',
      keyed('name', 'port'),
      [
        { name: 'a', port: 1 },
        { name: 'a', port: 2 },
        { port: 1, name: 'a' },
      ],
      [duplicate('spec.l[2]', '{"name":"a","port":1}')],
    ],
    ['two items without the key', keyed('name'), [{ v: 1 }, { v: 2 }], [duplicate('spec.l[1]', '{}')]],
    [
      'one of two keys missing',
      keyed('name', 'port'),
      [{ name: 'a' }, { name: 'a' }],
      [duplicate('spec.l[1]', '{"name":"a"}')],
    ],
    ['scalars of a set', set, ['a', 'b', 'a'], [duplicate('spec.l[2]', '"a"')]],
    ['numbers and texts differ', set, [1, '1', true, 'true'], []],
    [
      'objects of a set, whatever the order of fields',
      set,
      [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
      [duplicate('spec.l[1]', '{"x":1,"y":2}')],
    ],
    ['atomic lists may repeat', { type: 'array', items: {} }, [1, 1], []],
    [
      'inside items and maps',
      { type: 'array', items: { type: 'object', additionalProperties: set } },
      [{ k: [1, 1] }],
      [duplicate('spec.l[0][k][1]', '1')],
    ],
  ];
  test.each(rows)('%s', (...[, list, value, issues]) => {
    expect(validate({ spec: { l: value } }, root(list))).toEqual(issues);
  });

  test('an item of a list map that is not an object', () => {
    const list = { ...keyed('name'), items: {} };
    expect(validate({ spec: { l: [{ name: 'a' }, 'x'] } }, root(list))).toEqual([
      {
        field: 'spec.l[1]',
        reason: 'FieldValueInvalid',
        message: 'Invalid value: "x": must be an object for an array of list-type map',
      },
    ]);
  });
});

test('API-K7: duplicates that were there before are forgiven, new ones are not', () => {
  const [broken, fine] = [{ spec: { l: ['a', 'a'] } }, { spec: { l: ['a'] } }];
  expect(validate({ spec: { l: ['a', 'a', 'b'] } }, root(set), { old: broken })).toEqual([]);
  expect(validate(broken, root(set), { old: fine })).toHaveLength(1);
});
