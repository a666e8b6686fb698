import type { Json, JsonObject } from 'kilter/api';
import { fieldOf, isObject, sameValue, type Schema, stringifyJson } from '../values/index.ts';

/**
 * A value beside the one it replaces in an update. Fields correlate by name and items of a list map by their keys;
 * other lists are one piece. Nothing correlates where the schema names no field, so that metadata never counts as unchanged.
 */
export class Correlation {
  readonly value: Json;
  readonly old: Json;
  readonly #schema: Schema;
  /** The answer of `unchanged`, once asked: both values stay as they are. */
  #unchanged: boolean | undefined;
  /** Of a list, once asked: finding each item by a walk over all of them takes seconds for thousands. */
  #oldItem: ((item: Json) => JsonObject | undefined) | undefined;

  constructor(value: Json, old: Json, schema: Schema) {
    this.value = value;
    this.old = old;
    this.#schema = schema;
  }

  key(name: string): Correlation | undefined {
    if (!isObject(this.value) || !isObject(this.old)) return undefined;
    const value = fieldOf(this.value, name);
    const old = fieldOf(this.old, name);
    const schema = fieldSchema(this.#schema, name);
    if (value === undefined || old === undefined || schema === undefined) return undefined;
    return new Correlation(value, old, schema);
  }

  index(position: number): Correlation | undefined {
    if (!Array.isArray(this.value) || !Array.isArray(this.old) || this.#schema.items === undefined) return undefined;
    const value = this.value[position];
    this.#oldItem ??= oldItems(this.old, this.#schema);
    const old = value === undefined ? undefined : this.#oldItem(value);
    return value === undefined || old === undefined ? undefined : new Correlation(value, old, this.#schema.items);
  }

  unchanged(): boolean {
    this.#unchanged ??= this.#compare();
    return this.#unchanged;
  }

  #compare(): boolean {
    const { value, old } = this;
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false;
      if (!isListMap(this.#schema)) return sameValue(value, old);
      return value.every((_, position) => this.index(position)?.unchanged() === true);
    }
    if (isObject(value) && isObject(old)) {
      const names = Object.keys(value);
      return names.length === Object.keys(old).length && names.every((name) => this.key(name)?.unchanged() === true);
    }
    return sameValue(value, old);
  }
}

function fieldSchema(schema: Schema, name: string): Schema | undefined {
  const own = schema.properties && fieldOf(schema.properties, name);
  if (own !== undefined) return own;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

function isListMap(schema: Schema): boolean {
  return schema['x-kubernetes-list-type'] === 'map';
}

/** Finds the item of the old list with the same keys; undefined where the list is not a map or a key is missing. */
export function oldItems(old: readonly Json[], schema: Schema): (item: Json) => JsonObject | undefined {
  const keys = isListMap(schema) ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
  const byIdentity = new Map<string | undefined, JsonObject>();
  for (const candidate of keys.length === 0 ? [] : old) {
    const identity = identityOf(candidate, keys);
    // Of several the first counts.
    if (isObject(candidate) && !byIdentity.has(identity)) byIdentity.set(identity, candidate);
  }
  byIdentity.delete(undefined);
  return (item) => byIdentity.get(identityOf(item, keys));
}

function identityOf(item: Json, keys: readonly string[]): string | undefined {
  if (!isObject(item) || keys.length === 0) return undefined;
  const values = keys.map((key) => fieldOf(item, key));
  const scalars = values.every((value) => value !== undefined && value !== null && typeof value !== 'object');
  return scalars ? stringifyJson(values) : undefined;
}
