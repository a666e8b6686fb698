import { Buffer } from 'node:buffer';
import { apiVersionOf, type Json, type JsonObject } from 'kilter/api';
import type { Call, WriteOptions } from '../calls/index.ts';
import { builtinResources, type ResourceDefinition } from '../kinds/index.ts';
import { duplicateFieldText, unknownFieldText } from '../schema/index.ts';
import { badRequest, invalid, invalidValue, type StatusError } from '../status/index.ts';
import { isObject, jsonKind, objectIn, quote, stringifyJson, textIn } from '../values/index.ts';
import { decodeCustom } from './custom-decode.ts';
import { type Decoded, type DecoderWords, decodeTyped } from './typed-decode.ts';

/** An object as the server understood it, and what it has to say about what it did not. */
export interface DecodedBody {
  readonly object: JsonObject;
  readonly warnings: string[];
  readonly emptied: Decoded['emptied'];
}

const unrecognized = (kind: string, problem: string): StatusError =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem}`);

const longestSummary = 30;

/** How the server shows the beginning of a body it does not understand. */
export function bodySummary(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const shown = Buffer.from(bytes.subarray(0, longestSummary));
  const isObjectText = shown.toString('latin1').startsWith('{');
  return shown.toString(isObjectText ? 'utf8' : 'hex') + (bytes.length > longestSummary ? ' ...' : '');
}

const identityStruct = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** The body as it came, which may be YAML. */
const sentBytes = ({ body, sent }: Call): Uint8Array => sent ?? Buffer.from(stringifyJson(body as Json));

function noObject(kind: string, call: Call): StatusError {
  const problem = `json: cannot unmarshal ${jsonKind(call.body as Json)} into Go value of type ${identityStruct}`;
  const summary = bodySummary(sentBytes(call));
  return unrecognized(kind, `couldn't get version/kind; json parse error: ${problem} (${summary})`);
}

const unhandled = ({ version, kind }: ResourceDefinition, sent: string, problem: string): StatusError =>
  badRequest(`${sent} in version "${version}" cannot be handled as a ${kind}: ${problem}`);

/** Versions the server reads, also those it only ever stored. */
function isRegistered(apiVersion: string, kind: string): boolean {
  return builtinResources().some((one) => {
    const { kind: known, storedAs } = one;
    const forms = [one, ...(typeof storedAs === 'object' ? [storedAs] : [])];
    const named = known === kind || `${known}List` === kind;
    return (named && forms.some((form) => apiVersionOf(form) === apiVersion)) || isPosted(one, apiVersion, kind);
  });
}

/** Kinds that are only ever posted to a subresource. */
function isPosted({ strategy }: ResourceDefinition, apiVersion: string, kind: string): boolean {
  return Object.values(strategy.actions ?? {}).some(
    ({ takes, alsoTakes = [] }) => takes.kind === kind && [apiVersionOf(takes), ...alsoTakes].includes(apiVersion),
  );
}

/** Which kind it is Go looks up before it knows the fields, and then capitals do not count: the last of such names says it. */
function saidIn(body: JsonObject, field: 'kind' | 'apiVersion'): string {
  const name = Object.keys(body).findLast((key) => key.toLowerCase() === field.toLowerCase()) ?? field;
  return textIn(body, name);
}

/** The kind a body claims must be the one it was sent to; built-in kinds may leave it out. */
function checkKind(call: Call): void {
  const definition = call.resource;
  const { kind, custom } = definition;
  if (custom) return checkCustomKind(call);
  const body = call.body as JsonObject;
  const expected = apiVersionOf(definition);
  const sentKind = saidIn(body, 'kind') || kind;
  const sentVersion = saidIn(body, 'apiVersion') || expected;
  if (sentKind === kind && sentVersion === expected) return;
  const version = sentVersion.split('/').at(-1) ?? '';
  if (!isRegistered(sentVersion, sentKind)) {
    const problem = `no kind ${quote(sentKind)} is registered for version ${quote(sentVersion)} in scheme "pkg/runtime/scheme.go:111"`;
    throw unhandled({ ...definition, version }, sentKind, problem);
  }
  if (sentKind === kind) throw versionMismatch(sentVersion, expected);
  const home = (definition.group.split('.', 1)[0] ?? '') || 'core';
  const problem = `converting (${version}.${sentKind}) to (${home}.${kind}): unknown conversion`;
  throw unhandled({ ...definition, version }, sentKind, problem);
}

const versionMismatch = (sent: string, expected: string): StatusError =>
  badRequest(`the API version in the data (${sent}) does not match the expected API version (${expected})`);

function checkCustomKind(call: Call): void {
  const { resource: definition } = call;
  const body = call.body as JsonObject;
  const { kind, group } = definition;
  const sentKind = textIn(body, 'kind');
  const sentVersion = textIn(body, 'apiVersion');
  if (sentKind === '') {
    const bytes = Buffer.from(sentBytes(call));
    throw unrecognized(kind, `Object 'Kind' is missing in '${bytes.toString('utf8')}' (${bodySummary(bytes)})`);
  }
  if (sentVersion !== apiVersionOf(definition)) throw versionMismatch(sentVersion, apiVersionOf(definition));
  if (sentKind === kind) return;
  const { problem } = decodeFields(body, definition);
  if (problem !== undefined) throw unhandled(definition, sentKind, problem);
  const name = isObject(body['metadata']) ? textIn(body['metadata'], 'name') : '';
  throw invalid({ group, kind: sentKind }, name, [invalidValue('kind', sentKind, `must be ${kind}`)]);
}

/** The fields of an object as its kind has them: unknown ones dropped, wrong types refused, custom resources defaulted. */
export function decodeFields(body: JsonObject, definition: ResourceDefinition, words: DecoderWords = 'json'): Decoded {
  const { custom, schema, kind } = definition;
  return custom ? decodeCustom(body, definition) : decodeTyped(body, schema, { name: kind, words });
}

/** The fields of what an apply made: nulls it left in a custom resource are for validation to judge, what is empty for those who admit it. */
export function decodeApplied(object: JsonObject, definition: ResourceDefinition): Decoded {
  const form = { nulls: 'kept', empties: 'kept' } as const;
  return definition.custom ? decodeCustom(object, definition, form) : decodeFields(object, definition);
}

/** The fields of what somebody made of an object on its way: a custom resource is not read as a type again before it is stored. */
export function decodeChanged(object: JsonObject, definition: ResourceDefinition): Decoded {
  if (!definition.custom) return decodeFields(object, definition);
  return decodeCustom(object, definition, { empties: 'kept', surplus: 'kept' });
}

export function strictTexts(unknown: readonly string[], duplicates: readonly string[] = []): string[] {
  return [...duplicates.map(duplicateFieldText), ...unknown.map(unknownFieldText)];
}

/** The object in the body of a create or update. */
export function decodeBody(sent: Call, { fieldValidation }: WriteOptions): DecodedBody {
  // To Go null is an object without fields.
  const call = sent.body === null ? { ...sent, sent: sentBytes(sent), body: {} } : sent;
  const { resource, body } = call;
  if (!isObject(body as Json)) throw noObject(resource.kind, call);
  checkKind(call);
  const { value, unknown, problem, emptied } = decodeFields(body as JsonObject, resource);
  if (problem !== undefined) throw unhandled(resource, resource.kind, problem);
  if (fieldValidation === 'Ignore') return { object: identified(value, resource), warnings: [], emptied };
  const { duplicateKeys = [], duplicateFields } = call;
  const found = strictTexts(unknown, duplicateFields);
  // Of a built-in kind the decoder itself finds what is repeated, behind what it does not know.
  const texts = resource.custom ? found : [...strictTexts(unknown), ...strictTexts([], duplicateFields)];
  const strict = duplicateKeys.length > 0 ? [keysText(duplicateKeys), ...texts] : texts;
  if (fieldValidation === 'Strict' && strict.length > 0) {
    throw unhandled(resource, resource.kind, `strict decoding error: ${strict.join(', ')}`);
  }
  return { object: identified(value, resource), warnings: [...duplicateKeys, ...texts], emptied };
}

/** What the YAML reader says of repeated keys when it is strict. */
export function keysText(duplicateKeys: readonly string[]): string {
  return ['yaml: unmarshal errors:', ...duplicateKeys].join('\n  ');
}

/** The object with its kind and version written out. */
export function identified(object: JsonObject, definition: ResourceDefinition): JsonObject {
  const { kind: _, apiVersion: __, ...rest } = object;
  return { kind: definition.kind, apiVersion: apiVersionOf(definition), ...rest };
}

/** Name and namespace of a body agree with the URL, and are filled in from it. */
export function placeObject(object: JsonObject, { namespace, name, resource }: Call): void {
  const metadata = objectIn(object, 'metadata');
  const sent = textIn(metadata, 'namespace');
  if (resource.namespaced) {
    if (sent !== '' && sent !== namespace) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
    }
    if (namespace !== undefined) metadata['namespace'] = namespace;
  } else delete metadata['namespace'];
  if (name === undefined) return;
  const sentName = textIn(metadata, 'name');
  if (sentName === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (sentName !== name)
    throw badRequest(`the name of the object (${sentName}) does not match the name on the URL (${name})`);
}
