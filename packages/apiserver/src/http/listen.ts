import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server as PlainServer,
  type ServerOptions as HttpServerOptions,
} from 'node:http';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { defaultStalledMs, exchange, type Handle, type Incoming, type Outgoing } from './socket-exchange.ts';
import { isStreamUpgrade, upgrade } from './upgrade.ts';

/** The options of a server on a socket. */
export interface ListenOptions {
  /** Default: 127.0.0.1, because everybody may do everything on this server. */
  readonly host?: string | undefined;
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** PEM; without certificate and key the server speaks plain HTTP/1.1. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /**
   * PEM of the authority whose client certificates name users: CN is the name, each O a group. Without one, no client
   * certificates are requested.
   */
  readonly clientCa?: string | undefined;
  /** The protocols that TLS offers; clients that name neither get HTTP/1.1. Default: both, HTTP/2 first. */
  readonly protocols?: readonly Protocol[] | undefined;
  /**
   * The maximum number of concurrent requests on one HTTP/2 connection, including watches. Default: 100, as in
   * kube-apiserver.
   */
  readonly maxStreams?: number | undefined;
  /**
   * How many milliseconds a client may leave its socket full before it is disconnected, so that no watch or large
   * answer is kept for a client that never reads. Default: 60,000. Lower it in tests of such clients.
   */
  readonly stalledMs?: number | undefined;
  /**
   * Whether requests may be upgraded to WebSockets, over HTTP/1.1. Default: false, so that upgrade requests are
   * ignored.
   */
  readonly upgrades?: boolean | undefined;
}

/** The protocols, by their ALPN names. */
export type Protocol = 'h2' | 'http/1.1';

/** A server on a socket, until it is closed. */
export interface Listener {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Connections as the server sees them. */
  readonly connections: { readonly open: number; readonly accepted: number };
  /** Asks the clients of all HTTP/2 connections to open new ones (GOAWAY); running requests continue to their end. */
  goAway(): void;
  /** Ends all connections, watches included. */
  close(): Promise<void>;
}

type Serve = (incoming: Incoming, outgoing: Outgoing) => void;
type Server = PlainServer | Http2SecureServer;

const defaultMaxStreams = 100;
// As Go reads them: tokens and selectors can be long.
const maxHeaderSize = 1024 * 1024;
// As kube-apiserver has it: 99 % of all objects fit into one.
const uploadWindow = 256 * 1024;
// Node counts what waits to be sent against this (in MB) and refuses streams above it; kube-apiserver has no such limit.
const maxSessionMemory = 4096;

function startFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  const cure = 'stop what listens there, choose another port, or leave the port out to get a free one';
  return new Error(`port ${port} of ${host} is already in use: ${cure}`, { cause: error });
}

// Without it Node would take the body of a request that offers some other upgrade for the beginning of that protocol, and hang up where nobody
// takes upgrades. Over TLS nobody offers any.
const passingOver = ({ upgrades = false }: ListenOptions): HttpServerOptions => ({
  shouldUpgradeCallback: (incoming) => upgrades && isStreamUpgrade(incoming),
});

function makeServer(options: ListenOptions, serve: Serve): Server {
  const { cert, key, clientCa, protocols = ['h2', 'http/1.1'], maxStreams = defaultMaxStreams } = options;
  if (cert === undefined || key === undefined)
    return createPlainServer({ maxHeaderSize, ...passingOver(options) }, serve);
  const asks = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: false };
  const settings = {
    maxConcurrentStreams: maxStreams,
    initialWindowSize: uploadWindow,
    maxFrameSize: uploadWindow,
    maxHeaderListSize: maxHeaderSize,
  };
  const tls = { cert, key, maxHeaderSize, ...asks };
  if (!protocols.includes('h2')) return createTlsServer(tls, serve);
  const allowHTTP1 = protocols.includes('http/1.1');
  return createSecureServer({ ...tls, allowHTTP1, settings, maxSessionMemory }, serve);
}

/** What is open on a server, so that all of it can be ended. */
class Connections {
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  accepted = 0;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.accepted += 1;
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
  }

  get open(): number {
    return this.#sockets.size;
  }

  goAway(): void {
    for (const session of this.#sessions) session.close();
  }

  destroy(): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Serves a handler on a socket. */
export function listen(handle: Handle, options: ListenOptions = {}): Promise<Listener> {
  const { host = '127.0.0.1', port: wanted = 0, stalledMs = defaultStalledMs } = options;
  const exchanging = { handle, stalledMs };
  const server = makeServer(options, (incoming, outgoing) => void exchange(exchanging, incoming, outgoing));
  const connections = new Connections(server);
  if (options.upgrades === true) {
    (server as PlainServer).on('upgrade', (incoming: IncomingMessage, socket, head: Buffer) => {
      void upgrade(handle, incoming, { socket: socket as Socket, head });
    });
  }
  // For the request alone, as long as a call may take: watches stay open without a word for as long as nothing happens.
  (server as PlainServer).requestTimeout = 60_000;
  (server as PlainServer).keepAliveTimeout = 60_000;
  const scheme = options.cert === undefined || options.key === undefined ? 'http' : 'https';
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(startFailure(error, host, wanted)));
    server.listen(wanted, host, () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `${scheme}://${host}:${port}`,
        host,
        port,
        connections,
        goAway: () => connections.goAway(),
        close: () => closed(server, connections),
      });
    });
  });
}

function closed(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    connections.destroy();
  });
}
