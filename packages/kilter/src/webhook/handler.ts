import { convertReview, type Convertible } from '../crd/index.ts';
import { inWords, KilterError, toldThrown } from '../errors/index.ts';
import { type Clock, parseDuration } from '../internal/index.ts';
import { inBrief, type Logger, type Metrics } from '../telemetry/index.ts';
import { type AdmissionResponse, identityOf, notAReview, requestOf } from './admission-request.ts';
import { admit } from './admit.ts';
import { HandlerMetrics } from './handler-metrics.ts';
import type { ResolvedWebhook } from './resolved-webhook.ts';
import { unreadable } from './verdict.ts';

/** One call from the API server, however it arrived. */
export interface WebhookCall {
  readonly path: string;
  readonly contentType: string | undefined;
  /** JSON; undefined if it was too large to read. */
  readonly body: string | undefined;
  /** How long the API server waits, in Go's form: `10s`. */
  readonly timeout?: string | undefined;
}
/** The answer to one call. */
export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}
/** Answers reviews; knows nothing of sockets. */
export interface WebhookHandler {
  readonly paths: readonly string[];
  /** Never rejects. */
  answer(call: WebhookCall): Promise<WebhookAnswer>;
}

export interface HandlerOptions {
  readonly webhooks: readonly ResolvedWebhook[];
  /** Kinds whose versions are converted. */
  readonly kinds: readonly Convertible[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export const conversionPath = '/convert';

const json = (body: object): WebhookAnswer => ({
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify(body),
});
const plain = (status: number, body: string): WebhookAnswer => ({
  status,
  contentType: 'text/plain',
  body: `${body}\n`,
});

// Where nobody says how long they wait: the longest that a configuration can have.
const longestWait = 30_000;

/** A little less than the API server waits: it is to hear the reason, not to guess it. */
function patienceOf(timeout: string | undefined): number {
  const wait = parseDuration((timeout ?? '') as '1s') ?? longestWait;
  const bounded = Math.min(Math.max(wait, 1), longestWait);
  return bounded - Math.min(500, bounded / 10);
}

/** The review in a call. Throws what says why there is none. */
function reviewIn({ contentType, body }: WebhookCall): unknown {
  if (body === undefined) throw notAReview('the body is too large');
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw notAReview(`the content type is ${JSON.stringify(contentType ?? '')}, not application/json`);
  }
  if (body.trim() === '') throw notAReview('the body is empty');
  try {
    return JSON.parse(body) as unknown;
  } catch (cause) {
    throw notAReview(`the body is not JSON: ${inWords(cause)}`);
  }
}

class Handler implements WebhookHandler {
  readonly paths: readonly string[];
  readonly #options: HandlerOptions;
  readonly #webhooks: ReadonlyMap<string, ResolvedWebhook>;
  readonly #metrics: HandlerMetrics;

  constructor(options: HandlerOptions) {
    this.#options = options;
    this.#webhooks = new Map(options.webhooks.map((webhook) => [webhook.path, webhook]));
    this.paths = [...this.#webhooks.keys(), ...(options.kinds.length > 0 ? [conversionPath] : [])];
    this.#metrics = new HandlerMetrics(options.metrics, this.paths);
  }

  async answer(call: WebhookCall): Promise<WebhookAnswer> {
    if (!this.paths.includes(call.path)) return plain(404, '404 page not found');
    const { clock, logger } = this.#options;
    const start = clock.monotonic();
    this.#metrics.began(call.path);
    let answer = plain(500, 'internal error');
    try {
      const webhook = this.#webhooks.get(call.path);
      answer = webhook === undefined ? this.#convert(call) : await this.#admit(webhook, call);
    } catch (error) {
      // None of the user's functions leads here: whatever it is, the server continues, and nothing was admitted.
      logger.error({ err: error, webhook: call.path }, 'a webhook could not be answered');
    } finally {
      this.#metrics.ended(call.path, { code: answer.status, seconds: (clock.monotonic() - start) / 1000 });
    }
    return answer;
  }

  async #admit(webhook: ResolvedWebhook, call: WebhookCall): Promise<WebhookAnswer> {
    const reply = (review: unknown, response: AdmissionResponse): WebhookAnswer =>
      json({ kind: 'AdmissionReview', apiVersion: identityOf(review).apiVersion, response });
    let review: unknown;
    let request;
    try {
      review = reviewIn(call);
      request = requestOf(review);
    } catch (error) {
      const { uid } = identityOf(review);
      return reply(review, { uid, allowed: false, status: unreadable(call.body === undefined ? 413 : 400, error) });
    }
    const failed = (error: unknown): void => this.#tellThrown(webhook, error);
    const over = new AbortController();
    const patience = patienceOf(call.timeout);
    const timer = this.#options.clock.timer(patience, () => over.abort(lateness(webhook, patience)));
    try {
      return reply(review, await admit(webhook, request, { signal: over.signal, failed }));
    } catch (error) {
      if (!over.signal.aborted) throw error;
      // Not a verdict: what happens now is for the failure policy to say.
      this.#options.logger.error({ ...inBrief(error), webhook: webhook.path }, 'a webhook did not answer in time');
      return plain(504, inWords(error));
    } finally {
      timer.cancel();
    }
  }

  #tellThrown({ path }: ResolvedWebhook, error: unknown): void {
    this.#metrics.panics.inc();
    this.#options.logger.error(
      { err: toldThrown(error), webhook: path },
      'the function of a webhook threw; the request is refused',
    );
  }

  #convert(call: WebhookCall): WebhookAnswer {
    const { kinds, logger } = this.#options;
    try {
      const answer = convertReview(kinds, reviewIn(call), { logger: { warn: (message) => logger.warn(message) } });
      if (answer.response?.result.status === 'Failure') this.#metrics.conversionPanics.inc();
      return json(answer);
    } catch (error) {
      const result = { status: 'Failure', message: inWords(error) };
      const apiVersion = 'apiextensions.k8s.io/v1';
      return json({ kind: 'ConversionReview', apiVersion, response: { uid: '', result, convertedObjects: [] } });
    }
  }
}

function lateness({ path }: ResolvedWebhook, patience: number): KilterError {
  return new KilterError('WEBHOOK_TIMEOUT', `the function behind ${path} has not answered after ${patience / 1000} s`);
}

/** The handler of all webhooks and conversions of an operator. */
export function webhookHandler(options: HandlerOptions): WebhookHandler {
  return new Handler(options);
}
