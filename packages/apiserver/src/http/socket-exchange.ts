import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse as Http1Response } from 'node:http';
import { constants, type Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import { setField } from '../values/index.ts';
import { ConnectionLost, type ServerRequest, type ServerResponse } from './message.ts';

export type Handle = (request: ServerRequest) => Promise<ServerResponse>;

/** A request as a socket brings it, of either version of HTTP. */
export type Incoming = IncomingMessage | Http2ServerRequest;
export type Outgoing = Http1Response | Http2ServerResponse;

/** More than the server will read: one byte above its limit is enough to know. */
const maxRead = 3_145_729;

/** The body, or as much of one that is too long as it takes to know that. */
function bodyOf(incoming: Incoming): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    let complete = false;
    const finish = (): void => {
      complete = true;
      resolve(joined(chunks));
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size < maxRead) return;
      incoming.off('data', take);
      discardRest(incoming);
      finish();
    };
    incoming.on('data', take);
    incoming.once('end', finish);
    incoming.once('error', reject);
    incoming.once('close', () => {
      // Every request closes in the end: an error is only made where somebody receives it.
      if (!complete) reject(new ConnectionLost('the client hung up before its body was complete'));
    });
  });
}

/** Most bodies come in one piece, which need not be copied. */
function joined(chunks: readonly Uint8Array[]): Uint8Array | undefined {
  return chunks.length > 1 ? Buffer.concat(chunks) : chunks[0];
}

/** What a client may go on sending after it was refused, so that it gets to read the answer. */
const maxDiscarded = 16 * 1024 * 1024;

function discardRest(incoming: Incoming): void {
  let left = maxDiscarded;
  incoming.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) incoming.destroy();
  });
}

/** What each connection has shown: it is read once, not with every request of the connection. */
const certificates = new WeakMap<object, { readonly shown: ServerRequest['certificate'] }>();

function certificateOf(incoming: Incoming): ServerRequest['certificate'] {
  const session = 'stream' in incoming ? incoming.stream.session : undefined;
  // Of a stream that is gone already nobody reads the answer.
  if ('stream' in incoming && (session === undefined || session.destroyed)) return undefined;
  const connection = session ?? incoming.socket;
  const known = certificates.get(connection);
  if (known !== undefined) return known.shown;
  const socket = session?.socket ?? incoming.socket;
  const shown = socket instanceof TLSSocket ? shownOn(socket) : undefined;
  certificates.set(connection, { shown });
  return shown;
}

/** The subject of a client certificate; `rejected` if the authority of clients did not sign it. */
function shownOn(socket: TLSSocket): ServerRequest['certificate'] {
  // Empty where the client shows none, null where it is gone already.
  const shown = (socket.getPeerCertificate() ?? {}) as Partial<PeerCertificate>;
  const { subject, fingerprint256 = '' } = shown;
  if (subject === undefined) return undefined;
  if (!socket.authorized) return 'rejected';
  const { CN: name, O: groups } = subject as { CN?: string; O?: string | string[] };
  // It is good, but does not say who shows it.
  if (name === undefined || name === '') return undefined;
  const fingerprint = fingerprint256.replaceAll(':', '').toLowerCase();
  return { commonName: name, organizations: groups === undefined ? [] : [groups].flat(), fingerprint };
}

/** Those of the request itself: what HTTP/2 writes as pseudo-headers is not among them, but for the host. */
function headersOf({ headers }: Incoming): Record<string, string> {
  const own: Record<string, string> = {};
  const authority = headers[':authority'];
  if (typeof authority === 'string') own['host'] = authority;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined && !name.startsWith(':')) setField(own, name, textOf(value));
  }
  return own;
}

const textOf = (value: string | string[]): string => (typeof value === 'string' ? value : value.join(', '));

/** Headers that came more than once, each value by itself: Node joins them where HTTP lets it. */
function repeatedOf({ rawHeaders }: Incoming): Record<string, string[]> {
  const byName = new Map<string, string[]>();
  let repeats = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const before = byName.get(name);
    if (before === undefined) byName.set(name, [value]);
    else {
      before.push(value);
      repeats = true;
    }
  }
  return repeats ? Object.fromEntries([...byName].filter(([, values]) => values.length > 1)) : {};
}

/** Resolves when the socket takes more, or is gone. */
function drained(outgoing: Outgoing): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}

/** How long a client may leave its socket full before it is cut off: nothing waits for the dead, nor is kept for them. */
export const defaultStalledMs = 60_000;

/** Less than this the socket takes at once, whether anybody reads it or not. */
const alwaysFits = 16 * 1024;

/** Before the last bytes are sent: they are let go of if nobody reads. */
function limitStall(outgoing: Outgoing, whole: Uint8Array, stalledMs: number): void {
  if (whole.byteLength <= alwaysFits) return;
  outgoing.setTimeout(stalledMs);
  // A connection may stay open without a word after the answer.
  outgoing.once('finish', () => outgoing.setTimeout(0));
}

async function write(outgoing: Outgoing, chunk: Uint8Array, stalledMs: number): Promise<void> {
  if ((outgoing as Http1Response).write(chunk)) return;
  outgoing.setTimeout(stalledMs);
  await drained(outgoing);
  outgoing.setTimeout(0);
}

/** Headers are bytes to Node, one for each character: texts go out in UTF-8, as Go writes them. */
const inBytes = (text: string): string =>
  beyondAscii.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;

const beyondAscii = /[^ -~]/;

/** Each reason to vary is its own header. */
const valueOf = (name: string, value: string): string | string[] =>
  name === 'vary' ? value.split(', ') : inBytes(value);

/** Straight to the stream: what Node lays over HTTP/2 for users of HTTP/1.1 costs half of what it takes to send a small answer. */
function respondWhole(
  outgoing: Http2ServerResponse,
  { status, headers, warnings }: ServerResponse,
  { whole, stalledMs }: { readonly whole: Uint8Array; readonly stalledMs: number },
): void {
  const { stream } = outgoing;
  // The client is gone: nobody reads the answer.
  if (stream === undefined || stream.destroyed || stream.closed) return;
  const sent: Record<string, number | string | string[]> = { ':status': status };
  for (const name of Object.keys(headers)) sent[name] = valueOf(name, headers[name] ?? '');
  if (warnings.length > 0) sent['warning'] = warnings.map(inBytes);
  if (whole.byteLength > 0) sent['content-length'] = String(whole.byteLength);
  const isBare = whole.byteLength === 0 || outgoing.req.method === 'HEAD';
  stream.respond(sent, { endStream: isBare });
  if (isBare) return;
  limitStall(outgoing, whole, stalledMs);
  stream.end(whole);
}

export interface Sending {
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly stalledMs: number;
}

export async function send(
  outgoing: Outgoing,
  response: ServerResponse,
  { signal, stalledMs }: Sending,
): Promise<void> {
  const { status, headers, warnings, body, whole } = response;
  outgoing.on('timeout', () => outgoing.destroy());
  if (whole !== undefined && outgoing instanceof Http2ServerResponse) {
    respondWhole(outgoing, response, { whole, stalledMs });
    return;
  }
  outgoing.statusCode = status;
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, valueOf(name, value));
  if (warnings.length > 0) outgoing.setHeader('warning', warnings.map(inBytes));
  if (whole !== undefined) {
    if (whole.byteLength > 0) outgoing.setHeader('content-length', String(whole.byteLength));
    limitStall(outgoing, whole, stalledMs);
    outgoing.end(whole);
    return;
  }
  // A watch answers at once, though its first event may be far away.
  (outgoing as Http1Response).flushHeaders();
  for await (const chunk of body) {
    if (signal.aborted) break;
    await write(outgoing, chunk, stalledMs);
  }
  outgoing.end();
}

/** Ends an exchange without an answer: its connection breaks; where others share the connection, its stream. */
function breakOff(outgoing: Outgoing, error: unknown): void {
  if (outgoing instanceof Http2ServerResponse) outgoing.stream?.close(constants.NGHTTP2_INTERNAL_ERROR);
  else outgoing.destroy(error instanceof ConnectionLost ? undefined : (error as Error));
}

export function requestOf(incoming: Incoming, body: Uint8Array | undefined, signal: AbortSignal): ServerRequest {
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: headersOf(incoming),
    repeated: repeatedOf(incoming),
    body,
    signal,
    certificate: certificateOf(incoming),
  };
}

const closed = 'the exchange is over';

export interface ExchangeOptions {
  readonly handle: Handle;
  readonly stalledMs: number;
}

/** One request from a socket to its answer. */
export async function exchange(
  { handle, stalledMs }: ExchangeOptions,
  incoming: Incoming,
  outgoing: Outgoing,
): Promise<void> {
  const gone = new AbortController();
  // Nobody reads why: without a reason of ours an error with a stack would be made for every request.
  outgoing.on('close', () => gone.abort(closed));
  try {
    const request = requestOf(incoming, await bodyOf(incoming), gone.signal);
    await send(outgoing, await handle(request), { signal: gone.signal, stalledMs });
  } catch (error) {
    // Nothing can be answered any more: the connection was lost by itself, or by a fault that was asked for.
    breakOff(outgoing, error);
  }
}
