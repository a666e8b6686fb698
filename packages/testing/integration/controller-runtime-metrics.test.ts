// What dashboards made for controller-runtime ask for, asked of an operator of ours.
import { validating } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { beforeAll, describe, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { Thing, thing, thingOperator, things } from './thing.test-support.ts';

/** In seconds: A of runs, B of queues and webhooks. */
const A =
  '0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1 1.25 1.5 1.75 2 2.5 3 3.5 4 4.5 5 6 7 8 9 10 15 20 25 30 40 50 60';
const B = '1e-8 1e-7 1e-6 1e-5 1e-4 1e-3 0.01 0.1 1 10 100 1000';

let text = '';
beforeAll(async () => {
  const runtime = virtualRuntime();
  const operator = thingOperator(things, { webhooks: [validating(Thing, () => undefined)] });
  await using env = await cluster({ operator, runtime });
  await env.client.create(thing('a', { x: '1' }));
  await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
  await runtime.clock.advance(1000);
  text = env.managers[0]?.metrics() ?? '';
});

const typeOf = (name: string): string | undefined => new RegExp(`^# TYPE ${name} (\\S+)$`, 'm').exec(text)?.[1];
const labelsOf = (sample: string): string[] =>
  [...sample.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label).toSorted();
const samplesOf = (name: string): string[] => text.split('\n').filter((line) => line.startsWith(`${name}{`));

/** The panels of the dashboard that kubebuilder generates: metric, type, and the labels its queries sum by or show. */
describe("M-01 kubebuilder's dashboard", () => {
  test.each([
    ['controller_runtime_reconcile_total', 'counter', ['controller', 'result']],
    ['controller_runtime_reconcile_errors_total', 'counter', ['controller']],
    ['controller_runtime_active_workers', 'gauge', ['controller']],
    ['workqueue_adds_total', 'counter', ['controller', 'name']],
    ['workqueue_retries_total', 'counter', ['controller', 'name']],
    ['workqueue_depth', 'gauge', ['controller', 'name', 'priority']],
    ['workqueue_unfinished_work_seconds', 'gauge', ['controller', 'name']],
    ['process_cpu_seconds_total', 'counter', undefined],
    ['process_resident_memory_bytes', 'gauge', undefined],
  ] as const)('M-01 finds %s', (name, type, labels) => {
    expect(typeOf(name)).toBe(type);
    if (labels === undefined) return expect(text).toMatch(new RegExp(`^${name} [0-9]`, 'm'));
    const samples = samplesOf(name);
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) expect(labelsOf(sample), sample).toEqual(labels);
  });

  test.each([
    ['controller_runtime_reconcile_time_seconds', A, ['controller']],
    ['workqueue_queue_duration_seconds', B, ['controller', 'name']],
    ['workqueue_work_duration_seconds', B, ['controller', 'name']],
    ['controller_runtime_webhook_latency_seconds', B, ['webhook']],
  ] as const)('M-01 finds the buckets of %s', (name, bounds, labels) => {
    expect(typeOf(name)).toBe('histogram');
    const buckets = samplesOf(`${name}_bucket`);
    for (const bucket of buckets) expect(labelsOf(bucket), bucket).toEqual([...labels, 'le'].toSorted());
    const found = new Set(buckets.map((line) => /le="([^"]*)"/.exec(line)?.[1]).filter((le) => le !== '+Inf'));
    expect([...found].map(Number)).toEqual(bounds.split(' ').map(Number));
  });
});
