import { systemRuntime } from 'kilter/runtime';

export interface Limits {
  readonly ms: number;
  /** The error when the time is over: it names what was waited for. */
  readonly late: () => Error;
  readonly signal?: AbortSignal | undefined;
}

/** Settles as the work does; rejects when the time is over or the signal aborts. The work itself is not stopped. */
export async function within<T>(work: Promise<T>, { ms, late, signal }: Limits): Promise<T> {
  const over = Promise.withResolvers<never>();
  const timer = systemRuntime.clock.timer(ms, () => over.reject(late()));
  try {
    return await orAbort(Promise.race([over.promise, work]), signal);
  } finally {
    timer.cancel();
  }
}

/** Settles as the work does, which has its own deadline; rejects when the signal aborts. */
export async function orAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
