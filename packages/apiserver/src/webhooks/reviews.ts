import type { Json, JsonObject } from 'kilter/api';
import { isObject, jsonKind, parseJson, quote, textIn } from '../values/index.ts';
import { CallFailure } from './call-failure.ts';

const identity = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

function parsed(body: Uint8Array): Json {
  const text = Buffer.from(body).toString();
  try {
    return parseJson(text) as Json;
  } catch {
    // The server takes what is not JSON for YAML: a text without any structure is a string to it.
    return text;
  }
}

const kindText = (object: JsonObject): string => `${textIn(object, 'apiVersion')}, Kind=${textIn(object, 'kind')}`;

export interface ReviewType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The review in the body of an answer; throws if it is something else, in the words of the server's decoder. */
export function reviewIn(body: Uint8Array, { apiVersion, kind }: ReviewType): JsonObject {
  const value = parsed(body);
  if (!isObject(value)) {
    const problem = `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${identity}`;
    throw new CallFailure(`couldn't get version/kind; json parse error: ${problem}`);
  }
  const text = Buffer.from(body).toString();
  for (const [field, name] of [
    ['kind', 'Kind'],
    ['apiVersion', 'apiVersion'],
  ] as const) {
    if (textIn(value, field) === '') throw new CallFailure(`Object '${name}' is missing in '${text.trim()}'`);
  }
  const sameGroup = textIn(value, 'apiVersion').split('/')[0] === apiVersion.split('/')[0];
  if (textIn(value, 'kind') !== kind || !sameGroup) {
    const where = 'in scheme "pkg/runtime/scheme.go:111"';
    const what = `no kind ${quote(textIn(value, 'kind'))} is registered for version ${quote(textIn(value, 'apiVersion'))}`;
    throw new CallFailure(`${what} ${where}`);
  }
  return value;
}

/** A review of another version than the one that was sent. */
export function versionProblem(review: JsonObject, wanted: ReviewType): string | undefined {
  const expected = kindText({ apiVersion: wanted.apiVersion, kind: wanted.kind });
  const got = kindText(review);
  return expected === got ? undefined : `expected webhook response of ${expected}, got ${got}`;
}
