import type { Json, JsonObject } from 'kilter/api';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Custom resources are maps: their keys come back in alphabetical order, at every depth. */
export function alphabetical(value: Json): Json {
  if (Array.isArray(value)) return value.map(alphabetical);
  if (!isObject(value)) return value;
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    Object.defineProperty(sorted, key, {
      value: alphabetical(value[key] ?? null),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return sorted;
}

/** The fields of ObjectMeta, ListMeta and a managedFields entry in the order of their structs. */
const metadataOrder = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'continue',
  'remainingItemCount',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];
const entryOrder = ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource'];
const rootOrder = ['kind', 'apiVersion', 'metadata'];

function ordered(object: JsonObject, order: readonly string[]): JsonObject {
  const first = order.flatMap((key) => (object[key] === undefined ? [] : [[key, object[key]] as const]));
  const rest = Object.entries(object).filter(([key]) => !order.includes(key));
  return Object.fromEntries([...first, ...rest]);
}

function orderedMetadata(metadata: JsonObject): JsonObject {
  const entries = metadata['managedFields'];
  const shown = ordered(metadata, metadataOrder);
  if (Array.isArray(entries))
    shown['managedFields'] = entries.map((entry) => (isObject(entry) ? ordered(entry, entryOrder) : entry));
  return shown;
}

/** Built-in kinds are structs: kind, version and metadata come first, in the order of their fields. */
export function structural(object: JsonObject): JsonObject {
  const shown = ordered(object, rootOrder);
  if (isObject(shown['metadata'])) shown['metadata'] = orderedMetadata(shown['metadata']);
  if (Array.isArray(shown['items']))
    shown['items'] = shown['items'].map((item) => (isObject(item) ? structural(item) : item));
  return shown;
}

/** JSON as the server writes it: one line with its end, or indented for people. */
export function encodeJson(value: Json, pretty: boolean): string {
  return pretty ? JSON.stringify(value, undefined, 2) : `${JSON.stringify(value)}\n`;
}
