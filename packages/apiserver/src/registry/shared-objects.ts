import type { JsonObject } from 'kilter/api';
import type { Served } from '../kinds/index.ts';

interface Held {
  readonly served: Served;
  readonly object: JsonObject;
  readonly size: number;
}

/** Five thousand objects of common size: a list that is asked for again needs no parsing. */
const defaultMost = 8 * 2 ** 20;

/**
 * Objects as readers get them, by the revision that brought them: every get, list and watch of one revision has the
 * same one, so that it is
 * parsed once, and written once by whoever keeps what it wrote. Nobody may change what is in here.
 */
export class SharedObjects {
  readonly #held = new Map<number, Held>();
  /** The summed size of all entries; never above `#most` once an entry is in. */
  #size = 0;
  readonly #most: number;
  /**
   * Where the oldest entry is: whatever is before it is gone. To look for it from the beginning each time would pass all
   * that a map still remembers of entries taken out.
   */
  readonly #oldest: MapIterator<[number, Held]>;

  /** `most`: characters of stored text; the parsed form takes a few times as much memory. */
  constructor(most: number = defaultMost) {
    this.#most = most;
    this.#oldest = this.#held.entries();
  }

  /** What this version of the resource shows of a revision; undefined if that is not at hand. */
  get(revision: number, served: Served): JsonObject | undefined {
    const held = this.#held.get(revision);
    return held?.served === served ? held.object : undefined;
  }

  put(revision: number, held: Held): void {
    this.#size += held.size - (this.#held.get(revision)?.size ?? 0);
    this.#held.delete(revision);
    this.#held.set(revision, held);
    while (this.#size > this.#most) {
      const { value } = this.#oldest.next();
      // What counts is in the map, and so ahead of the iterator.
      if (value === undefined) return;
      this.drop(value[0]);
    }
  }

  /** The revision did not come to be. */
  drop(revision: number): void {
    this.#size -= this.#held.get(revision)?.size ?? 0;
    this.#held.delete(revision);
  }

  /** Revisions begin again. */
  clear(): void {
    this.#held.clear();
    this.#size = 0;
  }
}
