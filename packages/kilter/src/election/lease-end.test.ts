// How a candidacy ends, and what is told of it.
import { expect, test } from 'vitest';
import type { Client } from '../client/index.ts';
import { quiescence } from '../internal/index.ts';
import type { Lease, LeaseSpec } from '../k8s/coordination/v1.ts';
import { campaign, forEver, isOpen, perfect, setup } from './lease-world.test-support.ts';

const warnings = (lines: readonly Record<string, unknown>[]): unknown[] =>
  lines.filter(({ level }) => Number(level) > 30).map(({ msg }) => msg);

test('LE-10: a Lease that was given back is told as released, and nothing is wrong', async () => {
  const { clock, replica } = setup();
  const a = replica('a');
  campaign(a);
  await clock.advance(0);
  await Promise.all([a.election.release(), a.election.release(), clock.advance(0)]);
  expect(a.lines.at(-1)).toMatchObject({ msg: 'the Lease was released', identity: 'a' });
  expect([warnings(a.lines), a.election.answered]).toEqual([[], true]);
});

test('LE-10: one that could not be given back is reported with the time it needs to run out', async () => {
  const { clock, replica } = setup();
  const a = replica('a');
  campaign(a);
  await clock.advance(0);
  a.network = { ...perfect, fate: () => 'held' };
  const released = a.election.release();
  // Asked again and called off while it is under way: it stays what it is.
  await clock.advance(1000);
  a.election.abandon();
  void a.election.release();
  await clock.advance(1500);
  await released;
  expect(warnings(a.lines)).toEqual(['the Lease could not be released; it expires within 15 s']);
  expect([a.election.answered, isOpen(a)]).toEqual([false, false]);
});

test('a leader that abandons its Lease writes nothing more, and leaves it to run out', async () => {
  const { clock, store, replica } = setup();
  const a = replica('a');
  const outcome = campaign(a);
  await clock.advance(0);
  a.election.abandon();
  expect([isOpen(a), a.election.leading, clock.pending]).toEqual([false, false, 0]);
  await clock.advance(10_000);
  expect([store.writers, store.lease?.spec?.holderIdentity]).toEqual([['a'], 'a']);
  expect([warnings(a.lines), a.election.answered, outcome.lost]).toEqual([[], true, undefined]);
});

test('LE-12: a request under way is called off with the candidacy', async () => {
  const { clock, replica } = setup();
  const signals: AbortSignal[] = [];
  const client = {
    find: (_: unknown, __: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise<never>(() => undefined);
    },
    watch: async function* () {
      yield* [];
    },
  } as unknown as Client;
  const stop = new AbortController();
  const outcome = campaign(replica('a', { client }), stop.signal);
  await clock.advance(0);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  stop.abort(new Error('stopped'));
  await clock.advance(0);
  expect(signals.map(({ reason }) => reason)).toMatchObject([{ code: 'ELECTION_OVER' }]);
  expect(outcome.error).toEqual(new Error('stopped'));
});

test('a loss that nobody waits for is not an unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const { clock, replica } = setup();
  const a = replica('a');
  void a.election.campaign(forEver);
  await clock.advance(0);
  a.network = { ...perfect, fate: () => 'lost' };
  await clock.advance(10_000);
  expect(isOpen(a)).toBe(false);
  for (let turn = 0; turn < 3; turn += 1) await quiescence();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test('LE-18: a watch of the Lease is asked to last from five to ten minutes', async () => {
  const { clock, replica } = setup();
  const asked: number[] = [];
  const client = {
    find: () => new Promise<never>(() => undefined),
    watch: async function* (_: unknown, { timeoutSeconds }: { timeoutSeconds: number }) {
      asked.push(timeoutSeconds);
      yield* [];
    },
  } as unknown as Client;
  campaign(replica('a', { client }));
  await clock.advance(200_000);
  expect(asked.length).toBeGreaterThan(50);
  expect(Math.min(...asked)).toBeGreaterThanOrEqual(300);
  expect(Math.min(...asked)).toBeLessThan(350);
  expect(Math.max(...asked)).toBeGreaterThan(550);
  expect(Math.max(...asked)).toBeLessThan(600);
});

test('LE-4: a server that does not say how often the Lease changed hands has a leader number 0', async () => {
  const { clock, replica } = setup();
  const client = {
    find: () => Promise.resolve(undefined),
    create: (lease: Lease) => Promise.resolve({ ...lease, spec: { holderIdentity: 'a' } }),
    watch: async function* () {
      yield* [];
    },
  } as unknown as Client;
  const outcome = campaign(replica('a', { client }));
  await clock.advance(0);
  expect(outcome.epoch).toBe(0);
});

test('RF-30: each write of the Lease that succeeds is reported, and each renewal a candidate sees; other reads and failures are not', async () => {
  const { clock, store, replica } = setup();
  let reached = 0;
  const a = replica('a', { reached: () => (reached += 1) });
  campaign(a);
  await clock.advance(0);
  expect([store.writers.length, reached]).toEqual([1, 1]);
  await clock.advance(10_000);
  expect(reached).toBe(store.writers.length);
  // Who stands by writes nothing, but sees that somebody could.
  let standing = 0;
  const b = replica('b', { reached: () => (standing += 1) });
  const from = store.writers.length;
  campaign(b);
  await clock.advance(9900);
  expect(standing).toBe(store.writers.length - from);
  expect(standing).toBeGreaterThan(3);
  // Its reads go on and find what they found before.
  const before = [reached, standing];
  const reads = store.reads;
  a.network = { ...perfect, fate: () => 'lost' };
  await clock.advance(9000);
  expect(store.reads).toBeGreaterThan(reads);
  expect([reached, standing]).toEqual(before);
});

test('LE-7: a loss is reported with why the last request failed; one without failures is not', async () => {
  const { clock, replica } = setup();
  const a = replica('a');
  const outcome = campaign(a);
  await clock.advance(4000);
  a.network = { ...perfect, fate: () => 'lost' };
  await clock.advance(20_000);
  const told = 'lost the Lease ns/op: no renewal succeeded for 10 s; the last request failed: reset (ELECTION_LOST';
  expect(String((outcome.lost as Error).message)).toContain(told);
  // A stall: nothing was asked for, so nothing has failed.
  const b = replica('b');
  const stalled = campaign(b);
  await clock.advance(30_000);
  expect(isOpen(b)).toBe(true);
  b.stall();
  await clock.advance(30_000);
  b.resume();
  await clock.advance(0);
  expect(String((stalled.lost as Error).message)).toContain('no renewal succeeded for 10 s (ELECTION_LOST');
});

test.each<[string, Partial<LeaseSpec>, string]>([
  [
    'both fields gone',
    { acquireTime: undefined, leaseTransitions: undefined },
    'somebody has edited it: acquireTime and leaseTransitions are missing',
  ],
  ['no time of winning', { acquireTime: undefined }, 'somebody has edited it: acquireTime is missing'],
  [
    'no count, another time',
    { acquireTime: 'later', leaseTransitions: undefined },
    'somebody has edited it: leaseTransitions is missing',
  ],
  ['another count, the same time', { leaseTransitions: 7 }, 'somebody has edited it: leaseTransitions is 7, and was 0'],
  ['another time, the same count', { acquireTime: 'later' }, 'a second manager with the same identity, a, holds it'],
  [
    'both differ',
    { acquireTime: 'later', leaseTransitions: 1 },
    'a second manager with the same identity, a, holds it',
  ],
])('LE-19: a leader whose term was changed has lost, and is told by whom: %s', async (_, changed, reason) => {
  const { clock, store, replica } = setup();
  const a = replica('a');
  const outcome = campaign(a);
  await clock.advance(4000);
  const { lease } = store;
  if (lease === undefined) throw new Error('nobody holds the Lease');
  store.update({ ...lease, spec: { ...lease.spec, ...changed } as LeaseSpec }, 'kubectl');
  await clock.advance(9000);
  expect([isOpen(a), store.writers.at(-1)]).toEqual([false, 'kubectl']);
  expect(String((outcome.lost as Error).message)).toContain(`lost the Lease ns/op: ${reason}`);
});

test('LE-19: a count that was 0 and is gone changes no term: its holder leads on', async () => {
  const { clock, store, replica } = setup();
  const a = replica('a');
  const outcome = campaign(a);
  await clock.advance(4000);
  const { leaseTransitions: _, ...spec } = store.lease?.spec ?? {};
  store.update({ ...(store.lease as Lease), spec }, 'kubectl');
  await clock.advance(9000);
  expect([isOpen(a), outcome.lost, store.writers.at(-1)]).toEqual([true, undefined, 'a']);
});
