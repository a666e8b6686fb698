import type { Clock, Timer } from './clock.ts';

export interface Due {
  /** Monotonic. */
  readonly due: number;
  expire(): void;
}

/**
 * Many deadlines with one timer for all of them: a program that sends one request after the other, or runs one key after the
 * other, sets it once for as long as one of them may take, and not for each.
 */
export class Deadlines {
  readonly #clock: Pick<Clock, 'monotonic' | 'timer'>;
  readonly #pending = new Set<Due>();
  #timer: Timer | undefined;
  /** When the timer fires: not after the first of `#pending` is due. */
  #wake = Infinity;

  constructor(clock: Pick<Clock, 'monotonic' | 'timer'>) {
    this.#clock = clock;
  }

  add(one: Due): void {
    this.#pending.add(one);
    if (one.due < this.#wake) this.#arm(one.due);
    else if (this.#pending.size === 1) this.#timer?.hold?.(true);
  }

  delete(one: Due): void {
    if (!this.#pending.delete(one) || this.#pending.size > 0) return;
    // The next request will likely find it early enough; until then it must not keep the program running.
    if (this.#timer?.hold !== undefined) this.#timer.hold(false);
    else this.#disarm();
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
    for (const one of [...this.#pending]) {
      if (one.due <= now) {
        this.#pending.delete(one);
        one.expire();
      } else next = Math.min(next, one.due);
    }
    // What expired may have called for more, which armed it already.
    if (next < this.#wake) this.#arm(next);
  }
}
