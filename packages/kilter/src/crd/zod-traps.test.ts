import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JSONSchemaProps } from '../k8s/apiextensions/v1.ts';
import { customResource, ResourceError, rule } from './index.ts';

const define = (x: z.ZodType) =>
  customResource({ group: 'example.com', version: 'v1', kind: 'Thing', spec: z.object({ x }) });

function schemaOf(x: z.ZodType): JSONSchemaProps | undefined {
  const { versions } = define(x).manifest().spec;
  return versions[0]?.schema?.openAPIV3Schema?.properties?.['spec']?.properties?.['x'];
}
const rulesOf = (x: z.ZodType): string[] =>
  (schemaOf(x)?.['x-kubernetes-validations'] ?? []).map((entry) => entry.rule);

describe('CRD-F16: what changes the shape of an object drops its metadata, so a rule comes last', () => {
  const ruled = z.object({ a: z.string(), b: z.string().optional() }).meta(rule('self.a != ""'));
  const reshaped: [string, z.ZodType][] = [
    ['extend', ruled.extend({ c: z.string() })],
    ['pick', ruled.pick({ a: true })],
    ['omit', ruled.omit({ b: true })],
    ['partial', ruled.partial()],
    ['required', ruled.required()],
    ['strict', ruled.strict()],
    ['loose', ruled.loose()],
  ];
  test('before it, a rule stays', () => expect(rulesOf(ruled)).toEqual(['self.a != ""']));
  test.each(reshaped)('.%s() drops it', (_, x) => expect(rulesOf(x)).toEqual([]));
  test.each(reshaped)('after .%s() it stays', (_, x) => expect(rulesOf(x.meta(rule('true')))).toEqual(['true']));
});

describe('CRD-F17: functions in metadata do not survive', () => {
  test('they are not in the manifest, nor is anything in their place', () => {
    const x = z.string().meta({ 'x-mine': () => 'a', title: 'T' });
    expect(schemaOf(x)).toEqual({ title: 'T', type: 'string' });
    expect(JSON.stringify(define(x).manifest())).not.toContain('x-mine');
  });

  test('conversion functions stand in .converts', () => {
    const Thing = customResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
      spec: z.object({ n: z.int() }),
      versions: { v1alpha1: { spec: z.object({ text: z.string() }) } },
    }).converts({ v1alpha1: { up: ({ text }) => ({ n: Number(text) }), down: ({ n }) => ({ text: String(n) }) } });
    const older = Thing.at('v1alpha1').build({ name: 'a', spec: { text: '3' } });
    expect(Thing.convert(older, 'v1')).toMatchObject({ apiVersion: 'example.com/v1', spec: { n: 3 } });
  });
});

describe('CRD-F18: what JSON Schema does not show is not in the manifest, but holds in build and parse', () => {
  const plain = schemaOf(z.string());
  test.each<[string, z.ZodType]>([
    ['.refine()', z.string().refine((text) => text !== 'no')],
    [
      '.check()',
      z.string().check(({ value, issues }) => {
        if (value === 'no') issues.push({ code: 'custom', message: 'no', input: value });
      }),
    ],
    ['.trim()', z.string().trim()],
    ['.toLowerCase()', z.string().toLowerCase()],
    ['z.coerce', z.coerce.string()],
  ])('%s', (_, x) => {
    expect(schemaOf(x)).toEqual(plain);
    expect(define(x).warnings).toMatchObject([{ code: 'CRD_SCHEMA_DISAGREES', path: 'spec.x' }]);
  });

  test('the flags of a pattern', () => {
    expect(schemaOf(z.string().regex(/^a$/i))).toEqual({ type: 'string', pattern: '^a$' });
  });

  test('the library goes on judging', () => {
    const Thing = define(z.string().refine((text) => text !== 'no'));
    expect(() => Thing.build({ name: 'a', spec: { x: 'no' } })).toThrow(ResourceError);
    expect(define(z.string().trim()).build({ name: 'a', spec: { x: ' a ' } }).spec).toEqual({ x: 'a' });
  });
});
