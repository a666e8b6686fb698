import { Buffer } from 'node:buffer';
import type { User } from '../auth/index.ts';
import type { Call, Verb } from '../calls/index.ts';
import { bodySummary } from '../decoding/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { duplicateFields, goJsonProblem } from '../schema/index.ts';
import { badRequest, entityTooLarge, unsupportedMediaType } from '../status/index.ts';
import {
  bodyFormatOf,
  type DecodedText,
  decodeJson,
  decodeYamlBytes,
  patchTypeOf,
  unsupportedBodyText,
  unsupportedCustomPatchText,
  unsupportedPatchText,
} from '../wire/index.ts';
import type { ServerRequest } from './message.ts';
import { readProtobuf } from './read-protobuf.ts';
import type { ResourcePath } from './route.ts';

/** The limit of the real server, in bytes. */
const maxBody = 3_145_728;

/** Custom resources have one handler for all paths, which misses the name later. */
function withoutName(custom: boolean): undefined {
  if (custom) throw badRequest('name must be provided');
  return undefined;
}

/** What a method does to an object or a collection; undefined if nothing. */
export function verbOf(
  method: string,
  target: ResourcePath,
  { query, custom }: { readonly query: URLSearchParams; readonly custom: boolean },
): Verb | undefined {
  const named = target.name !== undefined;
  switch (method) {
    case 'GET':
      // A watch of one object is a watch of the collection with a field selector; with a name it is a plain get.
      return named ? 'get' : isWatch(query) ? 'watch' : 'list';
    case 'POST':
      return named && target.subresource === undefined && !custom ? undefined : 'create';
    case 'PUT':
      return named ? 'update' : withoutName(custom);
    case 'PATCH':
      return named ? 'patch' : withoutName(custom);
    case 'DELETE':
      return named ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}

export function isWatch(query: URLSearchParams): boolean {
  const watch = query.get('watch');
  return watch !== null && watch !== 'false' && watch !== '0';
}

interface Reading {
  readonly request: ServerRequest;
  readonly verb: Verb;
  readonly resource: ResourceDefinition;
  readonly subresource: string | undefined;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

type Read = Pick<Call, 'body' | 'sent' | 'undecodable' | 'duplicateFields' | 'duplicateKeys' | 'patchType'>;

function readPatch({ request, resource }: Reading, bytes: Uint8Array): Read {
  const patchType = patchTypeOf(request.headers['content-type']);
  const refused = patchType === undefined || (patchType === 'strategic' && resource.custom);
  if (refused)
    throw resource.custom
      ? unsupportedMediaType(unsupportedCustomPatchText)
      : unsupportedMediaType(unsupportedPatchText, {});
  const decoded = patchType === 'apply' ? decodeYamlBytes(bytes) : decodeJson(textOf(bytes));
  if (!decoded.ok) {
    const undecodable = patchType === 'apply' ? decoded.problem : jsonWords(decoded, bytes);
    return { patchType, body: undefined, undecodable, duplicateFields: undefined };
  }
  return { patchType, body: decoded.value, ...duplicatesIn(decoded) };
}

function duplicatesIn({ text, duplicates }: Extract<DecodedText, { ok: true }>): Partial<Read> {
  return { duplicateFields: text === undefined ? [] : duplicateFields(text), duplicateKeys: duplicates };
}

/** A YAML text without a value is an object without fields. */
function emptyAsObject(decoded: DecodedText): DecodedText {
  return decoded.ok && decoded.value === null ? { ...decoded, value: {} } : decoded;
}

function decodeObject({ request, verb, resource, subresource }: Reading, bytes: Uint8Array): DecodedText {
  switch (bodyFormatOf(request.headers['content-type'])) {
    case 'json':
      return decodeJson(textOf(bytes));
    case 'yaml':
      return emptyAsObject(decodeYamlBytes(bytes));
    case 'protobuf':
      return { ok: true, value: readProtobuf({ bytes, verb, resource, subresource }), text: undefined, duplicates: [] };
    case 'unknown':
      throw unsupportedMediaType(unsupportedBodyText);
  }
}

/** What the body of a create or update is to be: some subresources take their own kind. */
function expectedKind({ resource, subresource = '' }: Reading): string {
  if (subresource === 'scale') return 'Scale';
  const { actions = {} } = resource.strategy;
  return (Object.hasOwn(actions, subresource) ? actions[subresource]?.takes.kind : undefined) ?? resource.kind;
}

function readObject(reading: Reading, bytes: Uint8Array): Read {
  const decoded = decodeObject(reading, bytes);
  if (!decoded.ok) {
    const yaml = bodyFormatOf(reading.request.headers['content-type']) === 'yaml';
    const problem = yaml
      ? decoded.problem
      : `couldn't get version/kind; json parse error: ${jsonWords(decoded, bytes)}`;
    const { verb } = reading;
    if (verb === 'delete' || verb === 'deletecollection') throw badRequest(problem);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${expectedKind(reading)}): ${problem} (${bodySummary(bytes)})`,
    );
  }
  return { patchType: undefined, body: decoded.value, sent: bytes, ...duplicatesIn(decoded) };
}

/** Go's words for what is wrong with a text, unless it was read and then refused. */
function jsonWords({ problem }: { problem: string }, bytes: Uint8Array): string {
  return problem.includes('exceeded max depth') ? problem : (goJsonProblem(bytes) ?? problem);
}

function readBody(reading: Reading): Read {
  const { request, verb } = reading;
  const nothing: Read = { patchType: undefined, body: undefined, duplicateFields: undefined };
  if (verb === 'get' || verb === 'list' || verb === 'watch') return nothing;
  const bytes = request.body ?? new Uint8Array();
  if (bytes.byteLength > maxBody) throw entityTooLarge(`Request entity too large: limit is ${maxBody}`);
  if (verb === 'patch') return readPatch(reading, bytes);
  const deletes = verb === 'delete' || verb === 'deletecollection';
  return deletes && textOf(bytes).trim() === '' ? nothing : readObject(reading, bytes);
}

export interface Caller {
  readonly user: User;
  readonly query: URLSearchParams;
}

/** The call a request makes, its body read; refuses what cannot be read. */
export function readCall(received: Omit<Reading, 'subresource'>, target: ResourcePath, { user, query }: Caller): Call {
  const { request, verb, resource } = received;
  const reading = { ...received, subresource: target.subresource };
  return {
    verb,
    resource,
    namespace: target.namespace,
    // A POST to the name of a custom resource creates whatever its body names.
    name: verb === 'create' && target.subresource === undefined ? undefined : target.name,
    subresource: target.subresource,
    query,
    ...readBody(reading),
    user,
    userAgent: request.headers['user-agent'] ?? '',
    signal: request.signal,
  };
}
