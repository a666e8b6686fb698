import { formatMicroTime, type Json, type JsonObject } from 'kilter/api';
import { parseDuration, timeOf } from '../formats/index.ts';
import { compactJson, fieldOf, isNumeric, isObject, type Schema, setField } from '../values/index.ts';
import { resourceSchema } from './declared.ts';
import { celName } from './names.ts';
import { Duration, parseTimestamp, Timestamp } from './time.ts';
import { asUnordered } from './value.ts';

/** A value as rules see it: by its schema, without the fields the schema does not name. */
export function toCel(value: Json, schema: Schema): unknown {
  if (value === null) return null;
  if (schema['x-kubernetes-int-or-string'] === true) return isNumeric(value) ? BigInt(value) : value;
  if (schema.type === 'object' && isObject(value)) return objectToCel(value, schema);
  if (schema.type === 'array' && Array.isArray(value)) {
    const items = schema.items ?? {};
    const list = value.map((item) => toCel(item, items));
    const type = schema['x-kubernetes-list-type'];
    if (type !== 'set' && type !== 'map') return list;
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    return asUnordered(
      list,
      keys.map((key) => celName(key) ?? key),
    );
  }
  if (schema.type === 'string' && typeof value === 'string') return stringToCel(value, schema.format);
  if (schema.type === 'integer' && isNumeric(value)) return BigInt(value);
  if (schema.type === 'number' && isNumeric(value)) return Number(value);
  if (schema.type === 'number' || schema.type === 'boolean') return value;
  return hidden({ value });
}

/** Stands for data that no rule can look into; two such values are equal if their data are. */
function hidden(data: JsonObject): Map<string, unknown> {
  return new Map([['\u0000hidden', compactJson(data)]]);
}

function objectToCel(object: JsonObject, schema: Schema): Map<string, unknown> {
  const embedded = schema['x-kubernetes-embedded-resource'] === true ? resourceSchema(schema) : schema;
  const { properties, additionalProperties } = embedded;
  if (properties === undefined && typeof additionalProperties === 'object') {
    return new Map(Object.entries(object).map(([key, item]) => [key, toCel(item, additionalProperties)]));
  }
  return structToCel(object, properties ?? {});
}

function structToCel(object: JsonObject, properties: Readonly<Record<string, Schema>>): Map<string, unknown> {
  const result = new Map<string, unknown>();
  const unseen: JsonObject = {};
  for (const [key, item] of Object.entries(object)) {
    const property = fieldOf(properties, key);
    const name = celName(key);
    if (property === undefined || name === undefined) setField(unseen, key, item);
    // A field that is null is absent.
    else if (item !== null) result.set(name, toCel(item, property));
  }
  if (Object.keys(unseen).length === 0) return result;
  return new Map([...result, ...hidden(unseen)]);
}

function stringToCel(value: string, format: string | undefined): unknown {
  switch (format) {
    case 'duration':
      return new Duration(parseDuration(value) ?? 0n);
    case 'date':
    case 'date-time':
      return parseTimestamp(value) ?? parseTimestamp(formatMicroTime(timeOf(value, format) ?? 0)) ?? new Timestamp(0n);
    case 'byte':
      return new Uint8Array(Buffer.from(value, 'base64'));
    default:
      return value;
  }
}
