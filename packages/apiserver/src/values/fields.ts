import type { Json, JsonObject } from 'kilter/api';
import { stringifyJson } from './exact-json.ts';
import { isObject } from './plain-data.ts';

/** Go's zero string counts as missing, as does null. */
function missing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** Sets what is not there; the defaults must be fresh values, since they become part of the object. */
export function fill(target: JsonObject, defaults: JsonObject): void {
  for (const [field, value] of Object.entries(defaults)) if (missing(target[field])) target[field] = value;
}

/** Sets what is not there, where an empty text is a text: Go has a pointer to it. */
export function fillUnset(target: JsonObject, defaults: JsonObject): void {
  for (const [field, value] of Object.entries(defaults)) target[field] ??= value;
}

/**
 * The object in a field, made if it is missing. A value of a wrong type is left for validation to complain about:
 * the caller then fills an object nobody sees.
 */
export function objectIn(parent: JsonObject, field: string): JsonObject {
  const value = parent[field];
  if (isObject(value)) return value;
  const made: JsonObject = {};
  if (value === undefined || value === null) parent[field] = made;
  return made;
}

/** The object in a field if there is one. */
export function objectIfIn(parent: JsonObject, field: string): JsonObject | undefined {
  const value = parent[field];
  return isObject(value) ? value : undefined;
}

/** What is wanted of an object; empty if nothing is said. */
export const specOf = (object: JsonObject | undefined): JsonObject => objectIfIn(object ?? {}, 'spec') ?? {};

/** Whether a field says something: Go has a pointer to it. */
export const isSet = (value: Json | undefined): value is Json => value !== undefined && value !== null;

/** The objects of a list field; none if it is missing. */
export function objectsIn(parent: JsonObject, field: string): JsonObject[] {
  const value = parent[field];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textIn(parent: JsonObject, field: string): string {
  const value = parent[field];
  return typeof value === 'string' ? value : '';
}

/** A value as text: a string as it is, everything else as JSON. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : stringifyJson(value ?? null);
}

/** The strings of a list; none if it is not a list. */
export function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function metadataOf(object: JsonObject): JsonObject {
  return objectIfIn(object, 'metadata') ?? {};
}
