import type { StoredObject } from './stored-object.ts';

export type IndexKeys = (object: StoredObject) => readonly string[];

/** One index: from a value to the keys of the objects that have it. */
export class IndexTable {
  readonly #keysOf: IndexKeys;
  /** No set is empty; every key in a set has that value in #values. */
  readonly #keys = new Map<string, Set<string>>();
  /** The values each key stands under: what must be taken out when the object changes. */
  readonly #values = new Map<string, readonly string[]>();

  constructor(keysOf: IndexKeys) {
    this.#keysOf = keysOf;
  }

  put(object: StoredObject): void {
    const found = this.#keysOf(object);
    if (this.#values.size > 0) {
      const held = this.#values.get(object.key);
      if (held !== undefined && isSame(held, found)) return;
      this.remove(object.key);
    }
    if (found.length === 0) return;
    const values = found.map(detached);
    this.#values.set(object.key, values);
    for (const value of values) {
      const keys = this.#keys.get(value) ?? new Set();
      keys.add(object.key);
      this.#keys.set(value, keys);
    }
  }

  remove(key: string): void {
    for (const value of this.#values.get(key) ?? []) {
      const keys = this.#keys.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(value);
    }
    this.#values.delete(key);
  }

  has(value: string, key: string): boolean {
    return this.#keys.get(value)?.has(key) ?? false;
  }

  keys(value: string): Iterable<string> {
    return this.#keys.get(value) ?? [];
  }
}

function isSame(held: readonly string[], found: readonly string[]): boolean {
  return held.length === found.length && held.every((value, at) => value === found[at]);
}

// Shorter strings are never parts of others.
const shortestPart = 13;

/** A string of its own: a part of a decoded object's text would keep all of that text as long as it is in the index. */
function detached(text: string): string {
  return text.length < shortestPart ? text : Buffer.from(text).toString();
}
