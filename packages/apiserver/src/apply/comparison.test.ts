import type { Json } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { compare } from './comparison.ts';
import type { FieldSet } from './field-set.ts';
import { pathText } from './path-element.ts';
import { typeOf } from './type.ts';

const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  properties: {
    image: text,
    tls: { type: 'object', properties: { secret: text } },
    env: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: text, value: text } },
    },
    hosts: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    args: { type: 'array', items: text },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const texts = (set: FieldSet): string[] => [...set.paths()].map(pathText);

interface Row {
  readonly what: string;
  readonly before: Record<string, Json>;
  readonly after: Record<string, Json>;
  readonly added?: string[];
  readonly modified?: string[];
  readonly removed?: string[];
}

describe('API-S4: what a write changed', () => {
  test.each<Row>([
    { what: 'nothing', before: { image: 'a' }, after: { image: 'a' } },
    { what: 'a scalar that came', before: {}, after: { image: 'a' }, added: ['.image'] },
    { what: 'a scalar that went', before: { image: 'a' }, after: {}, removed: ['.image'] },
    { what: 'a scalar that changed', before: { image: 'a' }, after: { image: 'b' }, modified: ['.image'] },
    {
      what: 'a struct that came, itself too',
      before: {},
      after: { tls: { secret: 's' } },
      added: ['.tls', '.tls.secret'],
    },
    { what: 'an empty struct', before: {}, after: { tls: {} }, added: ['.tls'] },
    { what: 'a struct that was filled', before: { tls: {} }, after: { tls: { secret: 's' } }, added: ['.tls.secret'] },
    { what: 'null that became {}', before: { tls: null }, after: { tls: {} }, modified: ['.tls'] },
    {
      what: 'items that came, went and changed',
      before: { env: [{ name: 'A', value: '1' }, { name: 'B' }] },
      after: { env: [{ name: 'C' }, { name: 'A', value: '2' }] },
      added: ['.env[name="C"]', '.env[name="C"].name'],
      modified: ['.env[name="A"].value'],
      removed: ['.env[name="B"]', '.env[name="B"].name'],
    },
    { what: 'only the order of items', before: { hosts: ['a', 'b'] }, after: { hosts: ['b', 'a'] } },
    {
      what: 'the order of an atomic list',
      before: { args: ['a', 'b'] },
      after: { args: ['b', 'a'] },
      modified: ['.args'],
    },
    {
      what: 'an item that got a duplicate',
      before: { env: [{ name: 'A', value: '1' }] },
      after: { env: [{ name: 'A' }, { name: 'A' }] },
      added: ['.env[name="A"]'],
      removed: ['.env[name="A"]', '.env[name="A"].name', '.env[name="A"].value'],
    },
    {
      what: 'duplicates that became one',
      before: { env: [{ name: 'A' }, { name: 'A' }] },
      after: { env: [{ name: 'A' }] },
      added: ['.env[name="A"]', '.env[name="A"].name'],
      removed: ['.env[name="A"]'],
    },
    { what: 'duplicates that stayed', before: { hosts: ['a', 'a'] }, after: { hosts: ['a', 'a'] } },
    {
      what: 'one duplicate more',
      before: { hosts: ['a', 'a'] },
      after: { hosts: ['a', 'a', 'a'] },
      modified: ['.hosts[="a"]'],
    },
    {
      what: 'a scalar that became a map',
      before: { any: 'x' },
      after: { any: { k: 1 } },
      modified: ['.any'],
      added: ['.any.k'],
    },
    { what: 'the same number in another form', before: { any: 5 }, after: { any: 5n as unknown as number } },
  ])('$what', ({ before, after, added = [], modified = [], removed = [] }) => {
    const changed = compare(before, after, typeOf(schema));
    expect({ added: texts(changed.added), modified: texts(changed.modified), removed: texts(changed.removed) }).toEqual(
      {
        added,
        modified,
        removed,
      },
    );
  });
});
