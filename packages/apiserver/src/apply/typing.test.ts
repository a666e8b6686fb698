import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { typeOf } from './type.ts';
import { typingProblem } from './typing.ts';

const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    image: text,
    on: { type: 'boolean' },
    since: { type: 'string', format: 'date-time' },
    port: { 'x-kubernetes-int-or-string': true },
    env: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: text, value: text } },
    },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
      },
    },
    hosts: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    args: { type: 'array', items: text },
    tls: { type: 'object', properties: { secret: text } },
    labels: { type: 'object', additionalProperties: text },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: text } },
    closed: { type: 'object', additionalProperties: false },
    open: { type: 'object', additionalProperties: true },
  },
};
const problem = (value: JsonObject, duplicates: 'allowed' | 'refused' = 'refused'): string | undefined =>
  typingProblem(value, typeOf(schema), { duplicates });

describe('API-S6: what does not fit its schema is refused in the words of the server', () => {
  test.each<[JsonObject, string]>([
    [{ nope: 1 }, '.nope: field not declared in schema'],
    [{ tls: { nope: 1 } }, '.tls.nope: field not declared in schema'],
    [{ closed: { a: 1 } }, '.closed.a: field not declared in schema'],
    [{ replicas: '5' }, '.replicas: expected numeric (int or float), got string'],
    [{ replicas: ['a'] }, '.replicas: expected numeric (int or float), got []interface {}'],
    [{ replicas: true }, '.replicas: expected numeric (int or float), got bool'],
    [{ image: 5 }, '.image: expected string, got &value.valueUnstructured{Value:5}'],
    [{ image: true }, '.image: expected string, got &value.valueUnstructured{Value:true}'],
    [{ image: 1.5 }, '.image: expected string, got &value.valueUnstructured{Value:1.5}'],
    [{ image: ['a'] }, '.image: expected string, got &value.valueUnstructured{Value:[]interface {}{"a"}}'],
    [
      { image: { c: [1], a: 'b' } },
      '.image: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":"b", "c":[]interface {}{1}}}',
    ],
    [{ on: 'yes' }, '.on: expected boolean, got &{yes}'],
    [{ tls: ['a', 'b'] }, '.tls: expected map, got &{[a b]}'],
    [{ tls: 'a' }, '.tls: expected map, got &{a}'],
    [{ env: { a: 'b' } }, '.env: expected list, got &{map[a:b]}'],
    [{ args: 'a' }, '.args: expected list, got &{a}'],
    [{ args: ['a', 1] }, '.args[1]: expected string, got &value.valueUnstructured{Value:1}'],
    [
      { env: [{ name: 'A', value: 1 }] },
      '.env[name="A"].value: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [{ env: ['x'] }, '.env: element 0: associative list with keys may not have non-map elements'],
    [{ env: [null] }, '.env: element 0: associative list with keys may not have a null element'],
    [
      { env: [{ value: 'x' }] },
      `.env: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
    ],
    [{ hosts: [{ a: 1 }] }, ".hosts: element 0: associative list without keys has an element that's a map type"],
    [{ hosts: [['x']] }, '.hosts: element 0: not supported: associative list with lists as elements'],
    [{ hosts: [null] }, ".hosts: element 0: associative list without keys has an element that's an explicit null"],
    [
      { image: 3, replicas: 'a' },
      'errors:\n  .image: expected string, got &value.valueUnstructured{Value:3}\n  .replicas: expected numeric (int or float), got string',
    ],
  ])('%j', (value, expected) => {
    expect(problem(value)).toBe(expected);
  });
});

describe('API-S6: duplicates', () => {
  test.each<[JsonObject, string]>([
    [{ env: [{ name: 'A' }, { name: 'A', value: '1' }] }, '.env: duplicate entries for key [name="A"]'],
    [{ hosts: ['a', 'b', 'a'] }, '.hosts: duplicate entries for key [="a"]'],
    [
      { ports: [{ port: 80 }, { port: 80, protocol: 'TCP' }] },
      '.ports: duplicate entries for key [port=80,protocol="TCP"]',
    ],
  ])('%j is refused in a configuration, and tolerated in a stored object', (value, expected) => {
    expect(problem(value)).toBe(expected);
    expect(problem(value, 'allowed')).toBeUndefined();
  });

  test.each<[JsonObject]>([
    [{ args: ['a', 'a'] }],
    [{ ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }] }],
    [{ image: null, env: null, tls: null, labels: { a: 'b' }, hosts: [] }],
    [{ since: 'x', port: 'http', free: { known: 'a', other: [1, { deep: true }] }, open: { a: [1] } }],
    [{ since: 5, port: 80 }],
    [{}],
  ])('%j fits', (value) => {
    expect(problem(value)).toBeUndefined();
  });
});
