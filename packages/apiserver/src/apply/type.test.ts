import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { fieldSetOf } from './owned-fields.ts';
import { pathText } from './path-element.ts';
import { typeOf } from './type.ts';

const text: Schema = { type: 'string' };
const owned = (schema: Schema, value: JsonObject): string[] =>
  [...fieldSetOf(value, typeOf({ type: 'object', properties: { at: schema } })).paths()].map(pathText);
const item: Schema = {
  type: 'object',
  properties: { name: text, port: { type: 'integer', default: 80 }, value: text },
};
const items = [{ name: 'A', value: '1' }];
const itemFields = (key: string): string[] => [`.at[${key}]`, `.at[${key}].name`, `.at[${key}].value`];

describe('API-S6: what a configuration owns, by list type and map type', () => {
  test.each<[what: string, schema: Schema, value: JsonObject, paths: string[]]>([
    ['a list without list type', { type: 'array', items: text }, { at: ['a'] }, ['.at']],
    ['an atomic list', { type: 'array', 'x-kubernetes-list-type': 'atomic', items: text }, { at: ['a'] }, ['.at']],
    [
      'a set',
      { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
      { at: ['b', 'a'] },
      ['.at[="a"]', '.at[="b"]'],
    ],
    [
      'a set that holds duplicates',
      { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
      { at: ['a', 'a'] },
      ['.at[="a"]'],
    ],
    [
      'a list of maps',
      { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: item },
      { at: items },
      itemFields('name="A"'),
    ],
    [
      'a list of maps with a key left to its default',
      { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'name'], items: item },
      { at: items },
      itemFields('name="A",port=80'),
    ],
    [
      'a list of maps without one of its keys, which has no default',
      { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name', 'zone'], items: item },
      { at: items },
      itemFields('name="A"'),
    ],
    [
      'a list of maps that holds duplicates',
      { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: item },
      { at: [...items, ...items] },
      ['.at[name="A"]'],
    ],
    [
      'a list that strategic merge merges by key',
      { type: 'array', 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'name', items: item },
      { at: items },
      itemFields('name="A"'),
    ],
    [
      'a list that it merges as a set',
      { type: 'array', 'x-kubernetes-patch-strategy': 'merge', items: text },
      { at: ['a'] },
      ['.at[="a"]'],
    ],
    [
      'a list that it replaces',
      { type: 'array', 'x-kubernetes-patch-strategy': 'retainKeys', items: text },
      { at: ['a'] },
      ['.at'],
    ],
    ['an empty list of items', { type: 'array', 'x-kubernetes-list-type': 'set', items: text }, { at: [] }, []],
    ['a map', { type: 'object', additionalProperties: text }, { at: { b: '1', a: '2' } }, ['.at.a', '.at.b']],
    [
      'a map of maps, with the entries themselves',
      { type: 'object', additionalProperties: { type: 'object', additionalProperties: text } },
      { at: { a: { b: '1' } } },
      ['.at.a', '.at.a.b'],
    ],
    [
      'an atomic map',
      { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
      { at: { a: '2' } },
      ['.at'],
    ],
    [
      'an atomic struct',
      { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text } },
      { at: { a: '2' } },
      ['.at'],
    ],
    [
      'a struct, without its declared fields on the way',
      { type: 'object', properties: { a: { type: 'object', properties: { b: text } } } },
      { at: { a: { b: '1' } } },
      ['.at.a.b'],
    ],
    ['an empty struct', { type: 'object', properties: { a: text } }, { at: {} }, ['.at']],
    ['null', { type: 'object', properties: { a: text } }, { at: { a: null } }, ['.at.a']],
    [
      'unknown fields: maps granular, lists atomic',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { at: { m: { x: 1 }, l: [{ name: 'n' }] } },
      ['.at.l', '.at.m', '.at.m.x'],
    ],
    [
      'unknown fields below a declared field of an object that preserves them',
      {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { d: { type: 'object', properties: { known: text } } },
      },
      { at: { d: { known: 'a', other: 'b' } } },
      ['.at.d.known', '.at.d.other'],
    ],
    ['a place of any type that holds a scalar', {}, { at: 5 }, ['.at']],
    ['a place of any type that holds a map', {}, { at: { x: 1 } }, ['.at.x']],
    ['a free-form object', { type: 'object' }, { at: { x: { y: 1 } } }, ['.at.x', '.at.x.y']],
    [
      'an integer beyond 2^53',
      { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
      { at: [9007199254740993n as unknown as number] },
      ['.at[=9007199254740993]'],
    ],
  ])('%s', (...[, schema, value, paths]) => {
    expect(owned(schema, value)).toEqual(paths);
  });
});

test('an embedded resource has apiVersion, kind, and metadata typed like that of the object', () => {
  const metadata: Schema = {
    type: 'object',
    properties: { name: text, finalizers: { type: 'array', 'x-kubernetes-list-type': 'set', items: text } },
  };
  const embedded: Schema = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { spec: { type: 'object' } },
  };
  const type = typeOf({ type: 'object', properties: { metadata, at: embedded } });
  const value = { at: { apiVersion: 'v1', kind: 'K', metadata: { name: 'n', finalizers: ['f'] }, spec: { a: 1 } } };
  expect([...fieldSetOf(value, type).paths()].map(pathText)).toEqual([
    '.at.apiVersion',
    '.at.kind',
    '.at.metadata.name',
    '.at.metadata.finalizers[="f"]',
    '.at.spec.a',
  ]);
});

test('a schema that contains itself is walked along the value', () => {
  const node: { type: 'object'; properties: Record<string, Schema> } = { type: 'object', properties: { name: text } };
  node.properties['child'] = node;
  const value = { child: { child: { name: 'x' } } };
  expect([...fieldSetOf(value, typeOf(node)).paths()].map(pathText)).toEqual(['.child.child.name']);
});

test('a field named like something every object inherits is only a field', () => {
  const value = JSON.parse('{"at":{"__proto__":"a","constructor":"b"}}') as JsonObject;
  expect(owned({ type: 'object', additionalProperties: text }, value)).toEqual(['.at.__proto__', '.at.constructor']);
  expect(typeOf({ type: 'object', properties: { at: text } }).map?.field('constructor')).toBeUndefined();
});
