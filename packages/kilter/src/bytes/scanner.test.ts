import { describe, expect, test } from 'vitest';
import { byOracle, codec, type Verdict, verdict } from './codec.test-support.ts';
import { deepest, NotJson, Scanner } from './scanner.ts';

/** Passes over the whole text, or throws. */
function pass(bytes: Uint8Array): Scanner {
  const scanner = new Scanner();
  scanner.source = Buffer.from(bytes);
  scanner.skip(0);
  scanner.space();
  if (scanner.at !== scanner.source.length) throw scanner.unexpected();
  return scanner;
}

const outcome = ({ value }: { value: unknown }): string => JSON.stringify(value);
const isRefused = (given: Verdict): given is 'refused' => given === 'refused';

const shared = codec();

/** What the scanner and the encoder make of a text, said in the way of the oracle where all agree. */
function disagreement(bytes: Uint8Array): string | undefined {
  const oracle = byOracle(bytes);
  const scanned = verdict(() => pass(bytes));
  const encoded = verdict(() => shared.roundTrip(bytes));
  const agree =
    isRefused(oracle) === isRefused(scanned) &&
    (isRefused(oracle) || isRefused(encoded) ? oracle === encoded : outcome(oracle) === outcome(encoded));
  return agree ? undefined : JSON.stringify(Buffer.from(bytes).toString('latin1'));
}

/** Every sequence of up to `length` of these words. */
function* sequences(words: readonly string[], length: number): Generator<string> {
  yield '';
  if (length === 0) return;
  for (const rest of sequences(words, length - 1)) for (const word of words) yield word + rest;
}

describe('agrees with JSON.parse, the scanner and the encoder alike,', () => {
  test.each([
    {
      of: 'values and what stands between them',
      words: ['{', '}', '[', ']', ',', ':', '"a"', '"a":', '0', ' '],
      length: 4,
    },
    { of: 'numbers', words: ['0', '12', '9', '-', '+', '.', 'e', 'E'], length: 4 },
    { of: 'strings', words: ['"', '\\', 'u', '0', 'f', 'n', 'é', '\u0080', '/'], length: 4 },
    { of: 'words', words: ['t', 'ru', 'e', 'true', 'false', 'null', 'nul', 'fals', ',', '[', ']'], length: 3 },
  ])('on every short sequence of $of', ({ of, words, length }) => {
    const wrong = new Set<string>();
    const open = of === 'strings' ? '"' : '';
    for (const text of sequences(words, length)) wrong.add(disagreement(Buffer.from(open + text)) ?? '');
    expect([...wrong].filter((text) => text !== '').slice(0, 10)).toEqual([]);
  });

  test.each(['1', '[1,2]', '[]', '[[],[]]', '{"a":1,"b":2}', '{}', '{"a":{},"b":[]}', '"a"', 'true', '-1.5e+3'])(
    'on each byte in each place of %s',
    (text) => {
      const whole = Buffer.from(text);
      const wrong: string[] = [];
      for (let at = 0; at <= whole.length; at += 1) {
        for (let byte = 0; byte < 256; byte += 1) {
          const between = Buffer.concat([whole.subarray(0, at), Buffer.of(byte), whole.subarray(at)]);
          wrong.push(disagreement(between) ?? '');
        }
      }
      expect(wrong.filter((one) => one !== '').slice(0, 10)).toEqual([]);
    },
  );

  test('on each byte in a string, behind a backslash, and as a digit of an escape', () => {
    const around = ['"?"', '"a?b"', '"\\?"', '"\\?9"', '"é?"', '"\\n?"'];
    const digits = ['"\\u?000"', '"\\u0?00"', '"\\u00?0"', '"\\u000?"', '"\\u004?1"', '"\\u0041?"'];
    const wrong: string[] = [];
    for (const text of [...around, ...digits]) {
      const [before = '', after = ''] = text.split('?');
      for (let byte = 0; byte < 256; byte += 1) {
        wrong.push(disagreement(Buffer.concat([Buffer.from(before), Buffer.of(byte), Buffer.from(after)])) ?? '');
      }
    }
    expect(wrong.filter((one) => one !== '').slice(0, 10)).toEqual([]);
  });
});

describe('what is not JSON is refused with the place and without a quote of it', () => {
  test.each([
    ['', 'the text ends at byte 0'],
    ['[1', 'the text ends at byte 2'],
    ['"ab', 'the text ends at byte 3'],
    ['{"a"', 'the text ends at byte 4'],
    ['[1 2]', 'something unexpected stands at byte 3'],
    ['{"a" 1}', 'something unexpected stands at byte 5'],
    ['{"a":1,2}', 'something unexpected stands at byte 7'],
    ['"a\tb"', 'something unexpected stands at byte 2'],
    ['[tru]', 'something unexpected stands at byte 1'],
    ['[1.]', 'something unexpected stands at byte 3'],
    ['["a\\xb"]', 'a bad escape at byte 4'],
    ['["a\\u00g0"]', 'a bad escape at byte 4'],
    ['["\\u0041\\q"]', 'a bad escape at byte 9'],
    [Buffer.from([0x5b, 0x22, 0x61, 0xff, 0x22, 0x5d]), 'not UTF-8 at byte 2'],
  ])('%j: %s', (text, message) => {
    const bytes = Buffer.from(text as string);
    for (const read of [() => pass(bytes), () => shared.roundTrip(bytes)]) {
      expect(read).toThrow(NotJson);
      expect(read).toThrow(expect.objectContaining({ name: 'NotJson', message }));
    }
  });

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('a thousand levels of %s pass, one more does not', (open, close) => {
    const nested = (levels: number): Buffer =>
      Buffer.from(open.repeat(levels) + (open === '[' ? '' : '1') + close.repeat(levels));
    expect(deepest).toBe(1000);
    expect(disagreement(nested(1000))).toBeUndefined();
    const message = `more than 1000 levels at byte ${1000 * open.length}`;
    expect(() => pass(nested(1001))).toThrow(message);
    expect(() => shared.roundTrip(nested(1001))).toThrow(message);
  });
});

test.each([
  ['0', true],
  ['7', true],
  ['-7', true],
  ['120', true],
  ['-0', false],
  ['0.0', false],
  ['1.5', false],
  ['1e3', false],
  ['-0e1', false],
])('the number %s is whole: %s', (text, whole) => {
  const scanner = new Scanner();
  scanner.source = Buffer.from(`${text},`);
  expect(scanner.number()).toBe(whole);
  expect(scanner.at).toBe(text.length);
});

test.each([
  ['1', false],
  ['9'.repeat(308), false],
  ['9'.repeat(400), true],
  ['1e308', false],
  ['1e309', true],
  [`${'9'.repeat(400)}.5`, true],
])('C-09: the scanner knows of a number whether a double can hold it', (text, infinite) => {
  expect(pass(Buffer.from(text)).infinite).toBe(infinite);
});
