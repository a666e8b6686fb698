import { expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { FieldSet } from './field-set.ts';
import { decodeFields, encodeFields } from './fields-v1.ts';
import { underSchema } from './schema-change.ts';
import { typeOf } from './type.ts';

const text: Schema = { type: 'string' };
const fields = { 'f:spec': { 'f:hosts': { 'v:"a"': {} }, 'f:settings': { 'f:x': { '.': {}, 'f:y': {} } } } };
const under = (hosts: Schema, settings: Schema): unknown => {
  const type = typeOf({ type: 'object', properties: { spec: { type: 'object', properties: { hosts, settings } } } });
  return encodeFields(underSchema(decodeFields(fields) ?? FieldSet.empty, type));
};
const set: Schema = { type: 'array', 'x-kubernetes-list-type': 'set', items: text };
const maps: Schema = { type: 'object', additionalProperties: { type: 'object', additionalProperties: text } };

test('a schema that did not change leaves a set alone', () => {
  expect(under(set, maps)).toEqual(fields);
});

test('what was owned in parts and is atomic now is owned whole', () => {
  const inner: Schema = { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text };
  expect(under({ type: 'array', items: text }, { type: 'object', additionalProperties: inner })).toEqual({
    'f:spec': { 'f:hosts': {}, 'f:settings': { 'f:x': {} } },
  });
  expect(under(set, { ...maps, 'x-kubernetes-map-type': 'atomic' })).toEqual({
    'f:spec': { 'f:hosts': { 'v:"a"': {} }, 'f:settings': {} },
  });
});

test('a place the schema says nothing about stays as it was recorded', () => {
  expect(under(set, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true })).toEqual(fields);
});
