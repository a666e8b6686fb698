// What rules may cost, by estimate and when they run.
import { entries, immutable, listMap, rule } from 'kilter/crd';
import { z } from 'zod';
import { field, ofX, type Row, rulesNotRun } from './row.test-support.ts';

const { takes, refuses } = ofX;

const words = (length: number, items?: number): z.ZodType =>
  items === undefined ? z.array(z.string().max(length)) : z.array(z.string().max(length)).max(items);

const tooDear = (
  title: string,
  x: z.ZodType,
  problems: readonly string[] = ['[0].rule Forbidden', 'openAPIV3Schema Forbidden'],
): Row => field(title, 'CRD-R11 CRD-E11', { forms: { zod: x }, refusedLater: { code: 'CRD_RULE_COST', problems } });

/** What rules may cost by estimate, on both sides of the limit. */
const estimated: readonly Row[] = [
  tooDear(
    'every item with every other, without a maximum',
    z.array(z.int()).meta(rule('self.all(a, self.all(b, a >= b || b > a))', 'm')),
  ),
  tooDear(
    'every string with every other, of any length',
    z.array(z.string()).max(100).meta(rule('self.all(a, self.all(b, a == b))', 'm')),
  ),
  tooDear(
    'one text in another, of any length',
    z.object({ a: z.string(), b: z.string() }).meta(rule('self.a.contains(self.b)', 'm')),
  ),
  tooDear(
    'a long pattern on a text of any length',
    z.string().meta(rule(`self.matches("${'[a-z]'.repeat(40)}")`, 'm')),
    ['[0].rule Forbidden'],
  ),
  tooDear(
    'a rule on every item of a list without a maximum',
    z.array(z.string().max(1000).meta(rule('self.matches("^[a-z0-9]+$")', 'm'))),
  ),
  tooDear(
    'a rule on every value of a map without a maximum',
    z.record(z.string(), z.string().max(1000).meta(rule('self.matches("^[a-z0-9]+$")', 'm'))),
  ),
  tooDear(
    'three lists in each other',
    z.array(z.int()).max(300).meta(rule('self.all(a, self.all(b, self.all(c, a + b > c)))', 'm')),
  ),
  tooDear(
    'a list as long as its text',
    z.string().max(300).meta(rule('self.split("").all(c, self.contains(c))', 'm')),
    ['[0].rule Forbidden'],
  ),
  tooDear(
    'a message of any length',
    z
      .object({ s: z.string(), n: z.int() })
      .meta(rule('self.n > 0', 'm', { messageExpression: 'self.s.contains(self.s) ? "a" : "b"' })),
    ['[0].messageExpression Forbidden', 'openAPIV3Schema Forbidden'],
  ),
  tooDear(
    'sets of strings without a maximum',
    z.object({ a: words(10), b: words(10) }).meta(rule('sets.contains(self.a, self.b)', 'm')),
  ),
  tooDear('sorted and without a maximum', z.array(z.int()).meta(rule('self.sort() == self', 'm'))),
  tooDear(
    'none too dear, all together',
    z.object(
      Object.fromEntries(
        Array.from({ length: 21 }, (_, index) => [
          `f${index}`,
          z.array(z.int()).max(1000).meta(rule('self.all(a, self.all(b, a >= 0))', 'm')).optional(),
        ]),
      ),
    ),
    ['openAPIV3Schema Forbidden', '[0].rule Forbidden'],
  ),
  field('every item with every other, with a maximum', 'CRD-R11 CRD-E11', {
    forms: {
      zod: z.array(z.int()).max(1000).meta(rule('self.all(a, self.all(b, a == b))', 'all the same')).optional(),
    },
    cases: [
      takes([1, 1]),
      takes(undefined),
      refuses([1, 2], 'Invalid: all the same'),
      refuses(['a'], '[0] TypeInvalid', rulesNotRun),
      refuses(
        Array.from({ length: 1001 }, () => 1),
        'TooMany',
        rulesNotRun,
      ),
      takes(Array.from({ length: 40 }, () => 1)),
    ],
    equivalent: { 'spec.x maxItems 999': 'a list of so many items costs more than a rule may: no object can show it' },
  }),
  field('one text in another, of some length', 'CRD-R11 CRD-E11', {
    forms: {
      zod: z
        .object({ a: z.string().max(1000), b: z.string().max(10) })
        .meta(rule('self.a.contains(self.b)', 'a has b'))
        .optional(),
    },
    cases: [
      takes({ a: 'abc', b: 'b' }),
      takes({ a: 'b'.repeat(1000), b: 'b'.repeat(10) }),
      takes(undefined),
      refuses({ a: 'a', b: 'b' }, 'Invalid: a has b'),
      refuses({}, '.a Required', '.b Required', rulesNotRun),
      refuses({ a: 1, b: 1 }, '.a TypeInvalid', '.b TypeInvalid', rulesNotRun),
      refuses({ a: 'b'.repeat(1001), b: 'b'.repeat(11) }, '.a TooLong', '.b TooLong', rulesNotRun),
    ],
  }),
  field('a pattern on a text of any length', 'CRD-R11 CRD-E11', {
    forms: { zod: z.string().meta(rule('self.matches("^[a-z]+$")', 'letters')).optional() },
    warns: ['CRD_RULE_COST spec.x'],
    cases: [takes('abc'), takes(undefined), refuses('a1', 'Invalid: letters'), refuses(1, 'TypeInvalid', rulesNotRun)],
  }),
  field('a rule on every item of a list with a maximum', 'CRD-R11 CRD-E11', {
    forms: {
      zod: z
        .array(z.string().max(100).meta(rule('self.matches("^[a-z0-9]+$")', 'letters and digits')))
        .max(100)
        .optional(),
    },
    warns: [],
    cases: [
      takes(['a', '1']),
      takes(Array.from({ length: 100 }, () => 'a'.repeat(100))),
      takes(undefined),
      refuses(['a', '?'], '[1] Invalid: letters and digits'),
      refuses([1], '[0] TypeInvalid', rulesNotRun),
      refuses(
        Array.from({ length: 101 }, () => 'a'),
        'TooMany',
        rulesNotRun,
      ),
      refuses(['a'.repeat(101)], '[0] TooLong', rulesNotRun),
    ],
  }),
  field('a rule that only looks at sizes', 'CRD-R11', {
    forms: {
      zod: z
        .object({ a: z.array(z.string()), b: z.string() })
        .meta(rule('size(self.a) > 0 && size(self.b) < 9', 'sizes'))
        .optional(),
    },
    cases: [
      takes({ a: [''], b: '' }),
      takes(undefined),
      refuses({ a: [], b: '' }, 'Invalid: sizes'),
      refuses({ a: [''], b: '123456789' }, 'Invalid: sizes'),
      refuses({}, '.a Required', '.b Required', rulesNotRun),
      refuses({ a: [1], b: 1 }, '.a[0] TypeInvalid', '.b TypeInvalid', rulesNotRun),
    ],
  }),
];

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** A step of 10,030, so that few of them cost as much as an evaluation may. */
const dearStep = (name: string): string =>
  `self.all(${name}, ${name} >= 0 && "${'a'.repeat(4000)}".matches("${'a'.repeat(100)}"))`;
const tooMany = 'a list of so many items costs more than a rule may: no object can show it';

/** What rules may cost when they run. */
const running: readonly Row[] = [
  field('one evaluation that costs too much', 'CRD-R11', {
    forms: {
      zod: z
        .array(z.int())
        .max(990)
        .meta(rule(dearStep('a'), 'no'))
        .optional(),
    },
    cases: [
      takes(numbers(99)),
      takes(undefined),
      refuses(
        numbers(100),
        "Invalid: 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: no",
      ),
      refuses([-1], 'Invalid: no'),
      refuses(['a'], '[0] TypeInvalid', rulesNotRun),
      refuses(numbers(991), 'TooMany', rulesNotRun),
    ],
    equivalent: { 'spec.x maxItems 989': tooMany },
  }),
  field('an object whose rules cost too much together', 'CRD-R11', {
    forms: {
      zod: z
        .array(
          z
            .array(z.int())
            .max(99)
            .meta(rule(dearStep('a'), 'no'))
            .meta(rule(dearStep('b'), 'none')),
        )
        .max(10)
        .optional(),
    },
    cases: [
      takes(numbers(5).map(() => numbers(99))),
      takes(undefined),
      refuses(
        numbers(7).map(() => numbers(99)),
        '[5] Invalid: validation failed due to running out of cost budget, no further validation rules will be run',
      ),
      refuses([[-1]], '[0] Invalid: no', '[0] Invalid: none'),
      refuses([1], '[0] TypeInvalid', rulesNotRun),
      refuses([['a']], '[0][0] TypeInvalid', rulesNotRun),
      refuses([numbers(100)], '[0] TooMany', rulesNotRun),
      refuses(
        numbers(11).map(() => []),
        'TooMany',
        rulesNotRun,
      ),
      takes(numbers(10).map(() => [])),
    ],
  }),
];

/** Keys of maps in a list: the rule that Kilter makes of them, and the same one by hand, at the last maximum that fits and beyond. */
const mapsOfKeys = (max: number): z.ZodType =>
  z
    .array(
      z.object({
        m: z
          .record(z.string().regex(/^[a-z]+$/), z.int())
          .meta(entries({ max: 10 }))
          .optional(),
      }),
    )
    .max(max)
    .optional();
const mapsByHand = (max: number): z.ZodType =>
  z
    .array(
      z.object({
        m: z
          .record(z.string(), z.int())
          .meta(entries({ max: 10 }))
          .meta(rule('self.all(k, k.matches("^[a-z]+$"))', 'm'))
          .optional(),
      }),
    )
    .max(max)
    .optional();
const costRule = ['CRD_RULE_COST spec.x[*].m'];
/** Of 62 for ten keys: 2, and 6 for each. */
const lastThatFits = Math.floor(10_000_000 / 62);

const made: readonly Row[] = [
  field('keys of maps in a list, as many as fit', 'CRD-R11 CRD-E11 CRD-M6', {
    forms: { zod: mapsOfKeys(lastThatFits) },
    warns: [],
    cases: [
      takes([{ m: { a: 1 } }, {}]),
      refuses([{ m: { a: 1 } }, { m: { A: 1 } }], '[1].m Invalid: keys must satisfy: k.matches("^[a-z]+$")'),
    ],
    equivalent: { '*': 'what this row is about is that the server takes its definition' },
  }),
  field('keys of maps in a list, more than fit', 'CRD-R11 CRD-E11', {
    forms: { zod: mapsOfKeys(lastThatFits + 1) },
    refused: costRule,
  }),
  tooDear('keys of maps in a list, more than fit, by hand', mapsByHand(lastThatFits + 1), ['[0].rule Forbidden']),
  field('keys of maps in a list without a maximum', 'CRD-R11 CRD-E11', {
    forms: { zod: z.array(z.object({ m: z.record(z.string().max(63), z.string()) })) },
    refused: costRule,
  }),
  tooDear(
    'keys of maps in a list without a maximum, by hand',
    z.array(z.object({ m: z.record(z.string(), z.string()).meta(rule('self.all(k, size(k) <= 63)', 'm')) })),
  ),
  field('an immutable text of any length in a list map without a maximum', 'CRD-R11 CRD-E11', {
    forms: {
      zod: z.array(z.object({ name: z.string(), m: z.string().meta(immutable()) })).meta(listMap('name')),
    },
    refused: costRule,
  }),
  tooDear(
    'an immutable text of any length in a list map without a maximum, by hand',
    z.array(z.object({ name: z.string(), m: z.string().meta(rule('self == oldSelf', 'm')) })).meta(listMap('name')),
  ),
];

export const costRows: readonly Row[] = [...estimated, ...running, ...made];
