import { MovableHeap } from './movable-heap.ts';
import { type Links, none, SlotChain } from './slot-chain.ts';

/** What is known of slots that age. The arrays are replaced when there are more slots. */
export interface Ageing {
  /** When each became ready, on the monotonic clock. */
  readonly readySince: Float64Array;
  /** Neighbours among those of an age. */
  readonly ages: Links;
  /** Where each lies in the heap of those that came late; `none` where it does not. */
  readonly agePlaces: Int32Array;
}

/**
 * Keys by the time they became ready, oldest first. Nearly all of them come in that order and wait in a chain; a key that was
 * raised is older than those it joins, and lies in a heap.
 */
export class Ages {
  readonly #slots: Ageing;
  /** By `readySince`. */
  readonly #chain: SlotChain;
  readonly #late: MovableHeap<number>;

  constructor(slots: Ageing) {
    this.#slots = slots;
    this.#chain = new SlotChain(slots.ages);
    this.#late = new MovableHeap(
      (a, b) => (slots.readySince[a] as number) - (slots.readySince[b] as number),
      (slot) => slots.agePlaces[slot] as number,
      (slot, place) => (slots.agePlaces[slot] = place),
    );
  }

  get empty(): boolean {
    return this.#chain.first < 0 && this.#late.size === 0;
  }

  add(slot: number): void {
    const { readySince } = this.#slots;
    const youngest = this.#chain.last;
    if (youngest >= 0 && (readySince[youngest] as number) > (readySince[slot] as number)) this.#late.place(slot);
    else this.#chain.append(slot);
  }

  remove(slot: number): void {
    if ((this.#slots.agePlaces[slot] as number) >= 0) this.#late.remove(slot);
    else this.#chain.remove(slot);
  }

  /** The one that is ready the longest, if there is one. */
  oldest(): number {
    const { first } = this.#chain;
    const late = this.#late.peek() ?? none;
    if (first < 0 || late < 0) return first < 0 ? late : first;
    const { readySince } = this.#slots;
    return (readySince[late] as number) < (readySince[first] as number) ? late : first;
  }
}
