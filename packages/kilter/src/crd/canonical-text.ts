import { isRecord } from './json-schema.ts';

/** One text for equal values, whatever the order of their fields. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value).toSorted();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join(',')}}`;
}
