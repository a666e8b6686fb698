import { isConflict, isNamespaceTerminating, isTimeout, isTooManyRequests, isUnavailable } from '../errors/index.ts';

/**
 * What happens to every controller and passes by itself: conflicts, throttling, time-outs, a server that is away, a
 * namespace on its way out. One line, no stack.
 */
export function isOrdinary(error: unknown): boolean {
  return [isConflict, isTooManyRequests, isTimeout, isUnavailable, isNamespaceTerminating].some((is) => is(error));
}

/** Whether nobody has to do anything about it: what is deleted takes the failing run with it. */
export function isPassing(error: unknown): boolean {
  return isNamespaceTerminating(error);
}
