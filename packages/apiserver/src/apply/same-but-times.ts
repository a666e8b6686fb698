import type { Json, JsonObject } from 'kilter/api';
import { isObject, objectOf, sameValue } from '../values/index.ts';
import { managedFieldsOf, withoutManagers } from './managers.ts';

/** Equal, the times in managedFields aside: a write with such a result is not stored. */
export function sameButTimes(left: JsonObject, right: JsonObject): boolean {
  return sameValue(withoutManagers(left), withoutManagers(right)) && sameValue(timeless(left), timeless(right));
}

function timeless(object: JsonObject): Json[] {
  const entries = managedFieldsOf(object);
  if (!Array.isArray(entries)) return [];
  return entries.map((entry) =>
    isObject(entry) ? objectOf(Object.entries(entry).filter(([name]) => name !== 'time')) : entry,
  );
}
