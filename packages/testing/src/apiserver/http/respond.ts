import { Buffer } from 'node:buffer';
import type { Json, JsonObject } from 'kilter/api';
import { type IncludeObject, partialListOf, partialOf, tableOf } from '../print/index.ts';
import { type Answer, type Call, notAcceptable, type StatusError, type WatchEvent } from '../registry/index.ts';
import { jsonPath } from '../schema/index.ts';
import {
  alphabetical,
  encodeJson,
  encodeYaml,
  negotiate,
  notAcceptableText,
  type Representation,
  structural,
  unsupportedFormText,
} from '../wire/index.ts';
import { type ServerResponse, textResponse } from './message.ts';

/** What the form of an answer depends on. */
export interface Presentation {
  readonly representation: Representation;
  readonly pretty: boolean;
  readonly includeObject: IncludeObject;
  readonly now: () => number;
}

function includeOf(query: URLSearchParams): IncludeObject {
  const include = query.get('includeObject');
  return include === 'None' || include === 'Object' ? include : 'Metadata';
}

/** What the client accepts, or the refusal of what it asks for. */
export function presentationFor(
  call: { query: URLSearchParams; userAgent: string },
  accept: string | undefined,
  now: () => number,
): Presentation {
  const representation = negotiate(accept);
  if (representation === 'unknown') throw notAcceptable(notAcceptableText);
  if (representation === 'unsupported') throw notAcceptable(unsupportedFormText);
  const asked = call.query.get('pretty');
  const person = /^(curl|Wget|Mozilla)/.test(call.userAgent);
  const pretty = asked === null ? person : asked !== 'false' && asked !== '0';
  return { representation, pretty, includeObject: includeOf(call.query), now };
}

const objectsOf = (list: JsonObject): JsonObject[] => (list['items'] ?? []) as JsonObject[];

/** A column shows the first value its path leads to. */
function read(object: JsonObject, path: string): readonly Json[] {
  const value = jsonPath(object, path);
  return value === undefined ? [] : [value];
}

function tableFor(
  call: Call,
  objects: readonly JsonObject[],
  presentation: Presentation & { metadata?: JsonObject; headers?: boolean },
): JsonObject {
  const { includeObject, now, metadata, headers } = presentation;
  return tableOf(call.resource, objects, { now: now(), read, includeObject, metadata, headers });
}

/** An object in the form the client asked for. Failures and successes without an object stay what they are. */
function objectAs(object: JsonObject, call: Call, presentation: Presentation): JsonObject {
  const { as } = presentation.representation;
  if (as === undefined || object['kind'] === 'Status') return object;
  if (as === 'Table') return tableFor(call, [object], presentation);
  const partial = as === 'PartialObjectMetadata' ? partialOf(object) : undefined;
  if (partial === undefined)
    throw notAcceptable(`you requested ${as}, but the requested object is not a list (${call.resource.kind})`);
  return partial;
}

function listAs(list: JsonObject, call: Call, presentation: Presentation): JsonObject {
  const { as } = presentation.representation;
  if (as === undefined) return list;
  if (as === 'Table')
    return tableFor(call, objectsOf(list), { ...presentation, metadata: list['metadata'] as JsonObject });
  const partial = as === 'PartialObjectMetadataList' ? partialListOf(list) : undefined;
  if (partial === undefined)
    throw notAcceptable(`you requested ${as}, but the requested object is a list (${call.resource.listKind})`);
  return partial;
}

/** Custom resources in alphabetical, built-in kinds in struct order; tables and partial objects are structs as well. */
function inOrder(object: JsonObject, call: Call, { representation }: Presentation): JsonObject {
  const custom =
    call.resource.custom &&
    representation.as === undefined &&
    call.subresource !== 'scale' &&
    object['kind'] !== 'Status';
  return custom ? (alphabetical(object) as JsonObject) : structural(object);
}

function encoded(object: JsonObject, { representation, pretty }: Presentation): string {
  return representation.format === 'yaml' ? encodeYaml(object) : encodeJson(object, pretty);
}

function eventAs(
  { type, object }: WatchEvent,
  call: Call,
  presentation: Presentation & { first: boolean },
): JsonObject {
  if (type === 'ERROR') return object;
  const { as } = presentation.representation;
  if (as === 'Table') {
    const rows = type === 'BOOKMARK' ? [] : [object];
    const metadata = type === 'BOOKMARK' ? { metadata: (object['metadata'] ?? {}) as JsonObject } : {};
    return tableFor(call, rows, { ...presentation, ...metadata, headers: presentation.first });
  }
  if (as === undefined) return object;
  const metadata = (object['metadata'] ?? {}) as Json;
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

async function* lines(
  events: AsyncIterable<WatchEvent>,
  call: Call,
  presentation: Presentation,
): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const event of events) {
    const object = inOrder(eventAs(event, call, { ...presentation, first }), call, presentation);
    first = false;
    yield Buffer.from(`${JSON.stringify({ type: event.type, object })}\n`);
  }
}

/** The response that carries an answer. */
export function respond(answer: Answer, call: Call, presentation: Presentation): ServerResponse {
  const { contentType } = presentation.representation;
  const { warnings } = answer;
  if (answer.type === 'watch') {
    const empty = textResponse('', { status: 200, warnings, headers: { 'content-type': 'application/json' } });
    return { ...empty, body: lines(answer.events, call, presentation), whole: undefined };
  }
  const shown =
    answer.type === 'list' ? listAs(answer.list, call, presentation) : objectAs(answer.object, call, presentation);
  const text = encoded(inOrder(shown, call, presentation), presentation);
  return textResponse(text, {
    status: answer.type === 'object' ? answer.code : 200,
    warnings,
    headers: { 'content-type': contentType },
  });
}

/** The response that carries a refusal. */
export function respondError(error: StatusError, pretty: boolean): ServerResponse {
  const retry = error.details?.retryAfterSeconds;
  return textResponse(encodeJson(error.status, pretty), {
    status: error.code,
    warnings: error.warnings,
    headers: { 'content-type': 'application/json', ...(retry !== undefined && { 'retry-after': String(retry) }) },
  });
}
