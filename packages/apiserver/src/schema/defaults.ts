import type { Json, JsonObject } from 'kilter/api';
import { clone, fieldOf, isObject, mapFields, mapItems, type Schema, setField } from '../values/index.ts';

/** What becomes of a null that the schema neither allows nor has a default for: the field goes, or validation sees it. */
export type Nulls = 'dropped' | 'kept';

/**
 * Fills in defaults and settles nulls: a null stays where the schema allows it, else the default takes its place, else
 * the field goes, unless nulls are kept. Defaults fill objects that are there; they never create the object around them.
 *
 * The input stays as it is; the result shares the parts that did not change.
 */
export function applyDefaults(value: JsonObject, schema: Schema, nulls: Nulls = 'dropped'): JsonObject {
  return settle(value, schema, nulls) as JsonObject;
}

function settle(value: Json, schema: Schema | undefined, nulls: Nulls): Json {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => settleItem(item, schema.items, nulls));
  if (!isObject(value)) return value;
  const present = mapFields(value, (item, key) => settleField(item, fieldSchema(schema, key), nulls));
  return withMissing(present, schema);
}

/** The schema of a field: its own, or the one all unnamed fields share. */
function fieldSchema(schema: Schema, key: string): Schema | undefined {
  const own = schema.properties && fieldOf(schema.properties, key);
  if (own !== undefined) return own;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

function settleField(value: Json, schema: Schema | undefined, nulls: Nulls): Json | undefined {
  if (value !== null || schema === undefined || schema.nullable === true) return settle(value, schema, nulls);
  if (hasDefault(schema)) return defaultOf(schema);
  return nulls === 'kept' ? null : undefined;
}

/** A list keeps its length: a null item without a default stays, for validation to refuse. */
function settleItem(value: Json, schema: Schema | undefined, nulls: Nulls): Json {
  return settleField(value, schema, nulls) ?? null;
}

function withMissing(object: JsonObject, schema: Schema): JsonObject {
  const missing = Object.entries(schema.properties ?? {}).filter(
    ([key, property]) => hasDefault(property) && !Object.hasOwn(object, key),
  );
  if (missing.length === 0) return object;
  const filled = { ...object };
  for (const [key, property] of missing) setField(filled, key, defaultOf(property));
  return filled;
}

/** A default of null is none. */
function hasDefault(schema: Schema): boolean {
  return schema.default !== undefined && schema.default !== null;
}

/** A copy, so that nobody who changes the result changes the schema; with the defaults of its own fields. */
function defaultOf(schema: Schema): Json {
  return settle(clone(schema.default as Json), schema, 'dropped');
}
