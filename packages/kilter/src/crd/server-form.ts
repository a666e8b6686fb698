import { parseTime } from '../api/index.ts';
import { isRecord } from './json-schema.ts';
import { preserve, propertyOf, type Structural, valuesOf } from './structural.ts';

/** The schema of a field, or of an entry of a map. */
function partOf(schema: Structural, name: string): Structural | undefined {
  return propertyOf(schema, name) ?? valuesOf(schema);
}

/** What is not JSON is for others to refuse. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The value with each of its parts replaced that a schema is known of; what is given nothing for goes. */
function mapped(
  schema: Structural,
  value: unknown,
  replace: (part: Structural, inner: unknown, name?: string) => unknown,
): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item: unknown, i) => replace(items, item, String(i)));
  }
  if (!isRecord(value) || !isPlain(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    const part = partOf(schema, name);
    return [name, part === undefined ? inner : replace(part, inner, name)] as const;
  });
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

/** As the server reads it: null means absent if the schema does not allow it (list items stay). */
export function withoutNulls(schema: Structural | undefined, value: unknown): unknown {
  if (schema === undefined) return value;
  const isTaken = (part: Structural): boolean =>
    part.nullable === true || (part.type === undefined && part[preserve] === true);
  return mapped(schema, value, (part, inner) =>
    inner === null && !Array.isArray(value) && !isTaken(part) ? undefined : withoutNulls(part, inner),
  );
}

/** The server takes every time of RFC 3339; libraries often take one form of it. */
function inZulu(text: string): string {
  return parseTime(text) === undefined ? text : text.toUpperCase().replace(/[+-]\d\d:\d\d$/, 'Z');
}

/** The value for a library to judge: times of other zones as if they were of none. */
export function withPlainTimes(schema: Structural | undefined, value: unknown): unknown {
  if (schema === undefined) return value;
  if (typeof value === 'string') return schema.format === 'date-time' ? inZulu(value) : value;
  return mapped(schema, value, withPlainTimes);
}

/** What a library made of such a value, with the times as they were given. */
export function withTimesOf(schema: Structural | undefined, judged: unknown, given: unknown): unknown {
  if (schema === undefined) return judged;
  if (typeof judged === 'string')
    return schema.format === 'date-time' && typeof given === 'string' && inZulu(given) === judged ? given : judged;
  const givenAt = (name: string): unknown =>
    typeof given === 'object' && given !== null && Object.hasOwn(given, name)
      ? (given as Readonly<Record<string, unknown>>)[name]
      : undefined;
  return mapped(schema, judged, (part, inner, name = '') => withTimesOf(part, inner, givenAt(name)));
}
