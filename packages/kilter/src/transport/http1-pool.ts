import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { KilterError } from '../errors/index.ts';
import { http, type Runtime, type Signal } from '../internal/index.ts';
import type { ExchangeRequest, ExchangeResponse } from './exchange.ts';
import { type OpenExchange, Retirement } from './open-exchanges.ts';
import { ReadableBody } from './readable-body.ts';
import type { RequestHead } from './request-head.ts';
import { type BrokenExchange, socketFailure } from './socket-failure.ts';
import { WaitingLine } from './waiting-line.ts';

export interface Http1PoolOptions {
  readonly server: URL;
  readonly runtime: Pick<Runtime, 'clock' | 'random'>;
  /** The most sockets, and so requests at the same time. */
  readonly sockets: number;
  /** Requests beyond them wait; watches, which do not end, are refused. */
  readonly whenFull: 'wait' | 'refuse';
  readonly mostWaiting: number;
  /** An unused socket closes after so long, in milliseconds. */
  readonly idle: number;
  /** Watches leave sockets of old credentials within so long, in milliseconds. */
  readonly drain: number;
  /** Opens a socket; handshakes done. */
  dial(signal: Signal): Promise<Socket>;
}

/** Node's keeper of idle sockets, which gets its sockets ready made: only that way their number is bounded. */
class ReadySockets extends http.Agent {
  /** Open sockets no request has used yet. */
  readonly #ready = new Set<Socket>();

  adopt(socket: Socket, idle: number): void {
    const leave = (): void => void this.#ready.delete(socket);
    this.#ready.add(socket);
    socket.once('close', leave);
    socket.on('error', leave);
    socket.setTimeout(idle, () => {
      if (this.#ready.has(socket)) socket.destroy();
    });
    socket.unref();
  }

  get hasSocket(): boolean {
    const free = Object.values(this.freeSockets).flatMap((sockets) => sockets ?? []);
    return this.#ready.size > 0 || free.some((socket) => !socket.destroyed && socket.writable);
  }

  get count(): number {
    const kept = [this.sockets, this.freeSockets].flatMap((map) => Object.values(map));
    return kept.reduce((sum, sockets) => sum + (sockets?.length ?? 0), this.#ready.size);
  }

  override createConnection(): Duplex {
    const [socket] = this.#ready;
    if (socket === undefined) throw new Error('no socket is ready');
    this.#ready.delete(socket);
    socket.ref();
    return socket;
  }

  /** Closes what is unused now, and the rest when it becomes so. */
  retire(): void {
    Object.assign(this, { keepAlive: false });
    for (const socket of this.#ready) socket.destroy();
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

interface OpenRequest extends OpenExchange {
  readonly outgoing: ClientRequest;
}

/** Requests over HTTP/1.1: sockets kept alive and bounded, one request on each at a time. */
export class Http1Pool {
  readonly #options: Http1PoolOptions;
  readonly #line: WaitingLine<undefined>;
  readonly #retirement: Retirement;
  readonly #open = new Set<OpenRequest>();
  /** Requests that have a place: sent, or about to be. At most `sockets`. */
  #taken = 0;
  #agent: ReadySockets;
  #closed = false;

  constructor(options: Http1PoolOptions) {
    this.#options = options;
    this.#line = new WaitingLine(options.mostWaiting);
    this.#retirement = new Retirement(options.runtime);
    this.#agent = this.#newAgent();
  }

  get connections(): number {
    return this.#agent.count;
  }

  get requests(): number {
    return this.#open.size;
  }

  /** Takes over a socket that was opened to find out what the server speaks. */
  adopt(socket: Socket): void {
    if (this.#closed) socket.destroy();
    else this.#agent.adopt(socket, this.#options.idle);
  }

  async exchange(request: ExchangeRequest, head: RequestHead): Promise<ExchangeResponse> {
    await this.#enter(request.signal);
    try {
      if (!this.#agent.hasSocket) this.adopt(await this.#options.dial(request.signal));
      request.signal.throwIfAborted();
      if (this.#closed) throw new KilterError('TRANSPORT_CLOSED', `${this.#options.server.host}: connection closed`);
      request.departure?.now();
      return await this.#roundTrip(this.#start(request, head), request);
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** New credentials: new requests use new sockets, running ones finish, watches are asked to move. */
  renew(): void {
    const old = this.#agent;
    this.#agent = this.#newAgent();
    old.retire();
    this.#retirement.plan(this.#open, this.#options.drain);
  }

  close(): void {
    this.#closed = true;
    this.#retirement.cancel();
    this.#line.failAll(new KilterError('TRANSPORT_CLOSED', `${this.#options.server.host}: connection closed`));
    for (const { outgoing } of this.#open) outgoing.destroy();
    this.#agent.retire();
    this.#agent.destroy();
  }

  #newAgent(): ReadySockets {
    const { sockets, idle } = this.#options;
    return new ReadySockets({ keepAlive: true, maxFreeSockets: sockets, scheduling: 'lifo', timeout: idle });
  }

  async #enter(signal: Signal): Promise<void> {
    const { sockets, whenFull, server } = this.#options;
    if (this.#taken < sockets) {
      this.#taken += 1;
      return;
    }
    if (whenFull === 'refuse') {
      throw new KilterError('TRANSPORT_TOO_MANY_WATCHES', `${this.#taken} watches are open to ${server.host}`);
    }
    // Whoever leaves hands its place on.
    await this.#line.wait(signal, `a connection to ${server.host}`);
  }

  #leave(): void {
    if (!this.#line.give(undefined)) this.#taken -= 1;
  }

  #start({ method, body }: ExchangeRequest, { path, fields }: RequestHead): ClientRequest {
    const { hostname, host } = this.#options.server;
    const headers = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? [...value] : (value as string)]),
    );
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    try {
      const outgoing = http.request({
        method,
        path,
        hostname,
        headers: { host, ...headers, ...length },
        agent: this.#agent,
      });
      outgoing.end(body);
      return outgoing;
    } catch (cause) {
      // The socket that was free has just died.
      throw new KilterError('TRANSPORT_NOT_TAKEN', `no connection to ${host} is ready`, { cause });
    }
  }

  /** From here on the place is given back when the request is over, and not by the caller. */
  #roundTrip(outgoing: ClientRequest, request: ExchangeRequest): Promise<ExchangeResponse> {
    const { method, signal } = request;
    const { host } = this.#options.server;
    const exchange: OpenRequest = { outgoing, method, resumable: request.resumable === true, body: undefined };
    const broken = (): BrokenExchange => ({ host, method, sent: true, closed: this.#closed });
    this.#open.add(exchange);
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        outgoing.destroy();
        reject(signal.reason as Error);
        exchange.body?.fail(signal.reason);
      };
      let answered = false;
      signal.addEventListener('abort', abort, { once: true });
      outgoing.once('close', () => {
        this.#open.delete(exchange);
        signal.removeEventListener('abort', abort);
        // A request that failed is given back where its failure is handled.
        if (answered) this.#leave();
        else reject(socketFailure(broken(), new Error('closed before the answer')));
      });
      // Node writes what it was given when it has assigned a socket, in a later turn: only here it is known to leave now.
      outgoing.once('socket', () => {
        try {
          request.departure?.now();
        } catch (refusal) {
          reject(refusal);
          outgoing.destroy();
        }
      });
      outgoing.on('error', (cause) => reject(socketFailure(broken(), cause)));
      outgoing.once('response', (incoming) => {
        answered = true;
        const incomplete = (): unknown =>
          incoming.complete ? undefined : socketFailure(broken(), new Error('closed before the end of the answer'));
        exchange.body = new ReadableBody(incoming, {
          incomplete,
          broken: (cause) => socketFailure(broken(), cause),
          cancel: () => void (incoming.complete || incoming.destroy()),
        });
        resolve({ status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: exchange.body });
      });
    });
  }
}
