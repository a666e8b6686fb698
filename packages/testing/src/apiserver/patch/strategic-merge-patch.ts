import type { Json, JsonObject } from 'kilter/api';
import { clone, field, isObject, setField, typeName } from './document.ts';
import { PatchError } from './patch-error.ts';
import { hasStrategy, hintsOf, type PatchHints } from './patch-hints.ts';
import {
  deleteListPrefix,
  directiveOf,
  isDirectiveKey,
  orderListPrefix,
  retainKeysDirective,
  withoutDirectives,
} from './strategic-directives.ts';
import { inOrder, mergeList } from './strategic-lists.ts';

/**
 * Applies a strategic merge patch as kube-apiserver does: a merge patch in which the schema's hints say how lists merge, with
 * the directives `$patch`, `$deleteFromPrimitiveList/f`, `$setElementOrder/f` and `$retainKeys`. The result shares
 * nothing with its inputs.
 *
 * Two things surprise, and are so on the real server: an object with `$patch` vanishes where the document has nothing at its
 * place, and `$patch: merge` is refused (merging is what happens without a directive).
 */
export function strategicMergePatch(document: JsonObject, patch: Json, hints: PatchHints): JsonObject {
  if (!isObject(patch)) {
    throw new PatchError('malformed', `error decoding patch: a patch is an object, but got ${typeName(patch)}`);
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
    if (key.startsWith(deleteListPrefix)) deleteFromList(target, key.slice(deleteListPrefix.length), value);
    else if (!isDirectiveKey(key) && !ordered.has(key)) mergeField(target, { key, value, hints: hintsOf(hints, key) });
  }
  return target;
}

/** The patch itself stands in the object's place, without its directive. */
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
  const current = field(target, key);
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

/** `$retainKeys` names the only fields that stay; a patch that sets another one contradicts itself. */
function retainKeys(target: JsonObject, patch: JsonObject): void {
  const kept = field(patch, retainKeysDirective);
  if (kept === undefined) return;
  if (!Array.isArray(kept)) throw new PatchError('inapplicable', 'invalid patch format of retainKeys');
  const names = new Set(kept);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || isDirectiveKey(key) || names.has(key)) continue;
    throw new PatchError('inapplicable', `invalid patch format of retainKeys: "${key}" is patched but not retained`);
  }
  for (const key of Object.keys(target)) if (!names.has(key)) delete target[key];
}

function deleteFromList(target: JsonObject, key: string, gone: Json): void {
  const current = field(target, key);
  if (!Array.isArray(current)) return;
  if (!Array.isArray(gone)) throw new PatchError('inapplicable', 'invalid patch format of primitive list');
  setField(
    target,
    key,
    current.filter((item) => !gone.includes(item)),
  );
}

/** Merges and orders each list that has a `$setElementOrder`, and returns the names of the lists it is done with. */
function applyOrders(target: JsonObject, patch: JsonObject, hints: PatchHints): string[] {
  const done: string[] = [];
  for (const [directive, order] of Object.entries(patch)) {
    if (!directive.startsWith(orderListPrefix)) continue;
    const key = directive.slice(orderListPrefix.length);
    const added = field(patch, key);
    const current = field(target, key);
    if (added === undefined && current === undefined) continue;
    if (!isListOrAbsent(order) || !isListOrAbsent(added) || !isListOrAbsent(current)) {
      throw new PatchError('inapplicable', `invalid patch format of setElementOrder list "${key}"`);
    }
    const fieldHints = hintsOf(hints, key);
    const merged = added === undefined ? current : mergeValue(current, added, fieldHints);
    setField(target, key, inOrder(merged as Json[], { order: order ?? [], added, current, hints: fieldHints }));
    done.push(key);
  }
  return done;
}

function isListOrAbsent(value: Json | undefined): value is Json[] | undefined {
  return value === undefined || Array.isArray(value);
}
