// Rules that Kilter makes cost by its own reckoning what they cost by the server's: both end at the same maximum.
import { KilterError } from 'kilter';
import { atLeastOneOf, atMostOneOf, customResource, entries, exactlyOneOf, immutable, listMap, rule } from 'kilter/crd';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type DefinedKind, validate } from '../src/validate/index.ts';

const kindOf = (x: z.ZodType): DefinedKind =>
  customResource({ group: 'example.com', version: 'v1', kind: 'Thing', spec: z.object({ x }) });

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof KilterError) return error.code;
    throw error;
  }
}

const judged = (x: z.ZodType): unknown => validate(kindOf(x), { spec: {} });
const isTaken = (x: z.ZodType): boolean => codeOf(() => kindOf(x)) === undefined;

/** The largest maximum that the definition takes. */
function edge(make: (max: number) => z.ZodType): number {
  let [taken, refused] = [1, 2 ** 33];
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    if (isTaken(make(middle))) taken = middle;
    else refused = middle;
  }
  return taken;
}

const below = (x: z.ZodType, max: number): z.ZodType => z.array(z.object({ x })).max(max);
const short = z.string().max(10);

/** A schema of some maximum as Kilter makes its rule, and as somebody would write the same rule by hand. */
interface Pair {
  readonly made: (max: number) => z.ZodType;
  readonly written: (max: number) => z.ZodType;
}

const keyed = (keys: z.core.$ZodRecordKey, cel: string, values: z.ZodType = short): Pair => ({
  made: (max) => below(z.record(keys, values).meta(entries({ max: 10 })), max),
  written: (max) =>
    below(
      z
        .record(z.string(), values)
        .meta(entries({ max: 10 }))
        .meta(rule(`self.all(k, ${cel})`, 'm')),
      max,
    ),
});

const named = z.object({ a: z.string().optional(), b: z.string().optional(), c: z.string().optional() });
const onObject = (metadata: Record<string, unknown>, cel: string): Pair => ({
  made: (max) => below(named.meta(metadata), max),
  written: (max) => below(named.meta(rule(cel, 'm')), max),
});

const inListMap = (item: z.ZodType, metadata: Record<string, unknown>, max: number): z.ZodType =>
  z
    .array(z.object({ name: z.string().max(9), x: item.meta(metadata) }))
    .meta(listMap('name'))
    .max(max);
const unchanging = (item: z.ZodType): Pair => ({
  made: (max) => inListMap(item, immutable(), max),
  written: (max) => inListMap(item, rule('self == oldSelf', 'm'), max),
});

const counted = '(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.c) ? 1 : 0)';

const pairs: Readonly<Record<string, Pair>> = {
  'keys of some length': keyed(z.string().min(2).max(9), 'size(k) >= 2 && size(k) <= 9'),
  'keys with a pattern': keyed(z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), 'k.matches("^[a-z0-9]+(-[a-z0-9]+)*$")'),
  'keys with a pattern outside of ASCII': keyed(z.string().regex(/^[äöüß…]+$/), 'k.matches("^[äöüß…]+$")'),
  'keys of two kinds': keyed(
    z.union([z.string().regex(/^a/), z.string().max(3)]) as never,
    '(k.matches("^a") || size(k) <= 3)',
  ),
  'keys with a pattern, of a map of lists': keyed(z.string().regex(/^a/), 'k.matches("^a")', z.array(z.int())),
  'enumerated keys': {
    made: (max) => below(z.partialRecord(z.enum(['a', 'b', 'c']), short), max),
    written: (max) =>
      below(
        z
          .record(z.string(), short)
          .meta(entries({ max: 3 }))
          .meta(rule('self.all(k, k in ["a","b","c"])', 'm')),
        max,
      ),
  },
  'keys of a map alone': {
    made: (max) => z.record(z.string().regex(/^a/), short).meta(entries({ max })),
    written: (max) =>
      z.record(z.string(), short).meta(entries({ max })).meta(rule('self.all(k, k.matches("^a"))', 'm')),
  },
  'at most one of three': onObject(atMostOneOf('a', 'b', 'c'), `${counted} <= 1`),
  'exactly one of three': onObject(exactlyOneOf('a', 'b', 'c'), `${counted} == 1`),
  'at least one of three': onObject(atLeastOneOf('a', 'b', 'c'), 'has(self.a) || has(self.b) || has(self.c)'),
  'an immutable text': unchanging(z.string().max(1000)),
  'an immutable text of any length': unchanging(z.string()),
  'an immutable number': unchanging(z.int()),
  'an immutable list of any length': unchanging(z.array(z.object({ a: z.int(), b: z.boolean() }))),
  'an immutable map of any length': unchanging(z.record(z.string(), z.iso.datetime())),
  'a field that cannot be taken away': {
    made: (max) => inListMap(z.int().meta(immutable()).optional(), {}, max),
    written: (max) =>
      z
        .array(
          z
            .object({ name: z.string().max(9), x: z.int().optional() })
            .meta(rule('!has(oldSelf.x) || has(self.x)', 'm')),
        )
        .meta(listMap('name'))
        .max(max),
  },
  'a field further down that cannot be taken away': {
    made: (max) => inListMap(z.object({ a: z.int().meta(immutable()).optional() }).optional(), {}, max),
    written: (max) =>
      z
        .array(
          z
            .object({ name: z.string().max(9), x: z.object({ a: z.int().optional() }).optional() })
            .meta(rule('!has(oldSelf.x) || !has(oldSelf.x.a) || has(self.x)', 'm')),
        )
        .meta(listMap('name'))
        .max(max),
  },
  'an immutable enumeration': unchanging(z.enum(['a', 'bb'])),
};

describe('CRD-R11, CRD-E11: the price of rules that Kilter makes', () => {
  test.each(Object.entries(pairs))('%s', (_, { made, written }) => {
    const max = edge(made);
    expect(max).toBeLessThan(2 ** 33 - 1);
    expect(codeOf(() => judged(made(max)))).toBeUndefined();
    expect(codeOf(() => judged(written(max)))).toBeUndefined();
    expect(codeOf(() => kindOf(made(max + 1)))).toBe('CRD_RULE_COST');
    expect(codeOf(() => judged(written(max + 1)))).toBe('CRD_RULE_COST');
  });

  const open: Readonly<Record<string, [made: z.ZodType, written: z.ZodType]>> = {
    'a map alone fits': [
      z.record(z.string().max(9), z.string()),
      z.record(z.string(), z.string()).meta(rule('self.all(k, size(k) <= 9)', 'm')),
    ],
    'a long pattern does not': [
      z.record(z.string().regex(new RegExp(`^(${'[a-z]'.repeat(30)})$`)), z.string()),
      z.record(z.string(), z.string()).meta(rule(`self.all(k, k.matches("^(${'[a-z]'.repeat(30)})$"))`, 'm')),
    ],
    'maps in a list do not': [
      z.array(z.object({ x: z.record(z.string().max(9), z.string()) })),
      z.array(z.object({ x: z.record(z.string(), z.string()).meta(rule('self.all(k, size(k) <= 9)', 'm')) })),
    ],
    'what fills a request by its names fits': [
      z.array(
        z.object({
          ['n'.repeat(300)]: z.int(),
          x: z.object({ a: z.int().optional(), b: z.int().optional() }).meta(atMostOneOf('a', 'b')),
        }),
      ),
      z.array(
        z.object({
          ['n'.repeat(300)]: z.int(),
          x: z
            .object({ a: z.int().optional(), b: z.int().optional() })
            .meta(rule('(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1', 'm')),
        }),
      ),
    ],
  };
  test.each(Object.entries(open))('without a maximum: %s', (_, [made, written]) => {
    const code = codeOf(() => kindOf(made));
    expect(codeOf(() => judged(written))).toBe(code);
    if (code === undefined) expect(codeOf(() => judged(made))).toBeUndefined();
  });

  test('all together', () => {
    const many = (count: number, part: z.ZodType): z.ZodType =>
      z.object(Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, part])));
    const most = entries({ max: 1_600_000 });
    const made = z.record(z.string().regex(/^a/), short).meta(most).optional();
    const written = z.record(z.string(), short).meta(most).meta(rule('self.all(k, k.matches("^a"))', 'm')).optional();
    expect(codeOf(() => judged(many(12, made)))).toBeUndefined();
    expect(codeOf(() => judged(many(12, written)))).toBeUndefined();
    expect(codeOf(() => kindOf(many(13, made)))).toBe('CRD_RULE_COST');
    expect(codeOf(() => judged(many(13, written)))).toBe('CRD_RULE_COST');
  });
});
