/** What is used of an `AbortSignal`: one is made for every request, and something lighter can stand in for it. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Resolves when the signal aborts; never rejects. */
export function aborted(signal: Signal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts. */
export function orAbort<T>(work: Promise<T>, signal: Signal | undefined): Promise<T> {
  if (signal === undefined) return work;
  // By hand: a race makes four promises of one, on the way of every request and of every chunk of a watch.
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      // Whoever aborted waits no more: how the work ends is not news to anybody.
      work.catch(() => undefined);
      reject(signal.reason as Error);
      return;
    }
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    work.then(
      (value) => {
        signal.removeEventListener('abort', stop);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener('abort', stop);
        reject(error as Error);
      },
    );
  });
}
