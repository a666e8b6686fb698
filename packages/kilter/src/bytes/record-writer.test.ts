import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecordWriter } from './record-writer.ts';

/** As the format says it: seven bits a byte, the lowest first. */
function varint(value: bigint): number[] {
  const low = Number(value & 0x7fn);
  return value > 0x7fn ? [low | 0x80, ...varint(value >> 7n)] : [low];
}

const written = ({ tokens, tokensEnd }: RecordWriter): number[] => [...tokens.subarray(0, tokensEnd)];
const textOf = ({ text, textEnd }: RecordWriter): string => text.toString('latin1', 0, textEnd);

describe('a record', () => {
  test('holds nothing at first, and nothing again once it is cleared', () => {
    const writer = new RecordWriter();
    expect([writer.tokensEnd, writer.textEnd]).toEqual([0, 0]);
    writer.byte(1);
    writer.ascii(Buffer.from('abc'), 0, 3);
    writer.clear();
    expect([writer.tokensEnd, writer.textEnd]).toEqual([0, 0]);
  });

  test.each([
    0,
    1,
    0x7e,
    0x7f,
    0x80,
    0x3fff,
    0x4000,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    2 ** 38 + 127,
    999_999_999_999_999,
    2 ** 53 - 1,
  ])('holds %d in as few bytes as it needs', (value) => {
    const writer = new RecordWriter();
    writer.varint(value);
    expect(written(writer)).toEqual(varint(BigInt(value)));
  });

  test('holds any whole number', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const writer = new RecordWriter();
        writer.varint(value);
        expect(written(writer)).toEqual(varint(BigInt(value)));
      }),
    );
  });

  test.each([0, 1, 255, 256, 65_535, 65_536, 0x01_02_03, 2 ** 24 - 1])(
    'takes %d in three bytes kept free for it',
    (value) => {
      const writer = new RecordWriter();
      writer.byte(9);
      const at = writer.reserve();
      writer.byte(8);
      writer.patch(at, value);
      expect(written(writer)).toEqual([9, value % 256, Math.floor(value / 256) % 256, Math.floor(value / 65_536), 8]);
    },
  );

  const source = Buffer.from(Array.from({ length: 300 }, (_, index) => 97 + (index % 26)));
  test.each([1, 47, 48, 49, 96, 97, 200])('takes %d bytes out of the middle of a source, and no more', (size) => {
    const writer = new RecordWriter();
    writer.text.fill(0);
    writer.ascii(source, 10, 10 + size);
    expect(writer.text.toString('latin1', 0, size + 2)).toBe(`${source.toString('latin1', 10, 10 + size)}\0\0`);
    writer.bytes(source, 20, 20 + size);
    expect(written(writer)).toEqual([...source.subarray(20, 20 + size)]);
  });
});

describe('a record that is full grows, and keeps what it has,', () => {
  /** Both parts filled up to so many bytes before their end, with what can be told from anything else. */
  function nearlyFull(left: number): RecordWriter {
    const writer = new RecordWriter();
    for (let at = 0; writer.tokensEnd < writer.tokens.length - left; at += 1) writer.byte(at % 251);
    const letters = Buffer.from(Array.from({ length: writer.text.length - left }, (_, at) => 97 + (at % 23)));
    writer.ascii(letters, 0, letters.length);
    return writer;
  }
  const more = Buffer.from('0123456789'.repeat(10_000));

  test.each([0, 1, 2, 3, 4])('%d bytes before its end', (left) => {
    const acts: [act: (writer: RecordWriter) => void, tokens: number[], text: string][] = [
      [(writer) => writer.byte(7), [7], ''],
      [(writer) => writer.varint(300), [0xac, 0x02], ''],
      [(writer) => writer.patch(writer.reserve(), 5), [5, 0, 0], ''],
      [(writer) => writer.bytes(more, 0, 4), [48, 49, 50, 51], ''],
      [(writer) => writer.ascii(more, 0, 4), [], '0123'],
      [(writer) => writer.bytes(more, 0, more.length), [...more], ''],
      [(writer) => writer.ascii(more, 0, more.length), [], more.toString('latin1')],
    ];
    for (const [act, tokens, text] of acts) {
      const writer = nearlyFull(left);
      const before = { tokens: written(writer), text: textOf(writer) };
      act(writer);
      expect(Buffer.from(written(writer)).equals(Buffer.from([...before.tokens, ...tokens]))).toBe(true);
      expect(textOf(writer) === before.text + text).toBe(true);
    }
  });

  test('by half of what it is then at the most, so that growing costs no more than writing', () => {
    const writer = nearlyFull(0);
    const [tokens, text] = [writer.tokens.length, writer.text.length];
    writer.byte(1);
    writer.ascii(more, 0, 1);
    expect([writer.tokens.length, writer.text.length]).toEqual([2 * tokens, 2 * text]);
    // What is not needed is not grown.
    const exact = nearlyFull(3);
    exact.reserve();
    exact.ascii(more, 0, 3);
    expect([exact.tokens.length, exact.text.length]).toEqual([tokens, text]);
    const bytes = nearlyFull(4);
    bytes.bytes(more, 0, 4);
    expect(bytes.tokens.length).toBe(tokens);
  });
});
