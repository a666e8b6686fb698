import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { cluster } from '@kilter/testing';
import { controller, operator, validating } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { describe, expect, test } from 'vitest';
import { dashboard } from './dashboard.ts';
import { files, read } from './generate.ts';
import { findPrometheus, missing } from './prometheus.ts';
import { alerts, ruleTests } from './rules.ts';
import { Job } from './scenario/job.ts';
import { metrics } from './table.ts';

const namesIn = (text: string): string[] => [
  ...new Set(
    text.match(/\b(?:kilter|controller_runtime|workqueue|rest_client|leader_election|certwatcher|process)_[a-z_]+/g),
  ),
];
const known = new Set(metrics.flatMap(({ name, type }) => (type === 'histogram' ? [`${name}_bucket`] : [name])));

test.each(Object.keys(files))('%s is as the generator writes it', (name) => {
  expect(read(name)).toBe(files[name]?.());
});

test('M-01 the table holds every metric an operator has, with its type and labels, and no other', async () => {
  const jobs = controller(Job)
    .owns(ConfigMap)
    .reconcile(async ({ metadata }, ctx) => {
      await ctx.apply(ConfigMap.fields({ name: metadata.name }));
    });
  const own = operator({
    name: 'jobs',
    controllers: [jobs],
    leaderElection: true,
    webhooks: [validating(Job, () => undefined)],
    requestMetrics: true,
  });
  await using env = await cluster({ backend: 'embedded', operator: own });
  await env.client.create(Job.build({ name: 'a', namespace: 'default', spec: { does: 'succeed', turn: 0 } }));
  await env.eventually(ConfigMap, 'a', {});
  const text = env.managers[0]?.metrics() ?? '';
  const served = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const rows = new Map(metrics.map((row) => [row.name, row]));
  for (const [name, type] of served) expect(rows.get(name)?.type, name).toBe(type);
  // Those of sockets, files and broken watches, which this operator does without.
  const elsewhere = [
    'kilter_connections',
    'kilter_watch_lines_skipped_total',
    'kilter_webhook_certificate_expiry_timestamp_seconds',
    'certwatcher_read_certificate_total',
    'certwatcher_read_certificate_errors_total',
  ];
  expect([...rows.keys()].filter((name) => !served.has(name)).toSorted()).toEqual(elsewhere.toSorted());
  for (const { name, labels, type } of metrics) {
    const sample = new RegExp(`^${name}${type === 'histogram' ? '_count' : ''}(?:\\{(.*)\\})? `, 'm').exec(text);
    if (sample === null) continue;
    const seen = [...(sample[1] ?? '').matchAll(/(\w+)="/g)].map(([, label = '']) => label);
    expect(seen.toSorted(), name).toEqual(labels.toSorted());
  }
});

describe('M-04 dashboard and alerts', () => {
  test('ask only for metrics of the table', () => {
    const asked = [...namesIn(JSON.stringify(dashboard())), ...alerts().flatMap(({ expr }) => namesIn(expr))];
    const shown = new Set([...known, ...metrics.map(({ name }) => name)]);
    expect(asked.length).toBeGreaterThan(30);
    expect(asked.filter((name) => !shown.has(name))).toEqual([]);
  });

  test('every alert has a case in which it fires and one in which it does not', () => {
    const { tests } = ruleTests() as { tests: { name: string }[] };
    const names = new Set(tests.map(({ name }) => name));
    for (const { alert } of alerts()) {
      expect(names).toContain(`${alert} fires`);
      expect(names).toContain(`${alert} does not fire`);
    }
    expect(alerts().map(({ alert }) => alert)).toEqual([
      'OperatorKeyStuck',
      'OperatorWatchStalled',
      'OperatorQueueSlow',
      'OperatorLeaderUnsteady',
      'OperatorCertificateEnds',
      'OperatorRunsFail',
    ]);
  });

  const prometheus = findPrometheus();
  const left = prometheus === undefined ? ` (skipped: ${missing})` : '';
  test.skipIf(prometheus === undefined)(`the real promtool agrees${left}`, () => {
    const cwd = resolve(import.meta.dirname, '../../examples/webapp/observability');
    const { status, stdout, stderr } = spawnSync(prometheus?.promtool ?? '', ['test', 'rules', 'rules.test.yaml'], {
      cwd,
      encoding: 'utf8',
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
  });
});
