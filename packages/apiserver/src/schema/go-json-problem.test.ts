import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goJsonProblem } from './go-json-problem.ts';

test.each([
  ['', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['{"a"', 'unexpected end of JSON input'],
  ['"a', 'unexpected end of JSON input'],
  ['nul', "invalid character ' ' in literal null (expecting 'l')"],
  ['[-', "invalid character ' ' in numeric literal"],
  ['1.', "invalid character ' ' after decimal point in numeric literal"],
  ['1e', "invalid character ' ' in exponent of numeric literal"],
  ['"\\', "invalid character ' ' in string escape code"],
  ['"\\u12', String.raw`invalid character ' ' in \u hexadecimal character escape`],
  ['nonsense', "invalid character 'o' in literal null (expecting 'u')"],
  ['garbage', "invalid character 'g' looking for beginning of value"],
  ['{a', "invalid character 'a' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['[1 2]', "invalid character '2' after array element"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['-x', "invalid character 'x' in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12x"', String.raw`invalid character 'x' in \u hexadecimal character escape`],
  ['"\n"', String.raw`invalid character '\n' in string literal`],
  ["'a'", String.raw`invalid character '\'' looking for beginning of value`],
  ['[[],{}', 'unexpected end of JSON input'],
  ['{"a":{"b":[1,{}]},}', "invalid character '}' looking for beginning of object key string"],
  ['[{"a":[]}}', "invalid character '}' after array element"],
  ['{"a":[{}]]', "invalid character ']' after object key:value pair"],
])('%j', (text, problem) => {
  expect(goJsonProblem(Buffer.from(text))).toBe(problem);
});

test('a byte beyond ASCII is named by its number', () => {
  expect(goJsonProblem(Uint8Array.of(0x9e))).toBe(
    String.raw`invalid character '\u009e' looking for beginning of value`,
  );
});

test('what JavaScript reads is not a problem, and what it does not read is one', () => {
  const texts = fc.oneof(fc.json(), fc.string(), fc.stringMatching(/^[[\]{}",:0-9.e+\-truefalsn \\]*$/));
  fc.assert(
    fc.property(texts, (text) => {
      const readable = ((): boolean => {
        try {
          JSON.parse(text);
          return true;
        } catch {
          return false;
        }
      })();
      expect(goJsonProblem(Buffer.from(text)) === undefined).toBe(readable);
    }),
  );
});

test('depth costs no stack, and ends where Go ends it', () => {
  const lists = (depth: number): Buffer => Buffer.from('['.repeat(depth));
  const objects = (depth: number): Buffer => Buffer.from('{"a":'.repeat(depth));
  expect(goJsonProblem(lists(10_000))).toBe('unexpected end of JSON input');
  expect(goJsonProblem(lists(10_001))).toBe("invalid character '[' exceeded max depth");
  expect(goJsonProblem(objects(10_001))).toBe("invalid character '{' exceeded max depth");
  expect(goJsonProblem(Buffer.concat([lists(10_000), Buffer.from(']'.repeat(10_000))]))).toBeUndefined();
});
