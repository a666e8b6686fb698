import type { Clock, Timer } from './clock.ts';

export interface Due {
  /** Monotonic. */
  readonly due: number;
  /** Where it stands among those that are pending; -1 where it does not. Only `Deadlines` writes it. */
  place: number;
  expire(): void;
}

/**
 * Many deadlines with one timer for all of them: a program that sends one request after the other, or runs one key after the
 * other, sets it once for as long as one of them may take, and not for each.
 */
export class Deadlines<T extends Due = Due> {
  readonly #clock: Pick<Clock, 'monotonic' | 'timer'>;
  /**
   * `#pending[one.place] === one` for each of them. Not a Set: filled and emptied with every run, its tables were seen in profiles of
   * what the garbage collector copies.
   */
  readonly #pending: T[] = [];
  #timer: Timer | undefined;
  /** When the timer fires: not after the first of `#pending` is due. */
  #wake = Infinity;

  constructor(clock: Pick<Clock, 'monotonic' | 'timer'>) {
    this.#clock = clock;
  }

  /** Those that are pending, as they stand at the call. */
  pending(): readonly T[] {
    return [...this.#pending];
  }

  add(one: T): void {
    if (one.place < 0) one.place = this.#pending.push(one) - 1;
    if (one.due < this.#wake) this.#arm(one.due);
    else if (this.#pending.length === 1) this.#timer?.hold?.(true);
  }

  delete(one: T): void {
    if (!this.#remove(one) || this.#pending.length > 0) return;
    // The next request will likely find it early enough; until then it must not keep the program running.
    if (this.#timer?.hold !== undefined) this.#timer.hold(false);
    else this.#disarm();
  }

  #remove(one: T): boolean {
    const { place } = one;
    if (place < 0) return false;
    one.place = -1;
    const last = this.#pending.pop() as T;
    if (last === one) return true;
    this.#pending[place] = last;
    last.place = place;
    return true;
  }

  #arm(due: number): void {
    this.#timer?.cancel();
    this.#wake = due;
    this.#timer = this.#clock.timer(due - this.#clock.monotonic(), () => this.#fired());
  }

  #disarm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#wake = Infinity;
  }

  #fired(): void {
    const now = this.#clock.monotonic();
    this.#disarm();
    let next = Infinity;
    for (const one of this.#pending.toSorted((a, b) => a.due - b.due)) {
      // An earlier one may have lifted it.
      if (one.place < 0) continue;
      if (one.due <= now) {
        this.#remove(one);
        one.expire();
      } else next = Math.min(next, one.due);
    }
    // What expired may have called for more, which armed it already.
    if (next < this.#wake) this.#arm(next);
  }
}
