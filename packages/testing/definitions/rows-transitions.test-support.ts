// Rules about what may change, rules that helpers write, and rules that are declared wrongly.
import { atLeastOneOf, atMostOneOf, exactlyOneOf, immutable, listMap, listSet, rule } from 'kilter/crd';
import * as v from 'valibot';
import { z } from 'zod';
import { field, ofX, type Row, rulesNotRun } from './row.test-support.ts';

const { takes, refuses, changes, refusesChange } = ofX;
const integer = v.pipe(v.number(), v.integer());
const short = z.string().max(20);

const changing: readonly Row[] = [
  field('a value that cannot change', 'CRD-R6 CRD-R9 CRD-M23', {
    forms: { zod: short.meta(immutable()), valibot: v.pipe(v.string(), v.maxLength(20), v.metadata(immutable())) },
    cases: [
      takes('a'),
      changes('a', 'a'),
      refusesChange('a', 'b', 'Invalid: cannot be changed once it is set'),
      refuses(undefined, 'Required', rulesNotRun),
      refuses('123456789012345678901', 'TooLong', rulesNotRun),
      refuses(1, 'TypeInvalid', rulesNotRun),
      takes('12345678901234567890'),
    ],
  }),
  field('an optional value that is set once', 'CRD-R9', {
    forms: {
      zod: short.meta(immutable()).optional(),
      valibot: v.optional(v.pipe(v.string(), v.maxLength(20), v.metadata(immutable()))),
    },
    cases: [
      takes(undefined),
      changes(undefined, 'a'),
      changes('a', 'a'),
      refusesChange('a', 'b', 'Invalid'),
      refusesChange('a', undefined, 'spec Invalid'),
      takes('12345678901234567890'),
      refuses('123456789012345678901', 'TooLong', rulesNotRun),
    ],
  }),
  field('set once, below what is optional itself', 'CRD-R9', {
    forms: { zod: z.object({ a: z.object({ b: short.meta(immutable()).optional() }).optional() }) },
    cases: [
      takes({}),
      changes({}, { a: { b: 'b' } }),
      changes({ a: {} }, {}),
      refusesChange({ a: { b: 'b' } }, { a: { b: 'c' } }, '.a.b Invalid'),
      refusesChange({ a: { b: 'b' } }, { a: {} }, '.a Invalid'),
      refusesChange({ a: { b: 'b' } }, {}, 'Invalid'),
      refuses({ a: { b: 1 } }, '.a.b TypeInvalid', rulesNotRun),
      takes({ a: { b: '12345678901234567890' } }),
      refuses({ a: { b: '123456789012345678901' } }, '.a.b TooLong', rulesNotRun),
      refuses(undefined, 'Required', rulesNotRun),
    ],
  }),
  field('a transition rule', 'CRD-R6', {
    forms: {
      zod: z.int().meta(rule('self >= oldSelf', 'it only grows')),
      valibot: v.pipe(integer, v.metadata(rule('self >= oldSelf', 'it only grows') as never)),
    },
    cases: [
      takes(1),
      changes(1, 2),
      refusesChange(2, 1, 'Invalid: it only grows'),
      refuses(undefined, 'Required', rulesNotRun),
      refuses('a', 'TypeInvalid', rulesNotRun),
    ],
  }),
  field('a transition rule that also runs on create', 'CRD-R6', {
    forms: {
      zod: z
        .int()
        .meta(rule('self >= oldSelf.orValue(5)', 'it only grows, from 5', { optionalOldSelf: true }))
        .optional(),
    },
    cases: [
      takes(5),
      takes(undefined),
      refuses(4, 'Invalid: it only grows, from 5'),
      changes(5, 6),
      changes(undefined, 5),
      refusesChange(7, 6, 'Invalid: it only grows, from 5'),
      refusesChange(undefined, 4, 'Invalid'),
    ],
  }),
  field('items of a list map have a past', 'CRD-R7 CRD-R6', {
    forms: {
      zod: z
        .array(z.object({ name: short, n: z.int().meta(rule('self >= oldSelf', 'it only grows')) }))
        .max(5)
        .meta(listMap('name'))
        .optional(),
    },
    cases: [
      takes([{ name: 'a', n: 1 }]),
      takes(undefined),
      changes(
        [
          { name: 'a', n: 1 },
          { name: 'b', n: 5 },
        ],
        [
          { name: 'b', n: 5 },
          { name: 'a', n: 2 },
          { name: 'c', n: 0 },
        ],
      ),
      refusesChange(
        [
          { name: 'a', n: 1 },
          { name: 'b', n: 5 },
        ],
        [
          { name: 'b', n: 4 },
          { name: 'a', n: 1 },
        ],
        '[0].n Invalid: it only grows',
      ),
      refuses(
        [
          { name: 'a', n: 1 },
          { name: 'a', n: 1 },
        ],
        '[1] Duplicate',
      ),
      refuses([{ n: 'a' }], '[0].name Required', '[0].n TypeInvalid', rulesNotRun),
      refuses([{ name: 1 }], '[0].name TypeInvalid', '[0].n Required', rulesNotRun),
      refuses([{ name: '123456789012345678901', n: 1 }], '[0].name TooLong', rulesNotRun),
      takes([
        { name: '12345678901234567890', n: 1 },
        { name: 'b', n: 1 },
        { name: 'c', n: 1 },
        { name: 'd', n: 1 },
        { name: 'e', n: 1 },
      ]),
      refuses(
        [
          { name: 'a', n: 1 },
          { name: 'b', n: 1 },
          { name: 'c', n: 1 },
          { name: 'd', n: 1 },
          { name: 'e', n: 1 },
          { name: 'f', n: 1 },
        ],
        'TooMany',
        rulesNotRun,
      ),
    ],
  }),
  field('items of another list have no past', 'CRD-R7 CRD-E10', {
    forms: {
      zod: z
        .array(z.object({ n: z.int().meta(rule('self >= oldSelf', 'it only grows')) }))
        .max(5)
        .optional(),
    },
    refused: ['CRD_RULE_INVALID spec.x[*].n'],
  }),
  field('items of a set have no past', 'CRD-R7 CRD-E10', {
    forms: {
      zod: z
        .array(z.string().max(5).meta(rule('self == oldSelf', 'the same')))
        .max(5)
        .meta(listSet())
        .optional(),
    },
    refused: ['CRD_RULE_INVALID spec.x[*]'],
  }),
];

const counting: readonly Row[] = [
  field('at most one of them', 'CRD-R8 CRD-M22', {
    forms: {
      zod: z.object({ a: z.int().optional(), 'b-c': z.int().optional() }).meta(atMostOneOf('a', 'b-c')).optional(),
    },
    cases: [
      takes({}),
      takes({ a: 1 }),
      takes({ 'b-c': 1 }),
      takes(undefined),
      refuses({ a: 1, 'b-c': 1 }, 'Invalid: at most one of a, b-c must be set'),
    ],
  }),
  field('exactly one of them', 'CRD-R8 CRD-M22', {
    forms: {
      zod: z.object({ a: z.int().optional(), b: z.int().optional() }).meta(exactlyOneOf('a', 'b')).optional(),
      valibot: v.optional(
        v.pipe(
          v.object({ a: v.optional(integer), b: v.optional(integer) }),
          v.metadata(exactlyOneOf('a', 'b') as never),
        ),
      ),
    },
    cases: [
      takes({ a: 1 }),
      takes({ b: 1 }),
      takes(undefined),
      refuses({}, 'Invalid'),
      refuses({ a: 1, b: 1 }, 'Invalid: exactly one of a, b must be set'),
    ],
  }),
  field('at least one of them', 'CRD-R8 CRD-M22', {
    forms: { zod: z.object({ a: z.int().optional(), b: z.int().optional() }).meta(atLeastOneOf('a', 'b')).optional() },
    cases: [
      takes({ a: 1 }),
      takes({ b: 1 }),
      takes({ a: 1, b: 1 }),
      takes(undefined),
      refuses({}, 'Invalid: at least one of a, b must be set'),
    ],
  }),
];

const wrong: readonly Row[] = [
  field('the same rule twice', 'CRD-R1 CRD-E10', {
    forms: { zod: z.int().meta(rule('self > 0', 'a')).meta(rule('self > 0', 'b')) },
    refused: ['CRD_RULE_INVALID spec.x'],
  }),
  field('a reason there is not', 'CRD-R2 CRD-E10', {
    forms: { zod: z.int().meta(rule('self > 0', 'a', { reason: 'FieldValueOdd' as never })) },
    refused: ['CRD_RULE_INVALID spec.x'],
  }),
  field('a path there is not', 'CRD-R4 CRD-E10', {
    forms: {
      zod: z
        .object({ a: z.array(z.int()) })
        .meta(rule('true', 'a', { fieldPath: '.b' }))
        .meta(rule('1 == 1', 'a', { fieldPath: '.a[0]' })),
    },
    refused: ['CRD_RULE_INVALID spec.x', 'CRD_RULE_INVALID spec.x'],
  }),
  field('a message with a line break', 'CRD-R5 CRD-E10', {
    forms: { zod: z.int().meta(rule('self > 0', 'a\nb')) },
    refused: ['CRD_RULE_INVALID spec.x'],
  }),
  field('a rule over lines without a message', 'CRD-R5 CRD-E10', {
    forms: { zod: z.int().meta(rule('self > 0 &&\nself < 9')) },
    refused: ['CRD_RULE_INVALID spec.x'],
  }),
  field('optionalOldSelf without oldSelf', 'CRD-R6 CRD-E10', {
    forms: { zod: z.int().meta(rule('self > 0', 'a', { optionalOldSelf: true })) },
    refused: ['CRD_RULE_INVALID spec.x'],
  }),
  field('one of fields that are always set', 'CRD-M22 CRD-E10', {
    forms: { zod: z.object({ a: z.int(), b: z.int().optional() }).meta(atMostOneOf('a', 'b')) },
    refused: ['CRD_RULE_INVALID spec.x'],
  }),
];

export const transitionRows: readonly Row[] = [...changing, ...counting, ...wrong];
