import { describe, expect, test } from 'vitest';
import { runModel } from './leaders-model.test-support.ts';

describe.each([2, 3])(
  '%d replicas, clocks that differ by 5 percent, pauses, suspends, lost and late requests',
  (replicas) => {
    test('INV-1, INV-2, B-12, R-5: in a million steps no write arrives in the term of another, and no term begins early', () => {
      const { stale, early, writes, terms, refused } = runModel({ seed: 100 + replicas, replicas, steps: 1_000_000 });
      expect([stale, early]).toEqual([[], []]);
      // The model does what it is about: terms change, gates close.
      expect(writes).toBeGreaterThan(30_000);
      expect(terms).toBeGreaterThan(5000);
      expect(refused).toBeGreaterThan(30_000);
    });

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
