// What rules say of values: each value beside what the server makes of it.
import type { Json, JsonObject } from 'kilter/api';
import { entries, rule } from 'kilter/crd';
import { z } from 'zod';
import { type Case, type Row, spec } from './row.test-support.ts';

interface Verdicts {
  readonly holds: readonly Json[];
  readonly fails: readonly Json[];
  /** The rule cannot be evaluated: a refusal, in the words of the evaluator. */
  readonly breaks?: readonly Json[];
}

/** A rule, the values it is about, and what becomes of each. */
interface Judged extends Verdicts {
  readonly cel: string;
  readonly schema: z.ZodType;
}

const over =
  (schema: z.ZodType) =>
  (cel: string, verdicts: Verdicts): Judged => ({ cel, schema, ...verdicts });

/** Many rules in one definition, each on its own field: a refusal names the rule. */
function row(title: string, rules: readonly Judged[]): Row {
  const name = (index: number): string => `r${index}`;
  const fields = rules.map(({ cel, schema }, index) => [name(index), schema.meta(rule(cel, cel)).optional()] as const);
  const cases = rules.flatMap(({ cel, holds, fails, breaks = [] }, index): Case[] => {
    const wrap = (value: Json): JsonObject => ({ spec: { [name(index)]: value } });
    const refused = (value: Json, problem: string): Case => ({
      act: 'create',
      object: wrap(value),
      problems: [`spec.${name(index)} ${problem}`],
    });
    return [
      ...holds.map((value): Case => ({ act: 'create', object: wrap(value), stored: wrap(value) })),
      ...fails.map((value) => refused(value, `Invalid: ${cel}`)),
      ...breaks.map((value) => refused(value, 'Invalid')),
    ];
  });
  return spec(`values: ${title}`, 'CRD-R1 CRD-R10', {
    forms: { zod: z.object(Object.fromEntries(fields)) },
    cases,
    equivalent: { '*': 'shown by other rows; this one is about its rules' },
  });
}

const short = z.string().max(40);
const text = over(short);
const integer = over(z.int());
const double = over(z.number());
const list = over(z.array(z.int()).max(5));
const map = over(z.record(z.string(), short).meta(entries({ max: 5 })));
const object = over(z.object({ a: short.optional(), b: short.optional() }));
const either = over(z.union([z.int(), z.string()]));
const time = over(z.iso.datetime());

const texts: readonly Judged[] = [
  text('self.contains("ab") && !self.endsWith("z")', { holds: ['ab', 'x ab'], fails: ['abz', 'a b', ''] }),
  text('self.matches("^[a-z]+(-[a-z]+)*$")', { holds: ['a', 'a-b'], fails: ['-a', 'a-', 'A', ''] }),
  text('self.matches("b+")', { holds: ['b', 'abbc'], fails: ['a', ''] }),
  text('self.indexOf("-") == 1 && self.lastIndexOf("-") == 3', { holds: ['a-b-c'], fails: ['a-b', '-a-b', 'a-b-c-'] }),
  text('self.size() < 2 || self.substring(1) == "bc"', { holds: ['abc', 'x', ''], fails: ['abd', 'bc'] }),
  text('self.substring(1, 3) == "bc"', { holds: ['abc', 'abcd'], fails: ['abd'], breaks: ['ab', ''] }),
  text('self.trim() == self', { holds: ['a', 'a b', ''], fails: [' a', 'a ', '\ta'] }),
  text('self.lowerAscii() == self', { holds: ['abc', 'ÄÖ', ''], fails: ['Abc', 'aB'] }),
  text('self.split(",").all(p, p.size() > 0)', { holds: ['a', 'a,b'], fails: ['', 'a,', ','] }),
  text('self.split(",", 2).size() == 2', { holds: ['a,b', 'a,b,c'], fails: ['', 'a'] }),
  text('self.charAt(0) in ["a", "b"]', { holds: ['a', 'bcd'], fails: ['c', ''] }),
  text('self.replace("a", "") == "bb"', { holds: ['bb', 'abab'], fails: ['b', 'aab'] }),
  text('self.find("[0-9]+") == "42"', { holds: ['a42b', '42'], fails: ['4', 'a', '142'] }),
  text('self.findAll("[a-z]").size() == 2', { holds: ['a1b', 'ab'], fails: ['a', 'abc', 'AB'] }),
  text('size(self) == 2', { holds: ['ab', 'éé', '😀😀'], fails: ['a', '😀', 'abc'] }),
  text('self < "b"', { holds: ['a', 'Z', 'azz', ''], fails: ['b', 'c'] }),
  text('"%s=%d".format([self, self.size()]) == "ab=2"', { holds: ['ab'], fails: ['abc', 'a'] }),
  text('int(self) > 5', { holds: ['6', '10'], fails: ['5', '-6'], breaks: ['x', '', '5.5'] }),
  text('double(self) < 1.5', { holds: ['1', '-3.5', '1e-3'], fails: ['1.5', '2'], breaks: ['one'] }),
  text('duration(self) <= duration("1h")', { holds: ['30s', '1h', '59m59s'], fails: ['61m'], breaks: ['1d', 'soon'] }),
  text('timestamp(self).getFullYear() >= 2026', {
    holds: ['2026-01-01T00:00:00Z', '2026-06-01T00:00:00.5Z'],
    fails: ['2025-12-31T23:59:59Z', '2026-01-01T00:00:00+14:00'],
    breaks: ['today', '2026-01-01'],
  }),
];

const libraries: readonly Judged[] = [
  text('isQuantity(self) && quantity(self).isGreaterThan(quantity("100m"))', {
    holds: ['1', '101m', '1Gi'],
    fails: ['100m', '0.1', 'x', '-1', '1 Gi'],
  }),
  text('quantity(self).isInteger()', {
    holds: ['1', '1Ki', '1k', '1e3', '0'],
    // By the unit that is written, not by the amount.
    fails: ['1m', '0.5', '1000m', '1.0', '0.5Ki', '1Ei', '0m'],
    breaks: ['one'],
  }),
  text('(quantity(self).add(quantity("1"))).isInteger()', { holds: ['1', '1k', '0'], fails: ['1000m', '1.5Gi'] }),
  text('isIP(self) && ip(self).family() == 6', {
    holds: ['::1', '2001:db8::1'],
    fails: ['10.0.0.1', 'x', '::ffff:1.2.3.4'],
  }),
  text('ip(self).isLoopback()', { holds: ['127.0.0.1', '::1'], fails: ['10.0.0.1'], breaks: ['localhost'] }),
  text('isCIDR(self) && cidr("10.0.0.0/8").containsCIDR(self)', {
    holds: ['10.0.0.0/8', '10.1.0.0/16'],
    fails: ['11.0.0.0/8', '10.0.0.0/7', '10.0.0.1'],
  }),
  text('isURL(self) && url(self).getScheme() in ["https", "wss"]', {
    holds: ['https://a', 'wss://b/c'],
    fails: ['http://a', '/a', 'a b'],
  }),
  text('url(self).getPort() == "" || int(url(self).getPort()) > 1023', {
    holds: ['https://a', 'https://a:8443'],
    fails: ['https://a:80'],
    breaks: ['a b'],
  }),
  text('isSemver(self) && semver(self).major() >= 2', {
    holds: ['2.0.0', '3.1.4-rc.1'],
    fails: ['1.9.9', '2.0', 'v2.0.0'],
  }),
  text('!format.dns1123Label().validate(self).hasValue()', { holds: ['a', 'a-1'], fails: ['A', 'a.b', '-a', ''] }),
  text('!format.uuid().validate(self).hasValue()', {
    holds: ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
    fails: ['f81d4fae', ''],
  }),
];

const numbers: readonly Judged[] = [
  integer('self / 2 * 2 == self', { holds: [4, 0, -2], fails: [3, -3] }),
  integer('100 / self > 9', { holds: [10, 1], fails: [11, -5], breaks: [0] }),
  integer('self % 3 == 0 || self == -1', { holds: [3, 0, -1, -3], fails: [2, -2] }),
  integer('self > 5 ? self < 10 : self == 0', { holds: [6, 9, 0], fails: [10, 1] }),
  integer('uint(self) < 3u', { holds: [0, 2], fails: [3], breaks: [-1] }),
  integer('self in [1, 2, 3]', { holds: [1, 3], fails: [0, 4] }),
  integer('string(self).size() == 2', { holds: [10, -1], fails: [1, 100] }),
  double('self > 0.5 && self < 1.5', { holds: [1, 0.75], fails: [0.5, 1.5, -1] }),
  double('int(self) == 2', { holds: [2, 2.5], fails: [3.1, 1.9] }),
  over(z.boolean())('self', { holds: [true], fails: [false] }),
  either('type(self) == int ? int(self) >= 1 : string(self).endsWith("%")', {
    holds: [1, '5%'],
    fails: [0, '5', ''],
  }),
  time('self.getDayOfWeek() == 0 && self.getHours() < 12', {
    holds: ['2026-01-04T03:00:00Z'],
    fails: ['2026-01-04T12:00:00Z', '2026-01-05T03:00:00Z'],
  }),
  time('self < timestamp("2026-01-01T00:00:00Z") + duration("24h")', {
    holds: ['2026-01-01T23:59:59Z', '1999-01-01T00:00:00Z'],
    fails: ['2026-01-02T00:00:00Z'],
  }),
];

const collections: readonly Judged[] = [
  list('self.all(v, v > 0) && self.exists_one(v, v == 1)', { holds: [[1], [1, 2]], fails: [[1, 1], [0, 1], []] }),
  list('self.isSorted()', { holds: [[], [1, 2, 2]], fails: [[2, 1]] }),
  list('self.sum() <= 10', { holds: [[], [10], [5, 5]], fails: [[11], [5, 6]] }),
  list('self == [1, 2]', { holds: [[1, 2]], fails: [[2, 1], [1], [1, 2, 3], []] }),
  list('self[0] == 1', { holds: [[1], [1, 0]], fails: [[2]], breaks: [[]] }),
  list('self.filter(v, v > 1).map(v, v * v).sum() == 13', {
    holds: [
      [2, 3],
      [1, 3, 2],
    ],
    fails: [[2], []],
  }),
  list('sets.contains([1, 2, 3], self)', { holds: [[], [1, 3]], fails: [[4], [1, 4]] }),
  list('self.indexOf(7) == self.lastIndexOf(7)', { holds: [[], [7], [1, 7]], fails: [[7, 7]] }),
  list('self.all(i, v, i == v)', { holds: [[], [0, 1]], fails: [[1], [0, 2]] }),
  list('self.max() - self.min() < 3', { holds: [[1], [1, 3]], fails: [[1, 4]], breaks: [[]] }),
  list('(self + [9]).size() == 3', { holds: [[1, 2]], fails: [[], [1, 2, 3]] }),
  map('self.all(k, self[k] != "")', { holds: [{}, { a: 'b' }], fails: [{ a: '' }, { a: 'b', c: '' }] }),
  map('"a" in self && !("b" in self)', { holds: [{ a: 'x' }], fails: [{}, { a: 'x', b: 'y' }] }),
  map('self.exists(k, k.startsWith("x-"))', { holds: [{ 'x-a': '1' }], fails: [{}, { a: '1' }] }),
  map('self.size() == 1 || self == {"a": "1", "b": "2"}', {
    holds: [{ z: '9' }, { b: '2', a: '1' }],
    fails: [{}, { a: '1', b: '3' }],
  }),
  map('self["a"] == "1"', { holds: [{ a: '1' }], fails: [{ a: '2' }], breaks: [{}] }),
  map('self.transformList(k, v, k + v).exists(t, t == "ab")', { holds: [{ a: 'b' }], fails: [{}, { a: 'c' }] }),
  object('!has(self.a) || self.a != self.?b.orValue("none")', {
    holds: [{}, { a: 'x' }, { a: 'x', b: 'y' }],
    fails: [{ a: 'none' }, { a: 'x', b: 'x' }],
  }),
  object('has(self.a) == has(self.b)', { holds: [{}, { a: '', b: '' }], fails: [{ a: 'x' }, { b: 'x' }] }),
  object('self.a == "x" || self.b == "y"', {
    holds: [{ a: 'x' }, { b: 'y' }, { a: 'z', b: 'y' }],
    fails: [{ a: 'z', b: 'z' }],
    breaks: [{}, { a: 'z' }],
  }),
  object('self.a == "x" && self.b == "y"', {
    holds: [{ a: 'x', b: 'y' }],
    fails: [{ a: 'z' }, { b: 'z' }],
    breaks: [{}, { a: 'x' }],
  }),
];

export const celValueRows: readonly Row[] = [
  row('texts', texts),
  row('libraries', libraries),
  row('numbers and times', numbers),
  row('lists, maps and objects', collections),
];
