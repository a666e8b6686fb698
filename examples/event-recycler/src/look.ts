// One look: what the cache holds is counted, and what follows from it is decided.
import { parseTime } from 'kilter/api';
import type { AwsRegions, Group } from './aws.ts';
import { type Book, type Change, ended } from './book.ts';
import { count, type Tally, tally } from './counting.ts';
import { detect, type Detection, type Directory, instancesIn } from './detection.ts';
import { type Counted, EventRecycler, type Settings } from './event-recycler.ts';
import { decide, type Decision } from './limits.ts';
import { plan } from './recycle.ts';
import { callOf, type Run, twice } from './world.ts';

/** What a run works with. */
export interface Scene {
  readonly settings: Settings;
  readonly book: Book;
  readonly aws: AwsRegions;
  readonly directory: Directory;
  readonly ctx: Run;
}

export interface Look {
  readonly detection: Detection;
  readonly counted: readonly Counted[];
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly decision: Decision;
}

/** Counts and decides; what starts or would start is in the change to be stored. */
export async function lookAround({
  settings,
  book,
  aws,
  directory,
  ctx,
}: Scene): Promise<{ look: Look; change: Change }> {
  const region = aws(settings.awsRegion);
  await directory.learn(instancesIn(ctx), region, ctx);
  const described = new Map<string, Group | undefined>();
  for (let all = ctx.cache.list(EventRecycler); ; all = await ctx.live.list(EventRecycler)) {
    // No `await` from here to the decision: it is about one moment.
    const look = lookNow({ settings, book, directory, ctx }, all);
    const missing = settings.dryRun ? [] : look.decision.start.filter((group) => !described.has(group));
    if (missing.length === 0) return { look, change: changeAfter(look, described, { settings, book, ctx }) };
    for (const name of missing) described.set(name, await twice(() => region.group(name, callOf(ctx))));
    // Rare, and not to be decided on what may be old: the next round asks the server who else recycles what.
  }
}

function lookNow({ settings, book, directory, ctx }: Omit<Scene, 'aws'>, all: readonly EventRecycler[]): Look {
  const { status } = book;
  const [now, { threshold }] = [ctx.now(), settings];
  const active = new Set(book.active.map(({ autoScalingGroup }) => autoScalingGroup));
  const ends = new Map(
    status.lastRecycles?.map(({ autoScalingGroup, time }) => [autoScalingGroup, parseTime(time) ?? 0]),
  );
  const floor = (group: string): number =>
    active.has(group) ? Infinity : Math.max(now - settings.window, ends.get(group) ?? 0);
  const detection = detect(settings, directory, ctx);
  const counted = count(status.counted ?? [], detection.sightings, { now, threshold, floor });
  const tallies = tally(counted, threshold);
  const groups = new Set(detection.groups.keys());
  return { detection, counted, tallies, decision: decide({ now, settings, status, tallies, groups, all }) };
}

type Changing = Pick<Scene, 'settings' | 'book' | 'ctx'>;

function changeAfter(
  look: Look,
  described: ReadonlyMap<string, Group | undefined>,
  { settings, book, ctx }: Changing,
): Change {
  const { dryRun, strategy, awsRegion } = settings;
  const { status } = book;
  const tripped = look.decision.start.map((autoScalingGroup) => ({
    autoScalingGroup,
    nodeGroup: look.detection.groups.get(autoScalingGroup)?.nodeGroup ?? autoScalingGroup,
    eventCount: look.tallies.get(autoScalingGroup)?.count ?? 0,
  }));
  const started = tripped.flatMap(({ autoScalingGroup, ...given }) => {
    const group = dryRun ? undefined : described.get(autoScalingGroup);
    const intent = {
      ...given,
      strategy,
      epoch: ctx.leadership.epoch,
      ...(awsRegion !== undefined && { region: awsRegion }),
    };
    return group === undefined || group.instances.length === 0 ? [] : [plan(group, intent, ctx.now())];
  });
  // What is decided has used up its count, and so has what would have been.
  const dealtWith = new Set((dryRun ? tripped : started).map(({ autoScalingGroup }) => autoScalingGroup));
  const counted = look.counted.filter(({ group }) => !dealtWith.has(group));
  const counts = [...tally(counted, settings.threshold)].map(([group, { count: total }]) => [group, total] as const);
  const decided = { result: 'DryRun', now: ctx.now() };
  const after = dryRun
    ? tripped.reduce((before, one) => ({ ...before, ...ended(before, one, decided) }), status)
    : status;
  return {
    counted: [...counted],
    eventCounts: Object.fromEntries(counts.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    activeRecycles: [...book.active, ...started],
    recycleHistory: after.recycleHistory ?? [],
    lastRecycles: after.lastRecycles ?? [],
  };
}
