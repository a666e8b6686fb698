import type { Json, JsonObject } from 'kilter/api';
import { compactJson, fieldOf, isObject, type Issue, type Schema, setField } from '../values/index.ts';
import { at, child, entry } from './field-path.ts';
import { duplicate, invalid } from './issue.ts';

/** What stands twice in lists of type set and map, anywhere in a value: the second of each, by its position. */
export function listTypeIssues(value: Json, schema: Schema, path: string = ''): Issue[] {
  if (Array.isArray(value)) return listIssues(value, schema, path);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const property = schema.properties && fieldOf(schema.properties, key);
    const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
    return [
      ...(rest === undefined ? [] : listTypeIssues(item, rest, entry(path, key))),
      ...(property === undefined ? [] : listTypeIssues(item, property, child(path, key))),
    ];
  });
}

function listIssues(list: Json[], schema: Schema, path: string): Issue[] {
  const { items } = schema;
  const below = items === undefined ? [] : list.flatMap((item, index) => listTypeIssues(item, items, at(path, index)));
  return [...ownIssues(list, schema, path), ...below];
}

function ownIssues(list: Json[], schema: Schema, path: string): Issue[] {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return secondOccurrences(list).map((index) => duplicate(at(path, index), list[index] ?? null));
    case 'map':
      return mapIssues(list, schema['x-kubernetes-list-map-keys'] ?? [], path);
    default:
      return [];
  }
}

function mapIssues(list: Json[], keys: readonly string[], path: string): Issue[] {
  const stranger = list.findIndex((item) => item !== null && !isObject(item));
  if (stranger >= 0) {
    return [invalid(at(path, stranger), list[stranger] ?? null, 'must be an object for an array of list-type map')];
  }
  const identities = list.map((item) => keysOf(isObject(item) ? item : {}, keys));
  return secondOccurrences(identities).map((index) => duplicate(at(path, index), identities[index] ?? null));
}

/** Two items that both lack a key are the same item. */
function keysOf(item: JsonObject, keys: readonly string[]): JsonObject {
  const identity: JsonObject = {};
  for (const key of keys) {
    const value = fieldOf(item, key);
    if (value !== undefined) setField(identity, key, value);
  }
  return identity;
}

/** The position where each repeated value stands for the second time. */
function secondOccurrences(values: readonly Json[]): number[] {
  const seen = new Map<string, number>();
  const seconds: number[] = [];
  for (const [index, value] of values.entries()) {
    const text = compactJson(value);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2) seconds.push(index);
  }
  return seconds;
}
