import type { KubeObject } from 'kilter/api';
import { expect, test } from 'vitest';
import { type Expected, problemWith } from './expectation.ts';

interface Thing extends KubeObject {
  spec: { size: number; fields?: Record<string, number> };
}
const thing: Thing = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' }, spec: { size: 2 } } as Thing;

const rows: [string, Expected<Thing>, string | undefined][] = [
  ['a pattern that fits', { spec: { size: 2 } }, undefined],
  ['a pattern that does not', { spec: { size: 3 } }, '.spec.size: expected 3, found 2'],
  ['a predicate that is true', ({ spec }) => spec.size === 2, undefined],
  ['a predicate that is false', ({ spec }) => spec.size === 3, 'the predicate is false'],
  ['assertions that hold', ({ spec }) => expect(spec.size).toBe(2), undefined],
  [
    'an assertion that throws',
    () => {
      throw new Error('too small');
    },
    'too small',
  ],
  [
    'a predicate that takes time, and is false',
    ({ spec }) => Promise.resolve(spec.size === 3),
    'the predicate is false',
  ],
  ['assertions that take time, and fail', () => Promise.reject(new Error('too late')), 'too late'],
];

test.each(rows)('%s', async (_, expected, problem) => {
  expect(await problemWith(thing, expected)).toBe(problem);
});

test('of many differences the first twenty are shown', async () => {
  const fields = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`f${n}`, n]));
  const problem = await problemWith({ ...thing, spec: { size: 2, fields: {} } }, { spec: { fields } });
  expect(problem?.split('\n')).toHaveLength(21);
  expect(problem).toMatch(/\nand 5 more$/);
});
