import type { Json } from 'kilter/api';
import { compactJson, fieldOf, isObject, mapFields, type Schema } from '../values/index.ts';

/**
 * The old value with its sets and list maps in the order of the new one: their order means nothing, so that `self ==
 * oldSelf` must hold for a mere reordering, and the evaluator compares lists item by item.
 */
export function alignOld(old: Json | undefined, value: Json, schema: Schema): Json {
  if (Array.isArray(old) && Array.isArray(value)) return alignList(old, value, schema);
  if (!isObject(old) || !isObject(value)) return old ?? null;
  return mapFields(old, (item, key) => {
    const property = schema.properties && fieldOf(schema.properties, key);
    const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
    const fieldSchema = property ?? rest;
    const partner = fieldOf(value, key);
    return fieldSchema === undefined || partner === undefined ? item : alignOld(item, partner, fieldSchema);
  });
}

function alignList(old: Json[], value: Json[], schema: Schema): Json[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return old;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const identity = (item: Json): string =>
    compactJson(type === 'map' && isObject(item) ? keys.map((key) => fieldOf(item, key) ?? null) : item);
  const partners = new Map(value.map((item, index) => [identity(item), { item, index }]));
  const { items } = schema;
  return old
    .map((item) => ({ item, partner: partners.get(identity(item)) }))
    .sort((a, b) => (a.partner?.index ?? value.length) - (b.partner?.index ?? value.length))
    .map(({ item, partner }) =>
      items === undefined || partner === undefined ? item : alignOld(item, partner.item, items),
    );
}
