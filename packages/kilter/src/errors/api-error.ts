import { causeChain, KilterError } from './kilter-error.ts';
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
};

const byStatus: Readonly<Record<number, Code>> = {
  400: 'CLIENT_BAD_REQUEST',
  401: 'CLIENT_UNAUTHORIZED',
  403: 'CLIENT_FORBIDDEN',
  404: 'CLIENT_NOT_FOUND',
  408: 'CLIENT_TIMEOUT',
  409: 'CLIENT_CONFLICT',
  410: 'CLIENT_EXPIRED',
  422: 'CLIENT_INVALID',
  429: 'CLIENT_TOO_MANY_REQUESTS',
  500: 'CLIENT_UNAVAILABLE',
  502: 'CLIENT_UNAVAILABLE',
  503: 'CLIENT_UNAVAILABLE',
  504: 'CLIENT_TIMEOUT',
};

function codeOf(status: Status): Code {
  if (status.causes.some((cause) => cause.reason === 'FieldManagerConflict')) return 'CLIENT_APPLY_CONFLICT';
  return byReason[status.reason] ?? byStatus[status.code] ?? 'CLIENT_REFUSED';
}

/** Where the table's general cure would mislead. */
function cureFor({ code, reason, causes, details }: Status): string | undefined {
  if (causes.some((cause) => cause.reason === 'NamespaceTerminating')) {
    return 'nothing to do: the namespace is being deleted, and everything in it goes with it';
  }
  if (code === 404 && (reason === 'NotFound' || reason === '') && details['name'] === undefined) {
    return 'install the CustomResourceDefinition of this kind, or check its group and version';
  }
  return undefined;
}

/** An answer of the API server other than success. Never carries headers or tokens. */
export class ApiError extends KilterError {
  readonly status: Status;
  readonly method: string;
  readonly path: string;

  constructor(status: Status, request: { method: string; path: string }) {
    const message = `${request.method} ${request.path}: ${status.code} ${status.reason}: ${status.message}`;
    super(codeOf(status), message, { cure: cureFor(status) });
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

export const isNotFound = (error: unknown): boolean => carries(error, 'CLIENT_NOT_FOUND');
export const isAlreadyExists = (error: unknown): boolean => carries(error, 'CLIENT_ALREADY_EXISTS');
/** A stale resourceVersion, a failed precondition or a field conflict of an apply. */
export const isConflict = (error: unknown): boolean => carries(error, 'CLIENT_CONFLICT', 'CLIENT_APPLY_CONFLICT');
export const isInvalid = (error: unknown): boolean => carries(error, 'CLIENT_INVALID');
export const isBadRequest = (error: unknown): boolean => carries(error, 'CLIENT_BAD_REQUEST');
export const isUnauthorized = (error: unknown): boolean => carries(error, 'CLIENT_UNAUTHORIZED');
export const isForbidden = (error: unknown): boolean => carries(error, 'CLIENT_FORBIDDEN');
/** The resource version or continue token is too old: 410. */
export const isExpired = (error: unknown): boolean => carries(error, 'CLIENT_EXPIRED');
export const isTooManyRequests = (error: unknown): boolean => carries(error, 'CLIENT_TOO_MANY_REQUESTS');
export const isTimeout = (error: unknown): boolean => carries(error, 'CLIENT_TIMEOUT', 'TRANSPORT_DEADLINE');
export const isUnavailable = (error: unknown): boolean => carries(error, 'CLIENT_UNAVAILABLE', 'TRANSPORT_UNREACHABLE');
