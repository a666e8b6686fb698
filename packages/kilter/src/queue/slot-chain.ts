/** No slot, and no place: both count from 0. */
export const none = -1;

/** The neighbours of slots in the chains of one sort: a slot is in one of them at most. */
export class Links {
  before: Int32Array = new Int32Array();
  after: Int32Array = new Int32Array();

  grow(capacity: number): void {
    this.before = grown(this.before, capacity);
    this.after = grown(this.after, capacity);
  }
}

/** The same numbers with room for more. */
export function grown<A extends Int32Array | Float64Array | Uint8Array>(values: A, capacity: number): A {
  const larger = new (values.constructor as new (length: number) => A)(capacity);
  larger.set(values);
  return larger;
}

/** A list of slots from which anything can be taken at once: what waits in line and may be called away. */
export class SlotChain {
  /** `none` while it is empty. */
  first: number = none;
  last: number = none;
  readonly #links: Links;

  constructor(links: Links) {
    this.#links = links;
  }

  /** Puts it behind all others. */
  append(slot: number): void {
    this.#insert(slot, this.last);
  }

  /** Puts it behind the last one that does not come after it. Looks from the end: for what nearly comes in order. */
  insert(slot: number, order: Float64Array): void {
    const { before } = this.#links;
    const own = order[slot] as number;
    let place = this.last;
    while (place >= 0 && (order[place] as number) > own) place = before[place] as number;
    this.#insert(slot, place);
  }

  remove(slot: number): void {
    const { before, after } = this.#links;
    const previous = before[slot] as number;
    const next = after[slot] as number;
    if (previous < 0) this.first = next;
    else after[previous] = next;
    if (next < 0) this.last = previous;
    else before[next] = previous;
  }

  #insert(slot: number, previous: number): void {
    const { before, after } = this.#links;
    const next = previous < 0 ? this.first : (after[previous] as number);
    before[slot] = previous;
    after[slot] = next;
    if (previous < 0) this.first = slot;
    else after[previous] = slot;
    if (next < 0) this.last = slot;
    else before[next] = slot;
  }
}
