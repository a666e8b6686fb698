// Defaults, nulls, and what happens to stored objects when a definition changes.
import { listMap, listSet, rule } from 'kilter/crd';
import * as v from 'valibot';
import { z } from 'zod';
import { field, ofSpec, ofX, type Row, rulesNotRun, spec } from './row.test-support.ts';

const { takes, becomes, refuses, changes, refusesChange, reads } = ofX;
const integer = v.pipe(v.number(), v.integer());

const filling: readonly Row[] = [
  field('a default', 'CRD-M8 CRD-D1 CRD-E5 CRD-E8', {
    forms: { zod: z.int().min(1).default(3), valibot: v.optional(v.pipe(integer, v.minValue(1)), 3) },
    cases: [becomes(undefined, 3), takes(1), becomes(null, 3), refuses(0, 'Invalid'), refuses('a', 'TypeInvalid')],
  }),
  field('a default that a function gives, the same each time', 'CRD-F19', {
    forms: { zod: z.int().default(() => 3), valibot: v.optional(integer, () => 3) },
    cases: [becomes(undefined, 3), takes(1), refuses('a', 'TypeInvalid')],
  }),
  field('a default of false, of nothing, of an empty list', 'CRD-D1', {
    forms: {
      zod: z.object({
        b: z.boolean().default(false),
        s: z.string().default(''),
        n: z.int().default(0),
        l: z.array(z.string()).default([]),
      }),
      valibot: v.object({
        b: v.optional(v.boolean(), false),
        s: v.optional(v.string(), ''),
        n: v.optional(integer, 0),
        l: v.optional(v.array(v.string()), []),
      }),
    },
    cases: [
      becomes({}, { b: false, s: '', n: 0, l: [] }),
      takes({ b: true, s: 'a', n: 1, l: ['a'] }),
      refuses({ b: 0, s: 0, n: '', l: [0] }, '.b TypeInvalid', '.s TypeInvalid', '.n TypeInvalid', '.l[0] TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('a default does not make its parent', 'CRD-D2', {
    forms: {
      zod: z.object({ a: z.int().default(3) }).optional(),
      valibot: v.optional(v.object({ a: v.optional(integer, 3) })),
    },
    cases: [
      takes(undefined),
      becomes({}, { a: 3 }),
      takes({ a: 4 }),
      refuses({ a: 'a' }, '.a TypeInvalid'),
      refuses(1, 'TypeInvalid'),
    ],
  }),
  field('a prefault does', 'CRD-D2 CRD-M8', {
    forms: { zod: z.object({ a: z.int().default(3) }).prefault({}) },
    cases: [
      becomes(undefined, { a: 3 }),
      becomes({}, { a: 3 }),
      takes({ a: 4 }),
      refuses({ a: 'a' }, '.a TypeInvalid'),
    ],
  }),
  field('a default of an object', 'CRD-D1', {
    forms: { zod: z.object({ a: z.int(), b: z.string().default('b') }).default({ a: 1, b: 'c' }) },
    cases: [
      becomes(undefined, { a: 1, b: 'c' }),
      becomes({ a: 2 }, { a: 2, b: 'b' }),
      refuses({}, '.a Required'),
      refuses({ a: 'a', b: 1 }, '.a TypeInvalid', '.b TypeInvalid'),
    ],
  }),
  field('defaults of items and of map values', 'CRD-D2 CRD-M8', {
    forms: {
      zod: z
        .object({
          l: z.array(z.object({ a: z.int().default(3) })),
          m: z.record(z.string(), z.object({ a: z.int().default(4) })),
        })
        .optional(),
    },
    cases: [
      becomes({ l: [{}, { a: 1 }], m: { k: {} } }, { l: [{ a: 3 }, { a: 1 }], m: { k: { a: 4 } } }),
      takes(undefined),
      refuses({}, '.l Required', '.m Required'),
      refuses({ l: [1], m: { k: 1 } }, '.l[0] TypeInvalid', '.m.k TypeInvalid'),
      refuses({ l: [{ a: '' }], m: { k: { a: '' } } }, '.l[0].a TypeInvalid', '.m.k.a TypeInvalid'),
    ],
  }),
  field('a caught value is a default', 'CRD-F13', {
    forms: { zod: z.int().catch(3) },
    cases: [becomes(undefined, 3), takes(4), refuses('a', 'TypeInvalid')],
  }),
  field('a default and its rule', 'CRD-D1 CRD-A9', {
    forms: { zod: z.int().meta(rule('self > 0', 'positive')).default(0) },
    refusedLater: { code: 'CRD_DEFAULT_INVALID', problems: ['.default Invalid: positive'] },
  }),
  spec('a spec that may be absent', 'CRD-N6', {
    forms: { zod: z.object({ x: z.int().default(3) }).optional() },
    cases: [
      ofSpec.takes(undefined),
      ofSpec.becomes({}, { x: 3 }),
      ofSpec.refuses({ x: 'a' }, '.x TypeInvalid'),
      ofSpec.refuses(1, 'TypeInvalid'),
    ],
  }),
  spec('a spec with a default', 'CRD-N6 CRD-D2', {
    forms: { zod: z.object({ x: z.int().default(3) }).prefault({}) },
    cases: [ofSpec.becomes(undefined, { x: 3 }), ofSpec.takes({ x: 4 }), ofSpec.refuses({ x: 'a' }, '.x TypeInvalid')],
  }),
  spec('a spec that must be there', 'CRD-N6', {
    forms: { zod: z.object({ x: z.int().optional() }), valibot: v.object({ x: v.optional(integer) }) },
    cases: [
      ofSpec.takes({}),
      ofSpec.takes({ x: 1 }),
      ofSpec.refuses(undefined, 'Required'),
      ofSpec.refuses({ x: 'a' }, '.x TypeInvalid'),
    ],
  }),
];

/** Checks of a library that have no form in a schema. */
const invisible: readonly Row[] = [
  field('a refinement', 'CRD-F18 CRD-A10', {
    forms: {
      zod: z
        .int()
        .refine((n) => n % 2 === 0, 'even')
        .optional(),
      valibot: v.optional(
        v.pipe(
          integer,
          v.check((n) => n % 2 === 0),
        ),
      ),
    },
    cases: [takes(2), takes(3, { disagrees: ['spec.x'] }), takes(undefined), refuses('a', 'TypeInvalid')],
  }),
  field('a rule before another word is lost', 'CRD-F16', {
    forms: {
      zod: z.object({ a: z.int() }).meta(rule('self.a > 0', 'positive')).extend({ b: z.int().optional() }).optional(),
    },
    cases: [
      takes({ a: 0, b: 1 }),
      takes(undefined),
      refuses({ a: '', b: '' }, '.a TypeInvalid', '.b TypeInvalid'),
      refuses({}, '.a Required'),
    ],
  }),
  field('a rule after all other words is kept', 'CRD-F16', {
    forms: {
      zod: z.object({ a: z.int() }).extend({ b: z.int().optional() }).meta(rule('self.a > 0', 'positive')).optional(),
    },
    cases: [
      takes({ a: 1, b: 1 }),
      takes(undefined),
      refuses({ a: 0 }, 'Invalid: positive'),
      refuses({ a: '', b: '' }, '.a TypeInvalid', '.b TypeInvalid', rulesNotRun),
      refuses({}, '.a Required', rulesNotRun),
    ],
  }),
  field('flags of a pattern', 'CRD-F18', {
    forms: {
      zod: z
        .string()
        .regex(/^[a-z]+$/i)
        .optional(),
    },
    cases: [takes('a'), takes(undefined), refuses('A', 'Invalid')],
  }),
  field('a length in UTF-16', 'CRD-A4 CRD-A10', {
    forms: { zod: z.string().max(1).optional(), valibot: v.optional(v.pipe(v.string(), v.maxLength(1))) },
    cases: [
      takes('a'),
      takes('😀', { disagrees: { valibot: ['spec.x'] } }),
      takes(undefined),
      refuses('ab', 'TooLong'),
    ],
  }),
];

const nulls: readonly Row[] = [
  field('a null where it is allowed', 'CRD-M8 CRD-D4', {
    forms: { zod: z.string().nullable(), valibot: v.nullable(v.string()), arktype: { x: 'string | null' } },
    cases: [takes(null), takes('a'), refuses(1, 'TypeInvalid'), refuses(undefined, 'Required')],
  }),
  field('a null beside a default', 'CRD-D4', {
    forms: { zod: z.string().nullable().default('a') },
    cases: [takes(null), becomes(undefined, 'a'), takes('b'), refuses(1, 'TypeInvalid')],
  }),
  field('a null where it is not allowed', 'CRD-D4', {
    forms: { zod: z.object({ a: z.string().optional(), b: z.string().default('b'), c: z.string() }).optional() },
    cases: [
      becomes({ a: null, b: null, c: '' }, { b: 'b', c: '' }),
      becomes(null, undefined),
      takes({ a: '', b: '', c: '' }),
      refuses({ c: null }, '.c Required'),
      refuses({ a: 1, b: 1, c: 1 }, '.a TypeInvalid', '.b TypeInvalid', '.c TypeInvalid'),
    ],
  }),
  field('a null in a list', 'CRD-D4', {
    forms: {
      zod: z.array(z.string()).optional(),
      valibot: v.optional(v.array(v.string())),
      arktype: { 'x?': 'string[]' },
    },
    cases: [takes(['a']), takes(undefined), refuses(['a', null], '[1] TypeInvalid'), refuses([1], '[0] TypeInvalid')],
  }),
  field('a null in a map', 'CRD-D4', {
    forms: { zod: z.record(z.string(), z.string()).optional(), valibot: v.optional(v.record(v.string(), v.string())) },
    cases: [becomes({ a: null, b: '' }, { b: '' }), takes(undefined), refuses({ a: 1 }, '.a TypeInvalid')],
  }),
  field('nulls below what is kept', 'CRD-D4 CRD-M17', {
    forms: { zod: z.looseObject({}).optional() },
    cases: [takes({ a: null, b: { c: null } }), takes(undefined), refuses(1, 'TypeInvalid')],
  }),
];

const past: readonly Row[] = [
  field('a new default shows on what is stored', 'CRD-D3', {
    forms: { zod: z.object({ a: z.int().default(3), b: z.string().optional() }) },
    earlier: z.object({ x: z.object({ a: z.int().optional(), b: z.string().optional() }) }),
    cases: [
      reads({ b: 'b' }, { a: 3, b: 'b' }),
      reads({ a: 1 }, { a: 1 }),
      changes({ b: 'b' }, { a: 3, b: 'c' }),
      refuses({ a: 'a' }, '.a TypeInvalid'),
      refuses({ b: 1 }, '.b TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('another default shows only where there was none', 'CRD-D3', {
    forms: { zod: z.int().default(4) },
    earlier: z.object({ x: z.int().default(3) }),
    cases: [reads(undefined, 3), reads(5, 5), becomes(undefined, 4), refuses('a', 'TypeInvalid')],
  }),
  field('a field that is gone is pruned when read', 'CRD-D4 CRD-D3', {
    forms: { zod: z.object({ a: z.int().optional() }) },
    earlier: z.object({ x: z.object({ a: z.int().optional(), b: z.int().optional() }) }),
    cases: [reads({ a: 1, b: 2 }, { a: 1 }), refuses({ a: 'a' }, '.a TypeInvalid'), refuses(undefined, 'Required')],
  }),
  field('what stays as it was is forgiven', 'CRD-A7', {
    forms: { zod: z.object({ a: z.int().max(5), b: z.int().optional() }) },
    earlier: z.object({ x: z.object({ a: z.int(), b: z.int().optional() }) }),
    cases: [
      changes({ a: 9 }, { a: 9, b: 1 }),
      changes({ a: 9 }, { a: 5 }),
      refusesChange({ a: 9 }, { a: 8 }, '.a Invalid'),
      refuses({ a: 6 }, '.a Invalid'),
      refuses({}, '.a Required'),
      refuses({ a: 1, b: 'b' }, '.b TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('a missing field is forgiven while its object stays', 'CRD-A7', {
    forms: {
      zod: z.object({ a: z.object({ b: z.string(), c: z.string().optional() }).optional(), d: z.int().optional() }),
    },
    earlier: z.object({
      x: z.object({
        a: z.object({ b: z.string().optional(), c: z.string().optional() }).optional(),
        d: z.int().optional(),
      }),
    }),
    cases: [
      changes({ a: { c: 'c' } }, { a: { c: 'c' }, d: 1 }),
      refusesChange({ a: { c: 'c' } }, { a: { c: 'd' } }, '.a.b Required'),
      refuses({ a: {} }, '.a.b Required'),
      refuses({ a: { b: 1, c: 1 }, d: '' }, '.a.b TypeInvalid', '.a.c TypeInvalid', '.d TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('a rule forgives what stays, a transition rule does not', 'CRD-A7', {
    forms: {
      zod: z.object({
        a: z.int().meta(rule('self < 5', 'below 5')),
        b: z.int().meta(rule('self > oldSelf', 'it must grow')).optional(),
        c: z.int().optional(),
      }),
    },
    earlier: z.object({ x: z.object({ a: z.int(), b: z.int().optional(), c: z.int().optional() }) }),
    cases: [
      changes({ a: 9 }, { a: 9, c: 1 }),
      refusesChange({ a: 9 }, { a: 8 }, '.a Invalid: below 5'),
      refusesChange({ a: 1, b: 1 }, { a: 1, b: 1, c: 1 }, '.b Invalid: it must grow'),
      changes({ a: 1, b: 1 }, { a: 1, b: 2 }),
      refuses({ a: '', b: '', c: '' }, '.a TypeInvalid', '.b TypeInvalid', '.c TypeInvalid', rulesNotRun),
      refuses({}, '.a Required', rulesNotRun),
      refuses(undefined, 'Required', rulesNotRun),
    ],
  }),
  field('duplicates that were there may stay', 'CRD-A7 CRD-A6', {
    forms: { zod: z.object({ l: z.array(z.string()).meta(listSet()), n: z.int().optional() }) },
    earlier: z.object({ x: z.object({ l: z.array(z.string()), n: z.int().optional() }) }),
    cases: [
      changes({ l: ['a', 'a'] }, { l: ['a', 'a'], n: 1 }),
      changes({ l: ['a', 'a'] }, { l: ['a', 'a', 'b', 'b'] }),
      refusesChange({ l: ['a'] }, { l: ['a', 'a'] }, '.l[1] Duplicate'),
      refuses({ l: [1], n: '' }, '.l[0] TypeInvalid', '.n TypeInvalid'),
      refuses({}, '.l Required'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('items of a list map are forgiven one by one', 'CRD-A7', {
    forms: {
      zod: z
        .array(z.object({ name: z.string(), n: z.int().max(5) }))
        .meta(listMap('name'))
        .optional(),
    },
    earlier: z.object({
      x: z
        .array(z.object({ name: z.string(), n: z.int() }))
        .meta(listMap('name'))
        .optional(),
    }),
    cases: [
      changes(
        [{ name: 'a', n: 9 }],
        [
          { name: 'b', n: 5 },
          { name: 'a', n: 9 },
        ],
      ),
      refusesChange([{ name: 'a', n: 9 }], [{ name: 'b', n: 6 }], '[0].n Invalid'),
      takes(undefined),
      refuses(
        [
          { name: 'a', n: 1 },
          { name: 'a', n: 1 },
        ],
        '[1] Duplicate',
      ),
      refuses([{}], '[0].name Required', '[0].n Required'),
      refuses([{ name: 1, n: '' }], '[0].name TypeInvalid', '[0].n TypeInvalid'),
    ],
  }),
  field('items of another list are one piece', 'CRD-A7', {
    forms: { zod: z.array(z.int().max(5)).optional() },
    earlier: z.object({ x: z.array(z.int()).optional() }),
    cases: [
      changes([9], [9]),
      takes([5]),
      refusesChange([9], [9, 1], '[0] Invalid'),
      takes(undefined),
      refuses(['a'], '[0] TypeInvalid'),
      refuses([6], '[0] Invalid'),
    ],
  }),
  field('an enum that lost a value', 'CRD-A7 CRD-M4', {
    forms: { zod: z.object({ e: z.enum(['a', 'b']), n: z.int().optional() }) },
    earlier: z.object({ x: z.object({ e: z.enum(['a', 'b', 'c']), n: z.int().optional() }) }),
    cases: [
      changes({ e: 'c' }, { e: 'c', n: 1 }),
      takes({ e: 'a' }),
      takes({ e: 'b' }),
      refuses({ e: 'c' }, '.e NotSupported'),
      refusesChange({ e: 'a' }, { e: 'c' }, '.e NotSupported'),
      refuses({ e: 1, n: '' }, '.e TypeInvalid', '.e NotSupported', '.n TypeInvalid'),
      refuses({}, '.e Required'),
      refuses(undefined, 'Required'),
    ],
  }),
];

export const defaultRows: readonly Row[] = [...filling, ...invisible, ...nulls, ...past];
