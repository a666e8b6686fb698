import type { Code } from '../errors/index.ts';
import { isRecord } from './json-schema.ts';

/** Stands in a library's answer where it has no JSON Schema for a type. */
export const gapKey = 'x-kilter-gap';
/** Stands where a library checks or changes what its JSON Schema does not tell. */
export const untoldKey = 'x-kilter-untold';

/** A type without a JSON form. */
export interface Gap {
  /** As the library calls it: `date`, `bigint`, `undefined`. */
  readonly what: string;
  readonly message: string;
}

export function gap(what: string, message: string): { readonly [gapKey]: Gap } {
  return { [gapKey]: { what: what.toLowerCase(), message } };
}

export function gapIn(node: unknown): Gap | undefined {
  const found = isRecord(node) ? node[gapKey] : undefined;
  return isRecord(found) ? (found as unknown as Gap) : undefined;
}

/** `undefined` among the branches of a union says that the field may be absent, which `required` says as well. */
export function isUndefined(node: unknown): boolean {
  const what = gapIn(node)?.what;
  return what === 'undefined' || what === 'void';
}

const cures: readonly (readonly [RegExp, string])[] = [
  [/^date$/, 'use z.iso.datetime(): a time is a string in JSON'],
  [/^bigint/, 'use z.int(), or a string for numbers beyond 2^53'],
  [/^map$/, 'use z.record(z.string(), …)'],
  [/^set$/, 'use z.array(…).meta(listSet())'],
  [/^(undefined|void)$/, 'use .optional()'],
  [/^(custom|instance)/, 'use a plain JSON type with a rule, or z.any()'],
  [/^literal/, 'use .optional() for undefined, a string for a bigint'],
  [/^(promise|function|symbol|nan|file|blob)$/, 'leave the field out: it has no JSON form'],
];

export function gapCode({ what }: Gap): Code {
  if (what === 'promise') return 'CRD_SCHEMA_ASYNC';
  return what === 'transform' || what === 'preprocess' ? 'CRD_SCHEMA_TRANSFORM' : 'CRD_SCHEMA_UNREPRESENTABLE';
}

export function gapCure({ what }: Gap): string | undefined {
  return cures.find(([pattern]) => pattern.test(what))?.[1];
}
