import type { JsonObject } from 'kilter/api';
import { isObject } from '../values/index.ts';

/** The versions of tables and partial objects. */
export type FormVersion = 'v1' | 'v1beta1';

/** An object's metadata alone; undefined for what has none: that of a Status is a list's. */
export function partialOf(object: JsonObject, version: FormVersion = 'v1'): JsonObject | undefined {
  const { metadata } = object;
  if (!isObject(metadata) || object['kind'] === 'Status') return undefined;
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata };
}

/** A list's own metadata; a page token is only named where there is one. */
export function listMetadata({ continue: token, ...metadata }: JsonObject): JsonObject {
  return token === undefined || token === '' ? metadata : { ...metadata, continue: token };
}

/** A list with the metadata of its items alone. */
export function partialListOf(list: JsonObject, version: FormVersion = 'v1'): JsonObject | undefined {
  const { items, metadata } = list;
  if (!Array.isArray(items)) return undefined;
  const partials = items.map((item) => (isObject(item) ? partialOf(item, version) : undefined));
  if (!partials.every((partial) => partial !== undefined)) return undefined;
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: isObject(metadata) ? listMetadata(metadata) : {},
    items: partials.length === 0 ? null : partials,
  };
}
