import { expect, test } from 'vitest';
import type { KubeObject, ManagedFieldsEntry } from '../api/index.ts';
import { differingFields, otherManagers, pathInWords } from './field-difference.ts';

const object = (metadata: object, more: object = {}): KubeObject =>
  ({ apiVersion: 'v1', kind: 'X', metadata: { name: 'a', ...metadata }, ...more }) as KubeObject;
const between = (before: KubeObject, after: KubeObject) => differingFields(before, after).map(pathInWords);

test.each(['resourceVersion', 'managedFields', 'generation', 'uid', 'creationTimestamp', 'selfLink'])(
  'metadata.%s moves with every write and is not a difference',
  (field) => {
    expect(between(object({ [field]: '1' }), object({ [field]: '2' }))).toEqual([]);
    expect(between(object({}, { [field]: '1' }), object({}, { [field]: '2' }))).toEqual([field]);
  },
);

test('five fields are enough, in the order of the older version, then of the newer', () => {
  const data = (...names: string[]) =>
    object({}, { data: Object.fromEntries(names.map((name) => [name, names.length])) });
  expect(between(data('a', 'b', 'c'), data('d', 'b'))).toEqual(['data.a', 'data.b', 'data.c', 'data.d']);
  expect(between(data(), data('a', 'b', 'c', 'd', 'e', 'f'))).toHaveLength(5);
});

test('items of a list are compared one by one, each from the older version on', () => {
  const list = (...items: object[]) => object({}, { list: items });
  expect(between(list({ a: 1 }, { b: 1 }), list({ c: 1 }, { b: 1 }))).toEqual(['list[0].a', 'list[0].c']);
});

test.each<[string, object | undefined, readonly string[], boolean]>([
  ['the field itself', { 'f:a': { 'f:b': {} } }, ['a', 'b'], true],
  ['all below it', { 'f:a': {} }, ['a', 'b', 'c'], true],
  ['another field', { 'f:a': { 'f:c': {} } }, ['a', 'b'], false],
  ['something below a field that was replaced', { 'f:a': { 'f:b': { 'f:c': {} } } }, ['a', 'b'], true],
  ['an item of a list', { 'f:a': { 'k:{"n":1}': { 'f:b': {} } } }, ['a', '0', 'b'], true],
  ['an item by its place', { 'f:a': { 'i:0': { 'f:b': {} } } }, ['a', '0', 'b'], true],
  ['another field of an item', { 'f:a': { 'k:{"n":1}': { 'f:c': {} } } }, ['a', '0', 'b'], false],
  ['a key where no item was meant', { 'f:a': { 'k:{"n":1}': {} } }, ['a', 'x'], false],
  ['what is not a set of fields', { 'f:a': 'x' }, ['a', 'b'], false],
  ['nothing', undefined, ['a'], false],
])('a manager that holds %s', (_, fieldsV1, path, holds) => {
  const entries = [{ manager: 'other', fieldsV1 }, { fieldsV1: {} }] as unknown as ManagedFieldsEntry[];
  expect(otherManagers(entries, [path], 'own')).toEqual(holds ? ['other'] : []);
});
