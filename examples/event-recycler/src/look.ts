// One look: what the cache holds is counted, what follows from it is decided, and both are stored before anything is done.
import { countOccurrences, tallyOccurrences } from 'kilter';
import { toMilliseconds } from 'kilter/runtime';
import { AwsError } from './aws.ts';
import type { Region, Scene } from './detection.ts';
import { EventRecycler, type Recycle, type Status, timeOf } from './event-recycler.ts';
import { decide, ended, plan, recent } from './limits.ts';
import { breakerOpen, matching, trips, unresolved } from './metrics.ts';

export async function lookAround(scene: Scene) {
  const { recycler, ctx, regionOf } = scene;
  const { awsRegion, strategy } = recycler.spec;
  const region = regionOf(awsRegion);
  let problem: AwsError | undefined;
  // Trouble with AWS concerns what was asked for and nothing else: it is asked for again next time.
  const tolerate = (error: unknown): undefined => {
    if (!(error instanceof AwsError)) throw error;
    problem = error;
  };
  await region.learn(ctx).catch(tolerate);
  let look = lookNow(scene, region, [recycler]);
  // Others decide how large they are: they are read only where a group has tripped.
  if (look.breaker !== undefined || look.start.length + look.held.size > 0)
    look = lookNow(scene, region, [...ctx.cache.each(EventRecycler)]);
  // Rare, and not to be decided on what may be old: the server is asked who else recycles what.
  if (look.start.length > 0) look = lookNow(scene, region, await ctx.live.list(EventRecycler));
  // Whether other groups are in trouble as well cannot be seen now.
  if (problem !== undefined) look = { ...look, start: [] };
  const planned: Recycle[] = [];
  const given = { strategy, epoch: ctx.leadership.epoch, ...(awsRegion !== undefined && { region: awsRegion }) };
  for (const trip of look.start) {
    const group = await ctx.fenced(region.aws).group(trip.autoScalingGroup).catch(tolerate);
    const intent = plan(group, { ...trip, ...given }, ctx.now());
    if (typeof intent === 'string') look.held.set(trip.autoScalingGroup, intent);
    else planned.push(intent);
  }
  await ctx.status(changeBy(look, planned, scene), { conflict: 'fail', stamp: 'lastCheckTime' });
  announce(look, planned, scene);
  return { ...look, problem };
}

/** Without `await`: it is about one moment. */
function lookNow({ recycler, ctx }: Scene, region: Region, all: readonly EventRecycler[]) {
  const [{ spec, status = {} }, now] = [recycler, ctx.now()];
  const active = new Set(status.activeRecycles?.map(({ autoScalingGroup }) => autoScalingGroup));
  // What others have recycled is dealt with as well.
  const lately = recent(all, spec, [now, spec.window]).toSorted((a, b) => timeOf(a.time) - timeOf(b.time));
  const ends = new Map(lately.map((end) => [end.autoScalingGroup, timeOf(end.time)]));
  const windowBegin = now - toMilliseconds(spec.window);
  const floor = (group: string) => (active.has(group) ? Infinity : Math.max(windowBegin, ends.get(group) ?? 0));
  const detection = region.detect(spec, ctx);
  // What was counted for other terms than today's counts no more, as far as its Event is still there.
  const before = (status.counted ?? []).filter(({ uid }) => !detection.others.has(uid));
  const counted = countOccurrences(before, detection.sightings, { now, threshold: spec.threshold, floor });
  if (counted.length >= 1000) detection.unresolved.push('more Events than the status holds (narrow searchTerms)');
  const tallies = tallyOccurrences(counted, spec.threshold);
  return { ...detection, ...decide(recycler, { now, tallies, groups: detection.groups, all }), counted, tallies };
}
export type Look = ReturnType<typeof lookNow>;

function changeBy({ counted, tallies }: Look, planned: readonly Recycle[], { recycler, ctx }: Scene): Status {
  const { status = {}, spec } = recycler;
  const dry = (spec.dryRun ? planned : []).map((trip) => ({ ...trip, result: 'DryRun' }));
  // What is decided has used up its count, and so has what would have been.
  const dealtWith = new Set(planned.map(({ autoScalingGroup }) => autoScalingGroup));
  const left = [...tallies].filter(([group]) => !dealtWith.has(group));
  return {
    ...dry.reduce((before, one) => ({ ...before, ...ended(before, one, ctx.now()) }), status),
    counted: counted.filter(({ group }) => !dealtWith.has(group)),
    eventCounts: Object.fromEntries(left.map(([group, { count }]) => [group, count])),
    activeRecycles: [...(status.activeRecycles ?? []), ...(spec.dryRun ? [] : planned)],
  };
}

function announce(look: Look, planned: readonly Recycle[], { recycler: { metadata, spec }, ctx }: Scene): void {
  const { sightings, groups, unresolved: notCounted, breaker } = look;
  const recycler = metadata.name;
  for (const [group, node_group] of groups)
    ctx.metric(matching).set({ node_group, recycler }, sightings.filter((one) => one.group === group).length);
  for (const { nodeGroup } of planned) ctx.metric(trips).inc({ node_group: nodeGroup });
  ctx.metric(unresolved).set({ recycler }, notCounted.length);
  ctx.metric(breakerOpen).set({ recycler }, breaker === undefined ? 0 : 1);
  for (const { nodeGroup, eventCount, strategy } of planned)
    if (spec.dryRun) ctx.event('Normal', 'DryRun', `would recycle ${nodeGroup}`);
    else ctx.event('Normal', 'Recycling', `${nodeGroup}: ${eventCount} occurrences, strategy ${strategy}`);
}
