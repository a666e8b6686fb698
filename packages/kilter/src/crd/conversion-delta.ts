import type { Json, JsonObject } from '../api/index.ts';
import { deepEqual } from '../internal/index.ts';
import { canonicalText } from './canonical-text.ts';
import { type Match, matched } from './conversion-keyed.ts';
import { type Edit, fieldOf, isKeyed, isMap, itemOf, keyIn, own, type ConversionPoint } from './conversion-place.ts';
import { isRecord } from './json-schema.ts';

/**
 * What makes one value of another: what a conversion there and back would lose. Each part remembers the value it
 * replaces, and is put back only where that value still stands: what was changed in between is what counts.
 */
export type Delta =
  | { readonly was?: Json; readonly is?: Json }
  /** A field the other version knows nothing of: nothing said there can speak against it. */
  | { readonly hidden: true; readonly is?: Json }
  | { readonly fields: Readonly<Record<string, Delta>> }
  | KeyedDelta
  /** Other items have no name but their content: one that was changed is another one. */
  | { readonly byValue: readonly (readonly [index: number, was: Json, is: Json])[] };

/** Items of a list map are known by their keys, those of a set by themselves. */
interface KeyedDelta {
  /** By the key the item has in the base. */
  readonly byKey: readonly { readonly key: Json; readonly delta: Delta }[];
  /** Items the other version never showed: they come back, whatever became of the others. */
  readonly hidden?: readonly Json[] | undefined;
  /** Items that were made up there and back: they go again, unless somebody made something of them. */
  readonly invented?: readonly Json[] | undefined;
  /** The keys in the order of the value, where that matters; items of the base by their key there. */
  readonly keys?: readonly Json[] | undefined;
  /** The same keys in the order of the base, where it is another one. */
  readonly were?: readonly Json[] | undefined;
}

/** Nothing, if `base` is `value` already. */
export function deltaOf(
  base: Json | undefined,
  value: Json | undefined,
  place: ConversionPoint = {},
): Delta | undefined {
  if (deepEqual(base, value)) return undefined;
  const before = base === undefined ? noneOf(value, place) : base;
  if (isRecord(before) && isRecord(value)) return fieldsDelta(before as JsonObject, value as JsonObject, place);
  const items = Array.isArray(before) && Array.isArray(value) ? itemsDelta(before, value, place) : undefined;
  return items ?? { ...(base !== undefined && { was: base }), ...(value !== undefined && { is: value }) };
}

/** Entries of maps, list maps and sets stand for themselves: where there are none, each of them is what is missing. */
function noneOf(value: Json | undefined, { schema = {} }: ConversionPoint): Json | undefined {
  if (isRecord(value) && isMap(schema) && Object.keys(value).length > 0) return {};
  return Array.isArray(value) && isKeyed(schema) && value.length > 0 ? [] : undefined;
}

function fieldsDelta(base: JsonObject, value: JsonObject, place: ConversionPoint): Delta {
  const names = [...new Set([...Object.keys(base), ...Object.keys(value)])];
  const fields = names.flatMap((name): [string, Delta][] => {
    const [was, is] = [own(base, name), own(value, name)];
    if (isHidden(place, name))
      return deepEqual(was, is) ? [] : [[name, { hidden: true, ...(is !== undefined && { is }) }]];
    const delta = deltaOf(was, is, fieldOf(place, name));
    return delta === undefined ? [] : [[name, delta]];
  });
  return { fields: Object.fromEntries(fields) };
}

function isHidden({ plan }: ConversionPoint, name: string): boolean {
  const fate = plan?.fields.get(name);
  return fate !== undefined && fate.name === undefined;
}

/** Nothing, where only the whole list can be put back. */
function itemsDelta(base: readonly Json[], value: readonly Json[], place: ConversionPoint): Delta | undefined {
  const keyed = keyedDelta(base, value, place);
  if (keyed !== undefined || base.length !== value.length) return keyed;
  // Of equal items all are noted if one is, since only their order tells them apart.
  const differing = new Set(base.filter((item, i) => !deepEqual(item, value[i])).map(canonicalText));
  const triples = base.map((item, i): readonly [number, Json, Json] => [i, item, value[i] ?? null]);
  return { byValue: triples.filter(([, item]) => differing.has(canonicalText(item))) };
}

function keyedDelta(base: readonly Json[], value: readonly Json[], place: ConversionPoint): KeyedDelta | undefined {
  const [before, after] = [keysIn(base, place), keysIn(value, place)];
  if (before === undefined || after === undefined) return undefined;
  // Without anyone to ask, an item that is missing is taken for one that has another key now.
  const match = matched(before.map(canonicalText), after.map(canonicalText), (items) =>
    place.shows === undefined ? true : place.shows(without(items)),
  );
  if (match === undefined) return undefined;
  const byKey = match.pairs.flatMap(([was, is]) => {
    const [key, delta] = [before[was], deltaOf(base[was], value[is], itemOf(place, is))];
    return key === undefined || delta === undefined ? [] : [{ key, delta }];
  });
  const [hidden, invented] = [picked(value, match.hidden), picked(base, match.invented)];
  return {
    byKey,
    ...(hidden.length > 0 && { hidden }),
    ...(invented.length > 0 && { invented }),
    ...orderIn(before, after, match),
  };
}

function without(items: readonly number[]): Edit {
  const gone = new Set(items);
  return (value) => (Array.isArray(value) ? value.filter((_, i) => !gone.has(i)) : value);
}

function picked(list: readonly Json[], places: readonly number[]): Json[] {
  return places.flatMap((i) => list.slice(i, i + 1));
}

function orderIn(
  before: readonly Json[],
  after: readonly Json[],
  { pairs, hidden }: Match,
): Pick<KeyedDelta, 'keys' | 'were'> {
  const inBase = pairs.map(([was]) => was);
  const sorted = inBase.toSorted((a, b) => a - b);
  const isMoved = !deepEqual(inBase, sorted);
  if (!isMoved && hidden.length === 0) return {};
  const places = new Map(pairs.map(([was, is]) => [is, was]));
  const keys = after.map((key, i) => before[places.get(i) ?? -1] ?? key);
  return { keys, ...(isMoved && { were: picked(before, sorted) }) };
}

/** The keys of all items, if each has one of its own. */
function keysIn(items: readonly Json[], place: ConversionPoint): Json[] | undefined {
  const keys = items.map((item) => keyIn(place, item));
  const known = keys.filter((key) => key !== undefined);
  return known.length === items.length && new Set(known.map(canonicalText)).size === items.length ? known : undefined;
}
