import type { Json } from 'kilter/api';
import { stringifyJson } from './exact-json.ts';
import { isObject } from './plain-data.ts';

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

const unprintable = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** A string in quotes as Go's %q writes it: messages of the API server are made that way, and clients match on them. */
export function quote(text: string): string {
  return `"${text.replace(unprintable, escape)}"`;
}

function escape(character: string): string {
  const short = escapes[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** A number as Go's %v writes a float: with an exponent below 1e-4 and from 1e6 on, of at least two digits. */
export function floatText(value: number): string {
  const exponential = value.toExponential();
  const exponent = Number(exponential.slice(exponential.indexOf('e') + 1));
  if (value === 0 || (exponent >= -4 && exponent < 6)) return String(value);
  return exponential.replace(/([+-])(\d)$/, '$10$2');
}

/** Integers are written in full, as the server holds them apart from floats. */
export function numberText(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : floatText(value);
}

/** A value as it is in a message. */
export function valueText(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' ? numberText(value) : compactJson(value);
}

/** JSON as Go writes it: keys sorted, and `<`, `>`, `&` and two line separators escaped. */
export function compactJson(value: Json): string {
  return stringifyJson(sorted(value)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A struct of the server as Go writes it: its fields in the order given. */
export function structJson(fields: Readonly<Record<string, Json>>): string {
  return `{${Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}:${compactJson(value)}`)
    .join(',')}}`;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}

const hex = (char: string, digits: number): string => (char.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');

const jsonEscapes: Readonly<Record<string, string>> = { '\\\\': '\\\\', '\\b': '\\u0008', '\\f': '\\u000c' };

/** A string as the JSON writer of the server prints it inside a path element: HTML characters escaped. */
export function jsonStringText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /\\\\|\\b|\\f|[<>&\u2028\u2029]/gu,
    (found) => jsonEscapes[found] ?? `\\u${hex(found, 4)}`,
  );
}
