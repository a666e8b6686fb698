import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customResource, exactlyOneOf, listMap, renamed, ResourceError, type StandardJsonSchema } from './index.ts';

const base = { group: 'example.com', version: 'v1', kind: 'Thing' } as const;

function problemsOf(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    return error.problems.map(({ code, path, cure }) => `${code} ${path}: ${cure}`);
  }
  return [];
}

/** `{ __proto__: … }` in a literal would set the prototype. */
function shape(name: string, schema: z.ZodType): z.ZodRawShape {
  return Object.defineProperty({}, name, { value: schema, enumerable: true, configurable: true, writable: true });
}

describe('reserved names', () => {
  const another = 'give the field another name';
  const template = 'leave it out, or give the field another name; metadata of a template belongs one level deeper';

  test.each([
    ['at the root', z.object(shape('__proto__', z.string())), 'spec.__proto__'],
    ['in an object', z.object({ a: z.object(shape('__proto__', z.string())) }), 'spec.a.__proto__'],
    ['in a list', z.object({ a: z.array(z.object(shape('__proto__', z.string()))) }), 'spec.a[*].__proto__'],
  ])('CRD-E17, J-02: __proto__ %s is refused', (_, spec, path) => {
    expect(problemsOf(() => customResource({ ...base, spec }))).toEqual([`CRD_FIELD_RESERVED ${path}: ${another}`]);
  });

  test('CRD-E17: metadata at the root of a spec is refused, in every version', () => {
    const wrong = z.object({ metadata: z.object({ name: z.string() }), spec: z.object({}) });
    expect(problemsOf(() => customResource({ ...base, spec: wrong }))).toEqual([
      `CRD_FIELD_RESERVED spec.metadata: ${template}`,
    ]);
    const versions = { v1alpha1: { spec: wrong } };
    expect(problemsOf(() => customResource({ ...base, spec: z.object({}), versions }))).toEqual([
      `CRD_FIELD_RESERVED versions.v1alpha1.spec.metadata: ${template}`,
    ]);
  });

  test('CRD-E17: no field was called so before, and no key of a record is', () => {
    const versions = { v1alpha1: {} };
    const before = (from: string) => z.string().optional().meta(renamed('v1', from));
    const spec = z.object({ a: before('__proto__'), b: before('metadata'), c: z.object({ d: before('metadata') }) });
    expect(problemsOf(() => customResource({ ...base, spec, versions }))).toEqual([
      'CRD_FIELD_RESERVED spec.a: give the name it had before',
      'CRD_FIELD_RESERVED spec.b: give the name it had before',
    ]);
    const record = z.object({ a: z.partialRecord(z.enum(['__proto__', 'b']), z.string()) });
    expect(problemsOf(() => customResource({ ...base, spec: record }))).toEqual([
      `CRD_FIELD_RESERVED spec.a.__proto__: ${another}`,
    ]);
  });

  test('CRD-E17: metadata of a template is fine, and so are kind and apiVersion of something else', () => {
    const spec = z.object({
      template: z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }) }),
      kind: z.string(),
      apiVersion: z.string(),
    });
    expect(problemsOf(() => customResource({ ...base, spec }))).toEqual([]);
  });
});

describe('J-03: names that every object of JavaScript has', () => {
  const fields = { constructor: z.string(), prototype: z.string(), toString: z.string().optional() };

  test('are fields like others', () => {
    const Thing = customResource({ ...base, spec: z.object(fields) as unknown as StandardJsonSchema<object, object> });
    const schema = Thing.manifest().spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'];
    expect(schema?.required).toEqual(['constructor', 'prototype']);
    expect(Object.keys(schema?.properties ?? {})).toEqual(['constructor', 'prototype', 'toString']);
    expect(Thing.build({ name: 'a', spec: { constructor: 'a', prototype: 'b' } }).spec).toEqual({
      constructor: 'a',
      prototype: 'b',
    });
    expect(problemsOf(() => Thing.build({ name: 'a', spec: { prototype: 'b' } }))).toHaveLength(1);
    expect(problemsOf(() => Thing.fields({ name: 'a', spec: { constructor: 3 } as never }))).toHaveLength(1);
  });

  test('are not fields where no one declares them', () => {
    const list = z.array(z.object({ a: z.string() })).meta(listMap('constructor'));
    expect(problemsOf(() => customResource({ ...base, spec: z.object({ list }) }))).toEqual([
      'CRD_LIST_KEYS spec.list: name required scalar fields of the items',
    ]);
    const one = z.object({ a: z.string().optional() }).meta(exactlyOneOf('a', 'toString'));
    expect(problemsOf(() => customResource({ ...base, spec: one }))).toEqual([
      'CRD_RULE_INVALID spec: name optional fields of this object',
    ]);
    const Thing = customResource({ ...base, spec: z.object({ a: z.string().optional() }) });
    expect(
      problemsOf(() => Thing.fields({ name: 'a', spec: JSON.parse('{"constructor":1,"__proto__":2}') as object })),
    ).toHaveLength(2);
    expect(
      problemsOf(() =>
        customResource({ ...base, spec: z.object({}), columns: [{ name: 'X', path: '.spec.constructor' }] }),
      ),
    ).toHaveLength(1);
    const union = z.union([z.object({ constructor: z.string() }), z.object({ b: z.string() })]);
    expect(problemsOf(() => customResource({ ...base, spec: z.object({ union }) }))).toEqual([]);
  });

  test('J-02: a key __proto__ of a map stays a key', () => {
    const Thing = customResource({ ...base, spec: z.looseObject({ any: z.any() }) });
    const spec = JSON.parse('{"any":{"__proto__":{"polluted":true}}}') as { any: object };
    const built = Thing.build({ name: 'a', spec });
    expect(JSON.stringify(built.spec)).toBe('{"any":{"__proto__":{"polluted":true}}}');
    expect((built.spec.any as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
