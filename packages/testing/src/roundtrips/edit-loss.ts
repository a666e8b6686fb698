import type { Json, JsonObject } from 'kilter/api';
import type { Schema } from '@kilter/apiserver/schema';
import { type Difference, firstDifference } from './first-difference.ts';
import type { ItemKeys } from './versions.ts';

/** The same place in four specs of the newest version. */
export interface Four {
  readonly path: string;
  readonly schema: Schema;
  /** Lists whose items conversions tell apart by something. */
  readonly itemKeys: ItemKeys;
  /** What it was. */
  readonly was: Json | undefined;
  /** What the older version shows of that. */
  readonly shown: Json | undefined;
  /** What it shows after a change. */
  readonly changed: Json | undefined;
  /** What it is after that change. */
  readonly is: Json | undefined;
}

/**
 * What a change in an older version took away that it does not show: where that version says before and after the change
 * the same, and something else than there was, there must be again what there was. Nothing is said of the rest: there what
 * was changed counts.
 */
export function editLoss(four: Four): Difference | undefined {
  const { path, was, shown, changed, is } = four;
  if (isSame(was, shown)) return undefined;
  if ([was, shown, changed, is].every(isObject)) return firstOf(fieldsIn(four));
  const items = itemsIn(four);
  if (items !== undefined) return firstOf(items);
  return isSame(shown, changed) ? firstDifference(was, is, { path }) : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return firstDifference(one, other) === undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstOf(places: readonly Four[]): Difference | undefined {
  for (const place of places) {
    const found = editLoss(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fieldsIn({ path, schema, itemKeys, was, shown, changed, is }: Four): Four[] {
  const [before, seen, after, now] = [was, shown, changed, is].map((value) => new Map(Object.entries(value ?? {})));
  const { properties = {}, additionalProperties: values } = schema;
  return [...new Set([...(before?.keys() ?? []), ...(seen?.keys() ?? [])])].map((name) => ({
    path: /^[\w$-]+$/.test(name) ? `${path}.${name}` : `${path}[${name}]`,
    schema: (Object.hasOwn(properties, name) ? properties[name] : typeof values === 'object' ? values : {}) ?? {},
    itemKeys,
    was: before?.get(name),
    shown: seen?.get(name),
    changed: after?.get(name),
    is: now?.get(name),
  }));
}

/** Items of a list by what tells them apart, or by their place where nothing does; nothing where neither can be said. */
function itemsIn(four: Four): Four[] | undefined {
  return keysAt(four).length > 0 ? itemsByKey(four) : itemsByPlace(four);
}

function keysAt({ path, schema, itemKeys }: Four): readonly string[] {
  return schema['x-kubernetes-list-map-keys'] ?? itemKeys[path.replaceAll(/\[\d+\]/g, '[*]')] ?? [];
}

/** Where each has its own key and none was made up by the older version. */
function itemsByKey(four: Four): Four[] | undefined {
  const { was, shown, changed, is } = four;
  if (!Array.isArray(was)) return undefined;
  const [before, seen, after, now] = [was, shown, changed, is].map((list) => byKey(list ?? [], four));
  if (before === undefined || seen === undefined || after === undefined || now === undefined) return undefined;
  if ([...seen.keys()].some((key) => !before.has(key))) return undefined;
  return [...before].map(([key, item], i) =>
    itemOf(four, { place: i, was: item, shown: seen.get(key), changed: after.get(key), is: now.get(key) }),
  );
}

type Values = Pick<Four, 'was' | 'shown' | 'changed' | 'is'>;

function itemOf({ path, schema, itemKeys }: Four, { place, ...values }: Values & { place: number }): Four {
  return { path: `${path}[${place}]`, schema: schema.items ?? {}, itemKeys, ...values };
}

/** Nobody moved an item where at most one of them is not the same, or all but one are still there. */
function itemsByPlace(four: Four): Four[] | undefined {
  const { was, shown, changed, is, schema } = four;
  if (![was, shown, changed].every(Array.isArray) || schema['x-kubernetes-list-type'] === 'set') return undefined;
  const [before, seen, after] = [was, shown, changed] as [Json[], Json[], Json[]];
  const now = Array.isArray(is) ? is : [];
  if (seen.length !== before.length) return undefined;
  const gone = goneFrom(seen, after);
  if (gone === undefined) return undefined;
  const left = before.flatMap((item, i) => (i === gone ? [] : [{ place: i, was: item, shown: seen[i] }]));
  return left.map((values, i) => itemOf(four, { ...values, changed: after[i], is: now[i] }));
}

/** Which item was taken out of a list, -1 for none; nothing where more was done to it than to change or take away one item. */
function goneFrom(before: readonly Json[], after: readonly Json[]): number | undefined {
  if (before.length === after.length) {
    const touched = before.filter((item, i) => !isSame(item, after[i]));
    return touched.length <= 1 ? -1 : undefined;
  }
  if (before.length !== after.length + 1) return undefined;
  const first = before.findIndex((item, i) => !isSame(item, after[i]));
  return before.slice(first + 1).every((item, i) => isSame(item, after[first + i])) ? first : undefined;
}

function byKey(list: Json, four: Four): Map<string, Json> | undefined {
  const keys = keysAt(four);
  const { items } = four.schema;
  if (!Array.isArray(list) || !list.every(isObject)) return undefined;
  const keyOf = (item: JsonObject): string =>
    JSON.stringify(keys.map((key) => item[key] ?? items?.properties?.[key]?.default ?? null));
  const found = new Map(list.map((item): [string, Json] => [keyOf(item), item]));
  return found.size === list.length ? found : undefined;
}
