import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse as Http1Response } from 'node:http';
import { constants, type Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { TLSSocket } from 'node:tls';
import { ConnectionLost, type ServerRequest, type ServerResponse } from './message.ts';

export type Handle = (request: ServerRequest) => Promise<ServerResponse>;

/** A request as a socket brings it, of either version of HTTP. */
export type Incoming = IncomingMessage | Http2ServerRequest;
export type Outgoing = Http1Response | Http2ServerResponse;

/** More than the server will read: one byte above its limit is enough to know. */
const maxRead = 3_145_729;

async function bodyOf(incoming: Incoming): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    if (size < maxRead) chunks.push(chunk);
    size += chunk.byteLength;
  }
  return size === 0 ? undefined : Buffer.concat(chunks);
}

/** The subject of a client certificate; `rejected` if the authority of clients did not sign it. */
function certificateOf({ socket }: Incoming): ServerRequest['certificate'] {
  if (!(socket instanceof TLSSocket)) return undefined;
  const subject = socket.getPeerCertificate()?.subject as { CN?: string; O?: string | string[] } | undefined;
  if (subject === undefined) return undefined;
  if (!socket.authorized || subject.CN === undefined) return 'rejected';
  return { commonName: subject.CN, organizations: subject.O === undefined ? [] : [subject.O].flat() };
}

/** Those of the request itself: what HTTP/2 writes as pseudo-headers is not among them, but for the host. */
function headersOf({ headers }: Incoming): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name.startsWith(':') ? [] : [[name, [value].flat().join(', ')] as const],
  );
  const authority = headers[':authority'];
  return { ...(typeof authority === 'string' && { host: authority }), ...Object.fromEntries(entries) };
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

/** How long a client may leave its socket full before it is cut off: watches must not wait for the dead. */
const stalledMs = 60_000;

async function write(outgoing: Outgoing, chunk: Uint8Array): Promise<void> {
  if ((outgoing as Http1Response).write(chunk)) return;
  outgoing.setTimeout(stalledMs);
  await drained(outgoing);
  outgoing.setTimeout(0);
}

async function send(outgoing: Outgoing, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const { status, headers, warnings, body, whole } = response;
  outgoing.statusCode = status;
  // Each reason to vary is a header of its own.
  for (const [name, value] of Object.entries(headers))
    outgoing.setHeader(name, name === 'vary' ? value.split(', ') : value);
  if (warnings.length > 0) outgoing.setHeader('warning', warnings);
  outgoing.on('timeout', () => outgoing.destroy());
  if (whole !== undefined) {
    if (whole.byteLength > 0) outgoing.setHeader('content-length', String(whole.byteLength));
    outgoing.end(whole);
    return;
  }
  // A watch answers at once, though its first event may be far away.
  (outgoing as Http1Response).flushHeaders();
  for await (const chunk of body) {
    if (signal.aborted) break;
    await write(outgoing, chunk);
  }
  outgoing.end();
}

/** Ends an exchange without an answer: its connection breaks; where others share the connection, its stream. */
function breakOff(outgoing: Outgoing, error: unknown): void {
  if (outgoing instanceof Http2ServerResponse) outgoing.stream?.close(constants.NGHTTP2_INTERNAL_ERROR);
  else outgoing.destroy(error instanceof ConnectionLost ? undefined : (error as Error));
}

/** One request from a socket to its answer. */
export async function exchange(handle: Handle, incoming: Incoming, outgoing: Outgoing): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  try {
    const body = await bodyOf(incoming);
    const request: ServerRequest = {
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: headersOf(incoming),
      body,
      signal: gone.signal,
      certificate: certificateOf(incoming),
    };
    await send(outgoing, await handle(request), gone.signal);
  } catch (error) {
    // Nothing can be answered any more: the connection was lost by itself, or by a fault that was asked for.
    breakOff(outgoing, error);
  }
}
