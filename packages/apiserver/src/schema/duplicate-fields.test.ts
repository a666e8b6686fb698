import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { duplicateFields } from './duplicate-fields.ts';
import { duplicateFieldText } from './strict-decoding.ts';

describe('fields that stand twice in a JSON text', () => {
  const rows: [why: string, text: string, paths: string[]][] = [
    ['none', '{"a": 1, "b": {"a": 1}}', []],
    ['at the root', '{"a": 1, "a": 2}', ['a']],
    ['below', '{"spec": {"image": "x", "image": "y"}}', ['spec.image']],
    ['in an item', '{"env": [{"name": 1}, {"name": 1, "name": 2}]}', ['env[1].name']],
    ['in a list of lists', '[[], [{"a": 1, "a": 1}]]', ['[1][0].a']],
    ['three times is once', '{"a": 1, "a": 2, "a": 3}', ['a']],
    ['escapes do not hide it', String.raw`{"a1": 1, "a\u0031": 2}`, ['a1']],
    ['a text that looks like a key', String.raw`{"a": "\"b\": 1, \"b\": 2", "c": "}", "d": "a"}`, []],
    ['backslashes at the end of a text', String.raw`{"a": "\\", "b\\\"": "\"", "a": 1, "b\\\"": 2}`, ['a', 'b\\"']],
    ['equal strings in a list', '["a", "a"]', []],
    ['a value equal to a key', '{"a": "a", "b": "a"}', []],
    ['both the parent and its field', '{"o": {"x": 1, "x": 1}, "o": {"x": 1}}', ['o.x', 'o']],
    ['names of inherited methods', '{"toString": 1, "__proto__": 1}', []],
    ['__proto__ twice', '{"__proto__": 1, "__proto__": 1}', ['__proto__']],
    ['white space between key and colon', '{"a"  :1,\n"a"\t: 2}', ['a']],
    ['no object at all', '"a"', []],
  ];
  test.each(rows)('%s', (...[, text, paths]) => {
    expect(duplicateFields(text)).toEqual(paths);
  });

  test('are worded as the server words them', () => {
    expect(duplicateFieldText('spec.image')).toBe('duplicate field "spec.image"');
  });
});

test('what JSON.stringify writes has no duplicates, however it is nested', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(duplicateFields(JSON.stringify(value))).toEqual([]);
    }),
  );
});

test('long strings and deep nesting need no stack', () => {
  const long = JSON.stringify({ a: 'x\\"'.repeat(2_000_000) });
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect([...duplicateFields(long), ...duplicateFields(deep)]).toEqual([]);
});
