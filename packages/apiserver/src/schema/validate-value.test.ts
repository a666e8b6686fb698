import type { Json } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/schema.ts';
import { validate } from './validate.ts';

/** The issues of one field under spec, each as `field: reason: message` with the prefix of the reason left out. */
function issuesOf(schema: Schema, value: Json): string[] {
  const root: Schema = { type: 'object', properties: { spec: { type: 'object', properties: { f: schema } } } };
  return validate({ spec: { f: value } }, root).map(
    ({ field, reason, message }) => `${field}: ${reason.replace('FieldValue', '')}: ${message}`,
  );
}

describe('API-K6: the words of the server', () => {
  const root = (spec: Schema): Schema => ({ type: 'object', properties: { spec: { type: 'object', ...spec } } });
  test.each([
    [
      { properties: { replicas: { type: 'integer', maximum: 10 } } },
      { replicas: 99 },
      'spec.replicas',
      'FieldValueInvalid',
      'Invalid value: 99: spec.replicas in body should be less than or equal to 10',
    ],
    [
      { properties: { image: { type: 'string', minLength: 1 } } },
      { image: '' },
      'spec.image',
      'FieldValueInvalid',
      'Invalid value: "": spec.image in body should be at least 1 chars long',
    ],
    [
      { properties: { replicas: { type: 'integer' } } },
      { replicas: '3' },
      'spec.replicas',
      'FieldValueTypeInvalid',
      'Invalid value: "string": spec.replicas in body must be of type integer: "string"',
    ],
    [{ required: ['image'] }, {}, 'spec.image', 'FieldValueRequired', 'Required value'],
  ] as const)('%j', (...[spec, value, field, reason, message]) => {
    expect(validate({ spec: value }, root(spec))).toEqual([{ field, reason, message }]);
  });

  test('known formats only, others are ignored', () => {
    expect(issuesOf({ type: 'string', format: 'date' }, 'x')).toEqual([
      'spec.f: TypeInvalid: Invalid value: "x": spec.f in body must be of type date: "x"',
    ]);
    expect(issuesOf({ type: 'string', format: 'starts_with' }, 'x')).toEqual([]);
    expect(issuesOf({ type: 'integer', format: 'date' }, 5)).toEqual([]);
  });
});

describe('each keyword, and its words', () => {
  const inBody = (text: string): string => `spec.f in body ${text}`;
  const rows: [why: string, schema: Schema, value: Json, issues: string[]][] = [
    [
      'a float is not an integer, twice said',
      { type: 'integer' },
      1.5,
      [
        `spec.f: TypeInvalid: Invalid value: "number": ${inBody('must be of type integer: "number"')}`,
        '<nil>: Invalid: Invalid value: "": Checked value must be of type integer (default format) in spec.f',
      ],
    ],
    ['an integer is a number', { type: 'number' }, 1, []],
    [
      'an object is not a string',
      { type: 'string' },
      {},
      [`spec.f: TypeInvalid: Invalid value: "object": ${inBody('must be of type string: "object"')}`],
    ],
    [
      'a string is not a list',
      { type: 'array', items: {} },
      'x',
      [`spec.f: TypeInvalid: Invalid value: "string": ${inBody('must be of type array: "string"')}`],
    ],
    [
      'null needs nullable',
      { type: 'string' },
      null,
      [`spec.f: TypeInvalid: Invalid value: "null": ${inBody('must be of type string: "null"')}`],
    ],
    ['null with nullable', { type: 'string', nullable: true }, null, []],
    [
      'a number where a formatted string is due',
      { type: 'string', format: 'date-time' },
      5,
      [`spec.f: TypeInvalid: Invalid value: "int64": ${inBody('must be of type date-time: "int64"')}`],
    ],
    ['no type, no check', {}, { any: 1 }, []],
    ['int-or-string takes both', { 'x-kubernetes-int-or-string': true }, 5, []],
    [
      'int-or-string takes no list',
      { 'x-kubernetes-int-or-string': true },
      [],
      [`spec.f: TypeInvalid: Invalid value: "array": ${inBody('must be of type integer,string: "array"')}`],
    ],
    [
      'int32 has a range',
      { type: 'integer', format: 'int32' },
      2 ** 31,
      ['<nil>: Invalid: Invalid value: "": Checked value must be of type integer with format int32 in spec.f'],
    ],
    ['int32 holds its smallest number', { type: 'integer', format: 'int32' }, -(2 ** 31), []],
    [
      'float has a range',
      { type: 'number', format: 'float' },
      1e39,
      ['<nil>: Invalid: Invalid value: "": Checked value must be of type number with format float in spec.f'],
    ],
    [
      'minimum',
      { type: 'integer', minimum: 1 },
      0,
      [`spec.f: Invalid: Invalid value: 0: ${inBody('should be greater than or equal to 1')}`],
    ],
    [
      'exclusive minimum',
      { type: 'integer', minimum: 1, exclusiveMinimum: true },
      1,
      [`spec.f: Invalid: Invalid value: 1: ${inBody('should be greater than 1')}`],
    ],
    [
      'exclusive maximum',
      { type: 'number', maximum: 1.5, exclusiveMaximum: true },
      1.5,
      [`spec.f: Invalid: Invalid value: 1.5: ${inBody('should be less than 1.5')}`],
    ],
    ['bounds are part of the range', { type: 'number', minimum: 0.5, maximum: 1.5 }, 1.5, []],
    [
      'a fraction bounds no integer',
      { type: 'integer', maximum: 7.5 },
      7,
      ['<nil>: Invalid: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.f'],
    ],
    [
      'multiples',
      { type: 'integer', multipleOf: 2 },
      3,
      [`spec.f: Invalid: Invalid value: 3: ${inBody('should be a multiple of 2')}`],
    ],
    ['multiples of a fraction', { type: 'number', multipleOf: 0.5 }, 1.5, []],
    [
      'large numbers as Go writes floats',
      { type: 'number', maximum: 1e6 },
      1234567.5,
      [`spec.f: Invalid: Invalid value: 1.2345675e+06: ${inBody('should be less than or equal to 1e+06')}`],
    ],
    ['too long', { type: 'string', maxLength: 2 }, 'abc', ['spec.f: TooLong: Too long: may not be more than 2 bytes']],
    [
      'too long by one limit',
      { type: 'string', maxLength: 1 },
      'ab',
      ['spec.f: TooLong: Too long: may not be more than 1 byte'],
    ],
    [
      'only the first of length and pattern',
      { type: 'string', maxLength: 1, pattern: '^x' },
      'ab',
      ['spec.f: TooLong: Too long: may not be more than 1 byte'],
    ],
    [
      'pattern',
      { type: 'string', pattern: '^a' },
      'ba',
      [`spec.f: Invalid: Invalid value: "ba": ${inBody("should match '^a'")}`],
    ],
    [
      'enum',
      { type: 'string', enum: ['a', 'b'] },
      'x',
      ['spec.f: NotSupported: Unsupported value: "x": supported values: "a", "b"'],
    ],
    [
      'enum of numbers',
      { type: 'integer', enum: [1, 2] },
      3,
      ['spec.f: NotSupported: Unsupported value: 3: supported values: "1", "2"'],
    ],
    [
      'no null passes an enum',
      { type: 'string', nullable: true, enum: ['a'] },
      null,
      ['spec.f: NotSupported: Unsupported value: null: supported values: "a"'],
    ],
    [
      'too few items',
      { type: 'array', items: {}, minItems: 2 },
      [1],
      [`spec.f: Invalid: Invalid value: 1: ${inBody('should have at least 2 items')}`],
    ],
    [
      'too many items',
      { type: 'array', items: {}, maxItems: 1 },
      [1, 2],
      ['spec.f: TooMany: Too many: 2: must have at most 1 item'],
    ],
    [
      'too few fields',
      { type: 'object', minProperties: 1 },
      {},
      [`spec.f: Invalid: Invalid value: 0: ${inBody('should have at least 1 properties')}`],
    ],
    [
      'too many fields',
      { type: 'object', maxProperties: 2 },
      { a: 1, b: 2, c: 3 },
      ['spec.f: TooMany: Too many: 3: must have at most 2 items'],
    ],
    [
      'items have positions',
      { type: 'array', items: { type: 'object', required: ['n'] } },
      [{ n: 1 }, {}],
      ['spec.f[1].n: Required: Required value'],
    ],
    [
      'values of a map have names',
      { type: 'object', additionalProperties: { type: 'integer' } },
      { 'a.b': 'x' },
      ['spec.f.a.b: TypeInvalid: Invalid value: "string": spec.f.a.b in body must be of type integer: "string"'],
    ],
    [
      'required and present as null',
      { type: 'object', properties: { a: { type: 'string', nullable: true } }, required: ['a'] },
      { a: null },
      [],
    ],
    [
      'inherited names are not there',
      { type: 'object', required: ['toString'] },
      {},
      ['spec.f.toString: Required: Required value'],
    ],
    [
      'a value that looks like HTML',
      { type: 'string', enum: ['<'] },
      '&',
      ['spec.f: NotSupported: Unsupported value: "&": supported values: "<"'],
    ],
  ];
  test.each(rows)('%s', (...[, schema, value, issues]) => {
    expect(issuesOf(schema, value)).toEqual(issues);
  });

  test('CRD-A4: lengths count code points', () => {
    expect(issuesOf({ type: 'string', maxLength: 2 }, '😀😀')).toEqual([]);
    expect(issuesOf({ type: 'string', minLength: 3 }, '😀😀')).toHaveLength(1);
  });

  test('CRD-A5: an integral number is an integer, and a float beyond 2^53 is none', () => {
    expect(issuesOf({ type: 'integer' }, 1.0)).toEqual([]);
    expect(issuesOf({ type: 'integer' }, Number.MAX_SAFE_INTEGER)).toEqual([]);
    expect(issuesOf({ type: 'integer' }, 2 ** 53)).toEqual([
      expect.stringMatching(/^spec\.f: TypeInvalid: .*must be of type integer: "number"/),
    ]);
  });
});

describe('anyOf, oneOf, allOf, not', () => {
  const object = (required: string[]): Schema => ({ required });
  const rows: [why: string, schema: Schema, value: Json, issues: string[]][] = [
    ['one branch of anyOf is enough', { anyOf: [{ minimum: 5 }, { maximum: 1 }] }, 0, []],
    [
      'the branch of anyOf that came furthest explains',
      { type: 'object', properties: { a: {}, b: {} }, anyOf: [object(['a']), object(['b'])] },
      {},
      [
        '<nil>: Invalid: Invalid value: "": "spec.f" must validate at least one schema (anyOf)',
        'spec.f.a: Required: Required value',
      ],
    ],
    ['exactly one branch of oneOf', { oneOf: [{ minimum: 5 }, { maximum: 1 }] }, 6, []],
    [
      'none of oneOf',
      { type: 'object', oneOf: [object(['a'])] },
      {},
      [
        '<nil>: Invalid: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found none valid',
        'spec.f.a: Required: Required value',
      ],
    ],
    [
      'two of oneOf',
      { oneOf: [{ minimum: 1 }, { minimum: 2 }] },
      3,
      [
        '<nil>: Invalid: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      ],
    ],
    ['all of allOf', { allOf: [{ minimum: 1 }, { maximum: 5 }] }, 3, []],
    [
      'one of allOf fails',
      { allOf: [{ minimum: 1 }, { maximum: 5 }] },
      9,
      [
        'spec.f: Invalid: Invalid value: 9: spec.f in body should be less than or equal to 5',
        '<nil>: Invalid: Invalid value: "": "spec.f" must validate all the schemas (allOf)',
      ],
    ],
    [
      'all of allOf fail',
      { allOf: [{ minimum: 10 }] },
      9,
      [
        'spec.f: Invalid: Invalid value: 9: spec.f in body should be greater than or equal to 10',
        '<nil>: Invalid: Invalid value: "": "spec.f" must validate all the schemas (allOf). None validated',
      ],
    ],
    [
      'not',
      { not: { minimum: 5 } },
      6,
      ['<nil>: Invalid: Invalid value: "": "spec.f" must not validate the schema (not)'],
    ],
    ['not of what does not hold', { not: { minimum: 5 } }, 4, []],
    [
      'int-or-string as it is usually written',
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      '50%',
      [],
    ],
    [
      'the same sentence is said once',
      { maximum: 1, allOf: [{ maximum: 1 }] },
      2,
      [
        'spec.f: Invalid: Invalid value: 2: spec.f in body should be less than or equal to 1',
        '<nil>: Invalid: Invalid value: "": "spec.f" must validate all the schemas (allOf). None validated',
      ],
    ],
  ];
  test.each(rows)('%s', (...[, schema, value, issues]) => {
    expect(issuesOf(schema, value)).toEqual(issues);
  });
});
