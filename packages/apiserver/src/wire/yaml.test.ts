// What the real server's reader makes of odd YAML: each row was asked of sigs.k8s.io/yaml, as kube-apiserver 1.36 uses it.
import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { decodeYaml, decodeYamlBytes } from './yaml.ts';

const read = (text: string): unknown => {
  const decoded = decodeYaml(text);
  return decoded.ok ? decoded.value : decoded.problem;
};

describe('numbers', () => {
  test.each([
    ['more than a float holds', '1e999', '1e999'],
    ['digits without end', '1'.repeat(400), '1'.repeat(400)],
    ['more than 64 bits in hexadecimal', '0x1ffffffffffffffff', '0x1ffffffffffffffff'],
    ['less than 64 bits in hexadecimal', '-0xffffffffffffffff', '-0xffffffffffffffff'],
    ['a sign behind 0b', '0b-101', -5],
    ['a time', '!!timestamp 2001-02-28', '2001-02-28'],
    ['an integer as a float', '!!float 3', 3],
  ])('%s', (_, text, value) => {
    expect(read(text)).toEqual(value);
  });

  test.each([
    ['!!timestamp 2001-02-30', 'yaml: cannot decode !!str `2001-02-30` as a !!timestamp'],
    ['!!int 18446744073709551616', 'yaml: cannot decode !!float `18446744073709551616` as a !!int'],
    ['!!float 18446744073709551615', 'yaml: cannot decode !!int `18446744073709551615` as a !!float'],
    ['!!null text', 'yaml: cannot decode !!str `text` as a !!null'],
    ['!!int <<', 'yaml: cannot decode !!str `<<` as a !!int'],
    ['.inf', 'json: unsupported value: +Inf'],
    ['[-.inf, .nan]', 'json: unsupported value: -Inf'],
    ['.nan', 'json: unsupported value: NaN'],
  ])('%s is refused', (text, problem) => {
    expect(read(text)).toBe(problem);
  });
});

describe('keys', () => {
  test.each([
    ['1e20', '1e+20'],
    ['1_234_567.0', '1.234567e+06'],
    ['123456789012345678901234567890', '1.2345679e+29'],
    ['0.1', '0.1'],
    ['16777217.0', '1.6777216e+07'],
    ['0.30000001192092896', '0.3'],
    ['1.7014118e+38', '1.7014118e+38'],
    ['1e300', '.inf'],
    ['-1e300', '-.inf'],
    ['.nan', '.nan'],
    ['9223372036854775807', '9223372036854775807'],
    ['yes', 'true'],
  ])('%s is %s', (text, key) => {
    expect(read(`${text}: x`)).toEqual({ [key]: 'x' });
  });

  test.each([
    ['~: 1', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: 1'],
    ['~: ~', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: <nil>'],
    [
      '18446744073709551615: [1, 1.5, .inf, yes, ~, 18446744073709551615, {2: -.inf}, {a: -0.0}]',
      'unsupported map key of type: uint64, key: 0xffffffffffffffff, value: []interface {}{1, 1.5, +Inf, true, interface {}(nil), 0xffffffffffffffff, map[interface {}]interface {}{2:-Inf}, map[interface {}]interface {}{"a":-0}}',
    ],
    ['[.nan]: 1', 'yaml: invalid map key: []interface {}{NaN}'],
    // What is wrong with the text is told before what is wrong with a key.
    ['~: 1\n{a: b}: 2', 'yaml: invalid map key: map[interface {}]interface {}{"a":"b"}'],
  ])('%s is refused', (text, problem) => {
    expect(read(text)).toBe(problem);
  });

  test('what nobody sees in the end does no harm', () => {
    expect(read('a: {~: 1}\na: 2')).toEqual({ a: 2 });
  });

  test('1 and "1" are two keys, 1 and 0x1 are not', () => {
    expect(decodeYaml('1: a\n"1": b')).toMatchObject({ duplicates: [] });
    expect(decodeYaml('1: a\n0x1: b')).toMatchObject({ duplicates: ['line 2: key 1 already set in map'] });
  });
});

test.each([
  ['[]key: v', []],
  ['{}{}key: v', {}],
  ['[][@', []],
  ['[, ]? %]', 'yaml: did not find expected node content'],
  ['a: !e!x |x', 'yaml: did not find expected comment or line break'],
  ['a: !e!x x', 'yaml: found undefined tag handle'],
])('of %j the real reader looks as far ahead', (text, answer) => {
  expect(read(text)).toEqual(answer);
});

test.each([
  ['{"a"\n: 1}', "yaml: line 1: did not find expected ',' or '}'"],
  ['{"a": "\u007f"}', 'yaml: control characters are not allowed'],
  ['{"a": "x\u0085 y"}', { a: 'x y' }],
])('JSON that is not YAML is not taken for it: %j', (text, answer) => {
  expect(read(text)).toEqual(answer);
});

describe('bytes', () => {
  const answer = (bytes: Buffer): unknown => {
    const decoded = decodeYamlBytes(bytes);
    return decoded.ok ? decoded.value : decoded.problem;
  };
  const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

  test.each([
    ['a: \xff', 'yaml: invalid leading UTF-8 octet'],
    ['a: \xc3', 'yaml: incomplete UTF-8 octet sequence'],
    ['a: \xc3x', 'yaml: invalid trailing UTF-8 octet'],
    ['a: \xc0\x80', 'yaml: invalid length of a UTF-8 sequence'],
    ['a: \xed\xa0\x80', 'yaml: invalid Unicode character'],
    ['a: \x01\xff', 'yaml: control characters are not allowed'],
  ])('%j', (text, problem) => {
    expect(answer(Buffer.from(text, 'latin1'))).toBe(problem);
  });

  test('what is wrong is found with the first of its block of 512 bytes, and not before', () => {
    const text = '[]\n---\n'.padEnd(512, 'x');
    expect(answer(Buffer.from(`${text}\xff`, 'latin1'))).toEqual([]);
    expect(answer(Buffer.from(`${text.slice(0, -1)}\xff`, 'latin1'))).toBe('yaml: invalid leading UTF-8 octet');
  });

  test('UTF-16 is recognized by its mark', () => {
    expect(answer(utf16('a: é😀'))).toEqual({ a: 'é😀' });
    expect(answer(Buffer.from(utf16('a: é😀')).swap16())).toEqual({ a: 'é😀' });
    expect(answer(utf16('a: \udc00'))).toBe('yaml: unexpected low surrogate area');
    expect(answer(utf16('a: \ud800x'))).toBe('yaml: expected low surrogate area');
    expect(answer(utf16('a: \ud800'))).toBe('yaml: incomplete UTF-16 surrogate pair');
    expect(answer(utf16('a: b').subarray(0, -1))).toBe('yaml: incomplete UTF-16 character');
  });

  test('of binary data each byte that is not text becomes a mark of its own', () => {
    expect(read(`!!binary ${Buffer.from([0x61, 0xf0, 0x9f, 0x98, 0xc3, 0xa9]).toString('base64')}`)).toBe(
      'a\ufffd\ufffd\ufffd\u00e9',
    );
  });
});

// Each took seconds, or the stack.
describe('hostile texts', () => {
  test('a text in quotes that never ends', () => {
    expect(read(`{"a":"${'\\"'.repeat(500_000)}`)).toBe('yaml: found unexpected end of stream');
  });

  test('many lists in each other before many texts', () => {
    expect(read('['.repeat(900) + 'a,'.repeat(500_000))).toBe('yaml: line 1: did not find expected node content');
  });

  const chain = (lines: number, [open, close]: readonly [string, string]): string =>
    Array.from({ length: lines }, (_, at) => {
      const inner = at === 0 ? '{}' : `*a${at - 1} `;
      return `a${at}: &a${at} ${open.repeat(300)}${inner}${close.repeat(300)}`;
    }).join('\n');

  test.each([
    ['lists', '[', ']'],
    ['mappings', '{a: ', '}'],
    ['merges', '{<<: ', '}'],
  ])('%s that aliases nest deeper than the text', (_, open, close) => {
    expect(read(chain(3, [open, close]))).toBeTypeOf('object');
    expect(read(chain(40, [open, close]))).toMatch(/^yaml: exceeded max depth: the embedded API server reads 1000/);
  });
});
