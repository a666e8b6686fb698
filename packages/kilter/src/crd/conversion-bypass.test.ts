import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Json, JsonObject, KubeObject } from '../api/index.ts';
import { base, dataOf, type Loose, object, specOf } from './conversion.test-support.ts';
import { compatibility, type ConversionReport, customResource, immutable, listMap, renamed, rule } from './index.ts';
import { added } from './index.ts';

const port = z.object({
  name: z.string(),
  weight: z.int().max(10).optional().meta(added('v1')),
});
const Shop = customResource({
  ...base,
  spec: z.object({
    image: z.string(),
    replicas: z.int().max(10).meta(renamed('v1', 'count')),
    tier: z.enum(['web', 'batch']).meta(added('v1', { fill: 'web' })),
    limit: z.int().max(5).optional().meta(added('v1')),
    owner: z.string().optional().meta(immutable()).meta(added('v1')),
    ports: z.array(port).max(2).meta(listMap('name')).optional(),
    shape: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('round'), radius: z.int() }),
        z.object({ type: z.literal('square'), side: z.int() }),
      ])
      .optional()
      .meta(added('v1')),
  }),
  versions: { v1alpha1: {} },
});
const newest = object('v1', { image: 'a', replicas: 1, tier: 'batch', limit: 3, owner: 'me' });
const older = Shop.convert(newest, 'v1alpha1') as unknown as Loose;

/** As the server takes a replacement of the object in the older version: its status stays. */
function replaced(stored: KubeObject, change: Partial<Loose>): Loose {
  const { status } = Shop.convert(stored, 'v1alpha1') as unknown as Loose;
  const sent = { ...older, ...change };
  return { ...sent, ...(status !== undefined && { status }) };
}

describe('CRD-V6, CRD-V12: what somebody writes into an object of an older version never passes the newest schema by', () => {
  const forged = (fields: JsonObject): string => JSON.stringify({ v1: { in: 'v1alpha1', of: 'x', delta: { fields } } });
  const forgery = forged({ owner: { hidden: true, is: 'thief' }, tier: { hidden: true, is: 'batch' } });

  test.each<[string, Partial<Loose>]>([
    ['its status', { status: { conversionData: forgery } }],
    ['no status', { status: undefined as never }],
    ['an annotation', { metadata: { ...older.metadata, annotations: { 'example.com/conversion-data': forgery } } }],
  ])('%s changes nothing that version does not show', (_, change) => {
    expect(specOf(Shop.convert(replaced(newest, change), 'v1'))).toEqual(newest.spec);
  });

  /** What a text in the place of kept data makes of an object, and what is told of it. */
  function broken(fields: JsonObject, spec: Json = { image: 'a', count: 1 }): [Json | undefined, string[]] {
    const told: ConversionReport[] = [];
    const up = Shop.convert(object('v1alpha1', spec, forged(fields)), 'v1', { report: (each) => told.push(each) });
    return [specOf(up as KubeObject), told.map(({ path, message, version }) => `${version} ${path} ${message}`)];
  }
  const plain = { image: 'a', replicas: 1, tier: 'web' };
  const hidden = (is: Json): JsonObject => ({ hidden: true, is });

  test.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'an enum',
      { tier: hidden('gold'), limit: hidden(2) },
      { limit: 2 },
      ['v1 spec.tier must be one of "web", "batch"'],
    ],
    ['a maximum', { tier: hidden('batch'), limit: hidden(6) }, { tier: 'batch' }, ['v1 spec.limit must be at most 5']],
    ['a type', { owner: hidden(7), limit: hidden(2) }, { limit: 2 }, ['v1 spec.owner must be of type string']],
    [
      'an unknown field',
      { root: hidden(true), limit: hidden(2) },
      { limit: 2 },
      ['v1 spec.root is not a field of the schema'],
    ],
    [
      'a union',
      { shape: hidden({ type: 'round', side: 1 }) },
      {},
      ['v1 spec.shape must match exactly one branch of the union'],
    ],
    ['a field that is shown', { replicas: { was: 1, is: 11 } }, {}, ['v1 spec.replicas must be at most 10']],
  ])('kept data that breaks %s counts as absent, is reported, and the rest comes back', (_, fields, kept, told) => {
    expect(broken(fields)).toEqual([{ ...plain, ...kept }, told]);
  });

  test('one bad item of a list leaves the others their data', () => {
    const ports = {
      byKey: [
        { key: { name: 'a' }, delta: { fields: { weight: hidden(99) } } },
        { key: { name: 'b' }, delta: { fields: { weight: hidden(4) } } },
      ],
    };
    const [spec, told] = broken({ ports }, { image: 'a', count: 1, ports: [{ name: 'a' }, { name: 'b' }] });
    expect(spec).toHaveProperty('ports', [{ name: 'a' }, { name: 'b', weight: 4 }]);
    expect(told).toEqual(['v1 spec.ports[0].weight must be at most 10']);
  });

  test('hidden items that make a list too long do not come back', () => {
    const ports = { byKey: [], hidden: [{ name: 'c' }], keys: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] };
    const [spec, told] = broken({ ports }, { image: 'a', count: 1, ports: [{ name: 'a' }, { name: 'b' }] });
    expect(spec).toHaveProperty('ports', [{ name: 'a' }, { name: 'b' }]);
    expect(told).toEqual(['v1 spec.ports must have at most 2 items']);
  });

  test.each(['no json', '7', '[]'])('what is not kept data at all is told: %s', (text) => {
    const told: string[] = [];
    Shop.convert(object('v1alpha1', { image: 'a', count: 1 }, text), 'v1', { report: ({ path }) => told.push(path) });
    expect(told).toEqual(['status.conversionData']);
  });

  test('hundreds of bad parts cost no look at the object each', () => {
    const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, hidden(i)]));
    const [spec, told] = broken(fields);
    expect(spec).toEqual(plain);
    expect(told.length).toBeLessThan(100);
  });
});

describe('CRD-V6: where it is kept', () => {
  const statusIn = (kind: { manifest(options?: object): { spec: { versions: readonly object[] } } }): unknown[] =>
    kind.manifest({ conversion: { url: 'https://localhost' } }).spec.versions.map((version) => {
      const { schema, subresources } = version as { schema: { openAPIV3Schema: Loose }; subresources?: unknown };
      const { properties } = schema.openAPIV3Schema as unknown as { properties: { status?: { properties: object } } };
      return [Object.keys(properties.status?.properties ?? {}), subresources];
    });

  test('in a status that the server guards, in every version, also where the author has none', () => {
    const own = [['conversionData'], { status: {} }];
    expect(statusIn(Shop)).toEqual([own, own]);
    expect(dataOf(older)).toBeTypeOf('string');
  });

  test('beside the fields of the author, who cannot declare it', () => {
    const define = (status: z.ZodObject): ReturnType<typeof customResource> =>
      customResource({
        ...base,
        spec: z.object({ a: z.string(), b: z.string().optional().meta(added('v1')) }),
        status,
        versions: { v1alpha1: {} },
      }) as never;
    const names = ['phase', 'observedGeneration', 'conditions', 'conversionData'];
    const kind = define(z.object({ phase: z.string().optional() }));
    expect(statusIn(kind as never)).toEqual([
      [names, { status: {} }],
      [names, { status: {} }],
    ]);
    expect(() => define(z.object({ conversionData: z.string().optional() }))).toThrow('status.conversionData');
  });

  test('nowhere, where nothing is converted', () => {
    const spec = z.object({ a: z.string() });
    const same = customResource({ ...base, spec, versions: { v1alpha1: { spec } } });
    expect(statusIn(same)).toEqual([
      [[], undefined],
      [[], undefined],
    ]);
    const byHand = same.converts({ v1alpha1: { up: ({ a }) => ({ a: a.trim() }), down: (now) => now } });
    expect(statusIn(byHand)).toEqual([
      [['conversionData'], { status: {} }],
      [['conversionData'], { status: {} }],
    ]);
    expect(compatibility(same.manifest(), byHand.manifest({ conversion: { url: 'https://localhost' } }))).toMatchObject(
      { verdict: 'visible' },
    );
  });

  test('objects of the older version parse with it, and other status fields of theirs do not', () => {
    expect(Shop.at('v1alpha1').parse(older)).toEqual(older);
    expect(() => Shop.at('v1alpha1').parse({ ...older, status: { conversionData: 7 } })).toThrow(
      'status.conversionData: must be of type string',
    );
  });

  test('a rule of the newest version needs no evaluator for that: nobody but the operator writes what it judges', () => {
    const ruled = customResource({
      ...base,
      spec: z
        .object({ min: z.int(), max: z.int().optional().meta(added('v1')) })
        .meta(rule('!has(self.max) || self.min <= self.max')),
      versions: { v1alpha1: {} },
    });
    expect(ruled.warnings.map(({ code }) => code)).toContain('CRD_RULE_INVALID');
    const stored = object('v1', { min: 1, max: 2 });
    const { status, ...shown } = ruled.convert(stored, 'v1alpha1') as unknown as Loose;
    expect(specOf(ruled.convert({ ...shown, status } as KubeObject, 'v1'))).toEqual({ min: 1, max: 2 });
  });
});
