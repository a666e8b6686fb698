import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customResource, entries, immutable, listMap, ResourceError, rule } from './index.ts';

const warningsOf = (x: z.ZodType): string[][] =>
  customResource({ group: 'example.com', version: 'v1', kind: 'Thing', spec: z.object({ x }) })
    .warnings.filter(({ code }) => code === 'CRD_RULE_COST')
    .map(({ path, message, cure }) => [path, message.replace(/^the rule .* may cost too much: /, ''), cure]);

const short = z.string().max(9);

describe('CRD-E11, CRD-R11: what makes a rule dear is named, with a maximum to start from', () => {
  test.each<[string, z.ZodType, string[][]]>([
    [
      'a list above it',
      z.array(short.meta(rule('true'))),
      [['spec.x[*]', 'the list spec.x has no maxItems', 'give a maximum, as .max(100) on spec.x']],
    ],
    [
      'a map above it',
      z.record(z.string(), short.meta(rule('true'))),
      [
        [
          'spec.x[*]',
          'the map spec.x has no maxProperties',
          'give a maximum, as .meta(entries({ max: 100 })) on spec.x',
        ],
      ],
    ],
    [
      'the string it stands on',
      z.string().meta(rule('true')),
      [['spec.x', 'the string spec.x has no maxLength', 'give a maximum, as .max(1024) on spec.x']],
    ],
    [
      'several at once',
      z.array(z.object({ m: z.record(z.string(), z.string().meta(rule('self != ""'))) })),
      [
        [
          'spec.x[*].m[*]',
          'the list spec.x has no maxItems, the map spec.x[*].m has no maxProperties, the string spec.x[*].m[*] has no maxLength',
          'give a maximum, as .max(100) on spec.x and .meta(entries({ max: 100 })) on spec.x[*].m and .max(1024) on spec.x[*].m[*]',
        ],
      ],
    ],
    [
      'a list that it runs through',
      z.object({ 'a-b': z.array(short) }).meta(rule('self.a__dash__b.all(e, e != "")')),
      [['spec.x', 'the list spec.x.a-b has no maxItems', 'give a maximum, as .max(100) on spec.x.a-b']],
    ],
  ])('%s', (_, x, expected) => {
    expect(warningsOf(x)).toEqual(expected);
  });

  test.each<[string, z.ZodType]>([
    ['everything has a maximum', z.array(short.meta(rule('true'))).max(3)],
    ['a map with a maximum', z.record(z.string(), short.meta(rule('true'))).meta(entries({ max: 3 }))],
    ['an enumeration is short', z.enum(['a', 'b']).meta(rule('true'))],
    ['a list it does not run through', z.object({ l: z.array(short) }).meta(rule('size(self.l) > 0'))],
    ['a list that is only named in a text', z.object({ l: z.array(short) }).meta(rule('"self.l.all(" != ""'))],
    ['a list that is bounded', z.object({ l: z.array(short).max(3) }).meta(rule('self.l.all(e, e != "")'))],
  ])('no warning: %s', (_, x) => expect(warningsOf(x)).toEqual([]));
});

describe('CRD-E11: rules that are made here are refused where the server would refuse them, with maxima that fit', () => {
  const problemOf = (x: z.ZodType): string[] => {
    try {
      warningsOf(x);
      return [];
    } catch (error) {
      if (!(error instanceof ResourceError)) throw error;
      return error.problems.map(({ code, path, message, cure }) => `${code} ${path} ${message} -> ${cure}`);
    }
  };
  const keys = z.record(z.string().max(63), short);

  test.each<[string, z.ZodType, string, string]>([
    [
      'keys of records in a list, both without a maximum',
      z.array(z.object({ m: keys })),
      'the rule "self.all(k, size(k) <= 63)" costs 2,473,897 million by the server\'s estimate, which allows 10 million: the list spec.x has no maxItems, the map spec.x[*].m has no maxProperties',
      'give a maximum, as .max(1000) on spec.x and .meta(entries({ max: 1000 })) on spec.x[*].m',
    ],
    [
      'maxima that are too large',
      z.array(z.object({ m: keys.meta(entries({ max: 1000 })) })).max(10_000),
      'the rule "self.all(k, size(k) <= 63)" costs 60 million by the server\'s estimate, which allows 10 million: there are too many values: spec.x takes 10000, spec.x[*].m takes 1000',
      'lower the maxima of spec.x and spec.x[*].m',
    ],
    [
      'an immutable text',
      z.array(z.object({ name: short, m: z.string().meta(immutable()) })).meta(listMap('name')),
      'the rule "self == oldSelf" costs 329,855.8 million by the server\'s estimate, which allows 10 million: the list spec.x has no maxItems, the string spec.x[*].m has no maxLength',
      'give a maximum, as .max(1000) on spec.x and .max(1000) on spec.x[*].m',
    ],
  ])('%s', (_, x, message, cure) => {
    expect(problemOf(x)).toEqual([`CRD_RULE_COST spec.x[*].m ${message} -> ${cure}`]);
  });

  test('what it says to do is enough', () => {
    const bounded = z.array(z.object({ m: keys.meta(entries({ max: 1000 })) })).max(1000);
    expect(warningsOf(bounded)).toEqual([]);
    expect(warningsOf(keys)).toEqual([]);
  });
});
