import type { LoopDelay, ProcessReadings } from '../internal/index.ts';
import type { Metrics } from './metrics.ts';

/** Prometheus' own names, which every dashboard knows; what the system does not tell is left out. */
export function registerProcessMetrics(metrics: Metrics, readings: ProcessReadings, loop: LoopDelay): void {
  const gauge = (name: string, help: string, read: () => number | undefined): void =>
    void metrics.observed(name, help, () => {
      const value = read();
      return value === undefined ? [] : [[{}, value]];
    });
  gauge('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.', () => readings.cpu());
  gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', () => readings.residentBytes());
  gauge('process_virtual_memory_bytes', 'Virtual memory size in bytes.', () => readings.virtualBytes());
  gauge('process_open_fds', 'Number of open file descriptors.', () => readings.openFiles());
  gauge('process_max_fds', 'Maximum number of open file descriptors.', () => readings.mostFiles);
  gauge(
    'process_start_time_seconds',
    'Start time of the process since unix epoch in seconds.',
    () => readings.startedAt,
  );
  metrics.observed('kilter_event_loop_delay_seconds', 'How late the event loop was since it was last asked.', () => {
    const { p50, p99, max } = loop.take();
    return [
      [{ quantile: '0.5' }, p50],
      [{ quantile: '0.99' }, p99],
      [{ quantile: '1' }, max],
    ];
  });
}
