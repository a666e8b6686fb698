import type { Clock } from '../internal/index.ts';

export interface AgedSourceOptions<T> {
  /** Reads and checks; rejects on anything that is not whole. */
  readonly read: () => Promise<T>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** A value to continue with where nothing was ever read. */
  readonly fallback?: T | undefined;
  /** Told why a read failed while an older value is still there to be used. */
  readonly kept: (error: unknown) => void;
}

// The kubelet replaces a service account's token well before it ends. Less than client-go's minute: a connection with
// nothing but silent watches looks every 10 s, and together they stay below the 60 s a rotated authority may take.
const lifetime = 45_000;
// A file met in the middle of being written is whole a moment later.
const secondLook = 1000;

/** Something read from files, and read again as it ages. A read that fails does not cost the value of the last one. */
export class AgedSource<T> {
  readonly #options: AgedSourceOptions<T>;
  /** The last good value, and when to look again (monotonic). Undefined before the first, and after `forget`. */
  #held: { readonly value: T; readonly until: number } | undefined;
  /** The one read under way, for all who ask meanwhile. */
  #reading: Promise<T> | undefined;

  constructor(options: AgedSourceOptions<T>) {
    this.#options = options;
  }

  /** The value, while it is young enough to be used unread. */
  now(): { readonly value: T } | undefined {
    const held = this.#held;
    return held !== undefined && this.#options.clock.monotonic() < held.until ? held : undefined;
  }

  get(): Promise<T> {
    const young = this.now();
    if (young !== undefined) return Promise.resolve(young.value);
    if (this.#reading !== undefined) return this.#reading;
    const reading = this.#read(() => this.#reading === reading);
    this.#reading = reading;
    return reading;
  }

  /** Looks again at the next `get`, whatever the age. */
  expire(): void {
    this.#reading = undefined;
    if (this.#held !== undefined) this.#hold(this.#held.value, -Infinity);
  }

  /** The value was refused: it is not used again unread. A read that has begun before does not count either. */
  forget(): void {
    this.#held = undefined;
    this.#reading = undefined;
  }

  async #read(isCurrent: () => boolean): Promise<T> {
    const { read, clock, fallback, kept } = this.#options;
    const began = clock.monotonic();
    // The read begins in its own microtask, when `get` has stored the promise `isCurrent` compares with.
    await Promise.resolve();
    try {
      const value = await read();
      if (isCurrent()) this.#hold(value, began + lifetime);
      return value;
    } catch (error) {
      const last = this.#held?.value ?? fallback;
      if (last === undefined) throw error;
      kept(error);
      if (isCurrent()) this.#hold(last, clock.monotonic() + secondLook);
      return last;
    } finally {
      if (isCurrent()) this.#reading = undefined;
    }
  }

  #hold(value: T, until: number): void {
    this.#held = { value, until };
  }
}
