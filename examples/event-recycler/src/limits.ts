// Which groups to recycle: what bounds the damage of forged Events, of an outage and of a mistake in here.
import { formatTime } from 'kilter/api';
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

export interface Decision {
  readonly start: readonly string[];
  /** Why nothing starts, where the breaker is open. */
  readonly breaker: string | undefined;
  /** Groups over the threshold that have to wait, with the reason. */
  readonly held: ReadonlyMap<string, string>;
}

const named = ({ autoScalingGroup }: { readonly autoScalingGroup: string }): string => autoScalingGroup;

export function decide({ now, spec, status, tallies, groups, all }: Circumstances): Decision {
  const tripped = [...tallies]
    .flatMap(([group, { trippedAt }]) => (trippedAt === undefined ? [] : [{ group, trippedAt }]))
    .toSorted((a, b) => a.trippedAt - b.trippedAt || (a.group < b.group ? -1 : 1));
  const lately = (status.lastRecycles ?? []).filter(({ time }) => timeOf(time) > now - toMilliseconds(spec.window));
  const dealtWith = [...(status.activeRecycles ?? []), ...lately].map(named);
  const troubled = new Set([...tripped.map(({ group }) => group), ...dealtWith]);
  const known = new Set([...groups, ...troubled]).size;
  if (tripped.length > 0 && troubled.size >= 2 && troubled.size * 100 > spec.breakerPercent * known) {
    const breaker = `${troubled.size} of ${known} node groups are in trouble: not a node problem`;
    return { start: [], breaker, held: new Map() };
  }
  if (tripped.length === 0) return { start: [], breaker: undefined, held: new Map() };
  const everyone = [...all];
  const active = everyone.flatMap((one) => one.status?.activeRecycles ?? []).map(named);
  const slots = Math.min(spec.maxConcurrentRecycles, ...everyone.map((one) => one.spec.maxConcurrentRecycles));
  const ends = everyone.flatMap((one) => one.status?.lastRecycles ?? []);
  const [start, held] = [[] as string[], new Map<string, string>()];
  for (const { group, trippedAt } of tripped) {
    const isCooling = ends.some(
      (end) => named(end) === group && now < timeOf(end.time) + toMilliseconds(spec.cooldown),
    );
    if (active.includes(group)) held.set(group, 'it is being recycled');
    else if (isCooling) held.set(group, 'its cooldown is not over');
    // An outage reaches the groups one after the other: one look later it shows whether the breaker has to open.
    else if (now < trippedAt + toMilliseconds(spec.watchInterval))
      held.set(group, 'the other groups are watched first');
    else if (active.length + start.length < slots) start.push(group);
    else held.set(group, `${active.length + start.length} recycles are under way`);
  }
  return { start, breaker: undefined, held };
}

type Ended = Pick<Recycle, 'autoScalingGroup' | 'nodeGroup' | 'eventCount'>;

/** The history and the cooldown after a recycle, or after one that was only decided. */
export function ended(before: Status, recycle: Ended, { result, now }: { result: string; now: number }) {
  const { recycleHistory = [], lastRecycles = [] } = before;
  const { autoScalingGroup, nodeGroup, eventCount } = recycle;
  const time = formatTime(now);
  const entry = { nodeGroup, timestamp: time, eventCount, status: result.slice(0, 1000) };
  const others = lastRecycles.filter((one) => named(one) !== autoScalingGroup);
  return {
    recycleHistory: [entry, ...recycleHistory].slice(0, 20),
    lastRecycles: [{ autoScalingGroup, time }, ...others].slice(0, 200),
  };
}
