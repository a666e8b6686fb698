// A recycle with a death of the leader at one point of it; another replica takes over.
import type { Spec } from './event-recycler.ts';
import { type Replica, Stage, type Watch } from './stage.test-support.ts';

export type Fate = 'before' | 'after' | 'lost';
export interface Point {
  /** Of the writes and AWS calls that change something, counted from 0. */
  readonly nth: number;
  readonly fate: Fate;
}

const sick = 'asg-sick';
const groups = [{ name: sick, nodeGroup: 'workers', size: 2 }, ...['b', 'c', 'd'].map((name) => ({ name, size: 1 }))];

/** What must be the same, wherever somebody died. */
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

export async function recycleWith(
  strategy: Spec['strategy'],
  point?: Point,
): Promise<{ outcome: Outcome; points: readonly string[] }> {
  const points: string[] = [];
  const watch: Watch = (what, when, replica: Replica) => {
    if (when === 'before') points.push(what);
    if (point === undefined || points.length - 1 !== point.nth || replica.dead) return;
    if (when === 'before' && point.fate === 'before') replica.kill();
    if (when === 'after' && point.fate === 'after') replica.kill();
    // The answer is lost: the effect is there, and the caller learns nothing of it.
    if (when === 'after' && point.fate === 'lost') throw new TypeError('fetch failed: other side closed');
  };
  await using stage = await Stage.open({ groups, watch });
  await stage.start('one');
  await stage.pass(1000);
  await stage.start('two');
  await stage.recycler({ strategy, batchSize: 2, watchInterval: '20s' });
  const old = stage.model.groupNow(sick)?.instances.map(({ id }) => id) ?? [];
  await stage.sicken(sick);
  const history = await stage.history(1);
  await stage.pass(30_000);
  const { min, max, desired, original, instances = [] } = stage.model.groupNow(sick) ?? {};
  return {
    points,
    outcome: {
      sizes: `${min}/${max}/${desired}`,
      tag: original,
      instances: stage.model.instancesNow().filter(({ group }) => group === sick).length,
      oldAlive: instances.filter(({ id }) => old.includes(id)).length,
      history: history.map(({ status }) => status),
      cordoned: await stage.cordoned(),
      active: (await stage.status()).activeRecycles?.length ?? 0,
    },
  };
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
