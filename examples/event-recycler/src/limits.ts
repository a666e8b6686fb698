// Which groups to recycle: what bounds the damage of forged Events, of an outage and of a mistake in here.
import { toMilliseconds } from 'kilter/runtime';
import type { Tally } from './counting.ts';
import { type EventRecycler, type Recycle, type Spec, type Status, timeOf } from './event-recycler.ts';

export interface Circumstances {
  readonly now: number;
  readonly spec: Spec;
  readonly status: Status;
  readonly tallies: ReadonlyMap<string, Tally>;
  /** Every Auto Scaling group that has a Node in the cluster. */
  readonly groups: ReadonlySet<string>;
  /** All EventRecyclers, this one included. Read only where a group has tripped: others decide how large they are. */
  readonly all: Iterable<EventRecycler>;
}

const named = ({ autoScalingGroup }: { readonly autoScalingGroup: string }): string => autoScalingGroup;

/** What may start; else why nothing does (`breaker`), or why a group that tripped has to wait (`held`). */
export function decide({ now, spec, status, tallies, groups, all }: Circumstances) {
  const [start, held] = [[] as string[], new Map<string, string>()];
  const tripped = [...tallies]
    .flatMap(([group, { trippedAt }]) => (trippedAt === undefined ? [] : [{ group, trippedAt }]))
    .toSorted((a, b) => a.trippedAt - b.trippedAt || (a.group < b.group ? -1 : 1));
  if (tripped.length === 0) return { start, held };
  const lately = (status.lastRecycles ?? []).filter(({ time }) => timeOf(time) > now - toMilliseconds(spec.window));
  const troubled = new Set(tripped.map(({ group }) => group));
  for (const one of [...(status.activeRecycles ?? []), ...lately]) troubled.add(named(one));
  const known = new Set([...groups, ...troubled]).size;
  if (troubled.size >= 2 && troubled.size * 100 > spec.breakerPercent * known)
    return { start, held, breaker: `${troubled.size} of ${known} node groups are in trouble: not a node problem` };
  const everyone = [...all];
  const active = everyone.flatMap((one) => one.status?.activeRecycles ?? []).map(named);
  const slots = Math.min(spec.maxConcurrentRecycles, ...everyone.map((one) => one.spec.maxConcurrentRecycles));
  const cooling = everyone
    .flatMap((one) => one.status?.lastRecycles ?? [])
    .filter(({ time }) => now < timeOf(time) + toMilliseconds(spec.cooldown))
    .map(named);
  for (const { group, trippedAt } of tripped) {
    const underWay = active.length + start.length;
    if (active.includes(group)) held.set(group, 'it is being recycled');
    else if (cooling.includes(group)) held.set(group, 'its cooldown is not over');
    // An outage reaches the groups one after the other: one look later it shows whether the breaker has to open.
    else if (now < trippedAt + toMilliseconds(spec.watchInterval))
      held.set(group, 'the other groups are watched first');
    else if (underWay < slots) start.push(group);
    else held.set(group, `${underWay} recycles are under way`);
  }
  return { start, held };
}

type Ended = Pick<Recycle, 'autoScalingGroup' | 'nodeGroup' | 'eventCount'> & { readonly result: string };

/** The history and the cooldown after a recycle, or after one that was only decided. */
export function ended({ recycleHistory = [], lastRecycles = [] }: Status, recycle: Ended, time: string) {
  const { autoScalingGroup, nodeGroup, eventCount, result } = recycle;
  const entry = { nodeGroup, timestamp: time, eventCount, status: result.slice(0, 1000) };
  const others = lastRecycles.filter((one) => named(one) !== autoScalingGroup);
  return {
    recycleHistory: [entry, ...recycleHistory].slice(0, 20),
    lastRecycles: [{ autoScalingGroup, time }, ...others].slice(0, 200),
  };
}
