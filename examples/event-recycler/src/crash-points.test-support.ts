// A recycle with a fault at one point of it; another replica takes over where the leader dies of it.
import type { Spec } from './event-recycler.ts';
import { type Fate, type FateOf, Stage } from './stage.test-support.ts';

export interface Point {
  /** Of the writes and AWS calls of the undisturbed run, counted from 0. */
  readonly nth: number;
  readonly what: string;
  readonly fate: Fate;
}

const sick = 'asg-sick';
const groups = [{ name: sick, nodeGroup: 'workers', size: 2 }, ...['b', 'c', 'd'].map((name) => ({ name, size: 1 }))];

/** What must be the same, whatever happened at whatever point. */
export interface Outcome {
  readonly sizes: string;
  readonly tag: string | undefined;
  /** Of the sick group, all that ever were. */
  readonly instances: number;
  readonly oldAlive: number;
  readonly history: readonly string[];
  readonly cordoned: readonly string[];
  readonly active: number;
}

export const undisturbed: Outcome = {
  sizes: '1/4/2',
  tag: undefined,
  instances: 4,
  oldAlive: 0,
  history: ['Succeeded'],
  cordoned: [],
  active: 0,
};

export type Strategy = Spec['strategy'];

/** One recycle; the writes and AWS calls of it, in their order. */
export async function recycleWith(
  strategy: Strategy,
  point?: Pick<Point, 'nth' | 'fate'>,
): Promise<{ outcome: Outcome; calls: readonly string[] }> {
  const calls: string[] = [];
  let isOver = false;
  const fateOf: FateOf = (what) => {
    // What the replicas do while they are stopped belongs to no recycle.
    if (isOver) return undefined;
    calls.push(what);
    return calls.length - 1 === point?.nth ? point.fate : undefined;
  };
  // Short waits: idle virtual time is what a run would cost most of its CPU, in renewals of the Lease.
  await using stage = await Stage.open({ groups, fateOf, pending: 3000, shuttingDown: 2000 });
  await stage.start('one');
  await stage.pass(1000);
  await stage.start('two');
  await stage.recycler({ strategy, watchInterval: '5s', pollInterval: '5s' });
  const old = stage.model.groupNow(sick)?.instances.map(({ id }) => id) ?? [];
  await stage.sicken(sick);
  await stage.history(1);
  await stage.pass(10_000);
  const { min, max, desired, original, instances = [] } = stage.model.groupNow(sick) ?? {};
  const { recycleHistory = [], activeRecycles = [] } = await stage.status();
  isOver = true;
  return {
    calls,
    outcome: {
      sizes: `${min}/${max}/${desired}`,
      tag: original,
      instances: stage.model.instancesNow().filter(({ group }) => group === sick).length,
      oldAlive: instances.filter(({ id }) => old.includes(id)).length,
      history: recycleHistory.map(({ status }) => status),
      cordoned: await stage.cordoned(),
      active: activeRecycles.length,
    },
  };
}

/** Every fault at every point of the undisturbed run. A read that arrives twice is two reads: nothing to try. */
export async function pointsOf(strategy: Strategy): Promise<Point[]> {
  const { calls } = await recycleWith(strategy);
  return calls.flatMap((what, nth) => {
    const isRead = what === 'aws group' || what === 'aws instances';
    const fates: readonly Fate[] = isRead ? ['before', 'after', 'lost'] : ['before', 'after', 'lost', 'doubled'];
    return fates.map((fate) => ({ nth, what, fate }));
  });
}

/** Nothing where it ended as it should; else what it ended with. */
export async function differenceAt(strategy: Strategy, point: Point): Promise<string | undefined> {
  const told = await recycleWith(strategy, point).then(
    ({ outcome }) => JSON.stringify(outcome),
    (error: unknown) => String(error).slice(0, 300),
  );
  const { nth, what, fate } = point;
  return told === JSON.stringify(undisturbed) ? undefined : `${fate} ${nth} ${what}: ${told}`;
}
