import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import type { JsonObject } from 'kilter/api';
import type { CertificateSubject } from '../auth/index.ts';
import { encodeJson } from '../wire/index.ts';

/** One request, whether it came through a socket or a call. */
export interface ServerRequest {
  readonly method: string;
  /** Including the query: `/api/v1/pods?limit=1`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that came more than once, with separate values; `headers` has them joined. */
  readonly repeated?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly body?: Uint8Array | undefined;
  /** Aborted when the client goes away: it ends watches and waits. */
  readonly signal: AbortSignal;
  /** A client certificate that the transport has verified or rejected. */
  readonly certificate?: CertificateSubject | 'rejected' | undefined;
  /** Whether the connection can be handed over to the protocol that the request wants to upgrade to. */
  readonly upgradable?: boolean | undefined;
}

/** The answer to one request. */
export interface ServerResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** One header each on the wire; `headers` has them joined, as HTTP allows. */
  readonly warnings: readonly string[];
  /** Ends with the answer; for a watch, with the watch. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The same bytes, if the answer is complete. */
  readonly whole?: Uint8Array | undefined;
  /** For an answer 101: speaks the other protocol until its end. */
  readonly takeOver?: ((socket: Socket) => Promise<void>) | undefined;
}

/** The connection broke before an answer came: a fault that was asked for. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** A body that is known from its first to its last byte. */
export function wholeBody(bytes: Uint8Array): Required<Pick<ServerResponse, 'body' | 'whole'>> {
  return { body: once(bytes), whole: bytes };
}

/** A warning as the header has it; line breaks would break the header, and one with other control characters is not sent. */
export function warningHeader(text: string): string {
  return `299 - "${text.replace(/[\r\n]+/g, ' ').replace(/[\\"]/g, '\\$&')}"`;
}

/** Beyond so many characters of warnings in all, each is cut. */
const mostWarned = 4 * 1024;
const cutTo = 256;

/** The warnings as headers: each once, what cannot be a header left out; all cut where they are too long together, and then no more than fit. */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)].filter((text) => text !== '').map((text) => [...text]);
  const asHeader = (text: readonly string[]): string => warningHeader(text.join(''));
  const isSent = (header: string): boolean => !/\p{Cc}/u.test(header);
  const sum = (lengths: readonly string[][]): number => lengths.reduce((total, { length }) => total + length, 0);
  if (sum(texts) <= mostWarned) return texts.map(asHeader).filter(isSent);
  let room = mostWarned;
  const fitting = texts.map((text) => text.slice(0, cutTo)).filter(({ length }) => (room -= length) + length > 0);
  return fitting.map(asHeader).filter(isSent);
}

export interface TextResponse {
  readonly status: number;
  /** Laid over those of a plain text; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly warnings?: readonly string[];
}

/** An answer that is complete. */
export function textResponse(
  text: string | Uint8Array,
  { status, headers = {}, warnings = [] }: TextResponse,
): ServerResponse {
  const distinct = warningHeaders(warnings);
  const all: Record<string, string | undefined> = {
    'cache-control': 'no-cache, private',
    'content-type': 'text/plain; charset=utf-8',
    ...(distinct.length > 0 && { warning: distinct.join(', ') }),
    ...headers,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    status,
    headers: Object.fromEntries(given),
    warnings: distinct,
    ...wholeBody(typeof text === 'string' ? Buffer.from(text) : text),
  };
}

/** The connection goes on in another protocol. */
export function upgradeResponse(
  headers: Readonly<Record<string, string>>,
  takeOver: (socket: Socket) => Promise<void>,
): ServerResponse {
  return { ...textResponse('', { status: 101, headers: { 'content-type': undefined, ...headers } }), takeOver };
}

/** An answer with a body of JSON. */
export function jsonResponse(object: JsonObject, response: TextResponse): ServerResponse {
  const headers = { 'content-type': 'application/json', ...response.headers };
  return textResponse(encodeJson(object), { ...response, headers });
}

/** What is said of a request that is not HTTP. */
export function malformed(): ServerResponse {
  return textResponse('400 Bad Request', { status: 400, headers: { 'cache-control': undefined } });
}

/** What the server says of paths that lead nowhere. */
export function pageNotFound(): ServerResponse {
  return textResponse('404 page not found\n', { status: 404, headers: { 'x-content-type-options': 'nosniff' } });
}
