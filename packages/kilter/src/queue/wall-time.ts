import type { Clock } from '../internal/index.ts';

// The wall clock may be set: what is known of it is wrong for at most this long. Asking each time would cost as much as taking a key.
const trusted = 1000;

/** What monotonic times are in milliseconds since 1970. */
export class WallTime {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** When the monotonic clock stood at 0. */
  #origin = 0;
  /** Monotonic time at which that was found. */
  #foundAt = -Infinity;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  /** What to add to monotonic times. `now` is one that may be a few milliseconds old. */
  origin(now: number): number {
    if (now - this.#foundAt < trusted) return this.#origin;
    this.#foundAt = now;
    this.#origin = this.#clock.now() - this.#clock.monotonic();
    return this.#origin;
  }
}
