// CEL rules: what they see and what they say.
import { entries, rule } from 'kilter/crd';
import * as v from 'valibot';
import { z } from 'zod';
import { definition, field, ofObject, ofSpec, ofX, type Row, rulesNotRun, spec } from './row.test-support.ts';

const { takes, becomes, refuses } = ofX;
const integer = v.pipe(v.number(), v.integer());

const saying: readonly Row[] = [
  field('a rule with a message', 'CRD-R1 CRD-R2 CRD-M21', {
    forms: {
      zod: z.int().meta(rule('self % 2 == 0', 'must be even')).optional(),
      valibot: v.optional(v.pipe(integer, v.metadata(rule('self % 2 == 0', 'must be even') as never))),
    },
    cases: [
      takes(2),
      takes(undefined),
      refuses(3, 'Invalid: Invalid value: 3: must be even'),
      refuses('3', 'TypeInvalid', rulesNotRun),
    ],
  }),
  spec('a rule of an object', 'CRD-R1 CRD-R2', {
    forms: {
      zod: z.object({ min: z.int(), max: z.int() }).meta(rule('self.min <= self.max', 'min is above max')),
      valibot: v.pipe(
        v.object({ min: integer, max: integer }),
        v.metadata(rule('self.min <= self.max', 'min is above max') as never),
      ),
    },
    cases: [
      ofSpec.takes({ min: 1, max: 1 }),
      ofSpec.refuses({ min: 2, max: 1 }, 'Invalid: Invalid value: min is above max'),
      ofSpec.refuses({ min: 2 }, '.max Required', rulesNotRun),
      ofSpec.refuses({ max: 2 }, '.min Required', rulesNotRun),
      ofSpec.refuses({ min: '2', max: '1' }, '.min TypeInvalid', '.max TypeInvalid', rulesNotRun),
      { act: 'create', object: {}, problems: ['spec Required', rulesNotRun] },
    ],
  }),
  field('two rules, whose order is theirs', 'CRD-F15 CRD-R1', {
    forms: { zod: z.int().meta(rule('self > 0', 'positive')).optional().meta(rule('self < 9', 'one digit')) },
    cases: [takes(1), takes(undefined), refuses(0, 'Invalid: positive'), refuses(9, 'Invalid: one digit')],
  }),
  field('rules survive a default', 'CRD-F15 CRD-D1', {
    forms: { zod: z.int().meta(rule('self > 0', 'positive')).default(1) },
    cases: [becomes(undefined, 1), takes(2), refuses(0, 'Invalid: positive'), refuses('a', 'TypeInvalid', rulesNotRun)],
  }),
  field('without a message the rule is the message', 'CRD-R5', {
    forms: { zod: z.int().meta(rule('self > 0')).optional() },
    cases: [takes(1), takes(undefined), refuses(0, 'Invalid: failed rule: self > 0')],
  }),
  field('an expression says what is wrong', 'CRD-R5', {
    forms: {
      zod: z
        .int()
        .meta(rule('self < 9', 'too much', { messageExpression: '"%d is too much".format([self])' }))
        .optional(),
      valibot: v.optional(
        v.pipe(
          integer,
          v.metadata(rule('self < 9', 'too much', { messageExpression: '"%d is too much".format([self])' }) as never),
        ),
      ),
    },
    cases: [takes(8), takes(undefined), refuses(9, 'Invalid: 9 is too much')],
  }),
  field('an expression that fails leaves the message', 'CRD-R5', {
    forms: {
      zod: z
        .array(z.int())
        .max(3)
        .meta(rule('size(self) == 1', 'one, please', { messageExpression: 'self[5] > 0 ? "not " : "so many"' }))
        .optional(),
    },
    cases: [
      takes([1]),
      takes(undefined),
      refuses([], 'Invalid: one, please'),
      refuses([1, 2, 3], 'Invalid: one, please'),
      refuses([1, 2, 3, 4], 'TooMany', rulesNotRun),
      refuses(['a'], '[0] TypeInvalid', rulesNotRun),
    ],
  }),
  field('a blank expression or one with a line break leaves the message', 'CRD-R5', {
    forms: {
      zod: z
        .string()
        .max(9)
        .meta(rule('self == "ok"', 'not ok', { messageExpression: 'self' }))
        .optional(),
    },
    cases: [
      takes('ok'),
      takes(undefined),
      refuses('  ', 'Invalid: not ok'),
      refuses('a\nb', 'Invalid: not ok'),
      refuses('fine', 'Invalid: fine'),
      refuses('012345678', 'Invalid: 012345678'),
      refuses('0123456789', 'TooLong', rulesNotRun),
    ],
  }),
  field('a rule over several lines needs a message', 'CRD-R5 CRD-E10', {
    forms: { zod: z.int().meta(rule('self > 0 &&\nself < 9', 'one digit')).optional() },
    cases: [takes(1), takes(undefined), refuses(0, 'Invalid: one digit')],
  }),
  field('reasons', 'CRD-R2', {
    forms: {
      zod: z
        .object({ a: z.int().optional(), b: z.int().optional(), c: z.int().optional() })
        .meta(rule('!has(self.a)', 'no a', { reason: 'FieldValueForbidden', fieldPath: '.a' }))
        .meta(rule('has(self.b)', 'a b', { reason: 'FieldValueRequired', fieldPath: '.b' }))
        .meta(rule('!has(self.c) || self.c != self.b', 'not twice', { reason: 'FieldValueDuplicate', fieldPath: '.c' }))
        .optional(),
    },
    cases: [
      takes({ b: 1 }),
      takes({ b: 1, c: 2 }),
      takes(undefined),
      refuses({ a: 1, b: 1 }, '.a Forbidden: no a'),
      refuses({}, '.b Required: a b'),
      refuses({ b: 1, c: 1 }, '.c Duplicate: Duplicate value'),
      refuses({ a: 1 }, '.a Forbidden', '.b Required'),
    ],
  }),
  field('a path into a map', 'CRD-R4', {
    forms: {
      zod: z
        .object({ m: z.record(z.string(), z.int()).meta(entries({ max: 5 })) })
        .meta(rule('!("k" in self.m) || self.m["k"] > 0', 'k is positive', { fieldPath: ".m['k']" }))
        .optional(),
    },
    cases: [
      takes({ m: {} }),
      takes({ m: { k: 1, a: 1, b: 1, c: 1, d: 1 } }),
      takes(undefined),
      refuses({ m: { k: 0 } }, '.m[k] Invalid: k is positive'),
      refuses({}, '.m Required', rulesNotRun),
      refuses({ m: { a: 'b' } }, '.m.a TypeInvalid', rulesNotRun),
      refuses({ m: { k: 1, a: 1, b: 1, c: 1, d: 1, e: 1 } }, '.m TooMany', rulesNotRun),
    ],
  }),
];

const seeing: readonly Row[] = [
  definition('of metadata, names are seen', 'CRD-R3 CRD-N7 CRD-N9', {
    rest: { rules: [rule('size(self.metadata.name) <= 6', 'a short name, please')] },
    cases: [
      ofObject.takes({ metadata: { name: 'abcdef' }, spec: {} }),
      ofObject.refuses({ metadata: { name: 'abcdefg' }, spec: {} }, 'Invalid: a short name, please'),
    ],
  }),
  definition('of metadata, labels are not seen', 'CRD-R3 CRD-E10', {
    rest: { rules: [rule('has(self.metadata.labels)', 'labels, please')] },
    refusedLater: { code: 'CRD_RULE_INVALID', problems: ['x-kubernetes-validations[0].rule Invalid'] },
  }),
  field('data that nobody described is not seen', 'CRD-R3 CRD-E10', {
    forms: {
      zod: z
        .looseObject({ a: z.string().max(5) })
        .meta(rule('self.b == 1', 'b is 1'))
        .optional(),
    },
    refusedLater: { code: 'CRD_RULE_INVALID', problems: ['x-kubernetes-validations[0].rule Invalid'] },
  }),
  field('what is described beside it is', 'CRD-R3', {
    forms: {
      zod: z
        .looseObject({ a: z.string().max(5) })
        .meta(rule('self.a != "no"', 'not no'))
        .optional(),
    },
    cases: [
      takes({ a: 'yes', b: 1 }),
      takes({ a: 'abcde' }),
      takes(undefined),
      refuses({ a: 'no', b: 1 }, 'Invalid: not no'),
      refuses({}, '.a Required', rulesNotRun),
      refuses({ a: 1 }, '.a TypeInvalid', rulesNotRun),
      refuses({ a: 'abcdef' }, '.a TooLong', rulesNotRun),
    ],
  }),
  field('names are escaped', 'CRD-R10', {
    forms: {
      zod: z
        .object({ 'a-b': z.int(), 'c.d': z.int(), 'e/f': z.int(), g__h: z.int(), in: z.int() })
        .meta(
          rule(
            'self.a__dash__b < 9 && self.c__dot__d < 9 && self.e__slash__f < 9 && self.g__underscores__h < 9 && self.__in__ < 9',
            'one digit',
          ),
        )
        .optional(),
    },
    cases: [
      takes({ 'a-b': 8, 'c.d': 8, 'e/f': 8, g__h: 8, in: 8 }),
      takes(undefined),
      refuses({ 'a-b': 9, 'c.d': 8, 'e/f': 8, g__h: 8, in: 8 }, 'Invalid: one digit'),
      refuses({ 'a-b': 8, 'c.d': 9, 'e/f': 8, g__h: 8, in: 8 }, 'Invalid: one digit'),
      refuses({ 'a-b': 8, 'c.d': 8, 'e/f': 9, g__h: 8, in: 8 }, 'Invalid: one digit'),
      refuses({ 'a-b': 8, 'c.d': 8, 'e/f': 8, g__h: 9, in: 8 }, 'Invalid: one digit'),
      refuses({ 'a-b': 8, 'c.d': 8, 'e/f': 8, g__h: 8, in: 9 }, 'Invalid: one digit'),
      refuses({}, '.a-b Required', '.c.d Required', '.e/f Required', '.g__h Required', '.in Required', rulesNotRun),
    ],
  }),
  field('a null is absent', 'CRD-R10 CRD-D4', {
    forms: {
      zod: z
        .object({ a: z.int().nullable(), b: z.int().optional() })
        .meta(rule('has(self.a) || has(self.b)', 'one of them'))
        .optional(),
    },
    cases: [
      takes({ a: 1 }),
      takes({ a: null, b: 1 }),
      takes(undefined),
      refuses({ a: null }, 'Invalid: one of them'),
      refuses({ b: 1 }, '.a Required', rulesNotRun),
      refuses({ a: 'a', b: 'b' }, '.a TypeInvalid', '.b TypeInvalid', rulesNotRun),
    ],
  }),
  field('an integer or a string, by what it is', 'CRD-R3 CRD-F4', {
    forms: {
      zod: z
        .union([z.int(), z.string()])
        .meta(rule('type(self) == int ? self > 0 : self.endsWith("%")', 'a number or a percentage'))
        .optional(),
    },
    cases: [
      takes(1),
      takes('5%'),
      takes(undefined),
      refuses(0, 'Invalid: a number or a percentage'),
      refuses('5', 'Invalid: a number or a percentage'),
      refuses(true, 'TypeInvalid', '<nil> Invalid'),
    ],
  }),
  field('a rule on items', 'CRD-R1 CRD-A3', {
    forms: {
      zod: z
        .array(z.int().meta(rule('self != 3', 'not 3')))
        .max(5)
        .optional(),
    },
    cases: [
      takes([1, 2]),
      takes(undefined),
      refuses([3, 1, 3], '[0] Invalid: not 3', '[2] Invalid: not 3'),
      refuses(['a'], '[0] TypeInvalid', rulesNotRun),
      refuses([1, 1, 1, 1, 1, 1], 'TooMany', rulesNotRun),
      takes([1, 1, 1, 1, 1]),
    ],
  }),
  field('a rule on values of a map', 'CRD-R1', {
    forms: {
      zod: z
        .record(z.string(), z.int().meta(rule('self != 3', 'not 3')))
        .meta(entries({ max: 2 }))
        .optional(),
    },
    cases: [
      takes({ a: 1, b: 2 }),
      takes(undefined),
      refuses({ a: 3 }, '[a] Invalid: not 3'),
      refuses({ a: 'a' }, '.a TypeInvalid', rulesNotRun),
      refuses({ a: 1, b: 1, c: 1 }, 'TooMany', rulesNotRun),
    ],
  }),
  field('a rule that fails while it runs refuses', 'CRD-A9', {
    forms: { zod: z.array(z.int()).max(5).meta(rule('self[0] > 0', 'the first is positive')).optional() },
    cases: [
      takes([1]),
      takes([1, 1, 1, 1, 1]),
      takes(undefined),
      refuses([0], 'Invalid: the first is positive'),
      refuses([], 'Invalid'),
      refuses([1, 1, 1, 1, 1, 1], 'TooMany', rulesNotRun),
      refuses(['1'], '[0] TypeInvalid', rulesNotRun),
    ],
  }),
];

export const ruleRows: readonly Row[] = [...saying, ...seeing];
