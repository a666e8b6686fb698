import { describe, expect, test } from 'vitest';
import { checkMetrics, counter, gauge, histogram } from './declared-metrics.ts';
import { jsonLogger } from './logger.ts';
import { MetricsRegistry } from './registry.ts';
import { userMetrics } from './user-metrics.ts';

function world(declared: Parameters<typeof userMetrics>[0]) {
  const metrics = new MetricsRegistry();
  const lines: Record<string, unknown>[] = [];
  const logger = jsonLogger({ write: (line) => lines.push(JSON.parse(line)), now: () => 0 });
  const metric = userMetrics(declared, { metrics, logger, exemplar: () => undefined });
  const series = (): string[] =>
    metrics
      .text()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
  return { metric, lines, series };
}

const help = 'Orders.';

describe('ME-7: metrics of the user', () => {
  test('count, go up and down, and are spread over buckets', () => {
    const orders = counter('shop_orders_total', { help, labels: { result: ['ok', 'failed'] } });
    const plain = counter('shop_visits_total', { help });
    const open = gauge('shop_open_orders', { help, labels: { region: 'any' } });
    const took = histogram('shop_delivery_seconds', { help, buckets: [1, 60] });
    const { metric, series } = world([orders, plain, open, took]);
    metric(orders).inc({ result: 'ok' });
    metric(orders).inc({ result: 'ok' }, 2);
    metric(plain).inc(5);
    metric(open).set({ region: 'eu' }, 4);
    metric(open).add({ region: 'eu' }, -1);
    metric(open).add({ region: 'us' }, 2);
    metric(took).observe(30);
    expect(series()).toEqual([
      'shop_orders_total{result="ok"} 3',
      'shop_orders_total{result="failed"} 0',
      'shop_visits_total 5',
      'shop_open_orders{region="eu"} 3',
      'shop_open_orders{region="us"} 2',
      'shop_delivery_seconds_bucket{le="1"} 0',
      'shop_delivery_seconds_bucket{le="60"} 1',
      'shop_delivery_seconds_bucket{le="+Inf"} 1',
      'shop_delivery_seconds_sum 30',
      'shop_delivery_seconds_count 1',
    ]);
  });

  test('a counter whose values are all declared starts at 0; one with an open label does not', () => {
    const known = counter('a_total', { help, labels: { x: ['1', '2'], y: ['3'] } });
    const open = counter('b_total', { help, labels: { x: ['1'], y: 'any' } });
    expect(world([known, open]).series()).toEqual(['a_total{x="1",y="3"} 0', 'a_total{x="2",y="3"} 0']);
  });

  test('one that the operator does not declare is a coded error', () => {
    const { metric } = world([]);
    const use = (): unknown => metric(counter('shop_orders_total', { help }));
    expect(use).toThrow(expect.objectContaining({ code: 'METRIC_UNDECLARED' }));
    expect(use).toThrow('operator({ metrics: [...] })');
    expect(() => metric(undefined as never)).toThrow(expect.objectContaining({ code: 'METRIC_UNDECLARED' }));
  });

  test.each([
    [() => counter('shop orders_total', { help }), 'letters, digits'],
    [() => counter('shop_orders', { help }), 'must be called shop_orders_total'],
    [() => gauge('shop_orders_total', { help }), 'has a suffix reserved for counters'],
    [() => gauge('shop_wait_bucket', { help }), 'has a suffix reserved for counters'],
    [() => gauge('shop', { help: '' }), 'needs a help text'],
    [() => gauge('shop', undefined as never), 'needs a help text'],
    [() => gauge(7 as never, { help }), 'not 7'],
    [() => gauge('shop', { help, labels: ['a'] as never }), 'must be an object'],
    [() => gauge('shop', { help, labels: { le: 'any' } }), 'cannot have a label "le"'],
    [() => gauge('shop', { help, labels: { __name__: 'any' } }), 'cannot have a label'],
    [() => gauge('shop', { help, labels: { 'a-b': 'any' } }), 'cannot have a label'],
    [() => gauge('shop', { help, labels: { a: [] } }), "a list of its values, or 'any'"],
    [() => gauge('shop', { help, labels: { a: 'b' as never } }), "a list of its values, or 'any'"],
    [() => gauge('shop', { help, maxSeries: 0 }), 'maxSeries of shop'],
    [() => histogram('shop', { help, buckets: [2, 1] }), 'each above the one before'],
    [() => histogram('shop', { help, buckets: [] }), '1 to 200'],
    [() => histogram('shop', { help, buckets: [1, Infinity] }), 'finite'],
  ])('what Prometheus could not read is refused where it is declared: %s', (declare, message) => {
    expect(declare).toThrow(expect.objectContaining({ code: 'METRIC_INVALID' }));
    expect(declare).toThrow(message);
  });

  test.each(['kilter_x', 'controller_runtime_x', 'workqueue_x', 'rest_client_x', 'process_x', 'leader_election_x'])(
    'a prefix of our own is taken: %s',
    (name) => {
      expect(() => gauge(name, { help })).toThrow(expect.objectContaining({ code: 'METRIC_NAME_TAKEN' }));
    },
  );

  test.each([
    [[gauge('a', { help }), gauge('a', { help })]],
    [[counter('a_total', { help }), gauge('a', { help })]],
    [[histogram('a', { help }), histogram('a', { help })]],
    [
      [
        histogram('a', { help }),
        counter('a_total', { help, labels: {} }),
        gauge('b', { help }),
        histogram('b', { help }),
      ],
    ],
  ])('two under one name are refused, in either format', (metrics) => {
    expect(() => checkMetrics(metrics)).toThrow(expect.objectContaining({ code: 'METRIC_NAME_TAKEN' }));
  });

  test('an option that is misspelled is refused, and one that only another type has', () => {
    const misspelled = { help, label: {} } as never;
    expect(() => counter('a_total', misspelled)).toThrow(
      "a_total has no option 'label'; it has help, labels, maxSeries",
    );
    expect(() => histogram('a', misspelled)).toThrow(
      "a has no option 'label'; it has help, labels, maxSeries, buckets",
    );
    expect(() => gauge('a', { help, buckets: [1] } as never)).toThrow("a has no option 'buckets'");
  });

  test('one declaration named twice is one metric; what is not a metric is refused', () => {
    expect(() => checkMetrics(counter('a_total', { help: 'a' }) as never)).toThrow('takes a list of metrics');
    const one = gauge('a', { help });
    expect(checkMetrics([one, one])).toEqual([one]);
    expect(() => checkMetrics([{ name: 'a' } as never])).toThrow('metrics[0] is not a metric');
    expect(() => checkMetrics([undefined as never])).toThrow(expect.objectContaining({ code: 'METRIC_INVALID' }));
  });
});

describe('ME-8: what is measured never harms who measures', () => {
  test('label values without a bound share one series, reported once with a code', () => {
    const orders = counter('a_total', { help, labels: { id: 'any' }, maxSeries: 2 });
    const { metric, series, lines } = world([orders]);
    for (const id of ['1', '2', '3', '4', '1']) metric(orders).inc({ id });
    expect(series()).toEqual(['a_total{id="1"} 2', 'a_total{id="2"} 1', 'a_total{id="exceeded_cardinality_limit"} 2']);
    expect(lines).toEqual([expect.objectContaining({ code: 'METRIC_SERIES_LIMIT', metric: 'a_total', level: 50 })]);
  });

  test('a wrong use is not counted and reported once', () => {
    const orders = counter('a_total', { help, labels: { result: ['ok'], by: 'any' } });
    const { metric, series, lines } = world([orders]);
    const wrong: unknown[][] = [
      [],
      [{ result: 'ok' }],
      [{ result: 'no', by: 'a' }],
      [{ result: 'ok', by: 7 }],
      [{ result: 'ok', by: 'a', pod: 'p' }],
      [{ result: 'ok', by: 'a' }, -1],
      [{ result: 'ok', by: 'a' }, NaN],
      [{ result: 'ok', by: 'a' }, 'x'],
    ];
    for (const given of wrong) (metric(orders).inc as (...all: unknown[]) => void)(...given);
    expect(series()).toEqual([]);
    expect(lines).toEqual([expect.objectContaining({ code: 'METRIC_USE_INVALID' })]);
  });

  test('a gauge and a histogram without a number too', () => {
    const one = gauge('a', { help });
    const other = histogram('b', { help });
    const { metric, series, lines } = world([one, other]);
    (metric(one).set as (value?: unknown) => void)();
    (metric(one).add as (value?: unknown) => void)('1');
    (metric(other).observe as (value?: unknown) => void)(null);
    expect(series()).toEqual([]);
    expect(lines).toHaveLength(2);
  });
});
