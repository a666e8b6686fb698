import { groupVersionOf, type KindNames, kindLabel, type KubeObject } from '../api/index.ts';
import { inWords, KilterError } from '../errors/index.ts';
import { isRecord } from './json-schema.ts';

/** What the API server sends to a conversion webhook. */
export interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly KubeObject[];
}

export interface ConversionResponse {
  readonly uid: string;
  readonly result: { readonly status: 'Success' } | { readonly status: 'Failure'; readonly message: string };
  /** In the order of the request; none if one of them cannot be converted. */
  readonly convertedObjects: readonly KubeObject[];
}

export interface ConversionReview {
  readonly apiVersion: string;
  readonly kind: 'ConversionReview';
  readonly request?: ConversionRequest | undefined;
  readonly response?: ConversionResponse | undefined;
}

/** A resource with several versions, as `customResource` makes it. */
export interface Convertible {
  readonly names: KindNames;
  convert(object: KubeObject, version: string): KubeObject;
}

/**
 * The answer to a conversion review: all objects converted, or none and the reason of the first that cannot be. Pure;
 * throws only for what is no review, which has no UID to answer to.
 */
export function convertReview(kinds: readonly Convertible[], review: unknown): ConversionReview {
  const { apiVersion, request } = requestOf(review);
  const answer = (response: Omit<ConversionResponse, 'uid'>): ConversionReview => ({
    apiVersion,
    kind: 'ConversionReview',
    response: { uid: request.uid, ...response },
  });
  try {
    const convertedObjects = request.objects.map((object) => converted(object, request, kinds));
    return answer({ result: { status: 'Success' }, convertedObjects });
  } catch (error) {
    return answer({ result: { status: 'Failure', message: inWords(error) }, convertedObjects: [] });
  }
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
  throw new KilterError('CRD_CONVERSION_FAILED', 'the request is no ConversionReview with uid, version and objects', {
    cure: 'send a ConversionReview of apiextensions.k8s.io/v1',
  });
}

function converted(
  object: unknown,
  { desiredAPIVersion }: ConversionRequest,
  kinds: readonly Convertible[],
): KubeObject {
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
    return refuse(`${name} is of ${apiVersion} already`, 'send only what is to be converted');
  }
  return kind.convert(object as unknown as KubeObject, version);
}
