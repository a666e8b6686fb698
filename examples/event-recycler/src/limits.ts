// Which groups to recycle: what bounds the damage of forged Events, of an outage and of a mistake in here.
import type { Tally } from 'kilter';
import { formatTime } from 'kilter/api';
import { toMilliseconds } from 'kilter/runtime';
import { type Group, originalTag } from './aws.ts';
import { type EventRecycler, isIntent, type Recycle, type Spec, type Status, timeOf } from './event-recycler.ts';

export interface Circumstances {
  readonly now: number;
  readonly tallies: ReadonlyMap<string, Tally>;
  /** Every Auto Scaling group that has a Node in the cluster, with the name people know it by. */
  readonly groups: ReadonlyMap<string, string>;
  /** All EventRecyclers, this one included. */
  readonly all: readonly EventRecycler[];
}

export type Trip = Pick<Recycle, 'autoScalingGroup' | 'nodeGroup' | 'eventCount'>;

const named = ({ autoScalingGroup }: { readonly autoScalingGroup: string }): string => autoScalingGroup;

/**
 * Recycles that ended so lately. A time that far in the future is that of a clock that was wrong, and would hold for ever. What was
 * only decided counts in a dry run alone.
 */
export const recent = (all: readonly EventRecycler[], { dryRun }: Spec, [now, duration]: [number, Spec['window']]) =>
  all
    .flatMap(({ status }) => status?.lastRecycles ?? [])
    .filter((end) => (dryRun || !end.dryRun) && Math.abs(now - timeOf(end.time)) < toMilliseconds(duration));

/** In milliseconds. What trips is acted on one look later: by then it must not have left the window. */
export const lookEvery = ({ watchInterval, window }: Spec): number =>
  Math.min(toMilliseconds(watchInterval), toMilliseconds(window) / 2);

/** What may start; else why nothing does (`breaker`), or why a group that tripped has to wait (`held`). */
export function decide(self: EventRecycler, { now, tallies, groups, all }: Circumstances) {
  const [{ spec, status = {} }, start, held] = [self, [] as Trip[], new Map<string, string>()];
  const tripped = [...tallies]
    .flatMap(([group, { count, reachedAt }]) => (reachedAt === undefined ? [] : [{ group, count, reachedAt }]))
    .toSorted((a, b) => a.reachedAt - b.reachedAt || (a.group < b.group ? -1 : 1));
  if (tripped.length === 0) return { start, held };
  const dealtWith = [...(status.activeRecycles ?? []), ...recent([self], spec, [now, spec.window])].map(named);
  const troubled = new Set([...tripped.map(({ group }) => group), ...dealtWith]);
  const known = new Set([...groups.keys(), ...troubled]).size;
  if (troubled.size >= 2 && troubled.size * 100 > spec.breakerPercent * known)
    return { start, held, breaker: `${troubled.size} of ${known} node groups are in trouble: not a node problem` };
  const active = all.flatMap((one) => one.status?.activeRecycles ?? []);
  const cooling = recent(all, spec, [now, spec.cooldown]).map(named);
  const slots = Math.min(spec.maxConcurrentRecycles, ...all.map((one) => one.spec.maxConcurrentRecycles));
  for (const { group, count, reachedAt } of tripped) {
    if (active.map(named).includes(group)) held.set(group, 'it is being recycled');
    else if (cooling.includes(group)) held.set(group, 'its cooldown is not over');
    // An outage reaches the groups one after the other: one look later it shows whether the breaker has to open.
    else if (now < reachedAt + lookEvery(spec)) held.set(group, 'the other groups are watched first');
    // An intent that nobody understands, and so nobody acts on, holds up nobody else.
    else if (active.filter(isIntent).length + start.length >= slots)
      held.set(group, `maxConcurrentRecycles allows ${slots} at a time`);
    else start.push({ autoScalingGroup: group, nodeGroup: groups.get(group) ?? group, eventCount: count });
  }
  return { start, held };
}

type Given = Trip & Pick<Recycle, 'strategy' | 'epoch' | 'region'>;

/** The intent for a group that has tripped; else why it cannot be recycled as AWS has it now. */
export function plan(group: Group | undefined, given: Given, now: number): Recycle | string {
  if (group === undefined || group.instances.length === 0)
    return 'AWS has no instances of it (nothing to do, unless its group was deleted by mistake)';
  const { min, max, desired, instances, original } = group;
  const suspended = group.suspended.find((process) => process === 'Launch' || process === 'Terminate');
  if (suspended !== undefined) return `its process ${suspended} is suspended (resume it, else nothing is replaced)`;
  if (original !== undefined)
    return `its tag ${originalTag} says that a recycle to ${original} was not undone (see "Repair a group by hand")`;
  if (instances.length > 1000) return 'it has over 1000 instances (more than an intent holds: replace them by hand)';
  const sizes = { min, max, desired, instances: instances.map(({ id }) => id) };
  return { ...given, ...sizes, batch: [], phase: 'Planned', resized: false, startTime: formatTime(now) };
}

/** The history and the cooldowns after a recycle, or after one that was only decided. */
export function ended({ recycleHistory = [], lastRecycles = [] }: Status, trip: Trip & { result: string }, at: number) {
  const { autoScalingGroup, nodeGroup, eventCount, result } = trip;
  const time = formatTime(at);
  const entry = { nodeGroup, timestamp: time, eventCount, status: result.slice(0, 1000) };
  const others = lastRecycles.filter((one) => named(one) !== autoScalingGroup);
  return {
    recycleHistory: [entry, ...recycleHistory].slice(0, 20),
    lastRecycles: [{ autoScalingGroup, time, dryRun: result === 'DryRun' || undefined }, ...others].slice(0, 200),
  };
}
