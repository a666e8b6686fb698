import type { JsonObject } from 'kilter/api';
import { expect, test } from 'vitest';
import { establishedStatus, namedStatus, withCondition } from './crd-status.ts';

const ready = { type: 'Ready', status: 'True', reason: 'R', message: 'M' } as const;

test('the time of a condition changes with its status alone', () => {
  const first = withCondition([], ready, 't1');
  expect(first).toEqual([{ ...ready, lastTransitionTime: 't1' }]);
  const reworded = withCondition(first, { ...ready, message: 'N' }, 't2');
  expect(reworded).toEqual([{ ...ready, message: 'N', lastTransitionTime: 't1' }]);
  expect(withCondition(reworded, { ...ready, status: 'False' }, 't3')).toEqual([
    { ...ready, status: 'False', lastTransitionTime: 't3' },
  ]);
});

test('once established, always established: a later clash only keeps the new names out', () => {
  const names = { plural: 'as', kind: 'A', listKind: 'AList', singular: 'a' };
  const definition: JsonObject = { spec: { names, versions: [{ name: 'v1', storage: true }] } };
  const free = { resources: new Set<string>(), kinds: new Set<string>() };
  const named = namedStatus(definition, free, 't1');
  const status = establishedStatus({ ...definition, status: named }, 't1') ?? {};
  const renamed = { spec: { ...(definition['spec'] as JsonObject), names: { ...names, shortNames: ['x'] } }, status };
  const later = namedStatus(renamed, { ...free, resources: new Set(['x']) }, 't2');
  expect(later).toMatchObject({
    conditions: [
      {
        type: 'NamesAccepted',
        status: 'False',
        reason: 'ShortNamesConflict',
        message: '"x" is already in use',
        lastTransitionTime: 't2',
      },
      { type: 'Established', status: 'True', lastTransitionTime: 't1' },
    ],
    acceptedNames: names,
  });
});
