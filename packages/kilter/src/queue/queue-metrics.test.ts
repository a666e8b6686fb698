import { describe, expect, test } from 'vitest';
import type { Cause } from '../api/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { MetricsRegistry } from '../telemetry/index.ts';
import { priorityLabels } from './queue-metrics.ts';
import type { Work } from './work.ts';
import { workQueue } from './work-queue.ts';

const cause: Cause = { source: 'primary', change: 'update' };
const labels = 'controller="webapp",name="webapp"';

function setup() {
  const runtime = virtualRuntime();
  const registry = new MetricsRegistry();
  const queue = workQueue({ name: 'webapp', runtime, metrics: registry });
  const value = (series: string): number | undefined => {
    const line = registry
      .text()
      .split('\n')
      .find((text) => text.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  };
  return { queue, runtime, clock: runtime.clock, value };
}

describe('queue metrics', () => {
  test('WQ-11: depth counts keys that want to run now, one re-added while running included, delayed ones not', async () => {
    const { queue, value } = setup();
    queue.add({ name: 'x' }, cause);
    queue.add({ name: 'low' }, cause, { priority: -100 });
    queue.addAfter({ name: 'later' }, 1000, cause);
    await queue.take();
    queue.add({ name: 'x' }, cause);
    expect(value(`workqueue_depth{${labels},priority="0"}`)).toBe(1);
    expect(value(`workqueue_depth{${labels},priority="-100"}`)).toBe(1);
    expect(queue.depth).toBe(2);
    queue.add({ name: 'urgent' }, cause, { priority: 50 });
    queue.add({ name: 'urgent-too' }, cause, { priority: 50 });
    expect(value(`workqueue_depth{${labels},priority="50"}`)).toBe(2);
    queue.done((await queue.take()) as Work, { type: 'forget' });
    queue.done((await queue.take()) as Work, { type: 'forget' });
    await queue.take();
    expect(value(`workqueue_depth{${labels},priority="-100"}`)).toBe(0);
  });

  test('WQ-11: an add counts once per dirty transition, a retry is any add with a delay', async () => {
    const { queue, clock, value } = setup();
    expect(value(`workqueue_adds_total{${labels}}`)).toBe(0);
    for (let i = 0; i < 3; i += 1) queue.add({ name: 'x' }, cause);
    const work = await queue.take();
    queue.add({ name: 'x' }, cause);
    queue.addAfter({ name: 'x' }, 0, cause);
    expect(value(`workqueue_adds_total{${labels}}`)).toBe(2);
    expect(value(`workqueue_retries_total{${labels}}`)).toBe(0);
    if (work !== undefined) queue.done(work, { type: 'retry', reason: 'E' });
    queue.addAfter({ name: 'y' }, 500, cause);
    expect(value(`workqueue_retries_total{${labels}}`)).toBe(2);
    await clock.advance(500);
    expect(value(`workqueue_adds_total{${labels}}`)).toBe(3);
  });

  test('WQ-11: queue duration runs from becoming ready to take, work duration from take to done', async () => {
    const { queue, clock, value } = setup();
    queue.addAfter({ name: 'x' }, 10_000, cause);
    await clock.advance(12_000);
    const work = await queue.take();
    expect(value(`workqueue_queue_duration_seconds_sum{${labels}}`)).toBe(2);
    expect(value(`workqueue_queue_duration_seconds_count{${labels}}`)).toBe(1);
    await clock.advance(3000);
    expect(value(`workqueue_unfinished_work_seconds{${labels}}`)).toBe(3);
    expect(value(`workqueue_longest_running_processor_seconds{${labels}}`)).toBe(3);
    if (work !== undefined) queue.done(work, { type: 'forget' });
    expect(value(`workqueue_work_duration_seconds_sum{${labels}}`)).toBe(3);
    expect(value(`workqueue_unfinished_work_seconds{${labels}}`)).toBe(0);
    expect(value(`workqueue_longest_running_processor_seconds{${labels}}`)).toBe(0);
  });

  test('WQ-11: after the shutdown only what is in progress is counted', async () => {
    const { queue, clock, value } = setup();
    queue.add({ name: 'x' }, cause);
    await queue.take();
    queue.add({ name: 'x' }, cause);
    queue.add({ name: 'y' }, cause);
    expect(value(`workqueue_depth{${labels},priority="0"}`)).toBe(2);
    queue.shutdown();
    await clock.advance(2000);
    expect(value(`workqueue_depth{${labels},priority="0"}`)).toBe(0);
    expect(value(`kilter_workqueue_oldest_ready_seconds{${labels}}`)).toBe(0);
    expect(value(`workqueue_unfinished_work_seconds{${labels}}`)).toBe(2);
  });

  test('the age of the oldest ready key is exported', async () => {
    const { queue, clock, value } = setup();
    expect(value(`kilter_workqueue_oldest_ready_seconds{${labels}}`)).toBe(0);
    queue.add({ name: 'x' }, cause);
    await clock.advance(4000);
    expect(value(`kilter_workqueue_oldest_ready_seconds{${labels}}`)).toBe(4);
  });

  test('the age of the oldest ready key is 0 where there is none, however time passes while it is read', () => {
    const { runtime, value } = setup();
    let ticks = 0;
    runtime.clock.monotonic = () => (ticks += 1);
    expect(value(`kilter_workqueue_oldest_ready_seconds{${labels}}`)).toBe(0);
  });

  test('ME-5: from the 26th distinct priority on, new ones share one label', () => {
    const { nameOf } = priorityLabels();
    const names = Array.from({ length: 30 }, (_, i) => nameOf(i));
    expect(names.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, i) => String(i)));
    expect(new Set(names.slice(25))).toEqual(new Set(['exceeded_cardinality_limit']));
    expect(nameOf(3)).toBe('3');
  });
});
