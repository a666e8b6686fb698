import { compareResourceVersions } from '../api/index.ts';
import { IndexTable, type IndexKeys } from './index-table.ts';
import { NumberedObjects } from './numbered-objects.ts';
import { ObjectMap } from './object-map.ts';
import type { Age, StoredObject } from './stored-object.ts';

/** What anyone may do with a store. */
export interface StoreReader {
  readonly count: number;
  readonly size: number;
  /** Best with the number the key had when it was seen last. */
  get(key: string, number?: number): StoredObject | undefined;
  /** As they stand at the call: a change that follows is not in it. */
  all(namespace?: string): readonly StoredObject[];
  /** One after the other, without a copy: only for a walk that ends before anything changes. */
  each(namespace?: string): IterableIterator<StoredObject>;
  /** One after the other, for a walk during which things change: what comes meanwhile may be in it, what goes is not. */
  keys(): IterableIterator<string>;
  controlledBy(uid: string): readonly StoredObject[];
  /** The objects that have this label with one of these values. */
  labelled(label: string, values: readonly string[]): readonly StoredObject[];
  hasIndex(index: string): boolean;
  by(index: string, value: string): readonly StoredObject[];
  isIndexed(index: string, value: string, key: string): boolean;
}

export interface Replaced {
  /** Instead of what a re-sync no longer found. */
  readonly removed: readonly StoredObject[];
  /** What is new or differs, in list order. */
  readonly written: readonly { readonly before: StoredObject | undefined; readonly after: StoredObject }[];
}

export interface Replacement {
  /** The part of the store to replace; undefined: all of it. */
  readonly namespace: string | undefined;
  readonly objects: { get(key: string): StoredObject | undefined; values(): Iterable<StoredObject> };
  /** Keys whose new state could not be used: what is held for them stays. */
  readonly unusable: ReadonlySet<string>;
}

/** What a replacement takes away, and what is new in it or differs, in list order. */
export interface Difference {
  readonly removed: readonly StoredObject[];
  readonly written: readonly StoredObject[];
}

/** What only the reflector's side may do. */
export interface StoreWriter {
  /** Returns what it takes the place of. */
  put(object: StoredObject): StoredObject | undefined;
  /** A first state, which nobody may read before it is complete; its objects belong to the store from the beginning. */
  fill(objects: ObjectMap): Generator<undefined>;
  remove(key: string): StoredObject | undefined;
  /** What a replacement would change, found piece by piece. */
  compare(replacement: Replacement): Generator<undefined, Difference>;
  /** In one go: no reader sees a part of it. */
  replace(difference: Difference): Replaced;
  addIndex(index: string, keysOf: IndexKeys): void;
  dropIndex(index: string): void;
}

/** Where two versions of one key stand to each other. Of different UIDs only the order of versions is known. */
export function ageOf(given: StoredObject, held: StoredObject): Age {
  const known = given.ageBeside?.(held);
  if (known !== undefined) return known;
  const order = compareResourceVersions(given.resourceVersion, held.resourceVersion);
  if (order === -1) return 'older';
  return order === 0 && given.uid === held.uid ? 'same' : 'newer';
}

// An operator asks for a handful of labels; whoever asks for ever new ones gets them from a scan that is remembered for a while.
const mostLabels = 16;

function ownLabel(labels: StoredObject['labels'], label: string): readonly string[] {
  const value = labels !== undefined && Object.hasOwn(labels, label) ? labels[label] : undefined;
  return value === undefined ? [] : [value];
}

/** A map of stored objects, whatever form they are kept in. */
export class ObjectStore implements StoreReader, StoreWriter {
  readonly #objects = new ObjectMap();
  /** Exactly those in #objects. */
  readonly #numbered = new NumberedObjects();
  /** Every index covers exactly the objects in #objects. */
  readonly #indexes = new Map<string, IndexTable>();
  readonly #owners = new IndexTable(({ controllerUid }) => (controllerUid === undefined ? [] : [controllerUid]));
  /** Indexes of labels that were asked for, the one asked for last at the end; each covers all of #objects. */
  readonly #labels = new Map<string, IndexTable>();
  /** How many objects #objects holds. */
  #count = 0;
  /** The sum of their sizes. */
  #size = 0;

  get count(): number {
    return this.#count;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string, number?: number): StoredObject | undefined {
    const seen = number === undefined ? undefined : this.#numbered.at(number);
    return seen?.key === key ? seen : this.#objects.get(key);
  }

  all(namespace?: string): readonly StoredObject[] {
    return this.#objects.all(namespace);
  }

  each(namespace?: string): IterableIterator<StoredObject> {
    return this.#objects.values(namespace);
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  controlledBy(uid: string): readonly StoredObject[] {
    return this.#resolve(this.#owners.keys(uid));
  }

  labelled(label: string, values: readonly string[]): readonly StoredObject[] {
    const table = this.#labels.get(label) ?? this.#filled(({ labels }) => ownLabel(labels, label));
    this.#labels.delete(label);
    this.#labels.set(label, table);
    const [oldest] = this.#labels.keys();
    if (this.#labels.size > mostLabels && oldest !== undefined) this.#labels.delete(oldest);
    return [...new Set(values)].flatMap((value) => this.#resolve(table.keys(value)));
  }

  hasIndex(index: string): boolean {
    return this.#indexes.has(index);
  }

  by(index: string, value: string): readonly StoredObject[] {
    return this.#resolve(this.#indexes.get(index)?.keys(value) ?? []);
  }

  isIndexed(index: string, value: string, key: string): boolean {
    return this.#indexes.get(index)?.has(value, key) ?? false;
  }

  put(object: StoredObject): StoredObject | undefined {
    const before = this.#objects.set(object);
    if (before !== object) this.#entered(object, before);
    return before;
  }

  *fill(objects: ObjectMap): Generator<undefined> {
    const shared = new Set(this.#objects.takeOver(objects));
    for (const object of objects.values()) {
      if (shared.size > 0 && shared.has(object.ref.namespace ?? '')) this.put(object);
      else this.#entered(object, undefined);
      yield;
    }
  }

  #entered(object: StoredObject, before: StoredObject | undefined): void {
    if (before === undefined) this.#numbered.enter(object);
    else this.#numbered.pass(before, object);
    before?.release?.();
    object.keep?.(before);
    this.#count += before === undefined ? 1 : 0;
    this.#size += object.size - (before?.size ?? 0);
    if (before === undefined || object.hasOwnersOf?.(before) !== true) this.#owners.put(object);
    if (this.#indexes.size > 0) for (const index of this.#indexes.values()) index.put(object);
    if (this.#labels.size > 0) for (const index of this.#labels.values()) index.put(object);
  }

  remove(key: string): StoredObject | undefined {
    const before = this.#objects.delete(key);
    if (before === undefined) return undefined;
    this.#count -= 1;
    this.#size -= before.size;
    this.#numbered.leave(before);
    before.release?.();
    this.#owners.remove(key);
    for (const index of this.#indexes.values()) index.remove(key);
    for (const index of this.#labels.values()) index.remove(key);
    return before;
  }

  *compare({ namespace, objects, unusable }: Replacement): Generator<undefined, Difference> {
    const removed: StoredObject[] = [];
    for (const held of this.all(namespace)) {
      if (objects.get(held.key) === undefined && !unusable.has(held.key)) removed.push(held);
      yield;
    }
    const written: StoredObject[] = [];
    for (const after of objects.values()) {
      const held = this.get(after.key);
      // Another version is taken even if it is older: a complete read is the truth.
      if (held === undefined || ageOf(after, held) !== 'same') written.push(after);
      yield;
    }
    return { removed, written };
  }

  replace({ removed, written }: Difference): Replaced {
    for (const { key } of removed) this.remove(key);
    return { removed, written: written.map((after) => ({ before: this.put(after), after })) };
  }

  addIndex(index: string, keysOf: IndexKeys): void {
    this.#indexes.set(index, this.#filled(keysOf));
  }

  dropIndex(index: string): void {
    this.#indexes.delete(index);
  }

  #filled(keysOf: IndexKeys): IndexTable {
    const table = new IndexTable(keysOf);
    for (const object of this.all()) table.put(object);
    return table;
  }

  #resolve(keys: Iterable<string>): readonly StoredObject[] {
    return [...keys].flatMap((key) => this.get(key) ?? []);
  }
}
