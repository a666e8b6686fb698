import { describe, expect, test } from 'vitest';
import { re2Cure, re2Fault, toRe2 } from './pattern.ts';

// Each verdict was compared with the one of a kube-apiserver 1.36.
describe('CRD-E7: a pattern that RE2 does not take is recognised', () => {
  test.each([
    ['a(?=b)', 'look-around'],
    ['a(?!b)', 'look-around'],
    ['(?<=a)b', 'look-around'],
    ['(?<!a)b', 'look-around'],
    ['(a)\\1', 'a back-reference'],
    ['(?<n>a)\\k<n>', 'a back-reference'],
    ['\\u0041', 'a \\u escape'],
    ['[\\u00e9]', 'a \\u escape'],
    ['\\cA', 'a control escape'],
    ['\\e', 'the escape \\e'],
    ['[\\b]', 'a backspace in a class'],
    ['[^]', 'an empty class'],
    ['[]', 'an empty class'],
    ['a{1001}', 'a repeat over 1000'],
    ['a{0,1001}', 'a repeat over 1000'],
    ['(a{50}){21}', 'a repeat over 1000'],
    ['(?:a{10}|b{100}){11}', 'a repeat over 1000'],
    ['((a{2}){3}){200}', 'a repeat over 1000'],
    ['\\p{Script=Greek}', 'the Unicode property Script=Greek'],
    ['\\p{Extended_Pictographic}', 'the Unicode property Extended_Pictographic'],
    ['\\p{Letter}', 'the Unicode property Letter'],
    ['\\p{Lowercase}', 'the Unicode property Lowercase'],
    ['\\p{Lowercase_Letter}', 'the Unicode property Lowercase_Letter'],
    ['\\p{ASCII}', 'the Unicode property ASCII'],
    ['\\p{Any}\\P{Assigned}', 'the Unicode property Assigned'],
    ['\\p{C}', 'the Unicode property C'],
    ['\\p{LC}', 'the Unicode property LC'],
    ['[\\p{White_Space}]', 'the Unicode property White_Space'],
    ['\\pL', 'a Unicode property without braces'],
    ['[[:alpha:]_-]', 'a POSIX class'],
    ['[\\S\\n]', 'a \\S in a class'],
    ['(a', 'a group that is not closed'],
    ['a)', 'a parenthesis that closes nothing'],
    ['(?>a)', 'a group of an unknown kind'],
    ['[a', 'a class that is not closed'],
    ['a**', 'a repeat of a repeat'],
    ['a++', 'a repeat of a repeat'],
    ['a{2}{3}', 'a repeat of a repeat'],
    ['*a', 'a repeat of nothing'],
    ['(|+a)', 'a repeat of nothing'],
    ['a{3,2}', 'a repeat from more to less'],
    ['[z-a]', 'a range from more to less'],
    ['[a-\\d]', 'a range that ends in a class'],
    ['\\é', 'the escape \\é'],
    ['\\xg1', 'a \\x escape without two digits'],
    ['a\\', 'a backslash at its end'],
    ['\\Aa\\z', 'the escape \\A'],
  ])('%s uses %s', (pattern, fault) => expect(re2Fault(pattern)).toBe(fault));

  test.each([
    ['^a'],
    ['(?<n>a)'],
    ['(?:a|b)+?'],
    ['\\d\\D\\s\\S\\w\\W\\b\\B\\t\\n\\r\\f\\v\\x41\\0'],
    ['\\/\\-\\.\\$\\_'],
    ['[a-z\\d]'],
    ['[(?=]'],
    ['\\(?='],
    ['\\\\1'],
    ['[\\]a]{3}'],
    ['a{1000}'],
    ['(a{50}){20}'],
    ['(a{10}){10}b{1000}'],
    ['a{,5}'],
    ['a{'],
    ['(?i)a'],
    ['(?i:a)b'],
    ['(?P<n>a)'],
    ['(?:a{2})??'],
    ['[\\s\\S]'],
    ['[^\\s,]'],
    ['[\\w-z]'],
    ['[\\x41-\\x{5a}]'],
    ['[a-]'],
    ['()'],
    ['a||b'],
    ['\\p{L}\\P{Ll}[\\p{Greek}]'],
  ])('%s is fine', (pattern) => expect(re2Fault(pattern)).toBeUndefined());
});

describe('CRD-E7: white space of a pattern is that of JavaScript on the server too', () => {
  const space = '\\t-\\r\\p{Z}\\x{FEFF}';
  test.each([
    ['^\\s+$', `^[${space}]+$`],
    ['\\S', `[^${space}]`],
    ['[^\\s,\\]]', `[^${space},\\]]`],
    ['[\\s\\S]*', '[\\s\\S]*'],
    ['\\\\s[\\\\s]', '\\\\s[\\\\s]'],
    ['a.b', 'a.b'],
  ])('%s is written as %s', (pattern, written) => expect(toRe2(pattern)).toBe(written));

  test.each(['\\s', '\\S', '[\\s_]', '[^\\s_]'])('%s matches the same characters', (pattern) => {
    const [before, after] = [new RegExp(pattern, 'u'), new RegExp(toRe2(pattern).replaceAll('\\x{', '\\u{'), 'u')];
    const differing = Array.from({ length: 0x1_0000 }, (_, i) => String.fromCodePoint(i)).filter(
      (text) => before.test(text) !== after.test(text),
    );
    expect(differing).toEqual([]);
  });
});

test('CRD-E7: each fault has a cure of its own', () => {
  for (const pattern of ['a(?=b)', '(a)\\1', '\\u0041', '\\p{Letter}', 'a{1001}', '[[:alpha:]]']) {
    const fault = re2Fault(pattern) ?? '';
    expect(re2Cure(fault)).not.toBe('correct the pattern');
  }
  expect(re2Cure('a repeat over 1000')).not.toContain('look-around');
});
