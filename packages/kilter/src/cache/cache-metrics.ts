import type { Counter, LabelValues, Metrics } from '../telemetry/index.ts';

/** What one informer has to show at the moment. */
export interface InformerGauges {
  /** `Kind.group`. */
  readonly label: string;
  readonly objects: number;
  readonly bytes: number;
  readonly synced: boolean;
  /** Since the last event or bookmark of the quietest stream, in seconds; undefined before the first. */
  readonly silence: number | undefined;
}

const silent: Counter = { inc: () => undefined };

/** The metrics of one cache. Without a registry nothing is counted. */
export class CacheMetrics {
  /** A LIST or watch-list that reads everything, by reason. */
  readonly resyncs: Counter;
  readonly restarts: Counter;
  readonly stalled: Counter;
  readonly errors: Counter;
  readonly skipped: Counter;
  readonly stale: Counter;
  readonly rewinds: Counter;
  readonly handlerErrors: Counter;
  readonly waits: Counter;
  readonly expiries: Counter;
  readonly differences: Counter;

  constructor(metrics: Metrics | undefined, informers: () => Iterable<InformerGauges>) {
    const counter = (name: string, help: string): Counter => metrics?.counter(name, help) ?? silent;
    this.resyncs = counter('kilter_cache_relists_total', 'Complete reads of a cached kind, by reason.');
    this.restarts = counter('kilter_watch_restarts_total', 'Watches resumed where they had stopped, by reason.');
    this.stalled = counter('kilter_watch_stalled_total', 'Watches closed because they exceeded their timeout.');
    this.errors = counter('kilter_cache_errors_total', 'Failed lists and watches, by code.');
    this.skipped = counter('kilter_cache_skipped_total', 'Events and objects that could not be used.');
    this.stale = counter('kilter_cache_stale_events_total', 'Events older than the cached object.');
    this.rewinds = counter('kilter_cache_rewinds_total', "Times the server's history went backwards.");
    this.handlerErrors = counter('kilter_cache_handler_errors_total', 'Changes whose handler threw.');
    this.waits = counter(
      'kilter_read_your_writes_waits_total',
      "Reads that waited for one of the operator's own writes.",
    );
    this.expiries = counter(
      'kilter_read_your_writes_expiries_total',
      'Reads whose awaited own write did not arrive in time.',
    );
    this.differences = counter(
      'kilter_cache_differences_total',
      "Objects whose cached state differed from the server's.",
    );
    if (metrics !== undefined) observe(metrics, informers);
  }
}

function observe(metrics: Metrics, informers: () => Iterable<InformerGauges>): void {
  const gauge = (name: string, help: string, value: (gauges: InformerGauges) => number | undefined): void =>
    void metrics.observed(name, help, () => perKind(informers(), value));
  gauge('kilter_cache_objects', 'Cached objects, by kind.', ({ objects }) => objects);
  gauge('kilter_cache_bytes', 'Length of the JSON text of the cached objects, by kind.', ({ bytes }) => bytes);
  metrics.observed('kilter_cache_synced', 'Whether every informer of the kind is synced.', () =>
    [...byLabel(informers())].map(([kind, all]) => [{ kind }, all.every(({ synced }) => synced) ? 1 : 0] as const),
  );
  metrics.observed('kilter_cache_silence_seconds', 'Time since the last event or bookmark of the quietest watch.', () =>
    [...byLabel(informers())].flatMap(([kind, all]) => {
      const known = all.flatMap(({ silence }) => (silence === undefined ? [] : [silence]));
      return known.length === 0 ? [] : [[{ kind }, Math.max(...known)] as const];
    }),
  );
}

function byLabel(informers: Iterable<InformerGauges>): Map<string, InformerGauges[]> {
  return Map.groupBy(informers, ({ label }) => label);
}

/** Summed over the informers of a kind. */
function perKind(
  informers: Iterable<InformerGauges>,
  value: (gauges: InformerGauges) => number | undefined,
): (readonly [LabelValues, number])[] {
  return [...byLabel(informers)].map(([kind, all]) => [{ kind }, all.reduce((sum, one) => sum + (value(one) ?? 0), 0)]);
}
