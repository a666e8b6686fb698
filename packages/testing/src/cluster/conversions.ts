import type { Kind } from 'kilter/api';
import type { ConversionEndpoint, Convertible } from 'kilter/crd';
import { systemRuntime, webhookHandler, type WebhookHandler } from 'kilter/runtime';
import type { Logger } from 'kilter';

const ignore = (): void => undefined;
const silent: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silent };
const unmeasured = { inc: ignore, set: ignore, observe: ignore };
const metrics = {
  counter: () => unmeasured,
  gauge: () => unmeasured,
  histogram: () => unmeasured,
  observed: () => ignore,
};

const isConvertible = (kind: Kind): kind is Kind & Convertible =>
  'convert' in kind && typeof kind.convert === 'function';

/** The conversions of what a test has installed: objects can be made and read in every version before an operator runs. */
export class Conversions {
  readonly #endpoint: ConversionEndpoint;
  readonly #kinds: Convertible[] = [];
  readonly handler: WebhookHandler = {
    paths: ['/convert'],
    answer: (call) => this.#current().answer(call),
  };

  constructor(endpoint: ConversionEndpoint) {
    this.#endpoint = endpoint;
  }

  /** Where the server finds the conversion of a kind from now on. */
  converting(kind: Kind): ConversionEndpoint {
    if (isConvertible(kind)) this.#kinds.push(kind);
    return this.#endpoint;
  }

  #current(): WebhookHandler {
    const { clock } = systemRuntime;
    return webhookHandler({ webhooks: [], kinds: this.#kinds, clock, logger: silent, metrics });
  }
}
