import { formatTime } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Group, InstanceState } from './aws.ts';
import { phases, type Recycle } from './event-recycler.ts';
import { plan } from './limits.ts';
import { type NodeView, step, type World } from './recycle.ts';

const now = 1_700_000_000_000;
const group = (given: Partial<Group> = {}): Group => ({
  name: 'asg-a',
  min: 1,
  max: 5,
  desired: 2,
  instances: [
    { id: 'i-1', inService: true },
    { id: 'i-2', inService: true },
  ],
  suspended: [],
  original: '1/5/2',
  ...given,
});
const trip = { autoScalingGroup: 'asg-a', nodeGroup: 'a', eventCount: 5 };
const recycle = (given: Partial<Recycle> = {}): Recycle => ({
  ...(plan(group({ original: undefined }), { ...trip, strategy: 'Replace', epoch: 3 }, now) as Recycle),
  batch: ['i-1'],
  ...given,
});
const node = (name: string, given: Partial<NodeView> = {}): NodeView => ({
  name,
  ready: true,
  cordon: 'none',
  pods: [],
  ...given,
});
const states = (given: Record<string, InstanceState>) => new Map(Object.entries(given));
const world = (given: Partial<World> = {}): World => ({
  now: now + 60_000,
  spec: { batchSize: 1, recycleTimeout: '20m' },
  rival: undefined,
  stop: undefined,
  group: group(),
  states: states({ 'i-1': 'running', 'i-2': 'running' }),
  nodes: new Map([
    ['i-1', node('n1')],
    ['i-2', node('n2')],
  ]),
  ...given,
});
const toZero = (given: Partial<Recycle> = {}) =>
  recycle({ strategy: 'ScaleToZero', resized: true, batch: ['i-1', 'i-2'], ...given });
const zeros = { min: 0, max: 0, desired: 0 };

describe('each phase leaves when the world says so, and not before', () => {
  test('ER-32: Planned tags the group with its sizes until the tag is seen', () => {
    const given = recycle({ phase: 'Planned', batch: [] });
    expect(step(given, world({ group: group({ original: undefined }) }))).toMatchObject({
      type: 'act',
      effects: [{ do: 'tag', value: '1/5/2' }],
    });
    // Of a recycle before, which had other sizes.
    expect(step(given, world({ group: group({ original: '1/5/3' }) }))).toMatchObject({
      effects: [{ do: 'tag', value: '1/5/2' }],
    });
    expect(step(given, world())).toMatchObject({ type: 'next', intent: { phase: 'Draining', batch: ['i-1'] } });
  });

  test('ER-31, ER-34, ER-35: a batch is of instances that are still there: those that go, or have left the group, are not among them', () => {
    const three = ['i-1', 'i-2', 'i-3'];
    const instances = three.map((id) => ({ id, inService: true }));
    const batchOf = (given: Partial<Recycle>, seen: Partial<World> = {}): readonly string[] => {
      const told = step(recycle({ phase: 'Planned', instances: three, batch: [], ...given }), world(seen));
      return told.type === 'next' ? told.intent.batch : [];
    };
    const all = {
      group: group({ instances }),
      states: states({ 'i-1': 'running', 'i-2': 'running', 'i-3': 'running' }),
    };
    expect(batchOf({}, all)).toEqual(['i-1']);
    expect(batchOf({ strategy: 'ScaleToZero' }, all)).toEqual(three);
    expect(batchOf({}, { ...all, group: group({ instances: instances.slice(1) }) })).toEqual(['i-2']);
    expect(
      batchOf({}, { ...all, states: states({ ...Object.fromEntries(all.states), 'i-1': 'shutting-down' }) }),
    ).toEqual(['i-2']);
  });

  test('ER-31: Draining cordons and evicts what is left, and leaves foreign cordons alone', () => {
    const pods = [{ namespace: 'default', name: 'p', uid: 'u' }];
    const given = recycle({ phase: 'Draining', batch: ['i-1', 'i-2'] });
    const nodes = new Map([
      ['i-1', node('n1', { pods })],
      ['i-2', node('n2', { cordon: 'foreign' })],
    ]);
    expect(step(given, world({ nodes }))).toMatchObject({
      effects: [
        { do: 'cordon', node: 'n1' },
        { do: 'evict', pod: pods[0] },
      ],
    });
    const drained = new Map([['i-1', node('n1', { cordon: 'own' })]]);
    expect(step(given, world({ nodes: drained }))).toMatchObject({ intent: { phase: 'ScalingDown', resized: false } });
    // Before the sizes are written it is stored that they may have been.
    const toZeroNext = { ...given, strategy: 'ScaleToZero' as const };
    expect(step(toZeroNext, world({ nodes: drained }))).toMatchObject({
      intent: { phase: 'ScalingDown', resized: true },
    });
  });

  test('ER-34, ER-77: Replace terminates its batch alone; `shutting-down` is not gone', () => {
    const given = recycle({ phase: 'ScalingDown' });
    expect(step(given, world())).toMatchObject({ type: 'act', effects: [{ do: 'terminate', instance: 'i-1' }] });
    expect(step(given, world({ states: states({ 'i-1': 'shutting-down', 'i-2': 'running' }) }))).toMatchObject({
      type: 'act',
      effects: [],
    });
    for (const gone of [states({ 'i-1': 'terminated', 'i-2': 'running' }), states({ 'i-2': 'running' })]) {
      expect(step(given, world({ states: gone }))).toMatchObject({ type: 'next', intent: { phase: 'ScalingUp' } });
    }
  });

  test('ER-35: ScaleToZero writes 0/0/0, waits for the end of all, then writes the original sizes', () => {
    const down = toZero({ phase: 'ScalingDown' });
    expect(step(down, world())).toMatchObject({ effects: [{ do: 'resize', sizes: zeros }] });
    const emptying = group({ ...zeros });
    expect(step(down, world({ group: emptying }))).toMatchObject({ type: 'act', effects: [] });
    const gone = states({ 'i-1': 'terminated', 'i-2': 'terminated' });
    expect(step(down, world({ group: emptying, states: gone }))).toMatchObject({ intent: { phase: 'ScalingUp' } });
    expect(step(toZero({ phase: 'ScalingUp' }), world({ group: emptying, states: gone }))).toMatchObject({
      effects: [{ do: 'resize', sizes: { min: 1, max: 5, desired: 2 } }],
    });
  });

  test('ER-35: sizes that somebody else changed before are the ones to go back to, and the tag says so first', () => {
    const instances = ['i-1', 'i-2', 'i-3'].map((id) => ({ id, inService: true }));
    const told = step(toZero({ phase: 'ScalingDown' }), world({ group: group({ desired: 3, instances }) }));
    // What they started goes as well: all of the group is to be replaced.
    expect(told).toMatchObject({
      type: 'next',
      intent: { phase: 'Planned', desired: 3, instances: ['i-1', 'i-2', 'i-3'] },
    });
    // What somebody has detached is replaced no more, but its cordon is still to be undone.
    const detached = step(
      toZero({ phase: 'ScalingDown' }),
      world({ group: group({ desired: 1, instances: instances.slice(1, 2) }) }),
    );
    expect(detached).toMatchObject({
      type: 'next',
      intent: { phase: 'Planned', desired: 1, instances: ['i-1', 'i-2'] },
    });
  });

  test('ER-35: at zero sizes that somebody else wrote stay, and what they started is waited for', () => {
    const theirs = group({ min: 0, max: 3, desired: 1, instances: [{ id: 'i-9', inService: true }] });
    const gone = { 'i-1': 'terminated', 'i-2': 'terminated' } as const;
    const given = toZero({ phase: 'ScalingUp' });
    const pending = world({ group: theirs, states: states({ ...gone, 'i-9': 'pending' }) });
    expect(step(given, pending)).toMatchObject({ type: 'act', effects: [] });
    expect(step(given, world({ group: theirs, states: states({ ...gone, 'i-9': 'running' }) }))).toMatchObject({
      intent: { phase: 'Verifying' },
    });
  });

  test('ER-35: a group that was at zero before goes on without sizes to write', () => {
    const empty = group({ ...zeros, instances: [], original: '0/0/0' });
    const given = toZero({ ...zeros, phase: 'ScalingUp' });
    expect(step(given, world({ group: empty, states: states({}) }))).toMatchObject({ intent: { phase: 'Verifying' } });
  });

  test('ER-77: Verifying waits for Ready Nodes of the new instances, then goes on with the next batch or is Done', () => {
    const fresh = group({
      instances: [
        { id: 'i-2', inService: true },
        { id: 'i-3', inService: true },
      ],
    });
    const running = states({ 'i-1': 'terminated', 'i-2': 'running', 'i-3': 'running' });
    const given = recycle({ phase: 'Verifying' });
    const at = (third: NodeView | undefined) =>
      world({ group: fresh, states: running, nodes: new Map(third === undefined ? [] : [['i-3', third]]) });
    expect(step(given, at(undefined))).toMatchObject({ type: 'act', effects: [] });
    expect(step(given, at(node('n3', { ready: false })))).toMatchObject({ type: 'act' });
    expect(step(given, at(node('n3')))).toMatchObject({ intent: { phase: 'Draining', batch: ['i-2'] } });
    const last = recycle({ ...given, batch: ['i-2'] });
    const after = group({
      instances: [
        { id: 'i-3', inService: true },
        { id: 'i-4', inService: true },
      ],
    });
    const nodes = new Map([
      ['i-3', node('n3')],
      ['i-4', node('n4')],
    ]);
    const all = states({ 'i-3': 'running', 'i-4': 'running' });
    expect(step(last, world({ group: after, states: all, nodes }))).toMatchObject({ intent: { phase: 'Done' } });
  });

  test('ER-34, ER-35: in a group that weighs its instance types weights reach the desired size, not instances', () => {
    const heavy = ['i-2', 'i-3'].map((id) => ({ id, inService: true, weight: 4 }));
    const running = states({ 'i-1': 'terminated', 'i-2': 'running', 'i-3': 'running' });
    const at = (phase: Recycle['phase'], desired: number) =>
      step(
        recycle({ phase, instances: ['i-1'] }),
        world({
          group: group({ desired, instances: heavy }),
          states: running,
          nodes: new Map([
            ['i-3', node('n3')],
            ['i-2', node('n2')],
          ]),
        }),
      );
    expect(at('ScalingUp', 8)).toMatchObject({ intent: { phase: 'Verifying' } });
    expect(at('Verifying', 8)).toMatchObject({ intent: { phase: 'Done' } });
    for (const phase of ['ScalingUp', 'Verifying'] as const)
      expect(at(phase, 9)).toMatchObject({ waitingFor: '9 instances to be running, 8 so far' });
  });

  test('ER-31: a group that is described as it was a moment ago is not taken for finished', () => {
    const old = group({
      instances: [
        { id: 'i-1', inService: true },
        { id: 'i-2', inService: true },
      ],
    });
    const running = states({ 'i-1': 'terminated', 'i-2': 'running' });
    for (const phase of ['ScalingUp', 'Verifying'] as const) {
      expect(step(recycle({ phase }), world({ group: old, states: running }))).toMatchObject({ type: 'act' });
    }
  });
});

describe('giving up', () => {
  test.each(['Planned', 'Draining', 'ScalingDown', 'ScalingUp', 'Verifying'] as const)(
    'ER-37, ER-76: %s fails at the timeout, counted from the stored start',
    (phase) => {
      const given = recycle({ phase, startTime: formatTime(now) });
      const told = step(given, world({ now: now + 20 * 60_000 }));
      const reason = new RegExp(`^timed out after 20m in phase ${phase}`);
      expect(told).toMatchObject({ intent: { phase: 'Failed', reason: expect.stringMatching(reason) as string } });
      const before = step(given, world({ now: now + 20 * 60_000 - 1 }));
      expect(before.type === 'next' && before.intent.phase === 'Failed').toBe(false);
    },
  );

  test('ER-37: the reason of a timeout says what was waited for', () => {
    const given = recycle({ phase: 'ScalingUp', startTime: formatTime(now) });
    const lacking = group({ instances: [{ id: 'i-2', inService: true }] });
    expect(step(given, world({ now: now + 20 * 60_000, group: lacking }))).toMatchObject({
      intent: { reason: 'timed out after 20m in phase ScalingUp, waiting for 2 instances to be running, 1 so far' },
    });
  });

  test('ER-76: a start far in the future is that of a clock that was wrong: the recycle ends', () => {
    const begun = (ahead: number) =>
      step(recycle({ phase: 'ScalingUp', startTime: formatTime(now + ahead) }), world({ now }));
    expect(begun(10 * 365 * 24 * 3_600_000)).toMatchObject({ intent: { phase: 'Failed' } });
    expect(begun(19 * 60_000)).toMatchObject({ type: 'act' });
  });

  test('ER-31: a group that was deleted in mid-recycle ends it', () => {
    expect(step(recycle({ phase: 'ScalingUp' }), world({ group: undefined }))).toMatchObject({
      intent: {
        phase: 'Failed',
        reason: 'the Auto Scaling group is gone (nothing to do, unless it was deleted by mistake)',
      },
    });
    expect(step(recycle({ phase: 'Failed' }), world({ group: undefined }))).toMatchObject({ type: 'end', effects: [] });
  });

  test('ER-37: original sizes are written even where AWS still shows them, as it may be behind; they go first, the tag last', () => {
    const given = toZero({ phase: 'Failed', reason: 'why' });
    const nodes = new Map([
      ['i-1', node('n1', { cordon: 'own' })],
      ['i-2', node('n2', { cordon: 'foreign' })],
    ]);
    for (const seen of [group(), group(zeros)]) {
      expect(step(given, world({ group: seen, nodes }))).toEqual({
        type: 'end',
        result: 'Failed: why',
        effects: [
          { do: 'resize', sizes: { min: 1, max: 5, desired: 2 } },
          { do: 'uncordon', node: 'n1' },
          { do: 'untag' },
        ],
      });
    }
  });

  test('ER-32, ER-37: a tag that AWS does not show yet is removed as well; at the timeout it was never written', () => {
    const given = recycle({ phase: 'Failed', startTime: formatTime(now) });
    const effectsAt = (minutes: number, original: string | undefined) => {
      const told = step(given, world({ now: now + minutes * 60_000, group: group({ original }) }));
      return told.type === 'end' ? told.effects : told;
    };
    expect(effectsAt(19, undefined)).toEqual([{ do: 'untag' }]);
    expect(effectsAt(20, undefined)).toEqual([]);
    expect(effectsAt(20, '1/5/2')).toEqual([{ do: 'untag' }]);
  });

  test('ER-37: sizes that somebody else wrote meanwhile stay', () => {
    const told = step(toZero({ phase: 'Failed' }), world({ group: group({ desired: 4 }) }));
    expect(told).toMatchObject({ type: 'end', effects: [{ do: 'untag' }] });
    expect(told).toHaveProperty('result', expect.stringContaining('changed the sizes from 1/5/2 to 1/5/4: they stay'));
  });

  test('ER-41: while another one recycles the group, nothing is done in any phase', () => {
    for (const phase of phases)
      expect(step(recycle({ phase }), world({ rival: 'first', stop: 'dryRun' }))).toMatchObject({
        type: 'act',
        effects: [],
        waitingFor: 'EventRecycler first, which began earlier',
      });
  });

  test('ER-34: Replace never writes sizes, in no phase', () => {
    for (const phase of phases) {
      for (const seen of [group(), group(zeros), group({ original: undefined }), group({ desired: 9 })]) {
        const told = step(recycle({ phase }), world({ group: seen }));
        const effects = 'effects' in told ? told.effects : [];
        expect(effects.filter((effect) => effect.do === 'resize')).toEqual([]);
      }
    }
  });
});
