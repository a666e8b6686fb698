/** A binary heap: the smallest by `compare` comes first. */
export class Heap<T> {
  readonly #compare: (a: T, b: T) => number;
  /** Every element is not smaller than its parent at (i - 1) >> 1. */
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

  push(item: T): void {
    this.#items.push(item);
    this.#rise(this.#items.length - 1);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (this.#items.length > 0 && last !== undefined) {
      this.#items[0] = last;
      this.#sink(0);
    }
    return first;
  }

  #rise(from: number): void {
    for (let i = from; i > 0;) {
      const parent = (i - 1) >> 1;
      if (!this.#swapIfSmaller(i, parent)) return;
      i = parent;
    }
  }

  #sink(from: number): void {
    for (let i = from; ;) {
      const left = 2 * i + 1;
      if (left >= this.#items.length) return;
      const right = left + 1;
      const child = right < this.#items.length && this.#less(right, left) ? right : left;
      if (!this.#swapIfSmaller(child, i)) return;
      i = child;
    }
  }

  #less(a: number, b: number): boolean {
    return this.#compare(this.#items[a] as T, this.#items[b] as T) < 0;
  }

  #swapIfSmaller(child: number, parent: number): boolean {
    if (!this.#less(child, parent)) return false;
    const held = this.#items[child] as T;
    this.#items[child] = this.#items[parent] as T;
    this.#items[parent] = held;
    return true;
  }
}
