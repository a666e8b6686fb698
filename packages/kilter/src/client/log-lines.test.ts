import fc from 'fast-check';
import { expect, test } from 'vitest';
import { logLines } from './log-lines.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function lines(chunks: readonly Uint8Array[], limit = 1024): string[] {
  const cut = logLines(limit);
  return [...chunks.flatMap((chunk) => cut.push(chunk)), ...cut.end()];
}

/** Cuts bytes where the numbers say. */
function pieces(whole: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length].toSorted((a, b) => a - b);
  return at.slice(1).map((end, i) => whole.subarray(at[i], end));
}

test.each<[string, string[]]>([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\nb\n', ['a', 'b']],
  ['a\n\n\nb', ['a', '', '', 'b']],
  ['\n', ['']],
  ['a\r\nb', ['a\r', 'b']],
])('%j is the lines %j', (text, expected) => {
  expect(lines([bytes(text)])).toEqual(expected);
});

test('however the bytes are split, the lines are the same and characters stay whole', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\n'), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 10 }), (log, cuts) => {
      expect(lines(pieces(bytes(log), cuts))).toEqual(lines([bytes(log)]));
    }),
  );
});

test('a line that is too long comes in pieces of whole characters, nothing lost', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀'), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 6 }), fc.integer({ min: 4, max: 9 }), (line, cuts, limit) => {
      const got = lines(pieces(bytes(line), cuts), limit);
      expect(got.join('')).toBe(line);
      for (const piece of got) expect(bytes(piece).length).toBeLessThanOrEqual(limit);
    }),
  );
});

test('bytes that are not text do not end the log', () => {
  expect(lines([Uint8Array.of(0x61, 0xff, 0x0a, 0x62)])).toEqual(['a\ufffd', 'b']);
  expect(lines([Uint8Array.of(...Array.from({ length: 9 }, () => 0x80))], 4).join('')).toBe('\ufffd'.repeat(9));
});
