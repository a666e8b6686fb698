import { aborted, type Clock } from '../internal/index.ts';

interface Waiting {
  readonly alone: boolean;
  readonly go: () => void;
}

/** Lets runs go side by side, and those under suspicion alone, so that it is known who ended the process. */
export class Turns {
  readonly #clock: Clock;
  /** For how long anybody waits for others, in milliseconds. */
  readonly #patience: number;
  /** Runs that have their turn and nobody to themselves. */
  #together = 0;
  /** A run has everything to itself. Never while `#together` is above zero, unless patience ended. */
  #alone = false;
  /** In the order they came. */
  #waiting: Waiting[] = [];

  constructor(clock: Clock, patience: number) {
    this.#clock = clock;
    this.#patience = patience;
  }

  /** Resolves when it is one's turn, or patience has ended, with how to end it. */
  async take(alone: boolean): Promise<() => void> {
    if (!this.#free(alone) || this.#waiting.length > 0) await this.#wait(alone);
    if (!alone) {
      this.#together += 1;
      return once(() => this.#left(() => (this.#together -= 1)));
    }
    this.#alone = true;
    const leave = once(() => this.#left(() => (this.#alone = false)));
    // A run of an hour does not hold up all others for an hour.
    const timer = this.#clock.timer(this.#patience, leave);
    return () => {
      timer.cancel();
      leave();
    };
  }

  #free(alone: boolean): boolean {
    return !this.#alone && (!alone || this.#together === 0);
  }

  async #wait(alone: boolean): Promise<void> {
    const over = new AbortController();
    const waiting: Waiting = { alone, go: () => over.abort() };
    this.#waiting.push(waiting);
    const timer = this.#clock.timer(this.#patience, waiting.go);
    await aborted(over.signal);
    timer.cancel();
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
  }

  #left(change: () => void): void {
    change();
    // One at a time: each takes its turn before the next is judged.
    const [first] = this.#waiting;
    if (first === undefined || !this.#free(first.alone)) return;
    first.go();
    if (first.alone) return;
    for (const next of this.#waiting.slice(1)) {
      if (next.alone) return;
      next.go();
    }
  }
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}
