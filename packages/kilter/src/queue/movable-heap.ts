import { none } from './slot-chain.ts';

/** A binary heap whose elements can be moved and taken out, so that nothing outdated is left behind in it. */
export class MovableHeap<T extends object | number> {
  readonly #compare: (a: T, b: T) => number;
  /** Where an element lies in the one heap of its sort that it is in; `none` while there is no such heap. */
  readonly #placeOf: (item: T) => number;
  /** Keeps that; only the heap calls it. */
  readonly #putAt: (item: T, place: number) => void;
  /** Every element is not smaller than its parent at (i - 1) >> 1; each of them knows its place. */
  readonly #items: T[] = [];

  constructor(compare: (a: T, b: T) => number, placeOf: (item: T) => number, putAt: (item: T, place: number) => void) {
    this.#compare = compare;
    this.#placeOf = placeOf;
    this.#putAt = putAt;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an element, or puts it right after what it is compared by has changed. */
  place(item: T): void {
    let at = this.#placeOf(item);
    if (at < 0) {
      at = this.#items.length;
      this.#items.push(item);
      this.#putAt(item, at);
    }
    this.#restore(item, at);
  }

  remove(item: T): boolean {
    const at = this.#placeOf(item);
    if (at < 0) return false;
    this.#putAt(item, none);
    const last = this.#items.pop() as T;
    if (last !== item) {
      this.#put(last, at);
      this.#restore(last, at);
    }
    return true;
  }

  #put(item: T, at: number): void {
    this.#items[at] = item;
    this.#putAt(item, at);
  }

  #restore(item: T, from: number): void {
    if (this.#rise(item, from) === from) this.#sink(item, from);
  }

  #rise(item: T, from: number): number {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.#items[parent] as T;
      if (this.#compare(item, above) >= 0) break;
      this.#put(above, at);
      at = parent;
    }
    if (at !== from) this.#put(item, at);
    return at;
  }

  #sink(item: T, from: number): void {
    let at = from;
    for (let child = this.#smallerChild(at); child !== undefined; child = this.#smallerChild(at)) {
      const below = this.#items[child] as T;
      if (this.#compare(below, item) >= 0) break;
      this.#put(below, at);
      at = child;
    }
    if (at !== from) this.#put(item, at);
  }

  #smallerChild(at: number): number | undefined {
    const left = 2 * at + 1;
    if (left >= this.#items.length) return undefined;
    const right = left + 1;
    if (right >= this.#items.length) return left;
    return this.#compare(this.#items[right] as T, this.#items[left] as T) < 0 ? right : left;
  }
}
