import { customResource, renamed } from 'kilter/crd';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkServed, servedManifest } from './served-manifest.ts';

class Shop extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ replicas: z.int().meta(renamed('v1', 'count')) }),
  versions: { v1alpha1: {} },
}) {}
const served = (manifest: ReturnType<typeof servedManifest>): string[] =>
  manifest.spec.versions.map(({ name }) => name);

test('where somebody converts, every version is installed', () => {
  const manifest = servedManifest(Shop, { url: 'https://a/convert' });
  expect(served(manifest)).toEqual(['v1', 'v1alpha1']);
  expect(manifest.spec.conversion?.webhook?.clientConfig).toEqual({ url: 'https://a/convert' });
});

test('where nobody does, the one the kind speaks; another is refused with a cure and not waited for', () => {
  const old = servedManifest(Shop.at('v1alpha1'));
  expect(served(old)).toEqual(['v1alpha1']);
  expect(() => checkServed(Shop.at('v1alpha1'), old)).not.toThrow();
  expect(() => checkServed(Shop, old)).toThrow(
    'Shop.example.com is installed with v1alpha1, and v1 differs from it (TESTING_VERSION_NOT_SERVED',
  );
});
