import { deepestJson } from '../internal/index.ts';
import type { StatusFields } from './status.ts';

/** What has no JSON of its own: the client refuses it by its path. */
const isForeign = (value: object): boolean => value instanceof Map || value instanceof Set || value instanceof Promise;

const saysItself = (value: object): value is { toJSON(): unknown } =>
  typeof (value as { toJSON?: unknown }).toJSON === 'function';

/** Exact where a number can be: that is how it will be read again. */
const numberOf = (value: bigint): unknown => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

function inList(value: unknown, depth: number): unknown {
  return value === undefined ? null : asRead(value, depth);
}

function asRead(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return numberOf(value);
  // Deeper than anybody may send, and perhaps endless.
  if (typeof value !== 'object' || value === null || isForeign(value) || depth > deepestJson) return value;
  if (saysItself(value)) return asRead(value.toJSON(), depth + 1);
  if (Array.isArray(value)) return value.map((item) => inList(item, depth + 1));
  const fields = Object.entries(value).map(([key, inner]) => [key, asRead(inner, depth + 1)] as const);
  return Object.fromEntries(fields.filter(([, inner]) => inner !== undefined));
}

/** A merge patch takes away what is null in it, at any depth but inside lists: such a field will not be there. */
function withoutNulls(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isForeign(value)) return value;
  if (depth > deepestJson) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner, depth + 1)]));
}

/**
 * Fields of a status as they will be read again: a time as its text, nothing where nothing is said. Compared as they were given,
 * they would differ from what is stored after every run.
 */
export function fieldsAsRead(fields: StatusFields): StatusFields {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, withoutNulls(asRead(value, 0), 0)] as const),
  );
}
