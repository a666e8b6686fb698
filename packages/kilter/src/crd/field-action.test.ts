import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  added,
  atMostOneOf,
  changed,
  customResource,
  deprecated,
  exactlyOneOf,
  immutable,
  listMap,
  renamed,
  ResourceError,
  rule,
} from './index.ts';

const base = { group: 'example.com', version: 'v1', kind: 'Shop' } as const;
const reached = { conversion: { url: 'https://shop.example.com/convert' } };
const generations = { v1alpha1: {}, v1beta1: {} };

type Spec = Parameters<typeof customResource>[0]['spec'];

/** The schema of `spec` in each version. */
function specs(spec: unknown, versions: object = generations): Record<string, Record<string, unknown>> {
  const shop = customResource({ ...base, spec: spec as Spec, versions });
  return Object.fromEntries(
    shop
      .manifest(reached)
      .spec.versions.map(({ name, schema }) => [name, { ...schema?.openAPIV3Schema?.properties?.['spec'] }]),
  );
}

function problemsOf(spec: unknown, versions: object = generations, more: object = {}): string[] {
  try {
    customResource({ ...base, spec: spec as Spec, versions, ...more });
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    for (const { cure } of error.problems) expect(cure).not.toBe('');
    return error.problems.map(({ code, path, message }) => `${code} ${path}: ${message}`);
  }
  return [];
}

describe('CRD-V3: an older version without a spec is made of the newest', () => {
  test('added: the field is not there before', () => {
    const made = specs(z.object({ image: z.string(), tier: z.string().meta(added('v1', { fill: 'web' })) }));
    expect(made['v1']).toEqual({
      type: 'object',
      required: ['image', 'tier'],
      properties: { image: { type: 'string' }, tier: { type: 'string' } },
    });
    const before = { type: 'object', required: ['image'], properties: { image: { type: 'string' } } };
    expect([made['v1beta1'], made['v1alpha1']]).toEqual([before, before]);
  });

  test('renamed: the field has the names it had, one after another', () => {
    const made = specs(z.object({ replicas: z.string().meta(renamed('v1', 'count')).meta(renamed('v1beta1', 'n')) }));
    const names = Object.entries(made).map(([version, { properties, required }]) => [
      version,
      Object.keys(properties as object),
      required,
    ]);
    expect(names).toEqual([
      ['v1', ['replicas'], ['replicas']],
      ['v1beta1', ['count'], ['count']],
      ['v1alpha1', ['n'], ['n']],
    ]);
  });

  test('changed: the form stays, since nothing says another', () => {
    const same = { up: (spec: object) => spec as { timeout: string }, down: (spec: object) => spec as {} };
    const shop = customResource({
      ...base,
      spec: z.object({ timeout: z.string().meta(changed('v1')) }),
      versions: { v1beta1: {} },
    }).converts({ v1beta1: same });
    const [newest, older] = shop.manifest(reached).spec.versions.map(({ schema }) => schema);
    expect(older).toEqual(newest);
  });

  test('deprecated: the description says so from then on, and the field stays', () => {
    const made = specs(
      z.object({
        host: z.string().describe('Where it is.').meta(deprecated('v1beta1', 'use hosts')).optional(),
        port: z.string().meta(deprecated('v1', 'use ports')).optional(),
      }),
    );
    const words = Object.entries(made).map(([version, { properties }]) => [
      version,
      ...Object.values(properties as Record<string, { description?: string }>).map(({ description }) => description),
    ]);
    expect(words).toEqual([
      ['v1', 'Where it is. Deprecated: use hosts', 'Deprecated: use ports'],
      ['v1beta1', 'Where it is. Deprecated: use hosts', undefined],
      ['v1alpha1', 'Where it is.', undefined],
    ]);
  });

  test('at any depth: in objects, in items of lists with their keys, in values of records', () => {
    const inner = z.object({
      key: z.string().meta(renamed('v1', 'name')),
      extra: z.string().meta(added('v1')).optional(),
    });
    const made = specs(
      z.object({
        one: z.object({ two: inner }),
        list: z.array(inner).meta(listMap('key')),
        map: z.record(z.string(), inner),
      }),
      { v1beta1: {} },
    );
    const item = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
    expect(made['v1beta1']).toEqual({
      type: 'object',
      required: ['list', 'map', 'one'],
      properties: {
        one: { type: 'object', required: ['two'], properties: { two: item } },
        list: {
          type: 'array',
          items: item,
          'x-kubernetes-list-map-keys': ['name'],
          'x-kubernetes-list-type': 'map',
        },
        map: { type: 'object', additionalProperties: item },
      },
    });
  });

  test('defaults of what holds a field are of that version too', () => {
    const made = specs(
      z.object({
        net: z
          .object({ port: z.int().meta(renamed('v1', 'p')), host: z.string().meta(added('v1', { fill: 'h' })) })
          .default({ port: 80, host: 'h' }),
      }),
      { v1beta1: {} },
    );
    const net = (version: string): unknown =>
      (made[version] as { properties: { net: { default: unknown } } }).properties.net.default;
    expect([net('v1'), net('v1beta1')]).toEqual([{ port: 80, host: 'h' }, { p: 80 }]);
  });

  test('across .optional() and .default(), in any order of calls', () => {
    const made = specs(
      z.object({
        a: z.string().meta(renamed('v1', 'x')).default('q').meta(renamed('v1beta1', 'w')),
        b: z.string().optional().meta(added('v1')),
      }),
    );
    expect(Object.keys(made['v1alpha1']?.['properties'] as object)).toEqual(['w']);
    expect(Object.keys(made['v1beta1']?.['properties'] as object)).toEqual(['x']);
  });

  test('branches of a union go along', () => {
    const made = specs(
      z.object({
        source: z.discriminatedUnion('type', [
          z.object({ type: z.literal('git'), url: z.string().meta(renamed('v1', 'repository')) }),
          z.object({ type: z.literal('oci'), image: z.string() }),
        ]),
      }),
      { v1beta1: {} },
    );
    const { source } = (made['v1beta1'] as { properties: { source: { properties: object; oneOf: unknown } } })
      .properties;
    expect(Object.keys(source.properties)).toEqual(['type', 'repository', 'image']);
    expect(source.oneOf).toEqual([
      { required: ['repository', 'type'], properties: { type: { enum: ['git'] } } },
      { required: ['image', 'type'], properties: { type: { enum: ['oci'] } } },
    ]);
  });

  test('rules that name what the version lacks or calls otherwise are left out with a warning; others stay', () => {
    const shop = customResource({
      ...base,
      spec: z
        .object({
          replicas: z.int().max(9).meta(renamed('v1', 'count')),
          image: z.string().max(9).meta(immutable()),
          a: z.string().optional().meta(renamed('v1', 'old-a')),
          b: z.string().optional(),
          c: z.string().optional().meta(added('v1')),
        })
        .meta(rule('self.replicas < 5'))
        .meta(rule('self.image != ""'))
        .meta(atMostOneOf('a', 'b', 'c'))
        .meta(exactlyOneOf('b', 'c')),
      versions: { v1beta1: {} },
    });
    const older = shop.manifest(reached).spec.versions[1]?.schema?.openAPIV3Schema?.properties?.['spec'];
    expect(older?.['x-kubernetes-validations']?.map((each) => each.rule)).toEqual([
      '(has(self.b) ? 1 : 0) == 1',
      '(has(self.old__dash__a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1',
      'self.image != ""',
    ]);
    const warned = shop.warnings.map(({ code, path, message }) => `${code} ${path}: ${message}`);
    expect(warned).toEqual([
      'CRD_RULE_INVALID versions.v1beta1.spec: the rule "self.replicas < 5" names replicas, which v1beta1 does not have in that form: it is left out there',
    ]);
  });

  test('objects of it are built and parsed like all others: defaults filled, faults named', () => {
    const shop = customResource({
      ...base,
      spec: z.object({
        image: z.string().min(2),
        replicas: z.int().default(1).meta(renamed('v1', 'count')),
        net: z.object({ port: z.int().default(80) }).prefault({}),
      }),
      versions: { v1beta1: {} },
    });
    const old = shop.at('v1beta1');
    expect(old.build({ name: 'x', spec: { image: 'ab' } }).spec).toEqual({ image: 'ab', count: 1, net: { port: 80 } });
    const wrong = { apiVersion: 'example.com/v1beta1', kind: 'Shop', metadata: { name: 'x' } };
    expect(() => old.parse({ ...wrong, spec: { image: 'a', count: 'b', replicas: 1 } })).toThrow(
      /spec\.image[^]*spec\.count[^]*spec\.replicas/,
    );
    expect(() => old.parse(wrong)).toThrow('CRD_OBJECT_INVALID');
  });
});

describe('CRD-V5, CRD-E14: actions that contradict each other, the versions or the schema', () => {
  const s = (): z.ZodString => z.string();
  const one = (field: z.ZodType): z.ZodType => z.object({ f: field });
  test.each([
    [
      'two actions in one version',
      one(s().optional().meta(renamed('v1', 'g')).meta(changed('v1'))),
      'spec.f: renamed and changed in one version, v1',
    ],
    [
      'two names in one version',
      one(s().optional().meta(renamed('v1', 'g')).meta(renamed('v1', 'h'))),
      'spec.f: renamed and renamed in one version, v1',
    ],
    [
      'renamed before it was added',
      one(s().optional().meta(added('v1')).meta(renamed('v1beta1', 'g'))),
      'spec.f: renamed in v1beta1 and only then added in v1',
    ],
    [
      'deprecated before it was changed',
      one(s().optional().meta(changed('v1')).meta(deprecated('v1beta1', 'n'))),
      'spec.f: deprecated in v1beta1 and only then changed in v1',
    ],
    [
      'added twice',
      one(s().optional().meta(added('v1')).meta(added('v1beta1'))),
      'spec.f: added in v1beta1 and only then added in v1',
    ],
    [
      'deprecated twice',
      one(s().optional().meta(deprecated('v1', 'a')).meta(deprecated('v1beta1', 'b'))),
      'spec.f: deprecated in v1beta1 and only then deprecated in v1',
    ],
    ['a version nobody declared', one(s().optional().meta(added('v7'))), 'spec.f: added in v7, which is not declared'],
    [
      'required and not filled',
      one(s().meta(added('v1'))),
      'spec.f: is required, and objects of v1beta1 have no value for it',
    ],
    [
      'filled with what it refuses',
      one(z.int().meta(added('v1', { fill: 'x' }))),
      'spec.f: is filled with a value that breaks its schema: fill must be of type integer',
    ],
    ['renamed from its own name', one(s().meta(renamed('v1', 'f'))), 'spec.f: renamed in v1 from "f"'],
    ['deprecated without a word', one(s().meta(deprecated('v1', ' '))), 'spec.f: deprecated in v1 without a message'],
    [
      'two fields of one name',
      z.object({ f: s(), g: s().meta(renamed('v1', 'f')) }),
      'spec.g: is called "f" in v1beta1, as is f',
    ],
    [
      'a list key that is new',
      z.object({ l: z.array(z.object({ k: s().meta(added('v1', { fill: 'a' })) })).meta(listMap('k')) }),
      'spec.l: tells items apart by "k", which items of v1beta1 do not have',
    ],
    [
      'something older than what it is part of',
      one(
        z
          .object({ g: s().meta(renamed('v1beta1', 'h')) })
          .meta(added('v1beta1'))
          .optional(),
      ),
      'spec.f.g: renamed in v1beta1, but what it is part of came with v1beta1',
    ],
    [
      'on the spec itself',
      z.object({ f: s() }).meta(added('v1')),
      'spec: has a field action, but is not a field of an object',
    ],
    [
      'on items of a list',
      one(z.array(s().meta(added('v1')))),
      'spec.f[*]: has a field action, but is not a field of an object',
    ],
    [
      'a branch of a union that asks for nothing then',
      one(z.xor([z.object({ a: s().meta(added('v1', { fill: 'x' })) }), z.object({ b: s() })])),
      'versions.v1beta1.spec.f: is a union with a branch that requires nothing in v1beta1',
    ],
  ])('%s', (_, spec, expected) => {
    expect(problemsOf(spec, { v1beta1: {} })).toEqual([`CRD_VERSIONS_INVALID ${expected}`]);
  });

  test('all in order is accepted: added, then renamed, changed, then deprecated, each in a version of its own', () => {
    const f = z
      .string()
      .meta(added('v1alpha2', { fill: 'x' }))
      .meta(renamed('v1beta1', 'g'));
    const spec = z.object({ f: f.meta(changed('v1')).meta(deprecated('v2', 'use h')) });
    const versions = { v1alpha1: {}, v1alpha2: {}, v1beta1: {}, v1: {} };
    expect(problemsOf(spec, versions, { version: 'v2' })).toEqual([]);
  });

  test('in an older spec, in the status, and beside versions that do not say how old they are', () => {
    const marked = z.object({ f: z.string().optional().meta(added('v1')) });
    const plain = z.object({ f: z.string().optional() });
    const elsewhere = 'has a field action, but these belong only in the newest spec';
    expect(problemsOf(plain, { v1beta1: { spec: marked } })).toEqual([
      `CRD_VERSIONS_INVALID versions.v1beta1.spec.f: ${elsewhere}`,
    ]);
    expect(problemsOf(plain, { v1beta1: {} }, { status: marked })).toEqual([
      `CRD_VERSIONS_INVALID status.f: ${elsewhere}`,
    ]);
    expect(problemsOf(marked, { first: {} })).toEqual([
      'CRD_VERSIONS_INVALID versions.first: has a name that does not say how old it is',
    ]);
    for (const name of ['v2', 'v2alpha1']) {
      expect(problemsOf(marked, { [name]: {} })).toEqual([
        `CRD_VERSIONS_INVALID versions.${name}: is newer than v1, the version of the definition`,
      ]);
    }
  });
});
