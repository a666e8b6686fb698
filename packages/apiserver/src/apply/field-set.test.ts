import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FieldSet } from './field-set.ts';
import { type PathElement, pathText } from './path-element.ts';

const element = fc.constantFrom<PathElement>('f:a', 'f:b', 'k:{"name":"x"}', 'v:"y"', 'v:2');
const fieldSet = fc
  .array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 12 })
  .map((p) => FieldSet.of(p));
const texts = (set: FieldSet): string[] => [...set.paths()].map(pathText);

describe('a set of fields', () => {
  const set = FieldSet.of([
    ['f:spec', 'f:env'],
    ['f:spec', 'f:env', 'k:{"name":"A"}', 'f:value'],
    ['f:spec', 'f:image'],
  ]);

  test('has what was put in, not the parents of it', () => {
    expect(set.has(['f:spec', 'f:image'])).toBe(true);
    expect(set.has(['f:spec'])).toBe(false);
    expect(set.has(['f:spec', 'f:env', 'k:{"name":"A"}'])).toBe(false);
    expect(set.has([])).toBe(false);
  });

  test('lists the members of a node before what is below it', () => {
    expect(texts(set)).toEqual(['.spec.env', '.spec.image', '.spec.env[name="A"].value']);
  });

  test('knows its leaves', () => {
    expect(texts(set.leaves())).toEqual(['.spec.image', '.spec.env[name="A"].value']);
  });

  test('difference leaves what is below a member, `without` does not', () => {
    const env = FieldSet.of([['f:spec', 'f:env']]);
    expect(texts(set.difference(env))).toEqual(['.spec.image', '.spec.env[name="A"].value']);
    expect(texts(set.without(env))).toEqual(['.spec.image']);
    expect(texts(set.without(FieldSet.of([['f:spec']])))).toEqual([]);
  });

  test('the whole object is not a member', () => {
    expect(FieldSet.of([[]]).isEmpty).toBe(true);
  });
});

describe('laws of sets', () => {
  const expectLaw = (law: (a: FieldSet, b: FieldSet, c: FieldSet) => boolean): void =>
    fc.assert(fc.property(fieldSet, fieldSet, fieldSet, law));

  test('membership decides union, difference and intersection', () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        for (const path of a.union(b).paths()) {
          const [inA, inB] = [a.has(path), b.has(path)];
          expect(inA || inB).toBe(true);
          expect(a.difference(b).has(path)).toBe(inA && !inB);
          expect(a.intersection(b).has(path)).toBe(inA && inB);
        }
        expect([...a.union(b).paths()].length).toBe(new Set([...texts(a), ...texts(b)]).size);
      }),
    );
  });

  test('union and intersection do not care about order or grouping', () => {
    expectLaw((a, b) => a.union(b).equals(b.union(a)));
    expectLaw((a, b) => a.intersection(b).equals(b.intersection(a)));
    expectLaw((a, b, c) =>
      a
        .union(b)
        .union(c)
        .equals(a.union(b.union(c))),
    );
    expectLaw((a, b, c) =>
      a
        .intersection(b)
        .intersection(c)
        .equals(a.intersection(b.intersection(c))),
    );
  });

  test('difference and intersection are two halves of a set', () => {
    expectLaw((a, b) => a.difference(b).union(a.intersection(b)).equals(a));
    expectLaw((a, b) => a.difference(b).intersection(b).isEmpty);
    expectLaw((a, b, c) => a.difference(b.union(c)).equals(a.difference(b).difference(c)));
  });

  test('`without` is a difference that also drops what is below', () => {
    expectLaw((a, b) => a.without(b).difference(a.difference(b)).isEmpty);
    expectLaw((a) => a.without(a).isEmpty);
  });

  test('every set is empty or has a path', () => {
    expectLaw((a, b) => a.intersection(b).isEmpty === (texts(a.intersection(b)).length === 0));
  });
});
