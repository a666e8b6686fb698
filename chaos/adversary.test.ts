import { expect, test } from 'vitest';
import { attack } from './adversary/attack.ts';
import { Hostility } from './adversary/hostile-values.ts';
import { problemsOf } from './adversary/limits.ts';

// `npm run adversary` makes hundreds.
test.each(['webapp', 'recycler'] as const)(
  'C-23: whatever users write into custom resources, the operator of %s keeps its memory, its loop and its other objects',
  async (victim) => {
    const report = await attack({ victim, seed: 7, count: 25 });
    expect(problemsOf(report)).toEqual([]);
    expect(report.accepted).toBeGreaterThan(20);
  },
  300_000,
);

test('one seed makes the same objects, mostly such as the schema allows', () => {
  const schema = {
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 1, maximum: 9 },
      names: { type: 'array', items: { type: 'string' } },
    },
  };
  const made = (seed: number) => {
    const hostility = new Hostility(seed);
    return Array.from({ length: 20 }, () => hostility.value(schema) as { size: number });
  };
  expect(made(3)).toEqual(made(3));
  expect(made(3)).not.toEqual(made(4));
  expect(made(3).filter(({ size }) => size >= 1 && size <= 9).length).toBeGreaterThan(15);
});

test('limits that are not held are reported', () => {
  const fine = { accepted: 1, refused: 0, growth: 64 * 2 ** 20, kept: 0, stall: 100, waited: 5000 };
  expect(problemsOf(fine)).toEqual([]);
  expect(problemsOf({ ...fine, stall: 101 })).toEqual(['stall: 101 is more than 100']);
  expect(problemsOf({ ...fine, growth: Number.NaN })).toHaveLength(1);
});
