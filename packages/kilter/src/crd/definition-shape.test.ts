import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customResource, ResourceError } from './index.ts';

const spec = z.object({ image: z.string() });
const base = { group: 'example.com', version: 'v1', kind: 'Shop', spec };
const define = customResource as (definition?: unknown) => unknown;

function problemsOf(definition: unknown): string[] {
  try {
    define(definition);
  } catch (error) {
    if (error instanceof ResourceError) return error.problems.map(({ code, path }) => `${code} ${path}`);
    throw error;
  }
  return [];
}

describe('what JavaScript lets through is refused with its place, and nothing else is thrown', () => {
  test.each([[undefined], [null], ['Shop'], [[]], [7n]])('an invalid definition', (none) => {
    expect(problemsOf(none)).toEqual(['CRD_NAME_INVALID definition']);
    expect(() => define(none)).toThrow('describe the resource: customResource({ group, version, kind, spec })');
    expect(() => define()).toThrow('CRD_NAME_INVALID');
  });

  test('CRD-E14: a version of nothing, with a cure', () => {
    expect(() => define({ ...base, versions: { v1alpha1: null } })).toThrow(
      'versions.v1alpha1: is not an object (CRD_VERSIONS_INVALID: describe it: { spec }, or {} if field actions describe it)',
    );
  });

  const wrong: readonly unknown[] = [null, 7, 'x', [null], {}, 7n];
  test.each([
    ['columns', 'CRD_PATH_INVALID', wrong],
    ['scale', 'CRD_PATH_INVALID', [null, 7, 'x', [], {}, { spec: '.spec.a' }]],
    ['selectable', 'CRD_PATH_INVALID', wrong],
    ['rules', 'CRD_RULE_INVALID', wrong],
  ])('%s, in every version', (key, code, values) => {
    for (const value of values) {
      expect(problemsOf({ ...base, [key]: value })).toEqual([`${code} ${key}`]);
      const versions = { v1alpha1: { [key]: value } };
      expect(problemsOf({ ...base, versions })).toEqual([`${code} versions.v1alpha1.${key}`]);
    }
  });

  test.each([
    ['shortNames', 'CRD_NAME_INVALID', wrong],
    ['categories', 'CRD_NAME_INVALID', wrong],
    ['listKind', 'CRD_NAME_INVALID', [null, 7, {}]],
    ['plural', 'CRD_NAME_INVALID', [null, 7, {}]],
    ['labels', 'CRD_NAME_INVALID', [null, 7, 'x', []]],
    ['status', 'CRD_SCHEMA_UNREPRESENTABLE', [null]],
    ['versions', 'CRD_VERSIONS_INVALID', [null, 7, 'x', []]],
  ])('%s', (key, code, values) => {
    for (const value of values) expect(problemsOf({ ...base, [key]: value })).toEqual([`${code} ${key}`]);
  });

  test('all of it at once', () => {
    expect(problemsOf({ columns: 1, versions: { v1alpha1: 2, v1beta1: { rules: 3 } } })).toEqual([
      'CRD_NAME_INVALID group',
      'CRD_NAME_INVALID version',
      'CRD_NAME_INVALID kind',
      'CRD_PATH_INVALID columns',
      'CRD_VERSIONS_INVALID versions.v1alpha1',
      'CRD_RULE_INVALID versions.v1beta1.rules',
      'CRD_SCHEMA_UNREPRESENTABLE spec',
    ]);
  });
});
