// Conversion of custom resources by a webhook: one ConversionReview, and what of its answer is taken.
import { type Json, type JsonObject } from 'kilter/api';
import type { Converter } from '../registry/index.ts';
import { unnamed } from '../status/index.ts';
import {
  clone,
  goType,
  isObject,
  metadataOf,
  objectIfIn,
  quote,
  stringifyJson,
  textIn,
  textsOf,
} from '../values/index.ts';
import { CallFailure } from './call-failure.ts';
import type { WebhookClient } from './client.ts';
import { reviewIn } from './reviews.ts';

/** The time the real server leaves for it. */
const seconds = 30;
const late = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';

const known = ['v1', 'v1beta1'];

export interface ConversionOptions {
  readonly client: WebhookClient;
  readonly uuid: () => string;
}

/** Fails without a reason, as conversions do. */
const failed = (object: JsonObject, what: string): Error =>
  unnamed(`conversion webhook for ${textIn(object, 'apiVersion')}, Kind=${textIn(object, 'kind')} ${what}`);

/** The converted objects of an answer; throws what is wrong with it. */
function answered(review: JsonObject, uid: string, version: string): Json[] {
  // What v1beta1 never checked.
  const strict = version === 'v1';
  const response = objectIfIn(review, 'response');
  if (response === undefined) throw new CallFailure('no response provided');
  const got = textIn(response, 'uid');
  if (strict && got !== uid) throw new CallFailure(`expected response.uid=${quote(uid)}, got ${quote(got)}`);
  const result = objectIfIn(response, 'result') ?? {};
  const status = textIn(result, 'status');
  if (status !== 'Success') {
    throw new CallFailure(textIn(result, 'message') || `response.result.status was '${status}', not 'Success'`);
  }
  const objects = response['convertedObjects'];
  return Array.isArray(objects) ? objects : [];
}

function identityProblem(original: JsonObject, converted: JsonObject): string | undefined {
  const [before, after] = [metadataOf(original), metadataOf(converted)];
  for (const [field, name] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [was, is] = [textIn(before, field), textIn(after, field)];
    if (was !== is) return `must have the same ${name}: ${was} != ${is}`;
  }
  return undefined;
}

/** The metadata of the original with the labels and annotations of the answer; or what is wrong with them. */
function restoredMetadata(original: JsonObject, { metadata }: JsonObject): JsonObject | string {
  if (metadata === undefined) return 'missing metadata in converted object';
  if (!isObject(metadata)) return `invalid metadata of type ${goType(metadata)} in converted object`;
  const { labels: _, annotations: __, ...kept } = metadataOf(original);
  const restored: JsonObject = clone(kept);
  for (const field of ['labels', 'annotations']) {
    const given = metadata[field];
    if (given === undefined || given === null) continue;
    if (!isObject(given)) return `invalid metadata.${field} of type ${goType(given)} in converted object`;
    const wrong = Object.entries(given).find(([, value]) => typeof value !== 'string');
    if (wrong !== undefined) {
      const type = goType(wrong[1] ?? null);
      return `metadata.${field}[${wrong[0]}] must be a string, but is ${type} in converted object`;
    }
    restored[field] = given;
  }
  return restored;
}

interface Pair {
  readonly original: JsonObject;
  readonly converted: Json | undefined;
  readonly apiVersion: string;
  readonly index: number;
}

function accepted({ original, converted, apiVersion, index }: Pair): JsonObject {
  const at = `at index ${index}`;
  if (!isObject(converted)) throw failed(original, `returned invalid converted object ${at}: not an object`);
  const got = textIn(converted, 'apiVersion');
  if (got !== apiVersion) {
    throw failed(
      original,
      `returned invalid object ${at}: invalid groupVersion (expected ${apiVersion}, received ${got})`,
    );
  }
  const [kind, was] = [textIn(converted, 'kind'), textIn(original, 'kind')];
  if (kind !== was)
    throw failed(original, `returned invalid object ${at}: invalid kind (expected ${was}, received ${kind})`);
  const other = identityProblem(original, converted);
  if (other !== undefined) throw failed(original, `returned invalid object: ${other}`);
  const metadata = restoredMetadata(original, converted);
  if (typeof metadata === 'string') throw failed(original, `returned invalid metadata: ${metadata}`);
  return { ...converted, metadata };
}

/** What is not stored yet has no version, not an empty one. */
function withoutEmptyVersion(object: JsonObject): JsonObject {
  const { resourceVersion, ...metadata } = metadataOf(object);
  return resourceVersion === '' ? { ...object, metadata } : object;
}

/** Asks the webhook that a definition names. */
export function webhookConverter({ client, uuid }: ConversionOptions): Converter {
  return async ({ webhook, objects, apiVersion }) => {
    const [first] = objects;
    if (first === undefined) return [];
    const version = textsOf(webhook['conversionReviewVersions']).find((name) => known.includes(name));
    if (version === undefined) throw unnamed('no supported conversion review versions');
    const uid = uuid();
    const review = {
      kind: 'ConversionReview',
      apiVersion: `apiextensions.k8s.io/${version}`,
      request: { uid, desiredAPIVersion: apiVersion, objects: objects.map(withoutEmptyVersion) },
      // The real server sends the empty answer along.
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    };
    const clientConfig = objectIfIn(webhook, 'clientConfig') ?? {};
    const converted = await asked(first, async () => {
      const body = await client.post({ clientConfig, body: Buffer.from(stringifyJson(review)), seconds, late });
      return answered(reviewIn(body, review), uid, version);
    });
    if (converted.length !== objects.length) {
      throw failed(first, `returned ${converted.length} objects, expected ${objects.length}`);
    }
    return objects.map((original, index) => accepted({ original, converted: converted[index], apiVersion, index }));
  };
}

async function asked<T>(object: JsonObject, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof CallFailure ? failed(object, `failed: ${error.message}`) : error;
  }
}
