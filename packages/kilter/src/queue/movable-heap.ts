/** A binary heap whose elements can be moved and taken out, so that nothing outdated is left behind in it. */
export class MovableHeap<T> {
  readonly #compare: (a: T, b: T) => number;
  /** Every element is not smaller than its parent at (i - 1) >> 1. */
  readonly #items: T[] = [];
  /** `#items[#places.get(item)] === item` for every element; each is in here once. */
  readonly #places = new Map<T, number>();

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  has(item: T): boolean {
    return this.#places.has(item);
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an element, or puts it right after what it is compared by has changed. */
  place(item: T): void {
    const at = this.#places.get(item) ?? this.#items.length;
    this.#put(item, at);
    this.#restore(item);
  }

  remove(item: T): boolean {
    const at = this.#places.get(item);
    if (at === undefined) return false;
    this.#places.delete(item);
    const last = this.#items.pop() as T;
    if (at < this.#items.length) {
      this.#put(last, at);
      this.#restore(last);
    }
    return true;
  }

  clear(): void {
    this.#items.length = 0;
    this.#places.clear();
  }

  #put(item: T, at: number): void {
    this.#items[at] = item;
    this.#places.set(item, at);
  }

  #restore(item: T): void {
    const from = this.#places.get(item) as number;
    const risen = this.#rise(item, from);
    if (risen === from) this.#sink(item, from);
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
    this.#put(item, at);
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
    this.#put(item, at);
  }

  #smallerChild(at: number): number | undefined {
    const left = 2 * at + 1;
    if (left >= this.#items.length) return undefined;
    const right = left + 1;
    if (right >= this.#items.length) return left;
    return this.#compare(this.#items[right] as T, this.#items[left] as T) < 0 ? right : left;
  }
}
