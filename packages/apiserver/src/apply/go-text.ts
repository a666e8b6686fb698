import { quote } from '../schema/index.ts';
import { compareText, isNumeric, isObject } from './value.ts';

// The server's messages contain values as Go prints them; clients and tests match on these texts.

const hex = (char: string, digits: number): string => (char.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');

const jsonEscapes: Readonly<Record<string, string>> = { '\\\\': '\\\\', '\\b': '\\u0008', '\\f': '\\u000c' };

/** A string as the JSON writer of the server prints it inside a path element: HTML characters escaped. */
export function jsonText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /\\\\|\\b|\\f|[<>&\u2028\u2029]/gu,
    (found) => jsonEscapes[found] ?? `\\u${hex(found, 4)}`,
  );
}

const sortedEntries = (value: object): [string, unknown][] =>
  Object.entries(value).toSorted(([left], [right]) => compareText(left, right));

/** A value as `%v` prints it: `map[a:b]`, `[x y]`, `<nil>`. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(plain).join(' ')}]`;
  if (!isObject(value)) return `${value as number | boolean}`;
  return `map[${sortedEntries(value)
    .map(([name, field]) => `${name}:${plain(field)}`)
    .join(' ')}]`;
}

/** A value as `%#v` prints it: `map[string]interface {}{"a":"b"}`. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return `${value as number | boolean}`;
  return `map[string]interface {}{${sortedEntries(value)
    .map(([name, field]) => `${quote(name)}:${goSyntax(field)}`)
    .join(', ')}}`;
}

/** The type of a value as `%T` prints it. */
export function goType(value: unknown): string {
  if (isNumeric(value)) return Number.isInteger(Number(value)) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (value === null || value === undefined) return '<nil>';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}
