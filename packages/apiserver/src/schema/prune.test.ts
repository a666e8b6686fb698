import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/schema.ts';
import { prune, unknownFields } from './prune.ts';
import { unknownFieldText } from './strict-decoding.ts';

const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const text: Schema = { type: 'string' };
const preserve: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

describe('API-K4: fields the schema does not know are taken away and named', () => {
  const rows: [why: string, schema: Schema, value: JsonObject, result: JsonObject, unknown: string[]][] = [
    [
      'a field',
      object({ spec: object({ a: text }) }),
      { spec: { a: 'x', nope: 1 } },
      { spec: { a: 'x' } },
      ['spec.nope'],
    ],
    [
      'in the items of a list',
      object({ env: { type: 'array', items: object({ name: text }) } }),
      { env: [{ name: 'x', bad: 1 }, { worse: 1 }] },
      { env: [{ name: 'x' }, {}] },
      ['env[0].bad', 'env[1].worse'],
    ],
    [
      'in the values of a map',
      object({ m: { type: 'object', additionalProperties: object({ a: text }) } }),
      { m: { k: { a: 'x', b: 1 } } },
      { m: { k: { a: 'x' } } },
      ['m.k.b'],
    ],
    [
      'all of an object that names none',
      object({ spec: { type: 'object' } }),
      { spec: { a: 1, b: 2 } },
      { spec: {} },
      ['spec.a', 'spec.b'],
    ],
    [
      'below additionalProperties: true, which describes no value',
      object({ m: { type: 'object', additionalProperties: true } }),
      { m: { k: { a: 1 }, l: 2 } },
      { m: { k: {}, l: 2 } },
      ['m.k.a'],
    ],
    [
      'of objects in a list without items',
      object({ l: { type: 'array' } }),
      { l: [{ a: 1 }, 2] },
      { l: [{}, 2] },
      ['l[0].a'],
    ],
    [
      'a value of another type stays for validation',
      object({ spec: object({ a: text }) }),
      { spec: 'x' },
      { spec: 'x' },
      [],
    ],
    ['sorted by path', object({}), { b: 1, a: 1 }, {}, ['a', 'b']],
  ];
  test.each(rows)('%s', (...[, schema, value, result, unknown]) => {
    expect(prune(value, schema)).toEqual({ value: result, unknown });
  });
});

describe('API-K4: what is never pruned', () => {
  test('apiVersion, kind and metadata of the root, whatever the schema says of them', () => {
    const value = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', labels: { a: 'b' }, nope: 1 } };
    expect(prune(value, object({ metadata: object({ name: text }) }))).toEqual({ value, unknown: [] });
    expect(prune({ metadata: {}, spec: { metadata: { a: 1 } } }, object({ spec: object({}) })).unknown).toEqual([
      'spec.metadata',
    ]);
  });

  test('preserve-unknown-fields stops it', () => {
    const value = { spec: { any: { thing: [{ x: 1 }] } } };
    expect(prune(value, object({ spec: object({}, preserve) }))).toEqual({ value, unknown: [] });
    expect(prune(value, object({ spec: { ...preserve } }))).toEqual({ value, unknown: [] });
  });

  test('nested properties switch it on again', () => {
    const schema = object({ spec: object({ known: object({ a: text }) }, preserve) });
    const value = { spec: { any: { b: 1 }, known: { a: 'x', b: 1 } } };
    expect(prune(value, schema)).toEqual({
      value: { spec: { any: { b: 1 }, known: { a: 'x' } } },
      unknown: ['spec.known.b'],
    });
  });

  test('the items of a preserved list are preserved, their own properties are not', () => {
    const schema = object({ l: { type: 'array', ...preserve, items: object({ known: object({}) }) } });
    expect(prune({ l: [{ any: 1, known: { b: 1 } }] }, schema)).toEqual({
      value: { l: [{ any: 1, known: {} }] },
      unknown: ['l[0].known.b'],
    });
  });

  test('an embedded resource keeps apiVersion, kind and metadata', () => {
    const schema = object({ template: object({ spec: object({}) }, { 'x-kubernetes-embedded-resource': true }) });
    const resource = { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 'b' } } };
    expect(prune({ template: { ...resource, spec: { a: 1 }, status: 1 } }, schema)).toEqual({
      value: { template: { ...resource, spec: {} } },
      unknown: ['template.spec.a', 'template.status'],
    });
  });
});

describe('unknown fields of built-in kinds', () => {
  const list: Schema = { type: 'array', items: object({ name: text }) };
  const schema = object({
    metadata: object({ name: text }),
    spec: object({ containers: list, raw: { type: 'object' }, limits: { type: 'object', additionalProperties: text } }),
  });

  test('are named and stay', () => {
    const value = {
      apiVersion: 'v1',
      metadata: { name: 'x', nope: 1 },
      spec: { containers: [{ name: 'a' }, { nam: 'b' }], typo: 1 },
    };
    expect(unknownFields(value, object({ ...schema.properties, apiVersion: text }))).toEqual([
      'metadata.nope',
      'spec.containers[1].nam',
      'spec.typo',
    ]);
  });

  test('a schema that describes no fields holds any data, and a map any key', () => {
    expect(unknownFields({ spec: { raw: { a: { b: 1 } }, limits: { cpu: '1' } } }, schema)).toEqual([]);
  });

  test('a schema that contains itself ends with the value', () => {
    const props: Record<string, Schema> = {};
    const recursive = object(props);
    props['not'] = recursive;
    expect(unknownFields({ not: { not: { nope: 1 } } }, recursive)).toEqual(['not.not.nope']);
  });

  test('are worded as the server words them', () => {
    expect(unknownFieldText('spec.env[0].bad')).toBe('unknown field "spec.env[0].bad"');
  });
});

test('a field called __proto__ is pruned and kept like any other', () => {
  const value = JSON.parse('{"spec": {"__proto__": {"a": 1}, "b": 1}}') as JsonObject;
  expect(prune(value, object({ spec: object({ b: { type: 'integer' } }) })).unknown).toEqual(['spec.__proto__']);
  expect(JSON.stringify(prune(value, object({ spec: object({}, preserve) })).value)).toBe(
    '{"spec":{"__proto__":{"a":1},"b":1}}',
  );
});
