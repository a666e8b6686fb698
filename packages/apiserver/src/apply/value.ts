import type { Json, JsonObject } from 'kilter/api';

/**
 * A JSON value as the server holds it. Integers beyond 2^53 may come as BigInt (they survive comparing, merging and
 * field sets), so scalars are `unknown` here and only their type is asked for.
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isScalar(value: unknown): value is string | number | boolean {
  return value !== null && value !== undefined && typeof value !== 'object';
}

export function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** An object from entries: unlike assignment, safe for a field named `__proto__`. */
export function objectOf(entries: Iterable<readonly [string, Json]>): JsonObject {
  return Object.fromEntries(entries) as JsonObject;
}

/** The own field of an object, never something inherited such as `constructor`. */
export function fieldOf(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** Equal as the server sees it: keys in any order, lists in order, 1 and 1n the same number. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameValue(item, right[index]));
  }
  if (isObject(left) && isObject(right)) {
    const names = Object.keys(left);
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => Object.hasOwn(right, name) && sameValue(left[name], right[name]))
    );
  }
  // A number and a BigInt of one value are only loosely equal.
  return isNumeric(left) && isNumeric(right) ? left == right : left === right;
}

const surrogate = /[\uD800-\uDFFF]/;

/** By Unicode code point, the order of UTF-8 bytes; UTF-16 order differs above U+FFFF. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  if (!surrogate.test(left) && !surrogate.test(right)) return left < right ? -1 : 1;
  const [a, b] = [codePoints(left), codePoints(right)];
  const at = a.findIndex((code, index) => code !== b[index]);
  return at === -1 ? -1 : (a[at] ?? 0) - (b[at] ?? -1);
}

const codePoints = (text: string): number[] => Array.from(text, (char) => char.codePointAt(0) ?? 0);

const rank = (value: unknown): number => {
  if (isNumeric(value)) return 0;
  if (typeof value === 'string') return 1;
  return typeof value === 'boolean' ? 2 : 3;
};

/** The server's order of scalars: numbers, then strings, then booleans. */
export function compareScalars(left: unknown, right: unknown): number {
  const difference = rank(left) - rank(right);
  if (difference !== 0) return difference;
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (left === right || sameValue(left, right)) return 0;
  return (left as number) < (right as number) ? -1 : 1;
}
