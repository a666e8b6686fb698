import { intOrString, preserve, propertyOf, type Structural, valuesOf } from './structural.ts';

/**
 * What holds for some fields of an object as well: types, bounds, names of fields. What only the whole can satisfy
 * (required fields, unions, minimum counts) is left out; the keys of a list map stay, since without them no one knows
 * which item is meant.
 */
export function partially(schema: Structural, required: readonly string[] = []): Structural {
  const {
    required: _required,
    minProperties: _properties,
    minItems: _items,
    allOf,
    anyOf,
    oneOf: _oneOf,
    ...rest
  } = schema;
  const { 'x-kubernetes-embedded-resource': isEmbedded, ...own } = rest;
  const values = valuesOf(schema);
  const patterns = allOf?.filter((part) => part.pattern !== undefined);
  return {
    ...own,
    ...(required.length > 0 && { required: [...required] }),
    ...(isEmbedded === true && { [preserve]: true }),
    ...(patterns !== undefined && patterns.length > 0 && { allOf: patterns }),
    ...(anyOf !== undefined && schema[intOrString] === true && { anyOf }),
    ...(schema.properties !== undefined && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, partially(part)])),
    }),
    ...(values !== undefined && { additionalProperties: partially(values) }),
    ...(schema.items !== undefined && { items: partially(schema.items, keysOf(schema)) }),
  };
}

/** The keys of a list map that no default fills in. */
function keysOf(list: Structural): string[] {
  const { items } = list;
  const keys = list['x-kubernetes-list-type'] === 'map' ? (list['x-kubernetes-list-map-keys'] ?? []) : [];
  return keys.filter((key) => items !== undefined && propertyOf(items, key)?.default === undefined);
}
