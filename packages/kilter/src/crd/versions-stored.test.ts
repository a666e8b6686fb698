import { expect, test } from 'vitest';
import { z } from 'zod';
import { customResource, missingStoredVersions } from './index.ts';

const spec = z.object({ image: z.string() });
const shop = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec,
  versions: { v1beta1: { spec, served: false } },
});

test('CRD-V10: versions in which objects are stored stay, served or not', () => {
  expect(missingStoredVersions(['v1', 'v1beta1'], shop.manifest())).toEqual([]);
  expect(missingStoredVersions([], shop.manifest())).toEqual([]);
});

test('CRD-V10: a stored version that is gone is named with the migration that is missing', () => {
  const problems = missingStoredVersions(['v1alpha1', 'v1', 'v1alpha1'], shop.manifest());
  expect(problems).toEqual([
    {
      code: 'CRD_VERSIONS_INVALID',
      path: 'versions.v1alpha1',
      message: 'was removed, but objects may still be stored as v1alpha1',
      cure: 'keep v1alpha1 with served: false, write every object once so that it is stored as v1, remove v1alpha1 from status.storedVersions, then remove it',
    },
  ]);
});
