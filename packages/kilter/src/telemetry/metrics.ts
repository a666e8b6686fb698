/** Whoever uses the same ones often freezes them: then they are rendered once. */
export type LabelValues = Readonly<Record<string, string>>;

/** What led to a value, in words of the tracing system: `trace_id`, `span_id`. */
export interface Exemplar {
  readonly labels: LabelValues;
  readonly value: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Counter {
  inc(labels?: LabelValues, by?: number, exemplar?: Exemplar): void;
}
export interface Gauge {
  set(value: number, labels?: LabelValues): void;
}
export interface Histogram {
  observe(value: number, labels?: LabelValues, exemplar?: Exemplar): void;
}
/** Where rooms register what they measure. Asking twice for one name gives the same metric. */
export interface Metrics {
  counter(name: string, help: string): Counter;
  gauge(name: string, help: string): Gauge;
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** A gauge whose value is taken when the metrics are read. Gives how to end that. */
  observed(name: string, help: string, read: () => Iterable<readonly [LabelValues, number]>): () => void;
}

/** Bucket bounds of controller-runtime, so that existing dashboards work. */
export const buckets = {
  /** Seconds of runs, as controller-runtime counts them. */
  runs: [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75,
    2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
  ],
  /** Seconds in work queues, as client-go counts them. */
  queue: [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000],
  /** Seconds of requests, as client-go counts them. */
  requests: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  /** Bytes of bodies, as client-go counts them. */
  sizes: [64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216],
} as const;
