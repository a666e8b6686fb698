import { groupVersionOf, type KindNames, kindLabel, type KubeObject } from '../api/index.ts';
import { inWords, KilterError } from '../errors/index.ts';
import type { ConversionReport, ConvertOptions } from './conversion-object.ts';
import { tellDropped, tellUnconverted, undisturbed } from './conversion-told.ts';
import { isRecord } from './json-schema.ts';
import { ResourceError } from './problem.ts';

/** What the API server sends to a conversion webhook. */
export interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly KubeObject[];
}

/** The answer to a conversion request. */
export interface ConversionResponse {
  readonly uid: string;
  readonly result: { readonly status: 'Success' } | { readonly status: 'Failure'; readonly message: string };
  /** In the order of the request; none if one of them cannot be converted. */
  readonly convertedObjects: readonly KubeObject[];
}

/** What the API server sends to a conversion webhook, and what it gets back. */
export interface ConversionReview {
  readonly apiVersion: string;
  readonly kind: 'ConversionReview';
  readonly request?: ConversionRequest | undefined;
  readonly response?: ConversionResponse | undefined;
}

/** A resource with several versions, made by `customResource`. */
export interface Convertible {
  readonly names: KindNames;
  /** The version that objects are stored in: an object converted from it is being read, not written. */
  readonly storageVersion?: string | undefined;
  convert(object: KubeObject, version: string, options?: ConvertOptions): KubeObject;
}

/** The options of one review. */
export interface ConvertReviewOptions {
  /**
   * Called for each part that was kept but cannot be restored, at every read. Default: one line per object, through
   * `logger`.
   */
  readonly report?: ((report: ConversionReport) => void) | undefined;
  /**
   * Called for an object that is served unconverted, with the reason, at every read. Default: one line per object,
   * through `logger`.
   */
  readonly unconverted?: ((object: KubeObject, error: unknown) => void) | undefined;
  /** Gets the lines that `report` and `unconverted` do not handle. Default: process warnings, on standard error. */
  readonly logger?: { warn(message: string): void } | undefined;
}

/**
 * Answers a conversion review. The server accepts the objects of a list all together or not at all. So an object that
 * cannot be converted when it is read is served with the requested apiVersion, without a spec, and marked by the
 * annotation `<group>/conversion-failed`, so that the others can be read. On its way to the storage version the same is
 * a failure, as is any marked object, so that no loss is ever written back. The answer depends only on the review; what
 * an object loses is reported (`ConvertReviewOptions`). Throws only if the input is not a review, because there is no
 * UID to answer to.
 */
export function convertReview(
  kinds: readonly Convertible[],
  review: unknown,
  options: ConvertReviewOptions = {},
): ConversionReview {
  const { apiVersion, request } = requestOf(review);
  const answer = (response: Omit<ConversionResponse, 'uid'>): ConversionReview => ({
    apiVersion,
    kind: 'ConversionReview',
    response: { uid: request.uid, ...response },
  });
  try {
    const convertedObjects = request.objects.map((object) => {
      const { kind, version } = asked(object, request, kinds);
      refuseMarked(object, kind.names);
      try {
        return converted(object, version, { ...options, kind });
      } catch (error) {
        // What is wrong with the definition is wrong with every object.
        if (error instanceof ResourceError || !isRead(object, kind, request)) throw error;
        const { unconverted, logger } = options;
        if (unconverted === undefined) tellUnconverted({ names: kind.names, logger }, object, error);
        else undisturbed(() => unconverted(object, error));
        return marked(object, request.desiredAPIVersion, { group: kind.names.group, error });
      }
    });
    return answer({ result: { status: 'Success' }, convertedObjects });
  } catch (error) {
    // Whoever sent the request reads it, and what to do with it.
    const message = error instanceof KilterError ? error.message : inWords(error);
    return answer({ result: { status: 'Failure', message }, convertedObjects: [] });
  }
}

interface Converting extends ConvertReviewOptions {
  readonly kind: Convertible;
}

/** Nothing that was kept is lost without a word. */
function converted(object: KubeObject, version: string, { kind, report, logger }: Converting): KubeObject {
  if (report !== undefined) {
    return kind.convert(object, version, { report: (one) => undisturbed(() => report(one)) });
  }
  const reports: ConversionReport[] = [];
  const result = kind.convert(object, version, { report: (one) => reports.push(one) });
  if (reports.length > 0) tellDropped({ names: kind.names, logger }, object, reports);
  return result;
}

/** Writes come alone, and lead to the storage version. */
function isRead({ apiVersion }: KubeObject, { storageVersion }: Convertible, { objects }: ConversionRequest): boolean {
  return objects.length > 1 || groupVersionOf(apiVersion).version === storageVersion;
}

function markOf({ group }: Pick<KindNames, 'group'>): string {
  return `${group}/conversion-failed`;
}

/** Among all annotations there is room for so much. */
const longestReason = 1024;

function marked(
  object: KubeObject,
  apiVersion: string,
  { group, error }: { readonly group: string; readonly error: unknown },
): KubeObject {
  const { spec: _spec, ...rest } = object as KubeObject & { spec?: unknown };
  const annotations = {
    ...object.metadata?.annotations,
    [markOf({ group })]: inWords(error).slice(0, longestReason),
  };
  return { ...rest, apiVersion, metadata: { ...object.metadata, annotations } };
}

/** What was served without its spec would come back as an object that has none. */
function refuseMarked(object: KubeObject, names: KindNames): void {
  const mark = markOf(names);
  const reason = object.metadata?.annotations?.[mark];
  if (reason === undefined) return;
  throw new KilterError(
    'CRD_CONVERSION_FAILED',
    `${kindLabel(names)} "${object.metadata.name}" could not be converted when it was read, so it cannot be written: ${reason}`,
    { cure: `correct the object in the version it is stored in, without the annotation ${mark}` },
  );
}

function requestOf(review: unknown): { apiVersion: string; request: ConversionRequest } {
  const request = isRecord(review) ? review['request'] : undefined;
  const apiVersion = isRecord(review) ? review['apiVersion'] : undefined;
  if (
    isRecord(review) &&
    review['kind'] === 'ConversionReview' &&
    typeof apiVersion === 'string' &&
    isRecord(request) &&
    typeof request['uid'] === 'string' &&
    typeof request['desiredAPIVersion'] === 'string' &&
    Array.isArray(request['objects'])
  ) {
    return { apiVersion, request: request as unknown as ConversionRequest };
  }
  throw new KilterError(
    'CRD_CONVERSION_FAILED',
    'the request is not a ConversionReview with uid, version and objects',
    {
      cure: 'send a ConversionReview of apiextensions.k8s.io/v1',
    },
  );
}

/** The kind that converts an object, and the version it is to have. */
function asked(
  object: unknown,
  { desiredAPIVersion }: ConversionRequest,
  kinds: readonly Convertible[],
): { kind: Convertible; version: string } {
  const refuse = (message: string, cure: string): never => {
    throw new KilterError('CRD_CONVERSION_FAILED', message, { cure });
  };
  if (!isRecord(object) || typeof object['apiVersion'] !== 'string' || typeof object['kind'] !== 'string')
    return refuse('an object of the review has no apiVersion and kind', 'send whole objects');
  const { group, version } = groupVersionOf(desiredAPIVersion);
  const { kind: name, apiVersion } = object as { kind: string; apiVersion: string };
  const kind = kinds.find(({ names }) => names.kind === name && names.group === groupVersionOf(apiVersion).group);
  if (kind === undefined || group !== kind.names.group) {
    const converts = kinds.map(({ names }) => kindLabel(names)).join(', ');
    return refuse(
      `${name} of ${apiVersion} cannot become ${desiredAPIVersion}`,
      `this webhook converts ${converts || 'nothing'}, each within its group`,
    );
  }
  if (apiVersion === desiredAPIVersion) {
    return refuse(`${name} is already of ${apiVersion}`, 'send only objects that need a conversion');
  }
  return { kind, version };
}
