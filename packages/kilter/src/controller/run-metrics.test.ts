import { expect, test } from 'vitest';
import { MetricsRegistry } from '../telemetry/index.ts';
import type { Outcome } from './outcome.ts';
import { RunMetrics } from './run-metrics.ts';

const outcome = (result: Outcome['result'], more: Partial<Outcome> = {}): Outcome => ({
  next: { type: 'forget' },
  result,
  terminal: false,
  panic: false,
  error: undefined,
  ...more,
});

function setUp() {
  const registry = new MetricsRegistry();
  const metrics = new RunMetrics(registry, 'c', 3);
  const value = (name: string, labels = ''): string | undefined =>
    registry
      .text()
      .split('\n')
      .find((line) => line.startsWith(`${name}{controller="c"${labels}}`))
      ?.split(' ')[1];
  return { metrics, value };
}
const results = ['success', 'error', 'requeue', 'requeue_after'] as const;
const counters = ['reconcile_errors', 'terminal_reconcile_errors', 'reconcile_panics', 'reconcile_timeouts'];

test('every series is there before the first run', () => {
  const { value } = setUp();
  for (const result of results) expect(value('controller_runtime_reconcile_total', `,result="${result}"`)).toBe('0');
  for (const counter of counters) expect(value(`controller_runtime_${counter}_total`)).toBe('0');
  expect(value('controller_runtime_active_workers')).toBe('0');
  expect(value('kilter_stuck_runs')).toBe('0');
  expect(value('controller_runtime_max_concurrent_reconciles')).toBe('3');
});

test('runs are counted while they last, and by their result', () => {
  const { metrics, value } = setUp();
  metrics.started();
  metrics.started();
  expect(value('controller_runtime_active_workers')).toBe('2');
  metrics.ended(outcome('success'), 0.5);
  expect(value('controller_runtime_active_workers')).toBe('1');
  metrics.ended(outcome('requeue_after'), 0.25);
  expect(value('controller_runtime_active_workers')).toBe('0');
  expect(value('controller_runtime_reconcile_total', ',result="success"')).toBe('1');
  expect(value('controller_runtime_reconcile_total', ',result="requeue_after"')).toBe('1');
  expect(counters.map((counter) => value(`controller_runtime_${counter}_total`))).toEqual(['0', '0', '0', '0']);
  expect(value('controller_runtime_reconcile_time_seconds_sum')).toBe('0.75');
  expect(value('controller_runtime_reconcile_time_seconds_count')).toBe('2');
});

test.each([
  ['an error', {}, ['1', '0', '0', '0']],
  ['a terminal one', { terminal: true }, ['1', '1', '0', '0']],
  ['a programming error', { panic: true }, ['1', '0', '1', '0']],
])('%s is counted as what it is', (_, more, counted) => {
  const { metrics, value } = setUp();
  metrics.ended(outcome('error', more), 0);
  expect(counters.map((counter) => value(`controller_runtime_${counter}_total`))).toEqual(counted);
});

test('a run that outlives its timeout is stuck until it ends', () => {
  const { metrics, value } = setUp();
  metrics.timedOut();
  metrics.timedOut();
  expect([value('kilter_stuck_runs'), value('controller_runtime_reconcile_timeouts_total')]).toEqual(['2', '2']);
  metrics.cameBack();
  expect([value('kilter_stuck_runs'), value('controller_runtime_reconcile_timeouts_total')]).toEqual(['1', '2']);
});
