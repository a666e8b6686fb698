import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Json, JsonObject, KubeObject } from '../api/index.ts';
import { deltaOf } from './conversion-delta.ts';
import { restore } from './conversion-restore.ts';
import { added, type Convertible, customResource, listMap, renamed } from './index.ts';

const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false }) as fc.Arbitrary<Json>;

/** Ways to lose or change something, all of them pure and total. */
const mutilations: Readonly<Record<string, (spec: JsonObject) => JsonObject>> = {
  nothing: (spec) => spec,
  all: () => ({}),
  drop: ({ a: _a, ...rest }) => rest,
  move: ({ a, ...rest }) => (a === undefined ? rest : { ...rest, b: a }),
  swap: ({ a, b, ...rest }) => ({ ...rest, ...(b !== undefined && { a: b }), ...(a !== undefined && { b: a }) }),
  fill: (spec) => ({ a: 'default', list: [], ...spec }),
  cut: (spec) => ({ ...spec, a: JSON.stringify(spec['a'] ?? 7).slice(0, 2) }),
  nullify: (spec) => ({ ...spec, a: null }),
  reverse: (spec) => ({ ...spec, list: listOf(spec, 'list').toReversed(), keyed: listOf(spec, 'keyed').toReversed() }),
  shorten: (spec) => ({ ...spec, list: listOf(spec, 'list').slice(1), keyed: listOf(spec, 'keyed').slice(0, 1) }),
  strip: (spec) => ({
    ...spec,
    keyed: listOf(spec, 'keyed').map((item) => ({ k: (item as JsonObject)['k'] ?? null })),
  }),
  pack: (spec) => ({ a: Object.keys(spec).toSorted().join() }),
};

function listOf(spec: JsonObject, name: string): Json[] {
  const value = spec[name];
  return Array.isArray(value) ? value : [];
}

const way = fc.constantFrom(...Object.keys(mutilations));
const keyed = fc.uniqueArray(fc.record({ k: fc.string({ maxLength: 2 }), v: json }), {
  selector: ({ k }) => k,
  maxLength: 3,
});
const spec = fc
  .record({ a: json, b: json, list: fc.array(json, { maxLength: 3 }), keyed, other: json }, { requiredKeys: [] })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

const schema = z.looseObject({
  a: z.any().optional(),
  b: z.any().optional(),
  list: z.array(z.any()).optional(),
  keyed: z
    .array(z.looseObject({ k: z.string(), v: z.any() }))
    .meta(listMap('k'))
    .optional(),
});

const plain = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: schema,
  versions: { v1alpha1: { spec: schema }, v1beta1: { spec: schema } },
});

function byHand(ways: readonly string[]): Convertible {
  const through = (i: number) => (value: unknown) => mutilations[ways[i] ?? '']?.(value as JsonObject) as never;
  return plain.converts({
    v1alpha1: { up: through(0), down: through(1) },
    v1beta1: { up: through(2), down: through(3) },
  });
}

const acted: Convertible = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.looseObject({
    a: z.any().optional().meta(renamed('v1', 'alpha')),
    b: z
      .any()
      .optional()
      .meta(added('v1', { fill: 'filled' })),
    list: z.array(z.any()).optional(),
    keyed: z
      .array(
        z.looseObject({ k: z.string().meta(renamed('v1beta1', 'key')), v: z.any().meta(added('v1', { fill: null })) }),
      )
      .meta(listMap('k'))
      .optional(),
  }),
  versions: { v1alpha1: {}, v1beta1: {} },
});

const names = ['v1', 'v1beta1', 'v1alpha1'];
const version = fc.constantFrom(...names);

function objectOf(name: string, value: JsonObject): KubeObject {
  return { apiVersion: `example.com/${name}`, kind: 'Shop', metadata: { name: 'x' }, spec: value } as KubeObject;
}

/** An object of the kind with field actions: the oldest version knows the key of an item by another name. */
function actedOf(name: string, value: JsonObject): KubeObject {
  const renamedKey = listOf(value, 'keyed').map((item) => {
    const { k, ...rest } = item as JsonObject;
    return { key: k ?? null, ...rest };
  });
  return objectOf(name, name === 'v1alpha1' && 'keyed' in value ? { ...value, keyed: renamedKey } : value);
}

function specOf(object: KubeObject): JsonObject {
  return (object as unknown as { spec: JsonObject }).spec;
}

describe('CRD-V6: whatever conversions lose', () => {
  test('there and back nothing is lost, whatever the functions do', () => {
    fc.assert(
      fc.property(fc.array(way, { minLength: 4, maxLength: 4 }), spec, version, version, (ways, value, a, b) => {
        const shop = byHand(ways);
        const object = objectOf(a, value);
        expect(shop.convert(shop.convert(object, b), a)).toEqual(object);
      }),
      { numRuns: 400, seed: 1 },
    );
  });

  test('there and back nothing is lost by field actions', () => {
    fc.assert(
      fc.property(spec, version, version, (value, a, b) => {
        const object = actedOf(a, value);
        expect(acted.convert(acted.convert(object, b), a)).toEqual(object);
      }),
      { numRuns: 400, seed: 2 },
    );
  });

  test('a detour over another version changes nothing, not even the data that is kept', () => {
    fc.assert(
      fc.property(
        fc.array(way, { minLength: 4, maxLength: 4 }),
        spec,
        version,
        version,
        version,
        (ways, value, ...way3) => {
          const [a, b, c] = way3;
          const both = [
            [byHand(ways), objectOf(a, value)],
            [acted, actedOf(a, value)],
          ] as const;
          for (const [shop, object] of both) {
            expect(shop.convert(shop.convert(object, b), c)).toEqual(shop.convert(object, c));
          }
        },
      ),
      { numRuns: 300, seed: 3 },
    );
  });

  test('any number of conversions comes back, and leaves no data behind', () => {
    fc.assert(
      fc.property(
        fc.array(way, { minLength: 4, maxLength: 4 }),
        spec,
        fc.array(version, { maxLength: 6 }),
        (ways, value, trip) => {
          const shop = byHand(ways);
          const start = objectOf('v1', value);
          const end = shop.convert(
            trip.reduce((object, to) => shop.convert(object, to), start),
            'v1',
          );
          expect(end).toEqual(start);
          expect(end).not.toHaveProperty('status');
        },
      ),
      { numRuns: 300, seed: 4 },
    );
  });

  test('a field changed in the older version is as it was changed, and the rest comes back', () => {
    fc.assert(
      fc.property(spec, json, (value, image) => {
        const down = acted.convert(objectOf('v1', value), 'v1alpha1');
        const edited = { ...down, spec: { ...specOf(down), alpha: image } } as KubeObject;
        expect(specOf(acted.convert(edited, 'v1'))).toEqual({ ...value, a: image });
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  test('a delta makes the value of the base, and only of the base', () => {
    fc.assert(
      fc.property(json, json, (base, value) => {
        const delta = deltaOf(base, value);
        expect(delta === undefined ? base : restore(base, JSON.parse(JSON.stringify(delta)))).toEqual(value);
      }),
      { numRuns: 1000, seed: 6 },
    );
  });
});
