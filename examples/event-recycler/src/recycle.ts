// The recycle of one group as a state machine: a stored intent and what is seen of the world give the next step. Every phase is
// stored before its effects, and what is left to do is told by AWS and the Nodes: whoever reads the intent can continue.
import type { IntentStep } from 'kilter';
import { toMilliseconds } from 'kilter/runtime';
import { type Group, type InstanceState, type Sizes, sizesText, zero } from './aws.ts';
import { type Recycle, type Spec, timeOf } from './event-recycler.ts';

export interface NodeView {
  readonly name: string;
  readonly ready: boolean;
  /** By this operator; what others cordon is theirs. */
  readonly cordon: 'none' | 'own' | 'foreign';
  /** What an eviction would move: no DaemonSet's, no static and no finished Pods. */
  readonly pods: readonly { readonly namespace: string; readonly name: string; readonly uid: string }[];
}

export interface World {
  readonly now: number;
  readonly spec: Pick<Spec, 'batchSize' | 'recycleTimeout'>;
  /** Another EventRecycler that chose this group in the same moment, and was first. */
  readonly rival: string | undefined;
  /** Why the recycle is to end at once. */
  readonly stop: string | undefined;
  /** Undefined where AWS has no such group (any more). */
  readonly group: Group | undefined;
  /** Of the instances of the intent and the group; those AWS does not know are missing. */
  readonly states: ReadonlyMap<string, InstanceState>;
  readonly nodes: ReadonlyMap<string, NodeView>;
}

export type Effect =
  | { readonly do: 'tag'; readonly value: string }
  | { readonly do: 'untag' }
  | { readonly do: 'cordon' | 'uncordon'; readonly node: string }
  | { readonly do: 'evict'; readonly pod: NodeView['pods'][number] }
  | { readonly do: 'terminate'; readonly instance: string }
  | { readonly do: 'resize'; readonly sizes: Sizes };

type Step = IntentStep<Recycle, Effect>;

const next = (was: Recycle, change: Partial<Recycle>): Step => ({ type: 'next', intent: { ...was, ...change } });
const act = (waitingFor: string, effects: readonly Effect[] = []): Step => ({ type: 'act', effects, waitingFor });
export const isOver = ({ phase }: Pick<Recycle, 'phase'>): boolean => phase === 'Done' || phase === 'Failed';
export const failed = (recycle: Recycle, reason: string): Recycle =>
  isOver(recycle) ? recycle : { ...recycle, phase: 'Failed', reason: reason.slice(0, 1000) };

export function step(recycle: Recycle, world: World): Step {
  const { group, rival, stop, spec } = world;
  if (rival !== undefined) return act(`EventRecycler ${rival}, which began earlier`);
  if (isOver(recycle)) return undo(recycle, world);
  const fail = (reason: string): Step => next(recycle, failed(recycle, reason));
  if (stop !== undefined) return fail(stop);
  if (group === undefined)
    return fail('the Auto Scaling group is gone (nothing to do, unless it was deleted by mistake)');
  const told = proceed(recycle, group, world);
  if (!isLate(recycle, world)) return told;
  const why = told.type === 'act' ? `, waiting for ${told.waitingFor}` : '';
  return fail(`timed out after ${spec.recycleTimeout} in phase ${recycle.phase}${why}`);
}

function proceed(recycle: Recycle, group: Group, world: World): Step {
  const batch = recycle.batch.filter((id) => !isGone(id, world));
  const running = group.instances.filter(({ id, inService }) => inService && world.states.get(id) === 'running');
  const there = running.filter(({ id }) => !recycle.batch.includes(id));
  const capacity = there.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const starting = act(`${numbered(group.desired, 'instance')} to be running, ${capacity} so far`);
  switch (recycle.phase) {
    case 'Planned':
      if (group.original === sizesText(recycle))
        return next(recycle, { phase: 'Draining', batch: nextBatch(recycle, world) });
      return act('the tag with the original sizes', [{ do: 'tag', value: sizesText(recycle) }]);
    case 'Draining':
      return drain(recycle, world);
    case 'ScalingDown':
      return batch.length === 0 ? next(recycle, { phase: 'ScalingUp' }) : scaleDown(recycle, group, { batch, world });
    case 'ScalingUp':
      if (recycle.resized && isZero(group) && !isZero(recycle)) return act('the original sizes', [restore(recycle)]);
      return capacity >= group.desired ? next(recycle, { phase: 'Verifying' }) : starting;
    default: {
      const fresh = there.filter(({ id }) => !recycle.instances.includes(id));
      const ready = fresh.filter(({ id }) => world.nodes.get(id)?.ready).length;
      if (capacity < group.desired) return starting;
      if (ready < fresh.length) return act(`${numbered(fresh.length, 'new Node')} to be Ready, ${ready} so far`);
      const following = nextBatch(recycle, world);
      return next(recycle, following.length > 0 ? { phase: 'Draining', batch: following } : { phase: 'Done' });
    }
  }
}

const numbered = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
const isGone = (id: string, { states }: World): boolean => (states.get(id) ?? 'terminated') === 'terminated';
const isGoing = (id: string, world: World): boolean => isGone(id, world) || world.states.get(id) === 'shutting-down';
// One that begins far in the future was begun by a clock that was wrong: it would never end.
const isLate = ({ startTime }: Recycle, { now, spec }: World): boolean =>
  Math.abs(now - timeOf(startTime)) >= toMilliseconds(spec.recycleTimeout);
const isZero = (group: Sizes): boolean => sizesText(group) === sizesText(zero);
const restore = ({ min, max, desired }: Recycle): Effect => ({ do: 'resize', sizes: { min, max, desired } });

function nextBatch({ strategy, instances }: Recycle, world: World): string[] {
  const left = instances.filter((id) => !isGoing(id, world) && world.group?.instances.some((one) => one.id === id));
  return strategy === 'Replace' ? left.slice(0, world.spec.batchSize) : left;
}

function drain(recycle: Recycle, { nodes }: World): Step {
  const batch = recycle.batch.flatMap((id) => nodes.get(id) ?? []);
  const open = batch.filter(({ cordon }) => cordon === 'none');
  const cordons = open.map(({ name }): Effect => ({ do: 'cordon', node: name }));
  const evictions = batch.flatMap(({ pods }) => pods).map((pod): Effect => ({ do: 'evict', pod }));
  if (cordons.length + evictions.length === 0)
    return next(recycle, { phase: 'ScalingDown', resized: recycle.resized || recycle.strategy === 'ScaleToZero' });
  const waitingFor = `${numbered(evictions.length, 'Pod')} to leave ${numbered(batch.length, 'Node')}`;
  return act(waitingFor, [...cordons, ...evictions]);
}

function scaleDown(recycle: Recycle, group: Group, { batch, world }: { batch: readonly string[]; world: World }): Step {
  const doomed = batch.filter((id) => !isGoing(id, world));
  const waitingFor = `${numbered(batch.length, 'instance')} to be terminated`;
  // Whatever the sizes are by now, of what is to go nothing stays.
  if (doomed.length === 0 || isZero(group)) return act(waitingFor);
  const ends = doomed.map((instance): Effect => ({ do: 'terminate', instance }));
  if (recycle.strategy === 'Replace') return act(waitingFor, ends);
  if (sizesText(group) === sizesText(recycle)) return act('sizes 0/0/0', [{ do: 'resize', sizes: zero }]);
  // Somebody has changed the sizes since: theirs are the ones to go back to, and the tag has to say so first.
  // What has left the group keeps its place: its cordon is to be undone.
  const instances = [...new Set([...recycle.instances, ...group.instances.map(({ id }) => id)])].slice(0, 1000);
  const { min, max, desired } = group;
  return next(recycle, { min, max, desired, instances, phase: 'Planned' });
}

/**
 * Takes back what is left of the recycle. AWS may still show the sizes of a moment ago: they are written unless they are somebody
 * else's, which stay. They go first, as the API server may refuse to undo a cordon. The tag goes last: while it is there, everybody
 * can see that the sizes may not be the original ones. One that is still not seen at the timeout was
 * never written, as where the role does not allow it.
 */
function undo(recycle: Recycle, world: World): Step {
  const { group, nodes } = world;
  const own = [...nodes.values()].filter(({ cordon }) => cordon === 'own');
  const effects: Effect[] = own.map(({ name }) => ({ do: 'uncordon', node: name }));
  const result = recycle.phase === 'Done' ? 'Succeeded' : `Failed: ${recycle.reason ?? ''}`;
  if (group === undefined) return { type: 'end', effects, result };
  const [original, current] = [sizesText(recycle), sizesText(group)];
  const isForeign = !isZero(group) && current !== original;
  if (recycle.resized && !isForeign) effects.unshift(restore(recycle));
  if (group.original !== undefined || !isLate(recycle, world)) effects.push({ do: 'untag' });
  const remark = `; somebody else changed the sizes from ${original} to ${current}: they stay (if not wanted, set them back)`;
  return { type: 'end', effects, result: isForeign ? `${result}${remark}` : result };
}
