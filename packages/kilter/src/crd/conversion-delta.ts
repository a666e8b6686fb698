import type { Json, JsonObject } from '../api/index.ts';
import { deepEqual } from '../internal/index.ts';
import { canonicalText } from './canonical-text.ts';
import type { Plan } from './field-action-fate.ts';
import { isRecord } from './json-schema.ts';
import { type Structural, valuesOf } from './structural.ts';
import { hasTypes } from './value.ts';

/**
 * What makes one value of another: what a conversion there and back would lose. Each part remembers the value it
 * replaces, and is put back only where that value still stands: what was changed in between is what counts.
 */
export type Delta =
  | { readonly was?: Json; readonly is?: Json }
  /** A field the other version knows nothing of: nothing said there can speak against it. */
  | { readonly hidden: true; readonly is?: Json }
  | { readonly fields: Readonly<Record<string, Delta>> }
  /** Items of a list map, known by their keys. */
  | { readonly byKey: readonly { readonly key: JsonObject; readonly delta: Delta }[] }
  /** Other items have no name but their content: one that was changed is another one. */
  | { readonly byValue: readonly (readonly [index: number, was: Json, is: Json])[] };

/** What is known of the place at hand: its schema, and how field actions see it from the other version. */
export interface Place {
  readonly schema?: Structural | undefined;
  readonly plan?: Plan | undefined;
}

function fieldOf({ schema = {}, plan }: Place, name: string): Place {
  return {
    schema: own(schema.properties ?? {}, name) ?? valuesOf(schema),
    plan: plan?.fields.get(name)?.inner ?? plan?.values,
  };
}

function itemOf({ schema, plan }: Place): Place {
  return { schema: schema?.items, plan: plan?.items };
}

/** A field named `constructor` is absent unless it is there. */
function own<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Nothing, if `base` is `value` already. */
export function deltaOf(base: Json | undefined, value: Json | undefined, place: Place = {}): Delta | undefined {
  if (deepEqual(base, value)) return undefined;
  if (isRecord(base) && isRecord(value)) return fieldsDelta(base as JsonObject, value as JsonObject, place);
  if (Array.isArray(base) && Array.isArray(value) && base.length === value.length) {
    return itemsDelta(base, value, place);
  }
  return { ...(base !== undefined && { was: base }), ...(value !== undefined && { is: value }) };
}

function fieldsDelta(base: JsonObject, value: JsonObject, place: Place): Delta {
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

function isHidden({ plan }: Place, name: string): boolean {
  const fate = plan?.fields.get(name);
  return fate !== undefined && fate.name === undefined;
}

function itemsDelta(base: readonly Json[], value: readonly Json[], place: Place): Delta {
  const [before, after] = [base, value].map((items) => items.map((item) => keyIn(place, item)));
  if (before?.every((key) => key !== undefined) === true && deepEqual(before, after)) {
    const byKey = base.flatMap((item, i) => {
      const [key, delta] = [before[i], deltaOf(item, value[i], itemOf(place))];
      return key === undefined || delta === undefined ? [] : [{ key, delta }];
    });
    return { byKey };
  }
  // Of equal items all are noted if one is, since only their order tells them apart.
  const differing = new Set(base.filter((item, i) => !deepEqual(item, value[i])).map(canonicalText));
  const triples = base.map((item, i): readonly [number, Json, Json] => [i, item, value[i] ?? null]);
  return { byValue: triples.filter(([, item]) => differing.has(canonicalText(item))) };
}

/** The key of an item of a list map, defaults included. */
function keyIn({ schema }: Place, item: Json): JsonObject | undefined {
  const keys = schema?.['x-kubernetes-list-map-keys'];
  if (keys === undefined || !isRecord(item)) return undefined;
  return Object.fromEntries(
    keys.map((key) => [key, (item[key] as Json | undefined) ?? schema?.items?.properties?.[key]?.default ?? null]),
  );
}

export interface Restoring extends Place {
  /** Whether nobody changed anything in between, so that there is nothing to compare with. */
  readonly isUntouched?: boolean | undefined;
}

/**
 * The value with what a delta keeps put back. The delta may be anything: what is none, or of another type than its place,
 * changes nothing.
 */
export function restore(value: Json | undefined, delta: unknown, restoring: Restoring = {}): Json | undefined {
  if (!isRecord(delta)) return value;
  const { fields, byKey, byValue, hidden, was, is } = delta;
  if (isRecord(fields)) return isRecord(value) ? withFields(value as JsonObject, fields, restoring) : value;
  if (Array.isArray(byKey)) return Array.isArray(value) ? withKeyed(value, byKey, restoring) : value;
  if (Array.isArray(byValue)) return Array.isArray(value) ? withItems(value, byValue, restoring) : value;
  const applies = hidden === true || restoring.isUntouched === true || deepEqual(value, was);
  return applies && hasTypes(restoring.schema, is) ? (is as Json | undefined) : value;
}

function withFields(value: JsonObject, fields: Readonly<Record<string, unknown>>, restoring: Restoring): JsonObject {
  const names = [...new Set([...Object.keys(value), ...Object.keys(fields)])];
  const entries = names.flatMap((name): [string, Json][] => {
    const restored = restore(own(value, name), own(fields, name), { ...restoring, ...fieldOf(restoring, name) });
    return restored === undefined ? [] : [[name, restored]];
  });
  return Object.fromEntries(entries);
}

function withKeyed(value: readonly Json[], entries: readonly unknown[], restoring: Restoring): Json[] {
  const deltas = new Map(
    entries.flatMap((entry): [string, unknown][] =>
      isRecord(entry) && isRecord(entry['key']) ? [[canonicalText(entry['key']), entry['delta']]] : [],
    ),
  );
  return value.map((item) => {
    const key = keyIn(restoring, item);
    const delta = key === undefined ? undefined : deltas.get(canonicalText(key));
    return restore(item, delta, { ...restoring, ...itemOf(restoring) }) ?? item;
  });
}

function withItems(value: readonly Json[], triples: readonly unknown[], restoring: Restoring): Json[] {
  const { schema } = itemOf(restoring);
  const isUntouched = restoring.isUntouched === true;
  const valid = triples.filter((triple) => Array.isArray(triple) && triple.length === 3) as [number, Json, Json][];
  const left = Map.groupBy(valid, ([index, was]) => (isUntouched ? String(index) : canonicalText(was)));
  return value.map((item, i) => {
    const is = left.get(isUntouched ? String(i) : canonicalText(item))?.shift()?.[2];
    return is === undefined || !hasTypes(schema, is) ? item : is;
  });
}
