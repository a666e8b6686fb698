import { describe, expect, test } from 'vitest';
import type { JSONSchemaProps } from '../k8s/apiextensions/v1.ts';
import { valueProblems } from './value.ts';

const text: JSONSchemaProps = { type: 'string' };
const faults = (schema: JSONSchemaProps, value: unknown): string[] =>
  valueProblems(schema, value, 'x').map(({ path }) => path);

describe('CRD-D1: a value and its schema', () => {
  const rows: [string, JSONSchemaProps, unknown, string[]][] = [
    ['the right type', text, 'a', []],
    ['the wrong type', text, 1, ['x']],
    ['an integral float is an integer', { type: 'integer' }, 1.0, []],
    ['a fraction is none', { type: 'integer' }, 1.5, ['x']],
    ['null where it may be', { ...text, nullable: true }, null, []],
    ['null where it may not be', text, null, ['x']],
    ['code points count, not UTF-16 units', { ...text, maxLength: 1 }, '😀', []],
    ['too long', { ...text, maxLength: 1 }, 'ab', ['x']],
    ['too short', { ...text, minLength: 1 }, '', ['x']],
    ['an unanchored pattern', { ...text, pattern: 'b' }, 'abc', []],
    ['a pattern that fails', { ...text, pattern: '^b' }, 'abc', ['x']],
    ['a pattern JavaScript cannot read is left to the server', { ...text, pattern: '(?i)b' }, 'x', []],
    ['a time', { ...text, format: 'date-time' }, '2026-01-01T00:00:00Z', []],
    ['no time', { ...text, format: 'date-time' }, 'noon', ['x']],
    ['at the exclusive bound', { type: 'integer', minimum: 1, exclusiveMinimum: true }, 1, ['x']],
    ['at the bound', { type: 'integer', minimum: 1, maximum: 1 }, 1, []],
    ['over the bound', { type: 'integer', maximum: 1 }, 2, ['x']],
    ['at the exclusive maximum', { type: 'integer', maximum: 2, exclusiveMaximum: true }, 2, ['x']],
    ['no multiple', { type: 'integer', multipleOf: 3 }, 4, ['x']],
    ['no value of the enum', { ...text, enum: ['a'] }, 'b', ['x']],
    ['a missing field', { type: 'object', required: ['a'], properties: { a: text } }, {}, ['x.a']],
    ['an unknown field', { type: 'object', properties: { a: text } }, { b: 1 }, ['x.b']],
    ['an unknown field that is kept', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, { b: 1 }, []],
    ['a wrong entry of a map', { type: 'object', additionalProperties: text }, { 'a.b': 1 }, ['x[a.b]']],
    ['too few entries', { type: 'object', minProperties: 1, additionalProperties: text }, {}, ['x']],
    ['a wrong item', { type: 'array', items: text }, ['a', 1], ['x[1]']],
    ['too many items', { type: 'array', items: text, maxItems: 1 }, ['a', 'b'], ['x']],
    ['too few items', { type: 'array', items: text, minItems: 1 }, [], ['x']],
    [
      'the second of two in a set',
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      ['a', 'b', 'a'],
      ['x[2]'],
    ],
    [
      'equal objects of a set, whatever the order of their fields',
      { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true }, 'x-kubernetes-list-type': 'set' },
      [
        { a: 1, b: [2] },
        { a: 1, b: [3] },
        { b: [2], a: 1 },
      ],
      ['x[2]'],
    ],
    [
      'the second of two keys, one of them by default',
      {
        type: 'array',
        items: { type: 'object', properties: { a: { ...text, default: 'q' } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
      },
      [{}, { a: 'q' }],
      ['x[1]'],
    ],
    ['an integer or a string', { 'x-kubernetes-int-or-string': true, minimum: 3 }, 'a', []],
    ['neither', { 'x-kubernetes-int-or-string': true }, true, ['x']],
    ['no branch of a union', { ...text, anyOf: [{ minLength: 3 }, { enum: [''] }] }, 'a', ['x']],
    ['one branch of a union', { ...text, anyOf: [{ minLength: 3 }, { enum: [''] }] }, '', []],
    ['two branches where one must match', { ...text, oneOf: [{ minLength: 1 }, { maxLength: 3 }] }, 'a', ['x']],
    ['a part of allOf', { ...text, allOf: [{ pattern: 'a' }, { pattern: 'b' }] }, 'a', ['x']],
    [
      'fields of a branch',
      {
        type: 'object',
        properties: { t: text, a: text },
        oneOf: [{ required: ['a'], properties: { t: { enum: ['1'] } } }, { properties: { t: { enum: ['2'] } } }],
      },
      { t: '2' },
      [],
    ],
  ];
  test.each(rows)('%s', (_, schema, value, paths) => expect(faults(schema, value)).toEqual(paths));
});
