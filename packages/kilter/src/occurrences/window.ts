import { formatTime } from '../api/index.ts';
import { type Sighting, timeOf } from './sighting.ts';

/** How often an Event has been counted, as stored: a restart, a relist or a second replica does not count it again. */
export interface CountedEvent {
  uid: string;
  group: string;
  /** How often the Event had occurred when it was last counted. */
  count: number;
  /** Occurrences in the window, newest last. */
  growth: { at: string; by: number }[];
}

/** Which occurrences to count. */
export interface OccurrenceWindow {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A group is not counted beyond this: more would change nothing, and the stored data stays small. */
  readonly threshold: number;
  /** Occurrences of this group up to this time do not count: they have left the window, or have been handled. */
  floor(group: string): number;
}

/** More Events, and more times at which they grew, are not kept: what is stored has to fit into an object, whatever comes in. */
const mostCounted = 1000;
const mostGrowth = 10_000;

/** Updates the counts with the Events that exist now. */
export function countOccurrences(
  before: readonly CountedEvent[],
  sightings: readonly Sighting[],
  window: OccurrenceWindow,
): CountedEvent[] {
  const counted = new Map<string, CountedEvent>();
  const sums = new Map<string, number>();
  let grew = 0;
  const put = (entry: CountedEvent, added: number): void => {
    grew += entry.growth.length - (counted.get(entry.uid)?.growth.length ?? 0);
    counted.set(entry.uid, entry);
    sums.set(entry.group, (sums.get(entry.group) ?? 0) + added);
  };
  for (const entry of before) {
    const counts = entry.growth.filter(({ at }) => timeOf(at) > window.floor(entry.group));
    // Stored by a clock that was ahead: it would count until then.
    const growth = counts.map((one) => (timeOf(one.at) > window.now ? { ...one, at: formatTime(window.now) } : one));
    if (growth.length > 0) put({ ...entry, growth }, sum(growth));
  }
  for (const sighting of sightings) {
    // Once the window has moved on it is seen again.
    if ((sums.get(sighting.group) ?? 0) >= window.threshold) continue;
    const known = counted.get(sighting.uid);
    if (known === undefined ? counted.size >= mostCounted : grew >= mostGrowth) continue;
    const after = known === undefined ? firstSight(sighting, window) : grown(known, sighting, window);
    if (after !== undefined) put(after, sum(after.growth) - sum(known?.growth ?? []));
  }
  return [...counted.values()];
}

function firstSight({ uid, group, count, first, last, created }: Sighting, window: OccurrenceWindow) {
  const floor = window.floor(group);
  const newest = last > window.now ? created : last;
  if (newest <= floor) return undefined;
  // When the others occurred is not known: only the newest is sure to lie in the window.
  const by = first > floor ? Math.max(1, count) : 1;
  return { uid, group, count: Math.max(1, count), growth: [{ at: formatTime(newest), by }] };
}

function grown(known: CountedEvent, { count, last }: Sighting, { now }: OccurrenceWindow): CountedEvent {
  const by = count - known.count;
  if (by <= 0) return { ...known, count: Math.max(1, count) };
  const at = formatTime(last > timeOf(known.growth.at(-1)?.at) && last <= now ? last : now);
  return { ...known, count, growth: [...known.growth, { at, by }] };
}

const sum = (growth: CountedEvent['growth']): number => growth.reduce((total, { by }) => total + by, 0);

/** The count of one group. */
export interface Tally {
  readonly count: number;
  /** Since when the group has been at the threshold, in milliseconds since 1970; undefined below it. */
  readonly reachedAt: number | undefined;
}

/** The counts by group. */
export function tallyOccurrences(counted: readonly CountedEvent[], threshold: number): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  const steps = counted.flatMap(({ group, growth }) => growth.map(({ at, by }) => ({ group, at: timeOf(at), by })));
  for (const { group, at, by } of steps.toSorted((a, b) => a.at - b.at)) {
    const { count: before = 0, reachedAt } = tallies.get(group) ?? {};
    const count = before + by;
    tallies.set(group, { count, reachedAt: reachedAt ?? (count >= threshold ? at : undefined) });
  }
  return tallies;
}
