import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JSONSchemaProps } from '../k8s/apiextensions/v1.ts';
import {
  atomic,
  customResource,
  duration,
  embedded,
  entries,
  listAtomic,
  listMap,
  listSet,
  quantity,
  ResourceError,
  type StandardJsonSchema,
} from './index.ts';

const define = (x: z.ZodType, kind = 'Thing') =>
  customResource({ group: 'example.com', version: 'v1', kind, spec: z.object({ x }) });

function specOf(x: z.ZodType): JSONSchemaProps {
  return define(x).manifest().spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'] ?? {};
}
const schemaOf = (x: z.ZodType): JSONSchemaProps | undefined => specOf(x).properties?.['x'];
const isRequired = (x: z.ZodType): boolean => specOf(x).required?.includes('x') === true;
const warningsOf = (x: z.ZodType): string[] => define(x).warnings.map(({ code, path }) => `${code} ${path}`);

function problemsOf(x: z.ZodType): string[] {
  try {
    define(x);
  } catch (error) {
    if (error instanceof ResourceError) return error.problems.map(({ code, path }) => `${code} ${path}`);
    throw error;
  }
  return [];
}

const [int64, str] = [{ type: 'integer', format: 'int64' }, { type: 'string' }];

const anything = { nullable: true, 'x-kubernetes-preserve-unknown-fields': true };

describe('what zod writes becomes what the server takes', () => {
  const rows: [string, z.ZodType, unknown][] = [
    ['CRD-M1: bounds', z.int().min(1).max(9).multipleOf(2), { ...int64, minimum: 1, maximum: 9, multipleOf: 2 }],
    [
      'CRD-M1, CRD-F11: exclusive bounds are flags',
      z.int().gt(0).lt(10),
      { ...int64, minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true },
    ],
    [
      'CRD-M2: lengths and a pattern',
      z.string().min(1).max(3).regex(/^a/),
      { ...str, minLength: 1, maxLength: 3, pattern: '^a' },
    ],
    ['CRD-M3: items', z.array(z.string()).min(1).max(3), { type: 'array', minItems: 1, maxItems: 3, items: str }],
    [
      'CRD-M3: entries of a record',
      z.record(z.string(), z.string()).meta(entries({ min: 1, max: 3 })),
      { type: 'object', minProperties: 1, maxProperties: 3, additionalProperties: str },
    ],
    ['CRD-M4: enum', z.enum(['a', 'b']), { ...str, enum: ['a', 'b'] }],
    ['CRD-M4, CRD-F9: a literal is an enum of one', z.literal('a'), { ...str, enum: ['a'] }],
    ['CRD-M4, CRD-F10: the type comes from the values', z.literal([1, 2]), { ...int64, enum: [1, 2] }],
    ['CRD-M5: a format of its own', z.string().meta({ format: 'hostname' }), { ...str, format: 'hostname' }],
    ['CRD-M8: nullable', z.string().nullable(), { ...str, nullable: true }],
    ['CRD-M8, CRD-F11: nullable beside bounds', z.int().min(1).nullable(), { ...int64, minimum: 1, nullable: true }],
    ['CRD-M8: default', z.string().default('a'), { ...str, default: 'a' }],
    [
      'CRD-M8: prefault makes the parent of a default',
      z.object({ a: z.int().default(3) }).prefault({}),
      { type: 'object', default: {}, properties: { a: { ...int64, default: 3 } } },
    ],
    [
      'CRD-M9: words',
      z
        .string()
        .describe('d')
        .meta({ title: 't', example: 'e', externalDocs: { url: 'https://example.com' } }),
      { description: 'd', title: 't', ...str, example: 'e', externalDocs: { url: 'https://example.com' } },
    ],
    [
      'CRD-M10, CRD-F4: an integer or a string',
      z.union([z.string(), z.int()]),
      { anyOf: [{ type: 'integer' }, str], 'x-kubernetes-int-or-string': true },
    ],
    [
      'CRD-F4: bounds of either stand beside the bare pair',
      z.union([z.int().min(1), z.string().regex(/%$/)]),
      { minimum: 1, pattern: '%$', anyOf: [{ type: 'integer' }, str], 'x-kubernetes-int-or-string': true },
    ],
    [
      'CRD-M11: a quantity',
      z.union([z.int(), z.string()]).meta(quantity()),
      {
        pattern: '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$',
        anyOf: [{ type: 'integer' }, str],
        'x-kubernetes-int-or-string': true,
      },
    ],
    [
      'CRD-M12: a Go duration',
      z.string().meta(duration()),
      { ...str, pattern: '^[+-]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$' },
    ],
    [
      'CRD-M13, CRD-F5: a time keeps its format and drops its pattern',
      z.iso.datetime(),
      { ...str, format: 'date-time' },
    ],
    ['CRD-F5: a date', z.iso.date(), { ...str, format: 'date' }],
    ['CRD-F5: a host name, whose pattern looks ahead', z.hostname(), { ...str, format: 'hostname' }],
    [
      'CRD-M14: an embedded object',
      z.any().meta(embedded()),
      { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'CRD-M14: an embedded object of which something is known',
      z.looseObject({ spec: z.object({}) }).meta(embedded()),
      {
        type: 'object',
        required: ['spec'],
        properties: { spec: { type: 'object' } },
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    ],
    [
      'CRD-M15: embedded metadata is what the schema says',
      z.object({ labels: z.record(z.string(), z.string()) }),
      { type: 'object', required: ['labels'], properties: { labels: { type: 'object', additionalProperties: str } } },
    ],
    [
      'CRD-M16, CRD-F12: a loose object keeps what it does not know',
      z.looseObject({ a: z.string() }),
      { type: 'object', required: ['a'], properties: { a: str }, 'x-kubernetes-preserve-unknown-fields': true },
    ],
    ['CRD-M17, CRD-F12: anything', z.any().describe('d'), { description: 'd', ...anything }],
    ['CRD-M17: any JSON is not a recursion', z.json(), anything],
    [
      'CRD-F12: a record of anything keeps it on the value',
      z.record(z.string(), z.any()),
      { type: 'object', additionalProperties: anything },
    ],
    [
      'CRD-M18: a list map',
      z.array(z.object({ a: z.string(), b: z.int().default(1) })).meta(listMap('a', 'b')),
      {
        type: 'array',
        items: { type: 'object', required: ['a'], properties: { a: str, b: { ...int64, default: 1 } } },
        'x-kubernetes-list-map-keys': ['a', 'b'],
        'x-kubernetes-list-type': 'map',
      },
    ],
    [
      'CRD-M18, CRD-M19: a list set',
      z.array(z.string()).meta(listSet()),
      { type: 'array', items: str, 'x-kubernetes-list-type': 'set' },
    ],
    [
      'CRD-M18: an atomic list',
      z.array(z.string()).meta(listAtomic()),
      { type: 'array', items: str, 'x-kubernetes-list-type': 'atomic' },
    ],
    [
      'CRD-M20: an atomic record',
      z.record(z.string(), z.string()).meta(atomic()),
      { type: 'object', additionalProperties: str, 'x-kubernetes-map-type': 'atomic' },
    ],
    ['CRD-M25: a float', z.number().gt(0.5), { type: 'number', minimum: 0.5, exclusiveMinimum: true }],
    ['a float32 has no bounds of its own: the server would wrap them around', z.float32(), { type: 'number' }],
    [
      'CRD-F1: a closed object is pruned, not refused',
      z.strictObject({ a: z.string() }),
      { type: 'object', required: ['a'], properties: { a: str } },
    ],
    ['CRD-F2: JavaScript bounds of integers go', z.int(), int64],
    [
      'CRD-F2: an int32 keeps its bounds',
      z.int32(),
      { type: 'integer', format: 'int32', minimum: -2147483648, maximum: 2147483647 },
    ],
    ['CRD-F2: a bound of the author stays', z.int().max(7), { ...int64, maximum: 7 }],
    [
      'CRD-F7: patterns side by side lose their types',
      z.string().regex(/^a/).regex(/b$/).regex(/c/),
      { ...str, allOf: [{ pattern: '^a' }, { pattern: 'b$' }, { pattern: 'c' }] },
    ],
    [
      'CRD-F7: two objects become one',
      z.object({ a: z.string() }).and(z.object({ a: z.string().min(3), b: z.string() })),
      { type: 'object', required: ['a', 'b'], properties: { a: { ...str, minLength: 3 }, b: str } },
    ],
    [
      'CRD-F8: a format of the server by its name there',
      z.cidrv6().meta({ pattern: '/' }),
      { ...str, format: 'cidr', pattern: '/' },
    ],
    ['CRD-F8: a format it does not know leaves its pattern', z.nanoid(), { ...str, pattern: '^[a-zA-Z0-9_-]{21}$' }],
    [
      'CRD-F9: words without a CRD field are left out',
      z
        .string()
        .readonly()
        .meta({ deprecated: true, examples: ['x'] }),
      str,
    ],
    ['a union of literals is an enum', z.union([z.literal('a'), z.literal('b')]), { ...str, enum: ['a', 'b'] }],
    [
      'a union of one type keeps the bounds apart',
      z.union([z.string().min(3), z.literal('')]),
      { ...str, anyOf: [{ minLength: 3 }, { enum: [''] }] },
    ],
    [
      'a nullable union of two is nullable',
      z.union([z.int(), z.string()]).nullable(),
      { anyOf: [{ type: 'integer' }, str], nullable: true, 'x-kubernetes-int-or-string': true },
    ],
  ];
  test.each(rows)('%s', (_, x, expected) => expect(schemaOf(x)).toEqual(expected));
});

describe('CRD-F3, CRD-F14, CRD-M24: unions of objects', () => {
  test('types, words and defaults are lifted out; branches keep required, enum and bounds', () => {
    const x = z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('a'), a: z.string().min(1).describe('A') }),
        z.object({
          type: z.literal('b'),
          b: z.object({ port: z.int().min(1).default(80), host: z.string().nullable() }),
        }),
      ])
      .describe('U');
    expect(schemaOf(x)).toEqual({
      description: 'U',
      type: 'object',
      oneOf: [
        { required: ['a', 'type'], properties: { type: { enum: ['a'] }, a: { minLength: 1 } } },
        {
          required: ['b', 'type'],
          properties: { type: { enum: ['b'] }, b: { required: ['host'], properties: { port: { minimum: 1 } } } },
        },
      ],
      properties: {
        type: str,
        a: { description: 'A', ...str },
        b: { type: 'object', properties: { port: { ...int64, default: 80 }, host: { ...str, nullable: true } } },
      },
    });
  });

  test('a plain union is an anyOf; a branch without conditions makes it no condition at all', () => {
    expect(schemaOf(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]))).toEqual({
      type: 'object',
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      properties: { a: str, b: str },
    });
    expect(schemaOf(z.union([z.object({ a: z.string().optional() }), z.object({ b: z.string() })]))).toEqual({
      type: 'object',
      properties: { a: str, b: str },
    });
  });

  test('extensions are lifted, and keys of a list map stay required outside, where the server looks for them', () => {
    const list = z.array(z.object({ name: z.string(), n: z.int().min(3) })).meta(listMap('name'));
    const x = z.discriminatedUnion('t', [z.object({ t: z.literal('a'), list }), z.object({ t: z.literal('b') })]);
    const items = { type: 'object', required: ['name'], properties: { name: str, n: int64 } };
    expect(schemaOf(x)?.properties?.['list']).toEqual({
      type: 'array',
      items,
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-list-type': 'map',
    });
    expect(schemaOf(x)?.oneOf?.[0]?.properties?.['list']).toEqual({
      items: { required: ['n', 'name'], properties: { n: { minimum: 3 } } },
    });
  });

  test('an integer or a string in a branch keeps its pair outside', () => {
    const x = z.union([z.object({ i: z.union([z.int(), z.string()]) }), z.object({ b: z.string() })]);
    expect(schemaOf(x)?.properties?.['i']).toEqual({
      anyOf: [{ type: 'integer' }, str],
      'x-kubernetes-int-or-string': true,
    });
    expect(schemaOf(x)?.anyOf?.[0]).toEqual({ required: ['i'] });
  });

  test('unions nest', () => {
    const inner = z.discriminatedUnion('t', [
      z.object({ t: z.literal('1'), one: z.string() }),
      z.object({ t: z.literal('2') }),
    ]);
    const x = z.discriminatedUnion('k', [z.object({ k: z.literal('p'), v: inner }), z.object({ k: z.literal('q') })]);
    expect(schemaOf(x)?.properties?.['v']).toEqual({ type: 'object', properties: { t: str, one: str } });
    expect(schemaOf(x)?.oneOf?.[0]?.properties?.['v']?.oneOf).toEqual([
      { required: ['one', 't'], properties: { t: { enum: ['1'] } } },
      { required: ['t'], properties: { t: { enum: ['2'] } } },
    ]);
  });
});

describe('what is required', () => {
  test.each([
    ['CRD-M7: a plain field', z.string(), true],
    ['CRD-M7: an optional field', z.string().optional(), false],
    ['CRD-M7: a field with a default', z.string().default('a'), false],
    ['CRD-F13: a field that catches: the server defaults before it validates', z.string().catch('a'), false],
    ['a nullable field', z.string().nullable(), true],
  ] as [string, z.ZodType, boolean][])('%s', (_, x, expected) => expect(isRequired(x)).toBe(expected));
});

describe('CRD-F6: references are put where they are referred to', () => {
  test('a schema with an id, used three times, with words of its own', () => {
    const shared = z.object({ a: z.string() }).meta({ id: 'InlinedShared' });
    const inlined = { type: 'object', required: ['a'], properties: { a: str } };
    expect(schemaOf(z.object({ x: shared, y: shared.optional(), z: shared.describe('hi') }))).toEqual({
      type: 'object',
      required: ['x', 'z'],
      properties: { x: inlined, y: inlined, z: { description: 'hi', ...inlined } },
    });
  });

  test('CRD-E4: a cycle is refused where it closes', () => {
    const tree = z.object({
      get children() {
        return z.array(tree);
      },
    });
    expect(problemsOf(tree)).toEqual(['CRD_SCHEMA_RECURSIVE spec.x.children[*]']);
  });
});

describe('what has no structural form is refused with its place', () => {
  const rows: [string, z.ZodType, string[]][] = [
    ['CRD-E3: a Date', z.object({ d: z.date() }), ['CRD_SCHEMA_UNREPRESENTABLE spec.x.d']],
    ['CRD-E3: a bigint in a list', z.array(z.bigint()), ['CRD_SCHEMA_UNREPRESENTABLE spec.x[*]']],
    ['CRD-E3: a Map', z.map(z.string(), z.string()), ['CRD_SCHEMA_UNREPRESENTABLE spec.x']],
    ['CRD-E3: a Set', z.set(z.string()), ['CRD_SCHEMA_UNREPRESENTABLE spec.x']],
    [
      'CRD-E3: a custom check',
      z.record(
        z.string(),
        z.custom(() => true),
      ),
      ['CRD_SCHEMA_UNREPRESENTABLE spec.x[*]'],
    ],
    ['CRD-E3: a file', z.file(), ['CRD_SCHEMA_UNREPRESENTABLE spec.x']],
    ['CRD-E5: a transform', z.string().transform((text) => text.length), ['CRD_SCHEMA_TRANSFORM spec.x']],
    [
      'CRD-E5: a codec',
      z.codec(z.string(), z.int(), { decode: () => 1, encode: () => '' }),
      ['CRD_SCHEMA_TRANSFORM spec.x'],
    ],
    ['CRD-E5: a stringbool', z.object({ b: z.stringbool() }), ['CRD_SCHEMA_TRANSFORM spec.x.b']],
    ['CRD-E6: a union of other types', z.union([z.string(), z.boolean()]), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['CRD-E6: a number or a string', z.union([z.number(), z.string()]), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    [
      'CRD-E6: a property of two types',
      z.union([z.object({ v: z.string() }), z.object({ v: z.int() })]),
      ['CRD_SCHEMA_NOT_STRUCTURAL spec.x.v'],
    ],
    [
      'CRD-E6: two types at once',
      z.object({ a: z.string() }).and(z.object({ a: z.int() })),
      ['CRD_SCHEMA_NOT_STRUCTURAL spec.x.a'],
    ],
    ['CRD-E6, CRD-F11: a tuple', z.tuple([z.string(), z.int()]), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['CRD-E6: never', z.never(), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['CRD-E6: null alone', z.null(), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['CRD-E6: a mixed enum', z.literal(['a', 1]), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['CRD-E6: a catchall', z.object({ a: z.string() }).catchall(z.int()), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['CRD-E6: fields by pattern', z.looseRecord(z.string().regex(/^a/), z.int()), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['CRD-E6, CRD-F10: a nullable enum', z.enum(['a', 'b']).nullable(), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['CRD-E7: a pattern RE2 lacks', z.string().regex(/(a)\1/), ['CRD_PATTERN_NOT_RE2 spec.x']],
    ['CRD-E7: a pattern of keys', z.record(z.string().regex(/(?=a)/), z.int()), ['CRD_PATTERN_NOT_RE2 spec.x']],
    ['CRD-E7: an ISO duration', z.iso.duration(), ['CRD_PATTERN_NOT_RE2 spec.x']],
    ['CRD-E8, CRD-D1: a default out of bounds', z.int().min(3).default(1), ['CRD_DEFAULT_INVALID spec.x']],
    [
      'CRD-E8, CRD-D1: a default with an unknown field',
      z.object({ a: z.int() }).default({ a: 1, b: 2 } as { a: number }),
      ['CRD_DEFAULT_INVALID spec.x'],
    ],
    ['CRD-E8, CRD-D1: null as a default', z.string().nullable().default(null), ['CRD_DEFAULT_INVALID spec.x']],
    ['CRD-E8, CRD-F19: a default from chance', z.number().default(() => Math.random()), ['CRD_DEFAULT_INVALID spec.x']],
    [
      'CRD-E8: a default below embedded metadata',
      z.looseObject({ metadata: z.object({ name: z.string().default('a') }) }).meta(embedded()),
      ['CRD_DEFAULT_INVALID spec.x.metadata'],
    ],
    [
      'a default in one branch of a union, which the server would fill in for all',
      z.union([z.object({ a: z.string().default('q') }), z.object({ b: z.string() })]),
      ['CRD_DEFAULT_INVALID spec.x.a'],
    ],
    [
      'CRD-E9: a key that is not a field',
      z.array(z.object({ a: z.string() })).meta(listMap('b')),
      ['CRD_LIST_KEYS spec.x'],
    ],
    [
      'CRD-E9: a key named twice',
      z.array(z.object({ a: z.string() })).meta(listMap('a', 'a')),
      ['CRD_LIST_KEYS spec.x'],
    ],
    [
      'CRD-E9: a key that is not a scalar',
      z.array(z.object({ a: z.object({}) })).meta(listMap('a')),
      ['CRD_LIST_KEYS spec.x'],
    ],
    [
      'CRD-E9: an optional key',
      z.array(z.object({ a: z.string().optional() })).meta(listMap('a')),
      ['CRD_LIST_KEYS spec.x'],
    ],
    [
      'CRD-E9: a nullable key',
      z.array(z.object({ a: z.string().nullable() })).meta(listMap('a')),
      ['CRD_LIST_KEYS spec.x'],
    ],
    [
      'CRD-E9: nullable items',
      z.array(z.object({ a: z.string() }).nullable()).meta(listMap('a')),
      ['CRD_LIST_KEYS spec.x'],
    ],
    ['CRD-E9: a list map of scalars', z.array(z.string()).meta(listMap('a')), ['CRD_LIST_KEYS spec.x']],
    [
      'CRD-E9: a set of granular objects',
      z.array(z.object({ a: z.string() })).meta(listSet()),
      ['CRD_LIST_KEYS spec.x'],
    ],
    ['atomic() on a list', z.array(z.string()).meta(atomic()), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['listSet() on a string', z.string().meta(listSet()), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['entries() on a list', z.array(z.string()).meta(entries({ max: 3 })), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['embedded() on a string', z.string().meta(embedded()), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['quantity() on a boolean', z.boolean().meta(quantity()), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    ['duration() on an integer', z.int().meta(duration()), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
    [
      'an extension misspelt',
      z.array(z.string()).meta({ 'x-kubernetes-lst-type': 'set' }),
      ['CRD_SCHEMA_NOT_STRUCTURAL spec.x'],
    ],
    ['CRD-M19: uniqueItems', z.array(z.string()).meta({ uniqueItems: true }), ['CRD_SCHEMA_NOT_STRUCTURAL spec.x']],
  ];
  test.each(rows)('%s', (_, x, expected) => expect(problemsOf(x)).toEqual(expected));

  test.each([
    ['a list', z.array(z.string())],
    ['anything', z.any()],
    ['null as well', z.object({}).nullable()],
  ] as [string, z.ZodType][])('CRD-E3: a spec that is %s', (_, spec) => {
    const schema = spec as unknown as StandardJsonSchema<object, object>;
    expect(() => customResource({ group: 'example.com', version: 'v1', kind: 'Thing', spec: schema })).toThrow(
      'CRD_SCHEMA_UNREPRESENTABLE',
    );
  });
});

describe('warnings are data', () => {
  test('CRD-M25: a float warns', () => {
    expect(warningsOf(z.object({ ratio: z.number() }))).toEqual(['CRD_SCHEMA_FLOAT spec.x.ratio']);
    expect(warningsOf(z.int())).toEqual([]);
  });

  test('a check that cannot be expressed for the server warns', () => {
    expect(warningsOf(z.jwt())).toEqual(['CRD_SCHEMA_DISAGREES spec.x']);
    expect(warningsOf(z.number().max(1e30))).toContain('CRD_SCHEMA_DISAGREES spec.x');
  });
});

test('section 8: all problems come in one error, each with place and cure', () => {
  const broken = (): unknown =>
    customResource({
      group: 'example',
      version: 'v1',
      kind: 'Thing',
      spec: z.object({
        when: z.date(),
        size: z.string().transform(Number),
        list: z.array(z.object({ a: z.string() })).meta(listMap('b')),
      }),
      columns: [{ name: 'X', path: '.spec.nope' }],
    });
  expect(broken).toThrow(ResourceError);
  try {
    broken();
  } catch (error) {
    const { problems, message } = error as ResourceError;
    expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'CRD_NAME_INVALID group',
      'CRD_SCHEMA_UNREPRESENTABLE spec.when',
      'CRD_LIST_KEYS spec.list',
      'CRD_SCHEMA_TRANSFORM spec.size',
      'CRD_PATH_INVALID columns[0]',
    ]);
    for (const { path, cure } of problems) {
      expect(message).toContain(`- ${path}: `);
      expect(message).toContain(cure);
    }
  }
});
