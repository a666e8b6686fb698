import type { Json, JsonObject } from 'kilter/api';
import { fieldOf, goStringOf, goText, isObject, setField } from '../values/index.ts';
import { PatchError } from './patch-error.ts';

const deleteListDirective = '$deleteFromPrimitiveList';
const orderListDirective = '$setElementOrder';
export const retainKeysDirective = '$retainKeys';
const patchDirective = '$patch';

/** Keys that tell what to do and are never stored. */
export function isDirectiveKey(key: string): boolean {
  return (
    key === patchDirective ||
    key === retainKeysDirective ||
    key.startsWith(deleteListDirective) ||
    key.startsWith(orderListDirective)
  );
}

/** The list that `$deleteFromPrimitiveList/f` takes values out of; undefined for any other key. */
export function deletionListOf(key: string): string | undefined {
  return key.startsWith(deleteListDirective) ? listNamed(key, deleteListDirective, 'primitive list') : undefined;
}

/** Whether a key orders a list; which one, says `orderedListOf`. */
export function isOrderKey(key: string): boolean {
  return key.startsWith(orderListDirective);
}

export function orderedListOf(key: string): string {
  return listNamed(key, orderListDirective, 'setElementOrder list');
}

function listNamed(key: string, directive: string, what: string): string {
  if (key.startsWith(`${directive}/`)) return key.slice(directive.length + 1);
  throw new PatchError('malformed', `invalid patch format of ${what}`);
}

export function directiveOf(patch: JsonObject): 'replace' | 'delete' | undefined {
  const directive = fieldOf(patch, patchDirective);
  if (directive === undefined || directive === 'replace' || directive === 'delete') return directive;
  throw new PatchError('contradictory', `unknown patch type: ${goStringOf(directive)} in map: ${goText(patch)}`);
}

/** The directive of a list's item, where `merge` has its own refusal. */
export function itemDirectiveOf(item: JsonObject): 'replace' | 'delete' | undefined {
  if (fieldOf(item, patchDirective) !== 'merge') return directiveOf(item);
  throw new PatchError('contradictory', 'merging lists cannot yet be specified in the patch');
}

export function hasDirective(item: Json): boolean {
  return isObject(item) && Object.hasOwn(item, patchDirective);
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
