import type { Session } from './exchange.ts';
import type { ByteLines } from './line-splitter.ts';

/** A request as a value, built without I/O. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  /** Beside those every request has; none of theirs. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Already encoded: what was decided is what is sent, on every attempt. */
  readonly body?: string | undefined;
  /** Default: 'default'. */
  readonly session?: Session | undefined;
  /** A write of leader-only work: the gate is asked before every attempt. */
  readonly guarded?: boolean | undefined;
  /** Over all attempts and waits, in milliseconds. Default: the transport's (30 s). */
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An answer whose reader does not want it as one string. */
export interface BytesResponse extends Omit<ApiResponse, 'text'> {
  readonly body: Buffer;
}

/** Asked before every attempt of a guarded request. */
export interface Gate {
  /** Undefined while writes may be sent, else why not. */
  closed(): string | undefined;
}

/** Requests with retries, deadlines and the gate; answers other than 2xx are thrown as `ApiError`. */
export interface Transport {
  send(request: ApiRequest): Promise<ApiResponse>;
  sendForBytes(request: ApiRequest): Promise<BytesResponse>;
  /** Opens a stream of lines (JSON texts, without the line break); no deadline once the answer has begun. */
  stream(request: ApiRequest): Promise<AsyncIterable<string>>;
  /** As `stream`: lines as bytes nobody has looked at, those that came together at once. */
  batches(request: ApiRequest): Promise<AsyncIterable<ByteLines>>;
  /**
   * Opens a stream of bytes as they come (the log of a pod); no deadline once the answer has begun. Long-lived ones
   * belong to the session 'watch'. Leaving it early, or its signal, ends it.
   */
  chunks(request: ApiRequest): Promise<AsyncIterable<Uint8Array>>;
  readonly namespace: string;
  readonly host: string;
}
