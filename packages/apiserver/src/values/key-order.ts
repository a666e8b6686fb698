// The order of keys: fields of a struct come in the order of its schema, keys of a map by code point. Objects of JavaScript put keys such as
// "10" first, in numeric order, so that an order that was made is not always one that stays.
import { compareText } from './equality.ts';
import { setField } from './plain-data.ts';

/**
 * What is known of the shape of a value, as far as the order of its keys goes: fields of a struct come in the order of
 * `properties`, keys of a map by code point, and what stands under `asMade` in the order it has.
 */
export interface Shape {
  readonly properties?: Readonly<Record<string, Shape>> | undefined;
  readonly items?: Shape | undefined;
  readonly additionalProperties?: Shape | boolean | undefined;
  /** Fields that are written even where the value does not have them, with what is written then. */
  readonly zeroFields?: Readonly<Record<string, unknown>> | undefined;
  /** Instead of this shape where the value is an object, or the items of a list. */
  readonly alternatives?: { readonly object: Shape; readonly items?: Shape | undefined } | undefined;
  readonly asMade?: true | undefined;
}

/** A field of a struct: where it comes, whether it is always written, what is below it. */
interface KnownField {
  readonly place: number;
  readonly always: boolean;
  readonly below: KnownFields;
}

type Compare = (left: string, right: string) => number;

const anyShape: Shape = {};
export const asMade: Shape = { asMade: true };
const knownFields = new WeakMap<Shape, KnownFields>();

/** What is asked of a shape for every object, found out once; what lies below when it is first asked for, as shapes may hold themselves. */
export class KnownFields {
  readonly fields: ReadonlyMap<string, KnownField>;
  /** Fields that are always written, and with what where they are not set. */
  readonly zeros: ReadonlyMap<string, unknown>;
  /** Undefined where the order is the one that is there. */
  readonly compare: Compare | undefined;
  readonly #shape: Shape;
  readonly #struct: Shape;
  #rest: KnownFields | undefined;
  #items: KnownFields | undefined;

  constructor(shape: Shape) {
    this.#shape = shape;
    this.#struct = shape.alternatives?.object ?? shape;
    const { properties, zeroFields = {} } = this.#struct;
    const made = shape.asMade === true;
    this.zeros = new Map(properties === undefined || made ? [] : Object.entries(zeroFields));
    const fields = Object.entries(properties ?? {}).map(([key, own], place): [string, KnownField] => {
      return [key, lazyField(own, place, this.zeros.has(key))];
    });
    this.fields = new Map(fields);
    this.compare = made ? undefined : comparison(this.fields);
  }

  /** What is below a key that is not a field of the struct. */
  get rest(): KnownFields {
    const { additionalProperties: below } = this.#struct;
    this.#rest ??= this.#shape.asMade === true ? this : fieldsOf(typeof below === 'object' ? below : anyShape);
    return this.#rest;
  }

  get items(): KnownFields {
    const { asMade: made, alternatives, items } = this.#shape;
    this.#items ??= made === true ? this : fieldsOf(alternatives?.items ?? items ?? anyShape);
    return this.#items;
  }

  below(key: string): KnownFields {
    return this.fields.get(key)?.below ?? this.rest;
  }
}

function lazyField(shape: Shape, place: number, always: boolean): KnownField {
  let known: KnownFields | undefined;
  return {
    place,
    always,
    get below() {
      known ??= fieldsOf(shape);
      return known;
    },
  };
}

export function fieldsOf(shape: Shape): KnownFields {
  const known = knownFields.get(shape) ?? new KnownFields(shape);
  knownFields.set(shape, known);
  return known;
}

function comparison(fields: KnownFields['fields']): Compare {
  if (fields.size === 0) return compareText;
  const placeOf = (key: string): number => fields.get(key)?.place ?? fields.size;
  return (left, right) => placeOf(left) - placeOf(right) || compareText(left, right);
}

/**
 * The keys of an object as they are written, those that are always written among them. Most are in order already,
 * because they were stored
 * so: looking costs less than sorting.
 */
export function keysInOrder(object: object, { zeros, compare }: KnownFields): string[] {
  const keys = Object.keys(object);
  for (const key of zeros.keys()) if (!Object.hasOwn(object, key)) keys.push(key);
  if (compare === undefined) return keys;
  for (let index = 1; index < keys.length; index += 1) {
    if (compare(keys[index - 1] ?? '', keys[index] ?? '') > 0) return keys.sort(compare);
  }
  return keys;
}

/** What is written of a field: what is always written is there even where the object does not have it. */
export function fieldIn(object: object, key: string, { zeros }: KnownFields): unknown {
  const own = (object as Readonly<Record<string, unknown>>)[key];
  return own === undefined && !Object.hasOwn(object, key) ? zeros.get(key) : own;
}

/** A copy with all keys in order, as far as JavaScript lets them be, and with what is always written. */
export function ordered<T>(value: T, shape: Shape): T {
  return orderedIn(value, fieldsOf(shape)) as T;
}

function orderedIn(value: unknown, known: KnownFields): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => orderedIn(item, known.items));
  const copy: Record<string, unknown> = {};
  for (const key of keysInOrder(value, known))
    setField(copy, key, orderedIn(fieldIn(value, key, known), known.below(key)));
  return copy;
}

/** Whether JavaScript itself would write a value as the server does: nothing to sort, nothing to add, no integers it cannot hold. */
export function isInOrder(value: unknown, shape: Shape): boolean {
  return isInOrderIn(value, fieldsOf(shape));
}

function isInOrderIn(value: unknown, known: KnownFields): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (!Array.isArray(value))
    return known.fields.size === 0 ? isMapInOrder(value, known) : isStructInOrder(value, known);
  const { items } = known;
  for (const item of value) if (typeof item !== 'string' && !isInOrderIn(item, items)) return false;
  return true;
}

function isMapInOrder(map: object, { rest, compare }: KnownFields): boolean {
  let last: string | undefined;
  for (const key of Object.keys(map)) {
    if (last !== undefined && compare !== undefined && compare(last, key) > 0) return false;
    last = key;
    const field = (map as Readonly<Record<string, unknown>>)[key];
    if (typeof field !== 'string' && !isInOrderIn(field, rest)) return false;
  }
  return true;
}

function isStructInOrder(struct: object, { fields, zeros }: KnownFields): boolean {
  let [last, always] = [-1, 0];
  for (const key of Object.keys(struct)) {
    const field = fields.get(key);
    // What the struct does not know comes last, by name: that is rare enough to be sorted.
    if (field === undefined || field.place < last) return false;
    last = field.place;
    if (field.always) always += 1;
    const value = (struct as Readonly<Record<string, unknown>>)[key];
    if (typeof value !== 'string' && !isInOrderIn(value, field.below)) return false;
  }
  return always === zeros.size;
}
