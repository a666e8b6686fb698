import type { Runtime, Timer } from '../internal/index.ts';
import type { ReadableBody } from './readable-body.ts';

/** A request whose answer is not complete. */
export interface OpenExchange {
  readonly method: string;
  /** Its reader takes up another stream where this one ends. */
  readonly resumable: boolean;
  /** Set when the answer has begun. */
  body: ReadableBody | undefined;
}

/** Ends resumable streams some time from now, not all together: each is opened again at once. */
export class Retirement {
  readonly #runtime: Pick<Runtime, 'clock' | 'random'>;
  /** One per stream that is to end. */
  readonly #timers = new Set<Timer>();

  constructor(runtime: Pick<Runtime, 'clock' | 'random'>) {
    this.#runtime = runtime;
  }

  /** Each within `grace` milliseconds, none before half of it. */
  plan(exchanges: Iterable<OpenExchange>, grace: number): void {
    for (const exchange of exchanges) {
      if (!exchange.resumable) continue;
      const timer = this.#runtime.clock.timer(grace * (0.5 + this.#runtime.random() / 2), () => {
        this.#timers.delete(timer);
        exchange.body?.retire();
      });
      this.#timers.add(timer);
    }
  }

  cancel(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }
}
