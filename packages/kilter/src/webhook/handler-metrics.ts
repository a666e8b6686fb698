import { buckets, type Counter, type LabelValues, type Metrics } from '../telemetry/index.ts';

/** The metrics of controller-runtime's webhook server. */
export class HandlerMetrics {
  readonly #latency;
  readonly #requests;
  readonly #inFlight;
  /** Calls being answered, by path. */
  readonly #running = new Map<string, number>();
  readonly panics: Counter;
  readonly conversionPanics: Counter;

  constructor(metrics: Metrics, paths: Iterable<string>) {
    this.#latency = metrics.histogram(
      'controller_runtime_webhook_latency_seconds',
      'Histogram of the latency of processing admission requests',
      buckets.queue,
    );
    this.#requests = metrics.counter(
      'controller_runtime_webhook_requests_total',
      'Total number of admission requests by HTTP status code.',
    );
    this.#inFlight = metrics.gauge(
      'controller_runtime_webhook_requests_in_flight',
      'Current number of admission requests being served.',
    );
    this.panics = metrics.counter('controller_runtime_webhook_panics_total', 'Total number of webhook panics');
    this.conversionPanics = metrics.counter(
      'controller_runtime_conversion_webhook_panics_total',
      'Total number of conversion webhook panics',
    );
    this.panics.inc({}, 0);
    this.conversionPanics.inc({}, 0);
    for (const webhook of paths) {
      for (const code of ['200', '500']) this.#requests.inc(this.#labels(webhook, code), 0);
      this.#inFlight.set(0, this.#labels(webhook));
    }
  }

  began(webhook: string): void {
    this.#count(webhook, 1);
  }

  ended(webhook: string, { code, seconds }: { readonly code: number; readonly seconds: number }): void {
    this.#count(webhook, -1);
    this.#requests.inc(this.#labels(webhook, String(code)));
    this.#latency.observe(seconds, this.#labels(webhook));
  }

  #count(webhook: string, by: 1 | -1): void {
    const now = (this.#running.get(webhook) ?? 0) + by;
    this.#running.set(webhook, now);
    this.#inFlight.set(now, this.#labels(webhook));
  }

  /** Frozen, so that each is rendered once. */
  readonly #known = new Map<string, LabelValues>();
  #labels(webhook: string, code?: string): LabelValues {
    const key = `${webhook} ${code ?? ''}`;
    const known = this.#known.get(key) ?? Object.freeze(code === undefined ? { webhook } : { webhook, code });
    this.#known.set(key, known);
    return known;
  }
}
