import type { Clock, VirtualClock } from 'kilter/runtime';

/** One look at what is waited for. */
export interface Look {
  /** Undefined once all is well. */
  readonly problem: string | undefined;
  /** What there was to see; undefined where nothing was. */
  readonly seen?: unknown;
}

/** How waiting ended in vain. */
export interface TooLate {
  readonly problem: string;
  readonly looks: number;
  /** The last look that saw anything, and what. */
  readonly seen?: { readonly look: number; readonly object: unknown } | undefined;
}

export interface WaitingOptions {
  readonly clock: Clock;
  /** Between two looks, in milliseconds. */
  readonly interval: number;
  /** Ends every wait at once, with its reason. */
  readonly failure?: AbortSignal | undefined;
}

export function isVirtual(clock: Clock): clock is VirtualClock {
  return 'advance' in clock;
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = (): void => reject(signal.reason as Error);
  // Who aborted waits no more; how the work ends then is no news.
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return promise;
}

/** Waiting by looking again and again. On a virtual clock nothing happens unless time is moved: waiting moves it. */
export class Waiting {
  readonly #options: WaitingOptions;

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  /** Undefined once a look finds nothing wrong; else how it was when the time was over. */
  async until(look: () => Promise<Look>, within: number): Promise<TooLate | undefined> {
    const { clock, failure, interval } = this.#options;
    const deadline = clock.monotonic() + within;
    let seen: TooLate['seen'];
    for (let looks = 1; ; looks += 1) {
      const found = await unlessAborted(look(), failure);
      if (found.seen !== undefined) seen = { look: looks, object: found.seen };
      if (found.problem === undefined) return undefined;
      if (clock.monotonic() >= deadline) return { problem: found.problem, looks, seen };
      await this.#pass(interval);
    }
  }

  async settled<T>(work: Promise<T>): Promise<T> {
    const { clock, failure, interval } = this.#options;
    if (!isVirtual(clock)) return unlessAborted(work, failure);
    let pending = true;
    const mark = (): void => void (pending = false);
    work.then(mark, mark);
    while (pending) await clock.advance(interval);
    return work;
  }

  async #pass(ms: number): Promise<void> {
    const { clock, failure } = this.#options;
    await (isVirtual(clock) ? clock.advance(ms) : clock.sleep(ms, failure));
  }
}
