import { causeChain, KilterError } from './kilter-error.ts';
import { cureOfRefusal } from './missing-rule.ts';
import type { Code } from './table.ts';

export interface StatusCause {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly field?: string | undefined;
}

/** The parts of a metav1.Status that clients use. */
export interface Status {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly StatusCause[];
  readonly retryAfterSeconds: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** Of an expired continue token: a fresh one, which goes on at a newer state. */
  readonly continue?: string | undefined;
}

const byReason: Readonly<Record<string, Code>> = {
  NotFound: 'CLIENT_NOT_FOUND',
  AlreadyExists: 'CLIENT_ALREADY_EXISTS',
  Conflict: 'CLIENT_CONFLICT',
  Invalid: 'CLIENT_INVALID',
  BadRequest: 'CLIENT_BAD_REQUEST',
  Unauthorized: 'CLIENT_UNAUTHORIZED',
  Forbidden: 'CLIENT_FORBIDDEN',
  Expired: 'CLIENT_EXPIRED',
  Gone: 'CLIENT_EXPIRED',
  TooManyRequests: 'CLIENT_TOO_MANY_REQUESTS',
  Timeout: 'CLIENT_TIMEOUT',
  ServerTimeout: 'CLIENT_TIMEOUT',
  InternalError: 'CLIENT_UNAVAILABLE',
  ServiceUnavailable: 'CLIENT_UNAVAILABLE',
  MethodNotAllowed: 'CLIENT_METHOD_NOT_ALLOWED',
  NotAcceptable: 'CLIENT_NOT_ACCEPTABLE',
  UnsupportedMediaType: 'CLIENT_NOT_ACCEPTABLE',
  RequestEntityTooLarge: 'CLIENT_TOO_LARGE',
};

const byStatus: Readonly<Record<number, Code>> = {
  400: 'CLIENT_BAD_REQUEST',
  401: 'CLIENT_UNAUTHORIZED',
  403: 'CLIENT_FORBIDDEN',
  404: 'CLIENT_NOT_FOUND',
  405: 'CLIENT_METHOD_NOT_ALLOWED',
  406: 'CLIENT_NOT_ACCEPTABLE',
  408: 'CLIENT_TIMEOUT',
  409: 'CLIENT_CONFLICT',
  410: 'CLIENT_EXPIRED',
  413: 'CLIENT_TOO_LARGE',
  415: 'CLIENT_NOT_ACCEPTABLE',
  422: 'CLIENT_INVALID',
  429: 'CLIENT_TOO_MANY_REQUESTS',
  500: 'CLIENT_UNAVAILABLE',
  502: 'CLIENT_UNAVAILABLE',
  503: 'CLIENT_UNAVAILABLE',
  504: 'CLIENT_TIMEOUT',
};

const hasCause = ({ causes }: Status, reason: string): boolean => causes.some((cause) => cause.reason === reason);

// The server's own words: it gives these failures no reason of their own.
const webhookDown = /failed calling webhook "|conversion webhook for .+ failed: /;

function codeOf(status: Status): Code {
  if (hasCause(status, 'FieldManagerConflict')) return 'CLIENT_APPLY_CONFLICT';
  if (status.code === 500 && webhookDown.test(status.message)) return 'CLIENT_WEBHOOK_UNAVAILABLE';
  return byReason[status.reason] ?? byStatus[status.code] ?? 'CLIENT_REFUSED';
}

const policyCure = 'change the request, or what refuses it: the message names the policy, quota, webhook or permission';

// Of a namespace itself there is nothing to create first.
const insideNamespace = /\/namespaces\/[^/]+\/./;

/** Where the table's general cure would mislead. */
function cureFor(status: Status, path: string): string | undefined {
  const { code, reason, details } = status;
  if (code === 404 && details['kind'] === 'namespaces' && insideNamespace.test(path)) {
    return 'create the namespace first, or name one that exists';
  }
  if (hasCause(status, 'NamespaceTerminating')) {
    return 'nothing to do: the namespace is being deleted, and everything in it goes with it';
  }
  if (hasCause(status, 'DisruptionBudget')) {
    return 'try again later: the PodDisruptionBudget allows no further disruption now';
  }
  if (code === 404 && (reason === 'NotFound' || reason === '') && details['name'] === undefined) {
    return 'install the CustomResourceDefinition of this kind, or check its group and version';
  }
  if (status.message.startsWith('failed to create typed patch object')) {
    return 'correct the field the message names: it does not have the type that its kind declares';
  }
  if (status.message.includes('etcdserver: request is too large')) {
    return 'make the object smaller, or split it: a stored object has at most 1.5 MiB';
  }
  if (code === 403) return cureOfRefusal(status.message) ?? policyCure;
  return undefined;
}

/** An answer of the API server other than success. Never contains headers or tokens. */
export class ApiError extends KilterError {
  readonly status: Status;
  readonly method: string;
  readonly path: string;

  constructor(status: Status, request: { method: string; path: string; cure?: string | undefined }) {
    const message = `${request.method} ${request.path}: ${status.code} ${status.reason}: ${status.message}`;
    super(codeOf(status), message, { cure: request.cure ?? cureFor(status, request.path) });
    this.name = 'ApiError';
    this.status = status;
    this.method = request.method;
    this.path = request.path;
  }
}

/** The API error in a chain of causes, if there is one. */
export function apiErrorOf(error: unknown): ApiError | undefined {
  for (const link of causeChain(error))
    if (link instanceof KilterError && link.name === 'ApiError') return link as ApiError;
  return undefined;
}

function carries(error: unknown, ...codes: readonly Code[]): boolean {
  for (const link of causeChain(error)) if (link instanceof KilterError && codes.includes(link.code)) return true;
  return false;
}

/** 404: there is no such object, or no such kind. */
export const isNotFound = (error: unknown): boolean => carries(error, 'CLIENT_NOT_FOUND');
/** 409: an object with this name already exists. */
export const isAlreadyExists = (error: unknown): boolean => carries(error, 'CLIENT_ALREADY_EXISTS');
/** A stale resourceVersion, a failed precondition or a field conflict of an apply. */
export const isConflict = (error: unknown): boolean => carries(error, 'CLIENT_CONFLICT', 'CLIENT_APPLY_CONFLICT');
/** An apply met fields that another manager owns; the message names both. */
export const isApplyConflict = (error: unknown): boolean => carries(error, 'CLIENT_APPLY_CONFLICT');
/** 422: the object breaks its schema or a rule. */
export const isInvalid = (error: unknown): boolean => carries(error, 'CLIENT_INVALID');
/** 400: the request itself is wrong. */
export const isBadRequest = (error: unknown): boolean => carries(error, 'CLIENT_BAD_REQUEST');
/** 401: the credentials were refused. */
export const isUnauthorized = (error: unknown): boolean => carries(error, 'CLIENT_UNAUTHORIZED');
/** 403: a permission is missing, or a policy, quota or webhook refuses: see `isMissingRule`. */
export const isForbidden = (error: unknown): boolean => carries(error, 'CLIENT_FORBIDDEN');
/** The resource version or continue token is too old: 410. */
export const isExpired = (error: unknown): boolean => carries(error, 'CLIENT_EXPIRED');
/** 429: the server asks to wait. */
export const isTooManyRequests = (error: unknown): boolean => carries(error, 'CLIENT_TOO_MANY_REQUESTS');
/** 504, or no answer before our own deadline. */
export const isTimeout = (error: unknown): boolean => carries(error, 'CLIENT_TIMEOUT', 'TRANSPORT_DEADLINE');
/** The server, or a webhook it calls, cannot answer now or cannot be reached: a retry may help. */
export const isUnavailable = (error: unknown): boolean =>
  carries(error, 'CLIENT_UNAVAILABLE', 'CLIENT_WEBHOOK_UNAVAILABLE', 'TRANSPORT_UNREACHABLE');
/** An admission or conversion webhook of the cluster could not be called; `isUnavailable` holds too. */
export const isWebhookUnavailable = (error: unknown): boolean => carries(error, 'CLIENT_WEBHOOK_UNAVAILABLE');
/** The kind does not have this verb: 405. */
export const isMethodNotAllowed = (error: unknown): boolean => carries(error, 'CLIENT_METHOD_NOT_ALLOWED');
/** The format of the request or of the answer is not supported: 406, 415. */
export const isNotAcceptable = (error: unknown): boolean => carries(error, 'CLIENT_NOT_ACCEPTABLE');
/** The request is larger than the server accepts: 413. */
export const isTooLarge = (error: unknown): boolean => carries(error, 'CLIENT_TOO_LARGE');
/** Refused with a status that has no predicate. */
export const isRefused = (error: unknown): boolean => carries(error, 'CLIENT_REFUSED');
/** Refused because an RBAC rule is missing, which the error's cure names; not by a policy, a quota or a webhook. */
export const isMissingRule = (error: unknown): boolean => {
  const status = apiErrorOf(error)?.status;
  return status?.code === 403 && cureOfRefusal(status.message) !== undefined;
};
/** Nothing can be created in a namespace that is being deleted: 403 with this cause. */
export const isNamespaceTerminating = (error: unknown): boolean => {
  const status = apiErrorOf(error)?.status;
  return status !== undefined && hasCause(status, 'NamespaceTerminating');
};
/** A disruption budget does not allow the eviction now: 429 with this cause. */
export const isDisruptionBudget = (error: unknown): boolean => {
  const status = apiErrorOf(error)?.status;
  return status !== undefined && hasCause(status, 'DisruptionBudget');
};
