import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { type ConnectionConfig, credentials, parseServer, type ReadFile } from '../config/index.ts';
import { KilterError } from '../errors/index.ts';
import { type Runtime, systemRuntime } from '../internal/index.ts';
import type { Connection, ExchangeRequest, ExchangeResponse, Session } from './exchange.ts';
import { type BrokenExchange, socketFailure } from './socket-failure.ts';

export interface HttpsConnectionOptions {
  /** Its clock says when a token file is read again. Default: the system's. */
  readonly runtime?: Pick<Runtime, 'clock'> | undefined;
  /** How token files are read. */
  readonly readFile?: ReadFile | undefined;
  /**
   * The most sockets per session. Default: 256 for watches (each holds one as long as it lives, so more watches than
   * this are refused), 16 for requests, which wait for a free one, and 2 for the lease.
   */
  readonly sockets?: Partial<Record<Session, number>> | undefined;
}

const defaultSockets: Readonly<Record<Session, number>> = { watch: 256, default: 16, lease: 2 };
// Idle sockets are closed from this side, well before an API server or a balancer does it in the moment of a write.
const idle = 30_000;

type Agent = HttpAgent | HttpsAgent;

function tlsOptions(config: ConnectionConfig): object {
  const { ca, clientCertificate, clientKey, tlsServerName, insecure } = config;
  try {
    const secureContext = createSecureContext({ ca, cert: clientCertificate, key: clientKey });
    return {
      secureContext,
      rejectUnauthorized: insecure !== true,
      ...(tlsServerName !== undefined && { servername: tlsServerName }),
    };
  } catch (cause) {
    throw new KilterError('TRANSPORT_TLS', 'the authority, client certificate or client key is not usable PEM', {
      cause,
    });
  }
}

function makeAgent(server: URL, config: ConnectionConfig, maxSockets: number): Agent {
  const pool = { keepAlive: true, maxSockets, maxFreeSockets: maxSockets, scheduling: 'lifo', timeout: idle } as const;
  return server.protocol === 'https:' ? new HttpsAgent({ ...pool, ...tlsOptions(config) }) : new HttpAgent(pool);
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** The bytes of an answer; a break is a coded error, and leaving early destroys the socket. */
function bodyOf(incoming: IncomingMessage, broken: () => BrokenExchange): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
      return {
        next: async () => {
          try {
            return await chunks.next();
          } catch (cause) {
            throw socketFailure(broken(), cause);
          }
        },
        return: () => {
          incoming.destroy();
          return Promise.resolve({ done: true, value: undefined });
        },
      };
    },
  };
}

/** Calls back when the request may begin to leave: the moment from which a failure leaves its outcome open. */
function whenConnected(outgoing: ClientRequest, secure: boolean, callback: () => void): void {
  outgoing.once('socket', (socket: Socket) => {
    if (outgoing.reusedSocket) callback();
    else socket.once(secure ? 'secureConnect' : 'connect', callback);
  });
}

class SocketConnection implements Connection {
  readonly namespace: string;
  readonly host: string;
  readonly #server: URL;
  readonly #credentials: ReturnType<typeof credentials>;
  readonly #limits: Readonly<Record<Session, number>>;
  readonly #agents: Readonly<Record<Session, Agent>>;
  /** Requests whose answer is not complete, by session. */
  readonly #open: Readonly<Record<Session, Set<ClientRequest>>> = {
    watch: new Set(),
    default: new Set(),
    lease: new Set(),
  };
  #closed = false;

  constructor(config: ConnectionConfig, options: HttpsConnectionOptions) {
    const server = parseServer(config.server);
    this.#server = server;
    this.namespace = config.namespace;
    this.host = server.host;
    const { clock } = options.runtime ?? systemRuntime;
    this.#credentials = credentials(config, { clock, readFile: options.readFile });
    this.#limits = { ...defaultSockets, ...options.sockets };
    // One pool per session: nothing else delays a renewal.
    this.#agents = {
      watch: makeAgent(server, config, this.#limits.watch),
      default: makeAgent(server, config, this.#limits.default),
      lease: makeAgent(server, config, this.#limits.lease),
    };
  }

  async exchange(request: ExchangeRequest): Promise<ExchangeResponse> {
    const authorization = await this.#credentials.authorization();
    request.signal.throwIfAborted();
    if (this.#closed) throw new KilterError('TRANSPORT_CLOSED', `${this.host}: connection closed`);
    if (request.session === 'watch' && this.#open.watch.size >= this.#limits.watch) {
      throw new KilterError('TRANSPORT_TOO_MANY_WATCHES', `${this.#open.watch.size} watches are open to ${this.host}`);
    }
    return this.#roundTrip(request, authorization === undefined ? {} : { authorization });
  }

  renewCredentials(): Promise<boolean> {
    return this.#credentials.renew();
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const open of Object.values(this.#open)) for (const outgoing of open) outgoing.destroy();
    for (const agent of Object.values(this.#agents)) agent.destroy();
    return Promise.resolve();
  }

  #roundTrip(request: ExchangeRequest, authorization: Record<string, string>): Promise<ExchangeResponse> {
    return new Promise((resolve, reject) => {
      let sent = false;
      const broken = (): BrokenExchange => ({ host: this.host, method: request.method, sent, closed: this.#closed });
      const outgoing = this.#start(request, authorization);
      const abort = (): void => void outgoing.destroy();
      const open = this.#open[request.session];
      open.add(outgoing);
      request.signal.addEventListener('abort', abort, { once: true });
      whenConnected(outgoing, this.#server.protocol === 'https:', () => {
        sent = true;
      });
      outgoing.once('close', () => {
        open.delete(outgoing);
        request.signal.removeEventListener('abort', abort);
      });
      outgoing.on('error', (cause) => {
        reject(request.signal.aborted ? (request.signal.reason as Error) : socketFailure(broken(), cause));
      });
      outgoing.once('response', (incoming) => {
        resolve({ status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: bodyOf(incoming, broken) });
      });
      outgoing.end(request.body);
    });
  }

  #start({ method, path, headers, body, session }: ExchangeRequest, more: Record<string, string>): ClientRequest {
    const { protocol, hostname, port, pathname } = this.#server;
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    return send({
      method,
      // An IPv6 address stands in brackets in an address, and without them in a socket.
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      path: `${pathname.replace(/\/$/, '')}${path}`,
      headers: { ...headers, ...length, ...more },
      agent: this.#agents[session],
    });
  }
}

/** A connection over HTTPS (or plain HTTP, where the address says so), HTTP/1.1 with sockets kept alive. */
export function httpsConnection(config: ConnectionConfig, options: HttpsConnectionOptions = {}): Connection {
  return new SocketConnection(config, options);
}
