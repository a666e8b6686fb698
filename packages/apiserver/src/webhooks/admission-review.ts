import type { Json, JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import { requestFields } from '../matching/index.ts';
import type { AdmissionRequest, Versioned } from '../registry/index.ts';
import { isObject, mapFields, metadataOf, objectIfIn, quote, textIn, textsOf } from '../values/index.ts';
import { encodeJson, type Shape } from '../wire/index.ts';
import { CallFailure } from './call-failure.ts';
import type { Invocation } from './invocation.ts';

const anyShape: Shape = {};

/** How objects of a resource are written: with the zero values their types always have. */
export function shapeFor({ kind, resource }: AdmissionRequest, shown: ResourceDefinition): Shape {
  const isOwn = kind.kind === resource.kind && kind.group === resource.group;
  return isOwn && !shown.custom ? (shown.schema as Shape) : anyShape;
}

const asMade: Shape = { asMade: true };

function reviewShape(object: Shape): Shape {
  const request: Shape = { asMade: true, properties: { object, oldObject: object } };
  return { asMade: true, properties: { kind: asMade, apiVersion: asMade, request } };
}

/** Empty names are not written. */
function shown(object: JsonObject | undefined): Json {
  if (object === undefined) return null;
  const metadata = metadataOf(object);
  const isNamed = metadata['name'] !== '' && metadata['generateName'] !== '';
  if (isNamed) return object;
  return { ...object, metadata: mapFields(metadata, (value) => (value === '' ? undefined : value)) };
}

export interface Review {
  readonly uid: string;
  readonly version: string;
  readonly body: Uint8Array;
}

/** The AdmissionReview for a webhook, in the first version it takes. */
export function reviewFor(
  { webhook, resource }: Invocation,
  request: AdmissionRequest,
  { uid, versioned }: { uid: string; versioned: Versioned },
): Review {
  const version = webhook.reviewVersions.find((name) => name === 'v1' || name === 'v1beta1');
  if (version === undefined) {
    throw new CallFailure(
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  }
  const { dryRun, options, ...fields } = requestFields(request, resource);
  const { object, old } = versioned;
  const review = {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: { uid, ...fields, object: shown(object), oldObject: shown(old), dryRun, options },
  };
  const text = encodeJson(review, { shape: reviewShape(shapeFor(request, resource)) });
  return { uid, version, body: Buffer.from(text) };
}

/** What a webhook decided. */
export interface Decision {
  readonly allowed: boolean;
  readonly result: JsonObject | undefined;
  readonly patch: Uint8Array;
  readonly patchType: string;
  readonly warnings: readonly string[];
}

function patchProblem(response: JsonObject, sort: 'mutating' | 'validating'): string | undefined {
  const hasPatch = textIn(response, 'patch') !== '';
  const type: Json | undefined = response['patchType'];
  const hasType = type !== undefined && type !== null;
  if (sort === 'validating') {
    if (hasPatch) return 'validating webhook may not return response.patch';
    return hasType ? 'validating webhook may not return response.patchType' : undefined;
  }
  if (hasPatch && !hasType) return 'webhook returned response.patch but not response.patchType';
  if (!hasPatch && hasType) return 'webhook returned response.patchType but not response.patch';
  return type === '' ? 'webhook returned invalid response.patchType of ""' : undefined;
}

/** The decision in an answer; throws a `CallFailure` where the answer is not one to this review. */
export function decisionIn(answer: JsonObject, { uid, version }: Review, sort: 'mutating' | 'validating'): Decision {
  const response = objectIfIn(answer, 'response');
  const refuse = (why: string): CallFailure => new CallFailure(`received invalid webhook response: ${why}`);
  if (response === undefined) throw refuse('webhook response was absent');
  const strict = version === 'v1';
  const got = textIn(response, 'uid');
  if (strict && got !== uid) throw refuse(`expected response.uid=${quote(uid)}, got ${quote(got)}`);
  const wrong = strict ? patchProblem(response, sort) : undefined;
  if (wrong !== undefined) throw refuse(wrong);
  const { status } = response;
  return {
    allowed: response['allowed'] === true,
    result: isObject(status) ? status : undefined,
    patch: Buffer.from(sort === 'mutating' ? textIn(response, 'patch') : '', 'base64'),
    patchType: strict ? textIn(response, 'patchType') : 'JSONPatch',
    warnings: textsOf(response['warnings']),
  };
}
