// Carries the stored intents out: what is seen of a group, what the state machine makes of it, and how effects are brought about.
import { apiErrorOf, cordon, cordonOf, isConflict, isDrained, isNodeReady, requestEviction, uncordon } from 'kilter';
import { Node, Pod } from 'kilter/k8s/core/v1';
import { AwsError, type InstanceState } from './aws.ts';
import type { Run, Scene } from './detection.ts';
import { EventRecycler, isIntent, type Recycle } from './event-recycler.ts';
import { ended } from './limits.ts';
import { recycles } from './metrics.ts';
import { type Effect, failed, isOver, type NodeView, step, type World } from './recycle.ts';

/** Says on a Node for which group this operator cordoned it. */
const markOf = ({ autoScalingGroup: value }: Recycle) => ({ annotation: 'kaws.kilter.dev/cordoned-for', value });

/** Every recycle as far as it can go now, or to its end where it is to stop. */
export async function advance(scene: Scene) {
  const { recycler, ctx, stop } = scene;
  const outcomes = await ctx.intents('activeRecycles', 'autoScalingGroup').pursueAll({
    understands: isIntent,
    look: (now) => observe(now, scene),
    step: (now, seen) => step(now, { ...seen, now: ctx.now(), spec: recycler.spec, stop, rival: rivalOf(now, scene) }),
    bring: (effect, now) => bring(effect, now, scene),
    // What a webhook or the rules of the API server refuse holds up no other recycle. A conflict does: all of it is read again.
    concernsOne: (e) => (e instanceof AwsError ? 'AWS' : isConflict(e) ? undefined : apiErrorOf(e) && 'the API server'),
    // What AWS refuses it will refuse again: given up, and what was changed is undone.
    giveUp: (now, error) =>
      error instanceof AwsError && error.problem === 'refused' ? failed(now, error.message) : undefined,
    ending: (now, result, status) => ended(status, { ...now, result }, ctx.now()),
  });
  for (const { intent, result } of outcomes) {
    if (result === undefined) continue;
    const isDone = intent.phase === 'Done';
    ctx.metric(recycles).inc({ node_group: intent.nodeGroup, result: isDone ? 'succeeded' : 'failed' });
    ctx.event(isDone ? 'Normal' : 'Warning', 'Recycled', `${intent.nodeGroup}: ${result}`);
  }
  const waiting = outcomes.flatMap(({ intent: { nodeGroup, autoScalingGroup }, waitingFor }) =>
    waitingFor === undefined ? [] : `${nodeGroup ?? autoScalingGroup} waits for ${waitingFor}`,
  );
  return { waiting: waiting.join('; ').slice(0, 1000), problem: outcomes.find(({ error }) => error)?.error };
}

/** Of two EventRecyclers that chose one group in the same moment the earlier one acts, and the other one waits for it. */
function rivalOf({ autoScalingGroup, startTime }: Recycle, { recycler, ctx }: Scene): string | undefined {
  const rivals = ctx.cache.by(EventRecycler, 'recycled', autoScalingGroup).filter(({ metadata: { name }, status }) => {
    const since = status?.activeRecycles?.find((one) => one.autoScalingGroup === autoScalingGroup)?.startTime;
    return `${since} ${name}` < `${startTime} ${recycler.metadata.name}`;
  });
  return rivals[0]?.metadata.name;
}

async function observe(recycle: Recycle, { regionOf, ctx }: Scene): Promise<Pick<World, 'group' | 'states' | 'nodes'>> {
  const region = regionOf(recycle.region);
  const group = await ctx.fenced(region.aws).group(recycle.autoScalingGroup);
  const members = group?.instances ?? [];
  const ids = new Set([...recycle.instances, ...members.map(({ id }) => id)]);
  const [states, nodes] = [new Map<string, InstanceState>(), new Map<string, NodeView>()];
  for await (const [id, { state }] of region.instances([...ids], ctx)) states.set(id, state);
  // While a lifecycle hook holds up the end of an instance, EC2 still shows it as running.
  for (const { id, isLeaving } of members)
    if (isLeaving && states.get(id) === 'running') states.set(id, 'shutting-down');
  for (const id of ids) {
    const [node] = ctx.cache.by(Node, 'instance', id);
    // The last look decides whether a cordon is left behind: it must not miss one that was written a moment ago.
    const seen = isOver(recycle) && node !== undefined ? await ctx.live.find(Node, node.metadata.name) : node;
    if (seen !== undefined) nodes.set(id, viewOf(seen, recycle, ctx));
  }
  return { group, states, nodes };
}

function viewOf(node: Node, recycle: Recycle, ctx: Run): NodeView {
  const { name } = node.metadata;
  const left = ctx.cache.by(Pod, 'node', name).filter((pod) => !isDrained(pod));
  const cordon = cordonOf(node, markOf(recycle));
  return { name, ready: isNodeReady(node), cordon, pods: left.map(({ metadata }) => metadata) };
}

/** Brings one effect about; all of them can be repeated. */
function bring(effect: Effect, recycle: Recycle, { regionOf, ctx }: Scene): Promise<unknown> {
  const [group, aws] = [recycle.autoScalingGroup, ctx.fenced(regionOf(recycle.region).aws)];
  if (effect.do === 'cordon') return cordon(ctx.client, effect.node, markOf(recycle));
  if (effect.do === 'uncordon') return uncordon(ctx.client, effect.node, markOf(recycle));
  if (effect.do === 'evict') return requestEviction(ctx.client, effect.pod);
  if (effect.do === 'terminate') return aws.terminate(effect.instance);
  if (effect.do === 'resize') return aws.resize(group, effect.sizes);
  return effect.do === 'tag' ? aws.tag(group, effect.value) : aws.untag(group);
}
