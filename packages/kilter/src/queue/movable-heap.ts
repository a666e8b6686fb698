/** What can lie in a heap knows where: finding it there costs nothing. */
export interface Placed {
  /** Where it lies in the one heap it is in; -1 while it is in none. Only the heap writes it. */
  place: number;
}

/** A binary heap whose elements can be moved and taken out, so that nothing outdated is left behind in it. */
export class MovableHeap<T extends Placed> {
  readonly #compare: (a: T, b: T) => number;
  /** Every element is not smaller than its parent at (i - 1) >> 1; `#items[item.place] === item` for each of them. */
  readonly #items: T[] = [];

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an element, or puts it right after what it is compared by has changed. */
  place(item: T): void {
    if (item.place < 0) {
      item.place = this.#items.length;
      this.#items.push(item);
    }
    this.#restore(item);
  }

  remove(item: T): boolean {
    const at = item.place;
    if (at < 0) return false;
    item.place = -1;
    const last = this.#items.pop() as T;
    if (last !== item) {
      this.#put(last, at);
      this.#restore(last);
    }
    return true;
  }

  clear(): void {
    for (const item of this.#items) item.place = -1;
    this.#items.length = 0;
  }

  #put(item: T, at: number): void {
    this.#items[at] = item;
    item.place = at;
  }

  #restore(item: T): void {
    const from = item.place;
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
