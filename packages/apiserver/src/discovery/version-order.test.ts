import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions } from './version-order.ts';

const ordered = [
  'v10',
  'v2',
  'v1',
  'v11beta2',
  'v10beta3',
  'v1beta2',
  'v1beta1',
  'v2alpha1',
  'v1alpha1',
  '2026',
  'foo',
];

test('API-D5: stable before beta before alpha, higher numbers first, other names last', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(ordered, { minLength: ordered.length }), (shuffled) => {
      expect(shuffled.toSorted(compareVersions)).toEqual(ordered);
    }),
  );
});

test('numbers are compared as numbers, and v0 is not a Kubernetes version', () => {
  expect(['v9', 'v10'].toSorted(compareVersions)).toEqual(['v10', 'v9']);
  expect(['v0', 'v1alpha1'].toSorted(compareVersions)).toEqual(['v1alpha1', 'v0']);
});
