// What operators tell people: log lines, metrics, and the journal of runs, behind small interfaces.
export {
  checkMetrics,
  counter,
  gauge,
  histogram,
  type HistogramOptions,
  type LabelDeclarations,
  type LabelsOf,
  type Metric,
  type MetricOptions,
} from './declared-metrics.ts';
export { contentTypes, exposition, type Family, type Format, negotiate } from './exposition.ts';
export { ForeignRegistries, type ForeignRegistry } from './foreign-registries.ts';
export { lazyLogger } from './lazy-logger.ts';
export {
  type FieldChange,
  Journal,
  type RecordedRun,
  type RunPhases,
  type RunRecord,
  type WriteRecord,
} from './journal.ts';
export { isSensitive, mask, masked } from './masking.ts';
export { inBrief, jsonLogger, type Level, type Logger, type LoggerOptions, silentLogger } from './logger.ts';
export {
  buckets,
  type Counter,
  type Exemplar,
  type Gauge,
  type Histogram,
  type LabelValues,
  type Metrics,
} from './metrics.ts';
export { loadOpenTelemetry, openTelemetry, type OpenTelemetryApi } from './open-telemetry.ts';
export { OwnMetrics } from './own-metrics.ts';
export { asLogger, missingMethod, type PlainLogger } from './plain-logger.ts';
export { registerProcessMetrics } from './process-metrics.ts';
export { rareLog } from './rare-log.ts';
export { MetricsRegistry } from './registry.ts';
export { terminalLogger } from './terminal-logger.ts';
export { steadyLogger } from './steady-logger.ts';
export type { Span, SpanAttributes, Tracing } from './tracing.ts';
export { type MetricUse, type UseMetric, userMetrics } from './user-metrics.ts';
export { type Watchdog, watchLoop } from './watchdog.ts';
