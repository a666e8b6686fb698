import { Chain, Link } from './chain.ts';
import { MovableHeap, type Placed } from './movable-heap.ts';

/** The place of a key among the ages: in a chain, or in a heap where it came out of order. */
export class Age<T> extends Link<Age<T>> implements Placed {
  readonly of: T;
  place = -1;

  constructor(of: T) {
    super();
    this.of = of;
  }
}

export interface Ageing<T> {
  readonly age: Age<T>;
  /** On the monotonic clock. */
  readonly readySince: number;
}

/**
 * Keys by the time they became ready, oldest first. Nearly all of them come in that order and wait in a chain; a key that was
 * raised is older than those it joins, and lies in a heap.
 */
export class Ages<T extends Ageing<T>> {
  /** By `readySince`. */
  readonly #chain = new Chain<Age<T>>();
  readonly #late = new MovableHeap<Age<T>>((a, b) => a.of.readySince - b.of.readySince);

  get empty(): boolean {
    return this.#chain.first === undefined && this.#late.size === 0;
  }

  add({ age, readySince }: T): void {
    const youngest = this.#chain.last;
    if (youngest !== undefined && youngest.of.readySince > readySince) this.#late.place(age);
    else this.#chain.append(age);
  }

  remove({ age }: T): void {
    if (age.chain === undefined) this.#late.remove(age);
    else this.#chain.remove(age);
  }

  oldest(): T | undefined {
    const first = this.#chain.first?.of;
    const late = this.#late.peek()?.of;
    if (first === undefined || late === undefined) return first ?? late;
    return late.readySince < first.readySince ? late : first;
  }
}
