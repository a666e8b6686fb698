import { describe, expect, test } from 'vitest';
import { runModel } from './leaders-model.test-support.ts';

/** `KILTER_MODEL_STEPS=100000000 KILTER_MODEL_SEED=7 npx vitest run leaders-model` for more of them, or others. */
const given = (name: string, usual: number): number => Number(process.env[`KILTER_MODEL_${name}`] ?? usual);
const steps = given('STEPS', 1_000_000);

describe.each([2, 3])(
  '%d replicas, clocks that differ by 5 percent, pauses, suspends, lost and late requests',
  (replicas) => {
    test(
      'INV-1, INV-2, B-12, R-5: in a million steps no write arrives in the term of another, and no term begins early',
      () => {
        const seed = given('SEED', 100 + replicas);
        const { stale, early, writes, terms, refused } = runModel({ seed, replicas, steps });
        expect({ seed, stale, early }).toEqual({ seed, stale: [], early: [] });
        // The model does what it is about: terms change, gates close.
        expect(writes / steps).toBeGreaterThan(0.03);
        expect(terms / steps).toBeGreaterThan(0.005);
        expect(refused / steps).toBeGreaterThan(0.03);
      },
      60_000 + steps / 10,
    );

    test('INV-1, INV-2: the same without the guard is found within a thousand steps of every seed', () => {
      const found = Array.from({ length: 20 }, (_, seed) => runModel({ seed, replicas, steps: 1000, guarded: false }));
      expect(found.filter(({ stale }) => stale.length === 0)).toEqual([]);
    });

    test('B-12: clocks of which one runs twice as fast are too much, and the model says so', () => {
      const found = Array.from({ length: 20 }, (_, seed) => runModel({ seed, replicas, steps: 50_000, fastest: 2 }));
      expect(found.some(({ stale }) => stale.length > 0)).toBe(true);
    });
  },
);
