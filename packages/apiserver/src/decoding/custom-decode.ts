import type { Json, JsonObject } from 'kilter/api';
import { builtinSchema, type ResourceDefinition } from '../kinds/index.ts';
import { applyDefaults, type Nulls, prune } from '../schema/index.ts';
import {
  append,
  fieldOf,
  isEmpty,
  isObject,
  jsonKind,
  mapFields,
  mapItems,
  metadataOf,
  type Schema,
  valueText,
} from '../values/index.ts';
import { type Decoded, decodeTyped } from './typed-decode.ts';

const objectMeta = (): Schema => builtinSchema('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');

export interface CustomForm {
  /** Nulls of the schema's fields. Default: dropped. */
  readonly nulls?: Nulls | undefined;
  /** Maps and lists of metadata that hold nothing. Default: dropped, as where the type is read. */
  readonly empties?: Nulls | undefined;
  /** Fields beside the schema. Default: dropped. */
  readonly surplus?: Nulls | undefined;
}

/** What the server makes of a custom resource: metadata as the type it is, the rest pruned and defaulted by its schema. */
export function decodeCustom(object: JsonObject, { schema }: ResourceDefinition, form: CustomForm = {}): Decoded {
  const { nulls = 'dropped', empties = 'dropped', surplus = 'dropped' } = form;
  const { metadata, ...rest } = object;
  const pruned = surplus === 'kept' ? { value: rest, unknown: [] } : prune(rest, schema);
  const typed = decodeMetadata(metadata);
  if (empties === 'kept') keepEmpties(typed.value, metadata);
  const embedded: Embedded = { unknown: [], problem: undefined };
  const settled = settleEmbedded(pruned.value, { schema, path: '' }, embedded) as JsonObject;
  const value = applyDefaults({ ...settled, metadata: typed.value }, schema, nulls);
  const unknown = [...pruned.unknown, ...typed.unknown, ...embedded.unknown].sort();
  return { value, unknown, problem: typed.problem ?? embedded.problem };
}

const collections = ['annotations', 'finalizers', 'labels', 'ownerReferences'];

function keepEmpties(metadata: JsonObject, given: Json | undefined): void {
  if (!isObject(given)) return;
  for (const name of collections) {
    const value = fieldOf(given, name);
    if (typeof value === 'object' && value !== null && isEmpty(value)) metadata[name] ??= value;
  }
}

/** The object as it is read from the store: without what its schema does not know. */
export function withoutSurplus(object: JsonObject, { schema }: ResourceDefinition): JsonObject {
  const { value, unknown } = prune(object, schema);
  return unknown.length === 0 ? object : value;
}

/** The object as it is stored: what holds nothing is not in its metadata. */
export function withoutEmpties(object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  const empty = collections.filter((name) => {
    const value = fieldOf(metadata, name);
    return typeof value === 'object' && value !== null && isEmpty(value);
  });
  if (empty.length === 0) return object;
  const kept = Object.entries(metadata).filter(([name]) => !empty.includes(name));
  return { ...object, metadata: Object.fromEntries(kept) };
}

/** What was found in the resources that lie in a custom resource. */
interface Embedded {
  readonly unknown: string[];
  problem: string | undefined;
}

interface SchemaField {
  readonly schema: Schema;
  readonly path: string;
}

/** The value with the metadata of the resources in it as the type it is. */
function settleEmbedded(value: Json, { schema, path }: SchemaField, found: Embedded): Json {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined || !holdsResources(items)) return value;
    return mapItems(value, (item, index) => settleEmbedded(item, { schema: items, path: `${path}[${index}]` }, found));
  }
  if (!isObject(value) || !holdsResources(schema)) return value;
  const own = schema['x-kubernetes-embedded-resource'] === true ? settledResource(value, path, found) : value;
  return mapFields(own, (item, key) => {
    const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
    const below = (schema.properties && fieldOf(schema.properties, key)) ?? rest;
    return below === undefined
      ? item
      : settleEmbedded(item, { schema: below, path: path === '' ? key : `${path}.${key}` }, found);
  });
}

/** Whether a schema has a resource anywhere in it: most have none, and their values need no look. */
const resourceHolders = new WeakMap<Schema, boolean>();

function holdsResources(schema: Schema): boolean {
  const known = resourceHolders.get(schema);
  if (known !== undefined) return known;
  resourceHolders.set(schema, false);
  const below = [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})];
  const holds =
    schema['x-kubernetes-embedded-resource'] === true ||
    below.some((part) => typeof part === 'object' && holdsResources(part));
  resourceHolders.set(schema, holds);
  return holds;
}

function settledResource(resource: JsonObject, path: string, found: Embedded): JsonObject {
  for (const field of ['apiVersion', 'kind']) {
    const value = fieldOf(resource, field);
    if (value !== undefined && typeof value !== 'string')
      found.problem ??= `${path}.${field}: Invalid value: ${valueText(value)}: must be a string`;
  }
  const metadata = fieldOf(resource, 'metadata');
  if (metadata === undefined) return resource;
  const typed = decodeMetadata(metadata);
  if (typed.problem !== undefined)
    found.problem ??= `${path}.metadata: Invalid value: ${valueText(metadata)}: ${typed.problem}`;
  append(
    found.unknown,
    typed.unknown.map((place) => `${path}.${place}`),
  );
  return { ...resource, metadata: typed.value };
}

/** Paths begin with `metadata`; the type is named as the server's messages do. */
function decodeMetadata(given: Json | undefined): Decoded {
  const fits = given === undefined || given === null || isObject(given);
  if (!fits) {
    const problem = `json: cannot unmarshal ${jsonKind(given)} into Go value of type v1.ObjectMeta`;
    return { value: {}, unknown: [], problem };
  }
  const metadata = isObject(given) ? given : {};
  const whole: Schema = { type: 'object', properties: { metadata: objectMeta() } };
  const decoded = decodeTyped({ metadata }, whole, { name: 'ObjectMeta' });
  const problem = decoded.problem?.replace('.metadata.', '.');
  return { value: (decoded.value['metadata'] ?? {}) as JsonObject, unknown: decoded.unknown, problem };
}
