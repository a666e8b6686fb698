// Definitions that are refused when they are made, each with the code and the place.
import { embedded, entries, listMap, listSet, rule } from 'kilter/crd';
import * as v from 'valibot';
import { z } from 'zod';
import { field, type Forms, ofX, type Row, spec } from './row.test-support.ts';

const { takes, refuses } = ofX;
const refused = (title: string, shows: string, { forms, problems }: { forms: Forms; problems: string[] }): Row =>
  field(title, shows, { forms, refused: problems });

interface Tree {
  children?: Tree[] | undefined;
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(tree).optional() }));

const shapes: readonly Row[] = [
  refused('a Date of JavaScript', 'CRD-E3', {
    forms: { zod: z.date() },
    problems: ['CRD_SCHEMA_UNREPRESENTABLE spec.x'],
  }),
  refused('a big integer', 'CRD-E3', { forms: { zod: z.bigint() }, problems: ['CRD_SCHEMA_UNREPRESENTABLE spec.x'] }),
  refused('a map of JavaScript', 'CRD-E3', {
    forms: { zod: z.map(z.string(), z.string()) },
    problems: ['CRD_SCHEMA_UNREPRESENTABLE spec.x'],
  }),
  refused('a set of JavaScript', 'CRD-E3', {
    forms: { zod: z.set(z.string()) },
    problems: ['CRD_SCHEMA_UNREPRESENTABLE spec.x'],
  }),
  spec('a spec that is not an object', 'CRD-E3 CRD-N6', {
    forms: { zod: z.string() },
    refused: ['CRD_SCHEMA_UNREPRESENTABLE spec'],
  }),
  refused('a tree', 'CRD-E4 CRD-F6', { forms: { zod: tree }, problems: ['CRD_SCHEMA_RECURSIVE spec.x.children[*]'] }),
  field('a tree whose inner part is anything', 'CRD-E4', {
    forms: { zod: z.object({ children: z.array(z.any()).optional() }) },
    cases: [
      takes({ children: [{ children: [{}] }, null] }),
      refuses({ children: {} }, '.children TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
    equivalent: { 'spec.x.children.items nullable': 'a null item of any type stays, nullable or not' },
  }),
  refused('a transform', 'CRD-E5', {
    forms: { zod: z.string().transform(Number) },
    problems: ['CRD_SCHEMA_TRANSFORM spec.x'],
  }),
  refused('a boolean in words', 'CRD-E5', {
    forms: { zod: z.stringbool() },
    problems: ['CRD_SCHEMA_TRANSFORM spec.x'],
  }),
  refused('a tuple', 'CRD-E6 CRD-F11', {
    forms: { zod: z.tuple([z.string(), z.int()]) },
    problems: ['CRD_SCHEMA_NOT_STRUCTURAL spec.x'],
  }),
  refused('a string or a boolean', 'CRD-E6', {
    forms: { zod: z.union([z.string(), z.boolean()]), valibot: v.union([v.string(), v.boolean()]) },
    problems: ['CRD_SCHEMA_NOT_STRUCTURAL spec.x'],
  }),
  refused('an enum of two types', 'CRD-E6 CRD-F10', {
    forms: { zod: z.literal(['a', 1]) },
    problems: ['CRD_SCHEMA_NOT_STRUCTURAL spec.x'],
  }),
  refused('an enum that may be null', 'CRD-F10 CRD-E6', {
    forms: { zod: z.enum(['a', 'b']).nullable(), valibot: v.nullable(v.picklist(['a', 'b'])) },
    problems: ['CRD_SCHEMA_NOT_STRUCTURAL spec.x'],
  }),
  refused('a field of two types', 'CRD-E6 CRD-F3', {
    forms: { zod: z.union([z.object({ a: z.string() }), z.object({ a: z.int() })]) },
    problems: ['CRD_SCHEMA_NOT_STRUCTURAL spec.x.a'],
  }),
  refused('known fields and others of one type', 'CRD-E6 CRD-F12', {
    forms: { zod: z.object({ a: z.string() }).catchall(z.string()) },
    problems: ['CRD_SCHEMA_NOT_STRUCTURAL spec.x'],
  }),
  refused('nothing at all', 'CRD-E6', { forms: { zod: z.never() }, problems: ['CRD_SCHEMA_NOT_STRUCTURAL spec.x'] }),
];

const patterns: readonly Row[] = [
  refused('a look-ahead', 'CRD-E7 CRD-M2', {
    forms: { zod: z.string().regex(/^(?!a)/), valibot: v.pipe(v.string(), v.regex(/^(?!a)/)) },
    problems: ['CRD_PATTERN_NOT_RE2 spec.x'],
  }),
  refused('a look-behind', 'CRD-E7', {
    forms: { zod: z.string().regex(/(?<=a)b/) },
    problems: ['CRD_PATTERN_NOT_RE2 spec.x'],
  }),
  refused('a back-reference', 'CRD-E7', {
    forms: { zod: z.string().regex(/(a)\1/) },
    problems: ['CRD_PATTERN_NOT_RE2 spec.x'],
  }),
  refused('an escape of JavaScript', 'CRD-E7', {
    forms: { zod: z.string().regex(/\u0041/) },
    problems: ['CRD_PATTERN_NOT_RE2 spec.x'],
  }),
  refused('a repeat over 1000', 'CRD-E7', {
    forms: { zod: z.string().regex(/^a{1001}$/) },
    problems: ['CRD_PATTERN_NOT_RE2 spec.x'],
  }),
  refused('the duration of ISO 8601', 'CRD-E7 CRD-M12', {
    forms: { zod: z.iso.duration() },
    problems: ['CRD_PATTERN_NOT_RE2 spec.x'],
  }),
  field('a repeat of 1000', 'CRD-E7', {
    forms: {
      zod: z
        .string()
        .regex(/^a{1000}$/)
        .optional(),
    },
    cases: [takes('a'.repeat(1000)), takes(undefined), refuses('a', 'Invalid')],
  }),
];

let clock = 0;
const defaults: readonly Row[] = [
  refused('a default that breaks its schema', 'CRD-E8 CRD-D1', {
    forms: { zod: z.int().max(5).default(9) },
    problems: ['CRD_DEFAULT_INVALID spec.x'],
  }),
  refused('a default of another type', 'CRD-E8 CRD-D1', {
    forms: { zod: z.string().default(5 as never) },
    problems: ['CRD_DEFAULT_INVALID spec.x'],
  }),
  refused('a default of null', 'CRD-E8 CRD-D1', {
    forms: { zod: z.string().nullable().default(null) },
    problems: ['CRD_DEFAULT_INVALID spec.x'],
  }),
  refused('a default that changes', 'CRD-E8 CRD-F19', {
    forms: { zod: z.int().default(() => (clock += 1)) },
    problems: ['CRD_DEFAULT_INVALID spec.x'],
  }),
  refused('a default below embedded metadata', 'CRD-E8 CRD-M14', {
    forms: { zod: z.looseObject({ metadata: z.object({ name: z.string().default('a') }) }).meta(embedded()) },
    problems: ['CRD_DEFAULT_INVALID spec.x.metadata'],
  }),
];

const keys: readonly Row[] = [
  refused('a key there is not', 'CRD-E9 CRD-M18', {
    forms: { zod: z.array(z.object({ a: z.string() })).meta(listMap('b')) },
    problems: ['CRD_LIST_KEYS spec.x'],
  }),
  refused('a key twice', 'CRD-E9', {
    forms: { zod: z.array(z.object({ a: z.string() })).meta(listMap('a', 'a')) },
    problems: ['CRD_LIST_KEYS spec.x'],
  }),
  refused('a key that is a list', 'CRD-E9', {
    forms: { zod: z.array(z.object({ a: z.array(z.string()) })).meta(listMap('a')) },
    problems: ['CRD_LIST_KEYS spec.x'],
  }),
  refused('a key that may be absent', 'CRD-E9', {
    forms: { zod: z.array(z.object({ a: z.string().optional() })).meta(listMap('a')) },
    problems: ['CRD_LIST_KEYS spec.x'],
  }),
  refused('a key that may be null', 'CRD-E9', {
    forms: { zod: z.array(z.object({ a: z.string().nullable() })).meta(listMap('a')) },
    problems: ['CRD_LIST_KEYS spec.x'],
  }),
  refused('a list map of strings', 'CRD-E9', {
    forms: { zod: z.array(z.string()).meta(listMap('a')) },
    problems: ['CRD_LIST_KEYS spec.x'],
  }),
  refused('a set of objects', 'CRD-E9 CRD-M19', {
    forms: { zod: z.array(z.object({ a: z.string() })).meta(listSet()) },
    problems: ['CRD_LIST_KEYS spec.x'],
  }),
  refused('a set of what may be null', 'CRD-E9', {
    forms: { zod: z.array(z.string().nullable()).meta(listSet()) },
    problems: ['CRD_LIST_KEYS spec.x'],
  }),
];

const misplaced: readonly Row[] = [
  refused('a list type on a string', 'CRD-E6 CRD-M18', {
    forms: { zod: z.string().meta(listSet()) },
    problems: ['CRD_SCHEMA_NOT_STRUCTURAL spec.x'],
  }),
  refused('entries of a string', 'CRD-E6 CRD-M3', {
    forms: { zod: z.string().meta(entries({ max: 3 })) },
    problems: ['CRD_SCHEMA_NOT_STRUCTURAL spec.x'],
  }),
  field('a rule on what has no type', 'CRD-M17 CRD-E10', {
    forms: { zod: z.any().meta(rule('self == 1', 'one')) },
    refused: ['CRD_RULE_INVALID spec.x'],
  }),
];

const reserved: readonly Row[] = [
  spec('metadata at the root of a spec', 'CRD-E17', {
    forms: { zod: z.object({ metadata: z.object({}) }), valibot: v.object({ metadata: v.object({}) }) },
    refused: ['CRD_FIELD_RESERVED spec.metadata'],
  }),
  refused('the prototype as a field', 'CRD-E17', {
    forms: { zod: z.object(Object.fromEntries([['__proto__', z.string()]])) },
    problems: ['CRD_FIELD_RESERVED spec.x.__proto__'],
  }),
  field('metadata further down', 'CRD-E17', {
    forms: { zod: z.object({ metadata: z.object({ a: z.string() }) }) },
    cases: [
      takes({ metadata: { a: '' } }),
      refuses({}, '.metadata Required'),
      refuses({ metadata: {} }, '.metadata.a Required'),
      refuses({ metadata: { a: 1 } }, '.metadata.a TypeInvalid'),
      refuses({ metadata: 1 }, '.metadata TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
];

export const refusedRows: readonly Row[] = [...shapes, ...patterns, ...defaults, ...keys, ...misplaced, ...reserved];
