import type { Clock } from '../internal/index.ts';

/** An answer that is asked for once, for all who want it at the same time, and kept for those who come later. */
export class SharedAnswer<T> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #ask: () => Promise<T>;
  /** The last answer with the time it was asked for. A failure is not kept. */
  #kept: { readonly value: T; readonly at: number } | undefined;
  /** The question under way: at most one. */
  #pending: Promise<T> | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>, ask: () => Promise<T>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** An answer at most so old, in milliseconds. */
  get(maxAge: number): Promise<T> {
    if (this.#kept !== undefined && this.#clock.monotonic() - this.#kept.at <= maxAge) {
      return Promise.resolve(this.#kept.value);
    }
    this.#pending ??= this.#request();
    return this.#pending;
  }

  async #request(): Promise<T> {
    const at = this.#clock.monotonic();
    try {
      const value = await this.#ask();
      this.#kept = { value, at };
      return value;
    } finally {
      this.#pending = undefined;
    }
  }
}
