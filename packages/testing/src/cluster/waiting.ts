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

/** What is called when a wait takes long, before it fails. */
export interface Slow {
  /** Milliseconds. */
  readonly after: number;
  readonly tell: (soFar: TooLate) => void;
}

export interface WaitingOptions {
  readonly clock: Clock;
  /** Between two looks, in milliseconds. */
  readonly interval: number;
  /** Ends every wait at once, with its reason. */
  readonly failure?: AbortSignal | undefined;
}

// A look that was begun in time may end a little later; a server that hangs, or a function that never returns, may not.
const lateLook = 5000;

export function isVirtual(clock: Clock): clock is VirtualClock {
  return 'advance' in clock;
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = (): void => reject(signal.reason as Error);
  // Who aborted waits no more; how the work ends then is not news.
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

  /** Undefined once a look finds nothing wrong; else how it was when the time was over. In between `slow` hears once how it is. */
  async until(look: () => Promise<Look>, within: number, slow?: Slow): Promise<TooLate | undefined> {
    const { clock, failure, interval } = this.#options;
    const started = clock.monotonic();
    const deadline = started + within;
    let untold = isVirtual(clock) ? undefined : slow;
    let seen: TooLate['seen'];
    let before = '';
    for (let looks = 1; ; looks += 1) {
      const found = await unlessAborted(this.#answer(look(), deadline), failure);
      if (found === 'none') return { problem: `this attempt got no answer${before}`, looks, seen };
      before = `; the attempt before it: ${found.problem}`;
      if (found.seen !== undefined) seen = { look: looks, object: found.seen };
      if (found.problem === undefined) return undefined;
      const now = clock.monotonic();
      if (now >= deadline) return { problem: found.problem, looks, seen };
      if (untold !== undefined && now >= started + untold.after) {
        untold.tell({ problem: found.problem, looks, seen });
        untold = undefined;
      }
      await this.#pass(interval);
    }
  }

  /** What a look finds; `none` where it takes much longer than all of the waiting was to take. */
  async #answer(look: Promise<Look>, deadline: number): Promise<Look | 'none'> {
    const { clock } = this.#options;
    // There nothing happens in a look that waits, and time stands still meanwhile.
    if (isVirtual(clock)) return look;
    const over = Promise.withResolvers<'none'>();
    const timer = clock.timer(Math.max(deadline - clock.monotonic(), 0) + lateLook, () => over.resolve('none'));
    try {
      return await Promise.race([look, over.promise]);
    } finally {
      timer.cancel();
    }
  }

  /** The answer of the server, which may need time to pass: that of a fault which delays it. Time stands still where it does not. */
  async answered<T>(request: Promise<T>): Promise<T> {
    const { clock, interval } = this.#options;
    if (!isVirtual(clock)) return request;
    let pending = true;
    const mark = (): void => void (pending = false);
    const marked = request.then(mark, mark);
    await Promise.race([marked, clock.settle()]);
    while (pending) await clock.advance(interval);
    return request;
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
