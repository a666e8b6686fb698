// The recycle of one group as a state machine: a stored intent and what is seen of the world give the next step. Every phase is
// stored before its effects, and what is left to do is told by AWS and the Nodes: whoever reads the intent can go on.
import { formatTime, parseTime } from 'kilter/api';
import { type Group, type InstanceState, type Sizes, sizesText, zero } from './aws.ts';
import type { Recycle, Settings } from './event-recycler.ts';

export interface NodeView {
  readonly name: string;
  readonly ready: boolean;
  /** By this operator; what others cordon is theirs. */
  readonly cordon: 'none' | 'own' | 'foreign';
  /** What an eviction would move: no DaemonSet's, no static and no finished Pods. */
  readonly pods: readonly { readonly namespace: string; readonly name: string }[];
}

export interface World {
  readonly now: number;
  readonly epoch: number;
  readonly settings: Pick<Settings, 'batchSize' | 'recycleTimeout'>;
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

export type Step =
  /** To be stored, then looked at again. */
  | { readonly type: 'next'; readonly recycle: Recycle }
  /** To be done (again), then waited for. */
  | { readonly type: 'act'; readonly effects: readonly Effect[]; readonly waitingFor: string }
  /** To be done (again), then moved from the active ones into the history. */
  | { readonly type: 'end'; readonly effects: readonly Effect[]; readonly result: string };

const next = (recycle: Recycle, change: Partial<Recycle>): Step => ({
  type: 'next',
  recycle: { ...recycle, ...change },
});
const act = (waitingFor: string, effects: readonly Effect[] = []): Step => ({ type: 'act', effects, waitingFor });
const isOver = ({ phase }: Recycle): boolean => phase === 'Done' || phase === 'Failed';
export const failed = (recycle: Recycle, reason: string): Recycle =>
  isOver(recycle) ? recycle : { ...recycle, phase: 'Failed', reason: reason.slice(0, 1000) };

export function step(recycle: Recycle, world: World): Step {
  const { group } = world;
  // A new leader makes the intent its own before it does anything.
  if (recycle.epoch !== world.epoch) return next(recycle, { epoch: world.epoch });
  if (isOver(recycle)) return undo(recycle, world);
  const why = world.stop ?? timeout(recycle, world);
  if (why !== undefined) return { type: 'next', recycle: failed(recycle, why) };
  if (group === undefined) return { type: 'next', recycle: failed(recycle, 'the Auto Scaling group is gone') };
  switch (recycle.phase) {
    case 'Planned':
      return group.original === sizesText(recycle)
        ? next(recycle, { phase: 'Draining', batch: nextBatch(recycle, world) })
        : act('the tag with the original sizes', [{ do: 'tag', value: sizesText(recycle) }]);
    case 'Draining':
      return drain(recycle, world);
    case 'ScalingDown':
      return scaleDown(recycle, group, world);
    case 'ScalingUp':
      return scaleUp(recycle, group, world);
    default:
      return verify(recycle, group, world);
  }
}

const isGone = (id: string, { states }: World): boolean => (states.get(id) ?? 'terminated') === 'terminated';
const isGoing = (id: string, world: World): boolean => isGone(id, world) || world.states.get(id) === 'shutting-down';
const isZero = (group: Sizes): boolean => sizesText(group) === sizesText(zero);

function timeout({ startTime, phase }: Recycle, { now, settings }: World): string | undefined {
  const over = now >= (parseTime(startTime) ?? 0) + settings.recycleTimeout;
  return over ? `timed out after ${settings.recycleTimeout / 60_000} min in phase ${phase}` : undefined;
}

function nextBatch({ strategy, instances }: Recycle, world: World): string[] {
  const left = instances.filter((id) => !isGoing(id, world) && world.group?.instances.some((one) => one.id === id));
  return strategy === 'Replace' ? left.slice(0, world.settings.batchSize) : left;
}

function drain(recycle: Recycle, { nodes }: World): Step {
  const batch = recycle.batch.flatMap((id) => nodes.get(id) ?? []);
  const cordons = batch
    .filter(({ cordon }) => cordon === 'none')
    .map(({ name }): Effect => ({ do: 'cordon', node: name }));
  const evictions = batch.flatMap(({ pods }) => pods).map((pod): Effect => ({ do: 'evict', pod }));
  if (cordons.length + evictions.length === 0) {
    return next(recycle, { phase: 'ScalingDown', resized: recycle.resized || recycle.strategy === 'ScaleToZero' });
  }
  return act(`${evictions.length} Pods to leave ${batch.length} Nodes`, [...cordons, ...evictions]);
}

function scaleDown(recycle: Recycle, group: Group, world: World): Step {
  const left = recycle.batch.filter((id) => !isGone(id, world));
  if (recycle.strategy === 'ScaleToZero' && !isZero(group)) {
    if (sizesText(group) === sizesText(recycle)) return act('sizes 0/0/0', [{ do: 'resize', sizes: zero }]);
    // Somebody has changed the sizes since: theirs are the ones to go back to, and the tag has to say so first.
    const { min, max, desired } = group;
    return next(recycle, { min, max, desired, instances: group.instances.map(({ id }) => id), phase: 'Planned' });
  }
  if (left.length === 0) return next(recycle, { phase: 'ScalingUp' });
  const doomed = recycle.strategy === 'Replace' ? left.filter((id) => !isGoing(id, world)) : [];
  return act(
    `${left.length} instances to be terminated`,
    doomed.map((instance) => ({ do: 'terminate', instance })),
  );
}

/** Instances in service, without those that are being replaced. */
const running = ({ batch }: Recycle, { instances }: Group, { states }: World): string[] =>
  instances
    .filter(({ id, inService }) => inService && states.get(id) === 'running' && !batch.includes(id))
    .map(({ id }) => id);

function scaleUp(recycle: Recycle, group: Group, world: World): Step {
  if (recycle.strategy === 'ScaleToZero' && isZero(group)) return act('the original sizes', [restore(recycle)]);
  const there = running(recycle, group, world).length;
  if (there >= group.desired) return next(recycle, { phase: 'Verifying' });
  return act(`${group.desired} instances to be running, ${there} are`);
}

function verify(recycle: Recycle, group: Group, world: World): Step {
  const there = running(recycle, group, world);
  const fresh = there.filter((id) => !recycle.instances.includes(id));
  const ready = fresh.filter((id) => world.nodes.get(id)?.ready).length;
  if (there.length < group.desired) return act(`${group.desired} instances to be running, ${there.length} are`);
  if (ready < fresh.length) return act(`${fresh.length} new Nodes to be Ready, ${ready} are`);
  const batch = nextBatch(recycle, world);
  return batch.length > 0 ? next(recycle, { phase: 'Draining', batch }) : next(recycle, { phase: 'Done' });
}

const restore = ({ min, max, desired }: Recycle): Effect => ({ do: 'resize', sizes: { min, max, desired } });

/**
 * Takes back what is left of the recycle. AWS may still show the sizes of a moment ago: they are written unless they are somebody
 * else's, which stay. The tag goes last: while it is there, everybody can see that the sizes may not be the original ones.
 */
function undo(recycle: Recycle, { group, nodes }: World): Step {
  const own = [...nodes.values()].filter(({ cordon }) => cordon === 'own');
  const effects: Effect[] = own.map(({ name }) => ({ do: 'uncordon', node: name }));
  const isOurs = group !== undefined && (isZero(group) || sizesText(group) === sizesText(recycle));
  if (recycle.resized && isOurs) effects.push(restore(recycle));
  if (group !== undefined) effects.push({ do: 'untag' });
  return { type: 'end', effects, result: recycle.phase === 'Done' ? 'Succeeded' : `Failed: ${recycle.reason ?? ''}` };
}

/** The intent for a group that has tripped. */
export function plan(
  group: Group,
  given: Pick<Recycle, 'nodeGroup' | 'strategy' | 'epoch' | 'eventCount' | 'region'>,
  now: number,
): Recycle {
  const { name, min, max, desired, instances } = group;
  const ids = instances.map(({ id }) => id).slice(0, 1000);
  const sizes = { min, max, desired };
  return {
    ...given,
    ...sizes,
    autoScalingGroup: name,
    instances: ids,
    batch: [],
    phase: 'Planned',
    resized: false,
    startTime: formatTime(now),
  };
}
