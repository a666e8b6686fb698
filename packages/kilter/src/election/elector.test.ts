import { describe, expect, test } from 'vitest';
import { formatMicroTime } from '../api/index.ts';
import type { Lease, LeaseSpec } from '../k8s/coordination/v1.ts';
import {
  type Candidate,
  closedReason,
  initialState,
  type Input,
  type Instant,
  type Leader,
  type State,
  step,
  wakeTime,
} from './elector.ts';
import type { ElectionRules } from './options.ts';

const rules: ElectionRules = {
  lease: { name: 'op', namespace: 'ns' },
  identity: 'me',
  leaseDuration: 15_000,
  renewDeadline: 10_000,
  retryPeriod: 2000,
  labels: {},
};
const at = (mono: number, wall = mono): Instant => ({ mono, wall });
const leaseOf = (spec: LeaseSpec, resourceVersion = '1'): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'op', namespace: 'ns', resourceVersion },
  spec,
});
const theirs = (renewTime = 'r1', resourceVersion = '1'): Lease =>
  leaseOf(
    { holderIdentity: 'other', leaseDurationSeconds: 15, acquireTime: 'a', renewTime, leaseTransitions: 4 },
    resourceVersion,
  );
const ours = (resourceVersion = '1'): Lease =>
  leaseOf(
    { holderIdentity: 'me', leaseDurationSeconds: 15, acquireTime: 'a', renewTime: 'r', leaseTransitions: 5 },
    resourceVersion,
  );

/** Feeds inputs one after the other and gives the last step. */
function play(start: State, ...inputs: readonly [number | Instant, Input][]) {
  let last: ReturnType<typeof step> = { state: start };
  for (const [time, input] of inputs) {
    const moment = { rules, at: typeof time === 'number' ? at(time) : time, chance: 0 };
    last = step(moment, last.state, input);
  }
  return last;
}
const wake: Input = { type: 'wake' };
const read = (lease: Lease | undefined): Input => ({ type: 'read', lease });
const seen = (lease: Lease | undefined): Input => ({ type: 'seen', lease });
const failed: Input = { type: 'failed', conflict: false, answered: true };
const conflict: Input = { type: 'failed', conflict: true, answered: true };
const written = (sent: number, lease: Lease = ours('2')): Input => ({ type: 'written', lease, sent: at(sent) });

const leader: Leader = {
  phase: 'leading',
  lease: ours('7'),
  sent: at(0),
  busy: undefined,
  mustRead: false,
  renewAt: 2000,
};

describe('a candidate', () => {
  test('begins by reading the Lease', () => {
    expect(play(initialState, [0, wake]).request).toEqual({ type: 'read' });
  });

  test('LE-4: a Lease that does not exist is created with no transitions and an acquire time', () => {
    const { request } = play(initialState, [0, wake], [at(5, 1_700_000_000_000), read(undefined)]);
    expect(request).toEqual({
      type: 'create',
      lease: {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'op', namespace: 'ns' },
        spec: {
          holderIdentity: 'me',
          leaseDurationSeconds: 15,
          acquireTime: formatMicroTime(1_700_000_000_000),
          renewTime: formatMicroTime(1_700_000_000_000),
          leaseTransitions: 0,
        },
      },
    });
  });

  test('LE-1: takes over only after the record stayed unchanged for 1.05 times its duration, from first sight', () => {
    const waiting = play(initialState, [0, wake], [1000, read(theirs())]).state;
    expect(wakeTime(rules, waiting)).toBe(3000);
    const later = play(waiting, [3000, wake], [3100, read(theirs())], [16_749, wake]);
    expect(later.request?.type).toBe('read');
    const { request } = play(waiting, [3000, wake], [3100, read(theirs())], [16_750, wake]);
    expect(request?.type).toBe('update');
  });

  test('LE-1: counts the duration that the record says, not its own', () => {
    const short = leaseOf({ holderIdentity: 'other', leaseDurationSeconds: 3 });
    const waiting = play(initialState, [0, wake], [0, read(short)]).state;
    expect(play(waiting, [3149, wake]).request?.type).toBe('read');
    expect(play(waiting, [3150, wake]).request?.type).toBe('update');
  });

  test('LE-1: every change of the record begins the wait anew; a change of labels alone does not', () => {
    const waiting = play(initialState, [0, wake], [0, read(theirs('r1'))], [10_000, seen(theirs('r2', '2'))]).state;
    expect(play(waiting, [16_000, wake]).request?.type).toBe('read');
    expect(play(waiting, [25_750, wake]).request?.type).toBe('update');
    const touched = {
      ...theirs('r2', '3'),
      metadata: { ...theirs().metadata, resourceVersion: '3', labels: { a: 'b' } },
    };
    expect(play(waiting, [20_000, seen(touched)], [25_750, wake]).request).toMatchObject({
      type: 'update',
      lease: { metadata: { resourceVersion: '3', labels: { a: 'b' } } },
    });
  });

  test('LE-1: timestamps of the record and jumps of the wall clock play no part', () => {
    const ancient = leaseOf({ holderIdentity: 'other', leaseDurationSeconds: 15, renewTime: formatMicroTime(0) });
    const waiting = play(initialState, [at(0, 0), wake], [at(0, 0), read(ancient)]).state;
    expect(play(waiting, [at(1000, 86_400_000), wake]).request).toBeUndefined();
    expect(play(waiting, [at(15_750, -86_400_000), wake]).request?.type).toBe('update');
  });

  test('a record without a duration is waited for as long as our own', () => {
    const waiting = play(initialState, [0, wake], [0, read(leaseOf({ holderIdentity: 'other' }))]).state;
    expect(play(waiting, [15_749, wake]).request?.type).toBe('read');
    expect(play(waiting, [15_750, wake]).request?.type).toBe('update');
  });

  test.each([
    ['empty', ''],
    ['absent', undefined],
  ])('LE-3: a Lease whose holder is %s is acquired at once', (_, holderIdentity) => {
    const free = leaseOf({ holderIdentity, leaseDurationSeconds: 1, leaseTransitions: 4 });
    expect(play(initialState, [0, wake], [1, read(free)]).request?.type).toBe('update');
    const watching = play(initialState, [0, wake], [1, read(theirs())]).state;
    expect(
      play(watching, [500, seen({ ...free, metadata: { ...free.metadata, resourceVersion: '2' } })]).request?.type,
    ).toBe('update');
  });

  test('LE-4: taking over increments the transitions, sets the acquire time and is locked on the version seen', () => {
    const { request } = play(initialState, [0, wake], [0, read(theirs('r1', '33'))], [at(20_000, 5000), wake]);
    expect(request).toMatchObject({
      type: 'update',
      lease: {
        metadata: { resourceVersion: '33' },
        spec: {
          holderIdentity: 'me',
          leaseTransitions: 5,
          acquireTime: formatMicroTime(5000),
          renewTime: formatMicroTime(5000),
        },
      },
    });
  });

  test('a record of the term we tried to begin is our own write whose answer was lost: that term goes on', () => {
    const free = leaseOf({ holderIdentity: '', leaseTransitions: 4 });
    const { state, request } = play(initialState, [0, wake], [0, read(free)]);
    const mine = request?.type === 'update' ? request.lease : expect.unreachable();
    const again = play(state, [1, failed], [2001, wake], [2002, read({ ...mine, metadata: ours('9').metadata })]);
    expect(again.request).toMatchObject({
      type: 'update',
      lease: { spec: { leaseTransitions: 5, acquireTime: formatMicroTime(0), renewTime: formatMicroTime(2002) } },
    });
  });

  test('LE-19: a record that merely bears our name is waited for like any other, and one that is renewed is a rival', () => {
    const waiting = play(initialState, [0, wake], [0, read(ours('9'))]);
    expect(waiting.request).toBeUndefined();
    expect((waiting.state as Candidate).doubled).toBe(false);
    const renewedByOther = leaseOf({ ...ours().spec, renewTime: 'r2' }, '10');
    const rival = play(waiting.state, [2000, seen(renewedByOther)]);
    expect([rival.request, (rival.state as Candidate).doubled]).toEqual([undefined, true]);
    const silent = play(waiting.state, [15_750, wake]);
    expect(silent.request).toMatchObject({ type: 'update', lease: { spec: { leaseTransitions: 6 } } });
  });

  test('LE-6: after a conflict it is not a leader this round, tries again after the retry period, and reads first', () => {
    const busy = play(initialState, [0, wake], [0, read(leaseOf({ holderIdentity: '' }))]).state;
    const { state, request } = play(busy, [100, conflict]);
    expect([state.phase, request, wakeTime(rules, state)]).toEqual(['candidate', undefined, 2100]);
    expect(play(state, [500, seen(leaseOf({ holderIdentity: '' }, '8'))]).request).toBeUndefined();
    expect(play(state, [2100, wake]).request).toEqual({ type: 'read' });
  });

  test('LE-18: acts at the end of the interval or when a release is seen, and polls after P x [1, 2.2) without a watch', () => {
    const polled = (chance: number): number | undefined => {
      const first = step({ rules, at: at(0), chance }, initialState, wake).state;
      return wakeTime(rules, step({ rules, at: at(0), chance }, first, read(theirs())).state);
    };
    expect([polled(0), polled(0.999)]).toEqual([2000, expect.closeTo(4398, 0)]);
    const watching = play(initialState, [0, wake], [0, read(theirs())], [14_000, seen(theirs())]).state;
    expect(wakeTime(rules, watching)).toBe(15_750);
    const unwatched = play(
      watching,
      [14_000, { type: 'unwatched' }],
      [14_000, seen(theirs('r2', '2'))],
      [14_000, { type: 'unwatched' }],
    );
    expect(wakeTime(rules, unwatched.state)).toBe(16_000);
  });

  test('a watch that lags behind a read does not bring back the past', () => {
    const fresh = play(initialState, [0, wake], [0, read(theirs('r5', '5'))]).state;
    expect(play(fresh, [1, seen(leaseOf({ holderIdentity: '' }, '4'))]).request).toBeUndefined();
    expect((play(fresh, [1, seen(theirs('r4', '4'))]).state as Candidate).seen?.lease.metadata.resourceVersion).toBe(
      '5',
    );
  });

  test('a deleted Lease is read again at once', () => {
    const waiting = play(initialState, [0, wake], [0, read(theirs())]).state;
    expect(play(waiting, [1000, seen(undefined)]).request).toEqual({ type: 'read' });
  });

  test('LE-16: a win whose answer comes after the renew deadline is not believed before another look', () => {
    const writing = play(initialState, [0, wake], [0, read(undefined)]).state;
    const late = play(writing, [10_000, written(0)]);
    expect([late.state.phase, late.request]).toEqual(['candidate', { type: 'read' }]);
    expect(play(late.state, [10_001, read(theirs())]).state.phase).toBe('candidate');
    const suspended = play(writing, [at(1000, 60_000), written(0)]);
    expect(suspended.state.phase).toBe('candidate');
    expect(play(writing, [9999, written(0)]).state.phase).toBe('leading');
  });
});

describe('a leader', () => {
  test('LE-5: renews by one Update with the last version seen and no read', () => {
    const { state, request } = play(leader, [2000, wake]);
    expect(request).toMatchObject({ type: 'update', lease: { metadata: { resourceVersion: '7' } } });
    const renewed = play(state, [2100, written(2000, ours('8'))]).state;
    expect(wakeTime(rules, renewed)).toBe(4000);
    expect(play(renewed, [4000, wake]).request).toMatchObject({ lease: { metadata: { resourceVersion: '8' } } });
  });

  test('LE-5: who has just won renews by an Update as well, without a read', () => {
    const { state } = play(initialState, [0, wake], [5, read(undefined)], [10, written(5)]);
    expect(wakeTime(rules, state)).toBe(2005);
    expect(play(state, [2005, wake]).request).toMatchObject({ type: 'update' });
  });

  test('LE-4: renewing keeps transitions and acquire time', () => {
    expect(play(leader, [at(2000, 77_000), wake]).request).toMatchObject({
      lease: { spec: { leaseTransitions: 5, acquireTime: 'a', renewTime: formatMicroTime(77_000) } },
    });
  });

  test('LE-5, LE-6: after any failure it reads first, after the retry period, then decides', () => {
    for (const failure of [failed, conflict]) {
      const { state } = play(leader, [2000, wake], [2500, failure]);
      expect(wakeTime(rules, state)).toBe(4500);
      const reading = play(state, [4500, wake]);
      expect(reading.request).toEqual({ type: 'read' });
      expect(play(reading.state, [4600, read(ours('12'))]).request).toMatchObject({
        type: 'update',
        lease: { metadata: { resourceVersion: '12' } },
      });
      expect(play(reading.state, [4600, read(theirs())]).state).toEqual({ phase: 'lost', reason: 'other holds it' });
      expect(play(reading.state, [4600, read(undefined)]).request?.type).toBe('create');
      expect(play(reading.state, [4600, read(leaseOf({ holderIdentity: '' }))]).state.phase).toBe('lost');
    }
  });

  test('LE-7: without a successful renewal for the renew deadline leadership is lost', () => {
    const { state } = play(
      leader,
      [2000, wake],
      [2500, failed],
      [4500, wake],
      [5000, failed],
      [7000, wake],
      [7500, failed],
    );
    expect(wakeTime(rules, state)).toBe(9500);
    expect(play(state, [9999, wake]).state.phase).toBe('leading');
    expect(play(state, [10_000, wake]).state.phase).toBe('lost');
    const busy = play(leader, [2000, wake]).state;
    expect(wakeTime(rules, busy)).toBe(10_000);
    expect(play(busy, [10_000, wake]).state.phase).toBe('lost');
  });

  test.each<[string, Input]>([
    ['a timer', wake],
    ['a read', read(ours())],
    ['a failure', failed],
    ['the answer to a renewal sent before', written(2000)],
    ['a release', { type: 'release', within: 10_000 }],
  ])('LE-16: after a stall %s is not acted on: leadership is lost first', (_, input) => {
    const busy = play(leader, [2000, wake]).state;
    const { state, request } = play(busy, [12_000, input]);
    expect([state.phase, request]).toEqual(['lost', undefined]);
  });

  test('LE-19: a term of its own name that it did not begin is a loss', () => {
    const other = leaseOf({ ...ours().spec, acquireTime: 'b' }, '9');
    const { state } = play(leader, [2000, wake], [2001, conflict], [4001, wake], [4002, read(other)]);
    expect(state).toEqual({ phase: 'lost', reason: 'a second manager with the same identity, me, holds it' });
  });

  test('LE-7: nothing leads out of a loss and nothing is released', () => {
    const lost = play(leader, [10_000, wake]).state;
    for (const input of [wake, read(ours()), written(10_000), failed, { type: 'release', within: 10_000 }] as const) {
      expect(play(lost, [10_001, input])).toEqual({ state: lost });
    }
    expect(wakeTime(rules, lost)).toBeUndefined();
  });
});

describe('the gate', () => {
  test('WG-2: it is open while less than the renew deadline has passed since the last renewal was sent, on both clocks', () => {
    expect(closedReason(rules, leader, at(9999))).toBeUndefined();
    expect(closedReason(rules, leader, at(10_000, 9999))).toContain('10 s ago');
    expect(closedReason(rules, leader, at(1, 10_000))).toContain('10 s ago');
  });

  test('WG-2: it counts from the sending of a renewal, not from its answer', () => {
    const renewed = play(leader, [2000, wake], [6000, written(2000)]).state;
    expect(closedReason(rules, renewed, at(11_999))).toBeUndefined();
    expect(closedReason(rules, renewed, at(12_000))).toBeDefined();
  });

  test('WG-2: for a new leader it counts from the sending of the write that won', () => {
    const won = play(initialState, [0, wake], [1000, read(undefined)], [5000, written(1000)]).state;
    expect(closedReason(rules, won, at(10_999))).toBeUndefined();
    expect(closedReason(rules, won, at(11_000))).toBeDefined();
  });

  test('WG-5: a forward jump closes it until the next renewal and loses nothing; a backward jump costs nothing', () => {
    const jumped = at(2000, 3_602_000);
    expect(closedReason(rules, leader, jumped)).toBeDefined();
    const renewing = play(leader, [jumped, wake]);
    expect([renewing.state.phase, renewing.request?.type]).toEqual(['leading', 'update']);
    const renewed = play(renewing.state, [at(2100, 3_602_100), { type: 'written', lease: ours(), sent: jumped }]).state;
    expect(closedReason(rules, renewed, at(2100, 3_602_100))).toBeUndefined();
    expect(closedReason(rules, leader, at(2000, -3_600_000))).toBeUndefined();
    expect(closedReason(rules, leader, at(10_000, -3_600_000))).toBeDefined();
  });

  test('it is closed for a replica that does not lead', () => {
    const states: State[] = [
      initialState,
      play(leader, [1, { type: 'release', within: 10_000 }]).state,
      play(leader, [10_000, wake]).state,
    ];
    expect(states.map((state) => closedReason(rules, state, at(1)))).toEqual([
      'does not hold the Lease ns/op',
      'does not hold the Lease ns/op',
      expect.stringMatching(/^lost the Lease ns\/op: /),
    ]);
  });
});

describe('giving back', () => {
  const release: Input = { type: 'release', within: 10_000 };

  test('LE-10: reads, then updates with an empty holder, one second, times of now, transitions kept', () => {
    const reading = play(leader, [1000, release]);
    expect(reading.request).toEqual({ type: 'read' });
    const { state, request } = play(reading.state, [at(1100, 9000), read(ours('44'))]);
    expect(request).toMatchObject({
      type: 'update',
      lease: {
        metadata: { resourceVersion: '44' },
        spec: {
          holderIdentity: '',
          leaseDurationSeconds: 1,
          acquireTime: formatMicroTime(9000),
          renewTime: formatMicroTime(9000),
          leaseTransitions: 5,
        },
      },
    });
    expect(play(state, [1200, written(1100)]).state).toEqual({ phase: 'ended', term: undefined, unreleased: false });
  });

  test('LE-10: once it has begun, nothing but answers and time moves it', () => {
    const writing = play(leader, [1000, release], [1100, read(ours('44'))]).state;
    expect(writing).toMatchObject({ phase: 'releasing', step: 'writing' });
    const others: Input[] = [release, { type: 'withdraw' }, { type: 'unwatched' }, seen(ours('45')), wake];
    for (const input of others) expect(play(writing, [1200, input])).toEqual({ state: writing });
  });

  test('LE-10: writes nothing when somebody else holds the Lease', () => {
    for (const lease of [theirs(), undefined, leaseOf({ holderIdentity: '' })]) {
      const { state, request } = play(leader, [1000, release], [1100, read(lease)]);
      expect([state.phase, request]).toEqual(['ended', undefined]);
    }
  });

  test('LE-10: conflicts are retried by reading again, within the renew deadline; then it is left to run out', () => {
    const writing = play(leader, [1000, release], [1100, read(ours())]).state;
    const again = play(writing, [1200, conflict]);
    expect(again.request).toEqual({ type: 'read' });
    expect(play(again.state, [1300, read(ours('9'))]).request?.type).toBe('update');
    expect(play(writing, [11_000, conflict])).toEqual({ state: { phase: 'ended', term: undefined, unreleased: true } });
    // Answers keep it going up to the renew deadline, or to the end of the time it was given.
    const answered = [3000, 5000, 7000, 9000].map((time): [number, Input] => [time, conflict]);
    const last = play(writing, ...answered).state;
    expect([last.phase, wakeTime(rules, last)]).toEqual(['releasing', 11_000]);
    expect(play(last, [11_000, wake]).state.phase).toBe('ended');
    const short = play(leader, [1000, { type: 'release', within: 500 }]).state;
    expect(wakeTime(rules, short)).toBe(1500);
  });

  test('LE-10: a server that says nothing for 2.5 s is not waited for; one that cannot be reached is tried again soon', () => {
    const reading = play(leader, [1000, release]).state;
    expect(wakeTime(rules, reading)).toBe(3500);
    expect(play(reading, [3500, wake]).state).toMatchObject({ phase: 'ended', unreleased: true });
    const unreachable: Input = { type: 'failed', conflict: false, answered: false };
    const resting = play(reading, [1001, unreachable]).state;
    expect(wakeTime(rules, resting)).toBe(1501);
    const again = play(resting, [1501, wake]);
    expect(again.request).toEqual({ type: 'read' });
    expect(wakeTime(rules, again.state)).toBe(3500);
  });

  test('LE-10: the answer to a renewal under way is a sign of life like any other', () => {
    const draining = play(leader, [2000, wake], [2001, release]).state;
    expect(wakeTime(rules, draining)).toBe(4501);
    expect(wakeTime(rules, play(draining, [3000, written(2000)]).state)).toBe(5500);
  });

  test('a leader that withdraws has ended, and releases nothing', () => {
    const { state, request } = play(leader, [1000, { type: 'withdraw' }]);
    expect(state).toMatchObject({ phase: 'ended', unreleased: false });
    expect([request, wakeTime(rules, state)]).toEqual([undefined, undefined]);
  });

  test('LE-19: gives back its own term alone, whoever bears its name', () => {
    const other = leaseOf({ ...ours().spec, leaseTransitions: 6 }, '9');
    const { state, request } = play(leader, [1000, release], [1100, read(other)]);
    expect([state.phase, request]).toEqual(['ended', undefined]);
  });

  test('LE-10: other failures are tried again after the retry period', () => {
    const { state, request } = play(leader, [1000, release], [1500, failed]);
    expect([request, wakeTime(rules, state)]).toEqual([undefined, 3500]);
    expect(play(state, [3500, wake]).request).toEqual({ type: 'read' });
  });

  test('LE-10: a renewal under way is waited for, so that it cannot follow the release', () => {
    const renewing = play(leader, [2000, wake]).state;
    const draining = play(renewing, [2001, release]);
    expect(draining.request).toBeUndefined();
    for (const input of [failed, conflict, written(2000)]) {
      expect(play(draining.state, [2100, input]).request).toEqual({ type: 'read' });
    }
  });

  test('a candidate that holds nothing ends without a request', () => {
    const waiting = play(initialState, [0, wake], [0, read(theirs())]).state;
    expect(play(waiting, [1, release])).toEqual({ state: { phase: 'ended', term: undefined, unreleased: false } });
  });

  test('a candidate stopped while its write was under way looks whether it holds the Lease, and gives it back', () => {
    const writing = play(initialState, [0, wake], [0, read(undefined)]).state;
    const withdrawn = play(writing, [1, { type: 'withdraw' }]).state;
    expect(play(withdrawn, [2, release]).request).toEqual({ type: 'read' });
    const unsure = play(writing, [1, failed]).state;
    expect(play(unsure, [2, release]).request).toEqual({ type: 'read' });
    const sure = play(writing, [1, conflict]).state;
    expect(play(sure, [2, release]).request).toBeUndefined();
  });
});

test('LE-15: configured labels are merged into the Lease, all others and unknown fields are kept', () => {
  const labelled = { ...rules, labels: { team: 'a' } };
  const known = ours();
  const lease: Lease = {
    ...known,
    metadata: { ...known.metadata, labels: { other: 'x', team: 'b' }, annotations: { k: 'v' } },
  };
  const state: Leader = { ...leader, lease: { ...lease, spec: { ...lease.spec, strategy: 'OldestEmulationVersion' } } };
  expect(step({ rules: labelled, at: at(2000), chance: 0 }, state, wake).request).toMatchObject({
    lease: {
      metadata: { labels: { other: 'x', team: 'a' }, annotations: { k: 'v' } },
      spec: { strategy: 'OldestEmulationVersion' },
    },
  });
  const first = step({ rules: labelled, at: at(0), chance: 0 }, { ...initialState, busy: 'reading' }, read(undefined));
  expect(first.request).toMatchObject({ type: 'create', lease: { metadata: { labels: { team: 'a' } } } });
});
