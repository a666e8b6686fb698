import type { Json } from 'kilter/api';
import { isObject, isScalar, type Schema } from '../values/index.ts';

/** What may stand at one place of an object: a place without a declared type allows all three. */
export interface Type {
  readonly scalar?: ScalarType;
  readonly list?: ListType;
  readonly map?: MapType;
}

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'any';

export interface ListType {
  /** Owned and replaced as one; otherwise each item is owned by itself. */
  readonly atomic: boolean;
  /** The fields that tell items apart; none in a set, where the value does. */
  readonly keys: readonly string[];
  item(): Type;
  /** The value of a key that an item leaves out. */
  keyDefault(key: string): Json | undefined;
}

export interface MapType {
  readonly atomic: boolean;
  /** No declared fields, and elements of no declared type: a schema that says nothing about ownership. */
  readonly untyped: boolean;
  /** Is the field declared by name? Then it exists by its schema, and owning it needs no mark of its own. */
  declares(name: string): boolean;
  /** The type of a field; undefined when the schema does not allow the field. */
  field(name: string): Type | undefined;
}

const opaqueList: ListType = { atomic: true, keys: [], item: () => opaque, keyDefault: () => undefined };

/** Inside an untyped list: everything belongs to the list. */
const opaque: Type = {
  scalar: 'any',
  list: opaqueList,
  map: { atomic: true, untyped: false, declares: () => false, field: () => opaque },
};

/** Where unknown fields are preserved: maps field by field, lists as one. */
const deduced: Type = {
  scalar: 'any',
  list: opaqueList,
  map: { atomic: false, untyped: true, declares: () => false, field: () => deduced },
};

/** Types made so far, by the schema of the whole object; of built-in kinds and of others. */
const known = { builtin: new WeakMap<Schema, Type>(), custom: new WeakMap<Schema, Type>() };

/** The type of a whole object. */
export function typeOf(schema: Schema, builtin = false): Type {
  const table = builtin ? known.builtin : known.custom;
  const type = table.get(schema) ?? new Types(schema.properties?.['metadata'], builtin).resolve(schema, false);
  table.set(schema, type);
  return type;
}

/** Makes types along the values that ask for them: schemas of built-in kinds are graphs with cycles. */
class Types {
  /** The metadata of an embedded resource is typed as that of the object itself. */
  readonly #metadata: Schema | undefined;
  /** One table for places that preserve unknown fields, themselves or by inheritance, and one for the others. */
  readonly #made = { preserving: new WeakMap<Schema, Type>(), pruning: new WeakMap<Schema, Type>() };

  readonly #builtin: boolean;

  constructor(metadata: Schema | undefined, builtin: boolean) {
    this.#metadata = metadata;
    this.#builtin = builtin;
  }

  resolve(schema: Schema, inherited: boolean): Type {
    const preserve = inherited || schema['x-kubernetes-preserve-unknown-fields'] === true;
    const table = preserve ? this.#made.preserving : this.#made.pruning;
    const type = table.get(schema) ?? this.#make(schema, preserve);
    table.set(schema, type);
    return type;
  }

  #make(schema: Schema, preserve: boolean): Type {
    switch (schema.type) {
      case 'object':
        return { map: this.#map(schema, preserve) };
      case 'array':
        return { list: this.#list(schema, preserve) };
      case undefined:
        return { scalar: 'any', list: this.#list(schema, preserve), map: this.#map(schema, preserve) };
      default:
        return { scalar: scalarOf(schema) };
    }
  }

  #list(schema: Schema, preserve: boolean): ListType {
    const { items } = schema;
    return {
      ...relationOf(schema),
      item: () => (items === undefined ? opaque : this.resolve(items, preserve)),
      keyDefault: (key) => property(items?.properties, key)?.default ?? this.#zeroKey(items, key),
    };
  }

  /** Required fields of built-in structs are there even when nobody wrote them, empty; so is the name in a reference that is nothing but a name. */
  #zeroKey(items: Schema | undefined, key: string): Json | undefined {
    if (!this.#builtin || items === undefined) return undefined;
    const isName = items['x-kubernetes-map-type'] === 'atomic' && Object.keys(items.properties ?? {}).length === 1;
    if (items.required?.includes(key) !== true && !isName) return undefined;
    const type = property(items.properties, key)?.type;
    return type === 'string' ? '' : type === 'integer' ? 0 : undefined;
  }

  #map(schema: Schema, preserve: boolean): MapType {
    const properties = this.#properties(schema);
    const element = this.#element(schema, preserve);
    return {
      atomic: schema['x-kubernetes-map-type'] === 'atomic',
      untyped: properties === undefined && element?.() === deduced,
      declares: (name) => property(properties, name) !== undefined,
      field: (name) => {
        const declared = property(properties, name);
        return declared === undefined ? element?.() : this.resolve(declared, preserve);
      },
    };
  }

  #properties(schema: Schema): Properties | undefined {
    if (schema['x-kubernetes-embedded-resource'] !== true) return schema.properties;
    const metadata = this.#metadata && { metadata: this.#metadata };
    return { ...schema.properties, apiVersion: text, kind: text, ...metadata };
  }

  #element({ additionalProperties, properties }: Schema, preserve: boolean): (() => Type) | undefined {
    if (typeof additionalProperties === 'object') return () => this.resolve(additionalProperties, preserve);
    // An object that declares nothing at all is free-form.
    const open = additionalProperties ?? (preserve || Object.keys(properties ?? {}).length === 0);
    return open ? () => deduced : undefined;
  }
}

type Properties = Readonly<Record<string, Schema>>;

const text: Schema = { type: 'string' };

function property(properties: Properties | undefined, name: string): Schema | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function scalarOf({ type, format }: Schema): ScalarType {
  if (type === 'integer' || type === 'number') return 'numeric';
  if (type === 'boolean') return 'boolean';
  // Formats such as int-or-string and date-time are left to validation.
  return format === undefined || format === '' || format === 'byte' ? 'string' : 'any';
}

/** Built-in kinds of old declare associative lists only by how strategic merge treats them. */
function relationOf(schema: Schema): Pick<ListType, 'atomic' | 'keys'> {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== undefined) {
    return {
      atomic: listType === 'atomic',
      keys: listType === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [],
    };
  }
  const merges = ['merge', 'merge,retainKeys'].includes(schema['x-kubernetes-patch-strategy'] ?? '');
  const key = schema['x-kubernetes-patch-merge-key'];
  return { atomic: !merges, keys: merges && key !== undefined ? [key] : [] };
}

/** How one value of a type is to be treated. */
export type Shape =
  | { readonly kind: 'map'; readonly map: MapType }
  | { readonly kind: 'list'; readonly list: ListType }
  | { readonly kind: 'scalar'; readonly scalar: ScalarType };

/** The shape a value has by its type; a value of no allowed shape, null included, is treated as the first allowed one. */
export function shapeOf(type: Type, value: unknown): Shape {
  if (type.map && isObject(value)) return { kind: 'map', map: type.map };
  if (type.list && Array.isArray(value)) return { kind: 'list', list: type.list };
  if (type.scalar && isScalar(value)) return { kind: 'scalar', scalar: type.scalar };
  if (type.map) return { kind: 'map', map: type.map };
  return type.list && !type.scalar
    ? { kind: 'list', list: type.list }
    : { kind: 'scalar', scalar: type.scalar ?? 'any' };
}
