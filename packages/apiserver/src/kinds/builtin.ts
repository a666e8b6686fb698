import data from './builtin.gen.json' with { type: 'json' };
import type { Json } from 'kilter/api';
import type { Schema } from '../values/index.ts';
import { builtinKind } from './builtin-kinds.ts';
import type { ResourceDefinition, ScalePaths } from './definition.ts';
import { strategyOf } from './row.ts';

/** A condensed schema: `$ref` names a component, keywords beside it are laid over that component. */
interface StoredSchema extends Omit<Schema, 'properties' | 'items' | 'additionalProperties' | 'zeroFields'> {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, StoredSchema>>;
  readonly items?: StoredSchema;
  readonly additionalProperties?: StoredSchema;
  /** The names of fields that are written even when empty. */
  readonly zeroFields?: readonly string[];
}

interface StoredResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
  readonly schema: string;
}

const stored = data as unknown as {
  readonly resources: readonly StoredResource[];
  readonly schemas: Readonly<Record<string, StoredSchema>>;
};

/** Components hydrated so far; one is entered before it is filled, so that a cycle finds itself. */
const components = new Map<string, Schema>();

/**
 * The schema of a component such as `io.k8s.api.core.v1.PodSpec`, shared by all who use it. Its `title` is that name:
 * how a reader of the graph knows where one component ends and another begins.
 */
export function builtinSchema(name: string): Schema {
  const known = components.get(name);
  if (known !== undefined) return known;
  const source = stored.schemas[name];
  if (source === undefined) throw new Error(`no built-in schema ${name}: no generated kind refers to it`);
  const schema: Schema = {};
  components.set(name, schema);
  const pointer = pointers[name];
  const made = { title: name, ...hydrated(source), ...alternatives(name) };
  return Object.assign(schema, made, pointer && { zeroFields: { ...made.zeroFields, [pointer]: null } });
}

function hydrated({ $ref, properties, items, additionalProperties, zeroFields, ...own }: StoredSchema): Schema {
  if ($ref !== undefined) return over(builtinSchema($ref), withoutStructMark(own));
  return {
    ...own,
    ...(zeroFields !== undefined && {
      zeroFields: Object.fromEntries(zeroFields.map((name) => [name, zeroOf(properties?.[name] ?? {})])),
    }),
    ...(items !== undefined && { items: hydrated(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: hydrated(additionalProperties) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, hydrated(value)])),
    }),
  };
}

const jsonSchema = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

/** Published as anything at all; where a value is an object it is a schema, and so are the items of a list of them. */
function alternatives(name: string): Pick<Schema, 'alternatives'> {
  if (!name.startsWith(`${jsonSchema}Or`)) return {};
  const schema = builtinSchema(jsonSchema);
  return { alternatives: name.endsWith('OrArray') ? { object: schema, items: schema } : { object: schema } };
}

/** Fields that are always written and null until set, though their type has its own zero. */
const pointers: Readonly<Record<string, string>> = {
  'io.k8s.api.admissionregistration.v1.MutatingWebhook': 'sideEffects',
  'io.k8s.api.admissionregistration.v1.ValidatingWebhook': 'sideEffects',
  'io.k8s.api.core.v1.AzureFilePersistentVolumeSource': 'secretNamespace',
  'io.k8s.api.core.v1.GRPCAction': 'service',
  'io.k8s.api.core.v1.TypedLocalObjectReference': 'apiGroup',
  'io.k8s.api.core.v1.TypedObjectReference': 'apiGroup',
  'io.k8s.api.flowcontrol.v1.LimitedPriorityLevelConfiguration': 'nominalConcurrencyShares',
  'io.k8s.api.networking.v1.HTTPIngressPath': 'pathType',
  'io.k8s.api.networking.v1.IngressClassParametersReference': 'scope',
  'io.k8s.api.resource.v1.CapacityRequestPolicy': 'default',
};

const scalarZeros: Readonly<Record<string, Json>> = { string: '', integer: 0, number: 0, boolean: false };

/** What Go writes of a field that was never set: times, lists and maps are null, quantities a text. */
function zeroOf({ $ref, type, format, additionalProperties, default: value }: StoredSchema): Json {
  if ($ref === undefined) return additionalProperties === undefined && format !== 'byte' ? scalarZero(type) : null;
  const component = stored.schemas[$ref] ?? {};
  if (component['x-kubernetes-int-or-string'] === true) return 0;
  if (component.oneOf !== undefined) return '0';
  return component.properties !== undefined && JSON.stringify(value) === '{}' ? {} : null;
}

function scalarZero(type: StoredSchema['type']): Json {
  return scalarZeros[type ?? ''] ?? null;
}

/** The documents mark a struct that is always there by an empty default; a component in its place stays shared. */
function withoutStructMark({ default: value, ...own }: Schema): Schema {
  return value === undefined || JSON.stringify(value) === '{}' ? own : { ...own, default: value };
}

/** A component as it is, or a copy with keywords of its place laid over it, which is not a component any more. */
function over(component: Schema, own: Schema): Schema {
  if (Object.keys(own).length === 0) return component;
  const { title: _, ...rest } = component;
  return { ...rest, ...own };
}

const replicas: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

function definitionOf(resource: StoredResource): ResourceDefinition {
  const { group, kind, subresources, schema, shortNames, categories, ...names } = resource;
  const row = builtinKind(resource);
  return {
    ...names,
    group,
    kind,
    listKind: `${kind}List`,
    shortNames: shortNames ?? [],
    categories: categories ?? [],
    custom: false,
    // A server that is asked for two kinds hydrates two.
    get schema() {
      return builtinSchema(schema);
    },
    hasStatus: subresources.includes('status'),
    scale: subresources.includes('scale') ? replicas : undefined,
    columns: [],
    selectableFields: row.selectableFields ?? [],
    strategy: strategyOf(row),
    storedAs: row.storedAs,
  };
}

/** Made for the first server and shared by all: definitions never change. */
let definitions: readonly ResourceDefinition[] | undefined;

/** Every built-in resource the server knows, in group and version order. */
export function builtinResources(): ResourceDefinition[] {
  definitions ??= stored.resources.map(definitionOf);
  return [...definitions];
}
