import { describe, expect, test } from 'vitest';
import { compactJson, floatText, numberText, quote, valueText } from './go-text.ts';

describe('values as Go writes them', () => {
  test.each([
    ['a"b\\c', String.raw`"a\"b\\c"`],
    ['\n\t\r\u0007\u0000\u007f', String.raw`"\n\t\r\a\x00\x7f"`],
    ['ü☃😀٣', '"ü☃😀٣"'],
    ['\u00a0\u200b\u2028\ufeff', String.raw`"\u00a0\u200b\u2028\ufeff"`],
    ['\u{10ffff}', String.raw`"\U0010ffff"`],
  ])('a string in quotes: %j', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });

  test.each([
    [0, '0'],
    [1.5, '1.5'],
    [-0.25, '-0.25'],
    [123456.5, '123456.5'],
    [1234567.5, '1.2345675e+06'],
    [1e12, '1e+12'],
    [1e25, '1e+25'],
    [0.0001, '0.0001'],
    [0.00001234, '1.234e-05'],
    [1e-12, '1e-12'],
  ])('a float: %d', (value, text) => {
    expect(floatText(value)).toBe(text);
  });

  test('an integer is written in full', () => {
    expect([numberText(10_000_000), numberText(1e21), numberText(0.5)]).toEqual(['10000000', '1e+21', '0.5']);
  });

  test('JSON has sorted keys and escapes for HTML', () => {
    expect(compactJson({ b: [1, null], a: '<&>\u2028' })).toBe(
      String.raw`{"a":"\u003c\u0026\u003e\u2028","b":[1,null]}`,
    );
    expect([valueText('<'), valueText(null), valueText(true), valueText([1])]).toEqual(['"<"', 'null', 'true', '[1]']);
  });
});
