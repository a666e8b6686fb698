// Counting as a function of what is stored, what is seen and the time: a restart, a re-list or a second replica adds nothing.
import { formatTime, type Stored } from 'kilter/api';
import type { Event } from 'kilter/k8s/events/v1';
import { type Counted, timeOf } from './event-recycler.ts';

export type Sighting = ReturnType<typeof sightingOf>;
export type Tallies = ReturnType<typeof tally>;

export interface CountingRules {
  readonly now: number;
  readonly threshold: number;
  /** Occurrences of this group up to here do not count: they left the window, or a recycle has dealt with them. */
  floor(group: string): number;
}

/** More are not kept: by then many groups are far above any threshold. */
const mostCounted = 1000;

/** An Event that matches, with the group behind it. Times in milliseconds. */
export function sightingOf(event: Stored<Event>, group: string) {
  const { metadata, series, eventTime, deprecatedCount, deprecatedFirstTimestamp, deprecatedLastTimestamp } = event;
  // Set by the API server: nobody can forge it.
  const created = timeOf(metadata.creationTimestamp);
  const times = [series?.lastObservedTime, deprecatedLastTimestamp, eventTime].filter((time) => time != null);
  return {
    uid: metadata.uid,
    group,
    count: Math.max(1, deprecatedCount ?? 1, series?.count ?? 1),
    first: timeOf(deprecatedFirstTimestamp ?? eventTime ?? metadata.creationTimestamp),
    last: times.length === 0 ? created : Math.max(...times.map(timeOf)),
    created,
  };
}

/** What is counted after a look at the Events there are. */
export function count(before: readonly Counted[], sightings: readonly Sighting[], rules: CountingRules): Counted[] {
  const counted = new Map<string, Counted>();
  const sums = new Map<string, number>();
  const put = (entry: Counted, added: number): void => {
    counted.set(entry.uid, entry);
    sums.set(entry.group, (sums.get(entry.group) ?? 0) + added);
  };
  for (const entry of before) {
    const growth = entry.growth.filter(({ at }) => timeOf(at) > rules.floor(entry.group));
    if (growth.length > 0) put({ ...entry, growth }, sum(growth));
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
  // When the others occurred is not known: only the newest is sure to lie in the window.
  const by = first > floor ? Math.max(1, total) : 1;
  return { uid, group, count: Math.max(1, total), growth: [{ at: formatTime(newest), by }] };
}

function grown(known: Counted, { count: total, last }: Sighting, { now }: CountingRules): Counted | undefined {
  const by = total - known.count;
  if (by < 0) return { ...known, count: Math.max(1, total) };
  if (by === 0) return undefined;
  const at = formatTime(last > timeOf(known.growth.at(-1)?.at) && last <= now ? last : now);
  return { ...known, count: total, growth: [...known.growth, { at, by }] };
}

const sum = (growth: Counted['growth']): number => growth.reduce((total, { by }) => total + by, 0);

/** How often each group is counted, and since when it has been over the threshold: undefined below it. */
export function tally(counted: readonly Counted[], threshold: number) {
  const tallies = new Map<string, { count: number; trippedAt: number | undefined }>();
  const steps = counted.flatMap(({ group, growth }) => growth.map(({ at, by }) => ({ group, at: timeOf(at), by })));
  for (const { group, at, by } of steps.toSorted((a, b) => a.at - b.at)) {
    const { count: before = 0, trippedAt } = tallies.get(group) ?? {};
    const total = before + by;
    tallies.set(group, { count: total, trippedAt: trippedAt ?? (total >= threshold ? at : undefined) });
  }
  return tallies;
}
