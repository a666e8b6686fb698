import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FieldSet } from './field-set.ts';
import { decodeFields, encodeFields } from './fields-v1.ts';
import { fieldElement, indexElement, keyElement, pathText, valueElement } from './path-element.ts';

const texts = (fields: unknown): string[] => [...(decodeFields(fields)?.paths() ?? [])].map(pathText);

describe('API-S3: FieldsV1', () => {
  test('a member with more below it has a dot, in the order of the server', () => {
    const set = FieldSet.of([
      ['f:spec', 'f:nums', 'v:10'],
      ['f:spec', 'f:nums', 'v:9'],
      ['f:spec', 'f:env', 'k:{"name":"B"}', 'f:name'],
      ['f:spec', 'f:env', 'k:{"name":"B"}'],
      ['f:spec', 'f:env'],
      ['f:metadata', 'f:labels', 'f:app'],
    ]);
    expect(JSON.stringify(encodeFields(set))).toBe(
      '{"f:metadata":{"f:labels":{"f:app":{}}},"f:spec":{"f:env":{".":{},"k:{\\"name\\":\\"B\\"}":{".":{},"f:name":{}}},"f:nums":{"v:9":{},"v:10":{}}}}',
    );
  });

  test.each([
    ['nothing', {}, []],
    ['a leaf', { 'f:a': {} }, ['.a']],
    ['a parent that is not a member', { 'f:a': { 'f:b': {} } }, ['.a.b']],
    ['a parent that is', { 'f:a': { '.': {}, 'f:b': {} } }, ['.a', '.a.b']],
    ['only a dot', { 'f:a': { '.': {} } }, ['.a']],
    ['null for {}', { 'f:a': null }, ['.a']],
    ['a kind of step nobody knows', { 'f:a': { 'x:new': { 'f:b': {} }, 'f:c': {} }, 'q:': {} }, ['.a.c']],
    ['nothing but unknown steps', { 'f:a': { 'x:new': {} } }, ['.a']],
    ['a dot at the root', { '.': {}, 'f:a': {} }, ['.a']],
  ])('%s', (_, fields, paths) => {
    expect(texts(fields)).toEqual(paths);
  });

  test.each([
    ['a list', []],
    ['a text', 'f:a'],
    ['a step without kind', { a: {} }],
    ['a step of one letter', { f: {} }],
    ['a step without colon', { xx: {} }],
    ['broken keys', { 'f:a': { 'k:{': {} } }],
    ['a leaf that is not an object', { 'f:a': 1 }],
  ])('%s is refused as a whole', (_, fields) => {
    expect(decodeFields(fields)).toBeUndefined();
  });

  const scalar = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const element = fc.oneof(
    fc.string({ unit: 'binary' }).map(fieldElement),
    scalar.map(valueElement),
    fc.nat().map(indexElement),
    fc
      .dictionary(fc.string({ minLength: 1 }), scalar, { minKeys: 1, maxKeys: 3 })
      .map((keys) => keyElement(Object.entries(keys))),
  );

  test('what is encoded decodes to the same set, also through JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 8 }), (paths) => {
        const set = FieldSet.of(paths);
        const encoded = encodeFields(set);
        expect(decodeFields(encoded)?.equals(set)).toBe(true);
        expect(encodeFields(decodeFields(JSON.parse(JSON.stringify(encoded))) ?? FieldSet.empty)).toEqual(encoded);
      }),
    );
  });
});
