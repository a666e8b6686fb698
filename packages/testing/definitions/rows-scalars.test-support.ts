// Numbers, strings, booleans and enums.
import { type } from 'arktype';
import { duration, quantity } from 'kilter/crd';
import * as v from 'valibot';
import { z } from 'zod';
import { field, ofX, type Row } from './row.test-support.ts';

const { takes, becomes, refuses } = ofX;
const integer = v.pipe(v.number(), v.integer());

const numbers: readonly Row[] = [
  field('a bare integer', 'CRD-F2 CRD-A5', {
    forms: { zod: z.int(), valibot: integer, arktype: { x: 'number.integer' } },
    manifest: {
      'spec.versions.0.schema.openAPIV3Schema.properties.spec.properties.x': { type: 'integer', format: 'int64' },
    },
    cases: [
      takes(0),
      takes(-9_007_199_254_740_991),
      takes(4_294_967_296),
      refuses(1.5, 'TypeInvalid', '<nil> Invalid: of type integer with format int64 in spec.x'),
      refuses('1', 'TypeInvalid'),
      refuses(true, 'TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('an integer of 32 bits', 'CRD-F2 CRD-A5', {
    forms: { zod: z.int32() },
    cases: [
      takes(2_147_483_647),
      takes(-2_147_483_648),
      refuses(2_147_483_648, 'Invalid', '<nil> Invalid: of type integer with format int32 in spec.x'),
      refuses(-2_147_483_649, 'Invalid', '<nil> Invalid: of type integer with format int32 in spec.x'),
      refuses(0.5, 'TypeInvalid', '<nil> Invalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('bounds of an integer', 'CRD-M1 CRD-A3', {
    forms: {
      zod: z.int().min(1).max(9),
      valibot: v.pipe(integer, v.minValue(1), v.maxValue(9)),
      arktype: { x: '1 <= number.integer <= 9' },
    },
    cases: [takes(1), takes(9), refuses(0, 'Invalid'), refuses(10, 'Invalid'), refuses(undefined, 'Required')],
  }),
  field('exclusive bounds', 'CRD-M1 CRD-F11', {
    forms: {
      zod: z.int().gt(0).lt(10).optional(),
      valibot: v.optional(v.pipe(integer, v.gtValue(0), v.ltValue(10))),
      arktype: { 'x?': '0 < number.integer < 10' },
    },
    cases: [takes(1), takes(9), takes(undefined), refuses(0, 'Invalid'), refuses(10, 'Invalid')],
  }),
  field('a multiple', 'CRD-M1', {
    forms: {
      zod: z.int().multipleOf(3).optional(),
      valibot: v.optional(v.pipe(integer, v.multipleOf(3))),
      arktype: { 'x?': '(number.integer) % 3' },
    },
    cases: [takes(9), takes(0), takes(undefined), refuses(4, 'Invalid'), refuses('9', 'TypeInvalid')],
  }),
  field('a floating-point number', 'CRD-M25', {
    forms: { zod: z.number(), valibot: v.number(), arktype: { x: 'number' } },
    warns: ['CRD_SCHEMA_FLOAT spec.x'],
    cases: [takes(1.5), takes(2), refuses('1.5', 'TypeInvalid'), refuses(undefined, 'Required')],
  }),
  field('bounds of a floating-point number', 'CRD-M1 CRD-M25', {
    forms: {
      zod: z.number().min(0.5).lt(1.5).optional(),
      valibot: v.optional(v.pipe(v.number(), v.minValue(0.5), v.ltValue(1.5))),
      arktype: { 'x?': '0.5 <= number < 1.5' },
    },
    cases: [takes(0.5), takes(1.25), takes(undefined), refuses(0.25, 'Invalid'), refuses(1.5, 'Invalid')],
  }),
  field('a boolean', 'CRD-M5', {
    forms: { zod: z.boolean(), valibot: v.boolean(), arktype: { x: 'boolean' } },
    cases: [
      takes(true),
      takes(false),
      refuses('true', 'TypeInvalid'),
      refuses(0, 'TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
];

const strings: readonly Row[] = [
  field('a required and an empty string', 'CRD-M7', {
    forms: { zod: z.string(), valibot: v.string(), arktype: { x: 'string' } },
    cases: [
      takes(''),
      takes('a'),
      refuses(undefined, 'Required'),
      refuses(1, 'TypeInvalid'),
      refuses(null, 'Required'),
    ],
  }),
  field('lengths of a string count code points', 'CRD-M2 CRD-A4', {
    forms: {
      zod: z.string().min(2).max(3).optional(),
      valibot: v.optional(v.pipe(v.string(), v.minLength(2), v.maxLength(3))),
      arktype: { 'x?': '2 <= string <= 3' },
    },
    cases: [
      takes('ab'),
      takes('abc'),
      takes('😀😀😀', { disagrees: { valibot: ['spec.x'], arktype: ['spec.x'] } }),
      takes(undefined),
      refuses('a', 'Invalid'),
      refuses('😀', 'Invalid'),
      refuses('abcd', 'TooLong'),
    ],
  }),
  field('a pattern is not anchored', 'CRD-M2 CRD-A4', {
    forms: {
      zod: z.string().regex(/b+c/).optional(),
      valibot: v.optional(v.pipe(v.string(), v.regex(/b+c/))),
      arktype: { 'x?': /b+c/ },
    },
    cases: [takes('abbcd'), takes('bc'), takes(undefined), refuses('abbd', 'Invalid'), refuses('BC', 'Invalid')],
  }),
  field('two patterns both hold', 'CRD-F7 CRD-M2', {
    forms: { zod: z.string().regex(/^a/).regex(/z$/).optional(), arktype: { 'x?': type(/^a/).and(/z$/) } },
    cases: [
      takes('az'),
      takes('a-z'),
      takes(undefined),
      refuses('a', 'Invalid', '<nil> Invalid: must validate all the schemas (allOf)'),
      refuses('z', 'Invalid', '<nil> Invalid'),
    ],
  }),
  field('starts and ends', 'CRD-F8', {
    forms: { zod: z.string().startsWith('sha256:').optional() },
    cases: [takes('sha256:ab'), takes(undefined), refuses('md5:ab', 'Invalid')],
  }),
  field('a format of one’s own', 'CRD-M5 CRD-A8', {
    forms: {
      zod: z.string().meta({ format: 'ipv4' }).optional(),
      valibot: v.optional(v.pipe(v.string(), v.metadata({ format: 'ipv4' } as never))),
    },
    cases: [takes('10.0.0.1'), takes(undefined), refuses('10.0.0', 'TypeInvalid')],
  }),
  field('a format nobody knows is ignored', 'CRD-A8', {
    forms: { zod: z.string().meta({ format: 'shoe-size' }).optional() },
    cases: [takes('44'), takes(undefined), refuses(44, 'TypeInvalid')],
  }),
  field('dashes in format names do not count', 'CRD-A8', {
    forms: { zod: z.string().meta({ format: 'ip-v4' }).optional() },
    cases: [takes('10.0.0.1'), takes(undefined), refuses('ten', 'TypeInvalid')],
  }),
  field('the format duration is Go’s', 'CRD-A8', {
    forms: { zod: z.string().meta({ format: 'duration' }).optional() },
    cases: [takes('1h30m'), takes(undefined), takes('1 day'), refuses('soon', 'TypeInvalid')],
  }),
  field('a short name needs a server of 1.34', 'CRD-A8', {
    forms: { zod: z.string().meta({ format: 'k8s-short-name' }).optional() },
    cases: [takes('web-1'), takes(undefined), refuses('Web', 'TypeInvalid')],
  }),
  field('a time', 'CRD-M13 CRD-F5 CRD-E3', {
    forms: { zod: z.iso.datetime().optional(), valibot: v.optional(v.pipe(v.string(), v.isoTimestamp())) },
    cases: [
      takes('2026-01-02T03:04:05Z'),
      takes(undefined),
      refuses('yesterday', 'TypeInvalid'),
      refuses('2026-01-02', 'TypeInvalid'),
    ],
  }),
  field('a date', 'CRD-F5', {
    forms: { zod: z.iso.date().optional(), valibot: v.optional(v.pipe(v.string(), v.isoDate())) },
    cases: [takes('2026-01-02'), takes(undefined), refuses('2026-13-02', 'TypeInvalid')],
  }),
  field('a host name keeps its format, without the look-ahead', 'CRD-F5', {
    forms: { zod: z.hostname().optional() },
    cases: [takes('a.example.com'), takes(undefined), refuses('-a-', 'TypeInvalid')],
  }),
  field('bytes', 'CRD-F8', {
    forms: { zod: z.base64().optional() },
    cases: [takes('aGVsbG8='), takes(undefined), refuses('?', 'TypeInvalid', 'Invalid')],
  }),
  field('a network', 'CRD-F8', {
    forms: { zod: z.cidrv4().optional() },
    cases: [takes('10.0.0.0/8'), takes(undefined), refuses('10.0.0.0', 'TypeInvalid', 'Invalid')],
  }),
  field('a UUID', 'CRD-F8', {
    forms: { zod: z.uuid().optional() },
    cases: [takes('f81d4fae-7dec-41d0-a765-00a0c91e6bf6'), takes(undefined), refuses('f81d', 'TypeInvalid', 'Invalid')],
  }),
  field('a Go duration', 'CRD-M12', {
    forms: {
      zod: z.string().meta(duration()).optional(),
      valibot: v.optional(v.pipe(v.string(), v.metadata(duration()))),
    },
    cases: [
      takes('1h30m'),
      takes('-1.5s'),
      takes('0'),
      takes(undefined),
      refuses('1 hour', 'Invalid'),
      refuses('90', 'Invalid'),
    ],
  }),
  field('words change nothing', 'CRD-M9 CRD-N5', {
    forms: {
      zod: z.string().describe('what it is').meta({ title: 'X', example: 'a' }),
      valibot: v.pipe(v.string(), v.title('X'), v.description('what it is')),
    },
    manifest: { 'spec.versions.0.schema.openAPIV3Schema.properties.spec.properties.x.description': 'what it is' },
    cases: [takes('b'), refuses(1, 'TypeInvalid'), refuses(undefined, 'Required')],
  }),
];

const choices: readonly Row[] = [
  field('an enum of strings', 'CRD-M4 CRD-A3', {
    forms: { zod: z.enum(['a', 'b']), valibot: v.picklist(['a', 'b']), arktype: { x: "'a' | 'b'" } },
    cases: [
      takes('a'),
      takes('b'),
      refuses('c', 'NotSupported'),
      refuses('', 'NotSupported'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('an enum of integers', 'CRD-M4 CRD-F10', {
    forms: { zod: z.literal([1, 2]).optional(), valibot: v.optional(v.picklist([1, 2])), arktype: { 'x?': '1 | 2' } },
    cases: [
      takes(1),
      takes(2),
      takes(undefined),
      refuses(3, 'NotSupported'),
      refuses('1', 'TypeInvalid', 'NotSupported'),
    ],
  }),
  field('a constant', 'CRD-F9 CRD-M4', {
    forms: { zod: z.literal('on'), valibot: v.literal('on'), arktype: { x: "'on'" } },
    cases: [takes('on'), refuses('off', 'NotSupported'), refuses(undefined, 'Required')],
  }),
  field('an enum that may be absent', 'CRD-F10 CRD-D4', {
    forms: {
      zod: z.enum(['a', 'b']).optional(),
      valibot: v.optional(v.picklist(['a', 'b'])),
      arktype: { 'x?': "'a' | 'b'" },
    },
    cases: [takes('a'), takes('b'), takes(undefined), becomes(null, undefined), refuses('c', 'NotSupported')],
  }),
];

const eitherOr: readonly Row[] = [
  field('an integer or a string', 'CRD-M10 CRD-F4 CRD-E6', {
    forms: {
      zod: z.union([z.int(), z.string()]),
      valibot: v.union([integer, v.string()]),
      arktype: { x: 'number.integer | string' },
    },
    cases: [
      takes(1),
      takes('50%'),
      refuses(true, 'TypeInvalid', '<nil> Invalid: must validate at least one schema (anyOf)'),
      refuses(1.5, 'TypeInvalid', '<nil> Invalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('a quantity', 'CRD-M11', {
    forms: {
      zod: z.union([z.int(), z.string()]).meta(quantity()).optional(),
      valibot: v.optional(v.pipe(v.union([integer, v.string()]), v.metadata(quantity()))),
    },
    cases: [
      takes(1),
      takes('500m'),
      takes('1.5Gi'),
      takes('1e3'),
      takes(undefined),
      refuses('1 GiB', 'Invalid'),
      refuses('', 'Invalid'),
      refuses([], 'TypeInvalid', '<nil> Invalid'),
    ],
  }),
];

const foreign: readonly Row[] = [
  field('white space is that of JavaScript, on the server too', 'CRD-E7 CRD-A4', {
    forms: { zod: z.string().regex(/^\S+\s[^\s]$/) },
    cases: [
      takes('a b'),
      takes('a\u00a0b'),
      takes('a\vb'),
      takes('\u180e b'),
      refuses('a\u00a0b c', 'Invalid'),
      refuses('a \ufeff', 'Invalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('general categories by their short names', 'CRD-E7', {
    forms: { zod: z.string().regex(/^\p{Lu}\P{L}$/u) },
    cases: [takes('É1'), refuses('é1', 'Invalid'), refuses('Éa', 'Invalid'), refuses(undefined, 'Required')],
  }),
  field('a url with a protocol and a hostname', 'CRD-F8', {
    forms: { zod: z.url({ protocol: /^https$/, hostname: /^(?:[a-z]+\.)?example\.com$/ }) },
    cases: [
      takes('https://example.com'),
      takes('https://me@a.example.com:8080/x?y#z'),
      refuses('http://example.com', 'Invalid', '<nil> Invalid'),
      refuses('https://example.com.evil.org', 'Invalid', '<nil> Invalid'),
      refuses('https://evil.org/example.com', 'Invalid', '<nil> Invalid'),
      refuses('https://example.com/%zz', 'TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('an http url', 'CRD-F8', {
    forms: { zod: z.httpUrl() },
    cases: [
      takes('http://a.example/x'),
      refuses('ftp://a.example', 'Invalid', '<nil> Invalid'),
      refuses('https://localhost', 'Invalid', '<nil> Invalid'),
      refuses('https://a.example/%zz', 'TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
];

export const scalarRows: readonly Row[] = [...numbers, ...strings, ...choices, ...eitherOr, ...foreign];
