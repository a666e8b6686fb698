import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JSONSchemaProps } from '../k8s/apiextensions/v1.ts';
import { customResource, ResourceError } from './index.ts';

const define = (x: z.ZodType) =>
  customResource({ group: 'example.com', version: 'v1', kind: 'Thing', spec: z.object({ x }) });

/** What becomes of a schema: its structural form, or the code it is refused with and a word of the cure. */
function outcome(x: z.ZodType): JSONSchemaProps | string | undefined {
  try {
    const { versions } = define(x).manifest().spec;
    return versions[0]?.schema?.openAPIV3Schema?.properties?.['spec']?.properties?.['x'];
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    expect(error.problems.map(({ path }) => path)).toEqual(['spec.x']);
    return error.problems.map(({ code, cure }) => `${code}: ${cure}`).join();
  }
}

const str = { type: 'string' };
const int64 = { type: 'integer', format: 'int64' };
const anything = { nullable: true, 'x-kubernetes-preserve-unknown-fields': true };
const unrepresentable = (cure: string): string => `CRD_SCHEMA_UNREPRESENTABLE: ${cure}`;
const notStructural = (cure: string): string => `CRD_SCHEMA_NOT_STRUCTURAL: ${cure}`;
const noPattern = 'CRD_PATTERN_NOT_RE2: write it without look-around: as several patterns, or as a rule';
const transform = 'CRD_SCHEMA_TRANSFORM: remove the transform or pipe, and convert in the reconciler';
const noForm = 'leave the field out: it has no JSON form';
const bigints = 'use z.int(), or a string for numbers beyond 2^53';
const formatted = (format: string): unknown => expect.objectContaining({ type: 'string', format });
const patterned = expect.objectContaining({ type: 'string', pattern: expect.any(String) }) as unknown;

const plainObject = z.object({ a: z.string() });
const structural = { type: 'object', required: ['a'], properties: { a: str } };
const codec = z.codec(z.string(), z.int(), { decode: Number, encode: String });

/** Every function of zod that makes a schema, with what becomes of it. */
const rows: readonly (readonly [string, z.ZodType, unknown])[] = [
  ['string', z.string(), str],
  ['email', z.email(), formatted('email')],
  ['guid', z.guid(), formatted('uuid')],
  ['uuid', z.uuid(), formatted('uuid')],
  ['uuidv4', z.uuidv4(), formatted('uuid')],
  ['uuidv6', z.uuidv6(), formatted('uuid')],
  ['uuidv7', z.uuidv7(), formatted('uuid')],
  ['url', z.url(), { ...str, format: 'uri' }],
  ['url with a protocol', z.url({ protocol: /^https$/ }), { ...str, format: 'uri', pattern: '^(?:https):' }],
  ['url with a hostname', z.url({ hostname: /\.example\.com$/ }), patterned],
  ['httpUrl with a protocol of its own', z.string().check(z.url({ protocol: /^ftps?$/ })), patterned],
  [
    'httpUrl',
    z.httpUrl(),
    {
      ...str,
      format: 'uri',
      allOf: [{ pattern: '^(?:https?):' }, { pattern: expect.stringMatching(/^\^\[\^:\/\?#\]\+:\/\//) as unknown }],
    },
  ],
  ['emoji', z.emoji(), noPattern],
  ['nanoid', z.nanoid(), { ...str, pattern: '^[a-zA-Z0-9_-]{21}$' }],
  ['cuid', z.cuid(), patterned],
  ['cuid2', z.cuid2(), patterned],
  ['ulid', z.ulid(), patterned],
  ['xid', z.xid(), patterned],
  ['ksuid', z.ksuid(), patterned],
  ['ipv4', z.ipv4(), formatted('ipv4')],
  ['mac', z.mac(), formatted('mac')],
  ['ipv6', z.ipv6(), { ...str, format: 'ipv6' }],
  ['cidrv4', z.cidrv4(), formatted('cidr')],
  ['cidrv6', z.cidrv6(), formatted('cidr')],
  ['base64', z.base64(), formatted('byte')],
  ['base64url', z.base64url(), patterned],
  ['e164', z.e164(), patterned],
  ['creditCard', z.creditCard(), patterned],
  ['iban', z.iban(), noPattern],
  ['jwt', z.jwt(), str],
  ['stringFormat', z.stringFormat('mine', /^a/), { ...str, pattern: '^a' }],
  ['hostname', z.hostname(), { ...str, format: 'hostname' }],
  ['hex', z.hex(), patterned],
  ['currencyCode', z.currencyCode(), patterned],
  ['hash', z.hash('sha256'), { ...str, pattern: '^[0-9a-fA-F]{64}$' }],
  ['iso.datetime', z.iso.datetime(), { ...str, format: 'date-time' }],
  ['iso.date', z.iso.date(), { ...str, format: 'date' }],
  ['iso.time', z.iso.time(), patterned],
  ['iso.duration', z.iso.duration(), 'CRD_PATTERN_NOT_RE2: use z.string().meta(duration()): a Go duration'],
  ['templateLiteral', z.templateLiteral(['a-', z.int()]), { ...str, pattern: '^a--?\\d+$' }],
  ['number', z.number(), { type: 'number' }],
  ['int', z.int(), int64],
  ['float32', z.float32(), { type: 'number' }],
  ['float64', z.float64(), { type: 'number' }],
  ['int32', z.int32(), { type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
  ['uint32', z.uint32(), { ...int64, minimum: 0, maximum: 2 ** 32 - 1 }],
  ['boolean', z.boolean(), { type: 'boolean' }],
  ['bigint', z.bigint(), unrepresentable(bigints)],
  ['int64', z.int64(), unrepresentable(bigints)],
  ['uint64', z.uint64(), unrepresentable(bigints)],
  ['symbol', z.symbol(), unrepresentable(noForm)],
  ['undefined', z.undefined(), unrepresentable('use .optional()')],
  ['void', z.void(), unrepresentable('use .optional()')],
  ['null', z.null(), notStructural('use .optional(), or .nullable() of another type')],
  ['any', z.any(), anything],
  ['unknown', z.unknown(), anything],
  ['json', z.json(), anything],
  ['never', z.never(), notStructural('leave the field out, or write the exclusion as a rule')],
  ['nan', z.nan(), unrepresentable(noForm)],
  ['date', z.date(), unrepresentable('use z.iso.datetime(): a time is a string in JSON')],
  ['literal', z.literal(['a', 'b']), { ...str, enum: ['a', 'b'] }],
  ['enum', z.enum(['a', 'b']), { ...str, enum: ['a', 'b'] }],
  ['nativeEnum', z.nativeEnum({ A: 'a', B: 'b' }), { ...str, enum: ['a', 'b'] }],
  ['keyof', z.keyof(plainObject), { ...str, enum: ['a'] }],
  ['object', plainObject, structural],
  ['strictObject', z.strictObject({ a: z.string() }), structural],
  ['looseObject', z.looseObject({ a: z.string() }), { ...structural, 'x-kubernetes-preserve-unknown-fields': true }],
  [
    'deepPartial',
    z.deepPartial(z.object({ a: plainObject })),
    { type: 'object', properties: { a: { type: 'object', properties: { a: str } } } },
  ],
  ['array', z.array(z.string()), { type: 'array', items: str }],
  ['tuple', z.tuple([z.string()]), notStructural('use z.array(…) of one type, or an object with named fields')],
  ['record', z.record(z.string(), z.int()), { type: 'object', additionalProperties: int64 }],
  [
    'partialRecord',
    z.partialRecord(z.enum(['a', 'b']), z.int()),
    {
      type: 'object',
      maxProperties: 2,
      additionalProperties: int64,
      'x-kubernetes-validations': [
        { rule: 'self.all(k, k in ["a","b"])', message: 'keys must satisfy: k in ["a","b"]' },
      ],
    },
  ],
  [
    'looseRecord',
    z.looseRecord(z.string().regex(/^a/), z.int()),
    notStructural('use z.record(…) with a schema for the keys'),
  ],
  ['map', z.map(z.string(), z.int()), unrepresentable('use z.record(z.string(), …)')],
  ['set', z.set(z.string()), unrepresentable('use z.array(…).meta(listSet())')],
  ['union', z.union([z.int(), z.string()]), { anyOf: [{ type: 'integer' }, str], 'x-kubernetes-int-or-string': true }],
  [
    'xor',
    z.xor([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }], properties: { a: str, b: str } },
  ],
  [
    'discriminatedUnion',
    z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b'), b: z.string() })]),
    {
      type: 'object',
      oneOf: [
        { required: ['t'], properties: { t: { enum: ['a'] } } },
        { required: ['b', 't'], properties: { t: { enum: ['b'] } } },
      ],
      properties: { t: str, b: str },
    },
  ],
  [
    'intersection',
    z.intersection(plainObject, z.object({ b: z.string() })),
    { type: 'object', required: ['a', 'b'], properties: { a: str, b: str } },
  ],
  ['optional', z.optional(z.string()), str],
  ['exactOptional', z.exactOptional(z.string()), str],
  ['nullable', z.nullable(z.string()), { ...str, nullable: true }],
  ['nullish', z.nullish(z.string()), { ...str, nullable: true }],
  ['nonoptional', z.nonoptional(z.string().optional()), str],
  ['prefault', z.prefault(z.string(), 'a'), { ...str, default: 'a' }],
  ['catch', z.string().catch('a'), { ...str, default: 'a' }],
  ['readonly', z.readonly(z.array(z.string())), { type: 'array', items: str }],
  ['lazy', z.lazy(() => z.string()), str],
  ['pipe', z.pipe(z.string(), z.string().min(2)), transform],
  ['transform', z.transform(String), expect.stringMatching(/^CRD_SCHEMA_(TRANSFORM|UNREPRESENTABLE)/)],
  ['preprocess', z.preprocess((value) => value, z.string()), transform],
  ['preprocess', z.preprocess(String, z.string().optional()).optional(), transform],
  ['codec', codec, transform],
  ['invertCodec', z.invertCodec(codec), transform],
  ['stringbool', z.stringbool(), transform],
  ['success', z.success(z.string()), { type: 'boolean' }],
  ['promise', z.promise(z.string()), `CRD_SCHEMA_ASYNC: ${noForm}`],
  ['function', z.function() as unknown as z.ZodType, unrepresentable(noForm)],
  ['custom', z.custom(() => true), unrepresentable('use a plain JSON type with a rule, or z.any()')],
  ['instanceof', z.instanceof(Date), unrepresentable('use a plain JSON type with a rule, or z.any()')],
  ['file', z.file(), unrepresentable('use z.base64()')],
];

describe('CRD-E3, CRD-E5, CRD-E6, CRD-E7: every construct of zod has a structural form, or an error with its cure', () => {
  test.each(rows)('z.%s', (_, x, expected) => expect(outcome(x)).toEqual(expected));

  test('none is forgotten', () => {
    const functions = Object.entries(z).filter(([name, made]) => /^[a-z]/.test(name) && typeof made === 'function');
    const factories = functions.map(([name]) => name).filter((name) => !notSchemas.has(name));
    const walked = new Set(rows.map(([name]) => name));
    expect(factories.filter((name) => !walked.has(name))).toEqual([]);
  });
});

/** Checks, parsers and settings: they make no schema. */
const notSchemas = new Set(
  (
    'registry config memoizer clone treeifyError prettifyError formatError flattenError toZod compile withParser ' +
    'getDiscriminatedOption toJSONSchema fromJSONSchema input output describe meta check refine superRefine lt lte gt gte ' +
    'positive negative nonpositive nonnegative multipleOf maxSize minSize size maxLength minLength length regex lowercase ' +
    'uppercase includes startsWith endsWith property properties mime overwrite normalize trim toLowerCase toUpperCase slugify ' +
    'parse parseAsync safeParse safeParseAsync validate validateAsync encode decode encodeAsync decodeAsync safeEncode ' +
    'safeDecode safeEncodeAsync safeDecodeAsync setErrorMap getErrorMap'
  ).split(' '),
);

describe('combinations', () => {
  const cases: [string, z.ZodType, unknown][] = [
    ['CRD-E6: a union with undefined is optional', z.union([z.string(), z.undefined()]), str],
    [
      'CRD-F4: a word beside integers is a pattern, which lets them pass',
      z.union([z.int().min(0), z.enum(['auto', 'a.b'])]),
      {
        minimum: 0,
        pattern: '^(?:auto|a\\.b)$',
        anyOf: [{ type: 'integer' }, str],
        'x-kubernetes-int-or-string': true,
      },
    ],
    [
      'CRD-F7: two unions at once',
      z
        .union([z.object({ a: z.string() }), z.object({ b: z.string() })])
        .and(z.union([z.object({ c: z.string() }), z.object({ d: z.string() })])),
      {
        type: 'object',
        allOf: [
          { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
          { anyOf: [{ required: ['c'] }, { required: ['d'] }] },
        ],
        properties: { a: str, b: str, c: str, d: str },
      },
    ],
    [
      'CRD-M6: enumerated keys of values without a type',
      z.partialRecord(z.enum(['a', 'b']), z.any()),
      { type: 'object', maxProperties: 2, additionalProperties: anything },
    ],
    [
      'CRD-M6: patterned keys of lists without a type',
      z.record(z.string().regex(/^a/), z.array(z.any())),
      { type: 'object', additionalProperties: { type: 'array', items: anything } },
    ],
    [
      'CRD-M6: keys of several kinds',
      z.record(z.union([z.literal('a'), z.string().regex(/^x/)]), z.int()),
      {
        type: 'object',
        additionalProperties: int64,
        'x-kubernetes-validations': [
          {
            rule: 'self.all(k, (k in ["a"] || k.matches("^x")))',
            message: 'keys must satisfy: (k in ["a"] || k.matches("^x"))',
          },
        ],
      },
    ],
    [
      'CRD-M1: a bound of an integer is whole, or the server would refuse them all',
      z.int().min(1.5).lt(7.5),
      { ...int64, minimum: 2, maximum: 7 },
    ],
    ['a bound beyond all numbers is none', z.number().min(Number.NEGATIVE_INFINITY), { type: 'number' }],
    ['CRD-M2: a length is a whole number', z.string().min(1.5), notStructural('give a whole number of at least 0')],
    ['CRD-E6: an empty enum', z.enum([]), expect.stringMatching(/^CRD_SCHEMA_NOT_STRUCTURAL: leave the field out/)],
    [
      'CRD-E6: a number or a string',
      z.union([z.number(), z.string()]),
      notStructural('use z.int(): only an integer and a string can be combined'),
    ],
  ];
  test.each(cases)('%s', (_, x, expected) => expect(outcome(x)).toEqual(expected));

  test('CRD-M18: a list of tagged objects is known by a key that every branch requires', () => {
    const x = z
      .array(
        z.discriminatedUnion('t', [
          z.object({ t: z.literal('a'), n: z.string() }),
          z.object({ t: z.literal('b'), n: z.string() }),
        ]),
      )
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['n'] });
    expect(outcome(x)).toMatchObject({ items: { type: 'object', required: ['n'] } });
  });
});

describe('bounds the server reads in its own way', () => {
  const warningsOf = (x: z.ZodType): string[] =>
    define(x)
      .warnings.filter(({ code }) => code === 'CRD_SCHEMA_DISAGREES')
      .map(({ cure }) => cure);

  // Seen at a kube-apiserver 1.36: a whole number is compared with the bound cut off towards zero.
  test.each([
    ['0 passes a minimum of 0.5', z.number().min(0.5), ['write the bound as a rule too: self >= 0.5']],
    ['0 fails what must be above -0.5', z.number().gt(-0.5), ['write the bound as a rule too: self > -0.5']],
    ['0 passes a maximum of -0.5', z.number().max(-0.5), ['write the bound as a rule too: self <= -0.5']],
    ['1 fails what must be below 1.5', z.number().lt(1.5), ['write the bound as a rule too: self < 1.5']],
    ['above 0.5 is right', z.number().gt(0.5), []],
    ['at least -0.5 is right', z.number().min(-0.5), []],
    ['whole bounds are right', z.number().min(1).lt(3), []],
    [
      '1 fails a multiple of 0.1, so it is not asked for',
      z.number().multipleOf(0.1),
      ['write the check as a pattern or a rule'],
    ],
  ])('%s', (_, x, cures) => expect(warningsOf(x)).toEqual(cures));

  test('a fraction to be a multiple of is left out', () => {
    expect(outcome(z.number().multipleOf(0.5))).toEqual({ type: 'number' });
    expect(outcome(z.number().multipleOf(2))).toEqual({ ...{ type: 'number' }, multipleOf: 2 });
  });
});
