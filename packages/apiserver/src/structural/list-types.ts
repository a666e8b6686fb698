import type { Json } from 'kilter/api';
import { child, entry, forbidden, invalid, notSupported, required } from '../schema/index.ts';
import { fieldOf, type Issue, repeatsIn } from '../values/index.ts';
import type { WrittenSchema } from './shape.ts';

/** What is wrong with a list's type and keys. */
export function listTypeKeywordIssues(schema: WrittenSchema, path: string): Issue[] {
  const listType = fieldOf(schema as Record<string, Json>, 'x-kubernetes-list-type');
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return [
    ...(listType === undefined ? [] : typeIssues(schema, listType, path)),
    ...(keys.length > 0 && listType !== 'map' ? [keysWithoutMap(listType, path)] : []),
    ...(listType === 'map' ? mapIssues(schema, keys, path) : []),
    ...(listType === 'map' || listType === 'set' ? nullabilityIssues(schema, { listType, keys, path }) : []),
  ];
}

function typeIssues(schema: WrittenSchema, listType: Json, path: string): Issue[] {
  const { type = '' } = schema;
  const place = child(path, 'type');
  const detail = 'must be array if x-kubernetes-list-type is specified';
  const ofType =
    type === 'array'
      ? setItemIssues(schema, listType, path)
      : [type === '' ? required(place, detail) : invalid(place, type, detail)];
  if (listType === 'atomic' || listType === 'set' || listType === 'map') return ofType;
  return [...ofType, notSupported(child(path, 'x-kubernetes-list-type'), listType, ['atomic', 'set', 'map'])];
}

/** The items of a set are compared as a whole: nobody may own a part of one. */
function setItemIssues({ items }: WrittenSchema, listType: Json, path: string): Issue[] {
  const item = items as WrittenSchema | undefined;
  if (listType !== 'set' || item === undefined) return [];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const itemListType = item['x-kubernetes-list-type'];
  if (item.type === 'array' && itemListType !== undefined && itemListType !== 'atomic') {
    return [invalid(child(path, 'items.x-kubernetes-list-type'), itemListType, detail)];
  }
  if (item.type !== 'object' || item['x-kubernetes-map-type'] === 'atomic') return [];
  return [invalid(child(path, 'items.x-kubernetes-map-type'), itemListType ?? null, detail)];
}

function keysWithoutMap(listType: Json | undefined, path: string): Issue {
  const place = child(path, 'x-kubernetes-list-type');
  const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
  return listType === undefined ? required(place, detail) : invalid(place, listType, detail);
}

function mapIssues({ items }: WrittenSchema, keys: readonly string[], path: string): Issue[] {
  const place = child(path, 'x-kubernetes-list-map-keys');
  const issues = keys.length === 0 ? [required(place, 'must not be empty if x-kubernetes-list-type is map')] : [];
  if (items === undefined) {
    return [...issues, required(child(path, 'items'), 'must have a schema if x-kubernetes-list-type is map')];
  }
  const item = items as WrittenSchema;
  if (item.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...issues, invalid(child(path, 'items.type'), item.type ?? '', detail)];
  }
  const again = repeatsIn(keys);
  // They quote all keys, each time: many of them are to be one text.
  const repeated = invalid(place, [...keys], 'must not contain duplicate entries');
  const foreign = invalid(place, [...keys], 'entries must all be names of item properties');
  const ofKeys = keys.flatMap((key, index) => [
    ...keyIssues(key, item, { foreign, path }),
    ...(again.has(index) ? [repeated] : []),
  ]);
  return [...issues, ...ofKeys];
}

function keyIssues(key: string, item: WrittenSchema, { foreign, path }: { foreign: Issue; path: string }): Issue[] {
  const property = fieldOf(item.properties ?? {}, key);
  if (property === undefined) return [foreign];
  if (property.type !== 'array' && property.type !== 'object') return [];
  const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
  return [invalid(child(entry(child(path, 'items.properties'), key), 'type'), 'object', detail)];
}

/** Items of sets and maps are never null, and every item of a map has its keys. */
function nullabilityIssues(
  { items }: WrittenSchema,
  { listType, keys, path }: { listType: string; keys: readonly string[]; path: string },
): Issue[] {
  const item = items as WrittenSchema | undefined;
  if (item === undefined || Array.isArray(items)) return [];
  const ofItem =
    item.nullable === true
      ? [forbidden(child(path, 'items.nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`)]
      : [];
  if (listType !== 'map') return ofItem;
  const because = 'this property is in x-kubernetes-list-map-keys, so it';
  const ofKeys = keys.flatMap((key) => {
    const property = fieldOf(item.properties ?? {}, key);
    if (property === undefined) return [];
    const place = entry(child(path, 'items.properties'), key);
    const given = item.required?.includes(key) === true || (property.default ?? null) !== null;
    return [
      ...(given ? [] : [required(child(place, 'default'), `${because} must have a default or be a required property`)]),
      ...(property.nullable === true ? [forbidden(child(place, 'nullable'), `${because} cannot be nullable`)] : []),
    ];
  });
  return [...ofItem, ...ofKeys];
}
