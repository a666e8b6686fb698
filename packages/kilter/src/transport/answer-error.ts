import { ApiError, KilterError, type Status, type StatusCause } from '../errors/index.ts';
import type { ApiRequest } from './transport.ts';

export interface RefusedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** Of the header, in seconds. */
  readonly retryAfterSeconds: number | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    // What is not JSON is a kind of answer of its own, which the caller distinguishes.
    return undefined;
  }
}

function causesOf(details: Fields): StatusCause[] {
  const causes = Array.isArray(details.causes) ? details.causes.filter(isFields) : [];
  return causes.map(({ reason, message, field }) => ({
    reason: textOf(reason),
    message: textOf(message),
    field: textOf(field),
  }));
}

/** The server's message, with the fields it left to the causes. */
function messageOf(message: string, causes: readonly StatusCause[]): string {
  const missing = causes.filter(({ field }) => field !== undefined && field !== '' && !message.includes(field));
  const parts = missing.map((cause) => `${cause.field}: ${cause.message ?? cause.reason ?? ''}`);
  return [message, ...parts].filter((part) => part !== '').join('; ');
}

/** Reads a metav1.Status out of decoded JSON; what is missing is filled from the answer it came with. */
export function statusOf(value: unknown, answer: { code: number; retryAfterSeconds?: number | undefined }): Status {
  const fields = isFields(value) ? value : {};
  const details = isFields(fields.details) ? fields.details : {};
  const causes = causesOf(details);
  const token = isFields(fields.metadata) ? textOf(fields.metadata.continue) : '';
  return {
    code: numberOf(fields.code) ?? answer.code,
    reason: textOf(fields.reason),
    message: messageOf(textOf(fields.message), causes),
    causes,
    retryAfterSeconds: numberOf(details.retryAfterSeconds) ?? answer.retryAfterSeconds,
    details,
    ...(token !== '' && { continue: token }),
  };
}

/** The reason the API server gives with a code; for answers that name none, such as `404 page not found`. */
const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** The beginning of a text on one line, without control characters. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, 600)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

function bareStatus({ status, text, retryAfterSeconds }: RefusedAnswer): Status {
  const reason = reasons[status] ?? '';
  return { code: status, reason, message: excerpt(text), causes: [], retryAfterSeconds, details: {} };
}

/**
 * Somebody else answered: a proxy, a login page, another server. The status goes along as the cause where it says
 * "not now"; anything else it says (a 404!) is not the API server's word and must satisfy no predicate.
 */
function foreignAnswer(answer: RefusedAnswer, request: ApiRequest): KilterError {
  const { status } = answer;
  const notNow = status === 429 || status >= 500;
  const what = status >= 300 && status < 400 ? 'a redirect, which is not followed' : excerpt(answer.text);
  return new KilterError('CLIENT_UNEXPECTED_ANSWER', `${request.method} ${request.path}: ${status}: ${what}`, {
    cause: notNow ? new ApiError(bareStatus(answer), request) : undefined,
  });
}

/** The error of an answer other than success. Holds nothing of the headers but the time to wait. */
export function answerError(answer: RefusedAnswer, request: ApiRequest): KilterError {
  const { status, text, contentType, retryAfterSeconds } = answer;
  const fields = parseFields(text);
  if (fields?.kind === 'Status') {
    return new ApiError(statusOf(fields, { code: status, retryAfterSeconds }), request);
  }
  // The API server itself answers unknown paths, and its filters some errors, in plain text.
  const plain = (contentType === '' || contentType.startsWith('text/plain')) && !text.trimStart().startsWith('<');
  if (status >= 400 && plain && fields === undefined) return new ApiError(bareStatus(answer), request);
  return foreignAnswer(answer, request);
}

/** The error of a success that is not a JSON object. What could be an object is not shown: it may be a Secret. */
export function noObject({ text }: { text: string }, request: Pick<ApiRequest, 'method' | 'path'>): KilterError {
  const shown = text.trimStart().startsWith('<')
    ? excerpt(text)
    : `${text.length} characters that are not a JSON object`;
  return new KilterError('CLIENT_UNEXPECTED_ANSWER', `${request.method} ${request.path}: ${shown}`);
}
