import type { Json, JsonObject } from 'kilter/api';
import { fieldOf, isObject, mapFields, mapItems, type Schema } from '../values/index.ts';
import { at, child } from './field-path.ts';

/** A value without what its schema does not know. */
export interface Pruned {
  readonly value: JsonObject;
  /** The paths of the fields that were taken away, sorted: `spec.nope`, `spec.env[0].bad`. */
  readonly unknown: string[];
}

/**
 * Takes away the fields a custom resource's schema does not know. apiVersion, kind and metadata at the root always
 * stay, as they do in embedded resources; `x-kubernetes-preserve-unknown-fields` keeps what is below it, up to nested
 * `properties`. The input stays as it is; the result shares the parts that did not change.
 */
export function prune(value: JsonObject, schema: Schema): Pruned {
  const unknown: string[] = [];
  const root = { ...schema, 'x-kubernetes-embedded-resource': true };
  const kept = pruneValue(value, { schema: root, path: '', unknown }) as JsonObject;
  return { value: kept, unknown: unknown.sort() };
}

/** As `prune` for a part of a resource, such as a default. */
export function pruneBelow(value: Json, schema: Schema): Json {
  return pruneValue(value, { schema, path: '', unknown: [] });
}

/**
 * The paths of the fields the schema of a built-in kind does not know, sorted; nothing is taken away. There a schema
 * that describes no fields at all holds any data.
 */
export function unknownFields(value: JsonObject, schema: Schema): string[] {
  const unknown: string[] = [];
  collectUnknown(value, { schema, path: '', unknown });
  return unknown.sort();
}

interface Pruning {
  /** Undefined below a place that names no schema: there every field of an object is unknown. */
  readonly schema: Schema | undefined;
  readonly path: string;
  readonly unknown: string[];
}

const typeAndObjectMeta = new Set(['apiVersion', 'kind', 'metadata']);

function pruneValue(value: Json, place: Pruning): Json {
  const { schema, path } = place;
  if (isObject(value)) return mapFields(value, (item, key) => pruneField(item, key, place));
  if (!Array.isArray(value)) return value;
  // Items of a preserved list stay preserved, so that a list of anything may hold objects.
  const items = preserves(schema) ? preserved(schema?.items) : schema?.items;
  return mapItems(value, (item, index) => pruneValue(item, { ...place, schema: items, path: at(path, index) }));
}

function pruneField(value: Json, key: string, { schema, path, unknown }: Pruning): Json | undefined {
  if (schema?.['x-kubernetes-embedded-resource'] === true && typeAndObjectMeta.has(key)) return value;
  const known = describe(schema, key);
  if (known !== undefined) {
    return pruneValue(value, { schema: known === 'unspecified' ? undefined : known, path: child(path, key), unknown });
  }
  if (preserves(schema)) return value;
  unknown.push(child(path, key));
  return undefined;
}

function preserves(schema: Schema | undefined): boolean {
  return schema?.['x-kubernetes-preserve-unknown-fields'] === true;
}

function preserved(schema: Schema | undefined): Schema {
  return { ...schema, 'x-kubernetes-preserve-unknown-fields': true };
}

/** The schema of a field, `unspecified` if the field is allowed without one, undefined if it is unknown. */
function describe(schema: Schema | undefined, key: string): Schema | 'unspecified' | undefined {
  const property = schema?.properties && fieldOf(schema.properties, key);
  if (property !== undefined) return property;
  const rest = schema?.additionalProperties;
  if (rest === undefined) return undefined;
  return typeof rest === 'object' ? rest : 'unspecified';
}

function collectUnknown(value: Json, { schema, path, unknown }: Pruning): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      collectUnknown(item, { schema: schema.items, path: at(path, index), unknown });
    }
  } else if (isObject(value) && (schema.properties !== undefined || schema.additionalProperties !== undefined)) {
    for (const [key, item] of Object.entries(value)) {
      const known = describe(schema, key);
      if (known === undefined) unknown.push(child(path, key));
      else if (known !== 'unspecified') collectUnknown(item, { schema: known, path: child(path, key), unknown });
    }
  }
}
