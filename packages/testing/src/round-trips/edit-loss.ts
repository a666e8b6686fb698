import type { Json, JsonObject } from 'kilter/api';
import type { Schema } from '@kilter/apiserver';
import { type Difference, firstDifference } from './first-difference.ts';

/** The same place in four specs of the newest version. */
export interface Four {
  readonly path: string;
  readonly schema: Schema;
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

function fieldsIn({ path, schema, was, shown, changed, is }: Four): Four[] {
  const [before, seen, after, now] = [was, shown, changed, is].map((value) => new Map(Object.entries(value ?? {})));
  const { properties = {}, additionalProperties: values } = schema;
  return [...new Set([...(before?.keys() ?? []), ...(seen?.keys() ?? [])])].map((name) => ({
    path: /^[\w$-]+$/.test(name) ? `${path}.${name}` : `${path}[${name}]`,
    schema: (Object.hasOwn(properties, name) ? properties[name] : typeof values === 'object' ? values : {}) ?? {},
    was: before?.get(name),
    shown: seen?.get(name),
    changed: after?.get(name),
    is: now?.get(name),
  }));
}

/** Items of a list map by their keys, where each has one of its own and none was made up by the older version. */
function itemsIn({ path, schema, was, shown, changed, is }: Four): Four[] | undefined {
  if (!Array.isArray(was)) return undefined;
  const [before, seen, after, now] = [was, shown, changed, is].map((list) => byKey(list ?? [], schema));
  if (before === undefined || seen === undefined || after === undefined || now === undefined) return undefined;
  if ([...seen.keys()].some((key) => !before.has(key))) return undefined;
  return [...before].map(([key, item], i) => ({
    path: `${path}[${i}]`,
    schema: schema.items ?? {},
    was: item,
    shown: seen.get(key),
    changed: after.get(key),
    is: now.get(key),
  }));
}

function byKey(list: Json, schema: Schema): Map<string, Json> | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (!Array.isArray(list) || keys.length === 0 || !list.every(isObject)) return undefined;
  const keyOf = (item: JsonObject): string =>
    JSON.stringify(keys.map((key) => item[key] ?? schema.items?.properties?.[key]?.default ?? null));
  const items = new Map(list.map((item): [string, Json] => [keyOf(item), item]));
  return items.size === list.length ? items : undefined;
}
