import type { Json, JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import { isObject, type Schema, setField } from '../values/index.ts';

/** An empty list or map where the server knows null for it: a field that is always there. */
export function isNil(name: string, value: Json, { zeroFields, properties }: Schema): boolean {
  if (zeroFields?.[name] !== null) return false;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0 && properties?.[name]?.additionalProperties !== undefined;
}

/**
 * An object of a built-in kind as the server stores and answers it: what is always there is there, and of a list or map that
 * is always there nobody can tell whether it was empty or not set.
 */
function settled(object: JsonObject, schema: Schema): JsonObject {
  const { zeroFields } = schema;
  const made: JsonObject = {};
  for (const name of Object.keys(object)) setField(made, name, settledField(name, object[name] as Json, schema));
  if (zeroFields === undefined) return made;
  for (const name of Object.keys(zeroFields)) {
    if (!Object.hasOwn(object, name)) setField(made, name, settledField(name, zeroFields[name] as Json, schema));
  }
  return made;
}

function settledField(name: string, value: Json, schema: Schema): Json {
  if (isNil(name, value, schema)) return null;
  const declared = declaredIn(schema, name);
  return declared === undefined ? value : settledValue(value, declared);
}

/** What a schema says of a field, by its name or of all it does not name. */
function declaredIn({ properties, additionalProperties }: Schema, name: string): Schema | undefined {
  const declared =
    properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
  return typeof declared === 'object' ? declared : undefined;
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
  const { items, zeroFields } = schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => unsettled(item, items));
  if (!isObject(value)) return value;
  const made: JsonObject = {};
  for (const name of Object.keys(value)) {
    const field = value[name] as Json;
    const isZero = field === null || field === '';
    if (isZero && zeroFields !== undefined && Object.hasOwn(zeroFields, name)) continue;
    const declared = declaredIn(schema, name);
    setField(made, name, declared === undefined ? field : unsettled(field, declared));
  }
  return made;
}
