import type { JsonObject } from 'kilter/api';
import { objectIfIn, objectsIn, textIn, textsOf } from './fields.ts';
import { fieldOf } from './plain-data.ts';

function satisfies(expression: JsonObject, labels: JsonObject): boolean {
  const value = fieldOf(labels, textIn(expression, 'key'));
  const values = textsOf(expression['values']);
  switch (textIn(expression, 'operator')) {
    case 'In':
      return typeof value === 'string' && values.includes(value);
    case 'NotIn':
      return typeof value !== 'string' || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

/** Whether labels satisfy the selector of an object: none selects nothing, an empty one everything. */
export function selectsLabels(selector: JsonObject | undefined, labels: JsonObject = {}): boolean {
  if (selector === undefined) return false;
  const equal = Object.entries(objectIfIn(selector, 'matchLabels') ?? {});
  return (
    equal.every(([key, value]) => fieldOf(labels, key) === value) &&
    objectsIn(selector, 'matchExpressions').every((expression) => satisfies(expression, labels))
  );
}
