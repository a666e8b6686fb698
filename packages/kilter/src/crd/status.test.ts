import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { CustomResourceDefinitionVersion } from '../k8s/apiextensions/v1.ts';
import { customResource, ResourceError, type StandardJsonSchema } from './index.ts';

const base = { group: 'example.com', version: 'v1', kind: 'Thing', spec: z.object({}) } as const;
type Schema = StandardJsonSchema<object, object>;

function versionOf(status: z.ZodType): CustomResourceDefinitionVersion | undefined {
  return customResource({ ...base, status: status as unknown as Schema }).manifest().spec.versions[0];
}
function problemsOf(status: z.ZodType): string[] {
  try {
    versionOf(status);
  } catch (error) {
    if (error instanceof ResourceError) return error.problems.map(({ code, path }) => `${code} ${path}`);
    throw error;
  }
  return [];
}

test('CRD-S1: observedGeneration and conditions are added, with the limits of metav1.Condition', () => {
  const version = versionOf(z.object({ node: z.string().optional() }));
  const status = version?.schema?.openAPIV3Schema?.properties?.['status'];
  expect(Object.keys(status?.properties ?? {})).toEqual(['node', 'observedGeneration', 'conditions']);
  expect(status?.properties?.['observedGeneration']).toMatchObject({ type: 'integer', format: 'int64' });
  const conditions = status?.properties?.['conditions'];
  expect(conditions).toMatchObject({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  });
  expect(conditions?.items?.required).toEqual(['lastTransitionTime', 'message', 'reason', 'status', 'type']);
  expect(conditions?.items?.properties).toMatchObject({
    type: { type: 'string', maxLength: 316 },
    reason: { type: 'string', minLength: 1, maxLength: 1024 },
    message: { type: 'string', maxLength: 32768 },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    lastTransitionTime: { type: 'string', format: 'date-time' },
    observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
  });
});

test('CRD-N6: a status makes the subresource; without one there is neither field nor subresource', () => {
  expect(versionOf(z.object({}))?.subresources).toEqual({ status: {} });
  const without = customResource(base).manifest().spec.versions[0];
  expect(without).not.toHaveProperty('subresources');
  expect(without?.schema?.openAPIV3Schema?.properties).not.toHaveProperty('status');
});

describe('CRD-S2, CRD-E12: status fields are optional or defaulted', () => {
  test.each([
    ['an optional field', z.object({ a: z.string().optional() }), []],
    ['a default', z.object({ a: z.string().default('x') }), []],
    ['an optional status', z.object({}).optional(), []],
    [
      'a required field',
      z.object({ a: z.string(), b: z.int() }),
      ['CRD_STATUS_REQUIRED status.a', 'CRD_STATUS_REQUIRED status.b'],
    ],
    ['a required field deeper down', z.object({ a: z.object({ b: z.string() }).optional() }), []],
    [
      'a union that wants a field',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      ['CRD_STATUS_REQUIRED status'],
    ],
  ] as [string, z.ZodType, string[]][])('%s', (_, status, expected) => expect(problemsOf(status)).toEqual(expected));
});

test('what Kilter adds cannot be declared', () => {
  expect(problemsOf(z.object({ conditions: z.array(z.string()).optional() }))).toEqual([
    'CRD_SCHEMA_NOT_STRUCTURAL status.conditions',
  ]);
});
