import type { Json } from 'kilter/api';
import { goType } from '../values/index.ts';

/** A type where `%s` expects one: null has none. */
export function receivedType(value: unknown): string {
  return value === null || value === undefined ? '%!s(<nil>)' : goType(value);
}

/** JSON for messages and sizes: integers beyond 2^53, which are bigint, may be rounded there. */
export function jsonOf(value: Json): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part));
}

/** `an object`, `a list`, `a string`: how messages name a value's type. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
