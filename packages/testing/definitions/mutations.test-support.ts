// Small faults in a schema: each must change a verdict that the table states, or the table is too weak.
import type { Json, JsonObject } from 'kilter/api';
import type { Schema, ValidationRule } from '@kilter/apiserver/schema';

export interface Mutation {
  /** Where and what: `spec.x maximum 10`. */
  readonly id: string;
  readonly schema: Schema;
  /** Which way a bound was moved. */
  readonly direction?: 1 | -1 | undefined;
}

/** A fault of one node, which gives the node that takes its place. */
interface Fault {
  readonly what: string;
  readonly node: Schema;
  readonly direction?: 1 | -1;
}

const bounds = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
] as const;

/** Keywords that say nothing but themselves: without one, a constraint is gone. */
const removable = [
  'pattern',
  'format',
  'default',
  'nullable',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'additionalProperties',
] as const;

function without(node: Schema, ...keys: string[]): Schema {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !keys.includes(key))) as Schema;
}

const isBound = (node: Schema, key: (typeof bounds)[number]): boolean => node[key] !== undefined;

function boundFaults(node: Schema): Fault[] {
  return bounds
    .filter((key) => isBound(node, key))
    .flatMap((key) =>
      ([-1, 1] as const).map((step) => {
        const value = (node[key] ?? 0) + step;
        return { what: `${key} ${value}`, node: { ...node, [key]: value }, direction: step };
      }),
    );
}

function typeFault(node: Schema): Fault[] {
  if (node.type === undefined) return [];
  const type = node.type === 'string' ? 'integer' : 'string';
  const kept = without(node, 'properties', 'required', 'items', 'additionalProperties', 'x-kubernetes-list-type');
  return [{ what: 'type', node: { ...kept, type } }];
}

/** Takes away one item of a list after the other. */
function eachWithout<T>(
  list: readonly T[] | undefined,
): { readonly item: T; readonly rest: readonly T[]; readonly index: number }[] {
  return (list ?? []).map((item, index) => ({ item, index, rest: (list ?? []).filter((_, other) => other !== index) }));
}

function listFaults(node: Schema): Fault[] {
  const rules = node['x-kubernetes-validations'];
  return [
    ...eachWithout(node.required).map(({ item, rest }) => ({
      what: `required ${item}`,
      node: rest.length > 0 ? { ...node, required: rest } : without(node, 'required'),
    })),
    ...eachWithout<Json>(node.enum).map(({ item, rest }) => ({
      what: `enum ${JSON.stringify(item)}`,
      node: { ...node, enum: rest.length > 0 ? rest : ['something else'] },
    })),
    ...eachWithout<ValidationRule>(rules).map(({ rest, index }) => ({
      what: `rule ${index}`,
      node: { ...node, 'x-kubernetes-validations': rest },
    })),
    ...eachWithout(node['x-kubernetes-list-map-keys']).map(({ item, rest }) => ({
      what: `key ${item}`,
      node: { ...node, 'x-kubernetes-list-map-keys': rest },
    })),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((junctor) =>
      eachWithout(node[junctor]).map(({ rest, index }) => ({
        what: `${junctor} ${index}`,
        node: rest.length > 0 ? { ...node, [junctor]: rest } : without(node, junctor),
      })),
    ),
  ];
}

function propertyFaults(node: Schema): Fault[] {
  return Object.keys(node.properties ?? {}).map((name) => ({
    what: `property ${name}`,
    node: {
      ...node,
      properties: Object.fromEntries(Object.entries(node.properties ?? {}).filter(([key]) => key !== name)),
    },
  }));
}

function faultsOf(node: Schema): Fault[] {
  return [
    ...typeFault(node),
    ...boundFaults(node),
    ...listFaults(node),
    ...propertyFaults(node),
    ...removable.filter((key) => node[key] !== undefined).map((key) => ({ what: key, node: without(node, key) })),
  ];
}

/** All faults of a schema and of what is below it, each put into a copy of the whole. */
function mutationsAt(node: Schema, place: string, rebuild: (node: Schema) => Schema): Mutation[] {
  const below = (child: Schema, name: string, set: (changed: Schema) => Schema): Mutation[] =>
    mutationsAt(child, name, (changed) => rebuild(set(changed)));
  const { items, additionalProperties } = node;
  return [
    ...faultsOf(node).map((fault) => ({
      id: `${place} ${fault.what}`,
      schema: rebuild(fault.node),
      direction: fault.direction,
    })),
    ...Object.entries(node.properties ?? {}).flatMap(([name, property]) =>
      below(property, `${place}.${name}`, (changed) => ({
        ...node,
        properties: { ...node.properties, [name]: changed },
      })),
    ),
    ...(items === undefined ? [] : below(items, `${place}.items`, (changed) => ({ ...node, items: changed }))),
    ...(typeof additionalProperties === 'object'
      ? below(additionalProperties, `${place}.values`, (changed) => ({ ...node, additionalProperties: changed }))
      : []),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((junctor) =>
      (node[junctor] ?? []).flatMap((branch, index) =>
        below(branch, `${place}.${junctor}[${index}]`, (changed) => ({
          ...node,
          [junctor]: (node[junctor] ?? []).map((other, at) => (at === index ? changed : other)),
        })),
      ),
    ),
  ];
}

/** What every object has is not the business of a row. */
const given = new Set(['apiVersion', 'kind', 'metadata']);

/** All mutations of the schema of a version, but of what every object has. */
export function mutationsOf(root: Schema): Mutation[] {
  const ownFaults = listFaults(root).map((fault) => ({ id: `root ${fault.what}`, schema: fault.node }));
  return [
    ...ownFaults,
    ...Object.entries(root.properties ?? {})
      .filter(([name]) => !given.has(name))
      .flatMap(([name, property]) =>
        mutationsAt(property, name, (changed) => ({ ...root, properties: { ...root.properties, [name]: changed } })),
      ),
  ];
}

/** The manifest with another schema for its version `v1`; a copy, since rules are compiled once for the place they stand at. */
export function withSchema(manifest: JsonObject, schema: Schema): JsonObject {
  const spec = manifest['spec'] as { versions: { name: string; schema: object }[] };
  const versions = spec.versions.map((version) =>
    version.name === 'v1' ? { ...version, schema: { openAPIV3Schema: structuredClone(schema) } } : version,
  );
  return { ...manifest, spec: { ...spec, versions } } as unknown as JsonObject;
}
