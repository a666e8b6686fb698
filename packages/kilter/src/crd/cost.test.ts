import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customResource, entries, rule } from './index.ts';

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
