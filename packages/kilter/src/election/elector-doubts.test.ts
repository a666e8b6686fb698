// What a candidate may believe: what it read, not what a watch merely reported.
import { expect, test } from 'vitest';
import type { Lease } from '../k8s/coordination/v1.ts';
import { closedReason, initialState, type Input, type State, step, wakeTime } from './elector.ts';
import type { ElectionRules } from './options.ts';

const rules: ElectionRules = {
  lease: { name: 'op', namespace: 'ns' },
  identity: 'me',
  leaseDuration: 15_000,
  renewDeadline: 10_000,
  retryPeriod: 2000,
  labels: {},
};
const free: Lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'op', namespace: 'ns', resourceVersion: '1' },
  spec: { holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 4 },
};
const held: Lease = { ...free, spec: { ...free.spec, holderIdentity: 'other', leaseDurationSeconds: 15 } };

function play(start: State, ...inputs: readonly [number, Input][]): ReturnType<typeof step> {
  let last: ReturnType<typeof step> = { state: start };
  for (const [at, input] of inputs) last = step({ rules, at: { mono: at, wall: at }, chance: 0 }, last.state, input);
  return last;
}

test('a free Lease that a watch reported is not taken before it was read once', () => {
  const heard = play(initialState, [0, { type: 'seen', lease: free }]);
  expect(heard.request).toBeUndefined();
  const read = play(heard.state, [0, { type: 'wake' }]);
  expect(read.request).toEqual({ type: 'read' });
  expect(play(read.state, [1, { type: 'read', lease: free }]).request?.type).toBe('update');
});

test('LE-4: who takes over numbers on from the greatest count that was seen, whatever somebody made of the record', () => {
  const spec = { ...held.spec, leaseTransitions: 7 };
  const { leaseTransitions: _, ...without } = { ...spec, holderIdentity: '' };
  const edited: Lease = { ...held, metadata: { ...held.metadata, resourceVersion: '2' }, spec: without };
  const taken = play(
    initialState,
    [0, { type: 'wake' }],
    [1, { type: 'read', lease: { ...held, spec } }],
    [2, { type: 'seen', lease: edited }],
  );
  expect(taken.request).toMatchObject({ type: 'update', lease: { spec: { leaseTransitions: 8 } } });
});

test.each([
  [{ holderIdentity: '' }, 'holderIdentity is missing'],
  [{ holderIdentity: undefined, leaseTransitions: undefined }, 'holderIdentity and leaseTransitions are missing'],
])('LE-19: a leader from whose Lease somebody took the holder says what was edited: %j', (without, says) => {
  const taking = play(initialState, [0, { type: 'wake' }], [1, { type: 'read', lease: free }]);
  if (taking.request?.type !== 'update') throw new Error('nothing is written');
  const { lease } = taking.request;
  const leads = play(taking.state, [2, { type: 'written', lease, sent: { mono: 1, wall: 1 } }]);
  const edited: Lease = { ...lease, spec: { ...lease.spec, ...without } as NonNullable<Lease['spec']> };
  const refused: Input = { type: 'failed', conflict: true, answered: true };
  const wake: Input = { type: 'wake' };
  const { state } = play(
    leads.state,
    [2001, wake],
    [2002, refused],
    [4003, wake],
    [4004, { type: 'read', lease: edited }],
  );
  expect(state).toEqual({ phase: 'lost', reason: `somebody has edited it: ${says}` });
});

test('a win whose answer came too late is read again before anything is written', () => {
  const asked = play(initialState, [0, { type: 'wake' }], [1, { type: 'read', lease: free }]);
  if (asked.request?.type !== 'update') throw new Error('it does not take the free Lease');
  const { lease } = asked.request;
  const late = play(asked.state, [12_000, { type: 'written', lease, sent: { mono: 1, wall: 1 } }]);
  expect(late.request).toEqual({ type: 'read' });
});

test('LE-19: our own renewal, seen before its answer, is not taken for that of a second manager', () => {
  const lost: Input = { type: 'failed', conflict: false, answered: false };
  const seenAs = (version: string, taken: ReturnType<typeof step>): Lease => {
    if (taken.request?.type !== 'update') throw new Error('nothing is written');
    const { lease } = taken.request;
    return { ...lease, metadata: { ...lease.metadata, resourceVersion: version } };
  };
  const taking = play(initialState, [0, { type: 'wake' }], [1, { type: 'read', lease: free }]);
  const won = seenAs('2', taking);
  const renewing = play(
    taking.state,
    [10, lost],
    [20, { type: 'seen', lease: won }],
    [4000, { type: 'wake' }],
    [4001, { type: 'read', lease: won }],
  );
  const heard = play(renewing.state, [4010, lost], [4020, { type: 'seen', lease: seenAs('3', renewing) }]);
  expect(heard.state).toMatchObject({ phase: 'candidate', doubled: false });
});

test('a candidate polls every retry period without a watch, and less often with one', () => {
  const start = play(initialState, [0, { type: 'wake' }], [0, { type: 'read', lease: held }]).state;
  expect(wakeTime(rules, start)).toBe(2000);
  const watching = play(start, [100, { type: 'seen', lease: held }]).state;
  expect(wakeTime(rules, watching)).toBe(4500);
  const alone = play(watching, [200, { type: 'unwatched' }]).state;
  expect(wakeTime(rules, alone)).toBe(2200);
  const polled = play(alone, [2200, { type: 'wake' }], [2200, { type: 'read', lease: held }]).state;
  expect(wakeTime(rules, polled)).toBe(4200);
});

test('a release begins by reading, unless something is under way', () => {
  const leader: State = {
    phase: 'leading',
    lease: held,
    sent: { mono: 0, wall: 0 },
    busy: undefined,
    mustRead: false,
    renewAt: 2000,
  };
  const release: Input = { type: 'release', within: 5000 };
  expect(play(leader, [100, release])).toMatchObject({
    state: { step: 'reading', until: 5100 },
    request: { type: 'read' },
  });
  const busy = play({ ...leader, busy: 'writing' }, [100, release]);
  expect([busy.request, busy.state]).toMatchObject([undefined, { step: 'draining' }]);
  const drained = play(busy.state, [200, { type: 'written', lease: held, sent: { mono: 0, wall: 0 } }]);
  expect(drained).toMatchObject({ state: { step: 'reading' }, request: { type: 'read' } });
});

test('why the gate is closed', () => {
  const at = { mono: 0, wall: 0 };
  const lost: State = { phase: 'lost', reason: 'x holds it' };
  expect(closedReason(rules, lost, at)).toBe('lost the Lease ns/op: x holds it');
  expect(closedReason(rules, initialState, at)).toBe('does not hold the Lease ns/op');
  const ended: State = { phase: 'ended', term: undefined, unreleased: false };
  expect([wakeTime(rules, lost), wakeTime(rules, ended)]).toEqual([undefined, undefined]);
  expect([
    step({ rules, at, chance: 0 }, lost, { type: 'wake' }).state,
    play(ended, [0, { type: 'wake' }]).state,
  ]).toEqual([lost, ended]);
});

test('a leader that loses the watch of its Lease leads on: it goes by what it writes', () => {
  const taking = play(initialState, [0, { type: 'wake' }], [1, { type: 'read', lease: free }]);
  if (taking.request?.type !== 'update') throw new Error('it does not take the free Lease');
  const { lease } = taking.request;
  const leading = play(taking.state, [2, { type: 'written', lease, sent: { mono: 1, wall: 1 } }]).state;
  expect(leading.phase).toBe('leading');
  expect(play(leading, [3, { type: 'unwatched' }])).toEqual({ state: leading });
});
