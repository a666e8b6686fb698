import { type Change, History, type HistoryLimits } from './history.ts';

/** An object at rest: its JSON text, and the revision of its last change. */
export interface Stored {
  readonly key: string;
  readonly revision: number;
  readonly text: string;
}

/** The first index whose key is not below `key`. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All objects of one resource with their recent history. */
export class Bucket {
  readonly history: History;
  readonly #objects = new Map<string, Stored>();
  /** The keys of `#objects`, ascending. */
  readonly #keys: string[] = [];

  constructor(limits: HistoryLimits, since: number) {
    this.history = new History(limits, since);
  }

  get size(): number {
    return this.#keys.length;
  }

  read(key: string): Stored | undefined {
    return this.#objects.get(key);
  }

  put(stored: Stored): void {
    if (!this.#objects.has(stored.key)) this.#keys.splice(lowerBound(this.#keys, stored.key), 0, stored.key);
    this.#objects.set(stored.key, stored);
  }

  take(key: string): void {
    if (this.#objects.delete(key)) this.#keys.splice(lowerBound(this.#keys, key), 1);
  }

  /** The objects whose keys start with a prefix, in key order. */
  list(prefix: string): Stored[] {
    const found: Stored[] = [];
    for (let index = lowerBound(this.#keys, prefix); index < this.#keys.length; index += 1) {
      const key = this.#keys[index] ?? '';
      if (!key.startsWith(prefix)) break;
      const stored = this.#objects.get(key);
      if (stored !== undefined) found.push(stored);
    }
    return found;
  }

  /** The list as it was at a revision, by undoing what happened since; undefined if that is no longer known. */
  listAt(prefix: string, revision: number): Stored[] | undefined {
    if (revision < this.history.lost) return undefined;
    const undone = new Map<string, Change['previous']>();
    for (const change of this.history.newestFirst(revision)) undone.set(change.key, change.previous);
    if (undone.size === 0) return this.list(prefix);
    const kept = this.list(prefix).filter(({ key }) => !undone.has(key));
    const revived = [...undone].flatMap(([key, before]) =>
      before === undefined || !key.startsWith(prefix) ? [] : [{ key, ...before }],
    );
    return [...kept, ...revived].sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}
