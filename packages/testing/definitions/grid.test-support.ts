// Schemas crossed with values: many verdicts that nobody states, on which `validate` and the servers must agree.
import type { Json } from 'kilter/api';
import {
  atLeastOneOf,
  atMostOneOf,
  atomic,
  duration,
  embedded,
  entries,
  exactlyOneOf,
  immutable,
  listMap,
  listSet,
  quantity,
  rule,
} from 'kilter/crd';
import { z } from 'zod';
import { type Case, kindOf, type Row, type TableKind } from './row.test-support.ts';
import { validated } from './validated.test-support.ts';

/** What every schema is tried with; undefined leaves the field out. */
const common: readonly (Json | undefined)[] = [
  undefined,
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  3,
  2_147_483_647,
  2_147_483_648,
  9_007_199_254_740_991,
  1e100,
  '',
  'a',
  'abc',
  'ABC',
  ' a ',
  'äö',
  '😀😀',
  'a\nb',
  '1',
  [],
  [null],
  ['a'],
  ['a', 'a'],
  [1, 'a'],
  {},
  { a: 1 },
  { a: null },
  { a: 'a', b: 'b' },
  { a: { a: 'a' } },
];

type Entry = readonly [title: string, schema: z.ZodType, more?: readonly Json[]];

const times: readonly Json[] = [
  '2024-02-29T00:00:00Z',
  '2023-02-29T00:00:00Z',
  '2024-01-01T00:00:00+02:00',
  '2024-01-01T00:00:00.123456789Z',
  '2024-01-01 00:00:00Z',
  '2024-01-01t00:00:00z',
  '2024-01-01T24:00:00Z',
  '2024-01-01T00:00:60Z',
  '2024-01-01',
  '2024-1-1',
  '0000-01-01T00:00:00Z',
];
const durations: readonly Json[] = [
  '1h',
  '1h30m',
  '1.5h',
  '-1h',
  '+1h',
  '1',
  '0',
  '1d',
  '1 day',
  '1µs',
  '1us',
  '1h 1m',
  '.5s',
  'P1D',
];
const quantities: readonly Json[] = [
  '1',
  '1Gi',
  '500m',
  '1e3',
  '1E',
  '1.5Ki',
  '-1',
  '+1',
  '1k',
  '1K',
  '.5',
  '1.',
  '1e',
  '1 Gi',
  '0x1',
];
const addresses: readonly Json[] = [
  '10.0.0.1',
  '010.0.0.1',
  '10.0.0.256',
  '10.0.0.0/8',
  '10.0.0.1/33',
  '::1',
  '::ffff:10.0.0.1',
  '2001:db8::/32',
  'fe80::1%eth0',
  '1.2.3',
];
const names: readonly Json[] = [
  'a.example',
  'A.example',
  '-a',
  'a-',
  'a_b',
  'a..b',
  `${'a'.repeat(64)}.b`,
  'a.',
  '*.a',
  'x@y.example',
  '<x@y>',
];
const links: readonly Json[] = [
  'https://a.example',
  'http://a',
  'ftp://a',
  '//a',
  '/a',
  'a:b',
  'https://',
  'https://a b',
  'mailto:a@b.example',
];
const ids: readonly Json[] = [
  '123e4567-e89b-12d3-a456-426614174000',
  '123E4567-E89B-42D3-A456-426614174000',
  '00000000-0000-0000-0000-000000000000',
  '123e4567e89b12d3a456426614174000',
];
const encoded: readonly Json[] = ['YQ==', 'YQ', 'Y Q=', 'YWJj', '-_8=', '!!!!'];

const optional = (schema: z.ZodType): z.ZodType => schema.optional();

const scalars: readonly Entry[] = [
  ['any text', z.string()],
  ['text of some length', z.string().min(1).max(3)],
  ['text of two characters', z.string().length(2)],
  ['nullable text', z.string().nullable()],
  ['optional nullable text', z.string().nullable().optional()],
  ['text with a default', z.string().default('d')],
  ['nullable text with a default', z.string().nullable().default('d')],
  ['text with a prefault', z.string().min(1).prefault('d')],
  ['lower case by a pattern', z.string().regex(/^[a-z]*$/)],
  ['a pattern without anchors', z.string().regex(/b/)],
  ['a pattern with a dot', z.string().regex(/^a.b$/)],
  ['a pattern of blanks', z.string().regex(/^\s/)],
  ['a pattern of words', z.string().regex(/^\w+$/)],
  ['a pattern of digits', z.string().regex(/^\d$/)],
  ['a pattern of letters', z.string().regex(/^\p{L}+$/u)],
  ['a pattern of lower case letters', z.string().regex(/^\p{Ll}+$/u)],
  ['two patterns', z.string().regex(/^a/).regex(/c$/)],
  ['starts', z.string().startsWith('a')],
  ['ends', z.string().endsWith('c')],
  ['includes', z.string().includes('b')],
  ['one of some words', z.enum(['a', 'abc', ''])],
  ['one of some words, with a default', z.enum(['a', 'b']).default('b')],
  ['one word', z.literal('a')],
  ['one of some numbers', z.literal([0, 1, 3])],
  ['one of some numbers, one with a fraction', z.literal([1, 2.5]), [1.7, 2.5, 2, 2.7, -1.2]],
  ['truth', z.boolean()],
  ['truth with a default', z.boolean().default(true)],
  ['always true', z.literal(true)],
  ['nullable truth', z.boolean().nullable()],
  ['an integer', z.int()],
  ['an integer of 32 bits', z.int32()],
  ['an unsigned integer of 32 bits', z.uint32()],
  ['an integer above', z.int().gt(0)],
  ['an integer between', z.int().min(-1).max(3)],
  ['an integer with a default', z.int().default(7)],
  ['a nullable integer with a default', z.int().nullable().default(7)],
  ['multiples', z.int().multipleOf(3), [9.3e18, 3e20, 9_007_199_254_740_990]],
  ['a number', z.number()],
  ['a number below', z.number().lt(1.5)],
  ['a number of 32 bits', z.float32()],
  ['multiples of a fraction', z.number().multipleOf(0.5), [0.25, 9e18, 3e20]],
  ['a nullable number', z.number().nullable()],
  ['integer or text', z.union([z.int(), z.string()])],
  ['integer or text, with a default', z.union([z.int(), z.string()]).default(1)],
  ['nullable integer or text', z.union([z.int(), z.string()]).nullable()],
  ['a quantity', z.union([z.int(), z.string()]).meta(quantity()), quantities],
  ['a duration of Go', z.string().meta(duration()), durations],
  ['a duration by its format', z.string().meta({ format: 'duration' }), durations],
  ['a time', z.iso.datetime(), times],
  ['a time with an offset', z.iso.datetime({ offset: true }), times],
  ['a date', z.iso.date(), times],
  ['an address', z.ipv4(), addresses],
  ['an address of the sixth version', z.ipv6(), addresses],
  ['a network', z.cidrv4(), addresses],
  ['a host', z.hostname(), names],
  ['a mail address', z.email(), names],
  ['a link', z.url(), links],
  ['a link of the web', z.httpUrl(), links],
  ['an identifier', z.uuid(), ids],
  ['bytes', z.base64(), encoded],
  ['bytes for links', z.base64url(), encoded],
];

const formats: readonly Entry[] = [
  ['uri', links],
  ['hostname', names],
  ['email', names],
  ['ipv4', addresses],
  ['ipv6', addresses],
  ['cidr', addresses],
  ['mac', ['00:11:22:33:44:55', '00-11-22-33-44-55', '0011.2233.4455', '00:11:22']],
  ['uuid', ids],
  ['uuid3', ids],
  ['uuid4', ids],
  ['uuid5', ids],
  ['byte', encoded],
  ['date', times],
  ['date-time', times],
  ['datetime', times],
  ['password', []],
  ['isbn', ['9783161484100', '0306406152', '030640615']],
  ['creditcard', ['4111111111111111', '4111111111111112']],
  ['ssn', ['123-45-6789', '123456789']],
  ['hexcolor', ['#fff', 'fff', '#ffff', '#ABCDEF']],
  ['rgbcolor', ['rgb(1,2,3)', 'rgb(1, 2, 3)', 'rgb(256,0,0)']],
  ['k8s-short-name', names],
  ['k8s-long-name', names],
  ['bsonobjectid', ['507f1f77bcf86cd799439011', '507f']],
  ['nothing-known', []],
].map(([format, values]) => [
  `format ${format as string}`,
  z.string().meta({ format: format as string }),
  values as Json[],
]);

const text = z.string();
const containers: readonly Entry[] = [
  ['a list of texts', z.array(text)],
  ['a list of some length', z.array(text).min(1).max(1)],
  ['a list of nullable texts', z.array(text.nullable())],
  ['a list with a default', z.array(text).default(['d'])],
  ['a nullable list', z.array(text).nullable()],
  ['a list of integers or texts', z.array(z.union([z.int(), text]))],
  ['a list of lists', z.array(z.array(z.int()).max(1)), [[[]], [[1]], [[1, 2]], [null], [[null]]]],
  ['a list of anything', z.array(z.any())],
  ['a set', z.array(text).meta(listSet())],
  [
    'a set of numbers',
    z.array(z.number()).meta(listSet()),
    [
      [1, 1],
      [1, 1.5],
      [0, -0],
    ],
  ],
  [
    'a list map',
    z.array(z.object({ k: text, v: z.int().optional() })).meta(listMap('k')),
    [[{ k: 'a' }, { k: 'a' }], [{ k: 'a' }, { k: 'b', v: 1 }], [{ v: 1 }], [{ k: null }]],
  ],
  [
    'a list map of two keys, one with a default',
    z.array(z.object({ k: text, p: z.enum(['TCP', 'UDP']).default('TCP') })).meta(listMap('k', 'p')),
    [[{ k: 'a' }, { k: 'a', p: 'TCP' }], [{ k: 'a' }, { k: 'a', p: 'UDP' }], [{ k: 'a', p: 'X' }]],
  ],
  ['a map of texts', z.record(text, text)],
  ['a map of some size', z.record(text, z.any()).meta(entries({ min: 1, max: 1 }))],
  ['a map of nullable texts', z.record(text, text.nullable())],
  ['a map with keys of a pattern', z.record(text.regex(/^[a-z]$/), z.any().nullable()), [{ A: 1 }]],
  ['a map with typed values and keys of a pattern', z.record(text.regex(/^[a-z]$/), z.int()), [{ A: 1 }, { a: 'x' }]],
  ['a map with keys of some length', z.record(text.max(1), z.int()), [{ aa: 1 }, { '😀': 1 }, { '': 1 }]],
  ['a map with enumerated keys', z.partialRecord(z.enum(['a', 'b']), z.union([z.int(), text])), [{ c: 1 }]],
  ['a map with all of some keys', z.record(z.enum(['a', 'b']), text)],
  ['a map of lists', z.record(text, z.array(z.int())), [{ a: [1] }, { a: [null] }]],
  ['an atomic map', z.record(text, text).meta(atomic())],
  ['a nullable map', z.record(text, text).nullable()],
  ['an object', z.object({ a: text })],
  ['an object with an optional field', z.object({ a: text.optional() })],
  ['an object with a nullable field', z.object({ a: text.nullable() })],
  ['an object with a default within', z.object({ a: text.default('d') })],
  ['an object with a default', z.object({ a: text.default('d') }).prefault({})],
  ['an object with a default further down', z.object({ a: z.object({ a: text.default('d') }).prefault({}) })],
  ['a nullable object', z.object({ a: text }).nullable()],
  ['a loose object', z.looseObject({ a: z.int() })],
  ['a loose object in a strict one', z.object({ a: z.looseObject({}) }), [{ a: { x: { y: null } } }]],
  ['a strict object in a loose one', z.looseObject({ a: z.object({ b: text.optional() }) }), [{ a: { c: 1 } }]],
  ['a strict object by name', z.strictObject({ a: text })],
  ['anything', z.any()],
  ['something', z.unknown()],
  ['JSON', z.json()],
  [
    'an embedded object',
    z.any().meta(embedded()),
    [
      { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } },
      { apiVersion: 'v1', kind: 'a b', metadata: { name: 'A' } },
    ],
  ],
  [
    'one of two kinds of objects',
    z.discriminatedUnion('t', [z.object({ t: z.literal('a'), a: text }), z.object({ t: z.literal('b'), b: z.int() })]),
    [{ t: 'a', a: 'x' }, { t: 'a' }, { t: 'b', b: 1 }, { t: 'b', a: 'x' }, { t: 'c' }, { t: 'a', a: 'x', b: 1 }],
  ],
  ['one of two objects', z.union([z.object({ a: text }), z.object({ b: text })])],
  ['both of two objects', z.object({ a: text }).and(z.object({ b: text }))],
  ['texts of two kinds', z.union([z.string().max(1), z.string().regex(/^A/)])],
  ['numbers of two kinds', z.union([z.number().max(0), z.number().min(3)])],
];

const pair = z.object({ a: z.int().optional(), b: z.int().optional() });
const pairs: readonly Json[] = [{ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 1 }, { b: 1 }, { a: 0 }, { a: null, b: 1 }];
const ruled: readonly Entry[] = [
  ['at most one', pair.meta(atMostOneOf('a', 'b')), pairs],
  ['exactly one', pair.meta(exactlyOneOf('a', 'b')), pairs],
  ['at least one', pair.meta(atLeastOneOf('a', 'b')), pairs],
  ['a rule on fields that may be absent', pair.meta(rule('self.a <= self.b', 'm')), pairs],
  ['a rule that asks first', pair.meta(rule('!has(self.a) || !has(self.b) || self.a <= self.b', 'm')), pairs],
  ['a rule with an optional', pair.meta(rule('self.?a.orValue(0) <= self.?b.orValue(1)', 'm')), pairs],
  ['a rule on a text', text.max(20).meta(rule('self.size() < 3 && self != "1"', 'm'))],
  ['a rule on letters', text.max(20).meta(rule('self.lowerAscii() == self', 'm'))],
  ['a rule with a pattern', text.max(20).meta(rule('self.matches("^.$")', 'm'))],
  ['a rule with a time', z.iso.datetime().meta(rule('self > timestamp("2024-01-01T00:00:00Z")', 'm')), times],
  [
    'a rule with a duration',
    z.string().meta({ format: 'duration' }).meta(rule('self >= duration("1h")', 'm')),
    durations,
  ],
  [
    'a rule with a quantity',
    z.union([z.int(), text]).meta(quantity()).meta(rule('quantity(string(self)).isGreaterThan(quantity("1"))', 'm')),
    quantities,
  ],
  ['a rule with a link', text.max(99).meta(rule('isURL(self) && url(self).getScheme() == "https"', 'm')), links],
  ['a rule with an address', text.max(99).meta(rule('isIP(self) && ip(self).family() == 4', 'm')), addresses],
  [
    'a rule with a network',
    text.max(99).meta(rule('isCIDR(self) && cidr(self).containsIP("10.0.0.1")', 'm')),
    addresses,
  ],
  ['a rule on integers', z.int().meta(rule('self % 2 == 1 || self < 0', 'm'))],
  ['a rule that divides', z.int().meta(rule('6 / self > 1', 'm'))],
  ['a rule that overflows', z.int().meta(rule('self * 4 > 0', 'm'))],
  ['a rule on numbers', z.number().meta(rule('self > 0.5 && self < 1e9', 'm'))],
  ['a rule on integer or text', z.union([z.int(), text]).meta(rule('type(self) == int ? self > 0 : self != ""', 'm'))],
  ['a rule on a list', z.array(text.max(9)).max(9).meta(rule('self.all(x, self.exists_one(y, x == y))', 'm'))],
  [
    'a rule on a map',
    z
      .record(text, z.int())
      .meta(entries({ max: 9 }))
      .meta(rule('self.all(k, self[k] > 0)', 'm')),
    [{ a: 0 }, { a: 2, b: 3 }],
  ],
  ['a rule on truth', z.boolean().meta(rule('self', 'm'))],
  ['a rule with a default below', z.object({ a: text.max(9).default('d') }).meta(rule('self.a == "d"', 'm'))],
  ['a rule with its own words', text.max(9).meta(rule('self == "a"', 'm', { messageExpression: '"not " + self' }))],
  [
    'a rule at a field',
    z
      .object({ a: z.int().optional() })
      .meta(rule('has(self.a)', 'm', { fieldPath: '.a', reason: 'FieldValueRequired' })),
  ],
];

/** Pairs of what was and what is to be are made of these. */
const changing: readonly (Json | undefined)[] = [undefined, 'a', 'b', ''];
const changingNumbers: readonly (Json | undefined)[] = [undefined, 0, 1, 5];
const moving: readonly (readonly [title: string, schema: z.ZodType, values: readonly (Json | undefined)[]])[] = [
  ['immutable', optional(text.meta(immutable())), changing],
  ['immutable with a default', text.default('a').meta(immutable()), changing],
  ['only grows', optional(z.int().meta(rule('self >= oldSelf', 'm'))), changingNumbers],
  [
    'grows from nothing',
    optional(
      z.int().meta(rule('oldSelf.hasValue() ? self >= oldSelf.value() : self == 0', 'm', { optionalOldSelf: true })),
    ),
    changingNumbers,
  ],
  ['was never wrong', optional(z.int().max(1)), [undefined, 0, 1]],
  [
    'immutable within',
    optional(z.object({ a: text.meta(immutable()).optional(), b: text.optional() })),
    [undefined, {}, { a: 'a' }, { a: 'b' }, { b: 'b' }],
  ],
  [
    'immutable in a list map',
    optional(
      z
        .array(z.object({ k: text.max(9), v: text.max(9).meta(immutable()) }))
        .max(9)
        .meta(listMap('k')),
    ),
    [
      undefined,
      [],
      [{ k: 'a', v: 'a' }],
      [{ k: 'a', v: 'b' }],
      [
        { k: 'b', v: 'b' },
        { k: 'a', v: 'a' },
      ],
    ],
  ],
  [
    'a map of which nothing is removed',
    optional(
      z
        .record(text, z.int())
        .meta(entries({ max: 9 }))
        .meta(rule('oldSelf.all(k, k in self)', 'm')),
    ),
    [undefined, {}, { a: 1 }, { b: 1 }, { a: 2, b: 1 }],
  ],
];

const wrap = (x: Json | undefined): { spec: { x?: Json } } => ({ spec: x === undefined ? {} : { x } });

/** A case with the verdict of `validate`; nothing where what was there before would be refused itself. */
function judgedCase(kind: TableKind, wanted: Case): Case[] {
  if (wanted.from !== undefined && validated(kind, { act: 'create', object: wanted.from }).problems.length > 0)
    return [];
  const { problems, object = {}, unknown } = validated(kind, wanted);
  if (problems.length > 0)
    return [
      { ...wanted, problems: problems.map(({ field, reason }) => `${field} ${reason.replace(/^FieldValue/, '')}`) },
    ];
  const { spec } = object;
  return [{ ...wanted, stored: { ...(spec !== undefined && { spec }) }, unknown }];
}

function rowOf(title: string, schema: z.ZodType, cases: (kind: TableKind) => Case[]): (index: number) => Row {
  return (index) => {
    const row: Row = { index, title, shows: 'CRD-A1', spec: { zod: z.object({ x: schema }) }, cases: [] };
    return { ...row, cases: cases(kindOf(row)) };
  };
}

const created = ([title, schema, more = []]: Entry): ((index: number) => Row) =>
  rowOf(title, schema, (kind) =>
    [...common, ...more].flatMap((x) => judgedCase(kind, { act: 'create', object: wrap(x) })),
  );

/** Far above the rows of the table, so that their kinds have other names. */
const firstIndex = 5000;

/** Made when asked for: the verdicts take a while. */
export function grid(): Row[] {
  const makers = [
    ...[...scalars, ...formats, ...containers, ...ruled].map(created),
    ...moving.map(([title, schema, values]) =>
      rowOf(title, schema, (kind) =>
        values.flatMap((from) =>
          values.flatMap((x) => judgedCase(kind, { act: 'update', from: wrap(from), object: wrap(x) })),
        ),
      ),
    ),
  ];
  return makers.map((make, i) => make(firstIndex + i));
}
