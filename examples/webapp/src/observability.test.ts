// The alerts that are shipped: which there are, and what the real promtool says of them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';

const folder = resolve(import.meta.dirname, '../observability');
const read = (name: string): unknown => load(readFileSync(resolve(folder, name), 'utf8'));

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
const rules = (read('rules.yaml') as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);

interface RuleTest {
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts?: readonly unknown[] }[];
}
const tried = (read('rules.test.yaml') as { tests: RuleTest[] }).tests.flatMap((one) => one.alert_rule_test);

const missing =
  spawnSync('promtool', ['--version']).error === undefined ? undefined : 'there is no promtool on the PATH';

describe('M-04 the alerts', () => {
  test.each([
    ['OperatorKeyStuck', 'workqueue_longest_running_processor_seconds', '> 900'],
    ['OperatorWatchStalled', 'kilter_cache_silence_seconds', '> 300'],
    ['OperatorQueueSlow', 'histogram_quantile(0.99', '> 1'],
    ['OperatorLeaderUnsteady', 'increase(kilter_leader_transitions_total[3600s])', '> 3'],
    ['OperatorCertificateEnds', 'kilter_webhook_certificate_expiry_timestamp_seconds', '< 7 * 86400'],
    ['OperatorRunsFail', 'controller_runtime_reconcile_errors_total', '> 0.1'],
  ])('M-04 %s has its threshold, a case in which it fires and one in which it does not', (alert, metric, threshold) => {
    const rule = rules.find((one) => one.alert === alert);
    expect(rule?.expr).toContain(metric);
    // Followed by another operand or by nothing: 9000 is not 900.
    expect(`${rule?.expr} `).toContain(`${threshold} `);
    expect(rule?.annotations.summary).toMatch(/\S/);
    const cases = tried.filter(({ alertname }) => alertname === alert);
    const fires = cases.filter(({ exp_alerts: expected = [] }) => expected.length > 0);
    expect([fires.length > 0, fires.length < cases.length]).toEqual([true, true]);
  });

  test('M-04 there is no other', () => {
    expect(rules).toHaveLength(6);
  });

  const left = missing === undefined ? '' : ` (skipped: ${missing})`;
  test.skipIf(missing !== undefined)(`M-04 promtool agrees with every case${left}`, () => {
    const ran = spawnSync('promtool', ['test', 'rules', 'rules.test.yaml'], { cwd: folder, encoding: 'utf8' });
    expect(ran.status, `${ran.stdout}${ran.stderr}`).toBe(0);
  });
});
