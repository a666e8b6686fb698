import type { Json, JsonObject } from 'kilter/api';
import { fieldOf, isObject, type Schema, setField } from '../values/index.ts';

/**
 * An object of a built-in kind with what its Go struct holds even when nothing was set: its `zeroFields`. On the server these
 * places exist in every object, so nobody adds them and nobody owns them for it; with custom resources, which are maps, it
 * is otherwise.
 */
export function withZeroStructs(value: Json, schema: Schema): Json {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => withZeroStructs(item, items));
  }
  return isObject(value) ? filled(value, schema) : value;
}

function filled(value: JsonObject, schema: Schema): JsonObject {
  const { properties, additionalProperties, zeroFields } = schema;
  const made: JsonObject = {};
  const put = (name: string, field: Json): void => {
    const declared =
      properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    setField(made, name, typeof declared === 'object' ? withZeroStructs(field, declared) : field);
  };
  for (const name of Object.keys(value)) put(name, value[name] as Json);
  if (zeroFields === undefined) return made;
  for (const name of Object.keys(zeroFields)) if (!Object.hasOwn(value, name)) put(name, zeroFields[name] as Json);
  return made;
}

/** The object a create starts from. */
export function zeroObject(object: JsonObject): JsonObject {
  const made: JsonObject = {};
  for (const name of ['apiVersion', 'kind']) {
    const value = fieldOf(object, name);
    if (value !== undefined) made[name] = value;
  }
  return made;
}
