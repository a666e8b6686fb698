import type { Json, JsonObject } from 'kilter/api';
import type { Schema } from '../schema/index.ts';
import { fieldOf, isEmpty, isObject, objectOf } from './value.ts';

/**
 * An object of a built-in kind with what its Go struct holds even when nothing was set: nested structs (`structFields`,
 * or a schema that says `default: {}`), and nil for required lists and maps. On the server these places exist in every object, so
 * nobody adds them and nobody owns them for it; with custom resources, which are maps, it is otherwise.
 */
export function withZeroStructs(value: Json, schema: Schema): Json {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => withZeroStructs(item, items));
  }
  return isObject(value) ? filled(value, schema) : value;
}

function filled(value: JsonObject, schema: Schema): JsonObject {
  const { properties = {}, additionalProperties } = schema;
  const missing = Object.keys(properties).flatMap((name): [string, Json][] => {
    const zero = Object.hasOwn(value, name) ? undefined : zeroOf(name, schema);
    return zero === undefined ? [] : [[name, zero]];
  });
  return objectOf(
    [...Object.entries(value), ...missing].map(([name, field]) => {
      const declared = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      return [name, typeof declared === 'object' ? withZeroStructs(field, declared) : field];
    }),
  );
}

function zeroOf(name: string, { properties, required, structFields }: Schema): Json | undefined {
  if (structFields?.includes(name) === true) return {};
  const schema = properties?.[name];
  if (isObject(schema?.default) && isEmpty(schema.default)) return {};
  const nil = schema?.type === 'array' || (schema?.type === 'object' && schema.properties === undefined);
  return nil && required?.includes(name) === true ? null : undefined;
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
