// Every error with its code, cause and cure; API errors with their predicates.
export {
  ApiError,
  apiErrorOf,
  isAlreadyExists,
  isApplyConflict,
  isBadRequest,
  isConflict,
  isDisruptionBudget,
  isExpired,
  isForbidden,
  isInvalid,
  isMethodNotAllowed,
  isMissingRule,
  isNamespaceTerminating,
  isNotAcceptable,
  isNotFound,
  isRefused,
  isTimeout,
  isTooLarge,
  isTooManyRequests,
  isUnauthorized,
  isUnavailable,
  isWebhookUnavailable,
  type Status,
  type StatusCause,
} from './api-error.ts';
export { causeChain, findCause, hasCode, KilterError, type KilterErrorOptions } from './kilter-error.ts';
export { OutsideError, type OutsideErrorOptions, type OutsideProblem } from './outside-error.ts';
export { type Code, errorTable } from './table.ts';
export { optionMistakes, type OptionNames } from './known-options.ts';
export { inShort, inWords, inWordsWithCauses, toldThrown } from './thrown.ts';
export { cureOfRefusal, grantText, type ResourceRule, ruleAsYaml } from './missing-rule.ts';
