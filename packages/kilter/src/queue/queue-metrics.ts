import { buckets, type LabelValues, type Metrics } from '../telemetry/index.ts';

/** What is measured while keys pass. Durations in milliseconds. */
export interface QueueMeter {
  added(): void;
  delayed(): void;
  taken(waited: number): void;
  finished(worked: number): void;
}

/** What is looked up when metrics are read. */
export interface QueueState {
  /** The priorities of all keys that want to run now. */
  priorities(): Iterable<number>;
  /** How long each key in progress has been worked on, in milliseconds. */
  running(): readonly number[];
  /** How long the key that has waited longest has been ready, in milliseconds. */
  oldestReady(): number;
}

const silent: QueueMeter = {
  added: () => undefined,
  delayed: () => undefined,
  taken: () => undefined,
  finished: () => undefined,
};

// controller-runtime's bound: a priority per key must not become a time series per key.
const mostPriorities = 25;

/** Names priorities for a label; those beyond the bound share one name. */
export function priorityLabels(): {
  readonly nameOf: (priority: number) => string;
  readonly known: ReadonlySet<string>;
} {
  const known = new Set<string>();
  const nameOf = (priority: number): string => {
    const name = String(priority);
    if (known.has(name)) return name;
    if (known.size >= mostPriorities) return 'exceeded_cardinality_limit';
    known.add(name);
    return name;
  };
  return { nameOf, known };
}

// Of keys that are added without one.
const usualPriority = 0;

function observeDepth(metrics: Metrics, labels: LabelValues, state: QueueState): void {
  const { nameOf, known } = priorityLabels();
  // There before the first scrape that meets a waiting key, which an idle queue may never have.
  nameOf(usualPriority);
  metrics.observed('workqueue_depth', 'Keys that are ready to run.', () => {
    // A level that emptied is told as 0, not left out: a gauge that vanishes reads as a missing target.
    const counts = new Map<string, number>([...known].map((name) => [name, 0]));
    for (const priority of state.priorities()) {
      const name = nameOf(priority);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].map(([priority, count]) => [{ ...labels, priority }, count] as const);
  });
}

/** The metrics of controller-runtime's work queue, under the same names. */
export function queueMeter(metrics: Metrics | undefined, name: string, state: QueueState): QueueMeter {
  if (metrics === undefined) return silent;
  const labels = Object.freeze({ name, controller: name });
  const adds = metrics.counter('workqueue_adds_total', 'Keys added, each counted once until it is taken.');
  const retries = metrics.counter('workqueue_retries_total', 'Keys added with a delay.');
  const waits = metrics.histogram('workqueue_queue_duration_seconds', 'Time from ready to taken.', buckets.queue);
  const works = metrics.histogram('workqueue_work_duration_seconds', 'Time from taken to done.', buckets.queue);
  adds.inc(labels, 0);
  retries.inc(labels, 0);
  observeDepth(metrics, labels, state);
  const total = (): number => state.running().reduce((sum, ms) => sum + ms, 0);
  const longest = (): number => Math.max(0, ...state.running());
  const observe = (metric: string, help: string, read: () => number): void =>
    void metrics.observed(metric, help, () => [[labels, read() / 1000]]);
  observe('workqueue_unfinished_work_seconds', 'Total time spent on the keys in progress.', total);
  observe('workqueue_longest_running_processor_seconds', 'Time spent on the key longest in progress.', longest);
  observe('kilter_workqueue_oldest_ready_seconds', 'Age of the oldest ready key.', () => state.oldestReady());
  return {
    added: () => adds.inc(labels),
    delayed: () => retries.inc(labels),
    taken: (waited) => waits.observe(waited / 1000, labels),
    finished: (worked) => works.observe(worked / 1000, labels),
  };
}
