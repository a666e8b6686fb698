// One look: what the cache holds is counted, what follows from it is decided, and both are stored before anything is done.
import { isDeepStrictEqual } from 'node:util';
import { formatTime } from 'kilter/api';
import { toMilliseconds } from 'kilter/runtime';
import { count, tally } from './counting.ts';
import type { Detection, Directory } from './detection.ts';
import { EventRecycler, type Recycle, type Status, timeOf } from './event-recycler.ts';
import { decide, type Decision, ended } from './limits.ts';
import { breakerOpen, matching, trips, unresolved } from './metrics.ts';
import { plan } from './recycle.ts';
import type { Scene } from './scene.ts';

export interface Look {
  readonly detection: Detection;
  readonly decision: Decision;
  /** The intents for what is to start. */
  readonly started: readonly Recycle[];
}

export async function lookAround(scene: Scene, directory: Directory): Promise<Look> {
  const { recycler, aws, ctx } = scene;
  const { awsRegion, dryRun } = recycler.spec;
  await directory.learn(aws(awsRegion), ctx);
  let seen = lookNow(scene, directory, ctx.cache.each(EventRecycler));
  // Rare, and not to be decided on what may be old: the server is asked who else recycles what.
  if (!dryRun && seen.tripped.length > 0) seen = lookNow(scene, directory, await ctx.live.list(EventRecycler));
  const started = dryRun ? [] : await planned(seen, scene, directory);
  await ctx.status(changeBy(seen, started, scene), { conflict: 'fail' });
  const look = { ...seen, started };
  announce(look, scene);
  return look;
}

/** Without `await`: it is about one moment. */
function lookNow({ recycler, ctx }: Scene, directory: Directory, all: Iterable<EventRecycler>) {
  const [{ spec, status = {} }, now] = [recycler, ctx.now()];
  const active = new Set(status.activeRecycles?.map(({ autoScalingGroup }) => autoScalingGroup));
  const ends = new Map(status.lastRecycles?.map((one) => [one.autoScalingGroup, timeOf(one.time)]));
  const begin = now - toMilliseconds(spec.window);
  const floor = (group: string) => (active.has(group) ? Infinity : Math.max(begin, ends.get(group) ?? 0));
  const detection = directory.detect(spec, ctx);
  const { threshold } = spec;
  const counted = count(status.counted ?? [], detection.sightings, { now, threshold, floor });
  const tallies = tally(counted, threshold);
  const decision = decide({ now, spec, status, tallies, groups: new Set(detection.groups.keys()), all });
  const tripped = decision.start.map((autoScalingGroup) => ({
    autoScalingGroup,
    nodeGroup: detection.groups.get(autoScalingGroup) ?? autoScalingGroup,
    eventCount: tallies.get(autoScalingGroup)?.count ?? 0,
  }));
  return { detection, counted, decision, tripped };
}
type Seen = ReturnType<typeof lookNow>;

/** The intents for those groups of which AWS has something (still). */
async function planned({ tripped }: Seen, { recycler, aws, ctx }: Scene, directory: Directory): Promise<Recycle[]> {
  const { strategy, awsRegion: region } = recycler.spec;
  const begin = { strategy, epoch: ctx.leadership.epoch, ...(region !== undefined && { region }) };
  const intents: Recycle[] = [];
  for (const { autoScalingGroup, ...trip } of tripped) {
    const group = await directory.ask(ctx, (call) => aws(region).group(autoScalingGroup, call));
    if (group !== undefined && group.instances.length > 0) intents.push(plan(group, { ...trip, ...begin }, ctx.now()));
  }
  return intents;
}

function changeBy({ counted, tripped }: Seen, started: readonly Recycle[], { recycler, ctx }: Scene): Status {
  const { status = {}, spec } = recycler;
  const now = ctx.now();
  // What is decided has used up its count, and so has what would have been.
  const dealtWith = new Set((spec.dryRun ? tripped : started).map(({ autoScalingGroup }) => autoScalingGroup));
  const left = counted.filter(({ group }) => !dealtWith.has(group));
  const dry = spec.dryRun ? tripped : [];
  const change: Status = {
    ...dry.reduce<Status>((before, one) => ended({ ...status, ...before }, one, { result: 'DryRun', now }), {}),
    counted: left,
    eventCounts: Object.fromEntries([...tally(left, spec.threshold)].map(([group, one]) => [group, one.count])),
    activeRecycles: [...(status.activeRecycles ?? []), ...started],
  };
  // The time of the look moves with what changed, never alone: a write of its own would be one for every look.
  const isNews = !isDeepStrictEqual({ ...status, ...change }, status);
  return isNews ? { ...change, lastCheckTime: formatTime(now) } : change;
}

function announce({ decision: { start, breaker }, detection, started }: Look, { recycler, ctx }: Scene): void {
  const { sightings, groups } = detection;
  for (const [group, node_group] of groups)
    ctx.metric(matching).set({ node_group }, sightings.filter((one) => one.group === group).length);
  for (const group of start) ctx.metric(trips).inc({ node_group: groups.get(group) ?? group });
  ctx.metric(unresolved).set(detection.unresolved.length);
  ctx.metric(breakerOpen).set(breaker === undefined ? 0 : 1);
  if (recycler.spec.dryRun) for (const group of start) ctx.event('Normal', 'DryRun', `would recycle ${group}`);
  for (const { nodeGroup, eventCount, strategy } of started)
    ctx.event('Normal', 'Recycling', `${nodeGroup}: ${eventCount} occurrences, strategy ${strategy}`);
}
