// Objects at one place of many documents have few different key sequences: a record names the sequence and holds values.

import { isInherited } from './own-property.ts';

/** Bounds of what is learned; beyond them objects are kept with their keys, and nothing is lost. */
const mostFollowing = 32;
const mostShapes = 50_000;
// Objects of a schema have fewer keys. One with a hundred thousand labels would be a sequence no recursion comes to the end of.
const longestSequence = 256;

/** One key at one place of the documents, whatever is before it. */
export class Field {
  readonly key: string;
  /** As it is in compact JSON, with quotes and colon. */
  readonly opening: Uint8Array;
  readonly role: Role;
  /** Something is asked of the field itself; looked up here, because roles are objects of many forms. */
  readonly attended: boolean;
  /** See `Role`. */
  readonly inline: boolean;
  readonly objects: boolean;
  readonly absentWhenNull: boolean;
  /** Objects in this field, and objects in lists in it. Made when first needed: see `placeIn`. */
  inside: Place | undefined;
  readonly #outer: Place;

  constructor(outer: Place, keyBytes: Uint8Array) {
    this.#outer = outer;
    this.key = Buffer.from(keyBytes).toString('latin1');
    this.opening = Buffer.from(`"${this.key}":`, 'latin1');
    this.role = outer.roleOf(this.key);
    const { note, drop, inline, expect, absentWhenNull } = this.role;
    this.absentWhenNull = absentWhenNull === true;
    this.attended = note !== undefined || drop === true || expect !== undefined || outer.strings;
    this.inline = inline === true;
    this.objects = expect === 'objects';
  }

  placeInside(): Place {
    return (this.inside ??= this.#outer.within(this.key));
  }
}

/** A sequence of keys: that of `before`, and `field` behind it; without one, a key that counts as absent. */
export class Shape {
  readonly number: number;
  /** How many keys it has. */
  readonly length: number;
  readonly field: Field | undefined;
  readonly before: Shape | undefined;
  /** The sequences that go on from here, at most `mostFollowing`. */
  readonly following: Shape[] = [];
  /** The sequence with a null for its last key, where that means that there is none. Made when first needed. */
  absent: Shape | undefined;
  #keys: readonly string[] | undefined;
  #plain: boolean | undefined;

  constructor(number: number, before?: Shape, field?: Field) {
    this.number = number;
    this.length = before === undefined ? 0 : before.length + 1;
    this.before = before;
    this.field = field;
  }

  /** Of the values a record holds: what is dropped has none. */
  get keys(): readonly string[] {
    return (this.#keys ??= this.#collect());
  }

  /** No key is one that every object has: they can be assigned. */
  get plain(): boolean {
    return (this.#plain ??= !this.keys.some(isInherited));
  }

  has(field: Field): boolean {
    return this.field === field || (this.before?.has(field) ?? false);
  }

  #collect(): readonly string[] {
    if (this.before === undefined) return [];
    const kept = this.field !== undefined && this.field.role.drop !== true;
    return kept ? [...this.before.keys, this.field.key] : this.before.keys;
  }
}

/** What a reader asks of the places of a document, by the path of keys from its root; lists are passed through. */
export interface Roles {
  readonly [key: string]: Role;
}

export interface Role {
  /** Where the encoder notes what it found here: 1 to 31. */
  readonly note?: number;
  /** Looked at, and not kept. */
  readonly drop?: boolean;
  /** Never pooled: the note must name bytes of the record itself. */
  readonly inline?: boolean;
  /** A null means that there is no such field: it is left out. */
  readonly absentWhenNull?: boolean;
  /** Anything but this is `odd`: an object whose values are strings, or a list of objects. */
  readonly expect?: 'strings' | 'objects';
  readonly within?: Roles;
  /** Of `within`: keep only the keys it names. */
  readonly only?: boolean;
}

const nothing: Role = {};
const dropped: Role = { drop: true };
const anyKey = new Uint8Array();

/** A place where objects stand: the root of the documents, or what a field holds. */
export class Place {
  readonly start: Shape;
  /** Values that are not strings are odd here. */
  readonly strings: boolean;
  readonly #shapes: Shapes;
  readonly #roles: Roles | undefined;
  readonly #only: boolean;
  readonly #fields = new Map<string, Field>();
  #any: Field | undefined;
  /** Too many different keys stand here (labels, data): objects are kept with their keys from now on. */
  keyed = false;

  constructor(shapes: Shapes, { within, only = false, expect }: Role = nothing) {
    this.#shapes = shapes;
    this.#roles = within;
    this.#only = only;
    this.strings = expect === 'strings';
    this.start = shapes.add();
  }

  /** Something was asked of a field of this place. */
  get asked(): boolean {
    return this.#roles !== undefined;
  }

  /** Not every key is like any other. */
  get choosy(): boolean {
    return this.#roles !== undefined || this.#only;
  }

  roleOf(key: string): Role {
    return this.#own(key) ?? (this.#only ? dropped : nothing);
  }

  within(key: string): Place {
    const role = this.roleOf(key);
    return this.#shapes.full && role === nothing ? this.#shapes.overflow : new Place(this.#shapes, role);
  }

  /** Stands for every key of an object that is kept with its keys. */
  get anyField(): Field {
    return (this.#any ??= new Field(this, anyKey));
  }

  /** The sequence with one more key; undefined where it is long, this place has become `keyed`, or the key is in it already. */
  extend(shape: Shape, source: Uint8Array, range: { readonly start: number; readonly end: number }): Shape | undefined {
    // A copy: a part of the source would keep all of it.
    const keyBytes = Uint8Array.from(source.subarray(range.start, range.end));
    const field = this.#field(keyBytes);
    if (shape.length >= longestSequence || shape.has(field) || field.key === '__proto__') return undefined;
    if (shape.following.length >= mostFollowing || this.#shapes.full) {
      this.keyed = true;
      return undefined;
    }
    const next = this.#shapes.add(shape, field);
    shape.following.push(next);
    return next;
  }

  #field(keyBytes: Uint8Array): Field {
    const made = new Field(this, keyBytes);
    const known = this.#fields.get(made.key);
    if (known !== undefined) return known;
    this.#fields.set(made.key, made);
    return made;
  }

  #own(key: string): Role | undefined {
    return this.#roles !== undefined && Object.hasOwn(this.#roles, key) ? this.#roles[key] : undefined;
  }
}

/** All sequences of one kind of documents, by number. */
export class Shapes {
  readonly root: Place;
  /** For whatever stands deeper than there is room to learn about. */
  readonly overflow: Place;
  readonly #all: Shape[] = [];

  constructor(role?: Role) {
    this.root = new Place(this, role);
    this.overflow = new Place(this);
    this.overflow.keyed = true;
    this.overflow.anyField.inside = this.overflow;
  }

  get count(): number {
    return this.#all.length;
  }

  get full(): boolean {
    return this.#all.length >= mostShapes;
  }

  /** The sequence with nothing instead of its last key; undefined where there is no room to learn it. */
  absent(shape: Shape): Shape | undefined {
    if (shape.absent === undefined && !this.full) shape.absent = this.add(shape.before);
    return shape.absent;
  }

  add(before?: Shape, field?: Field): Shape {
    const shape = new Shape(this.#all.length, before, field);
    this.#all.push(shape);
    return shape;
  }

  at(number: number): Shape {
    return this.#all[number] as Shape;
  }
}
