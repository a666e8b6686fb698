// Which groups to recycle: what bounds the damage of forged Events, of an outage and of a mistake in here.
import type { Tally } from 'kilter';
import { formatTime } from 'kilter/api';
import { toMilliseconds } from 'kilter/runtime';
import { type EventRecycler, type Recycle, type Status, timeOf } from './event-recycler.ts';

export interface Circumstances {
  readonly now: number;
  readonly tallies: ReadonlyMap<string, Tally>;
  /** Every Auto Scaling group that has a Node in the cluster, with the name people know it by. */
  readonly groups: ReadonlyMap<string, string>;
  /** All EventRecyclers, this one included. Read only where a group has tripped: others decide how large they are. */
  readonly all: Iterable<EventRecycler>;
}

export type Trip = Pick<Recycle, 'autoScalingGroup' | 'nodeGroup' | 'eventCount'>;

const named = ({ autoScalingGroup }: { readonly autoScalingGroup: string }): string => autoScalingGroup;

/** What may start; else why nothing does (`breaker`), or why a group that tripped has to wait (`held`). */
export function decide({ spec, status = {} }: EventRecycler, { now, tallies, groups, all }: Circumstances) {
  const [start, held] = [[] as Trip[], new Map<string, string>()];
  const tripped = [...tallies]
    .flatMap(([group, { count, reachedAt }]) => (reachedAt === undefined ? [] : [{ group, count, reachedAt }]))
    .toSorted((a, b) => a.reachedAt - b.reachedAt || (a.group < b.group ? -1 : 1));
  if (tripped.length === 0) return { start, held };
  const since = (ends: Status['lastRecycles'] = [], duration: EventRecycler['spec']['window']) =>
    ends.filter(({ time }) => now < timeOf(time) + toMilliseconds(duration)).map(named);
  const underWay = status.activeRecycles?.map(named) ?? [];
  const lately = since(status.lastRecycles, spec.window);
  const troubled = new Set([...tripped.map(({ group }) => group), ...underWay, ...lately]);
  const known = new Set([...groups.keys(), ...troubled]).size;
  if (troubled.size >= 2 && troubled.size * 100 > spec.breakerPercent * known)
    return { start, held, breaker: `${troubled.size} of ${known} node groups are in trouble: not a node problem` };
  const everyone = [...all];
  const active = everyone.flatMap((one) => one.status?.activeRecycles ?? []).map(named);
  const cooling = everyone.flatMap((one) => since(one.status?.lastRecycles, spec.cooldown));
  const slots = Math.min(spec.maxConcurrentRecycles, ...everyone.map((one) => one.spec.maxConcurrentRecycles));
  for (const { group, count, reachedAt } of tripped) {
    const busy = active.length + start.length;
    if (active.includes(group)) held.set(group, 'it is being recycled');
    else if (cooling.includes(group)) held.set(group, 'its cooldown is not over');
    // An outage reaches the groups one after the other: one look later it shows whether the breaker has to open.
    else if (now < reachedAt + toMilliseconds(spec.watchInterval))
      held.set(group, 'the other groups are watched first');
    else if (busy >= slots) held.set(group, `${busy} recycles are under way`);
    else start.push({ autoScalingGroup: group, nodeGroup: groups.get(group) ?? group, eventCount: count });
  }
  return { start, held };
}

/** The history and the cooldowns after a recycle, or after one that was only decided. */
export function ended({ recycleHistory = [], lastRecycles = [] }: Status, trip: Trip & { result: string }, at: number) {
  const { autoScalingGroup, nodeGroup, eventCount, result } = trip;
  const time = formatTime(at);
  const entry = { nodeGroup, timestamp: time, eventCount, status: result.slice(0, 1000) };
  const others = lastRecycles.filter((one) => named(one) !== autoScalingGroup);
  return {
    recycleHistory: [entry, ...recycleHistory].slice(0, 20),
    lastRecycles: [{ autoScalingGroup, time }, ...others].slice(0, 200),
  };
}
