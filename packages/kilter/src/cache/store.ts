import { compareResourceVersions } from '../api/index.ts';
import { IndexTable, type IndexKeys } from './index-table.ts';
import type { StoredObject } from './stored-object.ts';

/** What anyone may do with a store. */
export interface StoreReader {
  readonly count: number;
  readonly size: number;
  get(key: string): StoredObject | undefined;
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
  /** In place of what a re-sync no longer found. */
  readonly removed: readonly StoredObject[];
  /** What is new or differs, in list order. */
  readonly written: readonly { readonly before: StoredObject | undefined; readonly after: StoredObject }[];
}

export interface Replacement {
  /** The part of the store to replace; undefined: all of it. */
  readonly namespace: string | undefined;
  readonly objects: ReadonlyMap<string, StoredObject>;
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
  remove(key: string): StoredObject | undefined;
  /** What a replacement would change, found piece by piece. */
  compare(replacement: Replacement): Generator<undefined, Difference>;
  /** In one go: no reader sees a part of it. */
  replace(difference: Difference): Replaced;
  addIndex(index: string, keysOf: IndexKeys): void;
  dropIndex(index: string): void;
}

/** Where two versions of one key stand to each other. Of different UIDs only the order of versions is known. */
export function ageOf(given: StoredObject, held: StoredObject): 'older' | 'same' | 'newer' {
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
  /** Namespace ('' for none) -> key -> object. No inner map is empty. */
  readonly #namespaces = new Map<string, Map<string, StoredObject>>();
  /** Every index covers exactly the objects in #namespaces. */
  readonly #indexes = new Map<string, IndexTable>();
  readonly #owners = new IndexTable(({ controllerUid }) => (controllerUid === undefined ? [] : [controllerUid]));
  /** Indexes of labels that were asked for, the one asked for last at the end; each covers all of #namespaces. */
  readonly #labels = new Map<string, IndexTable>();
  /** How many objects #namespaces holds. */
  #count = 0;
  /** The sum of their sizes. */
  #size = 0;

  get count(): number {
    return this.#count;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): StoredObject | undefined {
    return this.#namespaces.get(namespaceOfKey(key))?.get(key);
  }

  all(namespace?: string): readonly StoredObject[] {
    if (namespace !== undefined) return [...(this.#namespaces.get(namespace)?.values() ?? [])];
    return [...this.#namespaces.values()].flatMap((objects) => [...objects.values()]);
  }

  *each(namespace?: string): Generator<StoredObject> {
    if (namespace !== undefined) return yield* this.#namespaces.get(namespace)?.values() ?? [];
    for (const objects of this.#namespaces.values()) yield* objects.values();
  }

  *keys(): Generator<string> {
    for (const objects of this.#namespaces.values()) yield* objects.keys();
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
    const namespace = namespaceOfKey(object.key);
    const objects = this.#namespaces.get(namespace) ?? new Map<string, StoredObject>();
    const before = objects.get(object.key);
    objects.set(object.key, object);
    this.#namespaces.set(namespace, objects);
    if (before !== object) before?.release?.();
    object.keep?.();
    this.#count += before === undefined ? 1 : 0;
    this.#size += object.size - (before?.size ?? 0);
    for (const index of this.#everyIndex()) index.put(object);
    return before;
  }

  remove(key: string): StoredObject | undefined {
    const namespace = namespaceOfKey(key);
    const objects = this.#namespaces.get(namespace);
    const before = objects?.get(key);
    if (objects === undefined || before === undefined) return undefined;
    objects.delete(key);
    if (objects.size === 0) this.#namespaces.delete(namespace);
    this.#count -= 1;
    this.#size -= before.size;
    before.release?.();
    for (const index of this.#everyIndex()) index.remove(key);
    return before;
  }

  *compare({ namespace, objects, unusable }: Replacement): Generator<undefined, Difference> {
    const removed: StoredObject[] = [];
    for (const held of this.all(namespace)) {
      if (!objects.has(held.key) && !unusable.has(held.key)) removed.push(held);
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

  *#everyIndex(): Generator<IndexTable> {
    yield this.#owners;
    yield* this.#indexes.values();
    yield* this.#labels.values();
  }

  #resolve(keys: Iterable<string>): readonly StoredObject[] {
    return [...keys].flatMap((key) => this.get(key) ?? []);
  }
}

function namespaceOfKey(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? '' : key.slice(0, slash);
}
