import type { ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import type { Signal } from '../internal/index.ts';
import type { Departure, ExchangeRequest, ExchangeResponse } from './exchange.ts';
import type { LeavingRequest } from './fenced-socket.ts';
import type { OpenExchange } from './open-exchanges.ts';
import { ReadableBody, type ReadableBodyOptions } from './readable-body.ts';

/** What a stream tells the session it runs on, and asks of it. */
export interface StreamHost {
  /** Bytes came. */
  heard(): void;
  /** The answer has begun. */
  answered(exchange: OpenExchange): void;
  /** The stream is over. */
  left(exchange: Http2Exchange): void;
  /** The request was called off before its answer: `began` and `bytes` are the time and the bytes read when it was sent. */
  calledOff(began: number, bytes: number): void;
  /** The error of an answer that broke. */
  broken(method: string, cause: unknown): unknown;
  /** The error of a stream that ended before its answer. */
  unanswered(stream: ClientHttp2Stream, method: string, cause: unknown): unknown;
}

interface Settle {
  readonly resolve: (response: ExchangeResponse) => void;
  readonly reject: (error: unknown) => void;
}

// The code CANCEL of RFC 9113.
const cancelled = 0x8;
const colon = 0x3a;

function headersOf(incoming: IncomingHttpHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(incoming)) {
    const value = incoming[name];
    if (value === undefined || name.charCodeAt(0) === colon) continue;
    headers[name] = typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : String(value);
  }
  return headers;
}

/**
 * One request on an HTTP/2 stream. Node keeps a closed stream, and with it whatever its listeners reach, until the next
 * full collection of garbage: they reach nothing but this object, which lets go of everything else when the stream
 * closes.
 */
export class Http2Exchange implements OpenExchange, ReadableBodyOptions, LeavingRequest {
  readonly method: string;
  readonly departure: Departure | undefined;
  readonly resumable: boolean;
  body: ReadableBody | undefined;
  readonly #stream: ClientHttp2Stream;
  readonly #host: StreamHost;
  readonly #began: number;
  readonly #bytes: number;
  /** Set until the stream closes. */
  #signal: Signal | undefined;
  /** Set until the stream closes. */
  #settle: Settle | undefined;
  /** What the stream said was wrong. */
  #cause: unknown;

  constructor(
    stream: ClientHttp2Stream,
    { method, resumable, departure, signal }: ExchangeRequest,
    on: { readonly host: StreamHost; readonly began: number; readonly bytes: number },
  ) {
    this.method = method;
    this.departure = departure;
    this.resumable = resumable === true;
    this.#stream = stream;
    this.#signal = signal;
    this.#host = on.host;
    this.#began = on.began;
    this.#bytes = on.bytes;
  }

  answer(): Promise<ExchangeResponse> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#signal?.addEventListener('abort', this.#abort, { once: true });
      this.#stream.on('error', (error) => {
        this.#cause ??= error;
      });
      this.#stream.once('close', () => this.#closed());
      this.#stream.once('response', (incoming) => this.#begin(incoming));
    });
  }

  arrived(): void {
    this.#host.heard();
  }

  incomplete(): unknown {
    // A stream ends in the same way when its connection does; only the code tells.
    if ((this.#stream.rstCode ?? 0) === 0) return undefined;
    return this.#host.broken(this.method, new Error('the stream was cancelled'));
  }

  broken(cause: unknown): unknown {
    return this.#host.broken(this.method, cause);
  }

  /** Nothing of the request has left, nor will. */
  refuse(reason: unknown): void {
    this.#settle?.reject(reason);
  }

  cancel(): void {
    const stream = this.#stream;
    if (!stream.closed) stream.close(cancelled);
    stream.destroy();
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#signal?.reason;
    if (this.body === undefined) this.#host.calledOff(this.#began, this.#bytes);
    this.cancel();
    this.#settle?.reject(reason);
    // Whoever reads the body learns it now, and not when the stream has closed.
    this.body?.fail(reason);
  };

  #begin(incoming: IncomingHttpHeaders): void {
    this.#host.heard();
    const body = new ReadableBody(this.#stream, this);
    this.body = body;
    this.#settle?.resolve({ status: Number(incoming[':status']), headers: headersOf(incoming), body });
    this.#host.answered(this);
  }

  #closed(): void {
    const settle = this.#settle;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#signal = undefined;
    this.#settle = undefined;
    this.#host.left(this);
    if (this.body !== undefined || settle === undefined) {
      this.body = undefined;
      return;
    }
    // The GOAWAY that ended the stream may be reported after it, in this turn of the loop.
    void Promise.resolve().then(() => settle.reject(this.#host.unanswered(this.#stream, this.method, this.#cause)));
  }
}
