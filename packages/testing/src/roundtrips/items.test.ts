import { customResource, listMap, matchedBy } from 'kilter/crd';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { RoundTripError, roundTrips, type VersionedKind } from './index.ts';

const base = { group: 'example.com', version: 'v1', kind: 'WebApp' } as const;

function failureOf(kind: VersionedKind, options: Parameters<typeof roundTrips>[1] = {}): RoundTripError {
  try {
    roundTrips(kind, options);
  } catch (error) {
    if (error instanceof RoundTripError) return error;
    throw error;
  }
  throw new Error('nothing was found');
}

describe('CRD-V13: items of a list that nothing tells apart, converted by hand', () => {
  const route = z.object({ host: z.string(), weight: z.int().min(0).max(9), path: z.string().optional() });
  const older = z.object({ name: z.string(), share: z.int().min(0).max(9) });
  /** Fields of the items have other names in the older version, so that only trying shows what it hides. */
  const routes = (metadata: Record<string, unknown>, before: Record<string, unknown> = {}): VersionedKind =>
    customResource({
      ...base,
      spec: z.object({ routes: z.array(route).meta(metadata) }),
      versions: { v1alpha1: { spec: z.object({ list: z.array(older).meta(before) }) } },
    }).converts({
      v1alpha1: {
        up: ({ list }) => ({ routes: list.map(({ name, share }) => ({ host: name, weight: share })) }),
        down: (now) => ({ list: now.routes.map(({ host, weight }) => ({ name: host, share: weight })) }),
      },
    });

  test('an edited item that loses what is hidden is found', () => {
    const error = failureOf(routes({}));
    expect(error).toMatchObject({ code: 'CRD_CONVERSION_LOSSY', way: ['v1', 'v1alpha1', 'v1'] });
    expect(error.path).toMatch(/^spec\.routes\[\d\]\.path$/);
    expect(error.what).toMatch(
      /and is absent, though nothing but spec\.list\[\d\]\.(name|share) was changed in v1alpha1: listMap\(\) or matchedBy\(\) tells such items apart$/,
    );
    expect(failureOf(routes({}), { replay: error.replay }).what).toBe(error.what);
  });

  test('one of two look-alikes that is removed, and takes with it what the other one hid, is found', () => {
    // Nothing that is shown can be edited, so that only a removal can lose anything.
    const kind = customResource({
      ...base,
      spec: z.object({ routes: z.array(z.object({ host: z.literal('a'), path: z.string().optional() })) }),
      versions: { v1alpha1: { spec: z.object({ list: z.array(z.object({ name: z.literal('a') })) }) } },
    }).converts({
      v1alpha1: {
        up: ({ list }) => ({ routes: list.map(({ name }) => ({ host: name })) }),
        down: (now) => ({ list: now.routes.map(({ host }) => ({ name: host })) }),
      },
    });
    expect(failureOf(kind).what).toMatch(/, though nothing but spec\.list\[\d\] was removed in v1alpha1/);
  });

  test('look-alikes that chance would not make are made, and one of them removed', () => {
    // No two of these are ever alike by chance, and no small change of one is another.
    const id = z.string().regex(/^[0-9a-f]{24}$/);
    const kind = customResource({
      ...base,
      spec: z.object({ routes: z.array(z.object({ id, path: z.string().optional() })) }),
      versions: { v1alpha1: { spec: z.object({ list: z.array(z.object({ key: id })) }) } },
    }).converts({
      v1alpha1: {
        up: ({ list }) => ({ routes: list.map(({ key }) => ({ id: key })) }),
        down: (now) => ({ list: now.routes.map((one) => ({ key: one.id })) }),
      },
    });
    expect(failureOf(kind).what).toMatch(/, though nothing but spec\.list\[\d\] was removed in v1alpha1/);
  });

  test('where something tells them apart, nothing is lost', () => {
    expect(() => roundTrips(routes(matchedBy('host')))).not.toThrow();
    expect(() => roundTrips(routes(listMap('host'), listMap('name')))).not.toThrow();
  });

  test('lists of plain values that both versions show lose nothing', () => {
    const spec = z.object({ tags: z.array(z.string()), note: z.string().optional() });
    const kind = customResource({
      ...base,
      spec,
      versions: { v1alpha1: { spec: z.object({ labels: z.array(z.string()) }) } },
    }).converts({
      v1alpha1: { up: ({ labels }) => ({ tags: labels }), down: ({ tags }) => ({ labels: tags }) },
    });
    expect(() => roundTrips(kind)).not.toThrow();
  });
});
