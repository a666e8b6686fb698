import type { Json, JsonObject } from 'kilter/api';
import { field, isObject, setField } from './document.ts';
import { PatchError } from './patch-error.ts';

export const deleteListPrefix = '$deleteFromPrimitiveList/';
export const orderListPrefix = '$setElementOrder/';
export const retainKeysDirective = '$retainKeys';
const patchDirective = '$patch';

/** Keys that tell what to do and are never stored. */
export function isDirectiveKey(key: string): boolean {
  return (
    key === patchDirective ||
    key === retainKeysDirective ||
    key.startsWith(deleteListPrefix) ||
    key.startsWith(orderListPrefix)
  );
}

export function directiveOf(patch: JsonObject): 'replace' | 'delete' | undefined {
  const directive = field(patch, patchDirective);
  if (directive === undefined || directive === 'replace' || directive === 'delete') return directive;
  throw new PatchError(
    'inapplicable',
    `unknown patch type: ${JSON.stringify(directive)}: $patch takes "replace" or "delete"`,
  );
}

/**
 * A private copy of a patch's value for a place where nothing is to merge with: without directives, without the
 * fields that are null, and undefined where the value itself is an object with `$patch`.
 */
export function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, patchDirective)) return undefined;
  const kept: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === null || isDirectiveKey(key)) continue;
    const clean = withoutDirectives(item);
    if (clean !== undefined) setField(kept, key, clean);
  }
  return kept;
}
