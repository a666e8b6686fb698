import type { Metrics } from './metrics.ts';

/** Metrics as one user of a registry registers them, whose observed gauges end together. What was counted stays. */
export class OwnMetrics implements Metrics {
  readonly #metrics: Metrics;
  readonly #ends: (() => void)[] = [];

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  counter(...given: Parameters<Metrics['counter']>): ReturnType<Metrics['counter']> {
    return this.#metrics.counter(...given);
  }

  gauge(...given: Parameters<Metrics['gauge']>): ReturnType<Metrics['gauge']> {
    return this.#metrics.gauge(...given);
  }

  histogram(...given: Parameters<Metrics['histogram']>): ReturnType<Metrics['histogram']> {
    return this.#metrics.histogram(...given);
  }

  observed(...given: Parameters<Metrics['observed']>): ReturnType<Metrics['observed']> {
    const end = this.#metrics.observed(...given);
    this.#ends.push(end);
    return end;
  }

  /** Somebody else may register gauges of the same labels after this. */
  end(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}
