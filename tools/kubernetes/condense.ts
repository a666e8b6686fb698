// From a published schema to a fact: what is not known by name is an error, so that a new keyword is noticed.
import type { PublishedSchema } from './documents.ts';
import type { SchemaFact } from './facts.ts';

/** Kept as they are, in the order in which a line shows them. */
const kept = [
  'type',
  'format',
  'default',
  'enum',
  'required',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-patch-strategy',
] as const;

const followed = ['$ref', 'allOf', 'oneOf', 'items', 'additionalProperties', 'properties'];

/** Prose, what discovery says better, and unions, which nothing here reads. */
const leftOut = ['description', 'x-kubernetes-group-version-kind', 'x-kubernetes-unions'];

const known: ReadonlySet<string> = new Set([...kept, ...followed, ...leftOut]);

export const componentName = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

function asSchema(value: unknown): PublishedSchema | undefined {
  return typeof value === 'object' && value !== null ? (value as PublishedSchema) : undefined;
}

function asList(value: unknown): readonly PublishedSchema[] {
  return Array.isArray(value) ? (value as PublishedSchema[]) : [];
}

/** A reference is published alone, or as the only member of `allOf` when keywords are next to it. */
function referenceOf(schema: PublishedSchema, place: string): string | undefined {
  const all = asList(schema['allOf']);
  if (all.length > 1) throw new Error(`${place}: allOf with ${all.length} members`);
  const reference = schema['$ref'] ?? all[0]?.['$ref'];
  return typeof reference === 'string' ? componentName(reference) : undefined;
}

export function condense(schema: PublishedSchema, place: string): SchemaFact {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword));
  if (unknown.length > 0) throw new Error(`${place}: unknown keywords ${unknown.join(', ')}`);
  const reference = referenceOf(schema, place);
  const items = asSchema(schema['items']);
  const values = asSchema(schema['additionalProperties']);
  const properties = asSchema(schema['properties']);
  const choices = asList(schema['oneOf']);
  return {
    ...(reference !== undefined && { $ref: reference }),
    ...Object.fromEntries(kept.flatMap((keyword) => (keyword in schema ? [[keyword, schema[keyword]]] : []))),
    ...(choices.length > 0 && { oneOf: choices.map((choice) => condense(choice, place)) }),
    ...(items !== undefined && { items: condense(items, `${place}[]`) }),
    ...(values !== undefined && { additionalProperties: condense(values, `${place}{}`) }),
    ...(properties !== undefined && { properties: condenseAll(properties, place) }),
  };
}

function condenseAll(properties: PublishedSchema, place: string): Record<string, SchemaFact> {
  const names = Object.keys(properties).toSorted();
  return Object.fromEntries(
    names.map((name) => [name, condense(asSchema(properties[name]) ?? {}, `${place}.${name}`)] as const),
  );
}
