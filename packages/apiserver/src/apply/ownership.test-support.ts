// An object that several managers write, one after the other, and what its managedFields are to say then.
import type { JsonObject } from 'kilter/api';
import type { Schema } from '../values/index.ts';
import { applyPatch } from './apply-patch.ts';
import { trackUpdate } from './track-update.ts';

const text: Schema = { type: 'string' };
const texts: Schema = { type: 'object', additionalProperties: text };
const byKey = (key: string, properties: Record<string, Schema>): Schema => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': [key],
  items: { type: 'object', properties },
});
const set: Schema = { type: 'array', 'x-kubernetes-list-type': 'set', items: text };

const schema: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    metadata: {
      type: 'object',
      properties: { name: text, uid: text, labels: texts, annotations: texts, finalizers: set },
    },
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        image: text,
        env: byKey('name', {
          name: text,
          value: text,
          from: { type: 'object', properties: { secret: text, key: text } },
        }),
        hosts: set,
        args: { type: 'array', items: text },
        tls: { type: 'object', properties: { secret: text, mode: text } },
        settings: { type: 'object', additionalProperties: texts },
        selector: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: {
      type: 'object',
      properties: { ready: { type: 'integer' }, conditions: byKey('type', { type: text, status: text }) },
    },
  },
};

interface Options {
  readonly force?: boolean;
  readonly subresource?: 'status';
}

/** One stored object with a status subresource; every write comes a second after the one before, the first at :01. */
export class Stored {
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

  get spec(): unknown {
    return this.live?.['spec'];
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

interface Written {
  readonly operation?: 'Apply' | 'Update';
  /** The write after which it was last changed; none where it never changed the object. */
  readonly second?: number;
  readonly subresource?: 'status';
}

/** An entry of managedFields. */
export function owner(
  manager: string,
  fieldsV1: JsonObject,
  { operation = 'Apply', second, subresource }: Written,
): JsonObject {
  return {
    manager,
    operation,
    apiVersion: 'example.com/v1',
    ...(second !== undefined && { time: `2030-01-01T00:00:0${second}Z` }),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource !== undefined && { subresource }),
  };
}
