import { fieldSelector, labelSelector } from '../api/index.ts';
import type { ApiRequest, Session } from '../transport/index.ts';
import type { DeleteOptions, ListOptions, PageOptions, ReadOptions, WatchOptions, WriteOptions } from './client.ts';
import { pathOf, type Target } from './target.ts';

/** What all requests of one client share. */
export interface RequestDefaults {
  readonly manager?: string | undefined;
  readonly guarded?: boolean | undefined;
  readonly session?: Session | undefined;
  readonly deadline?: number | undefined;
  readonly writeDeadline?: number | undefined;
}

// client-go's page: bounds the answer, and the server's work for one request.
const defaultPageSize = 500;

type Parameters = Readonly<Record<string, string | undefined>>;

function queryOf(parameters: Parameters): URLSearchParams {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(given);
}

const metadataAs = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1`;

function shared(defaults: RequestDefaults, signal: AbortSignal | undefined): Partial<ApiRequest> {
  const { session = 'default', deadline } = defaults;
  return { session, ...(deadline !== undefined && { deadline }), ...(signal !== undefined && { signal }) };
}

function selection({ labels, fields }: ListOptions): Parameters {
  return {
    labelSelector: labels === undefined ? undefined : labelSelector(labels),
    fieldSelector: fields === undefined ? undefined : fieldSelector(fields),
  };
}

export function readRequest(target: Target, defaults: RequestDefaults, options: ReadOptions): ApiRequest {
  return { method: 'GET', path: pathOf(target), ...shared(defaults, options.signal) };
}

/** One page. The resource version stays unset: a consistent read, first time and every time. */
export function listRequest(target: Target, defaults: RequestDefaults, options: PageOptions): ApiRequest {
  const query = queryOf({
    limit: String(options.pageSize ?? defaultPageSize),
    continue: options.continue,
    ...selection(options),
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
export function watchRequest(target: Target, defaults: RequestDefaults, options: WatchOptions): ApiRequest {
  const initial = options.sendInitialEvents === true;
  const query = queryOf({
    watch: 'true',
    allowWatchBookmarks: 'true',
    sendInitialEvents: initial ? 'true' : undefined,
    resourceVersionMatch: initial ? 'NotOlderThan' : undefined,
    resourceVersion: options.resourceVersion,
    timeoutSeconds: options.timeoutSeconds === undefined ? undefined : String(options.timeoutSeconds),
    ...selection(options),
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

/** A write before it is addressed. */
export interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly contentType?: string | undefined;
  readonly body: string;
  readonly options: WriteOptions;
  /** Of an apply. */
  readonly force?: boolean | undefined;
}

export function writeRequest(target: Target, defaults: RequestDefaults, write: Write): ApiRequest {
  const { method, body, contentType = 'application/json', options, force } = write;
  const dryRun = options.dryRun === true;
  const { writeDeadline } = defaults;
  const query = queryOf({
    dryRun: dryRun ? 'All' : undefined,
    fieldManager: method === 'DELETE' ? undefined : (options.manager ?? defaults.manager),
    force: force === true ? 'true' : undefined,
    // The server gives up too: a write that timed out here is not carried out later.
    timeout: writeDeadline === undefined ? undefined : `${writeDeadline / 1000}s`,
  });
  return {
    method,
    path: pathOf(target),
    query,
    contentType,
    body,
    ...shared(defaults, options.signal),
    ...(writeDeadline !== undefined && { deadline: writeDeadline }),
    // A dry run changes nothing, whoever leads.
    ...(defaults.guarded === true && !dryRun && { guarded: true }),
  };
}

/**
 * Everything stands in the body: where there is one, the server ignores the query. `dryRun` stands in both, because a
 * delete that is taken for real cannot be taken back.
 */
export function deleteBody(options: DeleteOptions, uid: string | undefined): string {
  const { propagation, gracePeriod, dryRun } = options;
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(uid !== undefined && { preconditions: { uid } }),
    ...(propagation !== undefined && { propagationPolicy: propagation }),
    ...(gracePeriod !== undefined && { gracePeriodSeconds: gracePeriod }),
    ...(dryRun === true && { dryRun: ['All'] }),
  });
}
