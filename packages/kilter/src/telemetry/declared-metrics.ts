import { inShort, KilterError, optionMistakes, type OptionNames } from '../errors/index.ts';

/** The labels of a metric: every value it may have, or 'any' where they are not known before. */
export type LabelDeclarations = Readonly<Record<string, readonly string[] | 'any'>>;

/** What a use of a metric has to name. */
export type LabelsOf<L extends LabelDeclarations> = {
  readonly [K in keyof L]: L[K] extends readonly (infer V extends string)[] ? V : string;
};

/** What every user-defined metric has. */
export interface MetricOptions<L extends LabelDeclarations = LabelDeclarations> {
  /** What it counts or measures, in a sentence: shown by Prometheus and Grafana. */
  help: string;
  /**
   * Its labels, each with its values: `{ result: ['ok', 'failed'], group: 'any' }`. Default: none. A counter whose
   * values are all known starts at 0, so that rates are right from the beginning. Never use the name of an object:
   * Prometheus keeps every combination it has ever seen.
   */
  labels?: L | undefined;
  /**
   * How many combinations of label values are kept. Default: 1000. Further ones share the value
   * `exceeded_cardinality_limit`, and one log line says so. Raise it if the values have a larger bound.
   */
  maxSeries?: number | undefined;
}

/** The options of a histogram: those of every metric, and its buckets. */
export interface HistogramOptions<L extends LabelDeclarations = LabelDeclarations> extends MetricOptions<L> {
  /**
   * Upper bounds, in ascending order. Default: 5 ms to 10 s, for durations in seconds. Choose them around the values
   * you are interested in.
   */
  buckets?: readonly number[] | undefined;
}

type MetricType = 'counter' | 'gauge' | 'histogram';

/** A user-defined metric: an inert declaration, for `operator({ metrics: [...] })`; used as `ctx.metric(declared)`. */
export interface Metric<T extends MetricType = MetricType, L extends LabelDeclarations = LabelDeclarations> {
  readonly type: T;
  readonly name: string;
  readonly help: string;
  readonly labels: L;
  readonly maxSeries: number;
  readonly buckets: readonly number[];
}

// Prometheus' own default, which fits what people wait for.
const usualBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Kilter's own, and those controller-runtime's dashboards know. */
const reserved = /^(kilter|controller_runtime|workqueue|rest_client|leader_election|certwatcher|process)_/;
/** Taken by the formats: a bound, a quantile, and what a scrape adds. */
const takenLabels: ReadonlySet<string> = new Set(['le', 'quantile', 'job', 'instance']);

const ofAll: OptionNames<MetricOptions> = { help: true, labels: true, maxSeries: true };
const ofHistograms: OptionNames<HistogramOptions> = { ...ofAll, buckets: true };
const knownOptions = { counter: ofAll, gauge: ofAll, histogram: ofHistograms } as const;

const invalid = (message: string): KilterError => new KilterError('METRIC_INVALID', message);

function checkName(name: unknown, type: MetricType): asserts name is string {
  if (typeof name !== 'string' || !/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name)) {
    throw invalid(`a metric has a name of letters, digits, '_' and ':', not ${inShort(name)}`);
  }
  if (reserved.test(name)) throw new KilterError('METRIC_NAME_TAKEN', `${name} has a prefix of Kilter's own metrics`);
  if (type === 'counter' && !name.endsWith('_total')) {
    throw invalid(`the counter ${name} must be called ${name}_total: OpenMetrics requires that suffix`);
  }
  if (type !== 'counter' && /_(total|bucket|sum|count|created|info)$/.test(name)) {
    throw invalid(`${name} has a suffix reserved for counters and parts of histograms`);
  }
}

function checkLabels(name: string, labels: unknown): asserts labels is LabelDeclarations {
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) {
    throw invalid(`labels of ${name} must be an object such as { result: ['ok', 'failed'] }, not ${inShort(labels)}`);
  }
  for (const [label, values] of Object.entries(labels)) {
    if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label) || label.startsWith('__') || takenLabels.has(label)) {
      throw invalid(`${name} cannot have a label ${JSON.stringify(label)}`);
    }
    const list = Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string');
    if (values !== 'any' && !list) {
      throw invalid(`the label ${label} of ${name} takes a list of its values, or 'any', not ${inShort(values)}`);
    }
  }
}

function checkBuckets(name: string, buckets: readonly number[]): void {
  const grow = Array.isArray(buckets) && buckets.every((bound, i) => bound > (buckets[i - 1] ?? -Infinity));
  if (!grow || buckets.length === 0 || buckets.length > 200 || !buckets.every(Number.isFinite)) {
    throw invalid(`buckets of ${name} must be 1 to 200 finite numbers, each above the one before`);
  }
}

function declare<T extends MetricType, L extends LabelDeclarations>(
  type: T,
  name: string,
  options: HistogramOptions<L>,
): Metric<T, L> {
  checkName(name, type);
  const [mistake] = optionMistakes(name, options ?? {}, knownOptions[type] as OptionNames<HistogramOptions<L>>);
  if (mistake !== undefined) throw invalid(mistake);
  const { help, labels = {}, maxSeries = 1000, buckets = usualBuckets } = options ?? {};
  if (typeof help !== 'string' || help === '')
    throw invalid(`${name} needs a help text: what does it count or measure?`);
  checkLabels(name, labels);
  if (!Number.isSafeInteger(maxSeries) || maxSeries < 1) {
    throw invalid(`maxSeries of ${name} must be a whole number of at least 1, not ${inShort(maxSeries)}`);
  }
  if (type === 'histogram') checkBuckets(name, buckets);
  return Object.freeze({ type, name, help, labels: labels as L, maxSeries, buckets });
}

/** Something that only grows: `counter('shop_orders_total', { help: 'Orders by result.', labels: { result: ['ok', 'failed'] } })`. */
export function counter<const L extends LabelDeclarations = Record<never, never>>(
  name: string,
  options: MetricOptions<L>,
): Metric<'counter', L> {
  return declare('counter', name, options);
}

/** Something that goes up and down: `gauge('shop_open_orders', { help: 'Orders not delivered.' })`. */
export function gauge<const L extends LabelDeclarations = Record<never, never>>(
  name: string,
  options: MetricOptions<L>,
): Metric<'gauge', L> {
  return declare('gauge', name, options);
}

/**
 * The distribution of values: `histogram('shop_delivery_seconds', { help: 'Order to delivery.', buckets: [60, 600,
 * 3600] })`.
 */
export function histogram<const L extends LabelDeclarations = Record<never, never>>(
  name: string,
  options: HistogramOptions<L>,
): Metric<'histogram', L> {
  return declare('histogram', name, options);
}

/** Every name a metric stands under, in either format. */
export function namesOf({ type, name }: { readonly type: string; readonly name: string }): readonly string[] {
  if (type === 'counter') return [name, name.replace(/_total$/, '')];
  return type === 'histogram' || type === 'summary'
    ? [name, ...['_bucket', '_sum', '_count'].map((end) => name + end)]
    : [name];
}

/** Those of an operator: each with its own name. */
export function checkMetrics(metrics: readonly Metric[]): readonly Metric[] {
  if (!Array.isArray(metrics)) throw invalid(`metrics takes a list of metrics, not ${inShort(metrics)}`);
  const wrong = metrics.findIndex((one) => typeof one?.name !== 'string' || typeof one.maxSeries !== 'number');
  if (wrong >= 0) throw invalid(`metrics[${wrong}] is not a metric: make it with counter, gauge or histogram`);
  const taken = new Map<string, Metric>();
  // The same declaration twice, as from two modules that share it, is one metric.
  for (const metric of new Set(metrics)) {
    for (const name of namesOf(metric)) {
      const other = taken.get(name);
      if (other !== undefined) {
        throw new KilterError(
          'METRIC_NAME_TAKEN',
          `the ${metric.type} ${metric.name} clashes with the ${other.type} ${other.name}`,
        );
      }
      taken.set(name, metric);
    }
  }
  return [...new Set(metrics)];
}
