// Who owns which field after a write that is not an apply; the laws of apply itself are in the room apply.
import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import {
  configMap,
  RegistryUnderTest,
  type Stored,
  thing,
  things,
  withThings,
} from './registry-under-test.test-support.ts';

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: JsonObject;
}

const entriesOf = ({ metadata }: Stored): Entry[] => (metadata['managedFields'] ?? []) as unknown as Entry[];
const owners = (object: Stored): string[] =>
  entriesOf(object).map(({ manager, operation, subresource = '' }) => `${manager} ${operation} ${subresource}`.trim());

describe('API-S1: who writes is on record', () => {
  test('by the manager that is named, else by the program', async () => {
    const api = new RegistryUnderTest();
    await api.create('configmaps', configMap('a', { data: { k: '1' } }));
    await api.clock.advance(1000);
    const after = await api.patch('configmaps', 'a', { body: { data: { m: '2' } }, query: 'fieldManager=other' });
    expect(owners(after)).toEqual(['tester Update', 'other Update']);
    expect(entriesOf(after).map(({ fieldsV1 }) => fieldsV1['f:data'])).toEqual([{ '.': {}, 'f:k': {} }, { 'f:m': {} }]);
  });

  test('of what it changed alone: a field that another writes anew changes hands', async () => {
    const api = new RegistryUnderTest();
    await api.create('configmaps', configMap('a', { data: { k: '1', l: '1' } }));
    await api.clock.advance(1000);
    const after = await api.patch('configmaps', 'a', { body: { data: { k: '2' } }, query: 'fieldManager=other' });
    expect(
      entriesOf(after).map(({ manager, fieldsV1 }) => [manager, Object.keys(fieldsV1['f:data'] as JsonObject)]),
    ).toEqual([
      ['tester', ['.', 'f:l']],
      ['other', ['f:k']],
    ]);
  });

  test('apart for each subresource', async () => {
    const api = await withThings();
    await api.create('things', thing('a', { spec: { note: 'n' } }), things);
    const after = await api.patch('things', 'a', {
      body: { status: { ready: true } },
      subresource: 'status',
      ...things,
    });
    expect(owners(after)).toEqual(['tester Update', 'tester Update status']);
    expect(entriesOf(after)[1]?.fieldsV1).toEqual({ 'f:status': { '.': {}, 'f:ready': {} } });
  });

  test('defaults are of whoever created the object', async () => {
    const api = await withThings();
    const created = await api.create('things', thing('a', { spec: {} }), things);
    expect(entriesOf(created)[0]?.fieldsV1).toMatchObject({ 'f:spec': { 'f:size': {} } });
  });
});

test('API-S9: an empty entry clears all, and what was left out is kept', async () => {
  const api = new RegistryUnderTest();
  const before = await api.create('configmaps', configMap('a', { data: { k: '1' } }));
  const { managedFields: _, ...metadata } = before.metadata;
  const kept = await api.update('configmaps', { ...before, metadata, data: { k: '1' } });
  expect(entriesOf(kept)).toEqual(entriesOf(before));
  const body = { metadata: { managedFields: [{}] } };
  expect(entriesOf(await api.patch('configmaps', 'a', { body }))).toEqual([]);
});

test('API-S1: an apply brings its ownership along, also where it creates', async () => {
  const api = new RegistryUnderTest();
  const asking = { patchType: 'apply', query: 'fieldManager=applier' } as const;
  const created = await api.patch('configmaps', 'a', { body: configMap('a', { data: { k: '1' } }), ...asking });
  expect(owners(created)).toEqual(['applier Apply']);
  const after = await api.patch('configmaps', 'a', { body: { data: { m: '1' } } });
  expect(owners(after)).toEqual(['applier Apply', 'tester Update']);
});
