import type { Kind, NamedRef } from '../api/index.ts';
import {
  apiErrorOf,
  causeChain,
  type Code,
  hasCode,
  isConflict,
  isNamespaceTerminating,
  isTimeout,
  isTooManyRequests,
  isUnavailable,
} from '../errors/index.ts';

// Beside what the predicates know: a broken connection, a watch that lags behind, and what was held back on this side.
const passing: readonly Code[] = [
  'CACHE_WAIT_EXPIRED',
  'TRANSPORT_CONNECTION_LOST',
  'TRANSPORT_OUTCOME_UNKNOWN',
  'TRANSPORT_GATE_CLOSED',
  'TRANSPORT_RATE_LIMITED',
];
const callingOff: readonly Code[] = ['ELECTION_LOST', 'MANAGER_STOPPED', 'CACHE_STOPPED'];
const anyOf = (codes: readonly Code[], error: unknown): boolean => codes.some((code) => hasCode(error, code));

/** The work was called off: the operator stops, or no longer leads. That is logged where it is decided. */
export function isCalledOff(error: unknown): boolean {
  return anyOf(callingOff, error);
}

/**
 * What happens to every controller and passes by itself: conflicts, throttling, time-outs, a server that is away or
 * lags behind, a namespace on its way out. One line, no stack.
 */
export function isOrdinary(error: unknown): boolean {
  const known = [isConflict, isTooManyRequests, isTimeout, isUnavailable, isNamespaceTerminating, isCalledOff];
  return anyOf(passing, error) || known.some((is) => is(error));
}

/** Whether nobody has to do anything about it: what is deleted takes the failing run with it. */
export function isPassing(error: unknown): boolean {
  return isNamespaceTerminating(error);
}

/** Whether what was not found is the object of the run itself: somebody deleted it meanwhile, and the run has lost its purpose. */
export function isOwnAbsence(error: unknown, { names }: Kind, { name, namespace }: NamedRef): boolean {
  const answer = apiErrorOf(error);
  if (answer?.status.code !== 404) return false;
  const { details } = answer.status;
  const isNamed = details['name'] === name && details['kind'] === names.plural;
  if (!isNamed || (details['group'] ?? '') !== names.group) return false;
  return namespace === undefined || answer.path.includes(`/namespaces/${namespace}/`);
}

/** An abort, by whatever library, of work that was called off: it only did as it was asked. */
export function isAbortOf(signal: AbortSignal, error: unknown): boolean {
  if (!signal.aborted || !isCalledOff(signal.reason)) return false;
  return [...causeChain(error)].some((link) => link instanceof Error && link.name === 'AbortError');
}
