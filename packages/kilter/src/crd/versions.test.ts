import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customResource, deprecated, renamed, ResourceError } from './index.ts';
import { compareVersions } from './versions-age.ts';

const spec = z.object({ image: z.string() });
const base = { group: 'example.com', version: 'v1', kind: 'Shop', spec } as const;

function problemsOf(define: () => unknown): string[] {
  try {
    define();
  } catch (error) {
    if (error instanceof ResourceError) return error.problems.map(({ code, path }) => `${code} ${path}`);
    throw error;
  }
  return [];
}

test('CRD-V1: GA before beta before alpha, then higher numbers first, other names last', () => {
  const sorted = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
  expect(sorted.toReversed().toSorted(compareVersions)).toEqual(sorted);
});

describe('CRD-V1, CRD-M27: versions in the manifest', () => {
  const shop = customResource({
    ...base,
    versions: {
      v1alpha1: { spec, deprecated: 'use v1' },
      v1beta2: { spec, served: false },
      v1beta1: { spec, deprecated: true, storage: true },
    },
  });
  const entries = shop.manifest().spec.versions;

  test('in the order of the server', () => {
    expect(entries.map(({ name }) => name)).toEqual(['v1', 'v1beta2', 'v1beta1', 'v1alpha1']);
  });

  test('one is stored: the one that says so', () => {
    expect(entries.filter(({ storage }) => storage).map(({ name }) => name)).toEqual(['v1beta1']);
  });

  test('the newest is stored if none says so', () => {
    const { versions } = customResource({ ...base, versions: { v1beta1: { spec } } }).manifest().spec;
    expect(versions.filter(({ storage }) => storage).map(({ name }) => name)).toEqual(['v1']);
  });

  test('deprecation with and without words; served unless it says not', () => {
    const flags = entries.map(({ name, served, deprecated, deprecationWarning }) => [
      name,
      served,
      deprecated,
      deprecationWarning,
    ]);
    expect(flags).toEqual([
      ['v1', true, undefined, undefined],
      ['v1beta2', false, undefined, undefined],
      ['v1beta1', true, true, undefined],
      ['v1alpha1', true, true, 'use v1'],
    ]);
  });
});

describe('CRD-E14: versions that contradict each other', () => {
  test.each([
    ['two are stored', { storage: true, versions: { v1beta1: { spec, storage: true } } }, 'storage'],
    ['none is stored', { storage: false }, 'storage'],
    ['none is served', { served: false, versions: { v1beta1: { spec, served: false } } }, 'served'],
    ['the newest stands among the older', { versions: { v1: { spec } } }, 'versions.v1'],
    ['a warning that is too long', { deprecated: 'x'.repeat(257) }, 'deprecated'],
    [
      'a warning with a line break',
      { versions: { v1beta1: { spec, deprecated: 'a\nb' } } },
      'versions.v1beta1.deprecated',
    ],
    ['an empty warning', { deprecated: '' }, 'deprecated'],
    ['an older version that is newer', { versions: { v2: { spec } } }, 'versions.v2'],
    ['an older version that is further', { version: 'v1beta1', versions: { v1: { spec } } }, 'versions.v1'],
  ])('%s', (_, wrong, path) => {
    expect(problemsOf(() => customResource({ ...base, ...(wrong as {}) }))).toEqual([`CRD_VERSIONS_INVALID ${path}`]);
  });

  test('the definition is the newest version: the cure is to swap them', () => {
    expect(() => customResource({ ...base, versions: { v2: { spec } } })).toThrow(
      "versions.v2: is newer than v1, the version of the definition (CRD_VERSIONS_INVALID: the definition is the newest version: swap them, version: 'v2' and versions: { v1: … })",
    );
  });

  test.each([
    ['v2alpha1', 'v1'],
    ['v1', 'v2alpha1'],
    ['v2', 'next'],
    ['stable', 'v3'],
  ])('%s beside %s: neither order alone, nor a name without one, says which is newer', (version, older) => {
    expect(problemsOf(() => customResource({ ...base, version, versions: { [older]: { spec } } }))).toEqual([]);
  });

  test('a problem of an older version says so', () => {
    const broken = {
      versions: { v1beta1: { spec: z.object({ x: z.date() }), columns: [{ name: 'X', path: '.spec.y' }] } },
    };
    expect(problemsOf(() => customResource({ ...base, ...broken }))).toEqual([
      'CRD_SCHEMA_UNREPRESENTABLE versions.v1beta1.spec.x',
      'CRD_PATH_INVALID versions.v1beta1.columns[0]',
    ]);
  });
});

describe('CRD-V2, CRD-E15: how the server converts', () => {
  const other = z.object({ image: z.string(), count: z.string() });
  const differing = {
    ...base,
    spec: z.object({ image: z.string(), replicas: z.int() }),
    versions: { v1alpha1: { spec: other } },
  };
  const up = (old: { image: string; count: string }): { image: string; replicas: number } => ({
    image: old.image,
    replicas: Number(old.count),
  });
  const down = (now: { image: string; replicas: number }): { image: string; count: string } => ({
    image: now.image,
    count: String(now.replicas),
  });
  const at = { conversion: { service: { namespace: 'shop', name: 'operator' }, caBundle: 'Q0E=' } };

  test('not at all if all versions have the same fields', () => {
    const tighter = z.object({ image: z.string().min(3) });
    const manifest = customResource({ ...base, versions: { v1beta1: { spec: tighter } } }).manifest();
    expect(manifest.spec.conversion).toBeUndefined();
  });

  test.each([
    ['a field of its own', z.object({ image: z.string(), more: z.string().optional() })],
    ['a field less', z.object({})],
    ['another type', z.object({ image: z.int() })],
    ['null where the other takes none', z.object({ image: z.string().nullable() })],
  ])('by webhook if a version has %s, wherever it stands', (_, older) => {
    const wrap = (inner: z.ZodObject): z.ZodObject =>
      z.object({ list: z.array(z.object({ map: z.record(z.string(), inner) })) });
    for (const [now, before] of [
      [spec, older],
      [wrap(spec), wrap(older)],
    ] as const) {
      const shop = customResource({ ...base, spec: now, versions: { v1beta1: { spec: before } } });
      expect(() => shop.manifest(at)).toThrow(
        'versions.v1beta1: differs from the newest version (CRD_CONVERSION_MISSING',
      );
      const pass = (value: unknown): never => value as never;
      const { conversion } = shop.converts({ v1beta1: { up: pass, down: pass } }).manifest(at).spec;
      expect(conversion?.strategy).toBe('Webhook');
    }
  });

  test('by webhook if field actions say that fields differ, and at a URL as it is given', () => {
    const shop = customResource({
      ...base,
      spec: z.object({ replicas: z.int().meta(renamed('v1', 'count')) }),
      versions: { v1beta1: {} },
    });
    expect(shop.manifest({ conversion: { url: 'https://h/c', caBundle: 'Q0E=' } }).spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://h/c', caBundle: 'Q0E=' }, conversionReviewVersions: ['v1'] },
    });
  });

  test('not at all if field actions change no field', () => {
    const shop = customResource({
      ...base,
      spec: z.object({ image: z.string().meta(deprecated('v1', 'use other')) }),
      versions: { v1beta1: {} },
    });
    expect(shop.manifest().spec.conversion).toBeUndefined();
  });

  test('by webhook also if the fields are the same and someone converts by hand', () => {
    const same = { up: (image: { image: string }) => image, down: (image: { image: string }) => image };
    const shop = customResource({ ...base, versions: { v1beta1: { spec } } }).converts({ v1beta1: same });
    expect(shop.manifest(at).spec.conversion?.strategy).toBe('Webhook');
  });

  test('versions that differ need conversions before there is a manifest', () => {
    const shop = customResource(differing);
    expect(() => shop.manifest(at)).toThrow('CRD_CONVERSION_MISSING');
  });

  test('a manifest must be told where the webhook is', () => {
    const shop = customResource(differing).converts({ v1alpha1: { up, down } });
    expect(() => shop.manifest()).toThrow('CRD_CONVERSION_UNREACHABLE');
    const [url, service] = ['https://x/convert', { namespace: 'a', name: 'b' }];
    expect(() => shop.manifest({ conversion: { url: 'http://x/convert' } })).toThrow('does not begin with https');
    expect(() => shop.manifest({ conversion: { url, service } })).toThrow('both a service and a url');
  });

  test('by webhook, with review v1 and the path /convert', () => {
    const shop = customResource(differing).converts({ v1alpha1: { up, down } });
    expect(shop.manifest(at).spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { namespace: 'shop', name: 'operator', path: '/convert' }, caBundle: 'Q0E=' },
        conversionReviewVersions: ['v1'],
      },
    });
  });

  test('conversions lead up to the newest version and down from it, and are pure', () => {
    const shop = customResource(differing).converts({ v1alpha1: { up, down } });
    const old = shop.at('v1alpha1').build({ name: 'x', spec: { image: 'a', count: '3' } });
    const now = shop.convert(old, 'v1');
    expect(now).toEqual({ ...old, apiVersion: 'example.com/v1', spec: { image: 'a', replicas: 3 } });
    expect(shop.convert(now, 'v1alpha1')).toEqual(old);
    expect(old.spec).toEqual({ image: 'a', count: '3' });
    const bare = { apiVersion: 'example.com/v1', kind: 'Shop', metadata: { name: 'x' } };
    expect(shop.convert(bare, 'v1alpha1')).toEqual({ ...bare, apiVersion: 'example.com/v1alpha1' });
    expect(() => shop.convert(old, 'v9')).toThrow('CRD_VERSIONS_INVALID');
  });

  test('an older version is a kind of its own; one that is not declared is refused', () => {
    const shop = customResource(differing);
    expect(shop.at('v1alpha1').names).toMatchObject({ version: 'v1alpha1', plural: 'shops', kind: 'Shop' });
    expect(() => shop.at('v7' as 'v1alpha1')).toThrow('CRD_VERSIONS_INVALID');
    expect(() => shop.converts({ v7: { up, down } } as never)).toThrow('CRD_VERSIONS_INVALID');
  });
});
