import type { Json, JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import { fieldOf, isObject, sameValue, type Schema, stringifyJson } from '../values/index.ts';

/**
 * The result of a patch as the server quotes it. What the patch went through is written as a map, with its keys sorted;
 * what it left alone stands as it was sent out: built-in kinds in the order of their fields.
 */
export function patchedText(result: Json, before: JsonObject, { schema, custom }: ResourceDefinition): string {
  const place = { value: result, before, schema: custom ? {} : schema };
  // The server goes through the document itself, whatever the patch is.
  return stringifyJson(isObject(result) ? fieldsOf(place, Object.keys(result).toSorted()) : arranged(place));
}

interface PatchedValue {
  readonly value: Json;
  readonly before: Json | undefined;
  readonly schema: Schema;
}

function arranged({ value, before, schema }: PatchedValue): Json {
  if (Array.isArray(value)) {
    const old = Array.isArray(before) ? before : [];
    return value.map((item, index) => arranged({ value: item, before: old[index], schema: schema.items ?? {} }));
  }
  if (!isObject(value)) return value;
  const untouched = sameValue(value, before);
  return fieldsOf({ value, before, schema }, untouched ? fieldOrder(value, schema) : Object.keys(value).toSorted());
}

function fieldsOf({ value, before, schema }: PatchedValue, names: readonly string[]): JsonObject {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    names.map((name) => [
      name,
      arranged({
        value: value[name] ?? null,
        before: isObject(before) ? fieldOf(before, name) : undefined,
        schema: below(schema, name),
      }),
    ]),
  );
}

/** Fields in the order of their struct, or by name in a map. */
function fieldOrder(value: JsonObject, { properties = {} }: Schema): string[] {
  const declared = Object.keys(properties);
  const rank = new Map(declared.map((name, index) => [name, index]));
  const rankOf = (name: string): number => rank.get(name) ?? declared.length;
  return Object.keys(value).toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

function below({ properties = {}, additionalProperties }: Schema, name: string): Schema {
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return own ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
}
