import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject, KubeObject } from '../api/index.ts';
import { added, changed, convertReview, type Convertible, customResource, deprecated, renamed } from './index.ts';

const base = { group: 'example.com', version: 'v1', kind: 'Shop' } as const;

class Shop extends customResource({
  ...base,
  spec: z.object({
    image: z.string(),
    replicas: z.int().default(1).meta(renamed('v1', 'count')),
    timeout: z.int().meta(changed('v1beta1')),
  }),
  status: z.object({ ready: z.boolean().optional() }),
  versions: {
    v1alpha1: { spec: z.object({ image: z.string(), seconds: z.string().default('1') }), deprecated: 'use v1' },
    v1beta1: { deprecated: true },
  },
}).converts({
  v1alpha1: {
    up: (old, generated) => {
      expectTypeOf(old).toEqualTypeOf<{ image: string; seconds: string }>();
      expectTypeOf(generated).toEqualTypeOf<{ image: string; replicas?: number | undefined; timeout: number }>();
      return { image: old.image, timeout: Number(old.seconds) };
    },
    down: (now, generated) => {
      expectTypeOf(now).toEqualTypeOf<{ image: string; replicas: number; timeout: number }>();
      expectTypeOf(generated).toEqualTypeOf<{ image: string; seconds?: string | undefined }>();
      return { image: now.image, seconds: String(now.timeout) };
    },
  },
}) {}

describe('versions without a schema of their own', () => {
  test('are known by name, and their specs are any JSON', () => {
    const kind = Shop.at('v1beta1');
    type Old = typeof kind.prototype;
    expectTypeOf<Old['spec']>().toEqualTypeOf<JsonObject>();
    expectTypeOf<Old['apiVersion']>().toEqualTypeOf<'example.com/v1beta1'>();
    expectTypeOf<NonNullable<Old['status']>['ready']>().toEqualTypeOf<boolean | undefined>();
    kind.build({ name: 'x', spec: { image: 'a', count: 3 } });
    kind.fields({ name: 'x', spec: { count: 3 } });
    // @ts-expect-error a date is not JSON
    kind.build({ name: 'x', spec: { image: new Date() } });
    // @ts-expect-error no such version
    Shop.at('v2');
  });

  test('beside versions with one, which keep their types', () => {
    const kind = Shop.at('v1alpha1');
    expectTypeOf<(typeof kind.prototype)['spec']>().toEqualTypeOf<{ image: string; seconds: string }>();
    // @ts-expect-error image is missing
    kind.build({ name: 'x', spec: {} });
    expectTypeOf<Shop['spec']>().toEqualTypeOf<{ image: string; replicas: number; timeout: number }>();
  });

  test('are converted by functions over JSON', () => {
    const shop = customResource({ ...base, spec: z.object({ a: z.int() }), versions: { v1beta1: {} } });
    shop.converts({
      v1beta1: {
        up: (old, generated) => {
          expectTypeOf(old).toEqualTypeOf<JsonObject>();
          return { ...generated, a: Number(old['a']) };
        },
        down: (now, generated) => ({ ...generated, a: String(now.a) }),
      },
    });
    // @ts-expect-error a is a number
    shop.converts({ v1beta1: { up: () => ({ a: 'x' }), down: () => ({}) } });
    // @ts-expect-error no such version
    shop.converts({ v7: { up: () => ({ a: 1 }), down: () => ({}) } });
    // @ts-expect-error a conversion does not wait
    shop.converts({ v1beta1: { up: async () => ({ a: 1 }), down: () => ({}) } });
  });
});

describe('field actions and reviews', () => {
  test('take what they need', () => {
    added('v1');
    added('v1', { fill: { a: [1, null] } });
    // @ts-expect-error a function is not JSON
    added('v1', { fill: () => 1 });
    // @ts-expect-error the older name is missing
    renamed('v1');
    // @ts-expect-error the note is missing
    deprecated('v1');
  });

  test('a versioned resource can be converted, another cannot', () => {
    expectTypeOf(Shop).toExtend<Convertible>();
    const object = { apiVersion: 'example.com/v1', kind: 'Shop', metadata: { name: 'a' }, spec: { anything: 1 } };
    expectTypeOf(Shop.convert(object, 'v1').spec).toEqualTypeOf<Shop['spec']>();
    expectTypeOf(Shop.convert(object, 'v1alpha1').spec).toEqualTypeOf<{ image: string; seconds: string }>();
    expectTypeOf(Shop.convert(object, 'v1beta1').spec).toEqualTypeOf<JsonObject>();
    expectTypeOf(Shop.convert(object, 'v1' as string)).toEqualTypeOf<KubeObject>();
    const single = customResource({ ...base, spec: z.object({}) });
    // @ts-expect-error there is nothing to convert
    void (() => convertReview([single], {}));
    expectTypeOf(convertReview([Shop], {}).response?.uid).toEqualTypeOf<string | undefined>();
  });
});
