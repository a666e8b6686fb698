import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { virtualRuntime } from '../internal/index.ts';
import type { Next, Work, WorkQueue } from '../queue/index.ts';
import type { Run } from '../reconcile/index.ts';
import { Journal, type Logger, MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import type { HotLoops, LoopVerdict } from './hot-loops.ts';
import { Loop } from './loop.ts';
import type { KeyReconciler } from './key-reconciler.ts';
import type { Ended } from './outcome.ts';
import { RunMetrics } from './run-metrics.ts';
import type { ControllerSpec } from './spec.ts';

const work = { key: 'n/x', ref: { namespace: 'n', name: 'x' }, causes: [], moreCauses: 0 } as unknown as Work;

/** A loop over one key, and what became of it. */
function setUp(
  given: {
    closed?: () => string | undefined;
    verdict?: LoopVerdict;
    broken?: Error;
    runs?: () => unknown;
    logger?: Logger;
    end?: Ended;
  } = {},
) {
  const runtime = virtualRuntime();
  const metrics = new MetricsRegistry();
  const journal = new Journal();
  const [asked, ended, clients, active]: [Run[], unknown[][], unknown[][], unknown[]] = [[], [], [], []];
  const left = [work];
  const queue = {
    takeReady: () => undefined,
    take: async () => left.shift(),
    done: (...args: [Work, Next, object?]) => void ended.push(args),
  } as unknown as WorkQueue;
  const observe = () => undefined;
  const verdict = given.verdict ?? { hold: 0, found: undefined };
  const hotLoops = { begin: () => ({ observe, end: () => verdict }) } as unknown as HotLoops;
  const value = (name: string) => new RegExp(`^${name}\\{controller="c"\\} (\\S+)$`, 'm').exec(metrics.text())?.[1];
  const reconciler = {
    run: async (run: Run) => {
      asked.push(run);
      active.push(value('controller_runtime_active_workers'));
      if (given.broken !== undefined) throw given.broken;
      await given.runs?.();
      return given.end ?? { type: 'returned', value: undefined };
    },
  } as unknown as KeyReconciler;
  const stop = new AbortController();
  const spec = { name: 'c', concurrency: 1, timeout: 60_000, kind: { names: { group: '', kind: 'Box' } } };
  const done = new Loop({
    spec: spec as unknown as ControllerSpec,
    queue,
    reconciler,
    runtime,
    logger: given.logger ?? silentLogger,
    metrics: new RunMetrics(metrics, 'c', 1),
    journal,
    hotLoops,
    clientFor: (...args) => (clients.push(args), {} as never),
    closed: given.closed,
    signal: stop.signal,
  }).run();
  return { clock: runtime.clock, asked, ended, clients, active, stop, done, journal, observe, value };
}

test.each([
  ['debug', []],
  ['info', ['reconciled']],
])('a success is told at debug: with %s left out, the line is %j', async (leftOut, expected) => {
  const told: unknown[] = [];
  const child = (): Logger => logger;
  const isLevelEnabled = (level: string): boolean => level !== leftOut;
  const logger: Logger = { ...silentLogger, isLevelEnabled, child, debug: (...line) => void told.push(line[1]) };
  await setUp({ logger }).done;
  expect(told).toEqual(expected);
});

test('RC-16: a run whose object was deleted meanwhile is reported without alarm', async () => {
  const told: unknown[] = [];
  const child = (): Logger => logger;
  const [info, error] = (['info', 'error'] as const).map(
    (level) =>
      (...line: unknown[]) =>
        void told.push([level, line[1]]),
  );
  const logger = { ...silentLogger, child, info, error } as Logger;
  const thrown = new Error('not found');
  await setUp({ logger, end: { type: 'threw', error: thrown, gone: true } }).done;
  await setUp({ logger, end: { type: 'threw', error: thrown } }).done;
  expect(told).toEqual([
    ['info', 'the object was deleted while it ran'],
    ['error', 'the run failed'],
  ]);
});

test('a key behind a closed gate waits, and runs when it is open: it is looked at every 100 ms', async () => {
  let reason: string | undefined = 'not known whether this replica leads';
  let looks = 0;
  const { clock, asked, ended, done } = setUp({ closed: () => ((looks += 1), reason) });
  await clock.advance(99);
  expect([asked.length, looks]).toEqual([0, 2]);
  await clock.advance(1);
  expect(looks).toBe(3);
  reason = undefined;
  await clock.advance(99);
  expect(asked).toHaveLength(0);
  await clock.advance(1);
  await done;
  expect([asked.length, ended]).toEqual([1, [[work, { type: 'forget' }, { hold: 0 }]]]);
});

test('work that is called off meanwhile gives its key back without a run', async () => {
  const { clock, asked, ended, stop, done } = setUp({ closed: () => 'closed' });
  await clock.advance(10);
  stop.abort(new Error('lost'));
  await clock.settle();
  await done;
  expect([asked, ended]).toEqual([[], [[work, { type: 'retry', reason: 'cancelled before it began' }]]]);
});

test('a gate that opens in the moment of the end lets nothing through', async () => {
  let reason: string | undefined = 'closed';
  const { clock, asked, stop, done } = setUp({ closed: () => reason });
  await clock.advance(10);
  reason = undefined;
  stop.abort(new Error('lost'));
  await clock.settle();
  await done;
  expect(asked).toEqual([]);
});

test('a run that cannot be concluded is retried, without being held', async () => {
  const { ended, done } = setUp({ broken: new Error('not even an outcome') });
  await done;
  expect(ended).toEqual([[work, { type: 'retry', reason: 'the run could not be completed' }, { hold: 0 }]]);
});

test('a run has the client of its key; what loops is held and told in the journal', async () => {
  const found = { loop: 'self-waking', target: 'Box n/x', fields: [], managers: [] } as const;
  const { clients, ended, done, journal, active, value } = setUp({ verdict: { hold: 300, found } });
  await done;
  expect(clients).toEqual([[work, expect.any(Function)]]);
  expect(ended).toEqual([[work, { type: 'forget' }, { hold: 300 }]]);
  expect(journal.recent()[0]).toMatchObject({ controller: 'c', key: 'n/x', hotLoop: found });
  expect([active, value('controller_runtime_active_workers')]).toEqual([['1'], '0']);
});

test('a run without a loop does not speak of one; its length is told in seconds', async () => {
  const setting = setUp({ runs: () => clockOf().sleep(1500) });
  const clockOf = () => setting.clock;
  await setting.clock.advance(1500);
  await setting.done;
  expect(Object.keys(setting.journal.recent()[0] ?? {})).not.toContain('hotLoop');
  expect(setting.value('controller_runtime_reconcile_time_seconds_sum')).toBe('1.5');
});

test('a run is aborted with the work, also one that begins after it; nobody listens when it has ended', async () => {
  const late = Promise.withResolvers<void>();
  const { asked, stop, done, clock } = setUp({ runs: () => late.promise });
  await clock.settle();
  expect(asked[0]?.signal.aborted).toBe(false);
  const reason = new Error('lost');
  stop.abort(reason);
  expect(asked[0]?.signal.reason).toBe(reason);
  late.resolve();
  await done;
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});
