import type { Json } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/schema.ts';
import { validate } from './validate.ts';

const embedded: Schema = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};
const root: Schema = {
  type: 'object',
  properties: {
    t: embedded,
    l: { type: 'array', items: embedded },
    m: { type: 'object', additionalProperties: embedded },
  },
};
const texts = (value: Record<string, Json>): string[] =>
  validate(value, root).map(({ field, reason, message }) => `${field}: ${reason}: ${message}`);

describe('API-K4: embedded resources have apiVersion, kind and valid metadata', () => {
  const rows: [why: string, resource: Json, issues: string[]][] = [
    ['a template needs no name', { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 'b' } }, spec: {} }, []],
    ['no metadata at all', { apiVersion: 'apps/v1', kind: 'Deployment' }, []],
    ['nothing', {}, ['t.apiVersion: FieldValueRequired: Required value', 't.kind: FieldValueRequired: Required value']],
    [
      'empty',
      { apiVersion: '', kind: '' },
      [
        't.apiVersion: FieldValueInvalid: Invalid value: "": must not be empty',
        't.kind: FieldValueInvalid: Invalid value: "": must not be empty',
      ],
    ],
    [
      'wrong types',
      { apiVersion: 1, kind: [] },
      [
        't.apiVersion: FieldValueInvalid: Invalid value: 1: must be a string',
        't.kind: FieldValueInvalid: Invalid value: []: must be a string',
      ],
    ],
    [
      'no group and version',
      { apiVersion: 'a/b/c', kind: 'Pod' },
      ['t.apiVersion: FieldValueInvalid: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      'no kind',
      { apiVersion: 'v1', kind: 'A B' },
      ['t.kind: FieldValueInvalid: Invalid value: "A B": may have mixed case, but should otherwi'],
    ],
    [
      'a name that is not a path segment',
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a/b' } },
      ['t.metadata.name: FieldValueInvalid: Invalid value: "a/b": may not contain \'/\''],
    ],
    [
      'a bad label',
      { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: '-' } } },
      ['t.metadata.labels: FieldValueInvalid: Invalid value: "-": a valid label must be an empty string or'],
    ],
    [
      'a namespace, checked if there is one',
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', namespace: 'A' } },
      ['t.metadata.namespace: FieldValueInvalid: Invalid value: "A": a lowercase RFC 1123 label must consist of'],
    ],
    [
      'metadata that is not an object',
      { apiVersion: 'v1', kind: 'Pod', metadata: 'x' },
      ['t.metadata: FieldValueInvalid: Invalid value: "x": must be an object'],
    ],
  ];
  test.each(rows)('%s', (...[, resource, issues]) => {
    const containing = issues.map((issue): unknown => expect.stringContaining(issue));
    expect(texts({ t: resource })).toEqual(containing);
  });

  test('in lists and maps', () => {
    const bad = { kind: 'Pod' };
    expect(texts({ l: [bad], m: { k: bad } })).toEqual([
      'l[0].apiVersion: FieldValueRequired: Required value',
      'm[k].apiVersion: FieldValueRequired: Required value',
    ]);
  });
});
