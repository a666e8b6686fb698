import { describe, expect, test } from 'vitest';
import type { Case } from './case.ts';
import type { Verdict } from './judge.ts';
import { countsOf, placesOf, risen, surprise } from './known.ts';

const testCase: Case = { id: 'x', section: 'errors', shows: [], title: 'x', steps: [], claims: [] };
const verdict = (...places: readonly string[]): Verdict => ({
  testCase,
  outcome: places.length === 0 ? 'passed' : 'differing',
  differences: places.map((at) => ({ at, expected: 1, actual: 2 })),
});
const known = (...at: readonly string[]): { case: string; reason: string; at: readonly string[] } => ({
  case: 'x',
  reason: 'not built yet',
  at,
});

describe('the list of known differences', () => {
  test('is as expected where the same places differ', () => {
    expect(surprise(verdict('get.status'), known('get.status'))).toBeUndefined();
    expect(surprise(verdict(), undefined)).toBeUndefined();
  });
  test('fails for a difference that is not listed', () => {
    expect(surprise(verdict('get.status'), undefined)).toContain('it differs at get.status');
  });
  test('fails when one heals', () => {
    expect(surprise(verdict(), known('get.status'))).toContain('it has healed');
  });
  test('fails when another place differs, or one less', () => {
    expect(surprise(verdict('get.body'), known('get.status'))).toContain('the list says get.status');
    expect(surprise(verdict('get.body'), known('get.body', 'get.status'))).toContain(
      'it differs at get.body, the list',
    );
  });
  test('fails without a reason', () => {
    expect(surprise(verdict('get.status'), { ...known('get.status'), reason: ' ' })).toContain('reason is missing');
  });
  test('names places once, not too deep and not too many', () => {
    expect(placesOf(verdict('a.b.c.d.e.f.g', 'a.b.c.d.e.f.h'))).toEqual(['a.b.c.d.e.f']);
    const many = Array.from({ length: 20 }, (_, index) => `a.${index + 10}`);
    expect(placesOf(verdict(...many)).at(-1)).toBe('and 8 more');
  });
});

describe('the number of differing cases', () => {
  test('is counted per section, what is not supported included', () => {
    const counts = countsOf([verdict('a'), verdict(), { ...verdict('b'), outcome: 'not supported' }]);
    expect(counts).toMatchObject({ errors: 2, deletion: 0 });
  });
  test('may fall and not rise', () => {
    const counts = countsOf([verdict('a')]);
    expect(risen(counts, { ...counts, errors: 2 })).toEqual([]);
    expect(risen(counts, { ...counts, errors: 0 })).toEqual([
      'errors: 1 differ, 0 are committed; the number may only fall',
    ]);
  });
});
