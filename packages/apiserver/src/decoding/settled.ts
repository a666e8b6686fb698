import type { Json, JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import { isObject, type Schema } from '../values/index.ts';

/** An empty list or map where the server knows null for it: a field that is always there. */
export function isNil(name: string, value: Json, { zeroFields, properties }: Schema): boolean {
  if (zeroFields?.[name] !== null) return false;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0 && properties?.[name]?.additionalProperties !== undefined;
}

/** Keys such as `__proto__` are data like any other. */
function plainObject(entries: readonly (readonly [string, Json])[]): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of entries)
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  return object;
}

/**
 * An object of a built-in kind as the server stores and answers it: what is always there is there, and of a list or map that
 * is always there nobody can tell whether it was empty or not set.
 */
function settled(object: JsonObject, schema: Schema): JsonObject {
  const { properties = {}, additionalProperties, zeroFields = {} } = schema;
  const missing = Object.entries(zeroFields).filter(([name]) => !Object.hasOwn(object, name));
  return plainObject(
    [...Object.entries(object), ...missing].map(([name, value]) => {
      if (isNil(name, value, schema)) return [name, null];
      const declared = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      return [name, typeof declared === 'object' ? settledValue(value, declared) : value];
    }),
  );
}

function settledValue(value: Json, schema: Schema): Json {
  const { items } = schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => settledValue(item, items));
  return isObject(value) ? settled(value, schema) : value;
}

/** Custom resources are maps: nothing is in them that nobody put there. */
export function settledObject(object: JsonObject, { custom, schema }: ResourceDefinition): JsonObject {
  return custom ? object : settled(object, schema);
}

/** The object without texts, lists and maps that are there only because they always are: to Go they are not set. */
export function unsettled(value: Json, schema: Schema): Json {
  const { properties = {}, additionalProperties, items, zeroFields = {} } = schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => unsettled(item, items));
  if (!isObject(value)) return value;
  const set = Object.entries(value).filter(([name, field]) => {
    return !Object.hasOwn(zeroFields, name) || (field !== null && field !== '');
  });
  return plainObject(
    set.map(([name, field]) => {
      const declared = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      return [name, typeof declared === 'object' ? unsettled(field, declared) : field];
    }),
  );
}
