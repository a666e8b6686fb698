import { describe, expect, test } from 'vitest';
import { longestJudged } from './pattern-cost.ts';
import { valueProblems } from './value.ts';

/** CPU of this thread, in milliseconds: what else the machine does is not counted. */
function cpuOf(work: () => unknown): number {
  const { user } = process.threadCpuUsage();
  work();
  return (process.threadCpuUsage().user - user) / 1000;
}

const evil = [
  '(a+)+$',
  '^(a+)+$',
  '^(a|aa)+$',
  '^(a|a|a|a)+$',
  '^((a+)+)+$',
  '^(a*)*b$',
  '^(a?){30}b$',
  '^((a?){10}){10}b$',
  '^(a|b|a){20}c$',
  `^${'a?'.repeat(30)}${'a'.repeat(30)}b$`,
  '^(a|b)?(a|aa)?(a*|b)(a|ab)?a*!?b$',
  '^(.*a){12}$',
  'a+$',
  '^a*a*a*a*b$',
  String.raw`^\s*(\w+\s*)*;$`,
];

describe('C-17, J-06: a pattern of a schema', () => {
  const lengths = [10, 16, 28, 60, 1000, 20_000];
  test.each(evil.flatMap((pattern) => lengths.map((length) => [pattern, length] as const)))(
    '%s on %d characters takes at most 10 ms, whatever it says',
    (pattern, length) => {
      const text = `${'a'.repeat(length)}!`;
      const judge = (): unknown => valueProblems({ type: 'string', pattern }, text, '.spec.name');
      judge();
      expect(Math.min(...[1, 2, 3].map(() => cpuOf(judge)))).toBeLessThan(10);
    },
  );

  test.each([
    ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 253],
    [String.raw`^\d+\.\d+\.\d+$`, 60],
    ['^(red|green|blue)$', 100_000],
    [String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(Ki|Mi|Gi|m)?$`, 8],
    ['^https?://[^ ]+$', 2000],
    ['^[A-Z]{3}-[0-9]{1,6}$', 500],
    [String.raw`^\(a+\)$`, 1000],
    ['^[(a+)+]+$', 1000],
  ])('%s is judged up to %d characters and more', (pattern, length) => {
    expect(longestJudged(pattern)).toBeGreaterThanOrEqual(length);
  });

  test('is judged where that is quick, and left to the server where it is not', () => {
    const faults = (text: string): unknown => valueProblems({ type: 'string', pattern: '^(a+)+$' }, text, '.spec.name');
    expect(faults('ab')).toMatchObject([{ message: 'must match ^(a+)+$' }]);
    expect(faults(`${'a'.repeat(28)}!`)).toEqual([]);
  });
});
