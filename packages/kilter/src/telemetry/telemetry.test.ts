import { expect, test, vi } from 'vitest';
import { asLogger, type PlainLogger } from './plain-logger.ts';
import { Journal, type RunRecord } from './journal.ts';
import { inBrief, jsonLogger, type Logger, silentLogger } from './logger.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import { OwnMetrics } from './own-metrics.ts';
import { MetricsRegistry } from './registry.ts';
import { steadyLogger } from './steady-logger.ts';

function lines(level?: 'debug' | 'warn') {
  const out: Record<string, unknown>[] = [];
  const log = jsonLogger({ write: (line) => out.push(JSON.parse(line)), now: () => 5, ...(level && { level }) });
  return { out, log };
}

test('one JSON line per message, with pino numbers and the fields of every ancestor', () => {
  const { out, log } = lines();
  log.child({ logger: 'a' }).child({ key: 'x' }).info({ n: 1 }, 'hello');
  log.warn('plain');
  expect(out).toEqual([
    { time: 5, level: 30, msg: 'hello', logger: 'a', key: 'x', n: 1 },
    { time: 5, level: 40, msg: 'plain' },
  ]);
});

test('LG-3: an error is written with its causes and its parts, also where it is its own cause', () => {
  const { out, log } = lines();
  const circle: Error & { cause?: unknown } = new Error('round');
  circle.cause = circle;
  log.error({ err: circle }, 'failed');
  log.error({ err: new AggregateError([new Error('one'), 'two'], 'both') }, 'failed');
  expect(out).toMatchObject([
    { err: { message: 'round', cause: { message: 'round' } } },
    { err: { type: 'AggregateError', message: 'both', errors: [{ message: 'one' }, 'two'] } },
  ]);
});

test('lines below the level are left out', () => {
  const { out, log } = lines('warn');
  log.info('no');
  log.debug('no');
  log.error('yes');
  expect(out.map(({ msg }) => msg)).toEqual(['yes']);
  expect(lines().log.debug('no')).toBeUndefined();
  silentLogger.child({}).error('nothing');
});

test('errors keep message, code and causes', () => {
  const { out, log } = lines();
  log.error({ err: Object.assign(new Error('outer', { cause: new TypeError('inner') }), { code: 'X' }), big: 1n }, 'm');
  expect(out[0]).toMatchObject({
    big: '1',
    err: { type: 'Error', message: 'outer', code: 'X', cause: { type: 'TypeError', message: 'inner' } },
  });
});

test('fields that cannot be written cost themselves, not the line', () => {
  const { out, log } = lines();
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  log.info({ circle, key: 'a' }, 'hello');
  expect(out).toMatchObject([{ msg: 'hello', key: 'a', unwritable: expect.stringContaining('circular') }]);
  expect(out[0]).not.toHaveProperty('circle');
});

test('in brief an error is its message and its code', () => {
  expect(inBrief(Object.assign(new Error('outer'), { code: 'X' }))).toEqual({ error: 'outer', code: 'X' });
  expect([inBrief(new Error('plain')), inBrief('text')]).toEqual([{ error: 'plain' }, { error: 'text' }]);
  const mute = Object.create(null) as unknown;
  const shy = Object.defineProperty(new Error('x'), 'message', { get: () => expect.unreachable() });
  expect(inBrief(mute)).toEqual({ error: 'a thrown object: [Object: null prototype] {}' });
  expect(inBrief(shy).error).toContain('a thrown object: ');
});

test("a user's logger that throws harms nobody, and is told of once", () => {
  const fail = (): never => {
    throw new Error('disk full');
  };
  const broken: Logger = { debug: fail, info: fail, warn: fail, error: fail, child: fail };
  const told: string[] = [];
  const log = steadyLogger(broken, (problem) => told.push(problem));
  log.info({ a: 1 }, 'first');
  log.child({ key: 'x' }).error('second');
  log.warn('third');
  expect(told).toEqual([expect.stringMatching(/threw "disk full" at the line "first"/)]);
  expect(steadyLogger(log, () => undefined)).toBe(log);
});

test('a logger that works without being waited for is steady too: what it rejects with is told once, and ends no process', async () => {
  const later = (): Promise<never> => Promise.reject(new Error('no route'));
  const remote = { debug: later, info: later, warn: later, error: later, child: later, isLevelEnabled: later };
  const told: string[] = [];
  const log = steadyLogger(remote as never, (problem) => told.push(problem));
  log.info({ a: 1 }, 'first');
  log.warn('second');
  await Promise.resolve();
  await Promise.resolve();
  expect(log.isLevelEnabled?.('debug')).toBe(true);
  log.child({ key: 'x' }).error('third');
  expect(told).toEqual([expect.stringMatching(/threw "no route" at the line "first"/)]);
});

test('what a logger without children rejects with is told as well', async () => {
  const told: string[] = [];
  const calls: unknown[][] = [];
  const remote = (...data: unknown[]): Promise<never> => {
    calls.push(data);
    return Promise.reject(new Error('no network'));
  };
  const plain: object = { debug: remote, info: remote, warn: remote, error: remote };
  const log = steadyLogger(asLogger(plain as PlainLogger), (problem) => told.push(problem));
  log.info({ a: 1 }, 'one');
  log.child({ b: 2 }).error('two');
  await vi.waitFor(() => expect(told).toHaveLength(1));
  expect(told[0]).toBe('the logger threw "no network" at the line "one"; further failures are not reported');
  expect(calls).toEqual([
    ['one', { a: 1 }],
    ['two', { b: 2 }],
  ]);
});

test('a steady logger passes everything on, through its children too', () => {
  const { out, log } = lines();
  const lasting = steadyLogger(log, () => expect.unreachable());
  lasting.child({ a: 1 }).child({ b: 2 }).info({ c: 3 }, 'hello');
  lasting.warn('plain');
  expect(out).toMatchObject([{ msg: 'hello', a: 1, b: 2, c: 3 }, { msg: 'plain' }]);
});

test('what is read late ends with its user; what was counted stays', () => {
  const registry = new MetricsRegistry();
  const [first, second] = [new OwnMetrics(registry), new OwnMetrics(registry)];
  for (const [i, metrics] of [first, second].entries()) {
    metrics.counter('a_total', 'Things.').inc();
    metrics.gauge('g', 'A gauge.').set(i);
    metrics.histogram('h', 'Lengths.', [1]).observe(1);
    metrics.observed('o', 'Read late.', () => [[{ k: 'v' }, i]]);
  }
  first.end();
  expect(registry.text().split('\n')).toEqual(expect.arrayContaining(['a_total 2', 'g 1', 'h_sum 2', 'o{k="v"} 1']));
  expect(registry.text()).not.toContain('o{k="v"} 0');
  second.end();
  expect(registry.text()).not.toContain('o{k="v"}');
});

test('metrics are written in the Prometheus text format', () => {
  const metrics = new MetricsRegistry();
  metrics.counter('a_total', 'Things.').inc({ b: 'x"\\\n', a: '1' });
  metrics.counter('a_total', 'Things.').inc({ a: '1', b: 'x"\\\n' }, 2);
  metrics.gauge('g', 'A gauge.').set(-1);
  const histogram = metrics.histogram('h', 'Lengths.', [1, 2]);
  for (const value of [0.5, 1, 1.5, 9]) histogram.observe(value, { c: 'd' });
  metrics.observed('o', 'Read late.', () => [[{ k: 'v' }, 3]]);
  expect(metrics.text()).toBe(
    [
      '# HELP a_total Things.',
      '# TYPE a_total counter',
      'a_total{a="1",b="x\\"\\\\\\n"} 3',
      '# HELP g A gauge.',
      '# TYPE g gauge',
      'g -1',
      '# HELP h Lengths.',
      '# TYPE h histogram',
      'h_bucket{c="d",le="1"} 2',
      'h_bucket{c="d",le="2"} 3',
      'h_bucket{c="d",le="+Inf"} 4',
      'h_sum{c="d"} 12',
      'h_count{c="d"} 4',
      '# HELP o Read late.',
      '# TYPE o gauge',
      'o{k="v"} 3',
      '',
    ].join('\n'),
  );
});

test('the journal keeps the last thousand runs and tells its listeners', () => {
  const journal = new Journal();
  const told: string[] = [];
  const stop = journal.subscribe(({ key }) => told.push(key));
  const record = (key: string) => journal.record({ tell: () => ({ key }) as RunRecord });
  for (let i = 0; i < 1001; i += 1) record(String(i));
  stop();
  record('last');
  expect(journal.recent()).toHaveLength(1000);
  expect(journal.recent().map(({ key }) => key)).toEqual([
    ...Array.from({ length: 999 }, (_, i) => String(i + 2)),
    'last',
  ]);
  expect(told).toHaveLength(1001);
});

test('ME-4: what the system does not tell of a process is left out, not shown as 0', () => {
  const metrics = new MetricsRegistry();
  const untold = { virtualBytes: () => undefined, openFiles: () => undefined, mostFiles: undefined };
  const delay = { take: () => ({ p50: 0, p99: 0, max: 0 }), stop: () => undefined };
  registerProcessMetrics(metrics, { cpu: () => 1, startedAt: 2, residentBytes: () => 3, ...untold }, delay as never);
  const samples = metrics.text().match(/^process_\S+ \S+$/gm);
  expect(samples).toEqual([
    'process_cpu_seconds_total 1',
    'process_resident_memory_bytes 3',
    'process_start_time_seconds 2',
  ]);
});

test('what is counted under frozen labels is kept apart, and so is what is counted under labels that change', () => {
  const metrics = new MetricsRegistry();
  const runs = metrics.counter('runs_total', 'Runs.');
  const [good, bad] = [Object.freeze({ result: 'good' }), Object.freeze({ result: 'bad' })];
  for (const labels of [good, good, bad, good]) runs.inc(labels);
  const changing = { result: 'first' };
  runs.inc(changing);
  changing.result = 'second';
  runs.inc(changing);
  const lines = metrics
    .text()
    .split('\n')
    .filter((line) => line.startsWith('runs_total'));
  expect(lines).toEqual([
    'runs_total{result="good"} 3',
    'runs_total{result="bad"} 1',
    'runs_total{result="first"} 1',
    'runs_total{result="second"} 1',
  ]);
});
