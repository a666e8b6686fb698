// The front door. The flow: config -> transport -> client -> cache -> trigger -> queue -> controller -> reconcile -> client.
export type { Cause, Duration, MergedCause } from './api/index.ts';
export {
  type ApplyOptions,
  type Change,
  type Client,
  type DeleteOptions,
  json,
  type ListOptions,
  type Patch,
  type Reader,
  strategic,
} from './client/index.ts';
export {
  controller,
  type Controller,
  type ControllerBuilder,
  type ControllerOptions,
  type Finalizing,
  type Reconcile,
  type Reconciler,
} from './controller/index.ts';
export {
  ApiError,
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
  KilterError,
} from './errors/index.ts';
export {
  type CacheOptions,
  connect,
  type ConnectOptions,
  type LeaderElection,
  type Manager,
  operator,
  type Operator,
  type OperatorOptions,
  type StartOptions,
} from './manager/index.ts';
export type { Runtime } from './internal/index.ts';
export {
  type Context,
  isObserved,
  type KeyContext,
  requeue,
  type Requeue,
  requeueAfter,
  type Result,
  type StatusPatch,
  terminal,
  waitFor,
} from './reconcile/index.ts';
export type { Logger } from './telemetry/index.ts';
export {
  annotationsChanged,
  anyOf,
  finalizersChanged,
  generationChanged,
  labelsChanged,
  matching,
  type Predicate,
  resourceVersionChanged,
  type Targets,
} from './trigger/index.ts';
export { mutating, type Review, validating, type Webhook } from './webhook/index.ts';
