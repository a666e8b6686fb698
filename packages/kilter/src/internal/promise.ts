/**
 * Whether a value is a promise, where none is expected. Its rejection is taken notice of: an async function instead of a
 * synchronous one must not end the process with an unhandled rejection.
 */
export function isPromise(value: unknown): boolean {
  const then = typeof value === 'object' && value !== null ? (value as { then?: unknown }).then : undefined;
  if (typeof then !== 'function') return false;
  Promise.resolve(value as PromiseLike<unknown>).catch(() => undefined);
  return true;
}
