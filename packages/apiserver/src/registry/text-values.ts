import type { Json } from 'kilter/api';
import { stringifyJson } from '../schema/index.ts';

/** A value as text: a string as it is, everything else as JSON. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : stringifyJson(value ?? null);
}

/** The strings of a list; none if it is no list. */
export function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
