import { describe, expect, test } from 'vitest';
import { kind, type KubeObject, type ManagedFieldsEntry, type MergedCause } from '../api/index.ts';
import type { SentWrite } from '../cache/index.ts';
import type { VirtualClock } from '../internal/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import type { Work } from '../queue/index.ts';
import { type Logger, MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import { HotLoops } from './hot-loops.ts';

const Box = kind<KubeObject>({ group: '', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Namespaced' });
const ref = { namespace: 'n', name: 'x' };
const box = (version: number, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Box',
  metadata: { ...ref, resourceVersion: String(version) },
  ...more,
});
const at = { count: 1, firstAt: 0, lastAt: 0 };
const event = (version: number): MergedCause => ({
  ...at,
  source: 'owned',
  change: 'update',
  kind: 'Box',
  ref,
  resourceVersion: String(version),
});
const timer: MergedCause = { ...at, source: 'timer', change: 'timer' };
const foreign: MergedCause = { ...at, source: 'watched', change: 'update', kind: 'Other', ref, resourceVersion: '1' };

interface Step {
  readonly key?: string;
  readonly causes?: readonly MergedCause[];
  /** Undefined: nothing is written. */
  readonly write?: Partial<SentWrite> | undefined;
  readonly before?: KubeObject | undefined | Error;
  readonly after?: KubeObject | undefined;
  /** First something is made that nobody could look at. */
  readonly blind?: boolean;
}

function setUp() {
  const { clock } = virtualRuntime();
  const metrics = new MetricsRegistry();
  const [events, warnings, ended, looks]: [unknown[][], unknown[], unknown[], unknown[][]] = [[], [], [], []];
  const log: Logger = {
    ...silentLogger,
    warn: (fields: unknown) => void warnings.push(fields),
    info: (fields: unknown) => void ended.push(fields),
  };
  let before: Step['before'];
  const live = {
    find: async (...args: unknown[]) => {
      looks.push(args);
      if (before instanceof Error) throw before;
      return before;
    },
  };
  const options = { controller: 'c', manager: 'me', live: live as never, clock, metrics };
  const loops = new HotLoops({ ...options, event: (...args) => void events.push(args) });
  const step = async ({ key = 'n/k', causes = [foreign], write, before: seen, after, blind }: Step) => {
    before = seen;
    const work = { key, ref: { namespace: 'n', name: 'k' }, causes, moreCauses: 0 } as unknown as Work;
    const watch = loops.begin(work);
    const made = { kind: Box, ref: undefined, body: {} } as unknown as SentWrite;
    if (blind === true) await watch.observe(made, async () => box(99));
    if (write !== undefined)
      await watch.observe({ kind: Box, ref, body: {}, ...write } as SentWrite, async () => after);
    return watch.end(log);
  };
  const metric = (name: string) =>
    metrics
      .text()
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')[1];
  return { step, loops, clock: clock as VirtualClock, events, warnings, ended, looks, metric };
}
type Setting = ReturnType<typeof setUp>;

/** Runs that their own writes start, each with another value; the verdict of the last. */
async function wakeSelf({ step }: Setting, runs: number, from = 0) {
  let verdict;
  for (let i = from; i < from + runs; i += 1) {
    const causes = i === 0 ? [foreign] : [event(i)];
    const body = { data: { time: i } };
    verdict = await step({
      causes,
      write: { body },
      before: box(i, { data: { time: i - 1 } }),
      after: box(i + 1, body),
    });
  }
  return verdict;
}

/** Runs that somebody else starts, each writing the same again. */
async function contest({ step }: Setting, runs: number, rival?: Partial<Step>, from = 0) {
  let verdict;
  for (let i = from; i < from + runs; i += 1) {
    const body = { data: { color: 'red' } };
    const entries = [{ manager: 'you', fieldsV1: { 'f:data': { 'f:color': {} } } }] as unknown as ManagedFieldsEntry[];
    const found = box(2 * i, { data: { color: 'blue' } });
    const before = { ...found, metadata: { ...found.metadata, managedFields: entries } };
    verdict = await step({ write: { body }, before, after: box(2 * i + 1, body), ...rival });
  }
  return verdict;
}

describe('RC-18: a controller that wakes itself', () => {
  test('is named with what it writes, counted, told in log and Event, and slowed down', async () => {
    const setting = setUp();
    const { events, warnings, metric, looks } = setting;
    for (const loop of ['self-waking', 'contested', 'restless-status']) {
      expect(metric(`kilter_hot_loops_total{controller="c",loop="${loop}"}`)).toBe('0');
    }
    expect(await wakeSelf(setting, 10)).toEqual({ hold: 0, found: undefined });
    expect([events, looks.length, metric('kilter_hot_loop_keys')]).toEqual([[], 0, '0']);
    const found = { loop: 'self-waking', target: 'Box n/x', fields: ['data.time'], managers: [] };
    expect(await wakeSelf(setting, 1, 10)).toEqual({ hold: 100, found });
    expect(looks).toEqual([[Box, ref]]);
    expect(warnings).toEqual([{ ...found, code: 'CONTROLLER_HOT_LOOP' }]);
    const message =
      'c triggers itself: its own writes start run after run, each of which writes data.time of Box n/x again.';
    expect(events).toEqual([[{ namespace: 'n', name: 'k' }, expect.stringContaining(message)]]);
    expect(metric('kilter_hot_loops_total{controller="c",loop="self-waking"}')).toBe('1');
    expect(metric('kilter_hot_loop_keys{controller="c"}')).toBe('1');
  });

  test('twice as slow with every run, to half a minute at most; told again every ten minutes', async () => {
    const setting = setUp();
    await wakeSelf(setting, 11);
    await setting.clock.advance(1);
    const holds: number[] = [];
    for (let i = 11; i < 40; i += 1) holds.push((await wakeSelf(setting, 1, i))?.hold ?? -1);
    expect(holds.slice(0, 10)).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    expect(holds.at(-1)).toBe(30_000);
    expect(setting.events).toHaveLength(1);
    await setting.clock.advance(599_998);
    await wakeSelf(setting, 1, 40);
    expect(setting.events).toHaveLength(1);
    await setting.clock.advance(1);
    await wakeSelf(setting, 2, 41);
    expect(setting.events).toHaveLength(2);
  });

  test('a look that shows no change, or fails, is not a reason not to write', async () => {
    const idle = setUp();
    await wakeSelf(idle, 10);
    const same = box(11, { data: { time: 9 } });
    const step = { causes: [event(10)], write: { body: { data: { time: 9 } } }, after: same };
    expect(await idle.step({ ...step, before: same })).toEqual({ hold: 0, found: undefined });
    const blind = setUp();
    await wakeSelf(blind, 10);
    expect(await blind.step({ ...step, before: new Error('no') })).toMatchObject({
      hold: 100,
      found: { fields: [], managers: [], target: 'Box n/x' },
    });
    expect(blind.events[0]?.[1]).toContain('writes Box n/x again');
    const touched = setUp();
    await wakeSelf(touched, 10);
    expect(await touched.step({ ...step, before: box(10, { data: { time: 9 } }) })).toMatchObject({ hold: 100 });
  });

  test('of several writes the one that shows its fields is named', async () => {
    const setting = setUp();
    await wakeSelf(setting, 10);
    const watch = setting.loops.begin({ key: 'n/k', ref, causes: [event(10)], moreCauses: 0 } as unknown as Work);
    const other = { namespace: 'n', name: 'made' };
    await watch.observe({ kind: Box, ref: undefined, body: {} } as SentWrite, async () => box(11));
    await watch.observe({ kind: Box, ref: other, body: {}, part: 'scale' } as SentWrite, async () => undefined);
    expect(watch.end(silentLogger)).toMatchObject({ found: { target: 'Box with a new name', fields: [] } });
    expect(setting.looks).toEqual([[Box, other]]);
  });

  test('a write whose field is seen is named before one that nobody could look at', async () => {
    const setting = setUp();
    await wakeSelf(setting, 10);
    const body = { data: { time: 10 } };
    const step = { causes: [event(10)], write: { body }, before: box(10, { data: { time: 9 } }), after: box(11, body) };
    expect(await setting.step({ ...step, blind: true })).toMatchObject({
      found: { target: 'Box n/x', fields: ['data.time'] },
    });
  });

  test('ends with a run that somebody else starts; that is said', async () => {
    const setting = setUp();
    await wakeSelf(setting, 11);
    expect(await setting.step({ causes: [{ ...at, source: 'retry', change: 'retry' }] })).toMatchObject({ hold: 0 });
    expect([setting.ended, setting.metric('kilter_hot_loop_keys{')]).toEqual([[{ loop: 'self-waking' }], '0']);
  });

  test('a key without writes is not remembered, and one that is gone is forgotten', async () => {
    const { step, loops } = setUp();
    await step({});
    expect(loops.size).toBe(0);
    await step({ write: {}, after: box(1) });
    expect(loops.size).toBe(1);
    loops.forget('n/k');
    expect(loops.size).toBe(0);
  });
});

describe('AP-4: a field that two write', () => {
  test('is named with the other manager', async () => {
    const setting = setUp();
    expect(await contest(setting, 10)).toEqual({ hold: 0, found: undefined });
    expect(await contest(setting, 1, {}, 10)).toEqual({
      hold: 100,
      found: { loop: 'contested', target: 'Box n/x', fields: ['data.color'], managers: ['you'] },
    });
    expect(setting.events[0]?.[1]).toContain('data.color of Box n/x flaps between c and you');
    expect(setting.metric('kilter_hot_loops_total{controller="c",loop="contested"}')).toBe('1');
  });

  test('also where nobody is to be seen; but not where it is not known what was wanted', async () => {
    const unseen = setUp();
    const verdict = await contest(unseen, 11, { before: undefined });
    expect(verdict).toMatchObject({ hold: 100, found: { loop: 'contested', fields: [], managers: [] } });
    expect(unseen.events[0]?.[1]).toMatch(
      /^c writes Box n\/x again and again, but it never stays: look for .* that reverts or deletes it \(the garbage collector/,
    );
    const unknown = setUp();
    expect(await contest(unknown, 12, { before: undefined, write: { body: undefined } })).toMatchObject({ hold: 0 });
  });

  test('is over when it was quiet for three minutes', async () => {
    const setting = setUp();
    await contest(setting, 11);
    await setting.clock.advance(180_000);
    await setting.step({});
    expect(setting.ended).toEqual([]);
    await setting.clock.advance(1);
    await setting.step({});
    expect(setting.ended).toEqual([{ loop: 'contested' }]);
  });
});

describe('RC-25: a restless status', () => {
  const restless = async ({ step }: Setting, runs: number, field = 'time', key = 'n/k') => {
    let verdict;
    for (let i = 0; i < runs; i += 1) {
      const body = { status: { [field]: i } };
      verdict = await step({ key, causes: [timer], write: { body, part: 'status' }, after: box(i + 1, body) });
    }
    return verdict;
  };

  test('is reported once for a field, and not slowed down', async () => {
    const setting = setUp();
    expect(await restless(setting, 9)).toEqual({ hold: 0, found: undefined });
    const found = { loop: 'restless-status', target: 'Box n/x/status', fields: ['status.time'], managers: [] };
    const again = setUp();
    expect(await restless(again, 10)).toEqual({ hold: 0, found });
    expect(again.events[0]?.[1]).toContain('c writes status.time of Box n/x/status again in every run');
    expect(await restless(again, 10, 'time', 'n/other')).toEqual({ hold: 0, found: undefined });
    expect([again.events.length, again.metric('kilter_hot_loop_keys{')]).toEqual([1, '0']);
  });

  test('of a hundred fields at most', async () => {
    const setting = setUp();
    for (let i = 0; i < 101; i += 1) await restless(setting, 10, `f${i}`, `n/${i}`);
    expect(setting.events).toHaveLength(100);
  });
});

test('a run that finds no object leaves nothing behind, though an earlier one ended after the object was gone', async () => {
  const { loops, step, metric } = setUp();
  const write = { body: { a: 1 } };
  const contest = async (version: number) =>
    step({ write, before: box(version, { a: 2 }), after: box(version + 1, { a: 1 }) });
  for (let n = 0; n < 30; n += 2) await contest(n);
  expect(metric('kilter_hot_loop_keys')).toBe('1');
  loops.begin({ key: 'n/k', ref, causes: [foreign], moreCauses: 0 } as unknown as Work).drop();
  expect([metric('kilter_hot_loop_keys'), loops.size]).toEqual(['0', 0]);
});

test('AP-4: where the other one wrote between the look and the write, the next look tells the field; without any, twice as many writes tell', async () => {
  const { step } = setUp();
  const write = { body: { a: 1 } };
  const late = async (version: number) =>
    step({ write, before: box(version, { a: 1 }), after: box(version + 2, { a: 1 }) });
  for (let n = 0; n < 12; n += 1) expect((await late(n * 3)).found).toBeUndefined();
  const seen = await step({ write, before: box(50, { a: 2 }), after: box(51, { a: 1 }) });
  expect(seen.found).toMatchObject({ loop: 'contested', fields: ['a'] });
  const other = setUp();
  const verdicts: unknown[] = [];
  for (let n = 0; n < 22; n += 1) {
    const { found } = await other.step({ write, before: box(n * 3, { a: 1 }), after: box(n * 3 + 2, { a: 1 }) });
    verdicts.push(found?.loop);
  }
  expect(verdicts.findIndex((loop) => loop === 'contested')).toBe(20);
});
