import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasCode } from '../errors/index.ts';
import { lineSplitter } from './line-splitter.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const limit = 1000;

/** The lines of a whole, cut at these places. */
function split(whole: Uint8Array, cuts: readonly number[]): string[] {
  const splitter = lineSplitter(limit);
  const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length];
  const lines = places.slice(1).flatMap((to, i) => splitter.push(whole.subarray(places[i], to)));
  splitter.end();
  return lines;
}

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('lines out of bytes', () => {
  test('TR-10: wherever the chunks are cut, the lines are the same, characters split across chunks included', () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((text) => JSON.stringify({ text }));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, cuts) => {
        expect(split(bytes(lines.map((text) => `${text}\n`).join('')), cuts)).toEqual(lines);
      }),
    );
  });

  test('TR-10: a line is handed out only when it is complete', () => {
    const splitter = lineSplitter(limit);
    expect(splitter.push(bytes('{"a":'))).toEqual([]);
    expect(splitter.push(bytes('1}'))).toEqual([]);
    expect(splitter.push(bytes('\n{"b"'))).toEqual(['{"a":1}']);
    expect(splitter.push(bytes(':2}\n'))).toEqual(['{"b":2}']);
    expect(() => splitter.end()).not.toThrow();
  });

  test('TR-10: a stream that breaks off inside a line is an error, not a shorter line', () => {
    const splitter = lineSplitter(limit);
    splitter.push(bytes('{"a":1}\n{"b":'));
    expect(
      hasCode(
        caught(() => splitter.end()),
        'TRANSPORT_STREAM_MALFORMED',
      ),
    ).toBe(true);
  });

  test.each([1, 7, 2000])('TR-10: a line beyond the limit is an error, in chunks of %d bytes', (size) => {
    const splitter = lineSplitter(limit);
    const whole = bytes('x'.repeat(limit + 1));
    const error = caught(() => {
      for (let at = 0; at < whole.length; at += size) splitter.push(whole.subarray(at, at + size));
    });
    expect(hasCode(error, 'TRANSPORT_LINE_TOO_LONG')).toBe(true);
  });

  test('a line of exactly the limit passes', () => {
    const line = 'x'.repeat(limit);
    expect(lineSplitter(limit).push(bytes(`${line}\n`))).toEqual([line]);
  });

  test('bytes that are no UTF-8 are an error', () => {
    const error = caught(() => lineSplitter(limit).push(Uint8Array.of(0x22, 0xff, 0x22, 0x0a)));
    expect(hasCode(error, 'TRANSPORT_STREAM_MALFORMED')).toBe(true);
  });

  test('empty lines and carriage returns are no lines', () => {
    expect(
      lineSplitter(limit)
        .push(bytes('\n\r\n{"a":1}\r\n\n'))
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([{ a: 1 }]);
  });
});
