import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JSONSchemaProps } from '../k8s/apiextensions/v1.ts';
import {
  atLeastOneOf,
  atMostOneOf,
  atomic,
  customResource,
  exactlyOneOf,
  immutable,
  listMap,
  ResourceError,
  rule,
  type RuleReason,
} from './index.ts';

const define = (x: z.ZodType) =>
  customResource({ group: 'example.com', version: 'v1', kind: 'Thing', spec: z.object({ x }) });

function schemaOf(x: z.ZodType): JSONSchemaProps | undefined {
  const { versions } = define(x).manifest().spec;
  return versions[0]?.schema?.openAPIV3Schema?.properties?.['spec']?.properties?.['x'];
}
const rulesOf = (schema: JSONSchemaProps | undefined): string[] =>
  (schema?.['x-kubernetes-validations'] ?? []).map((entry) => entry.rule);

function problemsOf(x: z.ZodType): string[] {
  try {
    define(x);
  } catch (error) {
    if (error instanceof ResourceError) return error.problems.map(({ code, path }) => `${code} ${path}`);
    throw error;
  }
  return [];
}

const short = z.string().max(9);

test('CRD-M21, CRD-R1: a rule is one entry, with the options it was given', () => {
  const x = z
    .object({ a: short.optional() })
    .meta(rule('has(self.a)', 'say a', { reason: 'FieldValueRequired', fieldPath: '.a', messageExpression: '"a"' }));
  expect(schemaOf(x)?.['x-kubernetes-validations']).toEqual([
    { rule: 'has(self.a)', message: 'say a', messageExpression: '"a"', reason: 'FieldValueRequired', fieldPath: '.a' },
  ]);
});

test('a rule refuses an option it does not have: clients would see another reason or place', () => {
  const misspelled = { resaon: 'FieldValueRequired' } as object;
  expect(() => rule('true', 'x', misspelled)).toThrow(
    "rule() has no option 'resaon'; it has messageExpression, reason, fieldPath, optionalOldSelf",
  );
});

describe('CRD-F15: rules of several calls all stay, in one order', () => {
  const [a, b, c] = [rule('self != "a"'), rule('self != "b"'), rule('self != "c"')];
  const expected = ['self != "a"', 'self != "b"', 'self != "c"'];
  test.each([
    ['in one chain', short.meta(a).meta(b).meta(c)],
    ['in another order', short.meta(c).meta(a).meta(b)],
    ['across optional', short.meta(b).optional().meta(c).meta(a)],
    ['across default', short.meta(c).default('x').meta(b).meta(a)],
  ] as [string, z.ZodType][])('%s', (_, x) => expect(rulesOf(schemaOf(x))).toEqual(expected));

  test('a list type stays beside a rule', () => {
    const x = z
      .array(z.object({ n: z.string() }))
      .max(3)
      .meta(listMap('n'))
      .default([])
      .meta(rule('true'));
    expect(schemaOf(x)).toMatchObject({ 'x-kubernetes-list-type': 'map', default: [] });
    expect(rulesOf(schemaOf(x))).toEqual(['true']);
  });
});

describe('CRD-E10: a rule that is declared wrongly', () => {
  test.each([
    ['CRD-R1: the same text twice', short.meta(rule('true', 'a')).meta(rule('true', 'b'))],
    ['an empty rule', short.meta(rule(' '))],
    ['CRD-R2: a reason there is not', short.meta(rule('true', 'm', { reason: 'Bad' as RuleReason }))],
    ['CRD-R4: a field path that leads nowhere', z.object({ a: short }).meta(rule('true', 'm', { fieldPath: '.b' }))],
    [
      'CRD-R4: a field path with an index',
      z.object({ a: z.array(short) }).meta(rule('true', 'm', { fieldPath: '.a[0]' })),
    ],
    ['CRD-R5: a message with a line break', short.meta(rule('true', 'a\nb'))],
    ['CRD-R5: line breaks and no message', short.meta(rule('true &&\ntrue'))],
    ['CRD-R5: a blank message expression', short.meta(rule('true', 'm', { messageExpression: ' ' }))],
    ['CRD-R6: optionalOldSelf without oldSelf', short.meta(rule('true', 'm', { optionalOldSelf: true }))],
    ['CRD-M22: one of a field that is not a field', z.object({ a: short.optional() }).meta(exactlyOneOf('a', 'b'))],
    [
      'CRD-M22: one of a field that is always there',
      z.object({ a: short, b: short.optional() }).meta(atMostOneOf('a', 'b')),
    ],
  ] as [string, z.ZodType][])('%s', (_, x) => expect(problemsOf(x)).toEqual(['CRD_RULE_INVALID spec.x']));

  test('CRD-R4: a key of a map may be named', () => {
    const x = z.object({ m: z.record(z.string(), short) }).meta(rule('true', 'm', { fieldPath: ".m['a.b']" }));
    expect(problemsOf(x)).toEqual([]);
  });

  test.each([
    ['a list', z.array(z.object({ a: short.meta(rule('self == oldSelf')) })), 'spec.x[*].a'],
    ['an atomic object', z.object({ a: short.meta(rule('self == oldSelf')) }).meta(atomic()), 'spec.x.a'],
  ] as [string, z.ZodType, string][])('CRD-R7: oldSelf below %s', (_, x, path) => {
    expect(problemsOf(x)).toEqual([`CRD_RULE_INVALID ${path}`]);
  });

  test('CRD-R7: oldSelf below a list map is fine', () => {
    const item = z.object({ n: short, a: short.meta(rule('self == oldSelf')) });
    expect(problemsOf(z.array(item).max(9).meta(listMap('n')))).toEqual([]);
  });
});

describe('CRD-R4: a field path is one the server follows', () => {
  const shape = z.object({
    a: short,
    'b.c': short,
    m: z.record(z.string(), short),
    any: z.any(),
    loose: z.looseObject({ d: short }),
  });
  const at = (fieldPath: string): string[] => problemsOf(shape.meta(rule('true', 'm', { fieldPath })));

  test.each([['.a'], ["['b.c']"], [".m['k']"], ['.m.k'], ['.any'], ['.loose.d']])('%s', (path) =>
    expect(at(path)).toEqual([]),
  );
  test.each([['a'], [''], ['.b.c'], ['.m["k"]'], ['.b\\.c'], ['.any.x'], ['.loose.x'], ['.a\n'], ['.a[0]']])(
    '%j is refused',
    (path) => expect(at(path)).toEqual(['CRD_RULE_INVALID spec.x']),
  );
});

describe('CRD-R6, CRD-R7: oldSelf is seen wherever an expression can say it', () => {
  const sayings = ['self.all(s, s in oldSelf)', 'self == oldSelf', '(oldSelf) == self', 'size(oldSelf) > 0'];
  const list = z.array(short).max(3);
  test.each(sayings)('%s', (cel) => {
    expect(problemsOf(list.meta(rule(cel, 'm', { optionalOldSelf: true })))).toEqual([]);
    expect(problemsOf(z.array(list.meta(rule(cel, 'm'))).max(3))).toHaveLength(1);
  });
});

describe('CRD-R6: only the variable oldSelf makes a rule a transition rule', () => {
  const optional = { optionalOldSelf: true };
  test.each([
    ['in a text', '"oldSelf" != self'],
    ['in a raw text', 'r"oldSelf\\" != self'],
    ['in a comment', 'self != "" // oldSelf'],
    ['as a field', 'self.oldSelf != ""'],
    ['as an optional field', 'self.?oldSelf.hasValue()'],
  ])('%s it is none', (_, cel) =>
    expect(problemsOf(short.meta(rule(cel, 'm', optional)))).toEqual(['CRD_RULE_INVALID spec.x']),
  );

  test('CRD-R7: a text below a list is fine', () => {
    expect(problemsOf(z.array(short.meta(rule('self != "oldSelf"'))).max(3))).toEqual([]);
  });
});

describe('CRD-R3: a rule stands where CEL has a type', () => {
  test.each<[string, z.ZodType]>([
    ['anything', z.any().meta(rule('true'))],
    ['a list of anything', z.array(z.any()).max(3).meta(rule('true'))],
    ['a map of anything', z.record(z.string(), z.any()).meta(rule('true'))],
    ['anything immutable', z.any().meta(immutable())],
  ])('%s is refused', (_, x) => expect(problemsOf(x)).toEqual(['CRD_RULE_INVALID spec.x']));

  test.each<[string, z.ZodType]>([
    ['a loose object', z.looseObject({}).meta(rule('true'))],
    ['an object with a field of anything', z.object({ a: z.any() }).meta(rule('true'))],
    ['an integer or a string', z.union([z.int(), z.string()]).meta(rule('true'))],
  ])('%s is fine', (_, x) => expect(problemsOf(x)).toEqual([]));
});

describe('CRD-R10: names that CEL cannot write', () => {
  const odd = { $x: short.optional(), 'a b': short.optional() };
  test('are refused by one-of helpers', () => {
    expect(problemsOf(z.object(odd).meta(atMostOneOf('$x', 'a b')))).toEqual([
      'CRD_RULE_INVALID spec.x',
      'CRD_RULE_INVALID spec.x',
    ]);
  });

  test('so are fields without a type, which rules do not see', () => {
    const fields = { a: z.any(), b: z.array(z.any()).optional(), c: short.optional() };
    expect(problemsOf(z.object(fields).meta(exactlyOneOf('a', 'c')))).toEqual(['CRD_RULE_INVALID spec.x']);
    expect(problemsOf(z.object(fields).meta(exactlyOneOf('b', 'c')))).toEqual(['CRD_RULE_INVALID spec.x']);
  });

  test('are refused by immutable() where it must forbid to take them away', () => {
    expect(problemsOf(z.object({ $x: short.optional().meta(immutable()) }))).toEqual(['CRD_RULE_INVALID spec.x.$x']);
    expect(problemsOf(z.object({ $x: short.meta(immutable()) }))).toEqual([]);
  });
});

test('a wrong rule of the object as a whole is named by its place in the definition', () => {
  const broken = (): unknown =>
    customResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
      spec: z.object({}),
      rules: [rule(' ')],
      versions: { v1alpha1: { spec: z.object({}), rules: [rule('true', 'a\nb')] } },
    });
  expect(broken).toThrow(/- rules: the rule " " is empty[^]*- versions\.v1alpha1\.rules: the rule "true" has a blank/);
});

describe('CRD-R8, CRD-R10, CRD-M22: one-of helpers', () => {
  const fields = {
    a: short.optional(),
    'b-c': short.optional(),
    in: short.optional(),
    d__e: short.optional(),
    'f.g/h': short.optional(),
  };
  test.each([
    [
      'at most one',
      atMostOneOf('a', 'b-c'),
      '(has(self.a) ? 1 : 0) + (has(self.b__dash__c) ? 1 : 0) <= 1',
      'at most one of a, b-c must be set',
    ],
    [
      'exactly one',
      exactlyOneOf('a', 'in'),
      '(has(self.a) ? 1 : 0) + (has(self.__in__) ? 1 : 0) == 1',
      'exactly one of a, in must be set',
    ],
    [
      'one whose name has a dot and a slash',
      atLeastOneOf('a', 'f.g/h'),
      'has(self.a) || has(self.f__dot__g__slash__h)',
      'at least one of a, f.g/h must be set',
    ],
    [
      'at least one',
      atLeastOneOf('a', 'd__e'),
      'has(self.a) || has(self.d__underscores__e)',
      'at least one of a, d__e must be set',
    ],
  ] as const)('%s', (_, helper, cel, message) => {
    expect(schemaOf(z.object(fields).meta(helper))?.['x-kubernetes-validations']).toEqual([{ rule: cel, message }]);
  });
});

describe('CRD-R9, CRD-M23: immutable()', () => {
  test('a required field cannot change; its parent needs no guard', () => {
    const x = schemaOf(z.object({ a: short.meta(immutable()) }));
    expect(rulesOf(x?.properties?.['a'])).toEqual(['self == oldSelf']);
    expect(rulesOf(x)).toEqual([]);
  });

  test('an optional field cannot be taken away either, nor can what it stands in', () => {
    const inner = z.object({ f: short.optional().meta(immutable()), 'g.h': short.meta(immutable()) });
    const x = schemaOf(z.object({ p: inner.optional() }));
    expect(rulesOf(x?.properties?.['p'])).toEqual(['!has(oldSelf.f) || has(self.f)']);
    expect(rulesOf(x)).toEqual([
      '!has(oldSelf.p) || !has(oldSelf.p.f) || has(self.p)',
      '!has(oldSelf.p) || has(self.p)',
    ]);
  });

  test('null is absent to a rule, so what may be null is guarded as what is optional', () => {
    const guard = ['!has(oldSelf.a) || has(self.a)'];
    expect(rulesOf(schemaOf(z.object({ a: short.nullable().meta(immutable()) })))).toEqual(guard);
    expect(rulesOf(schemaOf(z.object({ a: z.object({ b: short.meta(immutable()) }).nullable() })))).toEqual(guard);
    expect(rulesOf(schemaOf(z.object({ a: short.nullable().default('x').meta(immutable()) })))).toEqual(guard);
  });

  test('in a list map each item is held by itself', () => {
    const item = z.object({ n: short, v: short.optional().meta(immutable()) });
    const x = schemaOf(z.array(item).max(3).meta(listMap('n')));
    expect(rulesOf(x?.items)).toEqual(['!has(oldSelf.v) || has(self.v)']);
    expect(rulesOf(x)).toEqual([]);
  });

  test('a field with a default comes back by itself', () => {
    expect(rulesOf(schemaOf(z.object({ a: short.default('x').meta(immutable()) })))).toEqual([]);
  });
});

describe('CRD-E11: a rule that may cost too much warns', () => {
  const warningsOf = (x: z.ZodType): string[] => define(x).warnings.map(({ code, path }) => `${code} ${path}`);
  test.each([
    ['below a list without a maximum', z.array(short.meta(rule('true'))), ['CRD_RULE_COST spec.x[*]']],
    ['below a map without a maximum', z.record(z.string(), short.meta(rule('true'))), ['CRD_RULE_COST spec.x[*]']],
    ['on a string without a maximum', z.string().meta(rule('true')), ['CRD_RULE_COST spec.x']],
    ['below a list with one', z.array(short.meta(rule('true'))).max(3), []],
    ['on an object', z.object({ a: z.string() }).meta(rule('true')), []],
  ] as [string, z.ZodType, string[]][])('%s', (_, x, expected) => expect(warningsOf(x)).toEqual(expected));
});
