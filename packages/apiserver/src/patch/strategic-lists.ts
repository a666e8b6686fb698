import type { Json, JsonObject } from 'kilter/api';
import { fieldOf, goText, goType, isObject } from '../values/index.ts';
import { receivedType } from './document.ts';
import { PatchError } from './patch-error.ts';
import type { PatchHints } from './patch-hints.ts';
import { hasDirective, itemDirectiveOf, withoutDirectives } from './strategic-directives.ts';

export interface ListMerge {
  readonly hints: PatchHints;
  /** How two items with the same key merge; handed in because objects hold lists and lists hold objects. */
  readonly mergeObject: (target: JsonObject, patch: JsonObject, hints: PatchHints) => JsonObject;
}

/** Merges a patch's list into the current one, which is private to the call. */
export function mergeList(current: Json[], patch: Json[], merge: ListMerge): Json[] {
  if (current.length === 0 && patch.length === 0) return current;
  const mergeKey = merge.hints['x-kubernetes-patch-merge-key'];
  if (!holdsObjects(current, patch)) return arrange(union(current, patch), { first: patch, before: current, mergeKey });
  if (mergeKey === undefined) {
    throw new PatchError('contradictory', 'cannot merge lists without merge key');
  }
  const { kept, additions, replaced } = splitPatch(current as JsonObject[], patch as JsonObject[], mergeKey);
  if (replaced) {
    for (const item of additions) keyOf(item, mergeKey);
    return additions.map(withoutDirectives) as Json[];
  }
  const merged = mergeItems(kept, additions, { ...merge, mergeKey });
  return arrange(merged, { first: additions, before: kept, mergeKey });
}

/** What `$deleteFromPrimitiveList` leaves of a list. */
export function withoutItems(current: Json[], gone: Json[]): Json[] {
  if (current.length > 0 || gone.length > 0) holdsObjects(current, gone);
  const taken = new Set(gone);
  return current.filter((item) => !taken.has(item));
}

/** Lists merge as sets of scalars or as maps of objects; anything else has no meaning. */
function holdsObjects(...lists: Json[][]): boolean {
  const items = lists.flat();
  const [first] = items;
  if (Array.isArray(first)) throw new PatchError('inapplicable', 'lists of lists are not supported');
  const type = goType(first);
  if (items.every((item) => goType(item) === type)) return isObject(first);
  throw new PatchError('contradictory', `list element types are not identical: ${goText(lists)}`);
}

function union(current: Json[], patch: Json[]): Json[] {
  return [...new Set([...current, ...patch])];
}

interface SplitPatch {
  readonly kept: JsonObject[];
  readonly additions: JsonObject[];
  readonly replaced: boolean;
}

/** Carries out the items that are directives: deletions at once, and one `$patch: replace` anywhere replaces the list. */
function splitPatch(current: JsonObject[], patch: JsonObject[], mergeKey: string): SplitPatch {
  const deleted = new Set<Json>();
  let replaced = false;
  const additions: JsonObject[] = [];
  for (const item of patch) {
    const directive = itemDirectiveOf(item);
    if (directive === 'replace') replaced = true;
    else if (directive === 'delete') deleted.add(keyOf(item, mergeKey));
    else additions.push(item);
  }
  const kept = current.filter((item) => !deleted.has(fieldOf(item, mergeKey) as Json));
  return { kept, additions, replaced };
}

function keyOf(item: JsonObject, mergeKey: string): Json {
  const key = fieldOf(item, mergeKey);
  if (key !== undefined) return key;
  throw new PatchError('contradictory', `map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
}

function mergeItems(
  kept: JsonObject[],
  additions: JsonObject[],
  { hints, mergeObject, mergeKey }: ListMerge & { readonly mergeKey: string },
): JsonObject[] {
  const merged = [...kept];
  const places = positions(merged.map((item) => fieldOf(item, mergeKey)));
  for (const item of additions) {
    const key = keyOf(item, mergeKey);
    const index = places.get(key) ?? merged.length;
    const partner = merged[index];
    const made =
      partner === undefined ? (withoutDirectives(item) as JsonObject) : mergeObject(partner, item, hints.items ?? {});
    merged[index] = made;
    // A key that is null is gone then, and found by nobody.
    if (fieldOf(made, mergeKey) === key) places.set(key, index);
    else places.delete(key);
  }
  return merged;
}

interface Arrangement {
  /** The items whose order counts most, in that order. */
  readonly first: readonly Json[];
  /** The list as it was, which decides where the other items go. */
  readonly before: readonly Json[];
  readonly mergeKey: string | undefined;
}

/** The order of the patch, with the items only the server knows let in where they stood before. */
function arrange(items: readonly Json[], { first, before, mergeKey }: Arrangement): Json[] {
  const identity = (item: Json | undefined): Json | undefined =>
    mergeKey !== undefined && isObject(item) ? fieldOf(item, mergeKey) : item;
  const rank = positions(first.map(identity));
  const oldRank = positions(before.map(identity));
  const rankIn = (ranks: Map<Json | undefined, number>, item: Json): number => ranks.get(identity(item)) ?? Infinity;
  const by =
    (ranks: Map<Json | undefined, number>) =>
    (a: Json, b: Json): number =>
      compare(rankIn(ranks, a), rankIn(ranks, b));
  const patched = items.filter((item) => rank.has(identity(item))).sort(by(rank));
  const others = items.filter((item) => !rank.has(identity(item))).sort(by(oldRank));
  return interleave(others, patched, (other, item) => {
    const position = oldRank.get(identity(item));
    return position !== undefined && rankIn(oldRank, other) < position;
  });
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Where each value stands first. */
function positions(values: readonly (Json | undefined)[]): Map<Json | undefined, number> {
  const result = new Map<Json | undefined, number>();
  for (const [index, value] of values.entries()) if (!result.has(value)) result.set(value, index);
  return result;
}

function interleave(left: Json[], right: Json[], leftFirst: (left: Json, right: Json) => boolean): Json[] {
  const result: Json[] = [];
  let next = 0;
  for (const item of right) {
    while (next < left.length && leftFirst(left[next] as Json, item)) result.push(left[next++] as Json);
    result.push(item);
  }
  return [...result, ...left.slice(next)];
}

/** Brings a merged list into the order of its `$setElementOrder`, which must list what the patch adds, in the same order. */
export function inOrder(
  merged: Json[],
  {
    order,
    added,
    current,
    hints,
  }: { order: Json[]; added: Json[] | undefined; current: Json[] | undefined; hints: PatchHints },
): Json[] {
  const mergeKey = hints['x-kubernetes-patch-merge-key'];
  checkOrder(added ?? [], order, mergeKey);
  const before = mergeKey === undefined ? (current ?? []) : placesSeen(current ?? [], added ?? [], mergeKey);
  return arrange(merged, { first: order, before, mergeKey });
}

/**
 * Where items stood, as far as the real server can tell: it deletes within the very list it compares with, and what the patch adds
 * takes the places that came free at its end.
 */
function placesSeen(current: readonly Json[], added: readonly Json[], mergeKey: string): Json[] {
  const keyIn = (item: Json): Json | undefined => (isObject(item) ? fieldOf(item, mergeKey) : item);
  const deleted = new Set(added.filter(hasDirective).map(keyIn));
  const known = new Set(current.map(keyIn));
  const kept = current.filter((item) => !deleted.has(keyIn(item)));
  const further = added.filter((item) => !hasDirective(item) && !known.has(keyIn(item)));
  return [...kept, ...further].slice(0, current.length);
}

function checkOrder(added: Json[], order: Json[], mergeKey: string | undefined): void {
  if (order.length === 0 || added.length === 0) return;
  const identity = (item: Json): Json => (mergeKey === undefined ? item : keyOf(objectItem(item), mergeKey));
  const listed = order.map(identity);
  let position = 0;
  for (const item of added) {
    if (hasDirective(item)) continue;
    position = listed.indexOf(identity(item), position) + 1;
    if (position > 0) continue;
    throw new PatchError(
      'contradictory',
      `The order in patch list:\n${goText(added)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
    );
  }
}

function objectItem(item: Json): JsonObject {
  if (isObject(item)) return item;
  throw new PatchError('contradictory', `expected a map[string]interface {}, but received a ${receivedType(item)}`);
}
