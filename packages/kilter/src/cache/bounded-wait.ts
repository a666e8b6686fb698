import type { Clock } from '../internal/index.ts';

export interface Bound {
  readonly clock: Clock;
  readonly ms: number;
  /** Each ends the wait with its reason. */
  readonly signals: readonly (AbortSignal | undefined)[];
  /** What to fail with when the time is over. */
  readonly expired: () => Error;
}

/** Settles as `work` does, unless time or a signal ends the wait first; leaves no timer and no listener behind. */
export function within<T>(work: Promise<T>, { clock, ms, signals, expired }: Bound): Promise<T> {
  return new Promise((resolve, reject) => {
    const listened = signals.filter((signal) => signal !== undefined);
    const end = (settle: () => void): void => {
      timer.cancel();
      for (const signal of listened) signal.removeEventListener('abort', abort);
      settle();
    };
    const abort = (): void => end(() => reject(listened.find(({ aborted }) => aborted)?.reason as Error));
    const timer = clock.timer(ms, () => end(() => reject(expired())));
    for (const signal of listened) signal.addEventListener('abort', abort);
    work.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error as Error)),
    );
    if (listened.some(({ aborted }) => aborted)) abort();
  });
}
