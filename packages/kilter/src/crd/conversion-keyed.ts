import type { Json } from '../api/index.ts';

/** How the items of two lists correspond, by their places in them. */
export interface Match {
  /** Items that both lists have, in the order of the second one. */
  readonly pairs: readonly (readonly [before: number, after: number])[];
  /** Items that only the second list has. */
  readonly hidden: readonly number[];
  /** Items that only the first list has. */
  readonly invented: readonly number[];
}

/** So many items are asked for one by one: each costs a conversion. */
const maximumAsked = 32;

/**
 * What a list became there and back, against what it was. An item that is missing was hidden; but where another one has
 * appeared, it may have come back under another key, and `shows` tells: whether the other version says anything of these
 * items. Nothing, if it is unclear which became which.
 */
export function matched(
  before: readonly string[],
  after: readonly string[],
  shows: (items: readonly number[]) => boolean,
): Match | undefined {
  const places = new Map(before.map((key, i) => [key, i]));
  const known = new Set(after);
  const missing = indices(after, (key) => !places.has(key));
  const extra = indices(before, (key) => !known.has(key));
  const isMoved = missing.length > 0 && extra.length > 0 && shows(missing);
  if (isMoved && missing.length > maximumAsked) return undefined;
  const shown = isMoved ? missing.filter((i) => shows([i])) : [];
  if (isMoved && shown.length !== extra.length) return undefined;
  const partners = new Map(shown.map((i, nth) => [i, extra[nth]]));
  const pairs = after.flatMap((key, i): [number, number][] => {
    const partner = places.get(key) ?? partners.get(i);
    return partner === undefined ? [] : [[partner, i]];
  });
  return { pairs, hidden: missing.filter((i) => !partners.has(i)), invented: isMoved ? [] : extra };
}

function indices(keys: readonly string[], isMeant: (key: string) => boolean): number[] {
  return keys.flatMap((key, i) => (isMeant(key) ? [i] : []));
}

/** An item with the text of its key; without one it has no place among the others but where it stands. */
export interface Entry {
  readonly key: string | undefined;
  readonly item: Json;
}

export interface Ordering {
  /** The order there was before, and the one that is to be again. */
  readonly were: readonly string[];
  readonly keys: readonly string[];
  /** Whether the order of now has nothing to say. */
  readonly isForced: boolean;
}

/** The known items in the order they are to have, on the places they take; as they are, if somebody moved them. */
export function reordered(entries: readonly Entry[], { were, keys, isForced }: Ordering): readonly Entry[] {
  const [rank, wanted] = [ranksOf(were), ranksOf(keys)];
  const rankOf = (ranks: ReadonlyMap<string, number>, { key = '' }: Entry): number => ranks.get(key) ?? -1;
  const isKnown = (entry: Entry): boolean => rankOf(rank, entry) >= 0;
  const known = entries.filter(isKnown);
  const isMoved = known.some(
    (entry, i) => rankOf(rank, known[i - 1] ?? { key: undefined, item: null }) >= rankOf(rank, entry),
  );
  if (isMoved && !isForced) return entries;
  const left = known.toSorted((a, b) => rankOf(wanted, a) - rankOf(wanted, b));
  return entries.map((entry) => (isKnown(entry) ? (left.shift() ?? entry) : entry));
}

function ranksOf(keys: readonly string[]): Map<string, number> {
  return new Map(keys.map((key, i) => [key, i]));
}

/**
 * The items with the hidden ones among them, in their order: each after the nearest item that stood before it and is still
 * there, or else after as many items as stood before it, but before those that stood after it. `keys` are all of them, in
 * the order they had.
 */
export function withHidden(
  entries: readonly Entry[],
  hidden: ReadonlyMap<string, Json>,
  keys: readonly string[],
): Json[] {
  const places = new Map(entries.map(({ key }, i) => [key, i]));
  const slots = Array.from({ length: entries.length + 1 }, (): Json[] => []);
  const left = new Map(hidden);
  const first = places.get(keys.find((key) => places.has(key))) ?? entries.length;
  let [seen, anchor] = [0, -1];
  for (const key of keys) {
    const item = left.get(key);
    if (item === undefined) {
      seen += 1;
      anchor = Math.max(anchor, places.get(key) ?? -1);
    } else {
      slots[anchor < 0 ? Math.min(seen, first) : anchor + 1]?.push(item);
      left.delete(key);
    }
  }
  return slots.flatMap((items, i) => [...items, ...entries.slice(i, i + 1).map(({ item }) => item)]);
}
