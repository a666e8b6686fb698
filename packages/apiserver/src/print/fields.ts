import { type Json, type JsonObject, parseTime } from 'kilter/api';
import { humanDuration } from './human-duration.ts';

/** The value at a path of field names; undefined where the path ends early. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((current, field) => {
    if (typeof current !== 'object' || current === null || Array.isArray(current)) return undefined;
    return Object.hasOwn(current, field) ? current[field] : undefined;
  }, value);
}

export function text(value: Json | undefined, ...path: readonly string[]): string {
  const found = at(value, ...path);
  if (typeof found === 'string') return found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : '';
}

export function count(value: Json | undefined, ...path: readonly string[]): number {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : 0;
}

export function items(value: Json | undefined, ...path: readonly string[]): Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function fieldsOf(value: Json | undefined, ...path: readonly string[]): JsonObject {
  const found = at(value, ...path);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : {};
}

/** The text, or kubectl's word for none. */
export const orNone = (found: string): string => (found === '' ? '<none>' : found);

/** How long ago a time was; kubectl's word for unknown if there is none. */
export function since(time: string, now: number): string {
  const ms = parseTime(time);
  return ms === undefined ? '<unknown>' : humanDuration(now - ms);
}

/** Labels as kubectl writes them: `a=b,c=d`. */
export function labelsText(labels: JsonObject): string {
  const pairs = Object.keys(labels)
    .toSorted()
    .map((key) => `${key}=${text(labels, key)}`);
  return orNone(pairs.join(','));
}

const operators: Readonly<Record<string, string>> = { In: 'in', NotIn: 'notin' };

function expressionText(expression: Json): string {
  const key = text(expression, 'key');
  const operator = text(expression, 'operator');
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  const values = items(expression, 'values').map((value) => text(value));
  return `${key} ${operators[operator] ?? operator} (${values.toSorted().join(',')})`;
}

/** A label selector as kubectl writes it. */
export function selectorText(selector: Json | undefined): string {
  const labels = Object.entries(fieldsOf(selector, 'matchLabels')).map(([key, value]) => `${key}=${text(value)}`);
  const expressions = items(selector, 'matchExpressions').map(expressionText);
  return orNone([...labels.toSorted(), ...expressions].join(','));
}

export function conditionStatus(object: Json, type: string): string | undefined {
  const found = items(object, 'status', 'conditions').find((condition) => at(condition, 'type') === type);
  return found === undefined ? undefined : text(found, 'status');
}
