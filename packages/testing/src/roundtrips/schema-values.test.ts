import fc from 'fast-check';
import { customResource, embedded, entries, duration, listMap, listSet, quantity } from 'kilter/crd';
import type { Json } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Schema } from '@kilter/apiserver/schema';
import { validate } from '../validate/validate.ts';
import { schemaValues } from './schema-values.ts';

const base = { group: 'example.com', version: 'v1', kind: 'Shop' } as const;
const rejectPattern = (path: string, pattern: string): never => {
  throw new Error(`${path}: ${pattern}`);
};

function sampled(
  spec: z.ZodObject,
  samples: Readonly<Record<string, Json[]>> = {},
): { values: Json[]; refused: string[] } {
  const kind = customResource({ ...base, spec });
  const schema = kind.manifest().spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'] as Schema;
  const values = fc.sample(schemaValues(schema, { path: 'spec', samples, refusePattern: rejectPattern }), {
    numRuns: 200,
    seed: 1,
  });
  const refused = values.flatMap((value) => {
    const verdict = validate(kind, {
      apiVersion: 'example.com/v1',
      kind: 'Shop',
      metadata: { name: 'x' },
      spec: value,
    });
    return verdict.valid ? [] : verdict.errors.map(({ field, message }) => `${field}: ${message}`);
  });
  return { values, refused };
}

describe('CRD-V9: values made from a schema are valid', () => {
  test.each<[string, z.ZodType]>([
    ['text', z.string()],
    ['text of some length', z.string().min(3).max(5)],
    ['text of a pattern', z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)],
    [
      'text of a pattern and a length',
      z
        .string()
        .regex(/^[a-z]+$/)
        .min(2)
        .max(20),
    ],
    ['text with a pattern inside', z.string().regex(/a+b/)],
    ['a time', z.iso.datetime()],
    ['a date', z.iso.date()],
    ['an address', z.ipv4()],
    ['a v6 address', z.ipv6()],
    ['a network', z.cidrv4()],
    ['an id', z.uuid()],
    ['a mail address', z.email()],
    ['a URL', z.url()],
    ['bytes', z.base64()],
    ['a host', z.hostname()],
    ['a Go duration', z.string().meta(duration())],
    ['a quantity', z.union([z.int(), z.string()]).meta(quantity())],
    ['an integer', z.int()],
    ['a short integer', z.int32()],
    ['an integer in bounds', z.int().gt(3).lt(9)],
    ['a multiple', z.int().min(-20).max(20).multipleOf(5)],
    ['a number', z.number().min(0.5).max(1.5)],
    ['a flag', z.boolean()],
    ['one of some', z.enum(['a', 'b'])],
    ['nothing or something', z.string().nullable()],
    ['an integer or a text', z.union([z.int(), z.string()])],
    ['a list', z.array(z.int()).min(2).max(3)],
    ['a set', z.array(z.enum(['a', 'b', 'c'])).meta(listSet())],
    ['a list by keys', z.array(z.object({ k: z.enum(['a', 'b']), v: z.int() })).meta(listMap('k'))],
    ['a record', z.record(z.string(), z.int()).meta(entries({ min: 1, max: 3 }))],
    ['an object of optional fields', z.object({ a: z.string().optional(), b: z.int().default(3) })],
    ['anything', z.any()],
    ['an object of anything', z.looseObject({ a: z.string() })],
    ['an object of another kind', z.looseObject({}).meta(embedded())],
    [
      'one of several objects',
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('git'), url: z.string().min(1) }),
        z.object({ type: z.literal('oci'), image: z.string().min(1) }),
      ]),
    ],
  ])('%s', (_, field) => {
    const { values, refused } = sampled(z.object({ f: field }));
    expect(refused.slice(0, 3)).toEqual([]);
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(1);
  });

  test('samples take the place of made values, at any depth', () => {
    const spec = z.object({ a: z.string(), l: z.array(z.object({ b: z.string() })).min(1) });
    const { values } = sampled(spec, { 'spec.a': ['x', 'y'], 'spec.l[*].b': ['z'] });
    for (const value of values as { a: string; l: { b: string }[] }[]) {
      expect(['x', 'y']).toContain(value.a);
      expect(value.l.every(({ b }) => b === 'z')).toBe(true);
    }
  });

  test('a pattern no generator knows is said so', () => {
    const schema: Schema = { type: 'object', properties: { a: { type: 'string', pattern: '(?i)abc' } } };
    expect(() => schemaValues(schema, { path: 'spec', samples: {}, refusePattern: rejectPattern })).toThrow(
      'spec.a: (?i)abc',
    );
  });
});
