import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/schema.ts';
import { validate, verdictOn } from './validate.ts';

const notRun = {
  field: '<nil>',
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

describe('CRD-A3: after these reasons no rule runs, and the verdict says so', () => {
  const schema: Schema = {
    type: 'object',
    'x-kubernetes-validations': [{ rule: 'false', message: 'ran' }],
    required: ['r'],
    properties: {
      r: {},
      e: { type: 'string', enum: ['a'] },
      long: { type: 'string', maxLength: 1 },
      many: { type: 'array', maxItems: 1, items: {} },
      t: { type: 'string' },
      max: { type: 'integer', maximum: 1 },
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: {} },
    },
  };
  const rows: [reason: string, value: JsonObject][] = [
    ['FieldValueRequired', {}],
    ['FieldValueNotSupported', { r: 1, e: 'x' }],
    ['FieldValueTooLong', { r: 1, long: 'xx' }],
    ['FieldValueTooMany', { r: 1, many: [1, 2] }],
    ['FieldValueTypeInvalid', { r: 1, t: 1 }],
  ];
  test.each(rows)('%s', (reason, value) => {
    expect(validate(value, schema)).toEqual([expect.objectContaining({ reason }), notRun]);
  });

  const others: [reason: string, value: JsonObject][] = [
    ['FieldValueInvalid', { r: 1, max: 2 }],
    ['FieldValueDuplicate', { r: 1, set: [1, 1] }],
  ];
  test.each(others)('after %s they do', (reason, value) => {
    expect(validate(value, schema)).toEqual([
      expect.objectContaining({ reason }),
      expect.objectContaining({ message: 'Invalid value: ran' }),
    ]);
  });

  test('a schema without rules has nothing more to say', () => {
    expect(validate({}, { type: 'object', required: ['r'] })).toEqual([
      { field: 'r', reason: 'FieldValueRequired', message: 'Required value' },
    ]);
  });

  test('issues found before count as well', () => {
    const prior = [{ field: 'metadata.name', reason: 'FieldValueRequired', message: 'Required value' }] as const;
    expect(validate({ r: 1 }, schema, { prior })).toEqual([...prior, notRun]);
  });
});

describe('API-K9, CRD-A7: an update forgives what stays as it was', () => {
  const item: Schema = {
    type: 'object',
    required: ['k'],
    properties: { k: { type: 'string' }, v: { type: 'integer', maximum: 1 } },
  };
  const schema: Schema = {
    type: 'object',
    properties: {
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        properties: {
          a: { type: 'integer', maximum: 1 },
          b: { type: 'integer', maximum: 1, 'x-kubernetes-validations': [{ rule: 'self < 0', message: 'negative' }] },
          l: { type: 'array', items: { type: 'integer', maximum: 1 } },
          lm: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: item },
          one: { type: 'object', properties: { x: { type: 'integer' } }, anyOf: [{ required: ['x'] }] },
          tr: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > oldSelf', message: 'grow' }] },
        },
      },
    },
  };
  const fields = (spec: JsonObject, old: JsonObject): string[] =>
    validate({ metadata: { name: 'x' }, spec }, schema, { old: { metadata: { name: 'x' }, spec: old } }).map(
      ({ field }) => field,
    );

  const rows: [why: string, spec: JsonObject, old: JsonObject, fields: string[]][] = [
    ['a value that is still wrong', { a: 5 }, { a: 5 }, []],
    ['a value that is wrong in another way', { a: 6 }, { a: 5 }, ['spec.a']],
    ['a value that is new', { a: 5 }, {}, ['spec.a']],
    ['beside one that changed', { a: 5, b: -2 }, { a: 5, b: -1 }, []],
    ['a rule over a value that stays', { b: 1 }, { b: 1 }, []],
    ['a rule over a value that changed', { b: 1 }, { b: 0 }, ['spec.b']],
    ['a transition rule never', { tr: 1 }, { tr: 1 }, ['spec.tr']],
    ['a list as one piece', { l: [5, 1] }, { l: [5, 1] }, []],
    ['a list that changed anywhere', { l: [5, 1] }, { l: [5] }, ['spec.l[0]']],
    [
      'items of a list map by key',
      {
        lm: [
          { k: 'b', v: 9 },
          { k: 'a', v: 5 },
        ],
      },
      { lm: [{ k: 'a', v: 5 }] },
      ['spec.lm[0].v'],
    ],
    ['a branch with the value around it', { one: {} }, { one: {} }, []],
    ['a branch never on its own', { one: {}, a: 0 }, { one: { x: 1 }, a: 0 }, ['<nil>', 'spec.one.x', '<nil>']],
  ];
  test.each(rows)('%s', (...[, spec, old, expected]) => {
    expect(fields(spec, old)).toEqual(expected);
  });

  test('and says what it let pass', () => {
    const value = { spec: { a: 5, b: 1 } };
    expect(
      verdictOn(value, schema, { old: value }).forgiven.map(({ field, message }) => `${field}: ${message}`),
    ).toEqual([
      'spec.a: Invalid value: 5: spec.a in body should be less than or equal to 1',
      'spec.b: Invalid value: 1: negative',
    ]);
  });

  test('what the schema does not describe counts as changed, so that nothing above it is forgiven', () => {
    const strict: Schema = { ...schema, required: ['status'] };
    const value = { metadata: { name: 'x' } };
    expect(validate(value, strict, { old: value }).map(({ field }) => field)).toEqual(['status', '<nil>']);
  });
});

describe('CRD-A7: a write of status', () => {
  const schema: Schema = {
    type: 'object',
    'x-kubernetes-validations': [{ rule: 'self.spec.n < 5', message: 'rule' }],
    properties: {
      spec: { type: 'object', required: ['x'], properties: { n: { type: 'integer' } } },
      status: {
        type: 'object',
        required: ['c'],
        properties: {
          c: { type: 'integer', maximum: 1 },
          l: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
        },
      },
    },
  };
  const status = (value: JsonObject): string[] =>
    validate(value, schema, { subresource: 'status' }).map(({ field, message }) => `${field}: ${message}`);

  test('checks status, list types and all rules, but not spec', () => {
    expect(status({ spec: { n: 1 }, status: { c: 1 } })).toEqual([]);
    expect(status({ spec: { n: 1 } })).toEqual([]);
    expect(status({ spec: { n: 1 }, status: { c: 5 } })).toEqual([
      'status.c: Invalid value: 5: c in body should be less than or equal to 1',
    ]);
    expect(status({ spec: { n: 1 }, status: {} })).toEqual(['status.c: Required value', `<nil>: ${notRun.message}`]);
    expect(status({ spec: { n: 1 }, status: { c: 1, l: [1, 1] } })).toEqual(['status.l[1]: Duplicate value: 1']);
    expect(status({ spec: { n: 9 }, status: { c: 1 } })).toEqual(['<nil>: Invalid value: rule']);
    expect(status({ spec: { n: 1 }, status: 'x' })).toEqual([
      'status: Invalid value: "string":  in body must be of type object: "string"',
      `<nil>: ${notRun.message}`,
    ]);
  });
});

test('neither value nor schema is changed', () => {
  const frozen = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
    return value;
  };
  const schema: Schema = {
    type: 'object',
    properties: {
      a: {
        type: 'array',
        'x-kubernetes-list-type': 'set',
        items: { type: 'integer' },
        'x-kubernetes-validations': [{ rule: 'self == oldSelf' }],
      },
    },
  };
  expect(validate(frozen({ a: [1, 2] }), frozen(schema), { old: frozen({ a: [2, 1] }) })).toEqual([]);
});
