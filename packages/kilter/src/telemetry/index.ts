// What operators tell people: log lines, metrics, and the journal of runs, behind small interfaces.
export { lazyLogger } from './lazy-logger.ts';
export { Journal, type RunRecord } from './journal.ts';
export { inBrief, jsonLogger, type Level, type Logger, type LoggerOptions, silentLogger } from './logger.ts';
export { buckets, type Counter, type Gauge, type Histogram, type LabelValues, type Metrics } from './metrics.ts';
export { registerProcessMetrics } from './process-metrics.ts';
export { MetricsRegistry } from './registry.ts';
export { steadyLogger } from './steady-logger.ts';
