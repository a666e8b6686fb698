import type { Socket } from 'node:net';
import { KilterError } from '../errors/index.ts';
import type { Signal } from '../internal/index.ts';
import type { Dialed } from './dial.ts';
import { Http2Session, type Http2SessionOptions } from './http2-session.ts';
import { place, type PlacementLimits } from './placement.ts';
import { WaitingLine } from './waiting-line.ts';

export interface Http2PoolOptions extends Omit<Http2SessionOptions, 'changed' | 'fellBack'> {
  readonly limits: PlacementLimits;
  /** Requests beyond them wait; watches, which do not end, are refused. */
  readonly whenFull: 'wait' | 'refuse';
  readonly mostWaiting: number;
  /** Opens a socket for HTTP/2, and what `use` makes of it; one attempt for all who wait. */
  dial<T>(use: (dialed: Dialed) => Promise<T>, signal: Signal): Promise<T>;
  /** The server speaks HTTP/1.1 only. The socket, where there is one, is open and unused. */
  fellBack(socket?: Socket): void;
}

/** A session with a claimed place on it, or the news that there are none. */
export type Http2Place = Http2Session | 'http/1.1';

/** The HTTP/2 sessions of one kind of request. One is opened at a time, and another only when all are full. */
export class Http2Pool {
  readonly #options: Http2PoolOptions;
  readonly #line: WaitingLine<Http2Place>;
  /** In the order they were opened; none is destroyed. */
  #sessions: Http2Session[] = [];
  /** Set while a session is being opened; calls it off. */
  #opening: AbortController | undefined;
  #closed = false;

  constructor(options: Http2PoolOptions) {
    this.#options = options;
    this.#line = new WaitingLine(options.mostWaiting, () => this.#abandoned());
  }

  get connections(): number {
    return this.#sessions.length;
  }

  get requests(): number {
    return this.#sessions.reduce((sum, { requests }) => sum + requests, 0);
  }

  /** A place for one stream, where there is one now. The caller sends on it or gives it back. */
  placed(): Http2Session | undefined {
    return this.#closed || this.#line.length > 0 ? undefined : this.#placed();
  }

  /** Waits for a place. The caller sends on it or gives it back. */
  async acquire(signal: Signal): Promise<Http2Place> {
    if (this.#closed) throw this.#closedError();
    const session = this.placed();
    if (session !== undefined) return session;
    const turn = this.#line.wait(signal, `a connection to ${this.#options.server.host}`);
    this.#serve();
    return turn;
  }

  /** New credentials: new requests use new sessions, the old ones drain. */
  renew(): void {
    this.#opening?.abort(new Error('the credentials have changed'));
    for (const session of [...this.#sessions]) session.leave();
  }

  close(): void {
    this.#closed = true;
    this.#opening?.abort(this.#closedError());
    this.#line.failAll(this.#closedError());
    for (const session of [...this.#sessions]) session.destroy(undefined, true);
  }

  #closedError(): KilterError {
    return new KilterError('TRANSPORT_CLOSED', `${this.#options.server.host}: connection closed`);
  }

  /** A session with room, claimed. */
  #placed(): Http2Session | undefined {
    const placement = this.#place();
    if (placement.type !== 'use') return undefined;
    const session = this.#sessions[placement.index];
    session?.claim();
    return session;
  }

  #place(): ReturnType<typeof place> {
    return place(
      this.#sessions.map(({ load }) => load),
      this.#options.limits,
    );
  }

  /** Gives places to those who wait, as far as there are any, and sees to it that there will be more. */
  #serve(): void {
    while (this.#line.length > 0) {
      const session = this.#placed();
      if (session !== undefined) {
        this.#line.give(session);
        continue;
      }
      const placement = this.#place();
      if (placement.type === 'evict') this.#evict(placement.index);
      else if (placement.type === 'connect') return this.#connect();
      else if (this.#options.whenFull === 'refuse') return this.#refuse();
      else return;
    }
  }

  #evict(index: number): void {
    const [session] = this.#sessions.splice(index, 1);
    const { host } = this.#options.server;
    session?.destroy(
      new KilterError('TRANSPORT_CONNECTION_LOST', `too many old connections to ${host} have not closed`),
    );
  }

  #refuse(): void {
    const { host } = this.#options.server;
    this.#line.failAll(new KilterError('TRANSPORT_TOO_MANY_WATCHES', `${this.requests} watches are open to ${host}`));
  }

  /** Nobody waits any more: what would be opened is not needed. */
  #abandoned(): void {
    if (this.#line.length === 0) this.#opening?.abort(new Error('nobody is waiting for the connection'));
  }

  #connect(): void {
    if (this.#opening !== undefined || this.#closed) return;
    const opening = new AbortController();
    this.#opening = opening;
    const ended = (): void => {
      this.#opening = undefined;
      this.#serve();
    };
    this.#options
      .dial((dialed) => this.#take(dialed, opening.signal), opening.signal)
      .catch((error: unknown) => {
        // Called off: whoever came since then is served by another attempt.
        if (!opening.signal.aborted) this.#line.failAll(error);
      })
      .then(ended, ended);
  }

  async #take({ socket, fence, protocol }: Dialed, signal: Signal): Promise<void> {
    if (protocol !== 'h2') {
      // HTTP/1.1 knows by itself when a request leaves.
      if (fence !== undefined) socket.destroy();
      this.#fellBack(fence === undefined ? socket : undefined);
      return;
    }
    const session: Http2Session = await Http2Session.open(
      { socket, fence },
      {
        ...this.#options,
        signal,
        changed: () => this.#changed(),
        fellBack: () => this.#fellBack(),
      },
    );
    if (this.#closed) session.destroy(undefined, true);
    else this.#sessions.push(session);
  }

  #fellBack(socket?: Socket): void {
    this.#options.fellBack(socket);
    this.#line.giveAll('http/1.1');
  }

  #changed(): void {
    this.#sessions = this.#sessions.filter(({ ended }) => !ended);
    this.#serve();
  }
}
