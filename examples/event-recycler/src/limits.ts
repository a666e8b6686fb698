// Which groups to recycle: what bounds the damage of forged Events, of an outage and of a mistake in here.
import { parseTime } from 'kilter/api';
import type { Tally } from './counting.ts';
import type { EventRecycler, Settings, Status } from './event-recycler.ts';

export interface Circumstances {
  readonly now: number;
  readonly settings: Settings;
  readonly status: Status;
  readonly tallies: ReadonlyMap<string, Tally>;
  /** Every Auto Scaling group that has a Node in the cluster. */
  readonly groups: ReadonlySet<string>;
  /** All EventRecyclers, this one included. */
  readonly all: readonly EventRecycler[];
}

export interface Decision {
  readonly start: readonly string[];
  /** Why nothing starts, where the breaker is open. */
  readonly breaker: string | undefined;
  /** Groups over the threshold that have to wait, with the reason. */
  readonly held: ReadonlyMap<string, string>;
}

const ms = (time: string): number => parseTime(time) ?? 0;

/** What is under way, over all EventRecyclers. */
export const activeIn = (all: readonly EventRecycler[]): string[] =>
  all.flatMap(({ status }) => (status?.activeRecycles ?? []).map(({ autoScalingGroup }) => autoScalingGroup));

export function decide({ now, settings, status, tallies, groups, all }: Circumstances): Decision {
  const tripped = [...tallies].flatMap(([group, { trippedAt }]) =>
    trippedAt === undefined ? [] : [{ group, trippedAt }],
  );
  const active = activeIn(all);
  const lately = (status.lastRecycles ?? []).filter(({ time }) => ms(time) > now - settings.window);
  const troubled = new Set([
    ...tripped.map(({ group }) => group),
    ...(status.activeRecycles ?? []).map(({ autoScalingGroup }) => autoScalingGroup),
    ...lately.map(({ autoScalingGroup }) => autoScalingGroup),
  ]);
  const known = new Set([...groups, ...troubled]).size;
  if (tripped.length > 0 && troubled.size >= 2 && troubled.size * 100 > settings.breakerPercent * known) {
    return {
      start: [],
      breaker: `${troubled.size} of ${known} node groups are in trouble: not a node problem`,
      held: new Map(),
    };
  }
  const slots =
    Math.min(...all.map(({ spec }) => spec.maxConcurrentRecycles), settings.maxConcurrentRecycles) - active.length;
  const [start, held] = [[] as string[], new Map<string, string>()];
  for (const { group, trippedAt } of tripped.toSorted(
    (a, b) => a.trippedAt - b.trippedAt || (a.group < b.group ? -1 : 1),
  )) {
    const why = reasonToWait(group, { now, settings, all, active, trippedAt });
    if (why !== undefined) held.set(group, why);
    else if (start.length < slots) start.push(group);
    else held.set(group, `${active.length + start.length} recycles are under way`);
  }
  return { start, breaker: undefined, held };
}

interface Waiting extends Pick<Circumstances, 'now' | 'settings' | 'all'> {
  readonly active: readonly string[];
  readonly trippedAt: number;
}

function reasonToWait(group: string, { now, settings, all, active, trippedAt }: Waiting): string | undefined {
  if (active.includes(group)) return 'it is being recycled';
  const ends = all.flatMap(({ status }) => status?.lastRecycles ?? []);
  const last = Math.max(
    0,
    ...ends.filter(({ autoScalingGroup }) => autoScalingGroup === group).map(({ time }) => ms(time)),
  );
  if (now < last + settings.cooldown) return 'its cooldown is not over';
  // An outage reaches the groups one after the other: one look later it shows whether the breaker has to open.
  if (now < trippedAt + settings.watchInterval) return 'the other groups are watched first';
  return undefined;
}
