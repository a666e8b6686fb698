import { Buffer } from 'node:buffer';
import type { JsonObject } from 'kilter/api';
import type { CertificateSubject } from '../auth/index.ts';
import { encodeJson } from '../wire/index.ts';

/** One request, whether it came by a socket or by a call. */
export interface ServerRequest {
  readonly method: string;
  /** With its query: `/api/v1/pods?limit=1`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** Aborted when the client goes away: it ends watches and waits. */
  readonly signal: AbortSignal;
  /** A client certificate that the transport has verified, or found wanting. */
  readonly certificate?: CertificateSubject | 'rejected' | undefined;
}

export interface ServerResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** One header each on the wire; `headers` has them joined, as HTTP allows. */
  readonly warnings: readonly string[];
  /** Ends with the answer; of a watch, with the watch. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The same bytes, where the answer is complete. */
  readonly whole?: Uint8Array | undefined;
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

/** A warning as the header has it; line breaks would break the header. */
export function warningHeader(text: string): string {
  return `299 - "${text.replace(/[\r\n]+/g, ' ').replace(/[\\"]/g, '\\$&')}"`;
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
  const distinct = [...new Set(warnings)].map(warningHeader);
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

export function jsonResponse(object: JsonObject, response: TextResponse): ServerResponse {
  const headers = { 'content-type': 'application/json', ...response.headers };
  return textResponse(encodeJson(object), { ...response, headers });
}

/** What the server says of paths that lead nowhere. */
export function pageNotFound(): ServerResponse {
  return textResponse('404 page not found\n', { status: 404, headers: { 'x-content-type-options': 'nosniff' } });
}
