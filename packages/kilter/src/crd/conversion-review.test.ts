import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { KubeObject } from '../api/index.ts';
import { added, convertReview, customResource, renamed } from './index.ts';

const Shop = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({
    replicas: z.int().meta(renamed('v1', 'count')),
    tier: z.string().meta(added('v1', { fill: 'web' })),
  }),
  versions: { v1alpha1: {} },
});
const Fair = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Fair',
  spec: z.object({ size: z.string() }),
  versions: { v1alpha1: { spec: z.object({ large: z.boolean() }) } },
}).converts({
  v1alpha1: {
    up: () => {
      throw new Error('closed');
    },
    down: () => ({ large: true }),
  },
});
const kinds = [Shop, Fair];

function object(kind: string, version: string, spec: unknown): KubeObject {
  return { apiVersion: `example.com/${version}`, kind, metadata: { name: 'x', uid: '7' }, spec } as KubeObject;
}

function review(objects: readonly unknown[], desiredAPIVersion = 'example.com/v1'): object {
  const request = { uid: 'u-1', desiredAPIVersion, objects };
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request };
}

describe('CRD-V7: the answer to a conversion review', () => {
  test('all objects in their order, with the UID of the request and nothing of the request itself', () => {
    const asked = review([object('Shop', 'v1alpha1', { count: 1 }), object('Shop', 'v1alpha1', { count: 2 })]);
    expect(convertReview(kinds, asked)).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      response: {
        uid: 'u-1',
        result: { status: 'Success' },
        convertedObjects: [
          object('Shop', 'v1', { replicas: 1, tier: 'web' }),
          object('Shop', 'v1', { replicas: 2, tier: 'web' }),
        ],
      },
    });
  });

  test.each([
    [
      'a single one that cannot be converted',
      [object('Fair', 'v1alpha1', {})],
      'Fair.example.com "x" from v1alpha1 to v1: converts.v1alpha1.up threw: closed',
    ],
    [
      'a kind nobody converts',
      [object('Other', 'v1alpha1', {})],
      'Other of example.com/v1alpha1 cannot become example.com/v1',
    ],
    ['a version nobody declared', [object('Shop', 'v9', {})], 'there is no version v9'],
    ['an object of that version already', [object('Shop', 'v1', {})], 'Shop is already of example.com/v1'],
    ['what is not an object', ['Shop'], 'an object of the review has no apiVersion and kind'],
  ])('none of them, and why, for %s', (_, objects, message) => {
    const { response } = convertReview(kinds, review(objects));
    expect(response).toMatchObject({ uid: 'u-1', result: { status: 'Failure' }, convertedObjects: [] });
    expect(response?.result).toHaveProperty('message', expect.stringContaining(message));
  });

  describe('CRD-V11: one object that cannot be converted', () => {
    const mark = 'example.com/conversion-failed';
    const [good, bad] = [object('Shop', 'v1alpha1', { count: 1 }), object('Fair', 'v1alpha1', { large: true })];

    test('does not fail the others: it is served without a spec, marked with the reason, and told', () => {
      const told: unknown[] = [];
      const { response } = convertReview(kinds, review([bad, good]), {
        unconverted: ({ kind, metadata }) => told.push([kind, metadata.name]),
      });
      expect(response?.result).toEqual({ status: 'Success' });
      const [first, second] = response?.convertedObjects ?? [];
      expect(second).toEqual(object('Shop', 'v1', { replicas: 1, tier: 'web' }));
      expect(first).toEqual({
        apiVersion: 'example.com/v1',
        kind: 'Fair',
        metadata: { name: 'x', uid: '7', annotations: { [mark]: expect.stringContaining('up threw: closed') } },
      });
      expect(told).toEqual([['Fair', 'x']]);
    });

    test('alone as well, if it is read: a server asks for the objects of a list one by one', () => {
      expect(Shop.storageVersion).toBe('v1');
      const down = customResource({
        ...{ group: 'example.com', version: 'v1', kind: 'Fair', spec: z.object({ size: z.string() }) },
        versions: { v1alpha1: { spec: z.object({ large: z.boolean() }), storage: true } },
      }).converts({
        v1alpha1: {
          up: () => {
            throw new Error('closed');
          },
          down: () => {
            throw new Error('closed');
          },
        },
      });
      const read = convertReview([down], review([bad])).response;
      expect(read).toMatchObject({ result: { status: 'Success' }, convertedObjects: [{ kind: 'Fair' }] });
      const written = review([object('Fair', 'v1', { size: 'l' })], 'example.com/v1alpha1');
      expect(convertReview([down], written).response).toMatchObject({ result: { status: 'Failure' } });
    });

    test('is never written back, neither alone nor among others', () => {
      const [served] = convertReview(kinds, review([bad, good])).response?.convertedObjects ?? [];
      const back = review([served], 'example.com/v1alpha1');
      expect(convertReview(kinds, back).response?.result).toHaveProperty(
        'message',
        expect.stringContaining('could not be converted when it was read, so it cannot be written'),
      );
    });
  });

  test('another group is refused', () => {
    const { response } = convertReview(kinds, review([object('Shop', 'v1alpha1', {})], 'other.com/v1'));
    expect(response?.result).toHaveProperty(
      'message',
      expect.stringContaining('this webhook converts Shop.example.com, Fair.example.com, each within its group'),
    );
  });

  test.each([
    [undefined],
    [{}],
    [{ ...review([]), kind: 'AdmissionReview' }],
    [{ ...review([]), request: { uid: 7 } }],
  ])('what is not a review has nobody to answer: %j', (wrong) => {
    expect(() => convertReview(kinds, wrong)).toThrow('CRD_CONVERSION_FAILED');
  });
});
