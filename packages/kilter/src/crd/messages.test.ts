import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customResource, ResourceError, type StandardJsonSchema } from './index.ts';

const base = { group: 'example.com', version: 'v1', kind: 'Shop', spec: z.object({ a: z.string() }) };
const define = customResource as (definition: unknown) => { warnings: readonly { message: string }[] };

function errorOf(definition: unknown): ResourceError {
  try {
    define(definition);
  } catch (error) {
    if (error instanceof ResourceError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('CRD-E18: messages say what is wrong and what to do, in the words of the author', () => {
  test('cures are those of the library', () => {
    const cureOf = (spec: unknown): string => errorOf({ ...base, spec }).problems[0]?.cure ?? '';
    expect(cureOf(z.object({ x: z.date() }))).toContain('z.iso.datetime()');
    expect(cureOf(toStandardJsonSchema(v.object({ x: v.date() })) as StandardJsonSchema)).toBe(
      'use v.pipe(v.string(), v.isoTimestamp()): a time is a string in JSON',
    );
    expect(cureOf(type({ x: 'Date' }))).toBe("use 'string.date.iso': a time is a string in JSON");
    const set = toStandardJsonSchema(v.object({ x: v.set(v.string()) })) as StandardJsonSchema;
    for (const cure of [cureOf(set), cureOf(type({ x: 'Set' })), cureOf(type({ x: 'bigint' }))])
      expect(cure).not.toMatch(/\bz\./);
  });

  test('marks of our own never show', () => {
    const spec = z.object({
      x: z.record(
        z.string().refine((key) => key !== 'a'),
        z.string(),
      ),
    });
    expect(define({ ...base, spec }).warnings.map(({ message }) => message)).toEqual([
      '.refine() of its keys never reaches the server',
    ]);
  });

  test('a kind that is too long is told its length, not to be lower-case', () => {
    const [problem, ...others] = errorOf({ ...base, kind: `K${'x'.repeat(63)}` }).problems;
    expect(problem?.message).toMatch(/^"Kx+" has 64 characters, but only 63 are allowed$/);
    expect(others).toEqual([]);
    expect(errorOf({ ...base, kind: 'My Kind' }).message).not.toContain('lower-case');
    expect(errorOf({ ...base, singular: 'Shop' }).message).toContain('lower-case');
  });

  test('all mistakes of a definition at once, of whichever sort', () => {
    const { problems } = errorOf({
      ...base,
      kind: 7,
      columns: 'none',
      plural: 'Shops!',
      versions: { v1alpha1: null, v1beta1: { rules: 'x', spec: z.object({ at: z.date() }) } },
      spec: z.object({ size: z.bigint(), text: z.string().regex(/(?=a)/) }),
      status: z.record(z.string(), z.string()),
    });
    expect(problems.map(({ path }) => path).toSorted()).toEqual([
      ...['columns', 'kind', 'plural', 'spec.size', 'spec.text', 'status', 'versions.v1alpha1'],
      ...['versions.v1beta1.rules', 'versions.v1beta1.spec.at'],
    ]);
  });
});
