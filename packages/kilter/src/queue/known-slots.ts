import { grown, none } from './slot-chain.ts';

const firstCapacity = 256;

/**
 * Where keys were found last, by the numbers they came with. An entry proves nothing, since numbers go from key to key: whoever asks
 * compares the keys. So nothing has to be taken back, and there are as many entries as there were numbers at one time.
 */
export class KnownSlots {
  /** Slot + 1 for each number; 0 where nothing is known. */
  #slots = new Int32Array();

  get(number: number): number {
    return number < this.#slots.length ? (this.#slots[number] as number) - 1 : none;
  }

  set(number: number, slot: number): void {
    if (number >= this.#slots.length) this.#slots = grown(this.#slots, Math.max(firstCapacity, 2 * (number + 1)));
    this.#slots[number] = slot + 1;
  }
}
