import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Json, KubeObject } from '../api/index.ts';
import { acted, base, dataOf, type Loose, object, specOf } from './conversion.test-support.ts';
import { added, changed, type Convertible, customResource, listMap, listSet, matchedBy, renamed } from './index.ts';

describe('CRD-V3: conversions made of field actions', () => {
  const newest = {
    image: 'a',
    replicas: 3,
    tier: 'batch',
    ports: [{ name: 'p', tls: true }],
    hosts: [{ host: 'h' }],
    zones: { eu: { weight: 2 } },
  };

  test('lead down under the older names, without what came later', () => {
    expect(specOf(acted.convert(object('v1', newest), 'v1beta1'))).toEqual({
      image: 'a',
      count: 3,
      ports: [{ name: 'p' }],
      hosts: [{ host: 'h' }],
      zones: { eu: { w: 2 } },
    });
    expect(specOf(acted.convert(object('v1', newest), 'v1alpha1'))).toEqual({
      image: 'a',
      count: 3,
      ports: [{ id: 'p' }],
      hosts: [{ host: 'h' }],
      zones: { eu: { w: 2 } },
    });
  });

  test('lead up with what later fields are to be filled with', () => {
    const old = object('v1alpha1', { image: 'a', count: 3, ports: [{ id: 'p' }], zones: { eu: { w: 2 } } });
    expect(specOf(acted.convert(old, 'v1'))).toEqual({
      image: 'a',
      replicas: 3,
      tier: 'web',
      hint: 'none',
      ports: [{ name: 'p' }],
      zones: { eu: { weight: 2 } },
    });
  });

  test('lead from each older version to each other one', () => {
    const old = object('v1alpha1', { image: 'a', ports: [{ id: 'p' }] });
    const beta = acted.convert(old, 'v1beta1');
    expect(beta).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: { image: 'a', ports: [{ name: 'p' }] } });
    expect(acted.convert(beta, 'v1alpha1')).toEqual(old);
  });
});

describe('CRD-V4: what is converted by hand', () => {
  const spec = z.object({
    image: z.string(),
    name: z.string().meta(renamed('v1', 'title')),
    timeout: z.int().meta(changed('v1')),
  });

  test('every version before a change needs functions: at definition with .converts, else before any use', () => {
    const shop = customResource({ ...base, spec, versions: { v1alpha1: {}, v1beta1: {} } });
    const missing =
      /spec\.timeout: changed since v1beta1[^]*spec\.timeout: changed since v1alpha1[^]*CRD_CONVERSION_MISSING/;
    expect(() => shop.manifest({ conversion: { url: 'https://x' } })).toThrow(missing);
    expect(() => shop.convert(object('v1', {}), 'v1alpha1')).toThrow('CRD_CONVERSION_MISSING');
    const pass = (value: unknown): never => value as never;
    expect(() => shop.converts({ v1alpha1: { up: pass, down: pass } })).toThrow(
      'spec.timeout: changed since v1beta1, which is not converted by hand (CRD_CONVERSION_MISSING: add .converts({ v1beta1: { up, down } })',
    );
  });

  test('the functions get what the other actions make, without the field that changed', () => {
    const seen: unknown[] = [];
    const shop = customResource({ ...base, spec, versions: { v1alpha1: {} } }).converts({
      v1alpha1: {
        up: (old, generated) => {
          seen.push(generated);
          return { ...generated, timeout: Number(old['timeout']) * 1000 };
        },
        down: (now, generated) => {
          seen.push(generated);
          return { ...generated, timeout: now.timeout / 1000 };
        },
      },
    });
    const old = object('v1alpha1', { image: 'a', title: 't', timeout: 3 });
    const now = shop.convert(old, 'v1');
    expect(now).toEqual(object('v1', { image: 'a', name: 't', timeout: 3000 }));
    expect(seen[0]).toEqual({ image: 'a', name: 't' });
    expect(shop.convert(now, 'v1alpha1')).toEqual(old);
    expect(seen).toContainEqual({ image: 'a', title: 't' });
  });

  test('what they get has no field of the version they come from, only of the one they lead to', () => {
    const seen: unknown[] = [];
    const shop = customResource({
      ...base,
      spec: z.object({ a: z.string(), deep: z.object({ b: z.string().meta(changed('v1')) }) }),
      versions: { v1alpha1: { spec: z.object({ a: z.string(), old: z.string(), deep: z.object({ c: z.string() }) }) } },
    }).converts({
      v1alpha1: {
        up: (old, generated) => {
          seen.push(generated);
          return { ...generated, deep: { b: old.deep.c } };
        },
        down: (now, generated) => ({ ...generated, old: '', deep: { c: now.deep.b } }),
      },
    });
    shop.convert(object('v1alpha1', { a: '1', old: '2', deep: { c: '3' }, unknown: 4 }), 'v1');
    expect(seen[0]).toEqual({ a: '1', deep: {}, unknown: 4 });
  });

  test('a version by hand and one by actions meet in the newest', () => {
    const shop = customResource({
      ...base,
      spec: z.object({ image: z.string(), replicas: z.int().meta(renamed('v1', 'count')) }),
      versions: { v1alpha1: { spec: z.object({ what: z.string() }) }, v1beta1: {} },
    }).converts({
      v1alpha1: {
        up: ({ what }) => ({ image: what.split('*')[0] ?? '', replicas: Number(what.split('*')[1]) }),
        down: ({ image, replicas }) => ({ what: `${image}*${replicas}` }),
      },
    });
    const beta = shop.convert(object('v1alpha1', { what: 'nginx*3' }), 'v1beta1');
    expect(beta).toEqual(object('v1beta1', { image: 'nginx', count: 3 }));
    expect(shop.convert(beta, 'v1alpha1')).toEqual(object('v1alpha1', { what: 'nginx*3' }));
  });

  test('a spec of its own that is not what the actions say is not converted by them', () => {
    const acts = z.object({ image: z.string(), replicas: z.int().meta(renamed('v1', 'count')) });
    const as = (older: z.ZodObject): unknown =>
      customResource({ ...base, spec: acts, versions: { v1beta1: { spec: older } } }).convert(
        object('v1beta1', { image: 'a', count: 1 }),
        'v1',
      );
    expect(as(z.object({ image: z.string(), count: z.int() }))).toEqual(object('v1', { image: 'a', replicas: 1 }));
    expect(() => as(z.object({ image: z.string(), n: z.int() }))).toThrow(
      'versions.v1beta1: differs from the newest version (CRD_CONVERSION_MISSING',
    );
  });

  test('what is not a function, or is asynchronous, is refused when it is given', () => {
    const shop = customResource({ ...base, spec, versions: { v1alpha1: {} } });
    const pass = (value: unknown): never => value as never;
    const wait = async (value: unknown): Promise<never> => value as never;
    expect(() => shop.converts({ v1alpha1: { up: pass } } as never)).toThrow(
      'converts.v1alpha1.down: is not a function (CRD_CONVERSION_MISSING',
    );
    expect(() => shop.converts({ v1alpha1: { up: wait as never, down: pass } })).toThrow(
      'converts.v1alpha1.up: is asynchronous (CRD_CONVERSION_FAILED',
    );
  });
});

describe('CRD-V6: what the target cannot hold', () => {
  const newest = object('v1', {
    image: 'a',
    tier: 'batch',
    ports: [
      { name: 'p', tls: true },
      { name: 'q', tls: false },
    ],
    hosts: [{ host: 'h', path: '/1' }, { host: 'i', path: '/2' }, { host: 'k' }],
  });
  const older = acted.convert(newest, 'v1alpha1') as Loose;
  const edited = (edit: (spec: Record<string, Json>) => void): Json | undefined => {
    const copy = structuredClone(older);
    edit(copy.spec as Record<string, Json>);
    return specOf(acted.convert(copy, 'v1'));
  };

  test('is kept in the status, which users of the object cannot write, and is gone when it has been put back', () => {
    expect(older.status).toEqual({ conversionData: expect.any(String) });
    expect(acted.convert(older, 'v1')).toEqual(newest);
    expect(acted.convert(acted.convert(older, 'v1beta1'), 'v1')).toEqual(newest);
  });

  test('is nothing where the target holds everything', () => {
    const plain = object('v1', { image: 'a', tier: 'web', hint: 'none' });
    expect(acted.convert(plain, 'v1beta1')).toEqual(object('v1beta1', { image: 'a' }));
  });

  test('leaves the rest of the status and the order of its own text alone', () => {
    for (const status of [{ ready: true }, {}, null]) {
      const observed: Loose = { ...newest, status };
      const down = acted.convert(observed, 'v1alpha1') as Loose;
      if (status?.ready) expect(down.status).toEqual({ ready: true, conversionData: dataOf(older) });
      expect(acted.convert(down, 'v1')).toEqual(observed);
    }
    const reversed = Object.fromEntries(Object.entries(newest.spec as object).toReversed()) as Json;
    const turned: Loose = { ...newest, spec: reversed };
    expect(dataOf(acted.convert(turned, 'v1alpha1'))).toEqual(dataOf(older));
  });

  test('absence is kept too: a field that is to be filled stays away if it was not there', () => {
    expect(newest.spec).not.toHaveProperty('hint');
    expect(specOf(acted.convert(older, 'v1'))).not.toHaveProperty('hint');
  });

  test('comes back although other fields were changed meanwhile', () => {
    expect(edited((spec) => (spec['count'] = 7))).toEqual({ ...(newest.spec as object), replicas: 7 });
  });

  test('comes back to items by their keys, also if some went or moved', () => {
    expect(edited((spec) => (spec['ports'] = [{ id: 'new' }, { id: 'q' }]))).toHaveProperty('ports', [
      { name: 'new' },
      { name: 'q', tls: false },
    ]);
  });

  test('comes back to items by the fields that tell them apart, also if one was changed', () => {
    expect(edited((spec) => (spec['hosts'] = [{ host: 'i' }, { host: 'z' }, { host: 'h' }]))).toHaveProperty('hosts', [
      { host: 'i', path: '/2' },
      { host: 'z' },
      { host: 'h', path: '/1' },
    ]);
  });

  test('CRD-V13: a list that nothing tells the items of apart is refused, where an older version hides parts of them', () => {
    const define = (metadata: Record<string, unknown>): unknown =>
      customResource({
        ...base,
        spec: z.object({
          list: z.array(z.object({ host: z.string(), path: z.string().optional().meta(added('v1')) })).meta(metadata),
        }),
        versions: { v1alpha1: {} },
      });
    expect(() => define({})).toThrow(
      /spec\.list: is a list without keys, and spec\.list\[\*\]\.path .*CRD_CONVERSION_UNMATCHED/,
    );
    expect(() => define(listSet())).toThrow('CRD_LIST_KEYS');
    expect(() => define(listMap('host'))).not.toThrow();
    expect(() => define(matchedBy('host'))).not.toThrow();
  });

  test('CRD-V13: with conversions by hand too, where one version has all fields of the items and more', () => {
    const [small, large] = [
      z.object({ host: z.string() }),
      z.object({ host: z.string(), path: z.string().optional() }),
    ];
    const pass = (spec: unknown): never => spec as never;
    const define = (newest: z.ZodType, older: z.ZodType): unknown =>
      customResource({
        ...base,
        spec: z.object({ list: newest }),
        versions: { v1alpha1: { spec: z.object({ list: older }) } },
      }).converts({ v1alpha1: { up: pass, down: pass } });
    expect(() => define(z.array(large), z.array(small))).toThrow(
      /spec\.list: is a list without keys, and v1alpha1 has no spec\.list\[\*\]\.path, so the data cannot .*CRD_CONVERSION_UNMATCHED/,
    );
    expect(() => define(z.array(small), z.array(large))).toThrow(
      /versions\.v1alpha1\.spec\.list: is a list without keys, and v1 has no .*CRD_CONVERSION_UNMATCHED/,
    );
    expect(() => define(z.record(z.string(), z.array(large)), z.record(z.string(), z.array(small)))).toThrow(
      'spec.list[*]: is a list without keys',
    );
    const keyed = [listMap('host'), matchedBy('host')];
    for (const metadata of keyed) expect(() => define(z.array(large).meta(metadata), z.array(small))).not.toThrow();
    expect(() => define(z.array(large), z.array(large))).not.toThrow();
    // A field that was renamed, for all anybody can tell.
    expect(() => define(z.array(large), z.array(z.object({ host: z.string(), prefix: z.string() })))).not.toThrow();
  });

  test('CRD-V13: matchedBy names plain fields of items, which every version has', () => {
    const define = (x: z.ZodType): unknown =>
      customResource({ ...base, spec: z.object({ x }), versions: { v1alpha1: {} } });
    const item = z.object({
      host: z.string(),
      tls: z.object({}).optional(),
      path: z.string().meta(added('v1', { fill: '' })),
    });
    expect(() => define(z.array(item).meta(matchedBy('nope')))).toThrow(
      /names "nope", which is not a field.*CRD_LIST_KEYS/,
    );
    expect(() => define(z.array(item).meta(matchedBy('tls')))).toThrow('names "tls", which is not a plain value');
    expect(() => define(z.array(item).meta(matchedBy('path')))).toThrow(
      'by "path", which items of v1alpha1 do not have',
    );
    expect(() => define(item.meta(matchedBy('host')))).toThrow('has matchedBy(), but is not a list');
    expect(() => define(z.array(item).meta(matchedBy('host')))).not.toThrow();
  });

  test("CRD-V13: an item that was edited keeps what is hidden, and of look-alikes none gets what was the other one's", () => {
    const item = z.object({ host: z.string(), weight: z.int(), path: z.string().optional().meta(added('v1')) });
    const kind: Convertible = customResource({
      ...base,
      spec: z.object({ list: z.array(item).meta(matchedBy('host')) }),
      versions: { v1alpha1: {} },
    });
    const change = (list: object[], changed: object[]): unknown => {
      const down = kind.convert(object('v1', { list }), 'v1alpha1');
      return specOf(kind.convert({ ...down, spec: { list: changed } } as KubeObject, 'v1'));
    };
    const [a, b] = [
      { host: 'a', weight: 1, path: '/1' },
      { host: 'b', weight: 1, path: '/2' },
    ];
    expect(
      change(
        [a, b],
        [
          { host: 'b', weight: 2 },
          { host: 'a', weight: 3 },
        ],
      ),
    ).toEqual({
      list: [
        { ...b, weight: 2 },
        { ...a, weight: 3 },
      ],
    });
    const twins = [
      { ...a, path: '/1' },
      { ...a, path: '/2' },
    ];
    expect(change(twins, [{ host: 'a', weight: 1 }])).toEqual({ list: [{ host: 'a', weight: 1 }] });
  });

  test('does not come back where its place is gone', () => {
    const spec = edited((draft) => delete draft['ports']);
    expect(spec).not.toHaveProperty('ports');
    expect(spec).toHaveProperty('tier', 'batch');
  });

  test('what was changed by hand counts, not what was kept', () => {
    const sizes = customResource({
      ...base,
      spec: z.object({ size: z.enum(['s', 'm', 'l']) }),
      versions: { v1alpha1: { spec: z.object({ large: z.boolean() }) } },
    }).converts({
      v1alpha1: {
        up: ({ large }) => ({ size: large ? 'l' : 's' }),
        down: ({ size }) => ({ large: size !== 's' }),
      },
    });
    const down = sizes.convert(object('v1', { size: 'm' }), 'v1alpha1');
    expect(specOf(down)).toEqual({ large: true });
    expect(specOf(sizes.convert(down, 'v1'))).toEqual({ size: 'm' });
    const changedMeanwhile: Loose = { ...down, spec: { large: false } };
    expect(sizes.convert(changedMeanwhile, 'v1')).toEqual(object('v1', { size: 's' }));
  });

  test('is kept for the older version as well, where the newest cannot hold something', () => {
    const legacy = customResource({
      ...base,
      spec: z.object({ a: z.string() }),
      versions: { v1alpha1: { spec: z.object({ a: z.string(), b: z.string() }) } },
    }).converts({ v1alpha1: { up: ({ a }) => ({ a }), down: ({ a }) => ({ a, b: '' }) } });
    const old = object('v1alpha1', { a: '1', b: '2' });
    const up = legacy.convert(old, 'v1');
    expect(specOf(up)).toEqual({ a: '1' });
    expect(legacy.convert(up, 'v1alpha1')).toEqual(old);
  });

  test('outlives a change of the conversions, as long as nobody changed the object', () => {
    const release = (fallback: 'web' | 'job'): { convert(object: KubeObject, version: string): KubeObject } =>
      customResource({
        ...base,
        spec: z.object({ a: z.string(), tier: z.enum(['web', 'job', 'batch']) }),
        versions: { v1alpha1: { spec: z.object({ a: z.string() }) } },
      }).converts({ v1alpha1: { up: ({ a }) => ({ a, tier: fallback }), down: ({ a }) => ({ a }) } });
    const batch = object('v1', { a: '1', tier: 'batch' });
    const stored = release('web').convert(batch, 'v1alpha1');
    expect(release('job').convert(stored, 'v1')).toEqual(batch);
    expect(specOf(release('job').convert({ ...stored, spec: { a: '2' } } as KubeObject, 'v1'))).toEqual({
      a: '2',
      tier: 'job',
    });
  });

  test('outlives another value to fill with, also if the object was changed', () => {
    const release = (fill: string): { convert(object: KubeObject, version: string): KubeObject } =>
      customResource({
        ...base,
        spec: z.object({ a: z.string(), tier: z.string().meta(added('v1', { fill })) }),
        versions: { v1alpha1: {} },
      });
    const stored = release('web').convert(object('v1', { a: '1', tier: 'batch' }), 'v1alpha1');
    expect(release('job').convert({ ...stored, spec: { a: '2' } } as KubeObject, 'v1')).toEqual(
      object('v1', { a: '2', tier: 'batch' }),
    );
  });

  test('outlives a new version: what was kept for the newest of then is held by the newest of now', () => {
    const tier = z.string().meta(added('v1', { fill: 'web' }));
    const before = customResource({ ...base, spec: z.object({ a: z.string(), tier }), versions: { v1alpha1: {} } });
    const after = customResource({
      ...base,
      version: 'v2',
      spec: z.object({
        a: z.string(),
        class: tier.meta(renamed('v2', 'tier')),
        b: z.string().optional().meta(added('v2')),
      }),
      versions: { v1alpha1: {}, v1: {} },
    });
    const stored = before.convert(object('v1', { a: '1', tier: 'batch' }), 'v1alpha1');
    expect(after.convert(stored, 'v2')).toEqual(object('v2', { a: '1', class: 'batch' }));
    expect(after.convert(stored, 'v1')).toEqual(object('v1', { a: '1', tier: 'batch' }));
  });

  test('may be larger than all annotations together, and is not lost', () => {
    const spec = { image: 'a', tier: 'web', hint: 'x'.repeat(300_000) };
    const large = { ...newest, spec };
    expect(acted.convert(acted.convert(large, 'v1alpha1'), 'v1')).toEqual(large);
  });

  test.each([
    'no json',
    '[]',
    '7',
    '{"v1":7}',
    '{"v1":{"of":1,"delta":{"fields":{"image":7}}}}',
    '{"v1":{"delta":{"is":4,"was":{"image":"a"}}}}',
    '{"v1":{"delta":{"fields":{"ports":{"byKey":[null,{}]},"hosts":{"byValue":[null,[]]}}}}}',
    '{"v1":{"delta":{"fields":{"image":{"hidden":true,"is":{"a":1}},"ports":{"was":[{"name":"p"}],"is":[7]}}}}}',
    '{"v1":{"delta":{"fields":{"hosts":{"byValue":[[0,{"host":"h"},{"host":1}]]}}}}}',
  ])('tampered data breaks nothing: %s', (text) => {
    const tampered = object('v1alpha1', { image: 'a', ports: [{ id: 'p' }], hosts: [{ host: 'h' }] }, text);
    const up = acted.convert(tampered, 'v1');
    expect(specOf(up)).toMatchObject({ image: 'a', ports: [{ name: 'p' }], hosts: [{ host: 'h' }] });
    expect(up).not.toHaveProperty('status');
  });

  test('tampered data exhausts no stack', () => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    for (const text of [`{"v1":{"delta":{"fields":{"hint":{"is":${deep}}}}}}`, `{"v9":${deep}}`]) {
      const tampered = object('v1alpha1', { image: 'a' }, text);
      expect(acted.convert(tampered, 'v1')).toEqual(object('v1', { image: 'a', tier: 'web', hint: 'none' }));
    }
  });

  test('what is nested too deep to be read back is refused, not lost', () => {
    const any = customResource({
      ...base,
      spec: z.object({ image: z.string(), any: z.any().optional().meta(added('v1')) }),
      versions: { v1alpha1: {} },
    });
    const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    const kept = object('v1', { image: 'a', any: nested(900) });
    expect(any.convert(any.convert(kept, 'v1alpha1'), 'v1')).toEqual(kept);
    expect(() => any.convert(object('v1', { image: 'a', any: nested(1100) }), 'v1alpha1')).toThrow(/deeper than 1000/);
  });

  test('annotations that are null are none', () => {
    const bare = { ...object('v1alpha1', { image: 'a' }), metadata: { name: 'x', annotations: null } };
    expect(specOf(acted.convert(bare as unknown as KubeObject, 'v1'))).toMatchObject({ image: 'a', tier: 'web' });
  });

  test('tampered data reaches no prototype', () => {
    const text = '{"v1":{"delta":{"fields":{"__proto__":{"hidden":true,"is":{"polluted":true}}}}}}';
    const up = specOf(acted.convert(object('v1alpha1', { image: 'a' }, text), 'v1'));
    expect(Object.getPrototypeOf(up)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });
});
