import type { Json, JsonObject } from '../api/index.ts';
import { deepEqual } from '../internal/index.ts';
import { canonicalText } from './canonical-text.ts';
import { type Entry, reordered, withHidden } from './conversion-keyed.ts';
import { fieldOf, isKeyed, isMap, itemOf, keyIn, own, type ConversionPoint } from './conversion-place.ts';
import { isRecord, type Raw } from './json-schema.ts';

export interface Restoring extends ConversionPoint {
  /** Whether nobody changed anything in between, so that there is nothing to compare with. */
  readonly isUntouched?: boolean | undefined;
}

/**
 * The value with what a delta keeps put back. The delta may be anything: what is none changes nothing. Whether the
 * outcome satisfies its schema is for others to judge.
 */
export function restore(value: Json | undefined, delta: unknown, restoring: Restoring = {}): Json | undefined {
  if (!isRecord(delta)) return value;
  const { fields, byKey, byValue, hidden, was, is } = delta;
  if (isRecord(fields))
    return isRecord(value) ? withFields(value as JsonObject, fields, restoring) : renewed(value, delta, restoring);
  if (Array.isArray(byKey))
    return Array.isArray(value) ? withKeyed(value, delta, restoring) : renewed(value, delta, restoring);
  if (Array.isArray(byValue)) return Array.isArray(value) ? withItems(value, byValue, restoring) : value;
  const applies = hidden === true || restoring.isUntouched === true || deepEqual(value, was);
  return applies ? (is as Json | undefined) : value;
}

/** Who takes away a map or list of entries takes away those that are to be seen there: the others come back. */
function renewed(value: Json | undefined, delta: Raw, restoring: Restoring): Json | undefined {
  const { schema = {} } = restoring;
  const none = value !== undefined ? undefined : isMap(schema) ? {} : isKeyed(schema) ? [] : undefined;
  const restored = none && restore(none, delta, restoring);
  return restored === undefined || deepEqual(restored, none) ? value : restored;
}

function withFields(value: JsonObject, fields: Readonly<Record<string, unknown>>, restoring: Restoring): JsonObject {
  const names = [...new Set([...Object.keys(value), ...Object.keys(fields)])];
  const entries = names.flatMap((name): [string, Json][] => {
    const restored = restore(own(value, name), own(fields, name), { ...restoring, ...fieldOf(restoring, name) });
    return restored === undefined ? [] : [[name, restored]];
  });
  return Object.fromEntries(entries);
}

function withKeyed(value: readonly Json[], delta: Raw, restoring: Restoring): Json[] {
  const isForced = restoring.isUntouched === true;
  const [keys, were] = [delta['keys'], delta['were']].map((list) =>
    Array.isArray(list) ? list.map(canonicalText) : [],
  );
  const invented = byKeyIn(delta['invented'], restoring);
  const hidden = byKeyIn(delta['hidden'], restoring);
  const entries = value
    .map((item): Entry => ({ key: keyText(restoring, item), item }))
    .filter(({ key = '', item }) => !(invented.has(key) && (isForced || deepEqual(item, invented.get(key)))))
    .filter(({ key = '' }) => !(isForced && hidden.has(key)));
  for (const { key = '' } of entries) hidden.delete(key);
  const ordered = reordered(entries, { keys: keys ?? [], were: were ?? [], isForced });
  return withHidden(withDeltas(ordered, delta['byKey'], restoring), hidden, keys ?? []);
}

function keyText(place: ConversionPoint, item: Json): string | undefined {
  const key = keyIn(place, item);
  return key === undefined ? undefined : canonicalText(key);
}

/** Items by their keys, of those that have one. */
function byKeyIn(items: unknown, restoring: Restoring): Map<string, Json> {
  return new Map(
    (Array.isArray(items) ? (items as Json[]) : []).flatMap((item): [string, Json][] => {
      const key = keyText(restoring, item);
      return key === undefined ? [] : [[key, item]];
    }),
  );
}

function withDeltas(entries: readonly Entry[], noted: unknown, restoring: Restoring): Entry[] {
  const deltas = new Map(
    (Array.isArray(noted) ? noted : []).flatMap((entry: unknown): [string, unknown][] =>
      isRecord(entry) ? [[canonicalText(entry['key']), entry['delta']]] : [],
    ),
  );
  return entries.map(({ key = '', item }, i) => {
    const restored = restore(item, deltas.get(key), { ...restoring, ...itemOf(restoring, i) });
    return { key, item: restored ?? item };
  });
}

function withItems(value: readonly Json[], triples: readonly unknown[], restoring: Restoring): Json[] {
  const isUntouched = restoring.isUntouched === true;
  const valid = triples.filter((triple) => Array.isArray(triple) && triple.length === 3) as [number, Json, Json][];
  const left = Map.groupBy(valid, ([index, was]) => (isUntouched ? String(index) : canonicalText(was)));
  // Of items that look alike nobody knows which one is gone: each would get what was another's.
  const now = Map.groupBy(value, (item) => canonicalText(item));
  for (const [text, noted] of isUntouched ? [] : left) {
    const isSame = noted.every(([, , is]) => deepEqual(is, noted[0]?.[2]));
    if (!isSame && noted.length !== now.get(text)?.length) left.delete(text);
  }
  return value.map((item, i) => {
    const is = left.get(isUntouched ? String(i) : canonicalText(item))?.shift()?.[2];
    return is === undefined ? item : is;
  });
}
