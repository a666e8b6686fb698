import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StringPool } from './string-pool.ts';

/** The string in the middle of other bytes, as it stands in a document. */
const within = (text: string): [Buffer, number, number] => [Buffer.from(`<<${text}>>`, 'latin1'), 2, 2 + text.length];
const find = (pool: StringPool, text: string): number => pool.find(...within(text));
const add = (pool: StringPool, text: string): number => pool.add(...within(text));

describe('a pool', () => {
  test('knows what was added, by its number, and nothing else', () => {
    const pool = new StringPool();
    expect([find(pool, 'a'), pool.size]).toEqual([-1, 0]);
    expect([add(pool, 'a'), add(pool, 'b'), add(pool, 'ab')]).toEqual([0, 1, 2]);
    expect(['a', 'b', 'ab', 'ba', 'abc', 'aa'].map((text) => find(pool, text))).toEqual([0, 1, 2, -1, -1, -1]);
    expect(pool.strings).toEqual(['a', 'b', 'ab']);
    expect(pool.size).toBe(4);
  });

  test('knows the empty string like any other', () => {
    const pool = new StringPool();
    expect(find(pool, '')).toBe(-1);
    expect([add(pool, 'a'), add(pool, ''), add(pool, 'b')]).toEqual([0, 1, 2]);
    expect([find(pool, ''), find(pool, 'b'), pool.strings[1], pool.size]).toEqual([1, 2, '', 2]);
  });

  test('is a map from strings to numbers, however many there are and however they are alike', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 }),
      fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 64 }),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 2000, size: 'max' }), (texts) => {
        const [pool, model] = [new StringPool(), new Map<string, number>()];
        const wrong = texts.filter((one) => {
          if (find(pool, one) !== (model.get(one) ?? -1)) return true;
          if (model.has(one)) return false;
          model.set(one, model.size);
          return add(pool, one) !== model.get(one);
        });
        expect(wrong).toEqual([]);
        expect([...model].filter(([one, number]) => find(pool, one) !== number)).toEqual([]);
        expect(pool.strings).toEqual([...model.keys()]);
        expect(pool.size).toBe([...model.keys()].join('').length);
      }),
      { numRuns: 20 },
    );
  });

  test('takes 65,536 strings, quickly, and then no more; what it has it keeps', () => {
    const pool = new StringPool();
    const name = (n: number): string => `pod-${String(n).padStart(8, '0')}`;
    const numbers = Array.from({ length: 65_536 }, (_, n) => add(pool, name(n)));
    expect(numbers.every((number, n) => number === n)).toBe(true);
    expect([add(pool, 'one more'), find(pool, 'one more')]).toEqual([-1, -1]);
    for (const n of [0, 1, 255, 256, 257, 511, 512, 40_000, 65_535]) {
      expect([find(pool, name(n)), pool.strings[n]]).toEqual([n, name(n)]);
    }
    expect(pool.strings).toHaveLength(65_536);
  });

  test('takes 4 MiB, and then no more', () => {
    const pool = new StringPool();
    const long = (n: number): string => String(n).padEnd(64 * 1024, '.');
    for (let n = 0; n < 63; n += 1) expect(add(pool, long(n))).toBe(n);
    expect(add(pool, `${long(63)}.`)).toBe(-1);
    expect(add(pool, long(63))).toBe(63);
    expect(pool.size).toBe(4 * 1024 * 1024);
    expect([add(pool, 'x'), find(pool, 'x'), find(pool, long(62))]).toEqual([-1, -1, 62]);
  });

  test('takes one string that is longer than all it had room for', () => {
    const pool = new StringPool();
    const long = 'x'.repeat(100_000);
    expect([add(pool, 'a'), add(pool, long), find(pool, long), find(pool, 'a')]).toEqual([0, 1, 1, 0]);
    expect(pool.strings[1]).toBe(long);
  });
});
