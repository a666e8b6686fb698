import type { JsonObject } from 'kilter/api';
import { objectIfIn, objectsIn, textIn, textsOf } from '../values/index.ts';

type Labels = Readonly<Record<string, string>>;

function meets(expression: JsonObject, labels: Labels): boolean {
  const key = textIn(expression, 'key');
  const has = Object.hasOwn(labels, key);
  const isListed = has && textsOf(expression['values']).includes(labels[key] ?? '');
  switch (textIn(expression, 'operator')) {
    case 'In':
      return isListed;
    case 'NotIn':
      return !isListed;
    case 'Exists':
      return has;
    case 'DoesNotExist':
      return !has;
    default:
      return false;
  }
}

/** Whether a LabelSelector takes these labels; one that says nothing takes all, and so does none. */
export function selects(selector: JsonObject | undefined, labels: Labels): boolean {
  if (selector === undefined) return true;
  const wanted = Object.entries((objectIfIn(selector, 'matchLabels') ?? {}) as Labels);
  return (
    wanted.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value) &&
    objectsIn(selector, 'matchExpressions').every((expression) => meets(expression, labels))
  );
}

/** Whether a selector looks at labels at all. */
export function isSelective(selector: JsonObject | undefined): selector is JsonObject {
  if (selector === undefined) return false;
  const labels = objectIfIn(selector, 'matchLabels') ?? {};
  return Object.keys(labels).length > 0 || objectsIn(selector, 'matchExpressions').length > 0;
}
