import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeJson } from './json.ts';
import { encodeYaml } from './yaml-encode.ts';
import { decodeYaml } from './yaml.ts';

const valueOf = (decoded: ReturnType<typeof decodeJson>): unknown => (decoded.ok ? decoded.value : decoded.problem);

describe('JSON', () => {
  test.each([
    ['{"a":[1,null,"x"]}', { a: [1, null, 'x'] }],
    ['9007199254740991', 9_007_199_254_740_991],
    ['"9223372036854775807"', '9223372036854775807'],
    ['0.30000000000000004', 0.300_000_000_000_000_04],
    ['1e308', 1e308],
    ['', 'unexpected end of JSON input'],
    ['garbage', `invalid character 'g' looking for beginning of value`],
  ])('%s', (text, value) => {
    expect(valueOf(decodeJson(text))).toEqual(value);
  });

  test.each([
    ['9223372036854775807', 9_223_372_036_854_775_807n],
    ['{"spec":{"n":-9007199254740993}}', { spec: { n: -9_007_199_254_740_993n } }],
    ['[9007199254740991]', [9_007_199_254_740_991]],
    // What is not an int64 is a float to the server.
    ['[12345678901234567890]', [12_345_678_901_234_567_000]],
    ['9007199254740993.0', 9_007_199_254_740_992],
  ])('API-N1: an integer of 64 bits is exact: %s', (text, value) => {
    expect(valueOf(decodeJson(text))).toEqual(value);
  });

  test('a number that is not a float either is refused', () => {
    expect(valueOf(decodeJson('{"a":1e400}'))).toBe(
      'json: cannot unmarshal number 1e400 into Go value of type float64',
    );
    expect(decodeJson('{"a":"1e400"}').ok).toBe(true);
  });
});

test('brackets in text are not depth, behind an escaped quote too', () => {
  const text = JSON.stringify({ a: `"${'['.repeat(20_000)}`, b: [1] });
  expect(decodeJson(text).ok).toBe(true);
});

test('depth is what lies open, not all that was opened', () => {
  expect(decodeJson(`[${'[],'.repeat(20_000)}{}]`).ok).toBe(true);
});

describe('YAML', () => {
  test.each([
    [
      'a: yes\nb: 0644\nc: 2020-01-01T00:00:00Z\nd: "yes"\ne: ~',
      { a: true, b: 420, c: '2020-01-01T00:00:00Z', d: 'yes', e: null },
    ],
    ['base: &x {a: 1}\nmore:\n  <<: *x\n  b: 2', { base: { a: 1 }, more: { a: 1, b: 2 } }],
    ['{"a": 1}', { a: 1 }],
    ['a: 9223372036854775807', { a: 9_223_372_036_854_775_807n }],
    ['[0o10, 0x1F, 0b11, 1_000, -0644, 1:30, .5, 1e3, 08]', [8, 31, 3, 1000, -420, '1:30', 0.5, 1000, 8]],
    ['a: 1\n---\nb: 2\n', { a: 1 }],
    ['__proto__: {a: 1}', JSON.parse('{"__proto__":{"a":1}}')],
  ])('%s', (text, value) => {
    expect(valueOf(decodeYaml(text))).toEqual(value);
  });

  test('keys that stand twice are named, and the last one counts', () => {
    expect(decodeYaml('spec:\n  image: a\n  image: b\n')).toEqual({
      ok: true,
      value: { spec: { image: 'b' } },
      text: undefined,
      duplicates: ['line 3: key "image" already set in map'],
    });
  });

  test.each([
    ['what is not YAML', 'a: b: c'],
    ['a cycle', '&a [*a]'],
    [
      'a bomb of aliases',
      Array.from(
        { length: 9 },
        (_, at) => `a${at}: &a${at} [${Array.from({ length: 9 }, () => (at === 0 ? 'x' : `*a${at - 1}`)).join()}]`,
      ).join('\n'),
    ],
    ['a bomb of few aliases', `${'a'.repeat(3)}: &a ${'x'.repeat(50_000)}\nb: [${'*a,'.repeat(99)}]`],
    ['a bomb beside a repeated key', `a: &a [${'x,'.repeat(20_000)}]\nb: [${'*a,'.repeat(99)}]\nc: 1\nc: 2`],
    ['a cycle beside a repeated key', '&a {x: 1, x: *a}'],
  ])('%s is refused', (_, text) => {
    expect(decodeYaml(text).ok).toBe(false);
  });

  test('what is written can be read again', () => {
    const value = { b: ['yes', '1', null, 1.5, true], a: { t: '2020-01-01T00:00:00Z', n: '0644', x: '' } };
    expect(valueOf(decodeYaml(encodeYaml(value)))).toEqual(value);
    expect(encodeYaml(value)).toMatch(/^a:/);
  });

  test('what is written is read again, whatever it is', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[ -~\n]{0,200}$/));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      map: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(fc.dictionary(text, value, { maxKeys: 3 }), (object) => {
        expect(valueOf(decodeYaml(`# no JSON\n${encodeYaml(object)}`))).toEqual(JSON.parse(JSON.stringify(object)));
      }),
    );
  });

  test('API-T3: quotes, lists and line breaks are those of the server', () => {
    const long = `only the following media types are accepted: ${'application/json, '.repeat(4)}`;
    expect(
      encodeYaml({
        a10: 'x',
        a9: [],
        list: [{ b: 1, a: ['x'] }, ['z']],
        text: 'two\nlines',
        quoted: 'a: b',
        n: 'n',
        long,
      }),
    ).toBe(
      [
        'a9: []',
        'a10: x',
        'list:',
        '- a:',
        '  - x',
        '  b: 1',
        '- - z',
        "long: 'only the following media types are accepted: application/json, application/json,",
        "  application/json, application/json, '",
        '"n": "n"',
        "quoted: 'a: b'",
        'text: |-',
        '  two',
        '  lines',
        '',
      ].join('\n'),
    );
  });
});

test.each<[why: string, text: string, value: unknown]>([
  ['a mapping that ends where something stands further left', ' a: b\nc: d\n', { a: 'b' }],
  ['a flow mapping', '{a: b}~1', { a: 'b' }],
])('of %s the first document is read, and nothing behind it', (_, text, value) => {
  expect(decodeYaml(text)).toMatchObject({ ok: true, value });
});
