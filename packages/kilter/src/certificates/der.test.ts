import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { integer, oid, octetString, readValues, sequence, time } from './der.ts';

const hex = (value: Uint8Array): string => Buffer.from(value).toString('hex');

describe('DER', () => {
  test.each([
    ['zero', [0], '020100'],
    ['no octets at all', [], '020100'],
    ['below the sign bit', [0x7f], '02017f'],
    ['the sign bit set gets a zero before it', [0x80], '02020080'],
    ['needless zeros are dropped', [0, 0, 1], '020101'],
  ])('an integer: %s', (_, octets, expected) => {
    expect(hex(integer(Buffer.from(octets)))).toBe(expected);
  });

  test.each([
    ['2.5.4.3', '0603550403'],
    ['1.2.840.10045.4.3.2', '06082a8648ce3d040302'],
  ])('the object identifier %s', (dotted, expected) => {
    expect(hex(oid(dotted))).toBe(expected);
  });

  test.each([
    [0, '700101000000Z', 23],
    [Date.UTC(2024, 1, 29, 23, 59, 59), '240229235959Z', 23],
    [Date.UTC(2049, 11, 31, 23, 59, 59), '491231235959Z', 23],
    [Date.UTC(2050, 0, 1), '20500101000000Z', 24],
  ])('the moment %d is %s', (ms, text, tag) => {
    const value = time(ms);
    expect(value[0]).toBe(tag);
    expect(value.subarray(2).toString()).toBe(text);
  });

  test('what is written is read back, whatever its length', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 400 })), (contents) => {
        const written = sequence(...contents.map((content) => octetString(content)));
        const inner = readValues(readValues(written)?.[0]?.content ?? Buffer.alloc(0));
        expect(inner?.map(({ content }) => hex(content))).toEqual(contents.map(hex));
      }),
    );
  });

  test('a value longer than 65535 octets is read back', () => {
    const long = Buffer.alloc(70_000, 7);
    expect(readValues(octetString(long))?.[0]?.content.equals(long)).toBe(true);
  });

  test('bytes that are not DER are refused, never read beyond their end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const values = readValues(Buffer.from(bytes));
        const total = (values ?? []).reduce((sum, { raw }) => sum + raw.length, 0);
        expect(values === undefined || total === bytes.length).toBe(true);
      }),
    );
    expect(readValues(Buffer.of(0x30, 0x05, 0x01))).toBeUndefined();
    expect(readValues(Buffer.of(0x30, 0x85, 1, 1, 1, 1, 1))).toBeUndefined();
  });
});
