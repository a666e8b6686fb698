import type { Json, JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import type { Schema } from '../values/index.ts';

export type Dialect = 'v2' | 'v3';

const prefixes = { v2: '#/definitions/', v3: '#/components/schemas/' } as const;

/** Keywords of schemas that OpenAPI 2 does not have, or that Kubernetes does not publish there. */
const newKeywords = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'nullable']);

/** What built-in kinds publish for an integer or string; custom resources have the extension alone. */
const intOrString: Record<Dialect, JsonObject> = {
  v2: { type: 'string', format: 'int-or-string' },
  v3: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
};

export const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const listMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';
export const deleteComponent = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';
export const patchComponent = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch';

/** `com.example.v1.WebApp` for a custom resource, the published name for a built-in kind. */
export function componentName({ custom, group, version, kind, schema }: ResourceDefinition): string {
  const reversed = group.split('.').toReversed().join('.');
  return (custom ? undefined : schema.title) ?? `${reversed}.${version}.${kind}`;
}

export function listComponentName(resource: ResourceDefinition): string {
  return componentName(resource).slice(0, -resource.kind.length) + resource.listKind;
}

/** What the fields of every object are for, in our own words: `kubectl explain` shows them. */
const texts = {
  apiVersion: 'The group and version of the API that this object is written for, such as "apps/v1".',
  kind: 'The kind of this object, such as "Deployment". It cannot be changed.',
  metadata:
    'What every object has: its name and namespace, labels and annotations, owners, and what the server notes about it.',
  listMetadata: 'The version of the list as a whole and, where it goes on, the token for its next page.',
} as const;

const identity = {
  apiVersion: { description: texts.apiVersion, type: 'string' },
  kind: { description: texts.kind, type: 'string' },
} as const;

/** Writes schemas as the components of one document. */
export class ComponentWriter {
  /** Finished components, and those being written: one is entered before its fields are, so that cycles end. */
  readonly components: Record<string, JsonObject> = {};
  readonly #dialect: Dialect;
  /** Components referred to and not yet written. */
  readonly #pending = new Map<string, Schema>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  reference(name: string): JsonObject {
    return { $ref: prefixes[this.#dialect] + name };
  }

  /** Adds a kind, its list and all they refer to. `metadata` is the schema of ObjectMeta, wherever the caller has it. */
  add(resource: ResourceDefinition, metadata: Schema | undefined): void {
    const name = componentName(resource);
    const { group, version, kind, listKind, schema } = resource;
    const body = resource.custom ? this.#customObject(schema, metadata) : this.#object(schema);
    this.components[name] = { ...body, 'x-kubernetes-group-version-kind': [{ group, version, kind }] };
    this.components[listComponentName(resource)] = {
      description: `A list of ${kind} objects.`,
      ...this.#list(name, resource),
      'x-kubernetes-group-version-kind': [{ group, version, kind: listKind }],
    };
    this.components[patchComponent] = { type: 'object' };
    this.#writePending();
  }

  /** Adds a built-in component that operations refer to, and all it refers to. */
  include(component: Schema): void {
    this.#refer(component);
    this.#writePending();
  }

  #writePending(): void {
    for (const [name, schema] of this.#pending) {
      this.#pending.delete(name);
      this.components[name] ??= this.#object(schema);
    }
  }

  /** A custom resource, with the metadata every object has instead of what its definition may say of it. */
  #customObject(schema: Schema, metadata: Schema | undefined): JsonObject {
    // To OpenAPI 2 a kind that takes anything is an object of which nothing is said.
    if (this.#dialect === 'v2' && schema['x-kubernetes-preserve-unknown-fields'] === true) return { type: 'object' };
    const { properties, ...rest } = schema;
    const { apiVersion: _, kind: __, metadata: declared, ...own } = properties ?? {};
    const standard =
      metadata === undefined ? this.#inline(declared ?? { type: 'object' }, metadata) : this.#metadata(metadata);
    const fields: JsonObject = { ...identity, metadata: { description: texts.metadata, ...standard } };
    for (const [name, field] of Object.entries(own)) fields[name] = this.#inline(field, metadata);
    return { ...this.#inline({ ...rest, type: 'object' }, metadata), properties: fields };
  }

  #metadata(metadata: Schema): JsonObject {
    return this.#placed(metadata, { keyword: 'properties', name: 'metadata' });
  }

  #list(item: string, { plural }: ResourceDefinition): JsonObject {
    this.components[listMeta] ??= {
      type: 'object',
      properties: {
        continue: { type: 'string' },
        remainingItemCount: { type: 'integer', format: 'int64' },
        resourceVersion: { type: 'string' },
        selfLink: { type: 'string' },
      },
    };
    const metadata = this.reference(listMeta);
    const properties = {
      apiVersion: identity.apiVersion,
      items: { description: `The ${plural} of the list.`, type: 'array', items: this.reference(item) },
      kind: identity.kind,
      metadata: { description: texts.listMetadata, ...(this.#dialect === 'v2' ? metadata : { allOf: [metadata] }) },
    };
    return { type: 'object', required: ['items'], properties };
  }

  #refer(component: Schema): JsonObject {
    const name = component.title;
    if (name === undefined) return this.#inline(component, undefined);
    if (this.components[name] === undefined) this.#pending.set(name, component);
    return this.reference(name);
  }

  /** The body of a built-in component: its title is its name, and what it holds may be components again. */
  #object(component: Schema): JsonObject {
    const {
      title: _,
      zeroFields: zeros,
      omitsZero: ___,
      alternatives: ____,
      'x-kubernetes-int-or-string': either,
      'x-kubernetes-preserve-unknown-fields': __,
      ...schema
    } = component;
    if (either === true) return { ...intOrString[this.#dialect] };
    if (this.#dialect === 'v2' && schema.oneOf !== undefined) return { type: 'string' };
    return this.#keywords(schema, (below, place) =>
      below.title === undefined ? this.#object(below) : this.#placed(below, place, zeros),
    );
  }

  /** A component where it stands: OpenAPI 3 takes keywords beside a reference only around it. */
  #placed(component: Schema, { keyword, name }: SchemaSlot, zeros: Schema['zeroFields'] = {}): JsonObject {
    const reference = this.#refer(component);
    if (this.#dialect === 'v2' || reference['$ref'] === undefined) return reference;
    const inCollection =
      (keyword === 'items' || keyword === 'additionalProperties') && component.properties !== undefined;
    const struct =
      inCollection || (keyword === 'properties' && typeof zeros[name] === 'object' && zeros[name] !== null);
    if (!struct && keyword !== 'properties') return reference;
    return { ...(struct && { default: {} }), allOf: [reference] };
  }

  /** A schema of a custom resource: a tree, written where it stands. */
  #inline(schema: Schema, metadata: Schema | undefined): JsonObject {
    const written = this.#keywords(schema, (below) => this.#inline(below, metadata));
    if (this.#dialect === 'v2') return written;
    if (schema['x-kubernetes-embedded-resource'] === true && metadata !== undefined) {
      const own = (written['properties'] ?? {}) as JsonObject;
      const standard = { ...identity, metadata: { description: texts.metadata, ...this.#metadata(metadata) } };
      return { ...written, required: ['kind', 'apiVersion'], properties: { ...own, ...standard } };
    }
    const either = schema['x-kubernetes-int-or-string'] === true && schema.anyOf === undefined;
    return either ? { ...written, anyOf: [{ type: 'integer' }, { type: 'string' }] } : written;
  }

  #keywords(schema: Schema, below: Below): JsonObject {
    const written: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (value === undefined || (this.#dialect === 'v2' && newKeywords.has(keyword))) continue;
      written[keyword] = writeKeyword(keyword, value, below);
    }
    return written;
  }
}

/** Where a schema is in another one; the name is that of a property. */
interface SchemaSlot {
  readonly keyword: string;
  readonly name: string;
}

type Below = (schema: Schema, place: SchemaSlot) => JsonObject;

function writeKeyword(keyword: string, value: unknown, write: Below): Json {
  const below = (schema: Schema, name = ''): JsonObject => write(schema, { keyword, name });
  switch (keyword) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(value as Record<string, Schema>)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, field]) => [name, below(field, name)]),
      );
    case 'items':
    case 'not':
      return below(value as Schema);
    case 'additionalProperties':
      return typeof value === 'boolean' ? value : below(value as Schema);
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return (value as Schema[]).map((one) => below(one));
    default:
      return value as Json;
  }
}
