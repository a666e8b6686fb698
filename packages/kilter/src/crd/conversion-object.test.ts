import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { KubeObject } from '../api/index.ts';
import { acted, base, type Loose, object, specOf } from './conversion.test-support.ts';
import { type Convertible, customResource } from './index.ts';

describe('CRD-V7, CRD-V8: what a conversion touches and takes', () => {
  test('apiVersion, spec and its own field of the status, nothing else; it fills no defaults and changes nothing it is given', () => {
    const old: Loose = {
      ...object('v1alpha1', { image: 'a' }),
      metadata: {
        name: 'x',
        namespace: 'a',
        uid: 'u',
        resourceVersion: '7',
        labels: { l: '1' },
        finalizers: ['f'],
        managedFields: [],
      },
      status: { ready: true, count: 3 },
    };
    const before = structuredClone(old);
    const up = acted.convert(old, 'v1');
    expect(up).toEqual({
      ...old,
      apiVersion: 'example.com/v1',
      spec: { image: 'a', tier: 'web', hint: 'none' },
    });
    expect(specOf(up)).not.toHaveProperty('replicas');
    expect(old).toEqual(before);
  });

  test('objects without a spec, with an empty one, with parts of it, and with what no schema knows', () => {
    expect(acted.convert(object('v1'), 'v1alpha1')).toEqual(object('v1alpha1'));
    expect(acted.convert(object('v1', null), 'v1alpha1')).toEqual(object('v1alpha1', null));
    expect(specOf(acted.convert(object('v1', {}), 'v1alpha1'))).toEqual({});
    expect(acted.convert(acted.convert(object('v1', {}), 'v1alpha1'), 'v1')).toEqual(object('v1', {}));
    const odd = object('v1', { tier: 'web', hint: 'none', ports: null, zones: 3, new: [1], replicas: { odd: true } });
    const down = acted.convert(odd, 'v1alpha1');
    expect(down).toEqual(object('v1alpha1', { ports: null, zones: 3, new: [1], count: { odd: true } }));
    expect(acted.convert(down, 'v1')).toEqual(odd);
    expect(acted.convert({ apiVersion: 'example.com/v1', kind: 'Shop' } as KubeObject, 'v1beta1')).toEqual({
      apiVersion: 'example.com/v1beta1',
      kind: 'Shop',
    });
  });

  const byHand = (up: (old: { count: string }) => unknown, down: (now: { replicas: number }) => unknown): Convertible =>
    customResource({
      ...base,
      spec: z.object({ replicas: z.int(), deep: z.looseObject({}).optional() }),
      versions: { v1alpha1: { spec: z.object({ count: z.string(), deep: z.looseObject({}).optional() }) } },
    }).converts({ v1alpha1: { up: up as never, down: down as never } }) as unknown as Convertible;
  const counts = byHand(
    (old) => ({ replicas: Number(old.count) }),
    (now) => ({ count: String(now.replicas) }),
  );

  test('by hand as well: unknown fields pass, absent parts make no numbers, the argument is a copy', () => {
    const odd = object('v1alpha1', { count: '3', other: { x: 1 }, deep: { y: 2 } });
    const up = counts.convert(odd, 'v1');
    expect(specOf(up)).toEqual({ replicas: 3, other: { x: 1 } });
    expect(counts.convert(up, 'v1alpha1')).toEqual(odd);
    expect(specOf(counts.convert(object('v1alpha1', {}), 'v1'))).toEqual({});
    const rude = byHand(
      (old) => Object.assign(old, { replicas: 1 }),
      (now) => Object.assign(now, { count: '1' }),
    );
    const given = object('v1alpha1', { count: '3' });
    rude.convert(given, 'v1');
    expect(given).toEqual(object('v1alpha1', { count: '3' }));
  });

  test('by hand, functions see whole specs only: what depends on a missing part is missing too', () => {
    const seen: unknown[] = [];
    const shop = customResource({
      ...base,
      spec: z.object({
        image: z.string(),
        replicas: z.int().min(1),
        mode: z.enum(['on', 'off']),
        net: z.object({ port: z.int().default(1), host: z.string().default('a') }),
        at: z.iso.datetime(),
        list: z.array(z.object({ a: z.string(), b: z.string() })),
      }),
      versions: {
        v1alpha1: {
          spec: z.object({
            image: z.string(),
            count: z.string().regex(/^[0-9]+$/),
            on: z.boolean(),
            address: z.string(),
            at: z.iso.datetime(),
            list: z.array(z.object({ a: z.string(), b: z.string() })),
            made: z.string(),
          }),
        },
      },
    }).converts({
      v1alpha1: {
        up: (old) => {
          seen.push(structuredClone(old));
          const [host = '', port] = old.address.split(':');
          return {
            ...{ image: old.image, replicas: Number(old.count), mode: old.on ? 'on' : 'off' },
            ...{
              net: { host, port: Number(port) },
              at: old.at,
              list: old.list.map(({ a, b }) => ({ a, b: b.trim() })),
            },
          };
        },
        down: (now) => ({
          ...{ image: now.image, count: String(now.replicas), on: now.mode === 'on', made: 'by hand' },
          ...{
            address: `${now.net.host}:${now.net.port}`,
            at: now.at,
            list: now.list.map(({ a, b }) => ({ a, b: b.trim() })),
          },
        }),
      },
    });
    const down = (spec: object): unknown => specOf(shop.convert(object('v1', spec), 'v1alpha1'));
    const up = (spec: object): unknown => specOf(shop.convert(object('v1alpha1', spec), 'v1'));
    expect(down({})).toEqual({ made: 'by hand' });
    expect(down({ image: 'a' })).toEqual({ image: 'a', made: 'by hand' });
    expect(down({ replicas: 3, mode: 'off' })).toEqual({ count: '3', on: false, made: 'by hand' });
    expect(down({ net: { host: 'h' }, list: [] })).toEqual({ list: [], made: 'by hand' });
    expect(down({ net: { port: 7 } })).toEqual({ made: 'by hand' });
    expect(down({ net: { host: 'h', port: 1 } })).toEqual({ address: 'h:1', made: 'by hand' });
    expect(down({ list: [{ a: '1' }, { a: '2', b: '3' }] })).toEqual({
      list: [{ a: '1' }, { a: '2', b: '3' }],
      made: 'by hand',
    });
    expect(up({ count: '3', at: '2020-01-01T00:00:00Z' })).toEqual({
      replicas: 3,
      at: '2020-01-01T00:00:00Z',
      net: {},
    });
    for (const part of [{}, { replicas: 2 }, { net: {} }, { list: [{ b: ' ' }] }]) {
      const whole = object('v1', part);
      expect(shop.convert(shop.convert(whole, 'v1alpha1'), 'v1')).toEqual(whole);
    }
    for (const spec of seen)
      expect(Object.keys(spec as object).toSorted()).toEqual(['address', 'at', 'count', 'image', 'list', 'made', 'on']);
  });

  test('by hand, a function that reads no made-up value gets the part as it is', () => {
    const shop = customResource({
      ...base,
      spec: z.object({ config: z.looseObject({}).optional(), a: z.string().optional() }),
      versions: { v1alpha1: { spec: z.object({ json: z.string().regex(/^\{.*\}$/), a: z.string().optional() }) } },
    }).converts({
      v1alpha1: {
        up: ({ json, a }) => ({
          ...(json !== undefined && { config: JSON.parse(json) as {} }),
          ...(a !== undefined && { a }),
        }),
        down: ({ config, a }) => ({ json: JSON.stringify(config ?? {}), ...(a !== undefined && { a }) }),
      },
    });
    expect(specOf(shop.convert(object('v1alpha1', { a: 'x' }), 'v1'))).toEqual({ a: 'x' });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('no idea');
      },
      'converts.v1alpha1.up threw: no idea',
    ],
    ['waits', () => Promise.reject(new Error('late')), 'converts.v1alpha1.up returned a promise'],
    ['gives nothing', () => undefined, 'converts.v1alpha1.up returned undefined, not a spec'],
    ['gives null', () => null, 'converts.v1alpha1.up returned null, not a spec'],
    ['gives no number', () => ({ replicas: NaN }), 'did not return JSON: spec.replicas is not a finite number'],
    ['gives a date', () => ({ replicas: [new Date(0)] }), 'did not return JSON: spec.replicas[0] is not a plain value'],
  ])('a function that %s is named with its version and the object', (_, up, message) => {
    const shop = byHand(up, (now) => ({ count: String(now.replicas) }));
    const attempt = (): unknown => shop.convert(object('v1alpha1', { count: '3' }), 'v1');
    expect(attempt).toThrow('Shop.example.com "a/x" from v1alpha1 to v1: ');
    expect(attempt).toThrow(message);
    expect(attempt).toThrow('CRD_CONVERSION_FAILED');
  });

  test('versions, groups and kinds that are not its own are refused', () => {
    const refused = 'CRD_VERSIONS_INVALID: convert its own objects between its versions: v1, v1beta1, v1alpha1';
    for (const wrong of [
      object('v9', {}),
      { ...object('v1', {}), kind: 'Other' },
      { ...object('v1', {}), apiVersion: 'other.com/v1' },
    ]) {
      expect(() => acted.convert(wrong, 'v1beta1')).toThrow(refused);
    }
    expect(() => acted.convert(object('v1', {}), 'v9')).toThrow(refused);
    const same = object('v1', {});
    expect(acted.convert(same, 'v1')).toBe(same);
  });
});
