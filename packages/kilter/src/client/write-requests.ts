import type { ApiRequest } from '../transport/index.ts';
import { selectors, wholeNumber } from './option-values.ts';
import type { CallOptions, DeleteAllOptions, DeleteOptions, WriteOptions } from './options.ts';
import { defaultPageSize, metadataAs, queryOf, type RequestDefaults, shared } from './read-requests.ts';
import { pathOf, type Target } from './target.ts';

/** A write before it is addressed. */
export interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly contentType?: string | undefined;
  readonly body: string;
  readonly options: WriteOptions;
  /** Of an apply. */
  readonly force?: boolean | undefined;
}

/** A client for dry runs makes no other: its calls cannot say otherwise. */
export const isDryRun = (defaults: RequestDefaults, { dryRun }: { dryRun?: boolean | undefined }): boolean =>
  defaults.dryRun === true || dryRun === true;

function written(
  defaults: RequestDefaults,
  options: CallOptions & { dryRun?: boolean | undefined },
): Partial<ApiRequest> {
  const { writeDeadline } = defaults;
  return {
    ...shared(defaults, options.signal),
    ...(writeDeadline !== undefined && { deadline: writeDeadline }),
    // A dry run changes nothing, whoever leads.
    ...(defaults.guarded === true && !isDryRun(defaults, options) && { guarded: true }),
  };
}

/** The server gives up too: a write that timed out here is not carried out later. */
const timeoutOf = ({ writeDeadline }: RequestDefaults): string | undefined =>
  writeDeadline === undefined ? undefined : `${writeDeadline / 1000}s`;

export function writeRequest(target: Target, defaults: RequestDefaults, write: Write): ApiRequest {
  const { method, body, contentType = 'application/json', options, force } = write;
  const query = queryOf({
    dryRun: isDryRun(defaults, options) ? 'All' : undefined,
    fieldManager: options.manager ?? defaults.manager,
    fieldValidation: options.fieldValidation ?? defaults.fieldValidation,
    force: force === true ? 'true' : undefined,
    timeout: timeoutOf(defaults),
  });
  return { method, path: pathOf(target), query, contentType, body, ...written(defaults, options) };
}

/** Of one object. */
export function deleteRequest(
  target: Target & { readonly name: string },
  defaults: RequestDefaults,
  options: DeleteOptions,
): ApiRequest {
  return {
    method: 'DELETE',
    path: pathOf(target),
    query: queryOf({ dryRun: isDryRun(defaults, options) ? 'All' : undefined, timeout: timeoutOf(defaults) }),
    contentType: 'application/json',
    body: JSON.stringify(deletion(defaults, options)),
    ...written(defaults, options),
  };
}

/**
 * A page of a collection's objects. In pages, because the server deletes one object after the other and would not be
 * done with a large collection within any deadline.
 */
export function deletePageRequest(
  target: Target,
  defaults: RequestDefaults,
  options: DeleteAllOptions & { continue: string | undefined },
): ApiRequest {
  const query = queryOf({
    dryRun: isDryRun(defaults, options) ? 'All' : undefined,
    limit: String(defaultPageSize),
    continue: options.continue,
    ...selectors(options),
    timeout: timeoutOf(defaults),
  });
  return {
    method: 'DELETE',
    path: pathOf(target),
    query,
    accept: metadataAs('PartialObjectMetadataList'),
    contentType: 'application/json',
    body: JSON.stringify(deletion(defaults, options)),
    ...written(defaults, options),
  };
}

/**
 * How to delete. Everything is in the body: where there is one, the server ignores the query. `dryRun` stands in
 * both, because a delete that is taken for real cannot be taken back.
 */
export function deletion(defaults: RequestDefaults, options: DeleteOptions): Readonly<Record<string, unknown>> {
  const { propagation, gracePeriod, preconditions: { uid, resourceVersion } = {} } = options;
  wholeNumber(gracePeriod, 'gracePeriod', 0);
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(Object.keys(preconditions).length > 0 && { preconditions }),
    ...(propagation !== undefined && { propagationPolicy: propagation }),
    ...(gracePeriod !== undefined && { gracePeriodSeconds: gracePeriod }),
    ...(isDryRun(defaults, options) && { dryRun: ['All'] }),
  };
}
