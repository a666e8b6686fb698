import type { Json, JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { type TrackedUpdate, trackUpdate } from './track-update.ts';

const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    metadata: {
      type: 'object',
      properties: {
        name: text,
        namespace: text,
        uid: text,
        resourceVersion: text,
        creationTimestamp: { type: 'string', format: 'date-time' },
        selfLink: text,
        generation: { type: 'integer' },
        generateName: text,
        labels: { type: 'object', additionalProperties: text },
      },
    },
    data: { type: 'object', additionalProperties: text },
    hosts: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
  },
};
const now = '2030-01-01T00:00:00Z';
const write = { schema, manager: 'u', apiVersion: 'v1', now };
const object = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', ...metadata },
  data,
});
const managedFields = (result: JsonObject): Json | undefined => (result['metadata'] as JsonObject)['managedFields'];
const fieldsOf = (result: JsonObject): Json[] =>
  ((managedFields(result) ?? []) as JsonObject[]).map((entry) => entry['fieldsV1'] ?? null);
const entry = (manager: string, fieldsV1: JsonObject): JsonObject => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time: '2029-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1,
});

describe('API-S3: the entry of a create', () => {
  test('has its fields in the order of the server, and owns the maps it made', () => {
    const created = trackUpdate({ ...write, subresource: 'status', updated: object({ a: '1' }) });
    expect(JSON.stringify(managedFields(created))).toBe(
      '[{"manager":"u","operation":"Update","apiVersion":"v1","time":"2030-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:a":{}}},"subresource":"status"}]',
    );
  });

  test('never tracks what identifies an object or what the server keeps', () => {
    const metadata = {
      namespace: 'default',
      uid: 'u-1',
      resourceVersion: '7',
      creationTimestamp: now,
      selfLink: '/c',
      generation: 3,
      generateName: 'c-',
      labels: { l: '1' },
    };
    const created = trackUpdate({ ...write, updated: object({}, metadata) });
    expect(fieldsOf(created)).toEqual([
      { 'f:metadata': { 'f:generateName': {}, 'f:labels': { '.': {}, 'f:l': {} } }, 'f:data': {} },
    ]);
  });

  test('is not there when nothing of the object is tracked', () => {
    const created = trackUpdate({
      ...write,
      updated: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } },
    });
    expect(created).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } });
  });

  test('names a writer without name `unknown`', () => {
    const created = trackUpdate({ ...write, manager: '', updated: object({ a: '1' }) });
    expect((managedFields(created) as JsonObject[])[0]?.['manager']).toBe('unknown');
  });
});

describe('API-S3: entries', () => {
  test('of one manager are told apart by version and subresource, and sorted by operation, time and name', () => {
    let live = trackUpdate({ ...write, updated: object({ a: '1' }) });
    const step = (data: JsonObject, more: Partial<TrackedUpdate>): void => {
      live = trackUpdate({ ...write, live, updated: object(data), ...more });
    };
    step({ a: '1', b: '2' }, { apiVersion: 'v2', now: '2030-01-01T00:00:02Z' });
    step({ a: '1', b: '2', c: '3' }, { subresource: 'status', now: '2030-01-01T00:00:01Z' });
    step({ a: '1', b: '2', c: '3', d: '4' }, { manager: 'a', now: '2030-01-01T00:00:02Z' });
    step({ a: '1', b: '2', c: '3', d: '4', e: '5' }, { now: '2030-01-01T00:00:03Z' });
    const seen = (managedFields(live) as JsonObject[]).map(({ manager, apiVersion, subresource, fieldsV1 }) => [
      manager,
      apiVersion,
      subresource,
      fieldsV1,
    ]);
    expect(seen).toEqual([
      ['u', 'v1', 'status', { 'f:data': { 'f:c': {} } }],
      ['a', 'v1', undefined, { 'f:data': { 'f:d': {} } }],
      ['u', 'v2', undefined, { 'f:data': { 'f:b': {} } }],
      ['u', 'v1', undefined, { 'f:data': { '.': {}, 'f:a': {}, 'f:e': {} } }],
    ]);
  });
});

describe('API-S4: an update', () => {
  const live = object(
    { a: '1', b: '2' },
    { managedFields: [entry('x', { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } })] },
  );

  test('takes what it changes from its owner, silently', () => {
    const updated = trackUpdate({ ...write, live, updated: object({ a: '9', b: '2', c: '3' }) });
    expect(managedFields(updated)).toEqual([
      entry('x', { 'f:data': { '.': {}, 'f:b': {} } }),
      { ...entry('u', { 'f:data': { 'f:a': {}, 'f:c': {} } }), time: now },
    ]);
  });

  test('that changes nothing leaves every entry and its time as they are', () => {
    expect(trackUpdate({ ...write, live, updated: object({ b: '2', a: '1' }) })).toEqual(live);
  });

  test('of its own fields by their owner moves the time', () => {
    const updated = trackUpdate({ ...write, live, manager: 'x', updated: object({ a: '9', b: '2' }) });
    expect(managedFields(updated)).toEqual([
      { ...entry('x', { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } }), time: now },
    ]);
  });

  test('that removes a whole map leaves no entry behind', () => {
    const updated = trackUpdate({
      ...write,
      live,
      updated: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } },
    });
    expect(managedFields(updated)).toBeUndefined();
  });

  test('of an object that does not fit its schema ends tracking: validation will say what is wrong', () => {
    const updated = { ...object({ a: '1' }), nope: true };
    expect(trackUpdate({ ...write, live, updated })).toEqual(updated);
  });
});

describe('API-S8: fields an endpoint resets', () => {
  test('are neither owned nor lost by a write through it', () => {
    const live = object({ a: '1' }, { managedFields: [entry('x', { 'f:data': { '.': {}, 'f:a': {} } })] });
    const updated = trackUpdate({
      ...write,
      live,
      updated: object({ b: '2' }, { labels: { l: '1' }, generateName: 'c-' }),
      resetFields: ['data', 'metadata.labels'],
    });
    expect(fieldsOf(updated)).toEqual([
      { 'f:data': { '.': {}, 'f:a': {} } },
      { 'f:metadata': { 'f:generateName': {} } },
    ]);
  });
});

describe('API-S9: managedFields in a PUT', () => {
  const mine = [entry('x', { 'f:data': { '.': {}, 'f:a': {} } })];
  const live = object({ a: '1' }, { managedFields: mine });
  const put = (metadata: JsonObject, more: Partial<TrackedUpdate> = {}): Json | undefined =>
    managedFields(trackUpdate({ ...write, live, updated: object({ a: '1' }, metadata), ...more }));

  test.each<[string, JsonObject, Json | undefined]>([
    ['left out: kept', {}, mine],
    ['null: kept', { managedFields: null }, mine],
    ['an empty list: kept, a custom resource has none', { managedFields: [] }, mine],
    ['one empty entry: cleared', { managedFields: [{}] }, undefined],
    [
      'rewritten: taken',
      { managedFields: [entry('y', { 'f:data': { 'f:a': {} } })] },
      [entry('y', { 'f:data': { 'f:a': {} } })],
    ],
    ['an entry without operation: kept', { managedFields: [...mine, { manager: 'y' }] }, mine],
    ['an unknown operation: kept', { managedFields: [{ ...entry('y', {}), operation: 'Nope' }] }, mine],
    ['no apiVersion: kept', { managedFields: [{ ...entry('y', {}), apiVersion: '' }] }, mine],
    ['another fieldsType: kept', { managedFields: [{ ...entry('y', {}), fieldsType: 'FieldsV2' }] }, mine],
    ['malformed fields: kept', { managedFields: [entry('y', { 'f:data': { xx: {} } })] }, mine],
  ])('%s', (_, metadata, expected) => {
    expect(put(metadata)).toEqual(expected);
  });

  test('are not to be changed through a subresource', () => {
    expect(put({ managedFields: [] }, { subresource: 'status' })).toEqual(mine);
  });

  test('once cleared, an object is not tracked by further updates', () => {
    const cleared = object({ a: '1' });
    expect(managedFields(trackUpdate({ ...write, live: cleared, updated: object({ a: '2' }) }))).toBeUndefined();
  });

  test('of a create are not a claim on what the create itself writes', () => {
    const claimed = [entry('y', { 'f:data': { 'f:a': {} } })];
    expect(put({ managedFields: claimed }, { live: undefined })).toEqual([
      { ...entry('u', { 'f:data': { '.': {}, 'f:a': {} } }), time: now },
    ]);
  });
});
