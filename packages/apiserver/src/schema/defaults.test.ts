import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/schema.ts';
import { applyDefaults } from './defaults.ts';

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });

describe('CRD-D2: defaults fill what is missing and create no parents', () => {
  const nested = object({ a: object({ b: { type: 'integer', default: 1 } }) });
  const rows: [why: string, schema: Schema, value: JsonObject, result: JsonObject][] = [
    ['a missing field', object({ a: { type: 'string', default: 'x' } }), {}, { a: 'x' }],
    ['a field that is there stays', object({ a: { type: 'string', default: 'x' } }), { a: '' }, { a: '' }],
    ['no parent, no default', nested, {}, {}],
    ['an empty parent is enough', nested, { a: {} }, { a: { b: 1 } }],
    [
      'a default for the parent brings its fields along',
      object({ a: { ...object({ b: { type: 'integer', default: 1 } }), default: {} } }),
      {},
      { a: { b: 1 } },
    ],
    [
      'items of a list',
      object({ l: { type: 'array', items: object({ p: { type: 'string', default: 'TCP' } }) } }),
      { l: [{}, { p: 'UDP' }] },
      { l: [{ p: 'TCP' }, { p: 'UDP' }] },
    ],
    [
      'values of a map',
      object({ m: { type: 'object', additionalProperties: object({ x: { type: 'integer', default: 0 } }) } }),
      { m: { k: {} } },
      { m: { k: { x: 0 } } },
    ],
    [
      'false and zero are defaults',
      object({ a: { type: 'boolean', default: false }, b: { type: 'integer', default: 0 } }),
      {},
      { a: false, b: 0 },
    ],
    ['a default of null is none', object({ a: { type: 'string', nullable: true, default: null } }), {}, {}],
    ['a value of another type is left for validation', nested, { a: 'x' }, { a: 'x' }],
  ];
  test.each(rows)('%s', (...[, schema, value, result]) => {
    expect(applyDefaults(frozen(value), frozen(schema))).toEqual(result);
  });
});

describe('CRD-D4, API-K5: null is kept where nullable, else replaced by the default, else removed', () => {
  const rows: [why: string, field: Schema, result: JsonObject][] = [
    ['kept', { type: 'string', nullable: true }, { a: null }],
    ['kept, default or not', { type: 'string', nullable: true, default: 'x' }, { a: null }],
    ['replaced', { type: 'string', default: 'x' }, { a: 'x' }],
    ['removed', { type: 'string' }, {}],
  ];
  test.each(rows)('%s', (...[, field, result]) => {
    expect(applyDefaults({ a: null }, object({ a: field }))).toEqual(result);
    expect(applyDefaults({ o: { a: null } }, object({ o: object({ a: field }) }))).toEqual({ o: result });
    expect(applyDefaults({ a: null }, { type: 'object', additionalProperties: field })).toEqual(result);
  });

  test('a list keeps its length: a null item gets the default of items, or stays', () => {
    expect(
      applyDefaults({ l: [null, 1] }, object({ l: { type: 'array', items: { type: 'integer', default: 7 } } })),
    ).toEqual({ l: [7, 1] });
    expect(applyDefaults({ l: [null] }, object({ l: { type: 'array', items: { type: 'integer' } } }))).toEqual({
      l: [null],
    });
  });

  test('null of a field nobody described is nobody’s business', () => {
    expect(applyDefaults({ z: null }, object({}))).toEqual({ z: null });
  });
});

test('the result can be changed without changing the schema', () => {
  const schema = object({ a: { type: 'array', items: { type: 'string' }, default: ['x'] } });
  (applyDefaults({}, schema)['a'] as string[]).push('y');
  expect(applyDefaults({}, schema)).toEqual({ a: ['x'] });
});

test('what does not change is shared, not copied', () => {
  const value = { a: { b: [1] }, c: {} };
  const schema = object({ c: object({ d: { type: 'integer', default: 1 } }) });
  expect(applyDefaults(value, object({}))).toBe(value);
  expect(applyDefaults(value, schema)['a']).toBe(value.a);
});

test('a field called __proto__ is data', () => {
  const value = JSON.parse('{"__proto__": null, "a": {"__proto__": {"x": 1}}}') as JsonObject;
  const schema = object({ z: { type: 'integer', default: 1 } });
  expect(JSON.stringify(applyDefaults(value, schema))).toBe('{"__proto__":null,"a":{"__proto__":{"x":1}},"z":1}');
});
