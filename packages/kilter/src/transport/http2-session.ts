import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { KilterError } from '../errors/index.ts';
import { http2, type Runtime, type Signal } from '../internal/index.ts';
import type { Logger } from '../telemetry/index.ts';
import type { Dialed } from './dial.ts';
import type { ExchangeRequest, ExchangeResponse } from './exchange.ts';
import type { FencedSocket } from './fenced-socket.ts';
import { Http2Exchange, type StreamHost } from './http2-exchange.ts';
import { needsHttp1, neverTaken } from './http2-failure.ts';
import { type OpenExchange, Retirement } from './open-exchanges.ts';
import type { PingTimes } from './ping-watchdog.ts';
import type { SessionLoad } from './placement.ts';
import type { RequestHead } from './request-head.ts';
import { SessionWatchdog } from './session-watchdog.ts';
import { socketFailure } from './socket-failure.ts';

export interface Http2SessionOptions {
  readonly server: URL;
  readonly runtime: Pick<Runtime, 'clock' | 'random'>;
  readonly logger: Logger;
  readonly ping: PingTimes;
  /** An unused session closes after so long, in milliseconds. */
  readonly idle: number;
  /** Watches leave a draining session within so long, in milliseconds. */
  readonly drain: number;
  /** There may be more room, or less: a stream ended, or the session. */
  readonly changed: () => void;
  /** The server wants HTTP/1.1. */
  readonly fellBack: () => void;
}

// A page of a list flows without a pause at every 64 KiB; a reader that stands still holds no more than this.
const streamWindow = 1024 * 1024;
const sessionWindow = 16 * 1024 * 1024;
// Its count includes what the windows above allow, so that Node's 10 MB would refuse streams first.
const sessionMemory = 1024;
// Where the server names no limit (or an absurd one).
const mostStreams = 1000;
// A request that ended sooner says nothing about its session.
const suspiciousAfter = 1000;

const settings = { enablePush: false, initialWindowSize: streamWindow } as const;

/**
 * Waits for the server's settings: they prove that it speaks HTTP/2, and say how many streams it takes. The socket is
 * listened to as well, because a session can end by an alert of its TLS without a word.
 */
function settled(session: ClientHttp2Session, socket: Socket, signal: Signal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      signal.removeEventListener('abort', abort);
      for (const source of [session, socket]) source.removeListener('error', fail).removeListener('close', ended);
      act();
    };
    const fail = (cause: unknown): void => settle(() => reject(cause as Error));
    const ended = (): void => fail(Object.assign(new Error('closed during the handshake'), { code: 'ECONNRESET' }));
    const abort = (): void => fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    for (const source of [session, socket]) source.once('error', fail).once('close', ended);
    session.once('remoteSettings', () => settle(resolve));
    if (socket.destroyed) ended();
  });
}

/** One HTTP/2 connection. */
export class Http2Session {
  readonly #session: ClientHttp2Session;
  readonly #socket: Socket;
  /** What TLS runs on, where requests are asked about again in the moment their bytes leave. */
  readonly #fence: FencedSocket | undefined;
  readonly #options: Http2SessionOptions;
  readonly #watchdog: SessionWatchdog;
  readonly #retirement: Retirement;
  readonly #open = new Set<OpenExchange>();
  /** This session as its streams see it: one object for all of them. */
  readonly #host: StreamHost = {
    heard: () => this.#watchdog.heard(),
    answered: (exchange) => {
      if (this.#leaving) this.#retirement.plan([exchange], this.#options.drain);
    },
    left: (exchange) => this.#left(exchange),
    calledOff: (began, bytes) => this.#waitedInVain(began, bytes),
    broken: (method, cause) => this.#broken(method, cause),
    unanswered: (stream, method, cause) => this.#unanswered(stream, method, cause),
  };
  /** Places given away to requests that have not been sent yet. */
  #claims = 0;
  /** Takes no new streams any more. */
  #leaving = false;
  /** Of the latest GOAWAY; the server never looks at streams above it. */
  #lastTaken: number | undefined;
  /** Bytes read when somebody waited in vain; it is under suspicion until there are more. */
  #suspectedAt: number | undefined;
  /** The timer of an unused session came while it was used. */
  #silent = false;
  /** Why the session ended, where this side ended it or it broke. */
  #cause: unknown;
  #closedByUs = false;

  private constructor(
    session: ClientHttp2Session,
    { socket, fence }: Pick<Dialed, 'socket' | 'fence'>,
    options: Http2SessionOptions,
  ) {
    this.#session = session;
    this.#socket = socket;
    this.#fence = fence;
    this.#options = options;
    this.#retirement = new Retirement(options.runtime);
    this.#watchdog = new SessionWatchdog({
      clock: options.runtime.clock,
      times: options.ping,
      bytes: () => this.#bytesRead,
      needed: () => !session.destroyed && (this.#open.size > 0 || this.#suspected),
      ping: () => this.#ping(),
      lost: () => this.#lost(),
    });
    this.#listen();
  }

  /** Speaks HTTP/2 on an open socket. The socket is the session's from here on, and destroyed if it cannot be used. */
  static async open(
    { socket, fence }: Pick<Dialed, 'socket' | 'fence'>,
    options: Http2SessionOptions & { readonly signal: Signal },
  ): Promise<Http2Session> {
    const { server, signal } = options;
    const session = http2().connect(server.origin, {
      createConnection: () => socket,
      settings,
      maxSessionMemory: sessionMemory,
    });
    // Before anybody listens for a reason, and after: an error without a listener would end the program.
    for (const source of [session, socket]) source.on('error', () => undefined);
    try {
      await settled(session, socket, signal);
    } catch (cause) {
      session.destroy();
      socket.destroy();
      if (signal.aborted) throw cause;
      throw socketFailure({ host: server.host, method: '', sent: false, closed: false }, cause);
    }
    session.setLocalWindowSize(sessionWindow);
    return new Http2Session(session, { socket, fence }, options);
  }

  get load(): SessionLoad {
    const { remoteSettings } = this.#session;
    const limit = Math.min(remoteSettings?.maxConcurrentStreams ?? mostStreams, mostStreams);
    return { open: this.#open.size + this.#claims, limit, usable: this.#takesStreams && !this.#suspected };
  }

  get requests(): number {
    return this.#open.size;
  }

  get ended(): boolean {
    return this.#session.destroyed;
  }

  /** Keeps a place for a request that is about to be sent, by `send`; or that is not, after all: `giveBack`. */
  claim(): void {
    this.#claims += 1;
  }

  /** The place is for the next in line: where no stream ends, nobody else would tell that there is room. */
  giveBack(): void {
    this.#claims -= 1;
    this.#options.changed();
  }

  /** Takes no new streams; those running finish, and watches are asked to move. Closes when empty. */
  leave(): void {
    if (this.#leaving) return;
    this.#leaving = true;
    this.#retirement.plan(this.#open, this.#options.drain);
    if (!this.#session.closed && !this.#session.destroyed) this.#session.close();
    this.#options.changed();
  }

  /** Ends at once, with everything on it. */
  destroy(cause: unknown, closedByUs = false): void {
    this.#cause ??= cause;
    this.#closedByUs ||= closedByUs;
    this.#leaving = true;
    // Node ends the streams of a destroyed session as if they had come to their end.
    for (const { body, method } of [...this.#open]) body?.fail(this.#broken(method, cause));
    this.#session.destroy();
    this.#socket.destroy();
  }

  /** Sends a request in this turn of the loop. */
  send(request: ExchangeRequest, { path, fields }: RequestHead): Promise<ExchangeResponse> {
    const stream = this.#start({ ...fields, ':method': request.method, ':path': path }, request.body);
    const began = this.#options.runtime.clock.monotonic();
    const exchange = new Http2Exchange(stream, request, { host: this.#host, began, bytes: this.#bytesRead });
    this.#entered(exchange);
    return exchange.answer();
  }

  get #takesStreams(): boolean {
    return !this.#leaving && this.#fence?.stopped !== true && !this.#session.closed && !this.#session.destroyed;
  }

  get #bytesRead(): number {
    return (this.#fence ?? this.#socket).bytesRead;
  }

  get #suspected(): boolean {
    return this.#suspectedAt === this.#bytesRead;
  }

  #listen(): void {
    const session = this.#session;
    const { idle, logger, server, changed } = this.#options;
    const heard = (): void => this.#watchdog.heard();
    session.on('ping', heard);
    session.on('remoteSettings', () => {
      heard();
      changed();
    });
    session.on('goaway', (code, lastStreamID) => {
      heard();
      this.#lastTaken = lastStreamID;
      logger.debug({ host: server.host, code }, 'the server asks to close a connection');
      this.leave();
    });
    session.on('error', (error) => {
      this.#cause ??= error;
    });
    for (const source of [this.#socket, this.#fence]) source?.on('error', (error) => this.destroy(error));
    session.once('close', () => {
      this.#leaving = true;
      this.#watchdog.stop();
      this.#retirement.cancel();
      changed();
    });
    // The socket's own timer, which does not hold the program: an unused connection may not either.
    session.setTimeout(idle);
    session.on('timeout', () => {
      if (this.load.open === 0) this.leave();
      else this.#silent = true;
    });
    this.#hold(false);
  }

  #start(headers: OutgoingHttpHeaders, body: Uint8Array | undefined): ClientHttp2Stream {
    try {
      const stream = this.#session.request(headers, { endStream: body === undefined });
      if (body !== undefined) stream.end(body);
      return stream;
    } catch (cause) {
      // Its streams are used up, or it is closing: another session will do.
      this.leave();
      throw this.#notTaken(cause);
    } finally {
      this.#claims -= 1;
    }
  }

  #entered(exchange: Http2Exchange): void {
    this.#open.add(exchange);
    this.#fence?.follow(exchange);
    if (this.#open.size > 1) return;
    this.#hold(true);
    this.#watchdog.start();
  }

  /** Whether the connection keeps the program running. A session above a fence does not reach the socket. */
  #hold(holds: boolean): void {
    for (const one of [this.#session, this.#fence]) {
      if (holds) one?.ref();
      else one?.unref();
    }
  }

  #left(exchange: Http2Exchange): void {
    this.#open.delete(exchange);
    this.#fence?.forget(exchange);
    if (this.#open.size === 0) {
      // It has reported that already, while this request was open, and does not report it again by itself.
      if (this.#silent && !this.#session.destroyed) this.#session.setTimeout(this.#options.idle);
      this.#silent = false;
      if (!this.#session.destroyed) this.#hold(false);
      if (!this.#suspected) this.#watchdog.rest();
    }
    this.#options.changed();
  }

  #broken(method: string, cause: unknown): KilterError {
    const { host } = this.#options.server;
    const reason = this.#cause ?? cause;
    if (reason instanceof KilterError) return reason;
    return socketFailure({ host, method, sent: true, closed: this.#closedByUs }, reason);
  }

  #unanswered(stream: ClientHttp2Stream, method: string, cause: unknown): unknown {
    const { id, rstCode } = stream;
    if (needsHttp1(rstCode)) this.#options.fellBack();
    if (!this.#closedByUs && neverTaken({ id, rstCode, lastTaken: this.#lastTaken })) return this.#notTaken(cause);
    return this.#broken(method, cause ?? new Error('closed before the answer'));
  }

  #notTaken(cause: unknown): KilterError {
    const { host } = this.#options.server;
    return this.#closedByUs
      ? new KilterError('TRANSPORT_CLOSED', `${host}: connection closed`)
      : new KilterError('TRANSPORT_NOT_TAKEN', `${host} did not take the request`, { cause });
  }

  /** A request ended without an answer while nothing at all came: the next ones do not wait for the same dead peer. */
  #waitedInVain(began: number, bytes: number): void {
    if (this.#bytesRead !== bytes || this.#session.destroyed) return;
    if (this.#options.runtime.clock.monotonic() - began < suspiciousAfter) return;
    this.#suspectedAt = bytes;
    this.#watchdog.suspect();
    this.#options.changed();
  }

  #ping(): void {
    if (this.#session.destroyed) return;
    // The answer shows in the bytes read; a PING that cannot be sent shows as none.
    this.#session.ping(() => this.#watchdog.heard());
  }

  #lost(): void {
    const { host } = this.#options.server;
    const { idle, answer } = this.#options.ping;
    const message = `${host} did not answer a PING within ${answer / 1000} s after ${idle / 1000} s of silence`;
    this.#options.logger.warn({ host }, 'a connection is dead: the server did not answer a PING');
    this.destroy(new KilterError('TRANSPORT_CONNECTION_LOST', message));
  }
}
