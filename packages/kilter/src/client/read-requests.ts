import type { ApiRequest, Session } from '../transport/index.ts';
import { selectors, wholeNumber } from './option-values.ts';
import type { CallOptions, EditOptions, PageOptions, ReadOptions, WatchOptions, WriteOptions } from './options.ts';
import { pathOf, type Target } from './target.ts';

/** What all requests of one client share. */
export interface RequestDefaults {
  readonly manager?: string | undefined;
  /** The manager of applies that name none. */
  readonly applyManager?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly fieldValidation?: WriteOptions['fieldValidation'];
  /** What an edit does that says nothing of conflicts. */
  readonly editConflict?: EditOptions['conflict'];
  readonly guarded?: boolean | undefined;
  readonly session?: Session | undefined;
  readonly deadline?: number | undefined;
  readonly writeDeadline?: number | undefined;
}

// client-go's page: bounds the answer, and the server's work for one request.
export const defaultPageSize = 500;

export type Parameters = Readonly<Record<string, string | undefined>>;

export function queryOf(parameters: Parameters): URLSearchParams {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(given);
}

export const metadataAs = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1`;

export function shared(defaults: RequestDefaults, signal: AbortSignal | undefined): Partial<ApiRequest> {
  const { session = 'default', deadline } = defaults;
  // Almost always nothing but the session is said.
  if (deadline === undefined && signal === undefined) return { session };
  return { session, ...(deadline !== undefined && { deadline }), ...(signal !== undefined && { signal }) };
}

/** Of a path that is not an object. */
export function plainRead(path: string, defaults: RequestDefaults, { signal }: CallOptions): ApiRequest {
  return { method: 'GET', path, ...shared(defaults, signal) };
}

export function readRequest(target: Target, defaults: RequestDefaults, options: ReadOptions<boolean>): ApiRequest {
  const { resourceVersion, metadataOnly, signal } = options;
  return {
    method: 'GET',
    path: pathOf(target),
    ...(resourceVersion !== undefined && { query: queryOf({ resourceVersion }) }),
    ...(metadataOnly === true && { accept: metadataAs('PartialObjectMetadata') }),
    ...shared(defaults, signal),
  };
}

/** One page. The resource version stays unset unless it is given: a consistent read, first time and every time. */
export function listRequest(target: Target, defaults: RequestDefaults, options: PageOptions<boolean>): ApiRequest {
  const { continue: token, limit, pageSize = defaultPageSize } = options;
  const page = Math.min(pageSize, limit ?? Number.POSITIVE_INFINITY);
  const query = queryOf({
    limit: wholeNumber(page, page === pageSize ? 'pageSize' : 'limit', 1),
    continue: token,
    // The token holds the version; the server refuses both.
    resourceVersion: token === undefined ? options.resourceVersion : undefined,
    resourceVersionMatch: token === undefined ? options.resourceVersionMatch : undefined,
    ...selectors(options),
  });
  return {
    method: 'GET',
    path: pathOf(target),
    query,
    ...(options.metadataOnly === true && { accept: metadataAs('PartialObjectMetadataList') }),
    ...shared(defaults, options.signal),
  };
}

/** Bookmarks are always asked for: without them neither the end of the initial events nor a fresh version to resume from comes. */
export function watchRequest(target: Target, defaults: RequestDefaults, options: WatchOptions<boolean>): ApiRequest {
  const initial = options.sendInitialEvents === true;
  const query = queryOf({
    watch: 'true',
    allowWatchBookmarks: 'true',
    sendInitialEvents: initial ? 'true' : undefined,
    resourceVersionMatch: initial ? 'NotOlderThan' : undefined,
    resourceVersion: options.resourceVersion,
    timeoutSeconds: wholeNumber(options.timeoutSeconds, 'timeoutSeconds', 1),
    ...selectors(options),
  });
  return {
    method: 'GET',
    path: pathOf(target),
    query,
    ...(options.metadataOnly === true && { accept: metadataAs('PartialObjectMetadata') }),
    ...shared(defaults, options.signal),
    session: 'watch',
  };
}
