import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customResource, immutable, listMap, quantity, ResourceError, rule, type StandardJsonSchema } from './index.ts';

type Schema = StandardJsonSchema<object, object>;

const zod = (shape: z.ZodRawShape): Schema => z.object(shape) as unknown as Schema;
const valibot = (entries: v.ObjectEntries): Schema => toStandardJsonSchema(v.object(entries)) as unknown as Schema;
const arktype = (shape: unknown): Schema => type(shape as never) as unknown as Schema;
/** Metadata that a library's types do not know. */
const any = <T>(metadata: unknown): T => metadata as T;

const define = (spec: Schema) => customResource({ group: 'example.com', version: 'v1', kind: 'Thing', spec });

function outcome(spec: Schema): unknown {
  try {
    return define(spec).manifest().spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'];
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    return error.problems.map(({ code, path }) => `${code} ${path}`);
  }
}

const object = (x: unknown): unknown => ({ type: 'object', required: ['x'], properties: { x } });
const optional = (x: unknown): unknown => ({ type: 'object', properties: { x } });
const str = { type: 'string' };
const int64 = { type: 'integer', format: 'int64' };
const list = { type: 'array', items: { type: 'object', required: ['n'], properties: { n: str } } };

test('a schema that does not tell its JSON Schema gets the cure of its own library', () => {
  const cure = (spec: unknown): string | undefined => {
    try {
      define(spec as Schema);
    } catch (error) {
      if (error instanceof ResourceError) return error.problems[0]?.cure;
    }
    return undefined;
  };
  expect(cure(v.object({ a: v.string() }))).toContain('toStandardJsonSchema(schema) of @valibot/to-json-schema');
  expect(cure({ '~standard': { vendor: 'arktype', validate: () => ({}) } })).toContain('arktype');
  expect(cure({ a: 'string' })).toContain('zod 4.2');
});

interface Row {
  readonly what: string;
  readonly zod?: Schema;
  readonly valibot?: Schema;
  readonly arktype?: Schema;
  readonly expected: unknown;
}

const rows: readonly Row[] = [
  {
    what: 'CRD-M2: lengths and a pattern',
    zod: zod({ x: z.string().min(1).max(3).regex(/^a/) }),
    valibot: valibot({ x: v.pipe(v.string(), v.minLength(1), v.maxLength(3), v.regex(/^a/)) }),
    arktype: arktype({ x: type('1<=string<=3').and('/^a/') }),
    expected: object({ ...str, minLength: 1, maxLength: 3, pattern: '^a' }),
  },
  {
    what: 'CRD-F7: two patterns',
    zod: zod({ x: z.string().regex(/^a/).regex(/b$/) }),
    valibot: valibot({ x: v.pipe(v.string(), v.regex(/^a/), v.regex(/b$/)) }),
    arktype: arktype({ x: type('/^a/').and('/b$/') }),
    expected: object({ ...str, allOf: expect.arrayContaining([{ pattern: '^a' }, { pattern: 'b$' }]) as unknown }),
  },
  {
    what: 'CRD-M1: bounds',
    zod: zod({ x: z.int().min(1).lt(9) }),
    valibot: valibot({ x: v.pipe(v.number(), v.integer(), v.minValue(1), v.ltValue(9)) }),
    arktype: arktype({ x: '1<=number.integer<9' }),
    expected: object({ ...int64, minimum: 1, maximum: 9, exclusiveMaximum: true }),
  },
  {
    what: 'CRD-M1: multiples',
    zod: zod({ x: z.int().multipleOf(5) }),
    valibot: valibot({ x: v.pipe(v.number(), v.integer(), v.multipleOf(5)) }),
    arktype: arktype({ x: 'number.integer%5' }),
    expected: object({ ...int64, multipleOf: 5 }),
  },
  {
    what: 'CRD-M4: an enumeration',
    zod: zod({ x: z.enum(['a', 'b']) }),
    valibot: valibot({ x: v.picklist(['a', 'b']) }),
    arktype: arktype({ x: '"a"|"b"' }),
    expected: object({ ...str, enum: ['a', 'b'] }),
  },
  {
    what: 'CRD-M7: an optional field',
    zod: zod({ x: z.string().optional() }),
    valibot: valibot({ x: v.optional(v.string()) }),
    arktype: arktype({ 'x?': 'string' }),
    expected: optional(str),
  },
  {
    what: 'CRD-E6: a field that may be undefined is optional',
    zod: zod({ x: z.union([z.string(), z.undefined()]) }),
    valibot: valibot({ x: v.union([v.string(), v.undefined()]) }),
    arktype: arktype({ 'x?': 'string|undefined' }),
    expected: optional(str),
  },
  {
    what: 'CRD-M8: a default',
    zod: zod({ x: z.string().default('a') }),
    valibot: valibot({ x: v.optional(v.string(), 'a') }),
    arktype: arktype({
      x: type('string')
        .configure(any({ default: 'a' }))
        .default('a'),
    }),
    expected: optional({ ...str, default: 'a' }),
  },
  {
    what: 'CRD-M8: null',
    zod: zod({ x: z.string().nullable() }),
    valibot: valibot({ x: v.nullable(v.string()) }),
    arktype: arktype({ x: 'string|null' }),
    expected: object({ ...str, nullable: true }),
  },
  {
    what: 'CRD-M9: a description',
    zod: zod({ x: z.string().describe('D') }),
    valibot: valibot({ x: v.pipe(v.string(), v.description('D')) }),
    arktype: arktype({ x: type('string').describe('D') }),
    expected: object({ description: 'D', ...str }),
  },
  {
    what: 'CRD-M10: an integer or a string',
    zod: zod({ x: z.union([z.int(), z.string()]) }),
    valibot: valibot({ x: v.union([v.pipe(v.number(), v.integer()), v.string()]) }),
    arktype: arktype({ x: 'number.integer|string' }),
    expected: object({ anyOf: [{ type: 'integer' }, str], 'x-kubernetes-int-or-string': true }),
  },
  {
    what: 'CRD-M11: a quantity',
    zod: zod({ x: z.union([z.int(), z.string()]).meta(quantity()) }),
    valibot: valibot({
      x: v.pipe(v.union([v.pipe(v.number(), v.integer()), v.string()]), v.metadata(quantity())),
    }),
    expected: object(
      expect.objectContaining({ 'x-kubernetes-int-or-string': true, pattern: expect.any(String) as unknown }),
    ),
  },
  {
    what: 'CRD-M13: a time',
    zod: zod({ x: z.iso.datetime() }),
    valibot: valibot({ x: v.pipe(v.string(), v.isoTimestamp()) }),
    expected: object({ ...str, format: 'date-time' }),
  },
  {
    what: 'CRD-F8: base64 is the format byte',
    zod: zod({ x: z.base64() }),
    valibot: valibot({ x: v.pipe(v.string(), v.base64()) }),
    expected: object(expect.objectContaining({ ...str, format: 'byte' })),
  },
  {
    what: 'CRD-M16: a loose object keeps what it does not know',
    zod: zod({ x: z.looseObject({ a: z.string() }) }),
    valibot: valibot({ x: v.looseObject({ a: v.string() }) }),
    expected: object({
      type: 'object',
      required: ['a'],
      properties: { a: str },
      'x-kubernetes-preserve-unknown-fields': true,
    }),
  },
  {
    what: 'CRD-F1: a closed object',
    zod: zod({ x: z.strictObject({ a: z.string() }) }),
    valibot: valibot({ x: v.strictObject({ a: v.string() }) }),
    arktype: arktype({ x: { '+': 'reject', a: 'string' } }),
    expected: object({ type: 'object', required: ['a'], properties: { a: str } }),
  },
  {
    what: 'CRD-M17: anything',
    zod: zod({ x: z.unknown() }),
    valibot: valibot({ x: v.unknown() }),
    arktype: arktype({ x: 'unknown' }),
    expected: object({ nullable: true, 'x-kubernetes-preserve-unknown-fields': true }),
  },
  {
    what: 'CRD-M3: lists',
    zod: zod({ x: z.array(z.string()).min(1).max(3) }),
    valibot: valibot({ x: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(3)) }),
    arktype: arktype({ x: '1<=string[]<=3' }),
    expected: object({ type: 'array', minItems: 1, maxItems: 3, items: str }),
  },
  {
    what: 'CRD-M6: maps',
    zod: zod({ x: z.record(z.string(), z.int()) }),
    valibot: valibot({ x: v.record(v.string(), v.pipe(v.number(), v.integer())) }),
    arktype: arktype({ x: 'Record<string, number.integer>' }),
    expected: object({ type: 'object', additionalProperties: int64 }),
  },
  {
    what: 'CRD-M6: keys of maps',
    zod: zod({ x: z.partialRecord(z.enum(['a', 'b']), z.int()) }),
    valibot: valibot({ x: v.record(v.picklist(['a', 'b']), v.pipe(v.number(), v.integer())) }),
    expected: object({
      type: 'object',
      maxProperties: 2,
      additionalProperties: int64,
      'x-kubernetes-validations': [
        { rule: 'self.all(k, k in ["a","b"])', message: 'keys must satisfy: k in ["a","b"]' },
      ],
    }),
  },
  {
    what: 'CRD-M18: a list map',
    zod: zod({ x: z.array(z.object({ n: z.string() })).meta(listMap('n')) }),
    valibot: valibot({ x: v.pipe(v.array(v.object({ n: v.string() })), v.metadata(listMap('n'))) }),
    arktype: arktype({
      x: type({ n: 'string' })
        .array()
        .configure(any(listMap('n')), 'self'),
    }),
    expected: object({ ...list, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['n'] }),
  },
  {
    what: 'CRD-M21, CRD-F15: two rules',
    zod: zod({ x: z.string().max(9).meta(rule('self != "a"')).meta(rule('self != "b"')) }),
    valibot: valibot({
      x: v.pipe(v.string(), v.maxLength(9), v.metadata(rule('self != "a"')), v.metadata(rule('self != "b"'))),
    }),
    arktype: arktype({
      x: type('string<=9').configure(any({ ...rule('self != "a"'), ...rule('self != "b"') }), 'self'),
    }),
    expected: object({
      ...str,
      maxLength: 9,
      'x-kubernetes-validations': [{ rule: 'self != "a"' }, { rule: 'self != "b"' }],
    }),
  },
  {
    what: 'CRD-M23: immutable',
    zod: zod({ x: z.string().meta(immutable()) }),
    valibot: valibot({ x: v.pipe(v.string(), v.metadata(immutable())) }),
    arktype: arktype({ x: type('string').configure(any(immutable()), 'self') }),
    expected: object({
      ...str,
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'cannot be changed once it is set' }],
    }),
  },
  {
    what: 'CRD-M24: a tagged union',
    zod: zod({
      x: z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b'), b: z.string() })]),
    }),
    valibot: valibot({
      x: v.variant('t', [v.object({ t: v.literal('a') }), v.object({ t: v.literal('b'), b: v.string() })]),
    }),
    expected: object({
      type: 'object',
      oneOf: [
        { required: ['t'], properties: { t: { enum: ['a'] } } },
        { required: ['b', 't'], properties: { t: { enum: ['b'] } } },
      ],
      properties: { t: str, b: str },
    }),
  },
  {
    what: 'CRD-E3: a Date',
    zod: zod({ x: z.date() }),
    valibot: valibot({ x: v.date() }),
    arktype: arktype({ x: 'Date' }),
    expected: ['CRD_SCHEMA_UNREPRESENTABLE spec.x'],
  },
  {
    what: 'CRD-E3: a bigint deep inside',
    zod: zod({ x: z.array(z.object({ n: z.bigint() })) }),
    valibot: valibot({ x: v.array(v.object({ n: v.bigint() })) }),
    arktype: arktype({ x: type({ n: 'bigint' }).array() }),
    expected: ['CRD_SCHEMA_UNREPRESENTABLE spec.x[*].n'],
  },
  {
    what: 'CRD-E3: a Map',
    zod: zod({ x: z.map(z.string(), z.string()) }),
    valibot: valibot({ x: v.map(v.string(), v.string()) }),
    arktype: arktype({ x: 'Map' }),
    expected: ['CRD_SCHEMA_UNREPRESENTABLE spec.x'],
  },
  {
    what: 'CRD-E4: a cycle',
    zod: zod({
      get x() {
        return tree;
      },
    }),
    arktype: arktype({ x: type.module({ node: { 'c?': 'node[]' } }).node }),
    expected: [expect.stringMatching(/^CRD_SCHEMA_RECURSIVE spec\.x\.c/)],
  },
  {
    what: 'CRD-E5: a transform',
    zod: zod({ x: z.string().transform(Number) }),
    valibot: valibot({ x: v.pipe(v.string(), v.transform(Number)) }),
    arktype: arktype({ x: type('string').pipe((text: string) => text.length) }),
    expected: ['CRD_SCHEMA_TRANSFORM spec.x'],
  },
  {
    what: 'CRD-E6: a union of other types',
    zod: zod({ x: z.union([z.string(), z.boolean()]) }),
    valibot: valibot({ x: v.union([v.string(), v.boolean()]) }),
    arktype: arktype({ x: 'string|boolean' }),
    expected: ['CRD_SCHEMA_NOT_STRUCTURAL spec.x'],
  },
  {
    what: 'CRD-E6: a tuple',
    zod: zod({ x: z.tuple([z.string(), z.int()]) }),
    valibot: valibot({ x: v.tuple([v.string(), v.number()]) }),
    arktype: arktype({ x: type(['string', 'number']) }),
    expected: ['CRD_SCHEMA_NOT_STRUCTURAL spec.x'],
  },
  {
    what: 'CRD-E7: a look-ahead',
    zod: zod({ x: z.string().regex(/a(?=b)/) }),
    valibot: valibot({ x: v.pipe(v.string(), v.regex(/a(?=b)/)) }),
    arktype: arktype({ x: '/a(?=b)/' }),
    expected: ['CRD_PATTERN_NOT_RE2 spec.x'],
  },
  {
    what: 'CRD-E8: a default that breaks its schema',
    zod: zod({ x: z.int().min(3).default(1) }),
    valibot: valibot({ x: v.optional(v.pipe(v.number(), v.integer(), v.minValue(3)), 1) }),
    expected: ['CRD_DEFAULT_INVALID spec.x'],
  },
];

const tree: z.ZodType = z.object({
  get c() {
    return z.array(tree).optional();
  },
});

describe.each(['zod', 'valibot', 'arktype'] as const)('one table for %s', (library) => {
  const own = rows.filter((row) => row[library] !== undefined);
  test.each(own.map((row) => [row.what, row] as const))('%s', (_, row) => {
    expect(outcome(row[library] ?? zod({}))).toEqual(row.expected);
  });
});

describe('what a library checks and never tells', () => {
  const warningsOf = (spec: Schema): string[] =>
    define(spec).warnings.map(({ code, path, message }) => `${code} ${path}: ${message}`);
  const disagrees = (what: string): string[] => [`CRD_SCHEMA_DISAGREES spec.x: ${what} never reaches the server`];

  test.each([
    ['a check of zod', zod({ x: z.string().refine(() => true) }), '.refine()'],
    ['a change of zod', zod({ x: z.string().trim() }), 'a change such as .trim()'],
    ['a coercion of zod', zod({ x: z.coerce.string() }), 'z.coerce'],
    ['what zod catches', zod({ x: z.string().catch('a') }), '.catch()'],
    ['a flag of a pattern in zod', zod({ x: z.string().regex(/^a/i) }), 'the flag i of a pattern'],
    [
      'a check of valibot',
      valibot({
        x: v.pipe(
          v.string(),
          v.check(() => true),
        ),
      }),
      'v.check()',
    ],
    ['a flag of a pattern in valibot', valibot({ x: v.pipe(v.string(), v.regex(/^a/i)) }), 'the flag i of a pattern'],
    ['a predicate of arktype', arktype({ x: type('string').narrow(() => true) }), '.narrow()'],
  ])('CRD-F18: %s warns', (_, spec, what) => expect(warningsOf(spec)).toEqual(disagrees(what)));

  test('words for TypeScript alone do not', () => {
    expect(warningsOf(valibot({ x: v.pipe(v.string(), v.brand('X'), v.readonly()) }))).toEqual([]);
    expect(warningsOf(zod({ x: z.string().brand('X').readonly() }))).toEqual([]);
    expect(warningsOf(arktype({ x: 'string.url' }))).toEqual([]);
  });

  test('CRD-E5: a change that valibot tells of is refused', () => {
    expect(outcome(valibot({ x: v.pipe(v.string(), v.trim()) }))).toEqual(['CRD_SCHEMA_TRANSFORM spec.x']);
  });

  test('CRD-E5: a record of names is a transform only if it fills them in', () => {
    const names = z.enum(['a', 'b']);
    expect(outcome(zod({ x: z.record(names, z.string().optional()) }))).toMatchObject({
      properties: { x: { maxProperties: 2 } },
    });
    expect(outcome(zod({ x: z.record(names, z.string().default('c')) }))).toEqual([
      'CRD_SCHEMA_TRANSFORM spec.x.a',
      'CRD_SCHEMA_TRANSFORM spec.x.b',
    ]);
  });

  test('CRD-E5: a default of arktype that is not in its JSON Schema is refused', () => {
    expect(outcome(arktype({ x: 'string = "a"' }))).toEqual(['CRD_SCHEMA_TRANSFORM spec.x']);
  });
});
