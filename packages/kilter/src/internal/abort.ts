/** Resolves when the signal aborts; never rejects. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts. */
export async function orAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const abort = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, abort]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}
