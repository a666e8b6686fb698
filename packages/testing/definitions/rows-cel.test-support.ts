// What compiles and what does not: types, functions, messages.
import { entries, rule } from 'kilter/crd';
import { z } from 'zod';
import { field, ofX, type Row } from './row.test-support.ts';

const { takes, refuses } = ofX;
const short = z.string().max(20);

const invalidCel = (title: string, cel: string, options: { messageExpression?: string; on?: z.ZodType } = {}): Row =>
  field(title, 'CRD-E10', {
    forms: {
      zod: (
        options.on ??
        z.object({
          a: short,
          n: z.int(),
          l: z.array(z.int()).max(5),
          m: z.record(z.string(), short).meta(entries({ max: 5 })),
          q: z.union([z.int(), z.string()]),
          b: z.boolean(),
          d: z.number(),
          t: z.iso.datetime(),
        })
      ).meta(
        rule(cel, 'm', options.messageExpression === undefined ? {} : { messageExpression: options.messageExpression }),
      ),
    },
    refusedLater: {
      code: 'CRD_RULE_INVALID',
      problems: [`[0].${options.messageExpression === undefined ? 'rule' : 'messageExpression'} Invalid`],
    },
  });

/** Rules the server refuses with their definition. */
const uncompiled: readonly Row[] = [
  invalidCel('a rule that is not CEL', 'self.a ==='),
  invalidCel('a rule with an open bracket', '(self.n > 0'),
  invalidCel('a rule that is not a boolean', 'self.n'),
  invalidCel('a rule that is a string', 'self.a + "b"'),
  invalidCel('a field there is not', 'self.typo == 1'),
  invalidCel('a field there is not, asked for', 'has(self.typo)'),
  invalidCel('a string and a number', 'self.a == 1'),
  invalidCel('a string less than a number', 'self.a < self.n'),
  invalidCel('an integer and a double', 'self.n + self.d > 1.0'),
  invalidCel('a number as a condition', 'self.n && self.b'),
  invalidCel('not of a string', '!self.a'),
  invalidCel('a function there is not', 'self.a.shorten() == ""'),
  invalidCel('a function of another type', 'self.n.startsWith("a")'),
  invalidCel('an argument of another type', 'self.a.startsWith(1)'),
  invalidCel('a variable there is not', 'other.a == ""'),
  invalidCel('two kinds of result', '(self.b ? self.a : self.n) == ""'),
  invalidCel('a predicate that is not a boolean', 'self.l.all(x, x + 1)'),
  invalidCel('items of another type', 'self.l.all(x, x.startsWith("a"))'),
  invalidCel('a look into a list by a string', 'self.l["a"] == 1'),
  invalidCel('a member of another type', 'self.a in self.l'),
  invalidCel('a list of two types', '[1, "a"].size() == 2'),
  invalidCel('a macro of the wrong form', 'self.l.all(x > 0)'),
  invalidCel('a message that is not a string', 'self.n > 0', { messageExpression: 'self.n' }),
  invalidCel('a message that is not CEL', 'self.n > 0', { messageExpression: '"a' }),
  invalidCel('size of a number', 'size(self.n) > 0'),
  invalidCel('a bad pattern', 'self.a.matches("(")'),
  invalidCel('a time and a string', 'self.t > "2026-01-01T00:00:00Z"'),
];

const good = z.object({
  a: short,
  n: z.int(),
  l: z.array(z.int()).max(5),
  m: z.record(z.string(), short).meta(entries({ max: 5 })),
  q: z.union([z.int(), z.string()]),
  b: z.boolean(),
  d: z.number(),
  t: z.iso.datetime(),
});
const goodObject = { a: 'a', n: 1, l: [1, 2], m: { k: 'v' }, q: 1, b: true, d: 1.5, t: '2026-01-02T03:04:05Z' };
const otherObject = { a: 'z', n: 2, l: [], m: {}, q: '5%', b: false, d: 0.5, t: '2025-01-02T03:04:05Z' };

/** Rules the server compiles; each holds for the one object and not for the other. */
const validCel = (title: string, cel: string): Row =>
  field(title, 'CRD-E10 CRD-R10', {
    forms: { zod: good.meta(rule(cel, 'no')) },
    cases: [takes(goodObject), refuses(otherObject, 'Invalid: Invalid value: no')],
    equivalent: { '*': 'shown by other rows; this one is about its rule' },
  });

const compiled: readonly Row[] = [
  validCel('numbers of two kinds compare', 'self.n < self.d + 0.5 && self.n <= 1'),
  validCel('an integer or a string compares with either', 'self.q == 1 || self.q == "1"'),
  validCel(
    'all, exists, exists_one',
    'self.l.all(x, x > 0) && self.l.exists(x, x == 2) && self.l.exists_one(x, x == 1)',
  ),
  validCel('map and filter', 'self.l.map(x, x * 2).filter(x, x > 2) == [4]'),
  validCel('map with a condition', 'self.l.map(x, x > 1, x) == [2]'),
  validCel('keys of a map', 'self.m.all(k, k == "k") && "k" in self.m && self.m["k"] == "v"'),
  validCel('two variables', 'self.m.exists(k, v, k == "k" && v == "v") && self.l.all(i, x, x == i + 1)'),
  validCel('map and list made anew', '{"a": self.n}["a"] == 1 && [self.n, 2] == self.l'),
  validCel('conversions', 'string(self.n) == "1" && int("1") == self.n && double(self.n) == 1.0'),
  validCel('times', 'self.t > timestamp("2026-01-01T00:00:00Z") && self.t.getFullYear() == 2026'),
  validCel('durations', 'self.t - timestamp("2026-01-02T03:04:00Z") == duration("5s")'),
  validCel(
    'texts',
    'self.a.startsWith("a") && self.a.upperAscii() == "A" && self.a.replace("a", "b") == "b" && self.a.split("").size() == 1',
  ),
  validCel('patterns', 'self.a.matches("^[a-c]$") && self.a.find("[a-c]") == "a"'),
  validCel(
    'sorted, sum, min, max, indexOf',
    'self.l.isSorted() && self.l.sum() == 3 && self.l.min() == 1 && self.l.max() == 2 && self.l.indexOf(2) == 1',
  ),
  validCel('sets', 'sets.contains(self.l, [1]) && sets.intersects(self.l, [2, 3]) && sets.equivalent(self.l, [2, 1])'),
  validCel('quantities', 'quantity("1Gi").isGreaterThan(quantity("1Mi")) && isQuantity("1") && self.n == 1'),
  validCel(
    'optionals',
    'self.?m[?"k"].orValue("") == "v" && self.m[?"j"].hasValue() == false && optional.of(self.n).optMap(x, x + 1).value() == 2',
  ),
  validCel(
    'URLs',
    'isURL("https://a.example:80/b?c=d") && url("https://a.example:80/b").getHostname() == self.a + ".example"',
  ),
  validCel('addresses', 'isIP("10.0.0.1") && ip("10.0.0.1").family() == 4 && self.n == 1'),
  validCel('networks', 'cidr("10.0.0.0/8").containsIP("10.0.0.1") && cidr("10.0.0.0/8").prefixLength() == 8 * self.n'),
  validCel('formats', '!format.dns1123Label().validate(self.a).hasValue() && self.n == 1'),
  validCel(
    'semantic versions',
    'semver("1.2.3").isGreaterThan(semver("1.2.0")) && isSemver("1.0.0") && semver("1.2.3").major() == self.n',
  ),
  validCel('a choice', '(self.b ? self.a : "z") == "a"'),
  validCel('what a type is', 'type(self.q) == int && type(self.a) == string'),
  validCel('dynamic values', 'dyn(self.n) == 1 && dyn(self.a) != dyn(1)'),
];

export const celRows: readonly Row[] = [...uncompiled, ...compiled];
