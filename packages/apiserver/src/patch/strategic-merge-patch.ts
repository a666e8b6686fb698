import type { Json, JsonObject } from 'kilter/api';
import { clone, fieldOf, isObject, jsonKind, setField } from '../values/index.ts';
import { receivedType } from './document.ts';
import { PatchError } from './patch-error.ts';
import { hasStrategy, hintsOf, hintsOfNamed, type PatchHints } from './patch-hints.ts';
import {
  deletionListOf,
  directiveOf,
  isDirectiveKey,
  isOrderKey,
  orderedListOf,
  retainKeysDirective,
  withoutDirectives,
} from './strategic-directives.ts';
import { inOrder, mergeList, withoutItems } from './strategic-lists.ts';

/**
 * Applies a strategic merge patch as kube-apiserver does: a merge patch in which the schema's hints say how lists merge, with
 * the directives `$patch`, `$deleteFromPrimitiveList/f`, `$setElementOrder/f` and `$retainKeys`. The result shares
 * nothing with its inputs.
 *
 * Two things surprise, and are so on the real server: an object with `$patch` vanishes where the document has nothing at its
 * place, and `$patch: merge` is refused (merging is what happens without a directive).
 */
export function strategicMergePatch(document: JsonObject, patch: Json, hints: PatchHints): JsonObject {
  if (patch === null) return clone(document);
  if (!isObject(patch)) {
    const what = `json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`;
    throw new PatchError('malformed', what);
  }
  return mergeObject(clone(document), patch, hints);
}

/** `target` is private to the call and changed in place. */
function mergeObject(target: JsonObject, patch: JsonObject, hints: PatchHints): JsonObject {
  const directive = directiveOf(patch);
  if (directive === 'delete') return {};
  if (directive === 'replace') return replacement(patch);
  retainKeys(target, patch);
  const ordered = new Set(applyOrders(target, patch, hints));
  for (const [key, value] of Object.entries(patch)) {
    const list = deletionListOf(key);
    if (list !== undefined) deleteFromList(target, list, { gone: value, hints });
    else if (!isDirectiveKey(key) && !ordered.has(key)) mergeField(target, { key, value, hints: hintsOf(hints, key) });
  }
  return target;
}

/** The patch itself is in the object's place, without its directive. */
function replacement(patch: JsonObject): JsonObject {
  const { $patch: _, ...rest } = patch;
  return withoutDirectives(rest) as JsonObject;
}

interface FieldPatch {
  readonly key: string;
  readonly value: Json;
  readonly hints: PatchHints;
}

function mergeField(target: JsonObject, { key, value, hints }: FieldPatch): void {
  if (value === null) {
    delete target[key];
    return;
  }
  const current = fieldOf(target, key);
  const merged = mergeValue(current, value, hints);
  if (merged === undefined) delete target[key];
  else setField(target, key, merged);
}

function mergeValue(current: Json | undefined, value: Json, hints: PatchHints): Json | undefined {
  if (isObject(current) && isObject(value)) {
    return hasStrategy(hints, 'replace') ? replacement(value) : mergeObject(current, value, hints);
  }
  if (Array.isArray(current) && Array.isArray(value) && hasStrategy(hints, 'merge')) {
    return mergeList(current, value, { hints, mergeObject });
  }
  return withoutDirectives(value);
}

const badRetainKeys = 'invalid patch format of retainKeys';

/** `$retainKeys` names the only fields that stay; a patch that sets another one contradicts itself. */
function retainKeys(target: JsonObject, patch: JsonObject): void {
  const kept = fieldOf(patch, retainKeysDirective);
  if (kept === undefined) return;
  if (!Array.isArray(kept)) throw new PatchError('malformed', badRetainKeys);
  const names = new Set(kept);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || isDirectiveKey(key) || names.has(key)) continue;
    throw new PatchError('malformed', badRetainKeys);
  }
  for (const key of Object.keys(target)) if (!names.has(key)) delete target[key];
}

/** Null takes the whole list; anything else that is not a list says nothing. */
function deleteFromList(target: JsonObject, key: string, { gone, hints }: { gone: Json; hints: PatchHints }): void {
  const current = fieldOf(target, key);
  if (gone === null) delete target[key];
  if (!Array.isArray(current) || !Array.isArray(gone)) return;
  hintsOfNamed(hints, key);
  setField(target, key, withoutItems(current, gone));
}

/** Merges and orders each list that has a `$setElementOrder`, and returns the names of the lists it is done with. */
function applyOrders(target: JsonObject, patch: JsonObject, hints: PatchHints): string[] {
  const done: string[] = [];
  for (const [directive, order] of Object.entries(patch)) {
    if (!isOrderKey(directive)) continue;
    const wanted = listOf(order) ?? [];
    const key = orderedListOf(directive);
    const current = listOf(fieldOf(target, key));
    const added = listOf(fieldOf(patch, key));
    const fieldHints = hintsOfNamed(hints, key);
    if (added === undefined && current === undefined) continue;
    const merged = added === undefined ? current : mergeValue(current, added, fieldHints);
    setField(target, key, inOrder(merged as Json[], { order: wanted, added, current, hints: fieldHints }));
    done.push(key);
  }
  return done;
}

/** A list or nothing. */
function listOf(value: Json | undefined): Json[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  throw new PatchError('contradictory', `expected a []interface {}, but received a ${receivedType(value)}`);
}
