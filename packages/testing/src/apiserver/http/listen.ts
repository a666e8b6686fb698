import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server,
  type ServerResponse as NodeResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ConnectionLost, type ServerRequest, type ServerResponse } from './message.ts';

export interface ListenOptions {
  /** Default 127.0.0.1: nobody else shall reach a server where everybody may do everything. */
  readonly host?: string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** PEM; without certificate and key the server speaks plain HTTP. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** PEM of the authority whose client certificates name users. */
  readonly clientCa?: string | undefined;
}

export interface Listener {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Ends all connections, watches included. */
  close(): Promise<void>;
}

type Handle = (request: ServerRequest) => Promise<ServerResponse>;

/** More than the server will read: one byte above its limit is enough to know. */
const maxRead = 3_145_729;

async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    if (size < maxRead) chunks.push(chunk);
    size += chunk.byteLength;
  }
  return size === 0 ? undefined : Buffer.concat(chunks);
}

/** The subject of a client certificate; `rejected` if the authority of clients did not sign it. */
function certificateOf({ socket }: IncomingMessage): ServerRequest['certificate'] {
  if (!(socket instanceof TLSSocket)) return undefined;
  const subject = socket.getPeerCertificate().subject as { CN?: string; O?: string | string[] } | undefined;
  if (subject === undefined) return undefined;
  if (!socket.authorized || subject.CN === undefined) return 'rejected';
  return { commonName: subject.CN, organizations: subject.O === undefined ? [] : [subject.O].flat() };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(entries);
}

/** Resolves when the socket takes more, or is gone. */
function drained(outgoing: NodeResponse): Promise<void> {
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

async function write(outgoing: NodeResponse, chunk: Uint8Array): Promise<void> {
  if (outgoing.write(chunk)) return;
  outgoing.setTimeout(stalledMs);
  await drained(outgoing);
  outgoing.setTimeout(0);
}

async function send(
  outgoing: NodeResponse,
  { status, headers, warnings, body }: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  outgoing.statusCode = status;
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  if (warnings.length > 0) outgoing.setHeader('warning', warnings);
  outgoing.on('timeout', () => outgoing.destroy());
  // A watch answers at once, though its first event may be far away.
  outgoing.flushHeaders();
  for await (const chunk of body) {
    if (signal.aborted) break;
    await write(outgoing, chunk);
  }
  outgoing.end();
}

async function exchange(handle: Handle, incoming: IncomingMessage, outgoing: NodeResponse): Promise<void> {
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
    outgoing.destroy(error instanceof ConnectionLost ? undefined : (error as Error));
  }
}

function startFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  const cure = 'stop what listens there, choose another port, or leave the port out to get a free one';
  return new Error(`port ${port} of ${host} is already in use: ${cure}`, { cause: error });
}

function makeServer(
  { cert, key, clientCa }: ListenOptions,
  serve: (incoming: IncomingMessage, outgoing: NodeResponse) => void,
): Server {
  if (cert === undefined || key === undefined) return createPlainServer(serve);
  const asks = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: false };
  return createTlsServer({ cert, key, ...asks }, serve);
}

/** Serves a handler on a socket. */
export function listen(handle: Handle, options: ListenOptions = {}): Promise<Listener> {
  const { host = '127.0.0.1', port: wanted = 0 } = options;
  const server = makeServer(options, (incoming, outgoing) => void exchange(handle, incoming, outgoing));
  // Watches stay open without a word for as long as nothing happens.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(startFailure(error, host, wanted)));
    server.listen(wanted, host, () => {
      const { port } = server.address() as AddressInfo;
      const scheme = options.cert === undefined || options.key === undefined ? 'http' : 'https';
      resolve({ url: `${scheme}://${host}:${port}`, host, port, close: () => closed(server) });
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
