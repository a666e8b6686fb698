import type { Signal } from '../internal/index.ts';

/**
 * Which pool of connections a request uses: nothing else may delay a watch's end or a lease's renewal. On those of guarded writes the
 * gate is asked again in the moment bytes leave.
 */
export type Session = 'watch' | 'lease' | 'default' | 'guarded';

/** Told by a connection that cannot send at once; one that never waits need not call it. */
export interface Departure {
  /** Nothing of the request has left; what it waits for, in words. */
  pending(waitsFor: string): void;
  /** The request leaves now, in the same turn of the loop. Throws where it must not. May be called more than once. */
  now(): void;
}

/** One attempt, as bytes. */
export interface ExchangeRequest {
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly session: Session;
  readonly signal: Signal;
  readonly departure?: Departure | undefined;
  /** The answer is read as a whole: it may be compressed on the way. */
  readonly whole?: boolean | undefined;
  /** A stream of lines whose reader opens another one where it left off: a draining connection may end it between two. */
  readonly resumable?: boolean | undefined;
}

export interface ResponseBody extends AsyncIterable<Uint8Array> {
  /**
   * All bytes in one piece, of a body nobody has begun to read. Fails at once when the request's signal aborts, and with
   * `tooLarge` beyond `limit` bytes. Absent where a body can only be read chunk by chunk.
   */
  whole?(limit: number, tooLarge: () => unknown): Promise<Uint8Array>;
}

/** The answer to one attempt, its body unread. */
export interface ExchangeResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Must be read to its end or returned early; either frees the connection. */
  readonly body: ResponseBody;
}

/** How many connections a session holds, and the requests on them. */
export interface ConnectionUsage {
  readonly session: Session;
  readonly protocol: 'h2' | 'http/1.1';
  readonly connections: number;
  readonly requests: number;
}

/** The way to one API server: a socket pool with credentials, or a server in this process. */
export interface Connection {
  /** One attempt. Rejects with a coded error when there was no answer. */
  exchange(request: ExchangeRequest): Promise<ExchangeResponse>;
  /** The namespace used where none is given. */
  readonly namespace: string;
  /** What messages and metrics call the server; never credentials. */
  readonly host: string;
  /** Reads credentials again after a 401 to this request; false where there is nothing to read again. */
  renewCredentials?(refused: ExchangeRequest): Promise<boolean>;
  /** Tells how long each name took to be looked up, in milliseconds. Absent where none ever is. */
  onLookup?(tell: (host: string, ms: number) => void): void;
  /** What is open now, for metrics. */
  usage?(): readonly ConnectionUsage[];
  close(): Promise<void>;
}
