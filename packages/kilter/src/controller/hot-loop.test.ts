import { describe, expect, test } from 'vitest';
import type { KubeObject, MergedCause } from '../api/index.ts';
import { type Clock, virtualRuntime } from '../internal/index.ts';
import type { Work } from '../queue/index.ts';
import { MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import { differingFields, otherManagers, pathInWords } from './field-difference.ts';
import { afterRun, echoOf, enough, type LoopState, nothingKnown, type ObservedWrite, suspicionOf } from './hot-loop.ts';
import { HotLoops } from './hot-loops.ts';
import { desireOf, sentFields } from './observed-write.ts';

const at = { count: 1, firstAt: 0, lastAt: 0 };
const cause = (version: number, change: MergedCause['change'] = 'update'): MergedCause => ({
  ...at,
  source: 'owned',
  change,
  kind: 'ConfigMap',
  ref: { namespace: 'default', name: 'a' },
  resourceVersion: String(version),
});
const write = (version: number, desire = String(version)): ObservedWrite => ({
  target: 'ConfigMap default/a',
  object: 'ConfigMap/default/a',
  echo: echoOf('ConfigMap', 'default/a', String(version)),
  desire,
  version: String(version),
});

interface Step {
  readonly causes: readonly MergedCause[];
  readonly writes: readonly ObservedWrite[];
  readonly moreCauses?: number;
  readonly now?: number;
}

function follow(steps: readonly Step[]): { state: LoopState; loop: string | undefined } {
  let state = nothingKnown;
  let loop: string | undefined;
  for (const { causes, writes, moreCauses = 0, now = 0 } of steps) {
    state = afterRun(state, { started: { causes, moreCauses }, writes, now });
    loop = suspicionOf(state, writes)?.kind;
  }
  return { state, loop };
}

/** The first run is started by somebody else. */
const selfWaking = (runs: number): Step[] =>
  Array.from({ length: runs + 1 }, (_, i) => ({
    causes: i === 0 ? [cause(0, 'add')] : [cause(i)],
    writes: [write(i + 1)],
  }));

describe('RC-18: what a loop is', () => {
  test.each<[string, readonly Step[], string | undefined]>([
    ['ten runs that own writes started, each writing again', selfWaking(enough), 'self-waking'],
    ['nine of them', selfWaking(enough - 1), undefined],
    ['one that wrote nothing ends it', [...selfWaking(enough), { causes: [cause(11)], writes: [] }], undefined],
    [
      'a change of another object ends it',
      [...selfWaking(enough), { causes: [cause(11), { ...cause(99), kind: 'Secret' }], writes: [write(12)] }],
      undefined,
    ],
    [
      'more causes than were kept end it',
      [...selfWaking(enough), { causes: [cause(11)], moreCauses: 1, writes: [write(12)] }],
      undefined,
    ],
    [
      'a retry in between neither counts nor ends it',
      [
        ...selfWaking(enough - 1),
        { causes: [{ ...at, source: 'retry', change: 'retry' }], writes: [write(11)] },
        { causes: [cause(11)], writes: [write(12)] },
      ],
      'self-waking',
    ],
    [
      'an event that came while the next run waited for it is an own one',
      [...selfWaking(enough - 1), { causes: [cause(enough - 1)], writes: [write(12)] }],
      'self-waking',
    ],
    [
      'runs that only answers of others to own writes started, thirty of them',
      Array.from({ length: 31 }, (_, i) => ({ causes: [cause(1000 + i)], writes: [write(i + 1)] })),
      'self-waking',
    ],
    [
      'timers are nobody writing',
      Array.from({ length: 40 }, (_, i) => ({
        causes: [{ ...at, source: 'timer' as const, change: 'timer' as const }],
        writes: [write(i + 1)],
      })),
      undefined,
    ],
    [
      'creating and deleting the same object for ever',
      Array.from({ length: 12 }, (_, i) => ({
        causes: i === 0 ? [cause(0)] : [i % 2 === 1 ? cause(i) : cause(0, 'delete')],
        writes:
          i % 2 === 0 ? [write(i + 1)] : [{ ...write(0), echo: 'ConfigMap/default/a deleted', version: undefined }],
      })),
      'self-waking',
    ],
  ])('%s', (_, steps, loop) => {
    expect(follow(steps).loop).toBe(loop);
  });

  const contested = (times: number, gap: number, version = (i: number) => i): Step[] =>
    Array.from({ length: times + 1 }, (_, i) => ({
      causes: [{ ...cause(1000 + i), kind: 'Secret' }],
      writes: [write(version(i), 'same')],
      now: i * gap,
    }));
  test.each<[string, readonly Step[], string | undefined]>([
    ['the same written again ten times, a minute apart', contested(enough, 60_000), 'contested'],
    ['nine times', contested(enough - 1, 60_000), undefined],
    ['every three minutes: nobody is hurt', contested(50, 180_000), undefined],
    ['the server answers that nothing was to do', contested(50, 1000, () => 7), undefined],
    [
      'something else was wanted in between',
      [...contested(enough, 1000), { causes: [cause(1)], writes: [write(99, 'other')], now: 20_000 }],
      undefined,
    ],
  ])('AP-4: %s', (_, steps, loop) => {
    expect(follow(steps).loop).toBe(loop);
  });

  test('what is kept of a run with a thousand writes is bounded', () => {
    const writes = Array.from({ length: 1000 }, (_, i) => ({ ...write(i), target: `ConfigMap default/${i}` }));
    const { state } = follow([{ causes: [], writes }]);
    expect([state.repeated.size, state.echoes[0].size]).toEqual([64, 65]);
  });
});

test('RC-18: what is kept of keys is bounded, and goes with the object', async () => {
  const { clock } = virtualRuntime();
  const live = { find: async () => undefined };
  const loops = new HotLoops({
    controller: 'c',
    manager: 'm',
    live,
    clock: clock as Clock,
    metrics: new MetricsRegistry(),
    event: () => undefined,
  });
  const kind = { names: { group: '', kind: 'ConfigMap' } } as never;
  const run = async (key: string): Promise<void> => {
    const watch = loops.begin({
      key,
      number: -1,
      ref: { name: key },
      causes: [],
      moreCauses: 0,
      priority: 0,
      failures: 0,
      waited: 0,
    } as Work);
    const answer = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: key, resourceVersion: '1' } };
    await watch.observe({ kind, ref: { name: key }, body: {} }, async () => answer);
    watch.end(silentLogger);
  };
  for (let i = 0; i < 10_100; i += 1) await run(`k${i}`);
  expect(loops.size).toBe(10_000);
  loops.forget('k10099');
  expect(loops.size).toBe(9999);
});

describe('fields that differ', () => {
  const object = (more: object): KubeObject => ({ apiVersion: 'v1', kind: 'X', metadata: { name: 'a' }, ...more });
  test.each([
    ['a leaf', { data: { a: 1, b: 2 } }, { data: { a: 1, b: 3 } }, ['data.b']],
    ['a new field', { data: {} }, { data: { 'a.b': 1 } }, ['data["a.b"]']],
    [
      'an item of a list',
      { spec: { l: [{ i: 1 }, { i: 2 }] } },
      { spec: { l: [{ i: 1 }, { i: 3 }] } },
      ['spec.l[1].i'],
    ],
    ['a list of another length', { spec: { l: [1] } }, { spec: { l: [1, 2] } }, ['spec.l']],
    ['nothing but bookkeeping', { metadata: { resourceVersion: '1' } }, { metadata: { resourceVersion: '2' } }, []],
  ])('%s', (_, before, after, paths) => {
    expect(differingFields(object(before), object(after)).map(pathInWords)).toEqual(paths);
  });

  test('others that hold one of them, the latest writer first; never oneself', () => {
    const entry = (manager: string, fieldsV1: object, time: string) =>
      ({ manager, operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1, time }) as const;
    const color = { 'f:data': { 'f:color': {} } };
    const item = { 'f:spec': { 'f:l': { 'k:{"name":"x"}': { 'f:image': {} } } } };
    const entries = [
      entry('own', color, '2024-01-03T00:00:00Z'),
      entry('old', color, '2024-01-01T00:00:00Z'),
      entry('new', color, '2024-01-02T00:00:00Z'),
      entry('shape', { 'f:data': { 'f:size': {} } }, '2024-01-02T00:00:00Z'),
      entry('lists', item, '2024-01-02T00:00:00Z'),
    ];
    expect(otherManagers(entries, [['data', 'color']], 'own')).toEqual(['new', 'old']);
    expect(otherManagers(entries, [['spec', 'l', '0', 'image']], 'own')).toEqual(['lists']);
    expect(otherManagers(undefined, [['data']], 'own')).toEqual([]);
  });
});

test('what is wanted does not depend on the version it is locked on', () => {
  const body = (resourceVersion: string, value: number): object => ({
    metadata: { resourceVersion },
    status: { value },
  });
  expect(desireOf(body('1', 1))).toBe(desireOf(body('2', 1)));
  expect(desireOf(body('1', 1))).not.toBe(desireOf(body('1', 2)));
  expect(desireOf(undefined)).toBeUndefined();
  expect(sentFields({ status: { b: 1, a: { c: [1] }, observedGeneration: 3 } })).toBe('status.a.c, status.b');
  expect(sentFields({ status: { observedGeneration: 3 } })).toBeUndefined();
  expect(sentFields([{ op: 'add' }])).toBeUndefined();
});
