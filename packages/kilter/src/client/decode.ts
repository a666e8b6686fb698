import { apiVersionOf, type KindName, type KubeObject, withoutNulls } from '../api/index.ts';
import { ApiError, KilterError } from '../errors/index.ts';
import { type ApiRequest, type ApiResponse, noObject, statusOf, webPageInstead } from '../transport/index.ts';
import type { Change, ListPage } from './answers.ts';

export type JsonFields = Readonly<Record<string, unknown>>;
type Asked = Pick<ApiRequest, 'method' | 'path'>;

const isFields = (value: unknown): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): JsonFields => (isFields(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The JSON object of an answer. */
export function decodeFields(response: Pick<ApiResponse, 'text'>, request: Asked): JsonFields {
  let value: unknown;
  try {
    value = JSON.parse(response.text);
  } catch {
    // The parser quotes what it read, which may be a Secret.
    throw noObject(response, request);
  }
  if (!isFields(value)) throw noObject(response, request);
  return value;
}

export interface Expected {
  readonly kind: KindName;
  /** Metadata alone was asked for: it comes under its own kind, and is known by the object's. */
  readonly metadataOnly?: boolean | undefined;
}

/**
 * With apiVersion and kind, which lists of built-in kinds leave out, and without the nulls that Go writes for empty lists.
 * Everything else is as the server sent it.
 */
export function typed<T extends KubeObject>(fields: JsonFields, { kind, metadataOnly }: Expected): T {
  const names = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  if (metadataOnly === true) return { ...fields, ...names } as unknown as T;
  return withoutNulls({ ...names, ...fields }) as unknown as T;
}

export function decodePage<T extends KubeObject>(fields: JsonFields, request: Asked, expected: Expected): ListPage<T> {
  const { resourceVersion, continue: token } = fieldsOf(fields.metadata);
  const items = fields.items ?? [];
  if (!Array.isArray(items)) {
    throw new KilterError('CLIENT_UNEXPECTED_ANSWER', `${request.method} ${request.path}: the answer is not a list`);
  }
  return {
    items: items.map((item) => typed<T>(fieldsOf(item), expected)),
    resourceVersion: textOf(resourceVersion),
    continue: textOf(token) === '' ? undefined : textOf(token),
  };
}

const initialEventsEnd = 'k8s.io/initial-events-end';

function bookmarkOf<T extends KubeObject>(object: JsonFields): Change<T> {
  const { resourceVersion, annotations } = fieldsOf(object.metadata);
  return {
    type: 'BOOKMARK',
    resourceVersion: textOf(resourceVersion),
    initialEventsEnd: fieldsOf(annotations)[initialEventsEnd] === 'true',
  };
}

function parseLine(line: string): JsonFields {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    // Without the parser's message, which quotes the line.
    if (line.trimStart().startsWith('<')) throw webPageInstead();
    throw new KilterError('TRANSPORT_STREAM_MALFORMED', `a line of ${line.length} characters is not JSON`);
  }
}

/**
 * One line of a watch. An ERROR is thrown as what it is; a line that is JSON and yet no event gives its type, to be
 * counted and passed over.
 */
export function decodeChange<T extends KubeObject>(
  line: string,
  request: Asked,
  expected: Expected,
): Change<T> | { readonly unusable: string } {
  const { type, object } = parseLine(line);
  if (type === 'ERROR') throw new ApiError(statusOf(object, { code: 500 }), request);
  if (!isFields(object)) return { unusable: `${textOf(type) || 'an event'} without an object` };
  if (type === 'BOOKMARK') return bookmarkOf(object);
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return { unusable: `type ${textOf(type)}` };
  return { type, object: typed<T>(object, expected) };
}
