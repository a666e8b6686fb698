import { describe, expect, test } from 'vitest';
import { compilePattern, matchesPattern } from './pattern.ts';

describe('CRD-A4: patterns are unanchored RE2', () => {
  const rows: [pattern: string, good: string[], bad: string[]][] = [
    ['b', ['abc', 'b'], ['ac']],
    ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', ['a', 'a-b'], ['-a', 'A', 'a\n']],
    ['^[[:alpha:]]+$', ['abc', 'Z'], ['a1', ':']],
    ['[^[:digit:]]', ['1a'], ['12']],
    [String.raw`^\_\-\@a$`, ['_-@a'], ['a']],
    [String.raw`[\-a]`, ['-', 'a'], ['b']],
    ['^[]a]$', [']', 'a'], ['b']],
    ['a{', ['a{'], ['a']],
    ['^a{2}$', ['aa'], ['a{2}']],
    ['}', ['}'], ['a']],
    ['(?i)^AbC$', ['abc'], ['abd']],
    ['(?s)^a.b$', ['a\nb'], ['ab']],
    ['^a.b$', ['a\rb', 'a\u2028b', 'a😀b'], ['a\nb']],
    ['(?P<x>a)(?P<y>b)', ['ab'], ['a']],
    [String.raw`^\pL\p{Greek}\P{L}$`, ['aα1'], ['a1α']],
    [String.raw`^\s$`, [' ', '\t'], ['\u00a0', '\v']],
    [String.raw`^\S$`, ['\u00a0'], [' ']],
    [String.raw`^\x{1F600}$`, ['😀'], ['x']],
    [String.raw`\Aa\z`, ['a'], ['ba', 'a\n']],
    [String.raw`^[\d\-_]+$`, ['1-_'], ['a']],
  ];
  test.each(rows)('%s', (...[pattern, good, bad]) => {
    expect(good.filter((text) => matchesPattern(text, pattern) !== true)).toEqual([]);
    expect(bad.filter((text) => matchesPattern(text, pattern) !== false)).toEqual([]);
  });

  test.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    String.raw`(a)\1`,
    'a{1001}',
    '(',
    '[a-',
    '*',
    '\\',
    '[[:foo:]]',
    String.raw`\Qa\E`,
  ])('%s is none, and never matches', (pattern) => {
    expect(compilePattern(pattern)).toEqual({ flaw: expect.any(String) });
    expect(matchesPattern('a', pattern)).not.toBe(true);
  });
});

test('a thousand and more patterns are still read right', () => {
  for (let index = 0; index < 1500; index++) expect(matchesPattern(`x${index}`, `^x${index}$`)).toBe(true);
  expect(matchesPattern('x0', '^x0$')).toBe(true);
});
