import type { Json, JsonObject } from 'kilter/api';
import { isObject, jsonKind, parseJson, quote, textIn } from '../values/index.ts';
import { goJsonProblem } from '../schema/index.ts';
import { decodeYaml, depthProblem } from '../wire/index.ts';
import { CallFailure } from './call-failure.ts';

const identity = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

function parsed(body: Uint8Array): Json {
  const text = Buffer.from(body).toString();
  const tooDeep = depthProblem(text);
  if (tooDeep !== undefined) throw new CallFailure(`couldn't get version/kind; json parse error: ${tooDeep}`);
  try {
    return parseJson(text) as Json;
  } catch {
    // What begins like JSON is nothing else.
    const problem = text.trimStart().startsWith('{') ? goJsonProblem(body) : undefined;
    if (problem !== undefined) throw new CallFailure(`couldn't get version/kind; json parse error: ${problem}`);
    // The server takes what is not JSON for YAML: a text without any structure is a string to it, unless it is a word for true or false.
    const decoded = decodeYaml(text);
    return decoded.ok ? (decoded.value as Json) : text;
  }
}

export interface ReviewType {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * The review in the body of an answer; throws if it is something else, in the words of the server's decoder. What does not say what
 * it is is taken for the review.
 */
export function reviewIn(body: Uint8Array, { apiVersion, kind }: ReviewType): JsonObject {
  const value = parsed(body);
  if (!isObject(value)) {
    const problem = `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${identity}`;
    throw new CallFailure(`couldn't get version/kind; json parse error: ${problem}`);
  }
  const own = { apiVersion, kind, ...value };
  const sameGroup = textIn(own, 'apiVersion').split('/')[0] === apiVersion.split('/')[0];
  if (textIn(own, 'kind') !== kind || !sameGroup) {
    const where = 'in scheme "pkg/runtime/scheme.go:111"';
    const what = `no kind ${quote(textIn(own, 'kind'))} is registered for version ${quote(textIn(own, 'apiVersion'))}`;
    throw new CallFailure(`${what} ${where}`);
  }
  const [sent, got] = [versionIn(apiVersion), versionIn(textIn(own, 'apiVersion'))];
  if (sent !== got) throw new CallFailure(`converting (${got}.${kind}) to (${sent}.${kind}): unknown conversion`);
  return own;
}

const versionIn = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);
