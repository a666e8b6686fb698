import { describe, expect, test } from 'vitest';
import { structuralProblems } from '../structural/structural-problems.ts';
import type { Schema } from '../values/schema.ts';
import { declaredBy } from './declared.ts';
import { compile } from './program.ts';

const text = (maxLength: number): Schema => ({ type: 'string', maxLength });
const listOf = (items: Schema, maxItems: number): Schema => ({ type: 'array', maxItems, items });

/** A schema whose sizes grow together. */
function schemaOf(scale: number): Schema {
  return {
    type: 'object',
    properties: {
      s: text(1000 * scale),
      s2: text(1000 * scale),
      l: listOf({ type: 'integer' }, 100 * scale),
      ls: listOf(text(100), 100 * scale),
      ll: listOf(listOf(text(10), 20), 50 * scale),
      lo: listOf({ type: 'object', required: ['k'], properties: { k: text(50), v: { type: 'integer' } } }, 100 * scale),
      m: { type: 'object', maxProperties: 100 * scale, additionalProperties: text(100) },
      b: { type: 'string', format: 'byte', maxLength: 1000 * scale },
    },
  };
}

const refusals = (rule: string, scale: number): string[] => {
  const spec = { ...schemaOf(scale), 'x-kubernetes-validations': [{ rule, message: 'm' }] };
  return structuralProblems({ type: 'object', properties: { spec } }).map(({ message }) => message);
};

describe('CRD-R11: estimates are those of kube-apiserver, which names the factor by which a rule is too dear', () => {
  test.each([
    ['self.s.contains(self.s2)', 60, '57.6x'],
    ['self.l.all(x, self.l.all(y, x == y))', 60, '18.0x'],
    ['self.l.exists(x, self.l.exists(y, x == y))', 60, '21.6x'],
    ['self.l.exists_one(x, self.l.exists_one(y, x == y))', 60, '14.4x'],
    ['self.l.map(x, self.l.map(y, x + y)).size() > 0', 60, '54.0x'],
    ['self.l.filter(x, self.l.filter(y, x == y).size() > 0).size() > 0', 60, '54.0x'],
    ['self.lo.all(x, self.lo.exists_one(y, x.k == y.k))', 60, '93.6x'],
    ['self.m.all(k, self.m.all(j, k == j))', 60, '18.0x'],
    ['self.l.sum() > 1 && self.l.all(x, self.l.max() > x)', 60, '3.6x'],
    ['self.s.lowerAscii().upperAscii().trim().substring(1).contains(self.s2)', 60, '57.6x'],
    ['sets.contains(self.ls, self.ls)', 60, '3.6x'],
    ['sets.equivalent(self.l, self.l) && sets.intersects(self.l, [1, 2])', 60, '7.2x'],
    ['self.l.distinct().size() > 1', 60, '7.2x'],
    ['self.ls.sort().size() > 1', 60, '7.6x'],
    ['self.lo.map(x, x.k).all(y, self.lo.exists(z, z.k == y))', 60, '25.2x'],
    ['self.l.all(x, string(x) in self.ls)', 60, '3.6x'],
    ['self.m.exists(k, self.m.map(j, self.m[j]).exists(v, v == k))', 60, '79.2x'],
    ['self.l.all(x, (x > 1 ? self.s : self.s2).contains("abcdefghijklmnop"))', 60, '28.8x'],
    ['string(self.b).contains(self.s)', 60, '14.4x'],
    ['self.l.all(x, isURL(self.s) && url(self.s).getHost() == "a")', 60, '14.4x'],
    ['self.l.transformList(i, v, self.l.transformList(j, w, i + w)).size() > 1', 60, '54.0x'],
    ['self.m.transformMap(k, v, v + self.s).exists(k, k == "a")', 60, '14.4x'],
    ['self.ll.all(a, self.ll.all(b, a == b))', 60, '6.3x'],
    ['self.l.all(x, x in self.l)', 300, '90.0x'],
    ['self.ls.all(x, !format.dns1123Label().validate(x).hasValue())', 300, '3.9x'],
    ['self.ls.all(x, !format.dns1123Label().validate(x).hasValue())', 100, '1.287000x'],
  ])('%s', (rule, scale, factor) => {
    expect(refusals(rule, scale)[0]).toContain(`estimated rule cost exceeds budget by factor of ${factor}`);
    expect(refusals(rule, 1)).toEqual([]);
  });

  test.each([
    // A name, a step, a call: one each; a literal is free.
    ['true', 0],
    ['self.n > 1', 3],
    ['self.n + -5 > 1', 4],
    // Ten for a list, thirty for a map.
    ['[1, 2].size() > 1', 12],
    ['{"a": 1}.size() > 1', 32],
    // Looking whether something is there costs no more than to get there.
    ['has(self.n)', 1],
    // The dearer branch counts.
    ['self.n > 1 ? self.n > 2 : true', 6],
    // A tenth for each character: 4 bytes each of 10.
    ['self.t == self.t', 8],
    ['self.t.startsWith(self.t)', 8],
  ])('%s costs %d', (rule, cost) => {
    const declared = declaredBy({ type: 'object', properties: { n: { type: 'integer' }, t: text(10) } }, false);
    const program = declared && compile(rule, declared, 'same');
    expect(program).toMatchObject({ maxCost: cost });
  });
});
