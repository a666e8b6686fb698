// Test support, run as its own process: an HTTPS server that misbehaves on command and counts what it sees.
import { on, once } from 'node:events';
import { createServer as createHttp1Server } from 'node:https';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { rawServer } from './raw-http2-server.test-support.ts';
import type { FaultCommand, FaultServerOptions, FaultServerStats, SeenRequest } from './fault-server.test-support.ts';

/** What a handler can do with one request, over either protocol. */
interface Call {
  readonly seen: SeenRequest;
  readonly body: Promise<string>;
  answer(status: number, headers: Record<string, string>, body: string | Buffer): void;
  /** Begins an answer that continues. */
  begin(): (text: string | Buffer, end?: boolean) => void;
  reset(): void;
}

const connections = new Map<Socket, number>();
const sessions = new Set<ServerHttp2Session>();
const seen: SeenRequest[] = [];
/** What writes to each open watch. */
const watches = new Set<(text: string | Buffer, end?: boolean) => void>();
const held: (() => void)[] = [];
/** Streams ended by the client, with their codes. */
const resets: number[] = [];
let total = 0;
let token: string | undefined;
/** Every connection is reset as soon as it is made. */
let outage = false;

async function handle(call: Call): Promise<void> {
  const { path } = call.seen;
  const url = new URL(path, 'https://h');
  const number = (name: string): number => Number(url.searchParams.get(name) ?? '0');
  if (token !== undefined && call.seen.headers['authorization'] !== `Bearer ${token}`) {
    call.answer(
      401,
      { 'content-type': 'application/json' },
      JSON.stringify({ kind: 'Status', code: 401, reason: 'Unauthorized' }),
    );
    return;
  }
  switch (url.pathname) {
    case '/watch': {
      const write = call.begin();
      watches.add(write);
      if (url.searchParams.has('text')) write(Buffer.from(url.searchParams.get('text') ?? '', 'base64'));
      return;
    }
    case '/hold':
      held.push(() => call.answer(200, {}, '{"held":true}'));
      return;
    case '/silent':
      return;
    case '/slow-body':
      call.begin()('{"half":');
      return;
    case '/reset':
      call.reset();
      return;
    case '/list': {
      const text = JSON.stringify({ kind: 'List', padding: 'x'.repeat(number('size')) });
      const zipped =
        (call.seen.headers['accept-encoding'] ?? '').includes('gzip') && url.searchParams.get('zip') !== 'no';
      const cut = number('cut');
      const bytes = zipped ? gzipSync(text) : Buffer.from(text);
      call.answer(
        number('status') || 200,
        zipped ? { 'content-encoding': 'gzip' } : {},
        cut > 0 ? bytes.subarray(0, cut) : bytes,
      );
      return;
    }
    case '/encoded':
      call.answer(200, { 'content-encoding': url.searchParams.get('as') ?? '' }, 'garbage');
      return;
    case '/html':
      call.answer(502, { 'content-type': 'text/html' }, `<html>${'x'.repeat(number('size'))}</html>`);
      return;
    case '/status':
      call.answer(number('code'), { 'retry-after': url.searchParams.get('after') ?? '' }, '{"kind":"Status"}');
      return;
    default:
  }
  call.answer(200, { 'content-type': 'application/json' }, JSON.stringify({ ...call.seen, body: await call.body }));
}

function record(
  socket: Socket,
  request: { method: string; path: string; protocol: string; headers: object },
): SeenRequest {
  const connection =
    connections.get(socket) ?? [...connections].find(([known]) => known.remotePort === socket.remotePort)?.[1] ?? 0;
  const entry = { ...request, connection, headers: request.headers as Record<string, string> };
  seen.push(entry);
  return entry;
}

async function textOf(readable: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readable) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
const ignore = (): void => undefined;

function http2Call(stream: ServerHttp2Stream, headers: Record<string, unknown>): Call {
  const socket = stream.session?.socket as Socket;
  stream.on('error', ignore);
  stream.once('close', () => {
    if ((stream.rstCode ?? 0) !== 0) resets.push(stream.rstCode ?? 0);
  });
  const fields = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
  return {
    seen: record(socket, {
      method: String(headers[':method']),
      path: String(headers[':path']),
      protocol: 'h2',
      headers: fields,
    }),
    body: textOf(stream as AsyncIterable<Buffer>),
    answer: (status, answered, body) => {
      if (stream.destroyed) return;
      stream.respond({ ':status': status, ...answered });
      stream.end(body);
    },
    begin: () => {
      stream.respond({ ':status': 200 });
      const write = (text: string | Buffer, end?: boolean): void =>
        void (stream.destroyed || (end === true ? stream.end(text) : stream.write(text)));
      stream.once('close', () => watches.delete(write));
      return write;
    },
    reset: () => resetAll(),
  };
}

function http1Call(incoming: IncomingMessage, outgoing: ServerResponse): Call {
  const { method = '', url = '', socket, rawHeaders, headers } = incoming;
  const repeated = rawHeaders.filter(
    (_, index) =>
      index % 2 === 0 && rawHeaders.filter((name, at) => at % 2 === 0 && name === rawHeaders[index]).length > 1,
  );
  const all = Object.fromEntries(
    repeated.map((name) => [
      name,
      rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1] === name).join(', '),
    ]),
  );
  return {
    seen: record(socket, { method, path: url, protocol: 'http/1.1', headers: { ...headers, ...all } }),
    body: textOf(incoming),
    answer: (status, answered, body) => void outgoing.writeHead(status, answered).end(body),
    begin: () => {
      outgoing.writeHead(200);
      const write = (text: string | Buffer, end?: boolean): void =>
        void (end === true ? outgoing.end(text) : outgoing.write(text));
      outgoing.flushHeaders();
      outgoing.once('close', () => watches.delete(write));
      return write;
    },
    reset: () => resetAll(),
  };
}

function resetAll(): void {
  for (const [socket] of connections) socket.resetAndDestroy();
}

const onRequest = (incoming: IncomingMessage | Http2ServerRequest, outgoing: unknown): void => {
  if (incoming.httpVersionMajor === 1) void handle(http1Call(incoming as IncomingMessage, outgoing as ServerResponse));
};

type Server = Http2SecureServer | ReturnType<typeof createHttp1Server> | TlsServer;

function makeServer({ cert, key, ca, protocols, maxConcurrentStreams, script }: FaultServerOptions): Server {
  const tls = { cert, key, ...(ca !== undefined && { ca, requestCert: true, rejectUnauthorized: true }) };
  if (script !== undefined) {
    const arrived = (socket: Socket, protocol: string): void =>
      void record(socket, { method: '', path: '', protocol, headers: {} });
    return rawServer({ cert, key }, { script, arrived });
  }
  if (protocols === 'http/1.1') return createHttp1Server(tls, onRequest as RequestListener);
  const server = createSecureServer({
    ...tls,
    allowHTTP1: true,
    settings: { maxConcurrentStreams: maxConcurrentStreams ?? 100 },
    // In MB. Node counts what it had not sent of a cancelled stream until the session ends, and refuses streams at 10.
    maxSessionMemory: 1000,
  });
  server.on('request', onRequest);
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', ignore);
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => void handle(http2Call(stream, headers)));
  return server;
}

function track(server: Server): Server {
  server.on('connection', (socket: Socket) => {
    total += 1;
    socket.on('error', ignore);
    if (outage) {
      socket.resetAndDestroy();
      return;
    }
    connections.set(socket, total);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('secureConnection', (tls: Socket) => {
    tls.on('error', ignore);
  });
  server.on('tlsClientError', ignore);
  return server;
}

const stats = (): FaultServerStats => ({
  connections: total,
  open: connections.size,
  watches: watches.size,
  requests: seen,
  resets,
  held: held.length,
});

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function main(): Promise<void> {
  let server: Server | undefined;
  let port = 0;
  for await (const [message] of on(process, 'message')) {
    const { id, command } = message as { id: number; command: FaultCommand };
    let value: unknown;
    switch (command.type) {
      case 'listen':
        server = track(makeServer(command.options));
        port = await listen(server, command.port ?? 0);
        value = port;
        break;
      case 'stats':
        value = stats();
        break;
      case 'emit':
        for (const write of [...watches]) write(Buffer.from(command.base64, 'base64'), command.end);
        break;
      case 'release':
        for (const answer of held.splice(0)) answer();
        break;
      case 'goaway':
        // One that the client has just left is still here until its socket has closed.
        for (const session of sessions) if (!session.destroyed) session.goaway(0);
        break;
      case 'reset':
        resetAll();
        break;
      case 'outage':
        outage = command.on;
        if (outage) resetAll();
        break;
      case 'token':
        token = command.token;
        break;
      case 'certificate':
        server?.setSecureContext(command);
        break;
    }
    process.send?.({ id, value });
  }
}

// A server without its test is nobody's.
void once(process, 'disconnect').then(() => process.exit());
void main();
