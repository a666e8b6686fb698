import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { KubeObject } from '../api/index.ts';
import { added, type Convertible, convertReview, type ConvertReviewOptions, customResource } from './index.ts';

/** Defined again in each test: what was told is remembered per kind. */
function shop(): Convertible {
  return customResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Shop',
    spec: z.object({
      image: z.string(),
      tier: z.enum(['web', 'batch']).meta(added('v1', { fill: 'web' })),
      limit: z.int().max(5).optional().meta(added('v1')),
    }),
    versions: { v1alpha1: {} },
  });
}

const failing = (): Convertible => ({
  ...shop(),
  storageVersion: 'v1alpha1',
  names: shop().names,
  convert: () => {
    throw new Error('closed');
  },
});

interface Forged {
  readonly name?: string;
  readonly uid?: string;
  readonly tier?: string;
}

/** An object of the older version whose hidden data names a tier and a limit. */
function object({ name = 'x', uid = name, tier = 'gold' }: Forged = {}): KubeObject {
  const fields = { tier: { hidden: true, is: tier }, limit: { hidden: true, is: 6 } };
  const conversionData = JSON.stringify({ v1: { in: 'v1alpha1', of: 'x', delta: { fields } } });
  const metadata = { name, namespace: 'a', uid };
  const made = { apiVersion: 'example.com/v1alpha1', kind: 'Shop', metadata, spec: { image: 'i' } };
  return { ...made, status: { conversionData } } as KubeObject;
}

function read(kind: Convertible, objects: readonly KubeObject[], options?: ConvertReviewOptions): unknown {
  const request = { uid: 'u', desiredAPIVersion: 'example.com/v1', objects };
  return convertReview([kind], { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request }, options)
    .response?.result;
}

const warnings: string[] = [];
beforeEach(() => {
  warnings.length = 0;
  vi.spyOn(process, 'emitWarning').mockImplementation((warning) => void warnings.push(String(warning)));
});
afterEach(() => vi.restoreAllMocks());

describe('CRD-V14: a person sees what an object loses in a conversion, once', () => {
  test('hidden data that does not come back is one warning of the process, with its parts and the cure', () => {
    read(shop(), [object()]);
    expect(warnings).toEqual([
      'Shop.example.com "a/x": hidden data cannot be restored in v1: spec.tier must be one of "web", "batch"; spec.limit must be at most 5. Was status.conversionData written by hand, or the schema of v1 tightened? Set the fields again in v1.',
    ]);
  });

  test('once per object, however often it is read; again when something else is lost', () => {
    const kind = shop();
    for (let i = 0; i < 3; i += 1) read(kind, [object(), object({ name: 'y' })]);
    expect(warnings.map((text) => text.slice(0, 22))).toEqual(['Shop.example.com "a/x"', 'Shop.example.com "a/y"']);
    read(kind, [object({ tier: 'web' })]);
    expect(warnings).toHaveLength(3);
    expect(warnings[2]).not.toContain('tier');
    // Another object of the same name is another object.
    read(kind, [object({ uid: 'later' })]);
    expect(warnings).toHaveLength(4);
  });

  test('what is remembered for that is bounded', () => {
    const kind = shop();
    read(
      kind,
      Array.from({ length: 10_001 }, (_, i) => object({ name: `x${i}` })),
    );
    read(kind, [object({ name: 'x10000' })]);
    expect(warnings).toHaveLength(10_001);
    read(kind, [object({ name: 'x0' })]);
    expect(warnings).toHaveLength(10_002);
  });

  test('a logger takes the lines instead, and one that throws changes nothing but its own line', () => {
    const lines: string[] = [];
    expect(read(shop(), [object()], { logger: { warn: (line) => void lines.push(line) } })).toEqual({
      status: 'Success',
    });
    expect([lines.length, warnings.length]).toEqual([1, 0]);
    const broken = (): never => {
      throw new Error('full disk');
    };
    expect(read(shop(), [object(), object({ name: 'y' })], { logger: { warn: broken } })).toEqual({
      status: 'Success',
    });
    expect(warnings).toEqual(Array<string>(2).fill('a listener of conversions threw: full disk'));
  });

  test('a listener gets every part at every read, and nothing is logged', () => {
    const [kind, parts] = [shop(), [] as string[]];
    for (let i = 0; i < 2; i += 1) read(kind, [object()], { report: ({ path }) => parts.push(path) });
    expect(parts).toEqual(['spec.tier', 'spec.limit', 'spec.tier', 'spec.limit']);
    expect(warnings).toEqual([]);
    const broken = (): never => {
      throw new Error('oops');
    };
    const answered = { status: 'Success' };
    expect(read(kind, [object()], { report: broken })).toEqual(answered);
    expect(read(failing(), [object()], { unconverted: broken })).toEqual(answered);
  });

  test('an object that is served without its spec is reported once, too', () => {
    const kind = failing();
    for (let i = 0; i < 3; i += 1) read(kind, [object()]);
    expect(warnings).toEqual(['Shop.example.com "a/x": cannot be converted, and is served without its spec: closed']);
  });
});
