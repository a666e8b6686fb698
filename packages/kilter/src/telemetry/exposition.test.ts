import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, Summary } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { virtualRuntime } from '../internal/index.ts';
import { exposition, negotiate } from './exposition.ts';
import { ForeignRegistries, type ForeignRegistry } from './foreign-registries.ts';
import { jsonLogger } from './logger.ts';
import { MetricsRegistry } from './registry.ts';

const exemplar = { labels: { trace_id: 'abc', span_id: 'def' }, value: 0.5, at: 1500 };

describe('ME-10: OpenMetrics', () => {
  test.each([
    [undefined, 'prometheus'],
    ['', 'prometheus'],
    ['*/*', 'prometheus'],
    ['text/plain', 'prometheus'],
    ['application/openmetrics-text', 'openmetrics'],
    ['application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1', 'openmetrics'],
    ['application/openmetrics-text; version=1.0.0; q=0.2, text/plain; q=0.9', 'prometheus'],
    ['application/openmetrics-text;version=2.0.0', 'prometheus'],
    ['application/openmetrics-text;q=0', 'prometheus'],
    ['application/openmetrics-text;q=x', 'prometheus'],
    // What Prometheus 2.42 sends.
    [
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'openmetrics',
    ],
    [',;,;;q,', 'prometheus'],
  ])('Accept %j is answered with %s', (accept, format) => {
    expect(negotiate(accept)).toBe(format);
  });

  test('names counters, bounds and ends as the format asks, with exemplars', () => {
    const metrics = new MetricsRegistry();
    metrics.counter('a_total', 'Say "a" \\ b').inc({ x: 'q"' }, 2, exemplar);
    metrics.histogram('b', 'B.', [1, 2.5]).observe(0.5, {}, exemplar);
    metrics.gauge('c', 'C.').set(Infinity);
    expect(exposition(metrics.families(), 'openmetrics').split('\n')).toEqual([
      '# HELP a Say \\"a\\" \\\\ b',
      '# TYPE a counter',
      'a_total{x="q\\""} 2 # {span_id="def",trace_id="abc"} 0.5 1.5',
      '# HELP b B.',
      '# TYPE b histogram',
      'b_bucket{le="1.0"} 1 # {span_id="def",trace_id="abc"} 0.5 1.5',
      'b_bucket{le="2.5"} 1',
      'b_bucket{le="+Inf"} 1',
      'b_sum 0.5',
      'b_count 1',
      '# HELP c C.',
      '# TYPE c gauge',
      'c +Inf',
      '# EOF',
      '',
    ]);
    const text = metrics.text();
    expect(text).toContain('# HELP a_total Say "a" \\\\ b\n# TYPE a_total counter\na_total{x="q\\""} 2\n');
    expect(text).toContain('b_bucket{le="1"} 1\n');
    expect(text).not.toContain('trace_id');
  });
});

function foreign(...registries: ForeignRegistry[]) {
  const runtime = virtualRuntime();
  const lines: Record<string, unknown>[] = [];
  const logger = jsonLogger({ write: (line) => lines.push(JSON.parse(line)), now: () => 0 });
  return { runtime, lines, bridge: new ForeignRegistries({ registries, clock: runtime.clock, logger }) };
}

describe('ME-9: registries of prom-client', () => {
  test('are written as prom-client writes them itself', async () => {
    const register = new Registry();
    new Counter({ name: 'c_total', help: 'C.', labelNames: ['x'], registers: [register] }).inc({ x: 'a"b' }, 2);
    new Gauge({ name: 'g', help: 'G.', registers: [register] }).set(3);
    new Histogram({ name: 'h', help: 'H.', labelNames: ['x'], buckets: [1, 2], registers: [register] }).observe(
      { x: '1' },
      1.5,
    );
    new Summary({ name: 's', help: 'S.', percentiles: [0.5], registers: [register] }).observe(7);
    const { bridge } = foreign(register);
    const sorted = (text: string): string[] =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map(order)
        .toSorted();
    // Labels may be in any order.
    const order = (line: string): string =>
      line.replace(/\{(.*)\}/, (_, all: string) => `{${all.split(',').toSorted().join(',')}}`);
    expect(sorted(exposition(await bridge.families([]), 'prometheus'))).toEqual(sorted(await register.metrics()));
  });

  test('what is taken is left out and told once; the default metrics about the process silently', async () => {
    const register = new Registry();
    collectDefaultMetrics({ register });
    new Counter({ name: 'shop_total', help: 'C.', registers: [register] });
    new Gauge({ name: 'free', help: 'C.', registers: [register] });
    const own = new MetricsRegistry();
    own.gauge('shop', 'In OpenMetrics this is the name of the counter.').set(1);
    own.gauge('process_open_fds', 'X.').set(1);
    const { bridge, lines } = foreign(register);
    for (let i = 0; i < 2; i += 1) {
      const names = (await bridge.families(own.families())).map(({ name }) => name);
      expect(names).toContain('free');
      expect(names).not.toContain('shop_total');
      expect(names).not.toContain('process_open_fds');
    }
    expect(lines).toEqual([expect.objectContaining({ code: 'METRIC_NAME_TAKEN', metric: 'shop_total' })]);
  });

  test('one that throws, never answers or answers nonsense costs only itself', async () => {
    const good = new Registry();
    new Gauge({ name: 'good', help: 'G.', registers: [good] }).set(1);
    let broken = true;
    const { bridge, lines, runtime } = foreign(
      good,
      { getMetricsAsJSON: () => (broken ? Promise.reject(new Error('the database is away')) : []) },
      { getMetricsAsJSON: () => new Promise(() => undefined) },
      { getMetricsAsJSON: () => 'text' },
      { getMetricsAsJSON: () => [null, {}, { name: 'odd', values: [{}] }] },
    );
    const read = async (): Promise<string[]> => {
      const reading = bridge.families([]);
      await runtime.clock.advance(5000);
      return (await reading).map(({ name }) => name);
    };
    expect(await read()).toEqual(['good', 'odd']);
    expect(await read()).toEqual(['good', 'odd']);
    const told = lines.map(({ error }) => String(error));
    expect(told).toHaveLength(3);
    for (const words of [
      'getMetricsAsJSON did not return a list',
      'the database is away',
      'no answer within 5000 ms',
    ]) {
      expect(told.filter((line) => line.includes(words))).toHaveLength(1);
    }
    broken = false;
    await read();
    broken = true;
    await read();
    expect(lines.filter(({ error }) => String(error).includes('the database'))).toHaveLength(2);
  });
});
