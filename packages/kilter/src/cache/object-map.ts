import type { StoredObject } from './stored-object.ts';

/** Stored objects by their keys, in a map for each namespace. */
export class ObjectMap {
  /** Namespace ('' for none) -> key -> object. No inner map is empty. */
  readonly #namespaces = new Map<string, Map<string, StoredObject>>();
  /** The objects of a namespace as they were found last, and for which key: it is asked for several times in a row. */
  #lastKey: string | undefined;
  #lastFound: Map<string, StoredObject> | undefined;

  get(key: string): StoredObject | undefined {
    return this.#around(key)?.get(key);
  }

  /** Returns what it takes the place of. */
  set(object: StoredObject): StoredObject | undefined {
    const { key } = object;
    const objects = this.#around(key) ?? this.#begin(namespaceOfKey(key), new Map<string, StoredObject>());
    const before = objects.get(key);
    objects.set(key, object);
    return before;
  }

  delete(key: string): StoredObject | undefined {
    const objects = this.#around(key);
    const before = objects?.get(key);
    if (objects === undefined || before === undefined) return undefined;
    objects.delete(key);
    if (objects.size === 0) this.#end(namespaceOfKey(key));
    return before;
  }

  /** Those of a namespace, or all of them; one after the other, without a copy. */
  *values(namespace?: string): Generator<StoredObject> {
    if (namespace !== undefined) return yield* this.#namespaces.get(namespace)?.values() ?? [];
    for (const objects of this.#namespaces.values()) yield* objects.values();
  }

  *keys(): Generator<string> {
    for (const objects of this.#namespaces.values()) yield* objects.keys();
  }

  /** As they stand at the call. */
  all(namespace?: string): StoredObject[] {
    if (namespace !== undefined) return [...(this.#namespaces.get(namespace)?.values() ?? [])];
    return [...this.#namespaces.values()].flatMap((objects) => [...objects.values()]);
  }

  /**
   * Takes over whole namespaces of which it has nothing: a hundred thousand objects need not be put from one map into another.
   * `others` has them as well, and is not to be changed any more. Returns the namespaces it has something of already.
   */
  takeOver(others: ObjectMap): string[] {
    const left: string[] = [];
    for (const [namespace, objects] of others.#namespaces) {
      if (this.#namespaces.has(namespace)) left.push(namespace);
      else this.#begin(namespace, objects);
    }
    return left;
  }

  /** The objects of the namespace a key is in. */
  #around(key: string): Map<string, StoredObject> | undefined {
    if (key === this.#lastKey) return this.#lastFound;
    this.#lastKey = key;
    this.#lastFound = this.#namespaces.get(namespaceOfKey(key));
    return this.#lastFound;
  }

  #begin(namespace: string, objects: Map<string, StoredObject>): Map<string, StoredObject> {
    this.#namespaces.set(namespace, objects);
    this.#lastKey = undefined;
    return objects;
  }

  #end(namespace: string): void {
    this.#namespaces.delete(namespace);
    this.#lastKey = undefined;
    this.#lastFound = undefined;
  }
}

function namespaceOfKey(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? '' : key.slice(0, slash);
}
