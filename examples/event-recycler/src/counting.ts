// Counting as a function of what is stored, what is seen and the time: a restart, a re-list or a second replica adds nothing.
import { formatTime } from 'kilter/api';
import { type Counted, timeOf } from './event-recycler.ts';

/** An Event that matches, with the group behind it. Times in milliseconds. */
export interface Sighting {
  readonly uid: string;
  readonly group: string;
  readonly count: number;
  readonly first: number;
  readonly last: number;
  /** Set by the API server, so that nobody can forge it. */
  readonly created: number;
}

export interface CountingRules {
  readonly now: number;
  readonly threshold: number;
  /** Occurrences of this group up to here do not count: they left the window, or a recycle has dealt with them. */
  floor(group: string): number;
}

export interface Tally {
  readonly count: number;
  /** When the threshold was reached; undefined below it. */
  readonly trippedAt: number | undefined;
}

/** More are not kept: by then many groups are far above any threshold. */
const mostCounted = 1000;

/** What is counted after a look at the Events there are. */
export function count(before: readonly Counted[], sightings: readonly Sighting[], rules: CountingRules): Counted[] {
  const counted = new Map<string, Counted>();
  const sums = new Map<string, number>();
  const put = (entry: Counted, added: number): void => {
    counted.set(entry.uid, entry);
    sums.set(entry.group, (sums.get(entry.group) ?? 0) + added);
  };
  for (const entry of before) {
    const floor = rules.floor(entry.group);
    const growth = entry.growth.filter(({ at }) => timeOf(at) > floor);
    if (timeOf(entry.seen) > floor) put({ ...entry, growth }, sum(growth));
  }
  for (const sighting of sightings) {
    // Above the threshold more changes nothing, and what is stored stays small. Once the window has moved on it is seen again.
    if ((sums.get(sighting.group) ?? 0) >= rules.threshold) continue;
    const known = counted.get(sighting.uid);
    if (known === undefined && counted.size >= mostCounted) continue;
    const after = known === undefined ? firstSight(sighting, rules) : grown(known, sighting, rules);
    if (after !== undefined) put(after, sum(after.growth) - sum(known?.growth ?? []));
  }
  return [...counted.values()];
}

function firstSight({ uid, group, count: total, first, last, created }: Sighting, rules: CountingRules) {
  const floor = rules.floor(group);
  const newest = last > rules.now ? created : last;
  if (newest <= floor) return undefined;
  const seen = formatTime(newest);
  // When the others occurred is not known: only the newest is sure to lie in the window.
  const by = first > floor ? Math.max(1, total) : 1;
  return { uid, group, count: Math.max(1, total), seen, growth: [{ at: seen, by }] };
}

function grown(known: Counted, { count: total, last }: Sighting, { now }: CountingRules): Counted | undefined {
  const by = total - known.count;
  if (by < 0) return { ...known, count: Math.max(1, total) };
  if (by === 0) return undefined;
  const at = formatTime(last > timeOf(known.seen) && last <= now ? last : now);
  return { ...known, count: total, seen: at, growth: [...known.growth, { at, by }] };
}

const sum = (growth: Counted['growth']): number => growth.reduce((total, { by }) => total + by, 0);

/** How often each group is counted, and since when it has been over the threshold. */
export function tally(counted: readonly Counted[], threshold: number): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>();
  const steps = counted.flatMap(({ group, growth }) => growth.map(({ at, by }) => ({ group, at: timeOf(at), by })));
  for (const { group, at, by } of steps.toSorted((a, b) => a.at - b.at)) {
    const { count: before = 0, trippedAt } = tallies.get(group) ?? {};
    const total = before + by;
    tallies.set(group, { count: total, trippedAt: trippedAt ?? (total >= threshold ? at : undefined) });
  }
  return tallies;
}
