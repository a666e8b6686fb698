// Alerts for any operator built with Kilter, and what promtool is told to try them with.

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string | undefined;
  readonly labels: { readonly severity: 'warning' | 'critical' };
  readonly annotations: { readonly summary: string; readonly description: string };
}

/** How long a minute is, in seconds. Shorter ones let the same rules be tried in less time. */
export function alerts(minute = 60): readonly Alert[] {
  const minutes = (count: number): string => `${Math.round(count * minute)}s`;
  const seconds = (count: number): number => Math.round((count * minute) / 60);
  const perController = 'sum by (job, controller)';
  return [
    {
      alert: 'OperatorKeyStuck',
      expr: `max by (job, name) (workqueue_longest_running_processor_seconds) > ${seconds(900)} or max by (job, name) (kilter_workqueue_oldest_ready_seconds) > ${seconds(900)}`,
      labels: { severity: 'critical' },
      annotations: {
        summary: 'A key of {{ $labels.name }} has been stuck for 15 minutes.',
        description:
          'A run does not end, or a key waits behind runs that do not. See kilter_stuck_runs, and /debug/runs for what ran last.',
      },
    },
    {
      alert: 'OperatorWatchStalled',
      expr: `max by (job, instance, kind) (kilter_cache_silence_seconds) > ${seconds(300)} or sum by (job, instance, kind) (increase(kilter_watch_stalled_total[${minutes(15)}])) > 0`,
      labels: { severity: 'critical' },
      annotations: {
        summary: '{{ $labels.instance }} receives nothing about {{ $labels.kind }}.',
        description:
          'The server reports its progress about once a minute. Look at the API server, and for proxies in between that drop connections.',
      },
    },
    {
      alert: 'OperatorQueueSlow',
      expr: `histogram_quantile(0.99, sum by (job, name, le) (rate(workqueue_queue_duration_seconds_bucket[${minutes(5)}]))) > 1`,
      for: minutes(5),
      labels: { severity: 'warning' },
      annotations: {
        summary: 'Keys of {{ $labels.name }} wait longer than a second.',
        description: 'More concurrency helps if runs wait for requests; if they compute, make them shorter.',
      },
    },
    {
      alert: 'OperatorLeaderUnsteady',
      expr: `sum by (job, name) (increase(kilter_leader_transitions_total[${minutes(60)}])) > 3`,
      labels: { severity: 'warning' },
      annotations: {
        summary: 'The Lease {{ $labels.name }} has changed hands more than 3 times within an hour.',
        description:
          'Leaders lose the Lease when the API server or their own event loop is slow, or when they crash. See kilter_event_loop_delay_seconds.',
      },
    },
    {
      alert: 'OperatorCertificateEnds',
      expr: `min by (job, certificate) (kilter_webhook_certificate_expiry_timestamp_seconds) - time() < 7 * 86400`,
      for: minutes(10),
      labels: { severity: 'warning' },
      annotations: {
        summary: 'The {{ $labels.certificate }} certificate of the webhooks expires within 7 days.',
        description: 'The operator renews its own long before that; with mounted files, look at what writes them.',
      },
    },
    {
      alert: 'OperatorRunsFail',
      expr: `${perController} (rate(controller_runtime_reconcile_errors_total[${minutes(5)}])) / ${perController} (rate(controller_runtime_reconcile_total[${minutes(5)}])) > 0.1`,
      for: minutes(5),
      labels: { severity: 'warning' },
      annotations: {
        summary: '{{ $value | humanizePercentage }} of the runs of {{ $labels.controller }} fail.',
        description: 'The log line of each failure says why; /debug/runs holds the last thousand.',
      },
    },
  ];
}

export const ruleFile = (minute?: number): object => ({ groups: [{ name: 'kilter-operator', rules: alerts(minute) }] });

interface Sign {
  readonly alert: string;
  /** What is seen, minute by minute, as promtool writes it. */
  readonly seen: Readonly<Record<string, string>>;
  /** The labels of the alert. */
  readonly about: Readonly<Record<string, string>>;
  readonly fires: boolean;
  /** How many minutes to look. Default: 30. */
  readonly after?: number | undefined;
  /** What stands for the value in the summary. */
  readonly value?: string | undefined;
}

const queue = '{job="op", instance="a", name="webapp", controller="webapp"}';
const of = (controller: string, result?: string): string =>
  `{job="op", instance="a", controller="${controller}"${result === undefined ? '' : `, result="${result}"`}}`;
const wait = (le: string): string =>
  `workqueue_queue_duration_seconds_bucket{job="op", instance="a", name="webapp", controller="webapp", le="${le}"}`;
const runs = (errors: string, all: string): Readonly<Record<string, string>> => ({
  [`controller_runtime_reconcile_errors_total${of('webapp')}`]: errors,
  [`controller_runtime_reconcile_total${of('webapp', 'success')}`]: all,
  [`controller_runtime_reconcile_total${of('webapp', 'error')}`]: errors,
});
const transitions = (instance: string): string =>
  `kilter_leader_transitions_total{job="op", instance="${instance}", name="webapp"}`;
const silence = '{job="op", instance="a", kind="Pod"}';
const ends = 'kilter_webhook_certificate_expiry_timestamp_seconds{job="op", instance="a", certificate="leaf"}';
const webapp = { job: 'op', name: 'webapp' };

/** Each alert with its cause, and with what is close to it. */
const signs: readonly Sign[] = [
  {
    alert: 'OperatorKeyStuck',
    seen: { [`workqueue_longest_running_processor_seconds${queue}`]: '0+60x60' },
    about: webapp,
    fires: true,
  },
  {
    alert: 'OperatorKeyStuck',
    seen: { [`kilter_workqueue_oldest_ready_seconds${queue}`]: '0+60x60' },
    about: webapp,
    fires: true,
  },
  {
    alert: 'OperatorKeyStuck',
    seen: { [`workqueue_longest_running_processor_seconds${queue}`]: '0+60x14 0x60' },
    about: webapp,
    fires: false,
  },
  {
    alert: 'OperatorWatchStalled',
    seen: { [`kilter_cache_silence_seconds${silence}`]: '0+60x60' },
    about: { job: 'op', instance: 'a', kind: 'Pod' },
    fires: true,
  },
  {
    alert: 'OperatorWatchStalled',
    seen: { [`kilter_watch_stalled_total${silence}`]: '0x20 1x40' },
    about: { job: 'op', instance: 'a', kind: 'Pod' },
    fires: true,
  },
  {
    alert: 'OperatorWatchStalled',
    seen: { [`kilter_cache_silence_seconds${silence}`]: '60x60', [`kilter_watch_stalled_total${silence}`]: '5x60' },
    about: {},
    fires: false,
  },
  {
    alert: 'OperatorQueueSlow',
    seen: { [wait('0.1')]: '0x60', [wait('1')]: '0+9x60', [wait('10')]: '0+10x60', [wait('+Inf')]: '0+10x60' },
    about: webapp,
    fires: true,
  },
  {
    alert: 'OperatorQueueSlow',
    seen: { [wait('0.1')]: '0+10x60', [wait('1')]: '0+10x60', [wait('10')]: '0+10x60', [wait('+Inf')]: '0+10x60' },
    about: webapp,
    fires: false,
  },
  {
    alert: 'OperatorLeaderUnsteady',
    seen: { [transitions('a')]: '0x5 1x10 2x50', [transitions('b')]: '0x10 1x10 2x50' },
    about: webapp,
    fires: true,
    after: 60,
  },
  {
    alert: 'OperatorLeaderUnsteady',
    seen: { [transitions('a')]: '0x5 1x60', [transitions('b')]: '0x20 1x60' },
    about: webapp,
    fires: false,
    after: 60,
  },
  {
    alert: 'OperatorCertificateEnds',
    seen: { [ends]: `${6 * 86400}x60` },
    about: { job: 'op', certificate: 'leaf' },
    fires: true,
  },
  {
    alert: 'OperatorCertificateEnds',
    seen: { [ends]: `${8 * 86400}x60` },
    about: { job: 'op', certificate: 'leaf' },
    fires: false,
  },
  {
    alert: 'OperatorRunsFail',
    seen: runs('0+2x60', '0+8x60'),
    about: { job: 'op', controller: 'webapp' },
    fires: true,
    value: '20%',
  },
  {
    alert: 'OperatorRunsFail',
    seen: runs('0+1x60', '0+19x60'),
    about: { job: 'op', controller: 'webapp' },
    fires: false,
  },
  {
    alert: 'OperatorRunsFail',
    seen: runs('0+1x5 5x60', '0+1x5 5+10x60'),
    about: { job: 'op', controller: 'webapp' },
    fires: false,
  },
];

const filled = (text: string, { about, value = '' }: Sign): string =>
  text
    .replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => about[label] ?? '')
    .replace(/\{\{ \$value [^}]*\}\}/, value);

function expectedOf(sign: Sign): object[] {
  const alert = alerts().find(({ alert: name }) => name === sign.alert);
  if (alert === undefined) throw new Error(`there is no alert ${sign.alert}`);
  if (!sign.fires) return [];
  const { summary, description } = alert.annotations;
  return [
    {
      exp_labels: { ...alert.labels, ...sign.about },
      exp_annotations: { summary: filled(summary, sign), description },
    },
  ];
}

/** For `promtool test rules`. */
export function ruleTests(): object {
  return {
    rule_files: ['rules.yaml'],
    evaluation_interval: '1m',
    tests: signs.map((sign) => ({
      name: `${sign.alert} ${sign.fires ? 'fires' : 'does not fire'}`,
      interval: '1m',
      input_series: Object.entries(sign.seen).map(([series, values]) => ({ series, values })),
      alert_rule_test: [{ eval_time: `${sign.after ?? 30}m`, alertname: sign.alert, exp_alerts: expectedOf(sign) }],
    })),
  };
}
