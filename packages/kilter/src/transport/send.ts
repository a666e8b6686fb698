import { KilterError } from '../errors/index.ts';
import { orAbort, type Runtime } from '../internal/index.ts';
import type { Logger, Metrics } from '../telemetry/index.ts';
import { answerError } from './answer-error.ts';
import { abandon, guardedBody, readText } from './body.ts';
import type { Connection, ExchangeResponse } from './exchange.ts';
import { LineStream } from './line-stream.ts';
import { type Measures, measures } from './measures.ts';
import { type RequestScope, requestScope } from './request-scope.ts';
import { nextStep, type Outcome, retryAfterOf } from './retry.ts';
import type { ApiRequest, ApiResponse, Gate, Transport } from './transport.ts';
import { warningLog } from './warning-log.ts';

export interface TransportOptions {
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  /** Asked before every attempt of a guarded request. Default: always open. */
  readonly gate?: Gate | undefined;
  /** `<program>/<version> …`: its part before the slash is the field manager of writes that name none. */
  readonly userAgent: string;
  /** For requests that name none, over all attempts and waits, in milliseconds. Default: 30 s. */
  readonly deadline?: number | undefined;
  /** The largest answer read as a whole, in bytes. Default: 256 MiB, below what one string can hold. */
  readonly bodyLimit?: number | undefined;
}

const defaultDeadline = 30_000;
const defaultBodyLimit = 256 * 1024 * 1024;
const errorBodyLimit = 1024 * 1024;
// An object is at most 3 MiB on the way in; a line holds one with its event.
const lineLimit = 4 * 1024 * 1024;

/** An attempt that gave what was wanted, or how it failed. */
type Attempt<T> =
  | { readonly type: 'taken'; readonly value: T }
  | { readonly outcome: Outcome; readonly error: unknown };

/** What is done with a successful answer. The scope is the taker's to end. */
type Take<T> = (response: ExchangeResponse, scope: RequestScope) => Promise<T>;

const target = ({ method, path }: ApiRequest): string => `${method} ${path}`;

function outcomeUnknown(request: ApiRequest, why: string, cause: unknown): KilterError {
  return new KilterError('TRANSPORT_OUTCOME_UNKNOWN', `${target(request)}: ${why}; it may have been carried out`, {
    cause,
  });
}

/** What a failed attempt means: only a lost connection is ever worth another one. */
function failedAttempt(request: ApiRequest, error: unknown): { outcome: Outcome; error: unknown } {
  const lost = !(error instanceof KilterError) || error.code === 'TRANSPORT_CONNECTION_LOST';
  if (!lost) return { outcome: { type: 'failed' }, error };
  const reason = error instanceof Error ? error.message : String(error);
  return {
    outcome: { type: 'lost' },
    error:
      request.method !== 'GET'
        ? outcomeUnknown(request, 'the connection broke before the answer', error)
        : error instanceof KilterError
          ? error
          : new KilterError('TRANSPORT_CONNECTION_LOST', `${target(request)}: ${reason}`, { cause: error }),
  };
}

class Sender {
  readonly #connection: Connection;
  readonly #options: TransportOptions;
  readonly #measures: Measures;
  readonly #warn: (warning: string | undefined, request: ApiRequest) => void;

  constructor(connection: Connection, options: TransportOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#measures = measures(options.metrics);
    this.#warn = warningLog(options.logger);
  }

  /** Tries until an answer is taken or there is no more reason to; nothing it opened outlives it, but what `take` keeps. */
  async run<T>(request: ApiRequest, take: Take<T>): Promise<T> {
    request.signal?.throwIfAborted();
    const deadline = request.deadline ?? this.#options.deadline ?? defaultDeadline;
    const scope = requestScope(this.#options.runtime.clock, deadline, request.signal);
    try {
      return await this.#attempts(request, scope, take);
    } catch (error) {
      scope.abort();
      throw error;
    }
  }

  readWhole: Take<ApiResponse> = async ({ status, headers, body }, scope) => {
    const limit = this.#options.bodyLimit ?? defaultBodyLimit;
    const text = await readText(guardedBody(body, scope.signal, ignore), limit);
    scope.end();
    return { status, headers, text };
  };

  openLines: Take<AsyncIterable<string>> = ({ body }, scope) => {
    scope.lift();
    const chunks = guardedBody(body, scope.signal, () => scope.end());
    const failed = (error: unknown): unknown => this.#streamError(error, scope);
    return Promise.resolve(new LineStream(chunks, { limit: lineLimit, close: () => scope.abort(), failed }));
  };

  async #attempts<T>(request: ApiRequest, scope: RequestScope, take: Take<T>): Promise<T> {
    let renewed = false;
    let last: unknown;
    for (let retries = 0; ; retries += 1) {
      this.#passGate(request, last);
      const attempt = await this.#attempt(request, scope, take);
      if ('type' in attempt) return attempt.value;
      last = attempt.error;
      const chance = this.#options.runtime.random();
      const progress = { method: request.method, retries, renewed, left: scope.left(), chance };
      const step = nextStep(progress, attempt.outcome);
      if (step.type === 'give up') throw last;
      if (step.type === 'wait') await this.#wait(request, scope, step.ms);
      else if (!(await this.#renew(request, scope))) throw last;
      else renewed = true;
    }
  }

  /** Just before the request leaves: nothing is awaited between the answer of the gate and the exchange. */
  #passGate(request: ApiRequest, last: unknown): void {
    const closed = request.guarded === true ? this.#options.gate?.closed() : undefined;
    if (closed === undefined) return;
    this.#measures.refused.inc();
    throw new KilterError('TRANSPORT_GATE_CLOSED', `${target(request)}: not sent: ${closed}`, { cause: last });
  }

  async #attempt<T>(request: ApiRequest, scope: RequestScope, take: Take<T>): Promise<Attempt<T>> {
    try {
      const response = await this.#exchange(request, scope);
      this.#warn(response.headers.warning, request);
      if (response.status >= 200 && response.status < 300) return { type: 'taken', value: await take(response, scope) };
      return await this.#refused(request, response, scope);
    } catch (error) {
      if (scope.signal.aborted) throw this.#interrupted(request, scope, true);
      return failedAttempt(request, error);
    }
  }

  async #exchange(request: ApiRequest, scope: RequestScope): Promise<ExchangeResponse> {
    const { host } = this.#connection;
    const { method } = request;
    const pending = this.#connection.exchange(this.#encode(request, scope));
    try {
      const response = await orAbort(pending, scope.signal);
      this.#measures.requests.inc({ code: String(response.status), method, host });
      return response;
    } catch (error) {
      this.#measures.requests.inc({ code: '<error>', method, host });
      // An answer that comes after all is let go; a late failure is what was reported already.
      void pending.then(({ body }) => abandon(body[Symbol.asyncIterator]()), ignore);
      throw error;
    }
  }

  #encode(request: ApiRequest, scope: RequestScope): Parameters<Connection['exchange']>[0] {
    const { method, path, query, body, contentType } = request;
    const search = query?.toString() ?? '';
    return {
      method,
      path: search === '' ? path : `${path}?${search}`,
      headers: {
        accept: request.accept ?? 'application/json',
        'user-agent': this.#options.userAgent,
        ...(body !== undefined && { 'content-type': contentType ?? 'application/json' }),
      },
      body: body === undefined ? undefined : Buffer.from(body, 'utf8'),
      session: request.session ?? 'default',
      signal: scope.signal,
    };
  }

  async #refused(
    request: ApiRequest,
    response: ExchangeResponse,
    scope: RequestScope,
  ): Promise<{ outcome: Outcome; error: unknown }> {
    const { status, headers } = response;
    const text = await readText(guardedBody(response.body, scope.signal, ignore), errorBodyLimit);
    const retryAfter = retryAfterOf(headers['retry-after'], this.#options.runtime.clock.now());
    const retryAfterSeconds = retryAfter === undefined ? undefined : Math.ceil(retryAfter / 1000);
    const contentType = headers['content-type'] ?? '';
    const error = answerError({ status, contentType, text, retryAfterSeconds }, request);
    return { outcome: { type: 'answer', status, retryAfter }, error };
  }

  async #wait(request: ApiRequest, scope: RequestScope, ms: number): Promise<void> {
    this.#options.logger.debug(
      { method: request.method, path: request.path, ms },
      'request is tried again after a wait',
    );
    try {
      await this.#options.runtime.clock.sleep(ms, scope.signal);
    } catch {
      // The sleep only ever fails with the scope's own reason, which says less than this.
      throw this.#interrupted(request, scope, false);
    }
  }

  async #renew(request: ApiRequest, scope: RequestScope): Promise<boolean> {
    try {
      return await orAbort(this.#connection.renewCredentials?.() ?? Promise.resolve(false), scope.signal);
    } catch (error) {
      if (scope.signal.aborted) throw this.#interrupted(request, scope, false);
      this.#options.logger.warn({ err: error }, 'credentials were refused and could not be read again');
      return false;
    }
  }

  /** What the caller learns when the scope aborted: its own reason, or that the deadline has passed. */
  #interrupted(request: ApiRequest, scope: RequestScope, inFlight: boolean): unknown {
    if (!scope.expired) return scope.signal.reason;
    const seconds = (request.deadline ?? this.#options.deadline ?? defaultDeadline) / 1000;
    const late = new KilterError(
      'TRANSPORT_DEADLINE',
      `${target(request)}: no answer from ${this.#connection.host} within ${seconds} s`,
    );
    return inFlight && request.method !== 'GET' ? outcomeUnknown(request, `no answer within ${seconds} s`, late) : late;
  }

  /** Counted and logged: a broken stream is never passed over in silence. An aborted one is no fault. */
  #streamError(error: unknown, scope: RequestScope): unknown {
    if (scope.signal.aborted) return error;
    const reason = error instanceof KilterError ? error.code : 'TRANSPORT_CONNECTION_LOST';
    this.#measures.streamErrors.inc({ reason });
    this.#options.logger.warn({ err: error }, 'a watch stream broke');
    return error instanceof KilterError
      ? error
      : new KilterError('TRANSPORT_CONNECTION_LOST', 'the watch stream broke', { cause: error });
  }
}

const ignore = (): void => undefined;

/** Requests over a connection, with deadlines, retries, and the gate before every attempt. */
export function transport(connection: Connection, options: TransportOptions): Transport {
  const sender = new Sender(connection, options);
  return {
    namespace: connection.namespace,
    host: connection.host,
    send: (request) => sender.run(request, sender.readWhole),
    stream: (request) => sender.run(request, sender.openLines),
  };
}
