import { KilterError } from '../errors/index.ts';
import { orAbort } from '../internal/index.ts';
import { abandon, guardedBody } from './body.ts';
import type { Connection, ExchangeRequest, ExchangeResponse } from './exchange.ts';

/** One request to a server in this process. */
export interface InMemoryRequest {
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** Aborts when the client hangs up. */
  readonly signal: AbortSignal;
}

/** A server in this process. If it throws, the client sees a broken connection. */
export type InMemoryHandler = (request: InMemoryRequest) => Promise<ExchangeResponse>;

/** The options of a connection to a server in this process. */
export interface InMemoryOptions {
  /** Default: 'default'. */
  readonly namespace?: string | undefined;
  /** What messages and metrics call the server. Default: 'in-memory'. */
  readonly host?: string | undefined;
  /** Sent as a bearer token. */
  readonly token?: string | undefined;
}

const closedError = (): KilterError =>
  new KilterError('TRANSPORT_CLOSED', 'the connection to the server in memory is closed');
const hungUp = (request: ExchangeRequest): KilterError =>
  request.method === 'GET'
    ? closedError()
    : new KilterError('TRANSPORT_CONNECTION_LOST', 'the connection was closed before the answer');

/** A connection to a server in this process: promises only, no sockets and no timers. */
export function inMemory(handle: InMemoryHandler, options: InMemoryOptions = {}): Connection {
  /** What hangs up each exchange that is still open. */
  const open = new Set<() => void>();
  let closed = false;
  const authorization = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };

  const answerOf = async (request: ExchangeRequest, signal: AbortSignal): Promise<ExchangeResponse> => {
    const { method, path, headers, body } = request;
    const answer = handle({ method, path, headers, body, signal });
    try {
      return await orAbort(answer, signal);
    } catch (error) {
      // An answer that comes after the client hung up is let go; a late failure has nobody to hear it.
      void answer.then(
        (late) => abandon(late.body[Symbol.asyncIterator]()),
        () => undefined,
      );
      throw error;
    }
  };
  const exchange = async (request: ExchangeRequest): Promise<ExchangeResponse> => {
    if (closed) throw closedError();
    request.signal.throwIfAborted();
    const controller = new AbortController();
    const follow = (): void => controller.abort(request.signal.reason);
    const hangUp = (): void => controller.abort(hungUp(request));
    const release = (): void => {
      open.delete(hangUp);
      request.signal.removeEventListener('abort', follow);
    };
    open.add(hangUp);
    request.signal.addEventListener('abort', follow, { once: true });
    try {
      const authorized = { ...request, headers: { ...request.headers, ...authorization } };
      const { status, headers, body } = await answerOf(authorized, controller.signal);
      const ended = (complete: boolean): void => {
        release();
        if (!complete) controller.abort(new Error('the client left before the end of the answer'));
      };
      return { status, headers, body: guardedBody(body, controller.signal, ended) };
    } catch (error) {
      release();
      throw error;
    }
  };
  const close = (): Promise<void> => {
    closed = true;
    for (const hangUp of open) hangUp();
    return Promise.resolve();
  };
  return { exchange, close, namespace: options.namespace ?? 'default', host: options.host ?? 'in-memory' };
}
