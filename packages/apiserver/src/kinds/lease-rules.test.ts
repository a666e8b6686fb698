import { expect, test } from 'vitest';
import { dropCoordination, leaseIssues } from './lease-rules.ts';

test.each([
  [{}, []],
  [{ leaseDurationSeconds: 1, leaseTransitions: 0 }, []],
  [{ leaseDurationSeconds: 0 }, ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0']],
  [
    { leaseDurationSeconds: -1, leaseTransitions: -1 },
    [
      'spec.leaseDurationSeconds: Invalid value: -1: must be greater than 0',
      'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
])('API-C16: a Lease with %j', (spec, expected) => {
  expect(leaseIssues({ spec }).map(({ field, message }) => `${field}: ${message}`)).toEqual(expected);
});

test('what only coordinated election reads is not kept', () => {
  const lease = { spec: { holderIdentity: 'h', strategy: 's', preferredHolder: 'p' } };
  dropCoordination(lease);
  expect(lease).toEqual({ spec: { holderIdentity: 'h' } });
  const bare = {};
  dropCoordination(bare);
  expect(bare).toEqual({});
});
