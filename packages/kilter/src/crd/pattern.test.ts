import { describe, expect, test } from 'vitest';
import { re2Fault } from './pattern.ts';

// Each verdict was compared with the one of a kube-apiserver 1.36.
describe('CRD-E7: a pattern that RE2 lacks is recognised', () => {
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
    ['\\p{Script=Greek}', 'a Unicode property'],
    ['\\p{Extended_Pictographic}', 'a Unicode property'],
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
    ['\\p{L}\\P{Ll}[\\p{Greek}]'],
  ])('%s is fine', (pattern) => expect(re2Fault(pattern)).toBeUndefined());
});
