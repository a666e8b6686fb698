import { apiVersionOf, type KubeObject } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What the API server asks an admission webhook. */
export interface AdmissionRequest {
  readonly uid: string;
  /** Of the object as it is sent here, after it was converted to what the webhook declared. */
  readonly kind: GroupVersionKind;
  /** Of the object as the user sent it. */
  readonly requestKind?: GroupVersionKind | undefined;
  readonly subResource?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly operation: string;
  readonly userInfo?:
    | {
        readonly username?: string | undefined;
        readonly uid?: string | undefined;
        readonly groups?: readonly string[] | undefined;
        readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
      }
    | undefined;
  readonly object?: KubeObject | null | undefined;
  readonly oldObject?: KubeObject | null | undefined;
  readonly dryRun?: boolean | undefined;
  readonly options?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A `Status`, as far as webhooks answer with one. */
export interface ReviewStatus {
  readonly status?: 'Success' | 'Failure' | undefined;
  readonly code: number;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly details?: object | undefined;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: ReviewStatus | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly patchType?: 'JSONPatch' | undefined;
  /** A JSON patch, in base64. */
  readonly patch?: string | undefined;
}

export interface AdmissionReview {
  readonly apiVersion: string;
  readonly kind: 'AdmissionReview';
  readonly response: AdmissionResponse;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isObject = (value: unknown): boolean =>
  value === undefined || value === null || (isFields(value) && isFields(value['metadata']));

const operations: readonly unknown[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** Whether an object is what the request says it is; one that does not say what it is may be. */
function isOf(value: unknown, { group = '', version, kind }: Fields): boolean {
  if (!isFields(value)) return true;
  const wanted = { apiVersion: apiVersionOf({ group, version } as GroupVersionKind), kind };
  return (['apiVersion', 'kind'] as const).every(
    (field) => value[field] === undefined || value[field] === wanted[field],
  );
}

/** Both have the same fields. */
const versions: readonly unknown[] = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/** What is answered to what cannot be read. */
export const bestVersion = 'admission.k8s.io/v1';

export function notAReview(message: string): KilterError {
  return new KilterError('WEBHOOK_REVIEW_INVALID', message);
}

/** Why a request cannot be answered; undefined where it can. */
function problemWith(request: Fields): string | undefined {
  const { uid, operation, kind } = request;
  if (typeof uid !== 'string' || uid === '') return 'its request has no uid';
  if (typeof operation !== 'string') return 'its request has no operation';
  if (!operations.includes(operation)) return `its operation ${inShort(operation)} is not one that Kubernetes has`;
  if (!isFields(kind) || typeof kind['kind'] !== 'string') return 'its request does not say the kind of its object';
  const broken = ['object', 'oldObject'].find((field) => !isObject(request[field]));
  if (broken !== undefined) return `its ${broken} is not an object with metadata`;
  // A function would read, and let pass, something it was not written for.
  const other = ['object', 'oldObject'].find((field) => !isOf(request[field], kind));
  if (other !== undefined) return `its ${other} is of another kind or version than it says`;
  const optional = ['options', 'userInfo'].find((field) => request[field] != null && !isFields(request[field]));
  return optional === undefined ? undefined : `its ${optional} is not an object`;
}

/** The version and the UID of whatever was sent, as far as there are any: for the answer to what cannot be taken. */
export function identityOf(review: unknown): { apiVersion: string; uid: string } {
  const { apiVersion, request } = isFields(review) ? review : {};
  const uid = isFields(request) ? request['uid'] : undefined;
  return {
    apiVersion: typeof apiVersion === 'string' && versions.includes(apiVersion) ? apiVersion : bestVersion,
    uid: typeof uid === 'string' ? uid : '',
  };
}

/** The request in a review; throws for what is not one. */
export function requestOf(review: unknown): AdmissionRequest {
  if (!isFields(review) || review['kind'] !== 'AdmissionReview') throw notAReview('the body is not an AdmissionReview');
  if (!versions.includes(review['apiVersion'])) {
    throw notAReview(
      `the AdmissionReview is of ${JSON.stringify(review['apiVersion'])}, not of ${versions.join(' or ')}`,
    );
  }
  const { request } = review;
  if (!isFields(request)) throw notAReview('the AdmissionReview has no request');
  const problem = problemWith(request);
  if (problem !== undefined) throw notAReview(`the AdmissionReview cannot be answered: ${problem}`);
  return request as unknown as AdmissionRequest;
}
