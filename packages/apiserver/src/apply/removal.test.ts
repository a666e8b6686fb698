import type { JsonObject } from 'kilter/api';
import { expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { FieldSet } from './field-set.ts';
import { type PathElement, pathText } from './path-element.ts';
import { removeFields, withDeclaredFields } from './removal.ts';
import { typeOf } from './type.ts';

const text: Schema = { type: 'string' };
const type = typeOf({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        image: text,
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        env: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: text, from: { type: 'object', properties: { key: text } } } },
        },
        labels: { type: 'object', additionalProperties: { type: 'object', additionalProperties: text } },
      },
    },
  },
});
const env = [{ name: 'A', from: { key: 'k' } }, { name: 'B' }];
const object: JsonObject = { spec: { image: 'i', set: ['a', 'b'], env, labels: { x: { y: '1', z: '2' } } } };

test.each<[string, PathElement[][], JsonObject]>([
  ['nothing', [], object],
  ['a field', [['f:spec', 'f:labels']], { spec: { image: 'i', set: ['a', 'b'], env } }],
  ['everything', [['f:spec']], {}],
])('removing %s', (_, paths, expected) => {
  expect(removeFields(object, FieldSet.of(paths), type)).toEqual(expected);
});

test('removing items and fields inside items and maps', () => {
  const fields = FieldSet.of([
    ['f:spec', 'f:set', 'v:"a"'],
    ['f:spec', 'f:env', 'k:{"name":"B"}'],
    ['f:spec', 'f:env', 'k:{"name":"A"}', 'f:from'],
    ['f:spec', 'f:labels', 'f:x', 'f:y'],
  ]);
  expect(removeFields(object, fields, type)).toEqual({
    spec: { image: 'i', set: ['b'], env: [{ name: 'A' }], labels: { x: { z: '2' } } },
  });
});

test('what loses all it had becomes null, which validation refuses as the server does', () => {
  const fields = FieldSet.of([
    ['f:spec', 'f:set', 'v:"a"'],
    ['f:spec', 'f:set', 'v:"b"'],
  ]);
  expect(removeFields({ spec: { image: 'i', set: ['a', 'b'] } }, fields, type)).toEqual({
    spec: { image: 'i', set: null },
  });
});

test('declared fields on the way to a member exist only for it, entries of maps and items of lists do not', () => {
  const fields = FieldSet.of([
    ['f:spec', 'f:labels', 'f:x', 'f:y'],
    ['f:spec', 'f:env', 'k:{"name":"A"}', 'f:from', 'f:key'],
  ]);
  expect([...withDeclaredFields(fields, type).paths()].map(pathText)).toEqual([
    '.spec',
    '.spec.env',
    '.spec.labels',
    '.spec.env[name="A"].from',
    '.spec.env[name="A"].from.key',
    '.spec.labels.x.y',
  ]);
});
