import type { Clock } from '../internal/index.ts';
import { inBrief, type Logger } from '../telemetry/index.ts';

/** One watch, as far as an outage is concerned. */
export interface Watched {
  readonly label: string;
}

/**
 * Tells of an API server that does not answer: one line when it begins and one when every watch is back, however many
 * watches there are and however often they try.
 */
export class Outages {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #returned: () => void;
  /** Watches that got no answer and have not recovered. */
  readonly #down = new Set<Watched>();
  /** Watches that have recovered since the outage began. */
  readonly #back = new Set<Watched>();
  /** The codes of this outage that were logged: a server that is away may come back with another fault, such as an untrusted certificate. */
  readonly #told = new Set<unknown>();
  /** Monotonic time at which the outage began. */
  #since = 0;

  /**
   * `returned` is called with the first watch of an outage that is back, and with no other: where a server takes watches and drops them
   * at once, each would wake the next one without end.
   */
  constructor(clock: Clock, logger: Logger, returned: () => void = () => undefined) {
    this.#clock = clock;
    this.#logger = logger;
    this.#returned = returned;
  }

  silent(watched: Watched, error: unknown): void {
    const told = inBrief(error);
    if (this.#down.size === 0) this.#begin();
    if (this.#told.size === 0)
      this.#logger.warn(told, 'watches cannot reach the API server; they are retried until they can');
    else if (!this.#told.has(told['code']))
      this.#logger.warn(told, 'watches still cannot reach the API server, now for another reason');
    else this.#logger.debug({ kind: watched.label, ...told }, 'a watch got no answer');
    this.#told.add(told['code']);
    this.#down.add(watched);
  }

  #begin(): void {
    this.#since = this.#clock.monotonic();
    this.#back.clear();
    this.#told.clear();
  }

  /** Answered, though not as hoped: that is the watch's own story. */
  answered(watched: Watched): void {
    this.#leave(watched);
  }

  /** Whether it was this outage that it has recovered from. */
  recovered(watched: Watched): boolean {
    if (!this.#down.has(watched)) return false;
    const isFirst = this.#back.size === 0;
    this.#back.add(watched);
    this.#leave(watched);
    if (isFirst) this.#returned();
    return true;
  }

  /** A watch that is stopped waits for nothing. */
  forget(watched: Watched): void {
    this.#down.delete(watched);
  }

  #leave(watched: Watched): void {
    if (!this.#down.delete(watched) || this.#down.size > 0) return;
    const seconds = Math.round((this.#clock.monotonic() - this.#since) / 100) / 10;
    const kinds = [...this.#back].map(({ label }) => label).toSorted();
    this.#logger.info({ kinds, seconds }, 'the API server is back: every kind is watched again');
  }
}
