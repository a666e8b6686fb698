import type { Json, JsonObject } from 'kilter/api';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Integers of 64 bits that a JavaScript number cannot hold are bigint. */
export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The object's own field: `toString` and `__proto__` are absent unless the data has them. */
export function field<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a field as data, also one called `__proto__`: plain assignment would change the object's prototype. */
export function setField<T>(object: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

/** Replaces an object's fields; undefined takes a field away. The object itself comes back if nothing changed. */
export function mapFields(object: JsonObject, change: (value: Json, key: string) => Json | undefined): JsonObject {
  const copy: JsonObject = {};
  let changed = false;
  for (const [key, value] of Object.entries(object)) {
    const next = change(value, key);
    if (next !== value) changed = true;
    if (next !== undefined) setField(copy, key, next);
  }
  return changed ? copy : object;
}

/** As `mapFields` for a list. */
export function mapItems(list: Json[], change: (value: Json, index: number) => Json): Json[] {
  const copy = list.map(change);
  return copy.some((item, index) => item !== list[index]) ? copy : list;
}
