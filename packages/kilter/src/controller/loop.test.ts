import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { KilterError } from '../errors/index.ts';
import { type Runtime, systemRuntime, virtualRuntime } from '../internal/index.ts';
import { workQueue } from '../queue/index.ts';
import { requeue, requeueAfter, type Run, terminal, waitFor } from '../reconcile/index.ts';
import { jsonLogger, Journal, MetricsRegistry } from '../telemetry/index.ts';
import { HotLoops } from './hot-loops.ts';
import { Loop } from './loop.ts';
import type { KeyReconciler } from './key-reconciler.ts';
import type { Ended } from './outcome.ts';
import { RunMetrics } from './run-metrics.ts';
import type { ControllerSpec } from './spec.ts';

const cause = {
  source: 'primary',
  change: 'add',
  kind: 'Thing.example.com',
  ref: { name: 'a', namespace: 'ns' },
} as const;

/** A loop over a real queue whose runs are given by a script; times are those of a virtual clock. */
function start(script: (run: Run, n: number) => unknown, concurrency = 1) {
  return startOn(virtualRuntime(), script, concurrency);
}

function startOn<R extends Runtime>(runtime: R, script: (run: Run, n: number) => unknown, concurrency = 1) {
  const metrics = new MetricsRegistry();
  const failures: unknown[] = [];
  const journal = new Journal((error) => failures.push(error));
  const lines: Record<string, unknown>[] = [];
  const logger = jsonLogger({ write: (line) => lines.push(JSON.parse(line)), now: () => 0, level: 'debug' });
  const queue = workQueue({ name: 'thing', runtime, metrics, jitter: 0 });
  const spec = {
    name: 'thing',
    concurrency,
    timeout: 300_000,
    kind: { names: { group: 'example.com', kind: 'Thing' } },
  };
  const starts: number[] = [];
  const runs: Run[] = [];
  const reconciler = {
    run: async (run: Run): Promise<Ended> => {
      starts.push(runtime.clock.monotonic());
      runs.push(run);
      try {
        return { type: 'returned', value: await script(run, starts.length) };
      } catch (error) {
        return { type: 'threw', error };
      }
    },
  };
  const stop = new AbortController();
  const loop = new Loop({
    spec: spec as unknown as ControllerSpec,
    queue,
    reconciler: reconciler as unknown as KeyReconciler,
    runtime,
    logger,
    metrics: new RunMetrics(metrics, 'thing', concurrency),
    journal,
    clientFor: () => ({}) as never,
    hotLoops: new HotLoops({
      controller: 'thing',
      manager: 'test/thing',
      live: { find: async () => undefined },
      clock: runtime.clock,
      metrics,
      event: () => undefined,
    }),
    signal: stop.signal,
  });
  const done = loop.run();
  const add = (name = 'a') => queue.add({ name, namespace: 'ns' }, { ...cause, ref: { name, namespace: 'ns' } });
  const counted = (name: string, labels = '{controller="thing"}') =>
    Number(new RegExp(`^${name}${labels.replaceAll(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(metrics.text())?.[1]);
  const result = (name: string) =>
    counted('controller_runtime_reconcile_total', `{controller="thing",result="${name}"}`);
  return {
    clock: runtime.clock as R['clock'],
    queue,
    loop,
    starts,
    runs,
    journal,
    lines,
    add,
    counted,
    result,
    stop,
    done,
    failures,
  };
}

describe('what follows a run', () => {
  test('RC-1, RL-1: a throw is retried after d(n), counted and logged with its cause', async () => {
    const it = start((_, n) => {
      if (n <= 4) throw new Error(`broken ${n}`);
    });
    it.add();
    await it.clock.advance(1000);
    expect(it.starts).toEqual([0, 5, 15, 35, 75]);
    expect(it.result('error')).toBe(4);
    expect(it.counted('controller_runtime_reconcile_errors_total')).toBe(4);
    expect(
      it.lines
        .filter(({ level }) => level === 50)
        .map(({ err }) => (err as { cause: { message: string } }).cause.message),
    ).toEqual(['broken 1', 'broken 2', 'broken 3', 'broken 4']);
    it.add();
    await it.clock.advance(1000);
    expect(it.starts).toHaveLength(6);
  });

  test('RC-2: terminal() waits for the next change and ends the series', async () => {
    const it = start((_, n) => {
      if (n === 1) throw new Error('x');
      if (n === 2) throw new Error('outer', { cause: thrownBy(() => terminal(new Error('never'))) });
      if (n === 3) throw new Error('y');
    });
    it.add();
    await it.clock.advance(60_000);
    expect(it.starts).toEqual([0, 5]);
    expect([it.result('error'), it.counted('controller_runtime_terminal_reconcile_errors_total')]).toEqual([2, 1]);
    it.add();
    await it.clock.advance(1000);
    expect(it.starts).toEqual([0, 5, 60_000, 60_005]);
  });

  test('RC-3: requeueAfter runs again after its time and clears the failures', async () => {
    const it = start((_, n) => {
      if (n === 1 || n === 3) throw new Error('x');
      return n === 2 ? requeueAfter('30s', 'poll') : undefined;
    });
    it.add();
    await it.clock.advance(60_000);
    expect(it.starts).toEqual([0, 5, 30_005, 30_010]);
    expect(it.result('requeue_after')).toBe(1);
    expect(it.runs[2]?.causes).toMatchObject([{ source: 'timer', change: 'timer', reason: 'poll' }]);
  });

  test('RC-4: requeue runs the first time at once, then with growing delays', async () => {
    const it = start((_, n) => (n <= 4 ? requeue('again') : undefined));
    it.add();
    await it.clock.advance(1000);
    expect(it.starts).toEqual([0, 0, 5, 15, 35]);
    expect(it.result('requeue')).toBe(4);
  });

  test('RC-5: nothing returned waits for the next change and clears the failures', async () => {
    const it = start((_, n) => {
      if (n === 1 || n === 3) throw new Error('x');
    });
    it.add();
    await it.clock.advance(3_600_000);
    expect(it.starts).toEqual([0, 5]);
    expect(it.result('success')).toBe(1);
    it.add();
    await it.clock.advance(1000);
    expect(it.starts.slice(2)).toEqual([3_600_000, 3_600_005]);
  });

  test('RC-10: waitFor runs again after its time, without counting and without an error line', async () => {
    const it = start((_, n) => {
      if (n === 1) throw new Error('x');
      if (n === 2) waitFor('Secret db', '3s');
      if (n === 3) throw new Error('y');
    });
    it.add();
    await it.clock.advance(10_000);
    expect(it.starts).toEqual([0, 5, 3005, 3015]);
    expect(it.result('requeue_after')).toBe(1);
    expect(it.lines.filter(({ level }) => (level as number) >= 40)).toHaveLength(2);
  });
});

test('RC-8: every counter is there with 0 before the first run', () => {
  const it = start(() => undefined);
  expect(['success', 'error', 'requeue', 'requeue_after'].map(it.result)).toEqual([0, 0, 0, 0]);
  for (const name of ['reconcile_errors', 'terminal_reconcile_errors', 'reconcile_panics', 'reconcile_timeouts']) {
    expect(it.counted(`controller_runtime_${name}_total`)).toBe(0);
  }
});

test('RC-9: one key never runs twice at a time, other keys do', async () => {
  const ends: (() => void)[] = [];
  const running = new Set<string>();
  const it = start(async ({ key }) => {
    expect(running.has(key)).toBe(false);
    running.add(key);
    await new Promise<void>((resolve) => ends.push(resolve));
    running.delete(key);
  }, 4);
  it.add('a');
  it.add('b');
  await it.clock.settle();
  it.add('a');
  await it.clock.settle();
  expect([...running].toSorted()).toEqual(['ns/a', 'ns/b']);
  expect(it.starts).toHaveLength(2);
  ends.shift()?.();
  await it.clock.settle();
  expect(it.starts).toHaveLength(3);
});

test('RC-7, B-29: a run that outlives the timeout is aborted, counted, and keeps its key until it ends', async () => {
  let end: () => void = () => undefined;
  const it = start((run, n) => (n === 1 ? new Promise<void>((resolve) => (end = resolve)) : void run));
  it.add();
  await it.clock.advance(299_999);
  expect(it.runs[0]?.signal.aborted).toBe(false);
  await it.clock.advance(1);
  expect(it.runs[0]?.signal.reason).toMatchObject({ code: 'RECONCILE_TIMEOUT' });
  expect(it.counted('controller_runtime_reconcile_timeouts_total')).toBe(1);
  it.add();
  await it.clock.advance(1000);
  expect(it.starts).toHaveLength(1);
  end();
  await it.clock.settle();
  expect(it.starts).toHaveLength(2);
});

test('B-29: a run that never settles is reported as stuck, again and again; other keys go on', async () => {
  let end: () => void = () => undefined;
  const it = start(({ ref }) => (ref.name === 'a' ? new Promise<void>((resolve) => (end = resolve)) : undefined), 2);
  it.add('a');
  await it.clock.advance(300_000);
  expect(it.counted('kilter_stuck_runs')).toBe(1);
  await it.clock.advance(600_000);
  const stuck = it.lines.filter(({ msg }) => String(msg).startsWith('the run is stuck'));
  expect(stuck).toMatchObject([{ level: 50, name: 'a' }, { err: { message: expect.stringContaining('900 s') } }]);
  expect(it.counted('controller_runtime_reconcile_timeouts_total')).toBe(1);
  it.add('b');
  await it.clock.settle();
  expect(it.result('success')).toBe(1);
  end();
  await it.clock.settle();
  expect(it.counted('kilter_stuck_runs')).toBe(0);
  expect(it.clock.pending).toBe(0);
});

test('MG-13: a run that does not end after the stop leaves no timer that would keep the program running', async () => {
  const it = start(() => new Promise<void>(() => undefined));
  it.add('a');
  await it.clock.settle();
  it.stop.abort(new Error('stop'));
  await it.clock.settle();
  expect([it.runs[0]?.signal.aborted, it.clock.pending]).toEqual([true, 0]);
});

test('runs that have ended leave nothing behind: one listener of the stop for all of them, no timer', async () => {
  const it = start(() => undefined, 2);
  for (let i = 0; i < 20; i += 1) it.add(`k${i}`);
  await it.clock.settle();
  expect(it.starts).toHaveLength(20);
  expect([getEventListeners(it.stop.signal, 'abort').length, it.clock.pending]).toEqual([1, 0]);
  it.queue.shutdown();
  await it.done;
  expect(getEventListeners(it.stop.signal, 'abort')).toEqual([]);
});

test('what runs is known by its keys, while it runs', async () => {
  const it = start(({ key }) => it.clock.sleep(key === 'ns/a' ? 10 : 20), 2);
  for (const name of ['a', 'b', 'c']) it.add(name);
  await it.clock.advance(5);
  expect([...it.loop.running].toSorted()).toEqual(['ns/a', 'ns/b']);
  await it.clock.advance(10);
  expect([...it.loop.running].toSorted()).toEqual(['ns/b', 'ns/c']);
  await it.clock.advance(20);
  expect([...it.loop.running]).toEqual([]);
});

test('a listener of the journal that throws is told of and changes nothing of the run', async () => {
  const it = start(() => undefined);
  it.journal.subscribe(() => {
    throw new Error('listener');
  });
  it.journal.subscribe(() => Promise.reject(new Error('later')) as never);
  const heard: string[] = [];
  it.journal.subscribe(({ key }) => heard.push(key));
  it.add();
  await it.clock.advance(60_000);
  expect(it.starts).toHaveLength(1);
  expect([heard, it.result('success'), it.failures.map(String)]).toEqual([
    ['ns/a'],
    1,
    ['Error: listener', 'Error: later'],
  ]);
});

test('RC-15, RC-20, CS-3: a run is reported with its key, its id and its causes', async () => {
  const it = start(() => {
    throw new Error('broken');
  });
  it.add();
  it.add();
  await it.clock.settle();
  const line = it.lines.find(({ level }) => level === 50);
  expect(line).toMatchObject({
    controller: 'thing',
    controllerGroup: 'example.com',
    controllerKind: 'Thing',
    Thing: { namespace: 'ns', name: 'a' },
    namespace: 'ns',
    name: 'a',
    causes: ['add of Thing.example.com ns/a (2x)'],
    err: { type: 'ReconcileError', code: 'RECONCILE_FAILED', cause: { message: 'broken' } },
  });
  expect(line?.reconcileID).toMatch(/^[0-9a-f-]{36}$/);
  expect(it.journal.recent()[0]).toMatchObject({
    key: 'ns/a',
    result: 'error',
    causes: ['add of Thing.example.com ns/a (2x)'],
  });
});

test('causes of its own: what a reconciler does with them is not told after the run', async () => {
  const it = start(({ causes }) => void Object.assign(causes[0] as object, { change: 'delete', kind: 'Other' }));
  it.add();
  await it.clock.settle();
  expect(it.runs[0]?.causes).toMatchObject([{ change: 'add', kind: 'Thing.example.com' }]);
  expect(it.journal.recent()[0]?.causes).toEqual(['add of Thing.example.com ns/a']);
});

describe('RC-24: runs without I/O leave the event loop its turn', () => {
  test('a timer fires while keys run that wake each other for ever', async () => {
    const it = startOn(systemRuntime, ({ ref }) => void it.add(ref.name === 'a' ? 'b' : 'a'), 4);
    it.add();
    const fired = Promise.withResolvers<void>();
    systemRuntime.clock.timer(20, fired.resolve);
    await fired.promise;
    it.queue.shutdown();
    await it.done;
    expect(it.starts.length).toBeGreaterThan(1);
  });

  test('on a virtual clock all of them have run once it is settled', async () => {
    const it = start(() => undefined, 3);
    for (let i = 0; i < 1000; i += 1) it.add(`k${i}`);
    await it.clock.settle();
    expect(it.starts).toHaveLength(1000);
  });
});

test('WQ-7: after shutdown the workers end once their runs have', async () => {
  let end: () => void = () => undefined;
  const it = start(() => new Promise<void>((resolve) => (end = resolve)), 2);
  it.add();
  await it.clock.settle();
  it.queue.shutdown();
  end();
  await it.done;
  expect(it.queue.processing).toBe(0);
  expect(it.clock.pending).toBe(0);
});

function thrownBy(run: () => never): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

test('RC-16: what ends with an abort after it was called off has not failed', async () => {
  const it = start(async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new DOMException('The operation was aborted', 'AbortError');
  });
  it.add();
  await it.clock.settle();
  it.queue.shutdown();
  it.stop.abort(new KilterError('MANAGER_STOPPED', 'the operator is stopping'));
  await it.done;
  expect(it.lines.map(({ level, msg }) => [level, msg])).toEqual([[30, 'the run was cancelled']]);
});
