import type { JsonObject } from 'kilter/api';
import { sameValue, textIn } from '../values/index.ts';

/** Whether one toleration tolerates all that another does. */
function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (sameValue(wide, narrow)) return true;
  const operator = textIn(wide, 'operator') || 'Equal';
  const isOfAllKeys = textIn(wide, 'key') === '' && operator === 'Exists';
  if (textIn(wide, 'key') !== textIn(narrow, 'key') && !isOfAllKeys) return false;
  const effect = textIn(wide, 'effect');
  if (effect !== '' && effect !== textIn(narrow, 'effect')) return false;
  const [longest, seconds] = [wide['tolerationSeconds'], narrow['tolerationSeconds']];
  const isBounded = effect === 'NoExecute' && typeof longest === 'number';
  if (isBounded && (typeof seconds !== 'number' || seconds > longest)) return false;
  if (operator === 'Exists') return true;
  return textIn(narrow, 'operator') === 'Equal' && textIn(narrow, 'value') === textIn(wide, 'value');
}

/** Both lists in one, without what another of them covers. */
export function mergedTolerations(first: readonly JsonObject[], second: readonly JsonObject[]): JsonObject[] {
  const all = [...first, ...second];
  const merged: JsonObject[] = [];
  for (const [index, one] of all.entries()) {
    const later = all.slice(index + 1);
    const isCovered =
      merged.some((other) => covers(other, one)) || later.some((other) => !sameValue(other, one) && covers(other, one));
    if (!isCovered) merged.push(one);
  }
  return merged;
}
