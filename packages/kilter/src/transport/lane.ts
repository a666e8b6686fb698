import type { TlsMaterial } from '../config/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Runtime, Signal } from '../internal/index.ts';
import type { Logger } from '../telemetry/index.ts';
import { AttemptGate } from './attempt-gate.ts';
import { type Destination, dial, type Dialed } from './dial.ts';
import type { ConnectionUsage, ExchangeRequest, ExchangeResponse, Session } from './exchange.ts';
import { Http1Pool } from './http1-pool.ts';
import { Http2Pool } from './http2-pool.ts';
import type { RequestHead } from './request-head.ts';
import type { PingTimes } from './ping-watchdog.ts';

export interface LaneOptions {
  readonly session: Session;
  readonly destination: Destination;
  readonly runtime: Pick<Runtime, 'clock' | 'random'>;
  readonly logger: Logger;
  readonly ping: PingTimes;
  readonly idle: number;
  readonly drain: number;
  /** The timeout of one attempt to connect, in milliseconds. */
  readonly connectTimeout: number;
  /** The most HTTP/1.1 sockets. */
  readonly sockets: number;
  /** The most HTTP/2 sessions. */
  readonly sessions: number;
}

// Beyond so many a queue only hides that nothing moves.
const mostWaiting = 4096;
// Old connections that drain, beside those in use.
const mostLeaving = 3;

function tooLate({ server, proxy }: Destination, limit: number): KilterError {
  const through = proxy === undefined ? '' : ` through the proxy ${proxy.host}`;
  const message = `${server.host} cannot be reached${through}: no connection within ${limit / 1000} s`;
  const cure = proxy === undefined ? undefined : 'check that the proxy (proxy-url, HTTPS_PROXY) and the server are up';
  return new KilterError('TRANSPORT_UNREACHABLE', message, { cure });
}

/** The connections of one kind of request, HTTP/2 where the server speaks it: lanes share nothing, so none waits for another. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #gate: AttemptGate;
  readonly #http1: Http1Pool;
  readonly #http2: Http2Pool;
  /**
   * What the server was last found to speak; asked again after an outage, when it may be another server. Protocols that
   * leave HTTP (exec, port-forward) would dial their own socket that offers HTTP/1.1 alone, past this choice.
   */
  #protocol: 'unknown' | 'h2' | 'http/1.1';
  /** What the next handshake uses. Sockets opened with another version are not used for new requests. */
  #material: TlsMaterial;
  readonly #closing = new AbortController();

  constructor(options: LaneOptions, material: TlsMaterial) {
    this.#options = options;
    this.#material = material;
    this.#gate = new AttemptGate(options.runtime, mostWaiting);
    const plain = options.destination.server.protocol === 'http:';
    this.#protocol = plain ? 'http/1.1' : 'unknown';
    const whenFull: 'wait' | 'refuse' = options.session === 'watch' ? 'refuse' : 'wait';
    const shared = { ...options, server: options.destination.server, whenFull, mostWaiting };
    this.#http1 = new Http1Pool({ ...shared, dial: async (signal) => (await this.#dialHttp1(signal)).socket });
    this.#http2 = new Http2Pool({
      ...shared,
      limits: { sessions: options.sessions, leaving: mostLeaving },
      dial: (use, signal) =>
        this.#attempt(
          async (within) => use(await this.#dial(['h2', 'http/1.1'], within, options.session === 'guarded')),
          signal,
        ),
      fellBack: (socket) => {
        this.#protocol = 'http/1.1';
        if (socket !== undefined) this.#http1.adopt(socket);
      },
    });
  }

  async exchange(request: ExchangeRequest, head: RequestHead): Promise<ExchangeResponse> {
    if (this.#protocol === 'http/1.1') return this.#http1.exchange(request, head);
    const session = this.#http2.placed() ?? (await this.#http2.acquire(request.signal));
    if (session === 'http/1.1') return this.#http1.exchange(request, head);
    this.#protocol = 'h2';
    try {
      request.signal.throwIfAborted();
      request.departure?.now();
    } catch (error) {
      session.giveBack();
      throw error;
    }
    return session.send(request, head);
  }

  /** Where the certificates have changed, new connections are opened for new requests and the old ones drain. */
  use(material: TlsMaterial): void {
    if (material.version === this.#material.version) return;
    this.#material = material;
    this.#http1.renew();
    this.#http2.renew();
  }

  get usage(): ConnectionUsage[] {
    const { session } = this.#options;
    const pools = [
      { protocol: 'h2', pool: this.#http2 },
      { protocol: 'http/1.1', pool: this.#http1 },
    ] as const;
    return pools.map(({ protocol, pool: { connections, requests } }) => ({ session, protocol, connections, requests }));
  }

  close(): void {
    this.#closing.abort(
      new KilterError('TRANSPORT_CLOSED', `${this.#options.destination.server.host}: connection closed`),
    );
    this.#http1.close();
    this.#http2.close();
  }

  async #dialHttp1(signal: Signal): Promise<Dialed> {
    const plain = this.#options.destination.server.protocol === 'http:';
    try {
      return await this.#attempt((within) => this.#dial(['http/1.1'], within), signal);
    } catch (error) {
      if (!plain && !signal.aborted) this.#protocol = 'unknown';
      throw error;
    }
  }

  #dial(protocols: readonly string[], signal: AbortSignal, fenced = false): Promise<Dialed> {
    return dial(this.#options.destination, { material: this.#material, protocols, signal, fenced });
  }

  /** One attempt to connect, when it is its turn and within its time. */
  #attempt<T>(work: (signal: AbortSignal) => Promise<T>, signal: Signal): Promise<T> {
    const { runtime, connectTimeout, destination } = this.#options;
    return this.#gate.attempt(async () => {
      const limit = new AbortController();
      const late = runtime.clock.timer(connectTimeout, () => {
        limit.abort(tooLate(destination, connectTimeout));
      });
      const follow = (): void => limit.abort(signal.reason);
      const closing = (): void => limit.abort(this.#closing.signal.reason);
      signal.addEventListener('abort', follow, { once: true });
      this.#closing.signal.addEventListener('abort', closing, { once: true });
      if (signal.aborted) follow();
      try {
        return await work(limit.signal);
      } finally {
        late.cancel();
        signal.removeEventListener('abort', follow);
        this.#closing.signal.removeEventListener('abort', closing);
      }
    }, signal);
  }
}
