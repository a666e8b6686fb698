import type { Tally } from 'kilter';
import { formatTime } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { EventRecycler, type Recycle, type Spec, type Status } from './event-recycler.ts';
import type { Group } from './aws.ts';
import { type Circumstances, decide, ended, lookEvery, plan } from './limits.ts';

const now = 1_700_000_000_000;
const minute = 60_000;
const recycler = (name: string, spec: Partial<Spec> = {}, status: Status = {}): EventRecycler => ({
  ...EventRecycler.build({ name, spec: { searchTerms: ['x'], ...spec } }),
  status,
});
const intent = (autoScalingGroup: string): Recycle => ({
  autoScalingGroup,
  nodeGroup: autoScalingGroup,
  strategy: 'Replace',
  min: 1,
  max: 2,
  desired: 1,
  instances: ['i-1'],
  batch: [],
  phase: 'Planned',
  resized: false,
  epoch: 1,
  startTime: formatTime(now),
  eventCount: 5,
});
const tripped = (...groups: string[]): ReadonlyMap<string, Tally> =>
  new Map(groups.map((group) => [group, { count: 5, reachedAt: now - 2 * minute }]));
const groupsOf = (...names: string[]) => new Map(names.map((name) => [name, `the ${name}`]));
const ten = groupsOf(...Array.from({ length: 10 }, (_, i) => `g${i}`));

function decideFor(self: EventRecycler, given: Partial<Circumstances> = {}) {
  const { start, ...rest } = decide(self, { now, tallies: tripped('g1'), groups: ten, all: [self], ...given });
  return { ...rest, start: start.map(({ autoScalingGroup }) => autoScalingGroup) };
}

describe('limits', () => {
  test('ER-24: a group that reached the threshold starts, one below it does not', () => {
    expect(decideFor(recycler('a')).start).toEqual(['g1']);
    const below = new Map([['g1', { count: 4, reachedAt: undefined }]]);
    expect(decideFor(recycler('a'), { tallies: below }).start).toEqual([]);
  });

  test('ER-40: not again within its cooldown, whichever EventRecycler recycled it', () => {
    const ended = (ago: number): Status => ({
      lastRecycles: [{ autoScalingGroup: 'g1', time: formatTime(now - ago) }],
    });
    const own = recycler('a', { cooldown: '30m', window: '1m' }, ended(29 * minute));
    expect(decideFor(own).held.get('g1')).toContain('cooldown');
    expect(decideFor(recycler('a', { cooldown: '30m', window: '1m' }, ended(30 * minute))).start).toEqual(['g1']);
    const self = recycler('a', { cooldown: '30m' });
    expect(decideFor(self, { all: [self, recycler('b', {}, ended(minute))] }).start).toEqual([]);
  });

  test('ER-41: the smallest maxConcurrentRecycles of all wins, and a group is recycled by one of them alone', () => {
    const self = recycler('a', { maxConcurrentRecycles: 5, breakerPercent: 100 });
    const tallies = tripped('g1', 'g2', 'g3');
    expect(decideFor(self, { tallies }).start).toEqual(['g1', 'g2', 'g3']);
    expect(decideFor(self, { tallies, all: [self, recycler('b', { maxConcurrentRecycles: 2 })] }).start).toEqual([
      'g1',
      'g2',
    ]);
    const busy = recycler('b', { maxConcurrentRecycles: 3 }, { activeRecycles: [intent('g1')] });
    expect(decideFor(self, { tallies, all: [self, busy] }).start).toEqual(['g2', 'g3']);
    const full = recycler('b', { maxConcurrentRecycles: 1 }, { activeRecycles: [intent('g9')] });
    const { start, held } = decideFor(self, { all: [self, full] });
    expect([start, held.get('g1')]).toEqual([[], 'maxConcurrentRecycles allows 1 at a time']);
  });

  test('ER-39: an intent that nobody acts on holds its own group up, and no other', () => {
    const foreign = { ...intent('g1'), phase: 'Tagging' as never };
    const self = recycler('a', { breakerPercent: 100 }, { activeRecycles: [foreign] });
    const { start, held } = decideFor(self, { tallies: tripped('g1', 'g2') });
    expect([start, held.get('g1')]).toEqual([['g2'], 'it is being recycled']);
  });

  test('ER-40, ER-43: what was only decided holds up dry runs alone', () => {
    const lastRecycles = [{ autoScalingGroup: 'g1', time: formatTime(now - minute), dryRun: true }];
    const [self, other] = [recycler('a', {}, { lastRecycles }), recycler('b')];
    expect(decideFor(self).start).toEqual(['g1']);
    expect(decideFor(other, { all: [self, other] }).start).toEqual(['g1']);
    const dry = recycler('c', { dryRun: true });
    expect(decideFor(dry, { all: [self, dry] }).held.get('g1')).toContain('cooldown');
    const real = recycler('d', {}, { lastRecycles: [{ autoScalingGroup: 'g1', time: formatTime(now - minute) }] });
    expect(decideFor(dry, { all: [real, dry] }).held.get('g1')).toContain('cooldown');
    const trip = { autoScalingGroup: 'g1', nodeGroup: 'g1', eventCount: 5 };
    expect(ended({}, { ...trip, result: 'DryRun' }, now).lastRecycles).toMatchObject([{ dryRun: true }]);
    expect(ended({}, { ...trip, result: 'Succeeded' }, now).lastRecycles[0]?.dryRun).toBeUndefined();
  });

  test('ER-42, ER-80: too many groups in one window are not a node problem: nothing starts, and it is said why', () => {
    const self = recycler('a', { maxConcurrentRecycles: 10 });
    expect(decideFor(self, { tallies: tripped('g1', 'g2', 'g3') }).breaker).toBeUndefined();
    const open = decideFor(self, { tallies: tripped('g1', 'g2', 'g3', 'g4') });
    expect(open).toMatchObject({ start: [], breaker: '4 of 10 node groups are in trouble: not a node problem' });
  });

  test('ER-42: what was recycled in the window counts as well, and one group alone never opens the breaker', () => {
    const lately = { lastRecycles: [{ autoScalingGroup: 'g2', time: formatTime(now - 10 * minute) }] };
    const three = groupsOf('g1', 'g2', 'g3');
    expect(decideFor(recycler('a', {}, lately), { groups: three }).breaker).toContain('2 of 3');
    expect(decideFor(recycler('a'), { groups: groupsOf('g1') }).start).toEqual(['g1']);
  });

  test('ER-42: a trip is acted on one watchInterval later, when an outage would have reached the other groups', () => {
    const fresh = new Map([['g1', { count: 5, reachedAt: now - 59_000 }]]);
    expect(decideFor(recycler('a'), { tallies: fresh }).held.get('g1')).toContain('watched first');
    expect(decideFor(recycler('a'), { tallies: fresh, now: now + 1000 }).start).toEqual(['g1']);
  });

  test('ER-42: what is under way counts as well, and so does a group in trouble that has no Node left', () => {
    const three = groupsOf('g1', 'g2', 'g3');
    const busy = { activeRecycles: [intent('g2')] };
    expect(decideFor(recycler('a', {}, busy), { groups: three }).breaker).toContain('2 of 3');
    expect(decideFor(recycler('a', {}, busy), { groups: groupsOf('g1') }).breaker).toContain('2 of 2');
  });

  test('ER-42: a window shorter than two watchIntervals is looked at twice all the same, else nothing would ever start', () => {
    const self = recycler('a', { window: '1m', watchInterval: '5m' });
    expect(lookEvery(self.spec)).toBe(30_000);
    const fresh = new Map([['g1', { count: 5, reachedAt: now - 29_000 }]]);
    expect(decideFor(self, { tallies: fresh }).held.get('g1')).toContain('watched first');
    expect(decideFor(self, { tallies: fresh, now: now + 1000 }).start).toEqual(['g1']);
    expect(lookEvery(recycler('a').spec)).toBe(minute);
  });

  test('ER-40: an end far in the future is that of a clock that was wrong: it holds nothing up', () => {
    const ends = (at: number): Status => ({ lastRecycles: [{ autoScalingGroup: 'g1', time: formatTime(at) }] });
    expect(decideFor(recycler('a', {}, ends(now + 24 * 60 * minute))).start).toEqual(['g1']);
    expect(decideFor(recycler('a', {}, ends(now + minute))).held.get('g1')).toContain('cooldown');
  });

  test('ER-01: of ends and results the newest are kept', () => {
    const many = Array.from({ length: 300 }, (_, i) => i);
    const status = many.reduce<Status>((before, i) => {
      const trip = { autoScalingGroup: `g${i}`, nodeGroup: `g${i}`, eventCount: 5, result: 'Succeeded' };
      return ended(before, trip, now + i);
    }, {});
    expect(status.recycleHistory).toHaveLength(20);
    expect(status.lastRecycles).toHaveLength(200);
    expect([status.recycleHistory?.[0]?.nodeGroup, status.lastRecycles?.[0]?.autoScalingGroup]).toEqual([
      'g299',
      'g299',
    ]);
  });
});

describe('a group that cannot be recycled as AWS has it now', () => {
  const group: Group = {
    name: 'g1',
    min: 1,
    max: 4,
    desired: 1,
    instances: [{ id: 'i-1', inService: true }],
    suspended: [],
    original: undefined,
  };
  const given = { autoScalingGroup: 'g1', nodeGroup: 'the g1', eventCount: 5, strategy: 'Replace', epoch: 1 } as const;
  const planned = (change: Partial<Group>) => plan({ ...group, ...change }, given, now);

  test.each<[string, string, Partial<Group>]>([
    ['ER-31', 'AWS has no instances of it', { instances: [] }],
    ['ER-44', 'its process Launch is suspended (resume it', { suspended: ['AZRebalance', 'Launch'] }],
    ['ER-44', 'its process Terminate is suspended (resume it', { suspended: ['Terminate'] }],
    [
      'ER-44',
      'it has over 1000 instances (',
      { instances: Array.from({ length: 1001 }, (_, i) => ({ id: `i-${i}`, inService: true })) },
    ],
    ['ER-44', 'its tag kilter.dev/original says that a recycle to 2/6/4 was not undone', { original: '2/6/4' }],
  ])('%s: %s', (_, why, change) => {
    expect(planned(change)).toEqual(expect.stringContaining(why));
  });

  test('ER-31, ER-44: one that is gone cannot either; what else is suspended does not matter', () => {
    expect(plan(undefined, given, now)).toEqual(expect.stringContaining('AWS has no instances of it'));
    const most = Array.from({ length: 1000 }, (_, i) => ({ id: `i-${i}`, inService: true }));
    expect(planned({ instances: most })).toMatchObject({ instances: most.map(({ id }) => id) });
    expect(planned({ suspended: ['AZRebalance', 'AlarmNotification'] })).toMatchObject({
      phase: 'Planned',
      resized: false,
    });
  });
});
