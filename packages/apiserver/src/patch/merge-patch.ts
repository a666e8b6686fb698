import type { Json, JsonObject } from 'kilter/api';
import { clone, fieldOf, isObject, setField } from '../values/index.ts';

/**
 * Applies a merge patch (RFC 7396): objects are merged, null takes a field away, anything else, lists included,
 * replaces what was there. As on the API server, and unlike the RFC, null fields of objects inside a list go as well.
 * The result shares nothing with its inputs.
 */
export function mergePatch(document: Json, patch: Json): Json {
  if (Array.isArray(patch)) return patch.map((item) => mergePatch({}, item));
  if (!isObject(patch)) return patch;
  const merged: JsonObject = isObject(document) ? clone(document) : {};
  mergeInto(merged, patch);
  return merged;
}

/** `target` is private to this call. */
function mergeInto(target: JsonObject, patch: JsonObject): void {
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete target[key];
      continue;
    }
    const current = fieldOf(target, key);
    if (isObject(current) && isObject(value)) mergeInto(current, value);
    else setField(target, key, mergePatch({}, value));
  }
}
