import { KilterError } from '../errors/index.ts';
import { Deadlines, orAbort, type Runtime } from '../internal/index.ts';
import { inBrief, type Logger, type Metrics, rareLog } from '../telemetry/index.ts';
import { answerError } from './answer-error.ts';
import { abandon, codedBody, guardedBody, readBeginning, readBytes } from './body.ts';
import type { Connection, ExchangeRequest, ExchangeResponse, Session } from './exchange.ts';
import { LineBatches } from './line-batches.ts';
import { type ByteLines, ByteLineSplitter, lineSplitter, type LineSplitter } from './line-splitter.ts';
import { LineStream } from './line-stream.ts';
import { type Measures, measures } from './measures.ts';
import { type RequestMeasures, requestMeasures } from './request-measures.ts';
import { type RequestHeaders, requestHeaders } from './request-headers.ts';
import { RequestScope } from './request-scope.ts';
import { type RateLimiter, rateLimiter } from './rate-limiter.ts';
import { nextStep, type Outcome, retryAfterOf } from './retry.ts';
import type { RateLimit } from './token-bucket.ts';
import type { ApiRequest, ApiResponse, BytesResponse, Gate, Transport } from './transport.ts';
import { warningLog } from './warning-log.ts';

export interface TransportOptions {
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  /** Measure time and size of each request too, as client-go does on request. Default: false. */
  readonly requestMetrics?: boolean | undefined;
  /** Asked before every attempt of a guarded request. Default: always open. */
  readonly gate?: Gate | undefined;
  /** `<program>/<version> …`: its part before the slash is the field manager of writes that name none. */
  readonly userAgent: string;
  /** For requests that name none, over all attempts and waits, in milliseconds. Default: 30 s. */
  readonly deadline?: number | undefined;
  /** The largest answer read as a whole, in bytes. Default: 256 MiB, below what one string can hold. */
  readonly bodyLimit?: number | undefined;
  /** The longest line of a stream, in bytes. Default: 4 MiB: an object is at most 3 MiB, and a line holds one. */
  readonly lineLimit?: number | undefined;
  /** A limit on the requests of this transport, retries included, Lease requests not. Default: none; the server decides. */
  readonly rateLimit?: RateLimit | undefined;
}

const defaultDeadline = 30_000;
const defaultBodyLimit = 256 * 1024 * 1024;
const errorBodyLimit = 1024 * 1024;
const json = 'application/json';
const defaultLineLimit = 4 * 1024 * 1024;

/** An attempt that gave what was wanted, or how it failed. */
type Attempt<T> =
  | { readonly type: 'taken'; readonly value: T }
  | { readonly outcome: Outcome; readonly error: unknown };

/** What is done with a successful answer. The scope is the taker's to end. */
interface Take<T> {
  readonly take: (response: ExchangeResponse, journey: Pick<Journey<T>, 'request' | 'scope'>) => Promise<T>;
  /** The answer is read as a whole. */
  readonly whole?: boolean;
  /** The reader of the answer opens another one where it left off. */
  readonly resumable?: boolean;
}

/** One request on its way, over all its attempts. */
interface Journey<T> {
  readonly request: ApiRequest;
  readonly scope: RequestScope;
  readonly take: Take<T>;
  /** Attempts so far that left. */
  made: number;
  /** Bytes of the present attempt may have left. */
  sent: boolean;
  /** What the present attempt waits for, while nothing of it has left. */
  waitsFor?: string | undefined;
  /** The present attempt. */
  exchange?: ExchangeRequest;
  /** How the attempt before ended; what the caller learns if there is no time for another. */
  refusal?: unknown;
}

const target = ({ method, path }: ApiRequest): string => `${method} ${path}`;

/** What the gate stopped on its way out was none, nor what a server that restarts left untouched. */
const wasAttempt = (error: unknown): boolean =>
  !(error instanceof KilterError) || (error.code !== 'TRANSPORT_GATE_CLOSED' && error.code !== 'TRANSPORT_NOT_TAKEN');

function outcomeUnknown(request: ApiRequest, why: string, cause: unknown): KilterError {
  return new KilterError('TRANSPORT_OUTCOME_UNKNOWN', `${target(request)}: ${why}; it may have been carried out`, {
    cause,
  });
}

/** What a failed attempt means: only a lost connection, or a request nobody took, is ever worth another one. */
function failedAttempt(request: ApiRequest, error: unknown): { outcome: Outcome; error: unknown } {
  if (error instanceof KilterError && error.code === 'TRANSPORT_NOT_TAKEN') {
    return { outcome: { type: 'not taken' }, error };
  }
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

function detailOf(connection: Connection, { metrics, requestMetrics }: TransportOptions): RequestMeasures | undefined {
  if (requestMetrics !== true || metrics === undefined) return undefined;
  const detail = requestMeasures(metrics, connection.host);
  connection.onLookup?.((host, ms) => detail.lookedUp(host, ms));
  return detail;
}

class Sender {
  readonly #connection: Connection;
  readonly #options: TransportOptions;
  readonly #measures: Measures;
  readonly #detail: RequestMeasures | undefined;
  readonly #warn: (warning: string | undefined, request: ApiRequest) => void;
  readonly #rarely: ReturnType<typeof rareLog>;
  readonly #limiter: RateLimiter | undefined;

  readonly #deadlines: Deadlines;
  readonly #headers: (accept: string, contentType: string | undefined) => RequestHeaders;

  constructor(connection: Connection, options: TransportOptions) {
    const { clock } = options.runtime;
    this.#connection = connection;
    this.#options = options;
    this.#measures = measures(options.metrics, connection);
    this.#detail = detailOf(connection, options);
    this.#warn = warningLog(options.logger);
    this.#rarely = rareLog(clock);
    this.#headers = requestHeaders(options.userAgent);
    this.#deadlines = new Deadlines(clock);
    this.#limiter = options.rateLimit === undefined ? undefined : rateLimiter(options.rateLimit, clock);
  }

  /** Tries until an answer is taken or there is no more reason to; nothing it opened outlives it, but what `take` keeps. */
  async run<T>(request: ApiRequest, take: Take<T>): Promise<T> {
    request.signal?.throwIfAborted();
    const deadline = request.deadline ?? this.#options.deadline ?? defaultDeadline;
    const { clock } = this.#options.runtime;
    const scope = new RequestScope({ clock, deadlines: this.#deadlines, deadline, signal: request.signal });
    const begun = this.#detail === undefined ? 0 : clock.monotonic();
    try {
      return await this.#attempts({ request, scope, take, sent: false, made: 0 });
    } catch (error) {
      scope.abort();
      throw error;
    } finally {
      if (take.whole === true) this.#detail?.took(request.method, clock.monotonic() - begun);
    }
  }

  readonly whole: Take<ApiResponse> = {
    whole: true,
    take: async (response, { request, scope }) => {
      const { status, headers } = response;
      const text = (await this.#bytesOf(response, request, scope)).toString('utf8');
      return { status, headers, text };
    },
  };

  readonly wholeBytes: Take<BytesResponse> = {
    whole: true,
    take: async (response, { request, scope }) => {
      const { status, headers } = response;
      return { status, headers, body: await this.#bytesOf(response, request, scope) };
    },
  };

  async #bytesOf({ body }: ExchangeResponse, { method }: ApiRequest, scope: RequestScope): Promise<Buffer> {
    const bytes = await readBytes(body, scope.signal, this.#options.bodyLimit ?? defaultBodyLimit);
    scope.end();
    this.#detail?.received(method, bytes.length);
    return bytes;
  }

  readonly lines: Take<AsyncIterable<string>> = {
    resumable: true,
    take: (response, { scope }) => Promise.resolve(new LineStream(this.#batches(response, scope, lineSplitter))),
  };

  readonly batches: Take<AsyncIterable<ByteLines>> = {
    resumable: true,
    take: (response, { scope }) =>
      Promise.resolve(this.#batches(response, scope, (limit) => new ByteLineSplitter(limit))),
  };

  #batches<Lines extends { readonly length: number }>(
    { body }: ExchangeResponse,
    scope: RequestScope,
    splitterOf: (limit: number) => LineSplitter<Lines>,
  ): LineBatches<Lines> {
    scope.lift();
    const chunks = guardedBody(body, scope.signal, () => scope.end());
    const splitter = splitterOf(this.#options.lineLimit ?? defaultLineLimit);
    const failed = (error: unknown): unknown => this.#streamError(error, scope);
    return new LineBatches(chunks, { splitter, close: () => scope.abort(), failed });
  }

  readonly chunks: Take<AsyncIterable<Uint8Array>> = {
    take: ({ body }, { scope }) => {
      scope.lift();
      return Promise.resolve(guardedBody(codedBody(body), scope.signal, () => scope.abort()));
    },
  };

  async #attempts<T>(journey: Journey<T>): Promise<T> {
    const { request, scope } = journey;
    let renewed = false;
    let last: unknown;
    for (let retries = 0; ; retries += 1) {
      if (this.#limiter !== undefined) await this.#passLimit(journey, this.#limiter, last);
      this.#passGate(request, last);
      const attempt = await this.#attempt(journey, last);
      if ('type' in attempt) return attempt.value;
      last = attempt.error;
      journey.refusal = attempt.error;
      const chance = this.#options.runtime.random();
      const progress = { method: request.method, retries, renewed, left: scope.left(), chance };
      const step = nextStep(progress, attempt.outcome);
      if (step.type === 'give up') throw last;
      if (step.type === 'wait') await this.#wait(journey, step.ms);
      else if (!(await this.#renew(journey))) throw last;
      else renewed = true;
    }
  }

  /** Before the gate, whose answer may have changed after the wait. Renewals never wait here. */
  async #passLimit<T>(journey: Journey<T>, limiter: RateLimiter, last: unknown): Promise<void> {
    const { request, scope } = journey;
    if (request.session === 'lease') return;
    const wait = limiter.take();
    if (wait === 0) {
      this.#detail?.waited(request.method, 0);
      return;
    }
    if (wait >= scope.left()) {
      limiter.giveBack();
      const message = `${target(request)}: not sent: its turn would come in ${Math.ceil(wait / 1000)} s`;
      throw new KilterError('TRANSPORT_RATE_LIMITED', message, { cause: last });
    }
    try {
      await this.#wait(journey, wait);
      this.#detail?.waited(request.method, wait);
    } catch (error) {
      limiter.giveBack();
      throw error;
    }
  }

  /** Just before the request leaves: nothing is awaited between the answer of the gate and the exchange. */
  #passGate(request: ApiRequest, last: unknown): void {
    const closed = request.guarded === true ? this.#options.gate?.closed() : undefined;
    if (closed === undefined) return;
    this.#measures.refused.inc();
    throw new KilterError('TRANSPORT_GATE_CLOSED', `${target(request)}: not sent: ${closed}`, { cause: last });
  }

  async #attempt<T>(journey: Journey<T>, last: unknown): Promise<Attempt<T>> {
    const { request, scope, take } = journey;
    try {
      const response = await this.#exchange(journey, last);
      this.#warn(response.headers.warning, request);
      if (response.status >= 200 && response.status < 300) {
        return { type: 'taken', value: await take.take(response, journey) };
      }
      return await this.#refused(journey, response);
    } catch (error) {
      if (scope.signal.aborted) throw this.#interrupted(journey, journey.sent);
      return failedAttempt(request, error);
    }
  }

  async #exchange<T>(journey: Journey<T>, last: unknown): Promise<ExchangeResponse> {
    const { scope } = journey;
    journey.exchange = this.#encode(journey, last);
    const pending = this.#connection.exchange(journey.exchange);
    try {
      const response = await orAbort(pending, scope.signal);
      this.#counted(journey, String(response.status));
      return response;
    } catch (error) {
      if (wasAttempt(error)) this.#counted(journey, '<error>');
      // An answer that comes after all is let go; a late failure is what was reported already.
      void pending.then(({ body }) => abandon(body[Symbol.asyncIterator]()), ignore);
      throw error;
    }
  }

  /** One attempt that was made, and what became of it. */
  #counted<T>(journey: Journey<T>, code: string): void {
    const { method } = journey.request;
    this.#measures.attempted(code, method);
    journey.made += 1;
    this.#detail?.sent(method, journey.exchange?.body?.length ?? 0);
    if (journey.made > 1) this.#detail?.retried(method, code);
  }

  #encode<T>(journey: Journey<T>, last: unknown): ExchangeRequest {
    const { request, scope, take } = journey;
    const { method, path, query, body, contentType } = request;
    const search = query?.toString() ?? '';
    const headers = this.#headers(request.accept ?? json, body === undefined ? undefined : (contentType ?? json));
    // Unless the connection says otherwise it sends at once.
    journey.sent = true;
    return {
      method,
      path: search === '' ? path : `${path}?${search}`,
      headers: request.headers === undefined ? headers : { ...request.headers, ...headers },
      body: body === undefined ? undefined : Buffer.from(body, 'utf8'),
      session: this.#sessionOf(request),
      signal: scope.signal,
      whole: take.whole,
      resumable: take.resumable,
      departure: {
        pending: (waitsFor) => {
          journey.sent = false;
          journey.waitsFor = waitsFor;
        },
        now: () => {
          this.#passGate(request, last);
          journey.sent = true;
          journey.waitsFor = undefined;
        },
      },
    };
  }

  /** Clients name a session whatever they send. Only where something guards them do writes need connections of their own. */
  #sessionOf({ session = 'default', guarded }: ApiRequest): Session {
    return session === 'default' && guarded === true && this.#options.gate !== undefined ? 'guarded' : session;
  }

  async #refused(
    { request, scope, take }: Pick<Journey<never>, 'request' | 'scope'> & { readonly take: Pick<Take<never>, 'whole'> },
    response: ExchangeResponse,
  ): Promise<{ outcome: Outcome; error: unknown }> {
    const { status, headers } = response;
    const text = await readBeginning(guardedBody(response.body, scope.signal, ignore), errorBodyLimit);
    if (take.whole === true) this.#detail?.received(request.method, Buffer.byteLength(text));
    const retryAfter = retryAfterOf(headers['retry-after'], this.#options.runtime.clock.now());
    const retryAfterSeconds = retryAfter === undefined ? undefined : Math.ceil(retryAfter / 1000);
    const contentType = headers['content-type'] ?? '';
    const error = answerError({ status, contentType, text, retryAfterSeconds }, request);
    return { outcome: { type: 'answer', status, retryAfter }, error };
  }

  async #wait<T>(journey: Journey<T>, ms: number): Promise<void> {
    const { request, scope } = journey;
    this.#options.logger.debug({ method: request.method, path: request.path, ms }, 'a request waits');
    try {
      await this.#options.runtime.clock.sleep(ms, scope.signal);
    } catch {
      // The sleep only ever fails with the scope's own reason, which says less than this.
      throw this.#interrupted(journey, false);
    }
  }

  async #renew<T>(journey: Journey<T>): Promise<boolean> {
    const { signal } = journey.scope;
    if (journey.exchange === undefined || this.#connection.renewCredentials === undefined) return false;
    try {
      return await orAbort(this.#connection.renewCredentials(journey.exchange), signal);
    } catch (error) {
      if (signal.aborted) throw this.#interrupted(journey, false);
      this.#options.logger.warn({ err: error }, 'credentials were refused and could not be reloaded');
      return false;
    }
  }

  /** What the caller learns when the scope aborted: its own reason, or that the deadline has passed. */
  #interrupted<T>({ request, scope, waitsFor, refusal }: Journey<T>, inFlight: boolean): unknown {
    if (!scope.expired) return scope.signal.reason;
    const seconds = (request.deadline ?? this.#options.deadline ?? defaultDeadline) / 1000;
    const { host } = this.#connection;
    if (waitsFor !== undefined) {
      const unsent = `${target(request)}: not sent to ${host} within ${seconds} s, it waited for ${waitsFor}`;
      return new KilterError('TRANSPORT_DEADLINE', unsent, {
        cure: `raise the deadline, or find out why it takes so long`,
      });
    }
    const message = `${target(request)}: no answer from ${host} within ${seconds} s`;
    const late = new KilterError('TRANSPORT_DEADLINE', message, { cause: refusal });
    return inFlight && request.method !== 'GET' ? outcomeUnknown(request, `no answer within ${seconds} s`, late) : late;
  }

  /** Counted; whoever reads the stream gets the error, and the cache warns of it. One that was ended from here is not a fault. */
  #streamError(error: unknown, scope: RequestScope): unknown {
    const reason = error instanceof KilterError ? error.code : 'TRANSPORT_CONNECTION_LOST';
    if (scope.signal.aborted || reason === 'TRANSPORT_CLOSED') return error;
    this.#measures.streamErrors.inc({ reason });
    this.#rarely(reason, (suppressed) => {
      this.#options.logger.debug({ ...inBrief(error), ...(suppressed > 0 && { suppressed }) }, 'a watch stream broke');
    });
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
    send: (request) => sender.run(request, sender.whole),
    sendForBytes: (request) => sender.run(request, sender.wholeBytes),
    stream: (request) => sender.run(request, sender.lines),
    batches: (request) => sender.run(request, sender.batches),
    chunks: (request) => sender.run(request, sender.chunks),
  };
}
