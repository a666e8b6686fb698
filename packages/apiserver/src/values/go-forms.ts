import { compareText } from './equality.ts';
import { quote } from './go-text.ts';
import { isNumeric, isObject } from './plain-data.ts';

// The server's messages contain values and their types as Go prints them; clients and tests match on these texts.

const sortedEntries = (value: object): [string, unknown][] =>
  Object.entries(value).toSorted(([left], [right]) => compareText(left, right));

/** A value as `%v` prints it: `map[a:b c:[x y]]`, `<nil>`, with keys in order. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return `${value as string | number | boolean}`;
  return `map[${sortedEntries(value)
    .map(([name, field]) => `${name}:${goText(field)}`)
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

/** The type a JSON value is decoded to, as `%T` prints it. */
export function goType(value: unknown): string {
  if (isNumeric(value)) return Number.isInteger(Number(value)) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (value === null || value === undefined) return '<nil>';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** A value where `%s` expects a text: `%!s(int64=1)` if it is none. */
export function goStringOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '%!s(<nil>)' : `%!s(${goType(value)}=${goText(value)})`;
}

/** What a JSON value is called where it does not fit. */
export function jsonKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
