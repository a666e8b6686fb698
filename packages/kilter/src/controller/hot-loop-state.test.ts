import { describe, expect, test } from 'vitest';
import type { MergedCause } from '../api/index.ts';
import {
  afterRun,
  enough,
  isForgettable,
  isSuspect,
  type LoopState,
  nothingKnown,
  type ObservedWrite,
} from './hot-loop.ts';

const at = { count: 1, firstAt: 0, lastAt: 0 };
const cause = (change: MergedCause['change'], more: Partial<MergedCause> = {}): MergedCause => ({
  ...at,
  source: 'owned',
  change,
  ...more,
});
const write = (more: Partial<ObservedWrite> = {}): ObservedWrite => ({
  target: 'Box n/x',
  object: 'Box/n/x',
  echo: 'Box/n/x@1',
  desire: 'd',
  version: '1',
  ...more,
});
const after = (state: LoopState, causes: readonly MergedCause[], writes: readonly ObservedWrite[], now = 0) =>
  afterRun(state, { started: { causes, moreCauses: 0 }, writes, now });
const woken = (selfWoken: number): LoopState => ({ ...nothingKnown, selfWoken });
const box = { kind: 'Box', ref: { namespace: 'n', name: 'x' }, resourceVersion: '1' };

describe('points for runs that own writes started', () => {
  const echoed: LoopState = { ...woken(6), echoes: [new Set(['Box/n/x@1', 'Box/n/x']), new Set()] };
  test.each<[string, readonly MergedCause[], readonly ObservedWrite[], number]>([
    ['three for an own one', [cause('update', box)], [write()], 9],
    ['one for an answer', [cause('update', { ...box, resourceVersion: '2' })], [write()], 7],
    ['none for a retry, which takes none away', [cause('retry')], [write()], 6],
    ['a timer ends it', [cause('timer')], [write()], 0],
    ['a resync ends it', [cause('resync', box), cause('update', box)], [write()], 0],
    ['a call from outside ends it', [cause('external'), cause('update', box)], [write()], 0],
    ['a change of nothing known ends it', [cause('update', { ref: box.ref }), cause('update', box)], [write()], 0],
    ['a run that wrote nothing ends it', [cause('update', box)], [], 0],
  ])('%s', (_, causes, writes, points) => {
    expect(after(echoed, causes, writes).selfWoken).toBe(points);
  });
  test('there are none at first', () => {
    expect(after(nothingKnown, [cause('retry')], [write()]).selfWoken).toBe(0);
  });
});

describe('the same written again', () => {
  const again = (gap: number, more: Partial<ObservedWrite> = { version: '2' }) =>
    after(after(nothingKnown, [], [write()], 0), [], [write(more)], gap).repeated.get('Box n/x')?.times;
  test('counts within two minutes, unless the server had nothing to do', () => {
    expect([again(120_000), again(120_001)]).toEqual([1, 0]);
    expect([again(0, { version: '1' }), again(0, { version: '2', desire: 'other' })]).toEqual([0, 0]);
  });
  test('of more objects than are remembered, those written last stay', () => {
    const many = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => write({ target: `Box n/${from + i}` }));
    let state = after(nothingKnown, [], many(0, 64));
    state = after(state, [], many(0, 1));
    state = after(state, [], many(64, 66));
    expect(state.repeated.size).toBe(64);
    expect(['0', '1', '2', '3', '65'].map((name) => state.repeated.has(`Box n/${name}`))).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
  });
});

describe('a status sent again with other values', () => {
  const status = (desire: string, sent = 'status.time') => [write({ sent, desire })];
  const first = after(nothingKnown, [cause('timer')], status('1'));
  test('is counted in a row', () => {
    expect(first.restless).toEqual({ sent: 'status.time', desire: '1', runs: 1 });
    expect(after(first, [cause('timer')], status('2')).restless?.runs).toBe(2);
    expect(after(first, [cause('timer')], status('1')).restless?.runs).toBe(1);
    expect(after(first, [cause('timer')], status('2', 'status.other')).restless?.runs).toBe(1);
  });
  test('a change of somebody else, or no status at all, ends it', () => {
    expect(after(first, [cause('external')], status('2')).restless).toBeUndefined();
    expect(after(first, [cause('timer')], [write()]).restless).toBeUndefined();
  });
});

describe('what is looked at closely: one more and it is a loop', () => {
  const repeated = (times: number): LoopState => ({
    ...nothingKnown,
    repeated: new Map([['Box n/x', { desire: 'd', version: '1', at: 0, times }]]),
  });
  const restless = (runs: number): LoopState => ({ ...nothingKnown, restless: { sent: 's', desire: 'd', runs } });
  test.each<[string, LoopState, boolean]>([
    ['nothing known', nothingKnown, false],
    ['points for nine runs', woken(27), true],
    ['a little fewer', woken(26), false],
    ['nine times the same', repeated(enough - 1), true],
    ['eight times', repeated(enough - 2), false],
    ['nine restless runs', restless(enough - 1), true],
    ['eight of them', restless(enough - 2), false],
  ])('%s', (_, state, suspect) => {
    expect(isSuspect(state, 'Box n/x')).toBe(suspect);
  });
});

test.each<[string, LoopState, boolean]>([
  ['nothing', nothingKnown, true],
  ['an echo', { ...nothingKnown, echoes: [new Set(['x']), new Set()] }, false],
  ['an older echo', { ...nothingKnown, echoes: [new Set(), new Set(['x'])] }, false],
  ['a point', woken(1), false],
  ['a write', after(nothingKnown, [], [write()]), false],
  ['a write alone', { ...nothingKnown, repeated: after(nothingKnown, [], [write()]).repeated }, false],
  ['a restless status', { ...nothingKnown, restless: { sent: 's', desire: 'd', runs: 1 } }, false],
])('%s can be forgotten: %s', (_, state, forgettable) => {
  expect(isForgettable(state)).toBe(forgettable);
});

test('an own write is known for what it is one run later too, whether or not the run between wrote anything, and no longer', () => {
  const own = [cause('update', box)];
  const wrote = after(nothingKnown, [], [write()]);
  const silent = after(wrote, [], []);
  expect(silent.echoes.map(({ size }) => size)).toEqual([0, 2]);
  expect(after(silent, own, [write()]).selfWoken).toBe(3);
  expect(after(after(silent, [], []), own, [write()]).selfWoken).toBe(0);
});
