import { apiErrorOf, hasCode, isExpired, isNotFound } from '../errors/index.ts';

/** What a failed list or watch means for the watcher. */
export type Verdict =
  /** The version or token is too old: 410. */
  | 'expired'
  /** The server does not know the resource: 404. */
  | 'missing'
  /** The server understood and will not: asking again in the same way is pointless. */
  | 'refused'
  /** The server failed inside, or does not know the version yet: its state must be read again. */
  | 'internal'
  /** The stream's framing broke. */
  | 'malformed'
  /** The connection was lost. */
  | 'lost'
  /** Anything else: try the same again later. */
  | 'retry';

const refusals: ReadonlySet<number> = new Set([400, 405, 406, 415, 422, 501]);

export function verdictOf(error: unknown): Verdict {
  if (isExpired(error)) return 'expired';
  if (isNotFound(error)) return 'missing';
  if (hasCode(error, 'TRANSPORT_STREAM_MALFORMED') || hasCode(error, 'TRANSPORT_LINE_TOO_LONG')) return 'malformed';
  if (hasCode(error, 'TRANSPORT_CONNECTION_LOST')) return 'lost';
  const status = apiErrorOf(error)?.status;
  if (status === undefined) return 'retry';
  if (isUnreached(error)) return 'internal';
  if (status.code === 500) return 'internal';
  return refusals.has(status.code) ? 'refused' : 'retry';
}

/** The server does not have the version asked for: it lags behind, or was restored from a backup, and then it may never have it. */
export function isUnreached(error: unknown): boolean {
  const causes = apiErrorOf(error)?.status.causes ?? [];
  return causes.some(({ reason }) => reason === 'ResourceVersionTooLarge');
}

/** Nobody answered: the failure says nothing about the request, only that there is no server at the moment. */
export function isSilence(error: unknown): boolean {
  return (
    apiErrorOf(error) === undefined && !hasCode(error, 'CACHE_WATCH_UNEXPECTED') && verdictOf(error) !== 'malformed'
  );
}

/** How long the server asked to be left alone, in milliseconds. */
export function askedDelay(error: unknown): number {
  return (apiErrorOf(error)?.status.retryAfterSeconds ?? 0) * 1000;
}
