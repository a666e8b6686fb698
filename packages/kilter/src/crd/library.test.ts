import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customResource, ResourceError, type StandardJsonSchema } from './index.ts';

type Schema = StandardJsonSchema<object, object>;
type Json = Record<string, unknown>;

/** A library that speaks the given dialects and accepts every value. */
function library(answers: Partial<Record<'openapi-3.0' | 'draft-2020-12', Json>>, output?: Json): Schema {
  const answer = ({ target }: { target: 'openapi-3.0' | 'draft-2020-12' }): Json => {
    const schema = answers[target];
    if (schema === undefined) throw new Error(`no target ${target}`);
    return schema;
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => ({ value }),
      jsonSchema: { input: answer, output: (options) => output ?? answer(options) },
    },
  };
}

const object = (x: Json, required: string[] = []): Json => ({ type: 'object', properties: { x }, required });

function schemaOf(spec: Schema): unknown {
  const { versions } = customResource({ group: 'example.com', version: 'v1', kind: 'Thing', spec }).manifest().spec;
  return versions[0]?.schema?.openAPIV3Schema?.properties?.['spec']?.properties?.['x'];
}

function problemsOf(spec: Schema): string[] {
  try {
    schemaOf(spec);
  } catch (error) {
    if (error instanceof ResourceError) return error.problems.map(({ code, path }) => `${code} ${path}`);
    throw error;
  }
  return [];
}

describe('CRD-F11: both dialects of JSON Schema read alike', () => {
  const string = { type: 'string', nullable: true };
  const int64 = { type: 'integer', format: 'int64' };
  test.each([
    ['a nullable type of OpenAPI', 'openapi-3.0', { type: 'string', nullable: true }, string],
    ['a nullable type of a draft', 'draft-2020-12', { type: ['string', 'null'] }, string],
    ['a nullable union of a draft', 'draft-2020-12', { anyOf: [{ type: 'string' }, { type: 'null' }] }, string],
    [
      'an exclusive bound of OpenAPI',
      'openapi-3.0',
      { type: 'integer', minimum: 3, exclusiveMinimum: true },
      { ...int64, minimum: 3, exclusiveMinimum: true },
    ],
    [
      'an exclusive bound of a draft',
      'draft-2020-12',
      { type: 'integer', exclusiveMinimum: 3 },
      { ...int64, minimum: 3, exclusiveMinimum: true },
    ],
    [
      'two bounds of a draft: the stricter one decides',
      'draft-2020-12',
      { type: 'integer', minimum: 5, exclusiveMinimum: 3 },
      { ...int64, minimum: 5 },
    ],
    ['a constant', 'draft-2020-12', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['an enum without a type', 'draft-2020-12', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    [
      'a bare object keeps what it does not know',
      'draft-2020-12',
      { type: 'object' },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'types as a list',
      'draft-2020-12',
      { type: ['integer', 'string'] },
      { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
    ],
    [
      'an object beside a union',
      'draft-2020-12',
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        oneOf: [
          { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
          { type: 'object', properties: { c: { type: 'string' } }, required: ['c'] },
        ],
      },
      {
        type: 'object',
        required: ['a'],
        oneOf: [{ required: ['b'] }, { required: ['c'] }],
        properties: { b: { type: 'string' }, c: { type: 'string' }, a: { type: 'string' } },
      },
    ],
  ] as const)('%s', (_, target, x, expected) => {
    expect(schemaOf(library({ [target]: object(x) }))).toEqual(expected);
  });

  test('CRD-M6: a draft tells of the keys of a record, which become a rule', () => {
    const x = {
      type: 'object',
      additionalProperties: { type: 'string' },
      propertyNames: { type: 'string', pattern: '^a"', minLength: 2, maxLength: 9 },
      maxProperties: 3,
    };
    expect(schemaOf(library({ 'draft-2020-12': object(x) }))).toEqual({
      type: 'object',
      maxProperties: 3,
      additionalProperties: { type: 'string' },
      'x-kubernetes-validations': [
        {
          rule: 'self.all(k, k.matches("^a\\"") && size(k) >= 2 && size(k) <= 9)',
          message: 'keys must satisfy: k.matches("^a\\"") && size(k) >= 2 && size(k) <= 9',
        },
      ],
    });
  });
});

describe('CRD-E6: assertions without a structural form are never left out in silence', () => {
  test.each([
    ['not', { type: 'string', not: { enum: ['a'] } }],
    ['if', { type: 'object', if: {}, then: {} }],
    ['dependentRequired', { type: 'object', properties: {}, dependentRequired: { a: ['b'] } }],
    ['contains', { type: 'array', items: { type: 'string' }, contains: { const: 'a' } }],
    ['unevaluatedProperties', { type: 'object', properties: {}, unevaluatedProperties: false }],
    ['items as a tuple', { type: 'array', items: [{ type: 'string' }] }],
    ['a bound without a type', { minLength: 3 }],
    ['keys of another kind', { type: 'object', additionalProperties: {}, propertyNames: { not: {} } }],
  ])('%s', (_, x) => {
    const problems = problemsOf(library({ 'draft-2020-12': object(x) }));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.every((problem) => problem.startsWith('CRD_SCHEMA_NOT_STRUCTURAL spec.x'))).toBe(true);
  });
});

describe('CRD-E3: a schema no one can read', () => {
  test('no usable target', () => {
    expect(problemsOf(library({}))).toEqual(['CRD_SCHEMA_UNREPRESENTABLE spec']);
  });

  test('no Standard JSON Schema at all', () => {
    const noJson = { '~standard': { version: 1, vendor: 'old', validate: () => ({}) } } as unknown as Schema;
    expect(problemsOf(noJson)).toEqual(['CRD_SCHEMA_UNREPRESENTABLE spec']);
    expect(problemsOf(undefined as unknown as Schema)).toEqual(['CRD_SCHEMA_UNREPRESENTABLE spec']);
  });

  test('a reference to nowhere', () => {
    const nowhere = object({ $ref: '#/$defs/Nothing' });
    expect(problemsOf(library({ 'draft-2020-12': nowhere }))).toContain('CRD_SCHEMA_UNREPRESENTABLE spec.x');
  });
});

describe('CRD-E5: input and output may differ in defaults only', () => {
  const input = object({ type: 'string', default: 'a' });

  test('a default makes a field required in the output', () => {
    expect(problemsOf(library({ 'draft-2020-12': input }, object({ type: 'string' }, ['x'])))).toEqual([]);
  });

  test('a field that is filled in without a default in the JSON Schema is refused', () => {
    const hidden = library({ 'draft-2020-12': object({ type: 'string' }) }, object({ type: 'string' }, ['x']));
    expect(problemsOf(hidden)).toEqual(['CRD_SCHEMA_TRANSFORM spec.x']);
  });

  test('a field that comes out is another', () => {
    const other: Json = { type: 'object', properties: { y: { type: 'string' } } };
    expect(problemsOf(library({ 'draft-2020-12': input }, other))).toEqual(['CRD_SCHEMA_TRANSFORM spec']);
  });

  test('a transform below a list is named there', () => {
    const spec = z.object({ list: z.array(z.object({ n: z.string().pipe(z.string().min(1)) })) });
    expect(problemsOf(spec as unknown as Schema)).toEqual(['CRD_SCHEMA_TRANSFORM spec.list[*].n']);
  });

  test('defaults below a branch of a union are not a transform', () => {
    const http = z.object({ port: z.int().min(1).default(80) });
    const spec = z.object({
      x: z.discriminatedUnion('t', [z.object({ t: z.literal('http'), http }), z.object({ t: z.literal('none') })]),
    });
    expect(problemsOf(spec as unknown as Schema)).toEqual([]);
  });
});

test('CRD-F19: what a library says must be the same each time', () => {
  let count = 0;
  const spec = z.object({ a: z.object({ n: z.int().default(() => ++count) }), b: z.string() });
  expect(problemsOf(spec as unknown as Schema)).toEqual(['CRD_DEFAULT_INVALID spec.a.n']);
});
