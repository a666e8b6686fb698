import type { Json, JsonObject } from '../api/index.ts';
import { itemKeysOf } from './conversion-unmatched.ts';
import type { Plan } from './field-action-fate.ts';
import { isRecord } from './json-schema.ts';
import { type Structural, valuesOf } from './structural.ts';

export type Edit = (value: Json) => Json;

/** What is known of the place at hand. */
export interface ConversionPoint {
  readonly schema?: Structural | undefined;
  /** How field actions see it from the other version. */
  readonly plan?: Plan | undefined;
  /** Whether the other version would show an edit of the value. */
  readonly shows?: ((edit: Edit) => boolean) | undefined;
}

export function fieldOf({ schema = {}, plan, shows }: ConversionPoint, name: string): ConversionPoint {
  const within =
    (edit: Edit): Edit =>
    (value) =>
      isRecord(value) && Object.hasOwn(value, name) ? { ...value, [name]: edit(value[name] as Json) } : value;
  return {
    schema: own(schema.properties ?? {}, name) ?? valuesOf(schema),
    plan: plan?.fields.get(name)?.inner ?? plan?.values,
    shows: shows && ((edit) => shows(within(edit))),
  };
}

export function itemOf({ schema, plan, shows }: ConversionPoint, index: number): ConversionPoint {
  const within =
    (edit: Edit): Edit =>
    (value) =>
      Array.isArray(value) ? value.map((item, i) => (i === index ? edit(item) : item)) : value;
  return { schema: schema?.items, plan: plan?.items, shows: shows && ((edit) => shows(within(edit))) };
}

/** A field named `constructor` is absent unless it is there. */
export function own<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function isMap(schema: Structural): boolean {
  return valuesOf(schema) !== undefined && schema['x-kubernetes-map-type'] !== 'atomic';
}

export function isKeyed(schema: Structural): boolean {
  return ['map', 'set'].includes(schema['x-kubernetes-list-type'] ?? '') || itemKeysOf(schema) !== undefined;
}

/** The key of an item of a list map, defaults included; in a set, the item itself. */
export function keyIn({ schema = {} }: ConversionPoint, item: Json): Json | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return item;
  const names = itemKeysOf(schema);
  if (names === undefined || !isRecord(item)) return undefined;
  const keys = names.map((name): [string, Json] => [
    name,
    own(item as JsonObject, name) ?? schema.items?.properties?.[name]?.default ?? null,
  ]);
  return Object.fromEntries(keys);
}
