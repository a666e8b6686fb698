import { isObject } from './document.ts';

// The server's messages quote parts of a patch as Go prints maps, lists and types.

/** A value as `%v` prints it: `map[a:b c:[x y]]`, with keys in order. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return String(value as string | number | boolean);
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${key}:${goText(value[key])}`);
  return `map[${fields.join(' ')}]`;
}

/** A value that is no text where `%s` expects one: `%!s(int64=1)`. */
export function goStringOf(value: unknown): string {
  return typeof value === 'string' ? value : `%!s(${goType(value)}=${goText(value)})`;
}

/** The type a JSON value is decoded to. */
export function goType(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      if (value === null || value === undefined) return '%!s(<nil>)';
      return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
  }
}

/** What a JSON value is called where it does not fit. */
export function jsonKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
