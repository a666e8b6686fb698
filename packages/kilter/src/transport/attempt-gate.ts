import { backoffDelay, type Runtime, type Signal, type Timer } from '../internal/index.ts';
import { WaitingLine } from './waiting-line.ts';

/** How connecting has gone lately. */
export interface Outage {
  /** Failed attempts in a row. */
  readonly failures: number;
  /** Monotonic time before which none begins. */
  readonly notBefore: number;
}

export const noOutage: Outage = { failures: 0, notBefore: 0 };

// Short, because whoever asks backs off on its own as well; the cap is also how late the end of an outage is noticed,
// and a lease has 10 s to be renewed.
const backoff = { base: 100, factor: 2, cap: 2000 };
const mostAtOnce = 8;

/** After one more failure. Jitter keeps many replicas from coming back together. */
export function longer({ failures }: Outage, now: number, chance: number): Outage {
  const delay = backoffDelay(backoff, failures + 1);
  return { failures: failures + 1, notBefore: now + delay * (0.5 + chance / 2) };
}

/** How many attempts may run at the same time: during an outage one, for all who wait. */
export const allowed = ({ failures, notBefore }: Outage, now: number): number =>
  now < notBefore ? 0 : failures > 0 ? 1 : mostAtOnce;

export type AttemptGateRuntime = Pick<Runtime, 'clock' | 'random'>;

/**
 * Bounds attempts to connect: few at once, and in an outage one after the other with growing pauses. All who wait while
 * one fails fail with it, so that their number does not matter.
 */
export class AttemptGate {
  readonly #runtime: AttemptGateRuntime;
  readonly #line: WaitingLine<undefined>;
  #outage = noOutage;
  /** Attempts that have not ended. */
  #running = 0;
  /** Set while somebody waits for a pause to end. */
  #timer: Timer | undefined;

  constructor(runtime: AttemptGateRuntime, mostWaiting: number) {
    this.#runtime = runtime;
    this.#line = new WaitingLine(mostWaiting, () => this.#pump());
  }

  /** Runs `work` when it is its turn; or fails with the attempt others made meanwhile. */
  async attempt<T>(work: () => Promise<T>, signal: Signal): Promise<T> {
    signal.throwIfAborted();
    if (this.#line.length > 0 || !this.#admits()) {
      const turn = this.#line.wait(signal, 'an attempt to connect');
      this.#pump();
      await turn;
    } else {
      this.#running += 1;
    }
    return this.#run(work, signal);
  }

  async #run<T>(work: () => Promise<T>, signal: Signal): Promise<T> {
    try {
      const value = await work();
      this.#outage = noOutage;
      return value;
    } catch (error) {
      // One that was called off says nothing about the server.
      if (!signal.aborted) this.#failed(error);
      throw error;
    } finally {
      this.#running -= 1;
      this.#pump();
    }
  }

  #failed(error: unknown): void {
    const { clock, random } = this.#runtime;
    this.#outage = longer(this.#outage, clock.monotonic(), random());
    this.#line.failAll(error);
  }

  #admits(): boolean {
    return this.#running < allowed(this.#outage, this.#runtime.clock.monotonic());
  }

  #pump(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    while (this.#line.length > 0 && this.#admits()) {
      // Counted before it runs, which is a microtask later.
      this.#running += 1;
      this.#line.give(undefined);
    }
    if (this.#line.length === 0) return;
    const pause = this.#outage.notBefore - this.#runtime.clock.monotonic();
    if (pause > 0) this.#timer = this.#runtime.clock.timer(pause, () => this.#pump());
  }
}
