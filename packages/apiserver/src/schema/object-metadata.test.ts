import type { Json } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { nameFlaws, qualifiedNameFlaws } from '../formats/names.ts';
import { metadataIssues } from './object-metadata.ts';

const fields = (metadata: Json, namespaced = false): string[] =>
  metadataIssues(metadata, { nameRule: 'subdomain', namespaced }).map(
    ({ field, reason }) => `${field}: ${reason.replace('FieldValue', '')}`,
  );

describe('metadata every object has', () => {
  const rows: [why: string, metadata: Json, issues: string[]][] = [
    ['a name is enough', { name: 'a.b-c' }, []],
    ['a prefix is enough', { generateName: 'a-' }, []],
    ['no name', {}, ['metadata.name: Required']],
    ['a bad name', { name: 'A' }, ['metadata.name: Invalid']],
    ['a bad prefix', { generateName: '-' }, ['metadata.generateName: Invalid']],
    ['a namespace where there is none', { name: 'a', namespace: 'b' }, ['metadata.namespace: Forbidden']],
    [
      'good labels and annotations',
      { name: 'a', labels: { 'x.io/A_b': 'V', a: '' }, annotations: { 'X.io/a': 'any text' } },
      [],
    ],
    [
      'a bad label key and value',
      { name: 'a', labels: { '-': '-' } },
      ['metadata.labels: Invalid', 'metadata.labels: Invalid'],
    ],
    ['a bad annotation key', { name: 'a', annotations: { 'a b': '' } }, ['metadata.annotations: Invalid']],
    [
      'too many annotations',
      { name: 'a', annotations: { a: 'x'.repeat(256 * 1024) } },
      ['metadata.annotations: TooLong'],
    ],
    [
      'an owner without uid',
      { name: 'a', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x' }] },
      ['metadata.ownerReferences.uid: Invalid'],
    ],
    ['a bad finalizer', { name: 'a', finalizers: ['a b'] }, ['metadata.finalizers: Invalid']],
    [
      'two finalizers that exclude each other',
      { name: 'a', finalizers: ['orphan', 'foregroundDeletion'] },
      ['metadata.finalizers: Invalid'],
    ],
    ['labels that are not texts', { name: 'a', labels: { a: 1 } }, ['metadata.labels: Invalid']],
    ['fields that are null', { name: 'a', labels: null, finalizers: null }, []],
  ];
  test.each(rows)('%s', (...[, metadata, issues]) => {
    expect(fields(metadata)).toEqual(issues);
  });

  test('the namespace of namespaced kinds', () => {
    expect(fields({ name: 'a' }, true)).toEqual(['metadata.namespace: Required']);
    expect(fields({ name: 'a', namespace: 'b.c' }, true)).toEqual(['metadata.namespace: Invalid']);
    expect(fields({ name: 'a', namespace: 'b' }, true)).toEqual([]);
  });

  test('two controllers are one too many', () => {
    const owner = (name: string): Json => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: name, controller: true });
    const [issue] = metadataIssues(
      { name: 'x', ownerReferences: [owner('a'), owner('b')] },
      { nameRule: 'subdomain', namespaced: false },
    );
    expect(issue?.message).toMatch(
      /Only one reference can have Controller set to true. Found "true" in references for ConfigMap\/a and ConfigMap\/b$/,
    );
  });
});

describe('names', () => {
  test('say what they must be, with an example and the pattern', () => {
    expect(nameFlaws('A', 'label')).toEqual([
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ]);
    expect(nameFlaws('x'.repeat(254), 'subdomain')).toEqual(['must be no more than 253 bytes']);
    expect(nameFlaws('..', 'path-segment')).toEqual(["may not be '..'"]);
    expect(nameFlaws('a%/', 'path-segment')).toEqual(["may not contain '/'", "may not contain '%'"]);
  });

  test.each([
    ['a', 0],
    ['x.io/a', 0],
    ['/a', 1],
    ['x.io/', 2],
    ['a/b/c', 1],
    ['X.io/a', 1],
    [`${'x'.repeat(64)}`, 1],
    ['_a', 1],
  ])('a qualified name: %s', (name, flaws) => {
    expect(qualifiedNameFlaws(name)).toHaveLength(flaws);
  });
});
