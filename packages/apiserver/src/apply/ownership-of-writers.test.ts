import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { applyPatch } from './apply-patch.ts';
import { trackUpdate } from './track-update.ts';

// Every sequence here was played against kube-apiserver 1.36.3, with the same managedFields, times included.

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
        uid: text,
        labels: { type: 'object', additionalProperties: text },
        annotations: { type: 'object', additionalProperties: text },
      },
    },
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        image: text,
        env: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: text, value: text } },
        },
        args: { type: 'array', items: text },
        tls: { type: 'object', properties: { secret: text, mode: text } },
      },
    },
    status: {
      type: 'object',
      properties: {
        ready: { type: 'integer' },
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: { type: 'object', properties: { type: text, status: text } },
        },
      },
    },
  },
};

interface Options {
  readonly force?: boolean;
  readonly subresource?: 'status';
}

/** One stored object with a status subresource; every write comes a second after the one before, the first at :01. */
class Stored {
  live: JsonObject | undefined;
  #second = 0;

  apply(manager: string, fields: JsonObject, options: Options = {}): void {
    const { force = false } = options;
    this.#store(applyPatch({ ...this.#write(manager, options), applied: this.#object(fields), force }).object, options);
  }

  update(manager: string, fields: JsonObject, options: Options = {}): void {
    this.#store(trackUpdate({ ...this.#write(manager, options), updated: this.#object(fields) }), options);
  }

  get fields(): unknown {
    const { apiVersion: _, kind: __, metadata: ___, ...fields } = this.live ?? {};
    return fields;
  }

  get metadata(): JsonObject {
    return (this.live?.['metadata'] ?? {}) as JsonObject;
  }

  #write(manager: string, { subresource }: Options) {
    this.#second += 1;
    const resetFields = subresource === 'status' ? ['metadata', 'spec'] : ['status'];
    const now = `2030-01-01T00:00:0${this.#second}Z`;
    return { live: this.live, schema, manager, apiVersion: 'example.com/v1', subresource, resetFields, now };
  }

  #object({ metadata = {}, ...fields }: JsonObject): JsonObject {
    const named = { name: 'w', ...(metadata as JsonObject) };
    return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: named, ...fields };
  }

  /** Puts back what the endpoint resets. */
  #store(object: JsonObject, { subresource }: Options): void {
    const { status: written, ...main } = object;
    const { status: kept, ...before } = this.live ?? {};
    const managedFields = (object['metadata'] as JsonObject)['managedFields'] ?? [];
    const metadata = { ...this.metadata, managedFields };
    const status = subresource === 'status' ? written : kept;
    this.live = { ...(subresource === 'status' ? { ...before, metadata } : main), ...(status && { status }) };
  }
}

describe('appliers', () => {
  test('API-S5: a dropped field stays while another manager shares it, and goes when nobody else owns it', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { replicas: 3, image: 'i', tls: { secret: 's' } } });
    stored.apply('m2', { spec: { replicas: 3 } });
    stored.apply('m1', { spec: { image: 'i' } });
    expect(stored.fields).toEqual({ spec: { replicas: 3, image: 'i' } });
    expect(stored.metadata['managedFields']).toEqual([
      {
        // Changed nothing in the object, so it never got a time.
        manager: 'm2',
        operation: 'Apply',
        apiVersion: 'example.com/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      },
      {
        manager: 'm1',
        operation: 'Apply',
        apiVersion: 'example.com/v1',
        time: '2030-01-01T00:00:03Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:image': {} } },
      },
    ]);
  });

  test('API-S5: force takes what differs, and shares what is equal', () => {
    const stored = new Stored();
    stored.apply('m1', { metadata: { labels: { a: '1', b: '2' } }, spec: { replicas: 3, image: 'i' } });
    stored.apply('m2', { metadata: { labels: { b: '3' } }, spec: { replicas: 5, image: 'i' } }, { force: true });
    expect(stored.fields).toEqual({ spec: { replicas: 5, image: 'i' } });
    expect(stored.metadata['labels']).toEqual({ a: '1', b: '3' });
    expect(stored.metadata['managedFields']).toEqual([
      {
        manager: 'm1',
        operation: 'Apply',
        apiVersion: 'example.com/v1',
        time: '2030-01-01T00:00:01Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:metadata': { 'f:labels': { 'f:a': {} } }, 'f:spec': { 'f:image': {} } },
      },
      {
        manager: 'm2',
        operation: 'Apply',
        apiVersion: 'example.com/v1',
        time: '2030-01-01T00:00:02Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:metadata': { 'f:labels': { 'f:b': {} } }, 'f:spec': { 'f:image': {}, 'f:replicas': {} } },
      },
    ]);
  });

  test('API-S5: without force one conflict, and several, are named by manager and field', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { replicas: 3, args: ['a'] } });
    const before = stored.live;
    expect(() => stored.apply('m2', { spec: { replicas: 5, image: 'i' } })).toThrow(
      expect.objectContaining({
        kind: 'conflict',
        message: 'Apply failed with 1 conflict: conflict with "m1": .spec.replicas',
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.replicas' }],
      }),
    );
    expect(() => stored.apply('m2', { spec: { replicas: 5, args: ['b'] } })).toThrow(
      expect.objectContaining({
        message: 'Apply failed with 2 conflicts: conflicts with "m1":\n- .spec.args\n- .spec.replicas',
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.args' },
          { reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.replicas' },
        ],
      }),
    );
    expect(stored.live).toBe(before);
  });

  test('API-S7: an apply that changes nothing keeps the time, one that changes a value moves it', () => {
    const stored = new Stored();
    const entry = {
      manager: 'm1',
      operation: 'Apply',
      apiVersion: 'example.com/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } } } },
    };
    stored.apply('m1', { spec: { env: [{ name: 'A', value: '1' }] } });
    stored.apply('m1', { spec: { env: [{ name: 'A', value: '1' }] } });
    expect(stored.metadata['managedFields']).toEqual([{ ...entry, time: '2030-01-01T00:00:01Z' }]);
    stored.apply('m1', { spec: { env: [{ name: 'A', value: '2' }] } });
    expect(stored.metadata['managedFields']).toEqual([{ ...entry, time: '2030-01-01T00:00:03Z' }]);
  });
});

describe('updates beside applies', () => {
  test('API-S4, API-S5: what an update wrote an apply of the same value shares, and dropping it leaves it', () => {
    const stored = new Stored();
    stored.update('kubectl-create', { metadata: { labels: { a: '1' } }, spec: { replicas: 3, tls: { secret: 's' } } });
    stored.apply('m1', { spec: { replicas: 3, tls: { mode: 'm' } } });
    const update = {
      manager: 'kubectl-create',
      operation: 'Update',
      apiVersion: 'example.com/v1',
      time: '2030-01-01T00:00:01Z',
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
        'f:spec': { '.': {}, 'f:replicas': {}, 'f:tls': { '.': {}, 'f:secret': {} } },
      },
    };
    expect(stored.metadata['managedFields']).toEqual([
      {
        manager: 'm1',
        operation: 'Apply',
        apiVersion: 'example.com/v1',
        time: '2030-01-01T00:00:02Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:tls': { 'f:mode': {} } } },
      },
      update,
    ]);

    stored.apply('m1', {});
    expect(stored.fields).toEqual({ spec: { replicas: 3, tls: { secret: 's' } } });
    expect(stored.metadata['managedFields']).toEqual([update]);
  });

  test('API-S4, API-S5: an apply over another value of an update conflicts; the next update takes silently', () => {
    const stored = new Stored();
    stored.update('kubectl-client-side-apply', { spec: { replicas: 3, image: 'i:1' } });
    expect(() => stored.apply('m1', { spec: { replicas: 5 } })).toThrow(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using example.com/v1: .spec.replicas',
    );
    stored.apply('m1', { spec: { replicas: 5 } }, { force: true });
    stored.update('kubectl-edit', { spec: { replicas: 7, image: 'i:1', args: ['a'] } });
    expect(stored.metadata['managedFields']).toEqual([
      {
        manager: 'kubectl-client-side-apply',
        operation: 'Update',
        apiVersion: 'example.com/v1',
        time: '2030-01-01T00:00:01Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { '.': {}, 'f:image': {} } },
      },
      {
        manager: 'kubectl-edit',
        operation: 'Update',
        apiVersion: 'example.com/v1',
        time: '2030-01-01T00:00:04Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:args': {}, 'f:replicas': {} } },
      },
    ]);
  });

  test('API-S4: an update that removes a field takes it from its owner and owns nothing for it', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { replicas: 3, env: [{ name: 'A', value: '1' }] } });
    stored.update('u', { spec: { replicas: 3 } });
    expect(stored.metadata['managedFields']).toEqual([
      {
        manager: 'm1',
        operation: 'Apply',
        apiVersion: 'example.com/v1',
        time: '2030-01-01T00:00:01Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      },
    ]);
  });

  test('API-S4, API-S9: an object that lost its managedFields stays untracked until somebody applies', () => {
    const stored = new Stored();
    stored.update('u', { spec: { replicas: 3, image: 'i' } });
    stored.update('u', { metadata: { managedFields: [{}] }, spec: { replicas: 3, image: 'i' } });
    expect(stored.metadata['managedFields'] ?? []).toEqual([]);
    stored.update('u', { spec: { replicas: 4, image: 'i' } });
    expect(stored.metadata['managedFields'] ?? []).toEqual([]);
    expect(() => stored.apply('m1', { spec: { replicas: 5 } })).toThrow(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using example.com/v1: .spec.replicas',
    );
    stored.apply('m1', { spec: { replicas: 4 } });
    expect(stored.metadata['managedFields']).toEqual([
      {
        manager: 'm1',
        operation: 'Apply',
        apiVersion: 'example.com/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      },
      {
        manager: 'before-first-apply',
        operation: 'Update',
        apiVersion: 'example.com/v1',
        time: '2030-01-01T00:00:05Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { '.': {}, 'f:image': {}, 'f:replicas': {} } },
      },
    ]);
  });
});

describe('the status subresource', () => {
  test('API-S8: each endpoint owns its own half, in entries of its own', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { replicas: 3 }, status: { ready: 9 } });
    expect(stored.fields).toEqual({ spec: { replicas: 3 } });
    stored.apply(
      'm1',
      { spec: { replicas: 9 }, status: { ready: 1, conditions: [{ type: 'Ready', status: 'True' }] } },
      { subresource: 'status' },
    );
    stored.update('ctrl', { spec: { replicas: 9 }, status: { ready: 2 } }, { subresource: 'status' });
    expect(stored.fields).toEqual({ spec: { replicas: 3 }, status: { ready: 2 } });
    expect(stored.metadata['managedFields']).toEqual([
      {
        manager: 'm1',
        operation: 'Apply',
        apiVersion: 'example.com/v1',
        time: '2030-01-01T00:00:01Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      },
      {
        manager: 'ctrl',
        operation: 'Update',
        apiVersion: 'example.com/v1',
        time: '2030-01-01T00:00:03Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:status': { 'f:ready': {} } },
        subresource: 'status',
      },
    ]);
    expect(() => stored.apply('m2', { status: { ready: 3 } }, { subresource: 'status' })).toThrow(
      'Apply failed with 1 conflict: conflict with "ctrl" with subresource "status" using example.com/v1: .status.ready',
    );
    stored.apply('m1', { spec: { replicas: 4 } });
    expect(stored.fields).toEqual({ spec: { replicas: 4 }, status: { ready: 2 } });
  });
});
