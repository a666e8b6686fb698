import type { Json, JsonObject } from 'kilter/api';

const metadataVersion = 'meta.k8s.io/v1';

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object's metadata alone; undefined for what has none, such as a Status with an empty one. */
export function partialOf(object: JsonObject): JsonObject | undefined {
  const { metadata } = object;
  if (!isObject(metadata) || typeof metadata['name'] !== 'string') return undefined;
  return { kind: 'PartialObjectMetadata', apiVersion: metadataVersion, metadata };
}

/** A list with the metadata of its items alone. */
export function partialListOf(list: JsonObject): JsonObject | undefined {
  const { items, metadata } = list;
  if (!Array.isArray(items)) return undefined;
  const partials = items.map((item) => (isObject(item) ? partialOf(item) : undefined));
  if (!partials.every((partial) => partial !== undefined)) return undefined;
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: metadataVersion,
    metadata: isObject(metadata) ? metadata : {},
    items: partials,
  };
}
