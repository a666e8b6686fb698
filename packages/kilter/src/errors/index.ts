// Every error with its code, cause and cure; API errors with their predicates.
export {
  ApiError,
  apiErrorOf,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnavailable,
  type Status,
  type StatusCause,
} from './api-error.ts';
export { causeChain, findCause, hasCode, KilterError, type KilterErrorOptions } from './kilter-error.ts';
export { type Code, errorTable } from './table.ts';
export { inWords } from './thrown.ts';
