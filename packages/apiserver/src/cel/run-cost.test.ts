import { expect, test } from 'vitest';
import type { Schema } from '../values/schema.ts';
import { toCel } from './data.ts';
import { declaredBy } from './declared.ts';
import { compile } from './program.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    l: { type: 'array', maxItems: 1200, items: { type: 'integer' } },
    ls: { type: 'array', maxItems: 1000, items: { type: 'string', maxLength: 30 } },
    s: { type: 'string', maxLength: 20_000 },
  },
};

const made = {
  l: (size: number) => Array.from({ length: size }, (_, index) => index + 1),
  ls: (size: number) => Array.from({ length: size }, (_, index) => `a${index}`),
  s: (size: number) => 'a'.repeat(size),
};

function outcomeOf(rule: string, field: keyof typeof made, size: number): string {
  const declared = declaredBy(schema, false);
  const program = declared && compile(rule, declared, 'same');
  if (program === undefined || 'why' in program) throw new Error(program?.why);
  return program.run({ self: toCel({ [field]: made[field](size) }, schema) }).type;
}

// The sizes are those at which kube-apiserver still runs a rule; one more, and it is stopped.
test.each([
  ['self.l.all(x, self.l.all(y, x >= 0))', 'l', 446],
  ['!self.l.exists(x, self.l.exists(y, x < 0))', 'l', 407],
  ['self.l.exists_one(x, self.l.exists_one(y, y == 1) && x == 1)', 'l', 705],
  ['self.l.filter(x, self.l.filter(y, y > x).size() >= 0).size() >= 0', 'l', 323],
  ['self.l.map(x, self.l.map(y, y)).size() >= 0', 'l', 276],
  ['self.l.all(x, self.l.sum() >= 0 && self.l.isSorted())', 'l', 705],
  ['self.ls.all(x, x in self.ls)', 'ls', 997],
  ['self.ls.all(x, self.ls.all(y, [x, y].size() == 2))', 'ls', 242],
  ['self.ls.all(x, self.ls.all(y, {"a": x}["a"] == x))', 'ls', 162],
  ['self.ls.all(x, self.ls.all(y, x.startsWith("a") && y.contains("a")))', 'ls', 377],
  ['self.ls.all(x, self.ls.all(y, size(x) + y.size() > 0))', 'ls', 332],
  ['sets.contains(self.l, self.l)', 'l', 999],
  ['self.l.distinct().size() >= 0 && self.l.reverse().size() >= 0', 'l', 706],
  ['self.s.split("").all(c, self.s.contains(c))', 's', 3130],
  ['self.l.map(x, self.l.size() + x).size() >= 0 && self.l.all(x, self.l.all(y, has(self.l) && y >= 0))', 'l', 406],
] as const)('CRD-R11: an evaluation may cost 1,000,000: %s', (rule, field, size) => {
  expect([outcomeOf(rule, field, size), outcomeOf(rule, field, size + 1)]).toEqual(['value', 'stopped']);
});
