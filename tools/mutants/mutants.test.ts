import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameKind } from '../../packages/kilter/src/controller/kinds.ts';
import { deepEqual } from '../../packages/kilter/src/internal/index.ts';
import { equivalents, isEquivalent } from './equivalent.ts';
import { type Mutation, mutationsOf, type Operator, symmetric } from './operators.ts';
import { type Judged, scoreLine, scoreOf } from './report.ts';
import { allMutants, roomOf, rooms } from './rooms.ts';
import { sample } from './sample.ts';
import { withSwitches } from './schemata.ts';

/** The source once a mutation is made. */
const made = (source: string, { start, end, text }: Mutation): string =>
  source.slice(0, start) + text + source.slice(end);
const by = (operator: Operator, source: string): string[] =>
  mutationsOf(source)
    .filter((one) => one.operator === operator)
    .map((one) => made(source, one));

describe('operators', () => {
  test.each<[Operator, string, string[]]>([
    ['negate a condition', 'if (a) b();', ['if (!(a)) b();']],
    ['negate a condition', 'x = a === b;', ['x = a !== b;']],
    ['negate a condition', 'x = a ? b : c;', ['x = !(a) ? b : c;']],
    ['negate a condition', 'while (a !== b) c();', ['while (!(a !== b)) c();']],
    ['shift a boundary', 'x = a < b;', ['x = a <= b;']],
    ['shift a boundary', 'x = a >= b;', ['x = a > b;']],
    ['shift a boundary', 'x = (a ?? 0) > (b ?? 1);', ['x = (a ?? 0) >= (b ?? 1);']],
    ['drop an await', 'await a();', ['a();']],
    ['drop an await', 'async () => { return await a(); }', []],
    [
      'drop an await',
      'async () => { try { return await a(); } catch {} }',
      ['async () => { try { return a(); } catch {} }'],
    ],
    [
      'drop an await',
      'async () => { await using b = c; return await a(); }',
      ['async () => { await using b = c; return a(); }'],
    ],
    ['drop a call', 'a.b(1);', ['void 0;']],
    ['drop a call', 'await a?.b(1);', ['void 0;']],
    ['drop a call', 'x = a.b(1);', []],
    ['drop a removal', 's.removeEventListener(e, f);', ['void 0;']],
    ['drop a removal', 'return_(() => a?.listeners.delete(f));', ['return_(() => void 0);']],
    ['drop a removal', 'a[Symbol.dispose]();', ['void 0;']],
    ['swap two arguments', 'f(a, b, c);', ['f(b, a, c);']],
    ['swap two arguments', 'x = a?.f<T>(b, c).d;', ['x = a?.f<T>(c, b).d;']],
    ['swap two arguments', 'f(a, ...b); f(a, a); Math.max(a, b.c); Math.min(f(), 1);', []],
    ['swap two arguments', 'Math.max(a(), b);', ['Math.max(b, a());']],
    ['change a constant', 'x = 1;', ['x = 2;']],
    ['change a constant', 'x = 30_000;', ['x = 60000;']],
    ['change a constant', 'x = true;', ['x = false;']],
    ['change a constant', "x = 'ADDED';", ["x = 'ADDEDQ';"]],
  ])('%s: %s', (operator, source, expected) => {
    expect(by(operator, source)).toEqual(expected);
  });

  test.each([
    ['types', "type A = 'a' | 1; interface B { c: true } let d: 'e' = f as 'g';"],
    ['imports and keys', "import { a } from './b.ts'; export { c } from './d.ts'; const { 'e': f } = g;"],
    [
      'log calls and what decides about nothing else',
      "if (a === b) logger.warn({ c: 1 }, 'd'); else this.#log.info('e', f);",
    ],
    ['tables of option names', 'const known: OptionNames<A> = { b: true, c: true };'],
    ['texts', "x = `waited ${a === 1 ? 'once' : 'more'} ${f(a, b)}`; y = 'a sentence.';"],
  ])('leave out %s', (_, source) => {
    expect(mutationsOf(source)).toEqual([]);
  });
});

test('what counts as symmetric is', () => {
  const value = fc.oneof(
    fc.constantFrom(NaN, 0, -0, '', 'a', null, undefined),
    fc.integer(),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const number = fc.oneof(fc.constantFrom(NaN, 0, -0, Infinity), fc.integer(), fc.double());
  const word = fc.constantFrom('', 'a', 'b');
  const kind = fc.record({ group: word, version: word, kind: word });
  const proven: Record<string, (a: unknown, b: unknown) => unknown> = {
    'Math.min': (a, b) => Math.min(a as number, b as number),
    'Math.max': (a, b) => Math.max(a as number, b as number),
    'Math.imul': (a, b) => Math.imul(a as number, b as number),
    'Object.is': Object.is,
    deepEqual,
    isSameKind: (a, b) => isSameKind({ names: a } as never, { names: b } as never),
  };
  expect(Object.keys(proven)).toEqual([...symmetric]);
  for (const [name, call] of Object.entries(proven)) {
    const given = name === 'isSameKind' ? kind : name.startsWith('Math') ? number : value;
    fc.assert(fc.property(given, given, (a, b) => Object.is(call(a, b), call(b, a))));
  }
});

describe('all mutants in one source', () => {
  const source = 'const f = (a: number, b: number): string => (a < b ? g(a, 1) : h?.i(b, a).j);';
  const mutants = mutationsOf(source).map((one, index) => ({ ...one, id: index + 1 }));
  const run = (code: string, active: number): unknown => {
    const text = code.replaceAll(/: (number|string)\b/g, '');
    const g = (a: unknown, b: unknown): string => `g${String(a)}${String(b)}`;
    const h = { i: (a: unknown, b: unknown) => ({ j: `i${String(a)}${String(b)}` }) };
    const __kilterMutant = (id: number): boolean => id === active;
    return JSON.parse(
      runInNewContext(`${text}; JSON.stringify([f(1, 2), f(2, 1), f(1, 1)])`, { __kilterMutant, g, h }),
    );
  };

  test('without an active one it is the source', () => {
    expect(mutants).toHaveLength(5);
    expect(run(withSwitches(source, mutants), 0)).toEqual(['g11', 'i12', 'i11']);
  });
  test('with an active one it is the source once that is made', () => {
    const whole = withSwitches(source, mutants);
    for (const mutant of mutants) expect(run(whole, mutant.id), mutant.text).toEqual(run(made(source, mutant), 0));
  });
});

describe('the mutants of the rooms', () => {
  const every = allMutants();
  test('are at least 40 in each, whatever the seed, and the same for the same seed', () => {
    for (const room of rooms) {
      const all = every.filter((mutant) => roomOf(mutant) === room);
      const drawn = sample(all, 40, 7);
      expect(new Set(drawn).size, room).toBe(40);
      expect(sample(all, 40, 7)).toEqual(drawn);
      expect(sample(all, 60, 7).slice(0, 40)).toEqual(drawn);
      expect(sample(all, 40, 8)).not.toEqual(drawn);
    }
  });
  test('every equivalent one exists, is one and not two, and says why', () => {
    for (const row of equivalents()) {
      expect(
        every.filter((mutant) => isEquivalent(mutant, [row])),
        row.line,
      ).toHaveLength(1);
      expect(row.proof).toMatch(/.{20}/);
    }
  });
});

test('a judge has no worker of vitest, and asserts all that tests assert with', () => {
  const api = new URL('test-api.ts', import.meta.url).href;
  const program = `
    const { expect } = await import(${JSON.stringify(api)});
    expect('a').toSatisfy((text) => text === 'a');
    expect('a').not.toSatisfy((text) => text === 'b');
    expect('a').toBeOneOf(['a', 'b']);
    expect({ a: 'abc', b: [1] }).toEqual({ a: expect.stringContaining('b'), b: [expect.any(Number)] });
    await expect(Promise.reject(new Error('x'))).rejects.toThrow('x');
    await expect.poll(() => 'a').toSatisfy((text) => text === 'a');
    expect(() => expect('a').toSatisfy(() => false)).toThrow();
    expect(() => expect('a').toBeOneOf(['b'])).toThrow();
    console.log('all of them');
  `;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })).toBe(
    'all of them\n',
  );
});

test('the score counts those that died of those that could', () => {
  const one = (verdict: Judged['verdict']): Judged => ({ mutant: undefined as never, room: 'queue', verdict });
  const score = scoreOf('queue', [one('died'), one('died'), one('died'), one('lives'), one('equivalent')]);
  expect(scoreLine(score)).toBe('queue          3 of 4 die: 75.0 %; 1 more are equivalent');
  expect(scoreOf('cache', []).score).toBe(100);
});
