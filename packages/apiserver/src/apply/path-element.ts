import type { Json, JsonObject } from 'kilter/api';
import { compareScalars, compareText, isObject, jsonStringText, parseJson, quote } from '../values/index.ts';

/**
 * One step into an object, in the canonical form of FieldsV1: `f:name` a field, `k:{"name":"a"}` the item of a list
 * with these keys (sorted by name), `v:"x"` the item of a set, `i:0` an index. Equal steps are equal strings.
 */
export type PathElement = `${'f' | 'k' | 'v' | 'i'}:${string}`;

export type FieldPathElements = readonly PathElement[];

export const fieldElement = (name: string): PathElement => `f:${name}`;

export const indexElement = (index: number): PathElement => `i:${index}`;

export const valueElement = (value: unknown): PathElement => `v:${scalarText(value)}`;

export function keyElement(keys: readonly (readonly [string, unknown])[]): PathElement {
  const fields = keys
    .toSorted(([left], [right]) => compareText(left, right))
    .map(([name, value]) => `${JSON.stringify(name)}:${scalarText(value)}`);
  return `k:{${fields.join(',')}}`;
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return jsonStringText(value);
  if (typeof value === 'bigint') return String(value);
  return JSON.stringify(value) ?? 'null';
}

/** Undefined when it is not JSON. */
function parseExact(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined; // the caller says which element was wrong
  }
}

/** The canonical form of an element as a client wrote it; undefined when it is malformed or of an unknown kind. */
export function parseElement(text: string): PathElement | undefined {
  const content = text.slice(2);
  if (text.startsWith('f:')) return fieldElement(content);
  if (text.startsWith('i:')) return /^[+-]?\d+$/.test(content) ? indexElement(Number(content)) : undefined;
  const parsed = text.startsWith('v:') || text.startsWith('k:') ? parseExact(content) : undefined;
  if (parsed === undefined) return undefined;
  if (text.startsWith('v:')) return valueElement(parsed.value);
  return isObject(parsed.value) ? keyElement(Object.entries(parsed.value)) : undefined;
}

const contentOf = (element: PathElement): unknown => parseExact(element.slice(2))?.value;

const keysOf = (element: PathElement): [string, unknown][] =>
  Object.entries(contentOf(element) as Record<string, Json>).toSorted(([left], [right]) => compareText(left, right));

/** One step as messages write it: `.name`, `[name="a",port=80]`, `[="x"]`, `[0]`. */
export function elementText(element: PathElement): string {
  const content = element.slice(2);
  if (element.startsWith('f:')) return `.${content}`;
  if (element.startsWith('i:')) return `[${content}]`;
  if (element.startsWith('v:')) return `[=${shown(contentOf(element))}]`;
  return `[${keysOf(element)
    .map(([name, value]) => `${name}=${shown(value)}`)
    .join(',')}]`;
}

/** A value inside a path: the fields of an object run together, as the server writes them. */
function shown(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(shown).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value as number | bigint | boolean | null);
  return Object.entries(value as JsonObject)
    .map(([key, field]) => `${key}=${shown(field)}`)
    .join('');
}

export const pathText = (path: FieldPathElements): string => path.map(elementText).join('');

const kinds = 'fkvi';

/** The server's order: fields by name, then keys field by field, then values, then indexes. */
export function compareElements(left: PathElement, right: PathElement): number {
  if (left === right) return 0;
  const difference = kinds.indexOf(left.charAt(0)) - kinds.indexOf(right.charAt(0));
  if (difference !== 0) return difference;
  if (left.startsWith('f:')) return compareText(left, right);
  if (left.startsWith('k:')) return compareKeys(keysOf(left), keysOf(right));
  return compareScalars(contentOf(left), contentOf(right));
}

function compareKeys(left: readonly [string, unknown][], right: readonly [string, unknown][]): number {
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const difference = compareText(name, other[0]) || compareScalars(value, other[1]);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
