/** Which pool of connections a request uses: nothing else may delay a watch's end or a lease's renewal. */
export type Session = 'watch' | 'lease' | 'default';

/** One attempt, as bytes. */
export interface ExchangeRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  readonly session: Session;
  readonly signal: AbortSignal;
}

export interface ExchangeResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Must be read to its end or returned early; either frees the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The way to one API server: a socket pool with credentials, or a server in this process. */
export interface Connection {
  /** One attempt. Rejects with a coded error when there was no answer. */
  exchange(request: ExchangeRequest): Promise<ExchangeResponse>;
  /** The namespace used where none is given. */
  readonly namespace: string;
  /** What messages and metrics call the server; never credentials. */
  readonly host: string;
  /** Reads credentials again after a 401; false where there is nothing to read again. */
  renewCredentials?(): Promise<boolean>;
  close(): Promise<void>;
}
