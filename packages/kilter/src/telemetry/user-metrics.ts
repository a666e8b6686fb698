import { inShort, KilterError } from '../errors/index.ts';
import type { LabelDeclarations, LabelsOf, Metric } from './declared-metrics.ts';
import type { Logger } from './logger.ts';
import type { Exemplar, LabelValues, Metrics } from './metrics.ts';

/** Labels come first, where the metric has any. */
type Given<L extends LabelDeclarations, Rest extends unknown[]> = keyof L extends never
  ? Rest
  : [labels: LabelsOf<L>, ...rest: Rest];

export interface CounterUse<L extends LabelDeclarations> {
  /** Counts one more, or `by` more. */
  inc(...given: Given<L, [by?: number]>): void;
}
export interface GaugeUse<L extends LabelDeclarations> {
  set(...given: Given<L, [value: number]>): void;
  /** Changes it by so much, down where that is negative. */
  add(...given: Given<L, [by: number]>): void;
}
export interface HistogramUse<L extends LabelDeclarations> {
  observe(...given: Given<L, [value: number]>): void;
}
/** What a run does with a metric it declared. */
export type MetricUse<M extends Metric> =
  M extends Metric<'counter', infer L>
    ? CounterUse<L>
    : M extends Metric<'gauge', infer L>
      ? GaugeUse<L>
      : M extends Metric<'histogram', infer L>
        ? HistogramUse<L>
        : never;

/** How metrics of your own are used, in runs and in parts. */
export type UseMetric = <M extends Metric>(declared: M) => MetricUse<M>;

export interface UserMetricsOptions {
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** What a value is connected with, if anything: the trace of the run. */
  readonly exemplar: (value: number) => Exemplar | undefined;
}

const beyond = 'exceeded_cardinality_limit';

/** Every combination of labels whose values are all known; undefined where one is not. */
function combinations(labels: LabelDeclarations): LabelValues[] | undefined {
  let all: LabelValues[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    if (values === 'any') return undefined;
    all = all.flatMap((one) => values.map((value) => ({ ...one, [label]: value })));
  }
  return all;
}

/** One metric of the user: its series are bounded, and no use of it harms who uses it. */
class UserMetric {
  readonly #metric: Metric;
  readonly #logger: Logger;
  readonly #names: readonly string[];
  /** By the label values in declared order; at most `maxSeries`. Frozen, so that each is rendered once. */
  readonly #series = new Map<string, LabelValues>();
  readonly #others: LabelValues;
  /** What was said already: once is enough. */
  readonly #told = new Set<string>();

  constructor(metric: Metric, logger: Logger) {
    this.#metric = metric;
    this.#logger = logger;
    this.#names = Object.keys(metric.labels);
    this.#others = Object.freeze(Object.fromEntries(this.#names.map((name) => [name, beyond])));
  }

  /** The labels and the number of a call; undefined for a call that cannot be counted. */
  read(given: readonly unknown[], fallback?: number): { labels: LabelValues; value: number } | undefined {
    const [first, second] = this.#names.length === 0 ? [{}, given[0]] : given;
    const value = second === undefined ? fallback : second;
    if (typeof value !== 'number' || Number.isNaN(value)) return this.#refuse(`was given ${inShort(value)} as a value`);
    if (this.#metric.type === 'counter' && value < 0) return this.#refuse(`cannot go down by ${value}`);
    const labels = this.#labels(first);
    return labels && { labels, value };
  }

  #labels(given: unknown): LabelValues | undefined {
    if (this.#names.length === 0) return this.#others;
    if (typeof given !== 'object' || given === null) return this.#refuse(`needs the labels ${this.#names.join(', ')}`);
    const values = this.#names.map((name) => (given as Record<string, unknown>)[name]);
    const missing = values.findIndex((value) => typeof value !== 'string');
    if (missing >= 0) return this.#refuse(`needs a text for the label ${this.#names[missing]}`);
    const key = JSON.stringify(values);
    return this.#series.get(key) ?? this.#another(key, values as string[], Object.keys(given));
  }

  /** A combination that is used for the first time. */
  #another(key: string, values: readonly string[], given: readonly string[]): LabelValues | undefined {
    const { labels, maxSeries } = this.#metric;
    const unknown = given.find((name) => !Object.hasOwn(labels, name));
    if (unknown !== undefined) return this.#refuse(`has no label ${unknown}`);
    for (const [i, name] of this.#names.entries()) {
      const known = labels[name] ?? 'any';
      const value = values[i] ?? '';
      if (known !== 'any' && !known.includes(value)) return this.#refuse(`does not declare ${name}=${inShort(value)}`);
    }
    if (this.#series.size >= maxSeries) {
      this.#tell(
        new KilterError(
          'METRIC_SERIES_LIMIT',
          `${this.#metric.name} has more than ${maxSeries} combinations of label values`,
        ),
      );
      return this.#others;
    }
    const made = Object.freeze(Object.fromEntries(this.#names.map((name, i) => [name, values[i] ?? ''])));
    this.#series.set(key, made);
    return made;
  }

  #refuse(what: string): undefined {
    this.#tell(new KilterError('METRIC_USE_INVALID', `${this.#metric.name} ${what}; the value is not counted`));
  }

  #tell(error: KilterError): void {
    if (this.#told.has(error.code)) return;
    this.#told.add(error.code);
    this.#logger.error(
      { error: error.message, code: error.code, metric: this.#metric.name },
      'a metric is used in a way that it does not allow; this is logged once',
    );
  }
}

type AnyUse = CounterUse<LabelDeclarations> | GaugeUse<LabelDeclarations> | HistogramUse<LabelDeclarations>;

function counterUse(metric: Metric, own: UserMetric, { metrics, exemplar }: UserMetricsOptions): AnyUse {
  const kept = metrics.counter(metric.name, metric.help);
  for (const labels of (combinations(metric.labels) ?? []).slice(0, metric.maxSeries)) kept.inc(labels, 0);
  return {
    inc: (...given: unknown[]) => {
      const read = own.read(given, 1);
      if (read !== undefined) kept.inc(read.labels, read.value, exemplar(read.value));
    },
  };
}

function gaugeUse(metric: Metric, own: UserMetric, { metrics }: UserMetricsOptions): AnyUse {
  const kept = metrics.gauge(metric.name, metric.help);
  const values = new Map<LabelValues, number>();
  const set = (labels: LabelValues, value: number): void => {
    values.set(labels, value);
    kept.set(value, labels);
  };
  return {
    set: (...given: unknown[]) => {
      const read = own.read(given);
      if (read !== undefined) set(read.labels, read.value);
    },
    add: (...given: unknown[]) => {
      const read = own.read(given);
      if (read !== undefined) set(read.labels, (values.get(read.labels) ?? 0) + read.value);
    },
  };
}

function histogramUse(metric: Metric, own: UserMetric, { metrics, exemplar }: UserMetricsOptions): AnyUse {
  const kept = metrics.histogram(metric.name, metric.help, metric.buckets);
  return {
    observe: (...given: unknown[]) => {
      const read = own.read(given);
      if (read !== undefined) kept.observe(read.value, read.labels, exemplar(read.value));
    },
  };
}

const uses = { counter: counterUse, gauge: gaugeUse, histogram: histogramUse } as const;

/** The metrics an operator declares, on its registry from the start. */
export function userMetrics(declared: readonly Metric[], options: UserMetricsOptions): UseMetric {
  const made = new Map<Metric, AnyUse>(
    declared.map((metric) => [metric, uses[metric.type](metric, new UserMetric(metric, options.logger), options)]),
  );
  return ((metric: Metric) => {
    const found = made.get(metric);
    if (found !== undefined) return found;
    throw new KilterError('METRIC_UNDECLARED', `${inShort(metric?.name)} is not among the metrics of this operator`);
  }) as UseMetric;
}
