import type { Json, JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { ApplyError } from './apply-error.ts';
import { applyPatch, type ApplyRequest } from './apply-patch.ts';

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
        annotations: { type: 'object', additionalProperties: text },
      },
    },
    data: { type: 'object', additionalProperties: text },
    spec: { type: 'object', properties: { image: text } },
  },
};
const now = '2030-01-01T00:00:00Z';
const object = (fields: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', ...metadata },
  ...fields,
});
const request = (applied: JsonObject, more: Partial<ApplyRequest> = {}): ApplyRequest => ({
  schema,
  manager: 'm1',
  apiVersion: 'v1',
  kind: 'ConfigMap',
  force: false,
  now,
  applied,
  ...more,
});
const entry = (manager: string, fieldsV1: JsonObject, more: JsonObject = {}): JsonObject => ({
  manager,
  operation: 'Apply',
  apiVersion: 'v1',
  time: now,
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});
const managedFields = (result: JsonObject): Json | undefined => (result['metadata'] as JsonObject)['managedFields'];

function errorOf(run: () => unknown): ApplyError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApplyError) return error;
    throw error;
  }
  throw new Error('the apply was accepted');
}

describe('an apply that creates', () => {
  test('API-S3: owns leaves and entries of maps, not the maps, and nothing that is never tracked', () => {
    const applied = object({ data: { a: '1' } }, { namespace: 'default', uid: 'x', annotations: { n: '1' } });
    const { object: created, changed } = applyPatch(request(applied));
    expect(changed).toBe(true);
    expect(created).toEqual({
      ...applied,
      metadata: {
        name: 'c',
        namespace: 'default',
        uid: 'x',
        annotations: { n: '1' },
        managedFields: [entry('m1', { 'f:data': { 'f:a': {} }, 'f:metadata': { 'f:annotations': { 'f:n': {} } } })],
      },
    });
  });

  test('of nothing but a name has no entry', () => {
    expect(applyPatch(request(object({}))).object).toEqual(object({}));
  });
});

describe('API-S7: an apply that changes nothing', () => {
  test('returns the stored object itself', () => {
    const live = applyPatch(request(object({ data: { a: '1' } }))).object;
    const again = applyPatch(request(object({ data: { a: '1' } }), { live, now: '2031-01-01T00:00:00Z' }));
    expect(again).toEqual({ object: live, changed: false });
    expect(again.object).toBe(live);
  });

  test('but shares a field with one manager more is a change, without a time', () => {
    const live = applyPatch(request(object({ data: { a: '1' } }))).object;
    const shared = applyPatch(request(object({ data: { a: '1' } }), { live, manager: 'm2' }));
    expect(shared.changed).toBe(true);
    const { time: _, ...timeless } = entry('m2', { 'f:data': { 'f:a': {} } });
    expect(managedFields(shared.object)).toEqual([timeless, entry('m1', { 'f:data': { 'f:a': {} } })]);
  });
});

describe('an applier', () => {
  test('API-S3: is the same one whatever version it applies', () => {
    const live = applyPatch(request(object({ data: { a: '1' } }))).object;
    const { object: next } = applyPatch(
      request({ ...object({ data: { b: '2' } }), apiVersion: 'v2' }, { live, apiVersion: 'v2' }),
    );
    expect(managedFields(next)).toEqual([entry('m1', { 'f:data': { 'f:b': {} } }, { apiVersion: 'v2' })]);
    expect(next['data']).toEqual({ b: '2' });
  });

  test('API-S8: is another one for a subresource', () => {
    const live = applyPatch(request(object({ data: { a: '1' } }))).object;
    const { object: next } = applyPatch(request(object({ spec: { image: 'i' } }), { live, subresource: 'status' }));
    expect(next['data']).toEqual({ a: '1' });
    expect(managedFields(next)).toEqual([
      entry('m1', { 'f:data': { 'f:a': {} } }),
      entry('m1', { 'f:spec': { 'f:image': {} } }, { subresource: 'status' }),
    ]);
  });
});

describe('refusals', () => {
  test.each<[string, JsonObject, string]>([
    ['another version', { ...object({}), apiVersion: 'v2' }, 'invalid object type: /v2, Kind=ConfigMap'],
    ['another kind', { ...object({}), kind: 'Pod' }, 'invalid object type: /v1, Kind=Pod'],
    ['a group', { ...object({}), apiVersion: 'apps/v1' }, 'invalid object type: apps/v1, Kind=ConfigMap'],
    ['no kind at all', { metadata: { name: 'c' } }, 'invalid object type: /, Kind='],
    ['managedFields', object({}, { managedFields: [] }), 'metadata.managedFields must be nil'],
  ])('%s in the configuration is invalid', (_, applied, message) => {
    const error = errorOf(() => applyPatch(request(applied)));
    expect([error.kind, error.message, error.causes]).toEqual(['invalid', message, []]);
  });

  test('API-S6: a typing error names object and field', () => {
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, spec: { nope: 1 } };
    const error = errorOf(() => applyPatch(request(applied)));
    expect([error.kind, error.message]).toEqual([
      'typing',
      'failed to create typed patch object (/c; /v1, Kind=ConfigMap): .spec.nope: field not declared in schema',
    ]);
    const grouped = { ...applied, apiVersion: 'example.com/v1', metadata: { name: 'c', namespace: 'default' } };
    expect(errorOf(() => applyPatch(request(grouped, { apiVersion: 'example.com/v1' }))).message).toBe(
      'failed to create typed patch object (default/c; example.com/v1, Kind=ConfigMap): .spec.nope: field not declared in schema',
    );
  });

  test('a stored object that no longer fits its schema is named as the live one', () => {
    const error = errorOf(() => applyPatch(request(object({}), { live: object({ data: 5 }) })));
    expect([error.kind, error.message]).toEqual([
      'typing',
      'failed to create typed live object (/c; /v1, Kind=ConfigMap): .data: expected map, got &{5}',
    ]);
  });

  test('stored managedFields nobody can read are invalid', () => {
    const live = object({}, { managedFields: [{ manager: 'x' }] });
    expect(errorOf(() => applyPatch(request(object({}), { live }))).kind).toBe('invalid');
  });

  test('API-S5: conflicts of several managers are listed manager by manager', () => {
    const live = object(
      { data: { a: '1', b: '2', c: '3' } },
      {
        managedFields: [
          entry('z', { 'f:data': { 'f:a': {} } }),
          entry('k', { 'f:data': { 'f:b': {}, 'f:c': {} } }, { operation: 'Update', subresource: 'scale' }),
        ],
      },
    );
    const error = errorOf(() => applyPatch(request(object({ data: { a: '9', b: '9', c: '9' } }), { live })));
    expect(error.message).toBe(
      'Apply failed with 3 conflicts: conflicts with "k" with subresource "scale" using v1:\n- .data.b\n- .data.c\nconflicts with "z":\n- .data.a',
    );
    expect(error.conflicts).toEqual([
      { manager: '"k" with subresource "scale" using v1', field: '.data.b' },
      { manager: '"k" with subresource "scale" using v1', field: '.data.c' },
      { manager: '"z"', field: '.data.a' },
    ]);
    expect(error.causes[0]).toEqual({
      reason: 'FieldManagerConflict',
      message: 'conflict with "k" with subresource "scale" using v1',
      field: '.data.b',
    });
  });
});

test('inputs are left as they were', () => {
  const live = object({ data: { a: '1' } }, { managedFields: [entry('x', { 'f:data': { 'f:a': {} } })] });
  const applied = object({ data: { a: '2' } });
  const copies = structuredClone([live, applied]);
  applyPatch(request(applied, { live, force: true }));
  expect([live, applied]).toEqual(copies);
});
