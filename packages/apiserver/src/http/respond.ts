import { apiVersionOf, type Json, type JsonObject } from 'kilter/api';
import type { Answer, Call, WatchEvent } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { type IncludeObject, partialListOf, partialOf, tableOf } from '../print/index.ts';
import { jsonPath } from '../schema/index.ts';
import { badRequest, notAcceptable, type StatusError } from '../status/index.ts';
import { objectIfIn } from '../values/index.ts';
import {
  accepts,
  composedShape,
  decodeJson,
  encodeJson,
  encodeYaml,
  listShape,
  negotiate,
  notAcceptableText,
  objectTypes,
  partialShape,
  type Representation,
  type Shape,
  streamTypes,
  tableShape,
  unsupportedFormText,
} from '../wire/index.ts';
import { type ServerResponse, textResponse } from './message.ts';
import { protobufFrame, protobufOf } from './protobuf-response.ts';
import { eventLine, listText, objectText, sharedFrame } from './written-objects.ts';

/** What the form of an answer depends on. */
export interface Presentation {
  readonly representation: Representation;
  readonly pretty: boolean;
  readonly includeObject: IncludeObject;
  readonly now: () => number;
}

/** What the rows of a table carry; another word is refused where there is a table. */
function includeOf(query: URLSearchParams, { as }: Representation): IncludeObject {
  const include = query.get('includeObject') ?? '';
  if (include === 'None' || include === 'Object') return include;
  if (as === 'Table' && include !== '' && include !== 'Metadata') {
    const why = `includeObject: Invalid value: ${JSON.stringify(include)}: must be 'Metadata', 'Object', 'None', or empty`;
    throw badRequest(`Unable to convert to Table as requested: ${why}`);
  }
  return 'Metadata';
}

/** Go's words for true; all others are false. */
const truths = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

/** Whether an answer is for a person: as the query says, else as the client's name does. */
function isForPeople(query: URLSearchParams, userAgent: string): boolean {
  const asked = query.get('pretty') ?? '';
  return asked === '' ? /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent) : truths.has(asked);
}

/** What the form of an answer is chosen by. */
export interface Asking {
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
}

/** Refuses a client that accepts none of the types a built-in route writes. */
export function checkRoute({ headers }: Asking, types: readonly string[]): void {
  if (!accepts(headers['accept'], types)) throw notAcceptable(notAcceptableText(types), {});
}

/** What the client accepts, or the refusal of what it asks for. */
export function presentationFor(
  asking: Asking,
  { verb, resource }: Pick<Call, 'verb' | 'resource'>,
  now: () => number,
): Presentation {
  const { query, headers } = asking;
  const streams = verb === 'list' || verb === 'watch';
  if (!resource.custom) checkRoute(asking, streams ? [...objectTypes, ...streamTypes] : objectTypes);
  // What is only ever asked has no columns.
  const tables = resource.verbs.includes('get');
  const representation = negotiate(headers['accept'], { custom: resource.custom, tables });
  if (representation === undefined) throw notAcceptable(unsupportedFormText(objectTypes));
  if (verb === 'watch' && representation.format === 'yaml') throw notAcceptable(unsupportedFormText(streamTypes));
  const pretty = representation.pretty || isForPeople(query, headers['user-agent'] ?? '');
  return { representation, pretty, includeObject: includeOf(query, representation), now };
}

/** The objects of a list, which say what they are even where the list says it for them. */
function objectsOf(list: JsonObject, { kind, group, version }: ResourceDefinition): JsonObject[] {
  const apiVersion = apiVersionOf({ group, version });
  return ((list['items'] ?? []) as JsonObject[]).map((item) => ({ kind, apiVersion, ...item }));
}

/** The type behind an object, as the server's own code has it. */
function goTypeOf({ custom, group, kind, listKind }: ResourceDefinition, of: 'object' | 'list'): string {
  if (custom) return of === 'list' ? '*unstructured.UnstructuredList' : '*unstructured.Unstructured';
  const home = group === 'events.k8s.io' ? '' : (group.split('.', 1)[0] ?? '');
  return `*${home === '' ? 'core' : home}.${of === 'list' ? listKind : kind}`;
}

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
  const { includeObject, now, metadata, headers, representation } = presentation;
  const version = representation.asVersion;
  return tableOf(call.resource, objects, { now: now(), read, includeObject, metadata, headers, version });
}

/** An object in the form the client asked for. Failures and successes without an object stay what they are. */
function objectAs(object: JsonObject, call: Call, presentation: Presentation): JsonObject {
  const { as, asVersion } = presentation.representation;
  if (as === undefined || object['kind'] === 'Status') return object;
  if (as === 'Table') return tableFor(call, [object], presentation);
  const partial = as === 'PartialObjectMetadata' ? partialOf(object, asVersion) : undefined;
  if (partial === undefined)
    throw notAcceptable(
      `you requested ${as}, but the requested object is not a list (${goTypeOf(call.resource, 'object')})`,
    );
  return partial;
}

function listAs(list: JsonObject, call: Call, presentation: Presentation): JsonObject {
  const { as, asVersion } = presentation.representation;
  if (as === undefined) return list;
  if (as === 'Table')
    return tableFor(call, objectsOf(list, call.resource), {
      ...presentation,
      metadata: list['metadata'] as JsonObject,
    });
  const partial = as === 'PartialObjectMetadataList' ? partialListOf(list, asVersion) : undefined;
  if (partial === undefined)
    throw notAcceptable(`you requested ${as}, but the requested object is a list (${goTypeOf(call.resource, 'list')})`);
  return partial;
}

/** One and the same: what was written in a shape is known by it. */
const mapShape: Shape = {};
const ownShape = ({ custom, schema }: ResourceDefinition): Shape => (custom ? mapShape : (schema as Shape));

/** The shape of what is written: custom resources are maps, whose keys are sorted at every depth; all else are structs. */
function shapeOf({ type }: Answer, call: Call, { representation, includeObject }: Presentation): Shape {
  const { resource, subresource } = call;
  const own = ownShape(resource);
  const list = type === 'list';
  switch (representation.as) {
    case 'Table':
      return tableShape(includeObject === 'Object' ? own : partialShape);
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      return list ? listShape(partialShape) : partialShape;
    case undefined:
      if (subresource === 'scale') return composedShape;
      return list && !resource.custom ? listShape(own) : own;
  }
}

const statusShape: Shape = { asMade: true };

function encoded(object: JsonObject, shape: Shape, { representation, pretty }: Presentation): string | Uint8Array {
  if (representation.format === 'protobuf') return protobufOf(object);
  const form = { shape: object['kind'] === 'Status' ? statusShape : shape, pretty };
  if (isPlain({ representation, pretty })) return `${objectText(object, form.shape)}\n`;
  if (representation.format === 'json') return encodeJson(object, form);
  const written = decodeJson(encodeJson(object, form));
  return encodeYaml(written.ok ? written.value : object);
}

const isInitialEnd = (object: JsonObject): boolean =>
  objectIfIn(objectIfIn(object, 'metadata') ?? {}, 'annotations')?.['k8s.io/initial-events-end'] === 'true';

function eventAs(
  { type, object }: WatchEvent,
  call: Call,
  presentation: Presentation & { first: boolean },
): JsonObject {
  if (type === 'ERROR') return object;
  const { as, asVersion = 'v1' } = presentation.representation;
  if (as === 'Table') {
    // The mark of a bookmark is in the metadata of its row, so that every client gets that one.
    const { includeObject } = presentation;
    const marked = type === 'BOOKMARK' && includeObject === 'None' && isInitialEnd(object) ? 'Metadata' : includeObject;
    return tableFor(call, [object], { ...presentation, includeObject: marked, headers: presentation.first });
  }
  if (as === undefined) return object;
  const metadata = (object['metadata'] ?? {}) as Json;
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${asVersion}`, metadata };
}

interface Stream {
  readonly call: Call;
  readonly presentation: Presentation;
  readonly shape: Shape;
}

async function* frames(
  events: AsyncIterable<WatchEvent>,
  { call, presentation, shape }: Stream,
): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const event of events) {
    const object = eventAs(event, call, { ...presentation, first });
    first = false;
    if (presentation.representation.format === 'protobuf') {
      yield sharedFrame({ type: event.type, object }, protobufFrame);
      continue;
    }
    yield eventLine({ type: event.type, object }, event.type === 'ERROR' ? statusShape : shape);
  }
}

/** The media type of a watch: of JSON it does not say that it is a stream. */
function streamType({ representation }: Presentation): string {
  const { format, contentType } = representation;
  return format === 'protobuf' ? `${contentType};stream=watch` : contentType;
}

/** Objects as they are, in one line: most answers. */
const isPlain = ({ representation, pretty }: Pick<Presentation, 'representation' | 'pretty'>): boolean =>
  representation.format === 'json' && representation.as === undefined && !pretty;

function plainList({ list, objects }: Extract<Answer, { type: 'list' }>, { resource }: Call, shape: Shape): string {
  const { kind, custom } = resource;
  // Items of built-in kinds leave out what the list says of them.
  const prefix = custom ? '' : `{"kind":${JSON.stringify(kind)},"apiVersion":"${apiVersionOf(resource)}",`;
  return `${listText(list, shape, { objects, shape: ownShape(resource), prefix })}\n`;
}

/** The response that carries an answer. */
export function respond(answer: Answer, call: Call, presentation: Presentation): ServerResponse {
  const { contentType } = presentation.representation;
  const { warnings } = answer;
  const shape = shapeOf(answer, call, presentation);
  if (answer.type === 'watch') {
    const empty = textResponse('', { status: 200, warnings, headers: { 'content-type': streamType(presentation) } });
    return { ...empty, body: frames(answer.events, { call, presentation, shape }), whole: undefined };
  }
  const plain = answer.type === 'list' && isPlain(presentation) ? plainList(answer, call, shape) : undefined;
  const shown =
    answer.type === 'list' ? listAs(answer.list, call, presentation) : objectAs(answer.object, call, presentation);
  return textResponse(plain ?? encoded(shown, shape, presentation), {
    status: answer.type === 'object' ? answer.code : 200,
    warnings,
    headers: { 'content-type': contentType },
  });
}

/** What the server composed itself. */
function documentIn(format: Representation['format'], object: JsonObject, pretty: boolean): string | Uint8Array {
  if (format === 'protobuf') return protobufOf(object);
  return format === 'yaml' ? encodeYaml(object) : encodeJson(object, { pretty });
}

/** A document the server composes itself, in the form the client accepts. */
export function respondDocument(object: JsonObject, { query, headers }: Asking): ServerResponse {
  const representation = negotiate(headers['accept'], { forms: false });
  if (representation === undefined) throw notAcceptable(unsupportedFormText(objectTypes));
  const { format, contentType } = representation;
  const pretty = representation.pretty || isForPeople(query, headers['user-agent'] ?? '');
  return textResponse(documentIn(format, object, pretty), { status: 200, headers: { 'content-type': contentType } });
}

/** The response that carries a refusal, in the form the client accepts; indented JSON if it accepts none. */
export function respondError(error: StatusError, { query, headers }: Asking): ServerResponse {
  const retry = error.details?.retryAfterSeconds;
  const representation = negotiate(headers['accept'], { forms: false });
  const pretty =
    representation === undefined || representation.pretty || isForPeople(query, headers['user-agent'] ?? '');
  return textResponse(documentIn(representation?.format ?? 'json', error.status, pretty), {
    status: error.code,
    warnings: error.warnings,
    headers: {
      'content-type': representation?.contentType ?? 'application/json',
      ...(retry !== undefined && { 'retry-after': String(retry) }),
    },
  });
}
