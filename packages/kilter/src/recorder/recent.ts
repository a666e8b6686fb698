/** A map that keeps only what was used last. */
export class Recent<V> {
  readonly #limit: number;
  /** At most `#limit` entries, the one used last at the end. */
  readonly #entries = new Map<string, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value of a key, made when there is none; either way it is now the one used last. */
  use(key: string, make: () => V): V {
    const value = this.#entries.get(key) ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#limit && oldest.done !== true) this.#entries.delete(oldest.value);
    return value;
  }
}
