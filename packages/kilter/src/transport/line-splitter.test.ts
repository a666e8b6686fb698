import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasCode } from '../errors/index.ts';
import { ByteLineSplitter, lineSplitter } from './line-splitter.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const limit = 1000;

/** The lines of a whole, cut at these places. */
function split(whole: Uint8Array, cuts: readonly number[]): string[] {
  const splitter = lineSplitter(limit);
  const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length];
  const lines = places.slice(1).flatMap((to, i) => splitter.push(whole.subarray(places[i], to)));
  splitter.end();
  expect(splitter.failure).toBeUndefined();
  return lines;
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
    splitter.end();
    expect(splitter.failure).toBeUndefined();
  });

  test('TR-10: a stream that breaks off inside a line is an error, not a shorter line', () => {
    const splitter = lineSplitter(limit);
    expect(splitter.push(bytes('{"a":1}\n{"b":'))).toEqual(['{"a":1}']);
    splitter.end();
    expect(hasCode(splitter.failure, 'TRANSPORT_STREAM_MALFORMED')).toBe(true);
  });

  test('a web page instead of a stream is reported as one', () => {
    const splitter = lineSplitter(limit);
    expect(splitter.push(bytes('<html><body>Please log in'))).toEqual([]);
    splitter.push(bytes('</body></html>'));
    splitter.end();
    expect(splitter.failure?.message).toMatch(
      /^the answer is a web page, not a stream \(TRANSPORT_STREAM_MALFORMED: check the/,
    );
    expect(splitter.failure?.message).not.toContain('log in<');
  });

  test.each([1, 7, 2000])('TR-10: a line beyond the limit is an error, in chunks of %d bytes', (size) => {
    const splitter = lineSplitter(limit);
    const whole = bytes('x'.repeat(limit + 1));
    for (let at = 0; at < whole.length; at += size) splitter.push(whole.subarray(at, at + size));
    expect(hasCode(splitter.failure, 'TRANSPORT_LINE_TOO_LONG')).toBe(true);
  });

  test('a line of exactly the limit passes', () => {
    const line = 'x'.repeat(limit);
    expect(lineSplitter(limit).push(bytes(`${line}\n`))).toEqual([line]);
  });

  test.each([
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22, 0x0a)],
    ['a NUL', bytes('{"a":"\0"}\n')],
  ])('TR-10: %s are an error after the good lines before them, and nothing comes after it', (_, bad) => {
    const splitter = lineSplitter(limit);
    expect(splitter.push(Buffer.concat([bytes('{"a":1}\n'), bad, bytes('{"b":2}\n')]))).toEqual(['{"a":1}']);
    expect(hasCode(splitter.failure, 'TRANSPORT_STREAM_MALFORMED')).toBe(true);
    expect(splitter.push(bytes('{"c":3}\n'))).toEqual([]);
  });

  test('empty lines and carriage returns are not lines', () => {
    expect(
      lineSplitter(limit)
        .push(bytes('\n\r\n{"a":1}\r\n\n'))
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([{ a: 1 }]);
  });

  test('TR-10: lines as bytes are those of the text, and lie in one piece of memory', () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((text) => JSON.stringify({ text }));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, cuts) => {
        const whole = bytes(lines.map((text) => `${text}\n`).join(''));
        const splitter = new ByteLineSplitter(limit);
        const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length];
        const found = places.slice(1).flatMap((to, i) => {
          const { length, bytes: memory, bounds } = splitter.push(whole.subarray(places[i], to));
          expect(bounds).toHaveLength(2 * length);
          return Array.from({ length }, (_, at) => memory.toString('utf8', bounds[2 * at], bounds[2 * at + 1]));
        });
        expect(found).toEqual(lines);
      }),
    );
  });

  test('TR-10: a line beyond the limit ends the lines as bytes too, after the good ones before it', () => {
    const splitter = new ByteLineSplitter(10);
    expect(splitter.push(bytes(`short\n${'x'.repeat(11)}\nnever\n`)).length).toBe(1);
    expect(hasCode(splitter.failure, 'TRANSPORT_LINE_TOO_LONG')).toBe(true);
    expect(splitter.push(bytes('never\n')).length).toBe(0);
  });
});
