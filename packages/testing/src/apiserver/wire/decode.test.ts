import { describe, expect, test } from 'vitest';
import { decodeJson } from './json.ts';
import { decodeYaml, encodeYaml } from './yaml.ts';

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

  test.each(['9223372036854775807', '{"spec":{"n":-9007199254740993}}', '[12345678901234567890]', '1e400'])(
    'a number that would become another is refused, since storing another number would be a lie: %s',
    (text) => {
      expect(decodeJson(text)).toEqual({
        ok: false,
        problem: expect.stringMatching(/cannot hold the number -?[\de]+ exactly yet: use a string/),
      });
    },
  );
});

test('brackets in text are no depth, behind an escaped quote too', () => {
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
    ['__proto__: {a: 1}', JSON.parse('{"__proto__":{"a":1}}')],
  ])('%s', (text, value) => {
    expect(valueOf(decodeYaml(text))).toEqual(value);
  });

  test('keys that stand twice are named, and the last one counts', () => {
    expect(decodeYaml('spec:\n  image: a\n  image: b\n')).toEqual({
      ok: true,
      value: { spec: { image: 'b' } },
      text: undefined,
      duplicates: ['image'],
    });
  });

  test.each([
    ['what is no YAML', 'a: b: c'],
    ['a cycle', '&a [*a]'],
    ['a bomb of aliases', `a: &a [x]\nb: [${Array.from({ length: 101 }, () => '*a').join(',')}]`],
    ['a bomb of few aliases', `${'a'.repeat(3)}: &a ${'x'.repeat(50_000)}\nb: [${'*a,'.repeat(99)}]`],
    ['a bomb beside a repeated key', `a: &a [${'x,'.repeat(20_000)}]\nb: [${'*a,'.repeat(99)}]\nc: 1\nc: 2`],
    ['a cycle beside a repeated key', '&a {x: 1, x: *a}'],
    ['an integer that would be rounded', 'a: 9223372036854775807'],
  ])('%s is refused', (_, text) => {
    expect(decodeYaml(text).ok).toBe(false);
  });

  test('what is written can be read again', () => {
    const value = { b: ['yes', '1', null, 1.5, true], a: { t: '2020-01-01T00:00:00Z', n: '0644', x: '' } };
    expect(valueOf(decodeYaml(encodeYaml(value)))).toEqual(value);
    expect(encodeYaml(value)).toMatch(/^a:/);
  });
});
