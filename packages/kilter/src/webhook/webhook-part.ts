import type { Client } from '../client/index.ts';
import type { Convertible } from '../crd/index.ts';
import { inWords, KilterError } from '../errors/index.ts';
import { type Backoff, backoffDelay, type Runtime } from '../internal/index.ts';
import { inBrief, type Logger, type Metrics } from '../telemetry/index.ts';
import { frontOn, type WebhookFront } from './front.ts';
import { conversionPath, webhookHandler } from './handler.ts';
import { Registration } from './registration.ts';
import type { ResolvedWebhook } from './resolved-webhook.ts';
import type { ResolvedServing, WebhookGround } from './serving.ts';
import { openSocketFront } from './socket-front.ts';

export interface WebhookPartOptions {
  readonly operator: string;
  readonly webhooks: readonly ResolvedWebhook[];
  /** Kinds whose versions are converted. */
  readonly kinds: readonly Convertible[];
  /** Those of them that the operator only uses, by label. */
  readonly used: ReadonlySet<string>;
  /** Sockets, or a server of the same process. */
  readonly serving: ResolvedServing | WebhookGround;
  readonly bind: { readonly host?: string | undefined; readonly port: number };
  readonly namespace: string;
  /** How long the start may try, in milliseconds. */
  readonly startTimeout: number;
  /** A client whose requests end with the signal. */
  readonly clientUntil: (signal: AbortSignal) => Client;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const retries: Backoff = { base: 200, factor: 2, cap: 5000 };
// Written, then read again: what somebody else wrote in between is written once more.
const looks = 3;
// Nothing of ours has to be looked after in memory but what somebody may delete.
const groundCheck = 30_000;

const isGround = (serving: ResolvedServing | WebhookGround): serving is WebhookGround => 'open' in serving;

// Rights are granted and namespaces made while an operator starts; other replicas come to rest.
const mayHeal: ReadonlySet<string> = new Set(['WEBHOOK_SECRET_REFUSED', 'WEBHOOK_SECRET_CONTESTED']);

/** What trying again will not heal. */
const isFinal = (error: unknown): boolean =>
  error instanceof KilterError && error.code.startsWith('WEBHOOK_') && !mayHeal.has(error.code);

/** The webhooks of a running operator: served, registered, and kept so. Every replica has one, whoever leads. */
export class WebhookPart {
  readonly #options: WebhookPartOptions;
  readonly #client: Client;
  readonly #registration: Registration;
  #front: WebhookFront | undefined;
  /** The bundle that every configuration was last seen to hold. */
  #trusted: string | undefined;
  #keeping: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(options: WebhookPartOptions) {
    this.#options = options;
    // A server that hangs must not hold up the stop.
    this.#client = options.clientUntil(this.#closing.signal);
    this.#registration = new Registration({ ...options, client: this.#client });
  }

  /** Resolves once the API server can call; rejects where it never will. */
  async start(): Promise<void> {
    const front = await this.#persistently('webhooks cannot be served yet', () => this.#open());
    // Nobody would close it any more.
    if (this.#closing.signal.aborted) await front.close();
    this.#closing.signal.throwIfAborted();
    this.#front = front;
    if (this.#registers) {
      await this.#persistently('webhooks cannot be registered yet', async () => {
        await this.#registration.register(front.endpoint);
      });
      await this.#keep(front);
    }
    this.#keeping = this.#keepOn(front);
    const { logger, webhooks, kinds } = this.#options;
    const conversion = kinds.length > 0 ? [conversionPath] : [];
    logger.info({ paths: [...webhooks.map(({ path }) => path), ...conversion] }, 'webhooks are served');
  }

  /** Why webhooks are not served; undefined while they are. */
  async readiness(): Promise<string | undefined> {
    return this.#front === undefined ? 'webhooks are not served yet' : this.#front.readiness();
  }

  async close(): Promise<void> {
    this.#closing.abort(new KilterError('MANAGER_STOPPED', 'the operator is stopping'));
    await this.#keeping;
    await this.#front?.close();
  }

  get #registers(): boolean {
    const { serving } = this.#options;
    return isGround(serving) || serving.register;
  }

  #open(): Promise<WebhookFront> {
    const { operator, webhooks, kinds, serving, runtime, logger, metrics } = this.#options;
    const { clock } = runtime;
    const handler = webhookHandler({ webhooks, kinds, clock, logger, metrics });
    if (isGround(serving)) return Promise.resolve(frontOn(serving, operator, handler));
    const { bind, namespace } = this.#options;
    const client = this.#client;
    return openSocketFront({ operator, handler, serving, bind, namespace, client, clock, logger, metrics });
  }

  /** Tries again what may heal, for as long as a start may take. */
  async #persistently<T>(problem: string, work: () => Promise<T>): Promise<T> {
    const { runtime, logger, startTimeout } = this.#options;
    const { clock } = runtime;
    const end = clock.monotonic() + startTimeout;
    for (let failures = 1; ; failures += 1) {
      try {
        return await work();
      } catch (error) {
        this.#closing.signal.throwIfAborted();
        if (isFinal(error) || clock.monotonic() >= end) throw error;
        logger.warn({ reason: inWords(error) }, `${problem}; retrying`);
        await clock.sleep(backoffDelay(retries, failures) * (0.8 + 0.4 * runtime.random()), this.#closing.signal);
      }
    }
  }

  async #keep(front: WebhookFront): Promise<void> {
    if (!this.#registers) return;
    for (let look = 0; look < looks; look += 1) {
      const { endpoint } = front;
      if (!(await this.#registration.keep(endpoint))) continue;
      this.#trusted = endpoint.caBundle;
      return;
    }
  }

  async #attempt(problem: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#options.logger.warn(inBrief(error), `${problem}; retrying`);
    }
  }

  /** Until the end: certificates renewed, configurations true. What fails is tried again at the next look. */
  async #keepOn(front: WebhookFront): Promise<void> {
    const { runtime, serving } = this.#options;
    const every = isGround(serving) ? groundCheck : serving.checkEvery;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      // Replicas do not look at the same moment.
      await runtime.clock.sleep(every * (0.9 + 0.2 * runtime.random()), signal).catch(() => undefined);
      if (signal.aborted) return;
      // Each by itself: who may not renew certificates still has configurations to keep.
      await this.#attempt('webhook certificates could not be maintained', () => front.refresh(this.#trusted));
      await this.#attempt('webhook configurations could not be maintained', () => this.#keep(front));
    }
  }
}
