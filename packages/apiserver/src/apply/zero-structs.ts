import type { Json, JsonObject } from 'kilter/api';
import { fieldOf, isObject, objectOf, type Schema } from '../values/index.ts';

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

function filled(value: JsonObject, { properties = {}, additionalProperties, zeroFields = {} }: Schema): JsonObject {
  const missing = Object.entries(zeroFields).filter(([name]) => !Object.hasOwn(value, name));
  return objectOf(
    [...Object.entries(value), ...missing].map(([name, field]) => {
      const declared = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      return [name, typeof declared === 'object' ? withZeroStructs(field, declared) : field];
    }),
  );
}

/** The object a create starts from. */
export function zeroObject(object: JsonObject): JsonObject {
  return objectOf(
    ['apiVersion', 'kind'].flatMap((name): [string, Json][] => {
      const value = fieldOf(object, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
