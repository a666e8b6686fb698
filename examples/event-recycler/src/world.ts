// What is seen of a group: AWS, and the Nodes and Pods of the cache; and how effects are brought about.
import { type Context, type DeclaredIndex, isDisruptionBudget, isNotFound, isTooManyRequests } from 'kilter';
import { Node, Pod } from 'kilter/k8s/core/v1';
import { type Aws, AwsError, type Call } from './aws.ts';
import type { EventRecycler, Recycle } from './event-recycler.ts';
import type { Effect, NodeView, World } from './recycle.ts';

export type Indexes = DeclaredIndex<'v1', 'Pod', 'node'> | DeclaredIndex<'v1', 'Node', 'instance'>;
export type Run = Context<EventRecycler, never, Node, Indexes>;

/** `aws:///<zone>/i-<id>`; anything else is not an instance, and is never guessed. */
export const instanceOf = (node: Node): string | undefined =>
  /^aws:\/\/\/[a-z0-9-]+\/(i-[0-9a-f]{8,17})$/.exec(node.spec?.providerID ?? '')?.[1];

/** Says on a Node for which group this operator cordoned it. */
export const cordonMark = 'kaws.kilter.dev/cordoned-for';

export const callOf = (ctx: Run, signal: AbortSignal = ctx.signal): Call => ({ signal, leader: ctx.leadership });

/** A throttled call is tried once more: where every second one is, something gets done all the same. The rest waits for the next look. */
export async function twice<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AwsError && error.problem === 'throttled') return call();
    throw error;
  }
}

export async function observe(
  recycle: Recycle,
  aws: Aws,
  ctx: Run,
): Promise<Pick<World, 'group' | 'states' | 'nodes'>> {
  const group = await twice(() => aws.group(recycle.autoScalingGroup, callOf(ctx)));
  const ids = new Set([...recycle.instances, ...(group?.instances ?? []).map(({ id }) => id)]);
  const found = await twice(() => aws.instances([...ids], callOf(ctx)));
  const states = new Map([...found].map(([id, { state }]) => [id, state]));
  const nodes = new Map<string, NodeView>();
  const isOver = recycle.phase === 'Done' || recycle.phase === 'Failed';
  for (const id of ids) {
    const [node] = ctx.cache.by(Node, 'instance', id);
    // The last look decides whether a cordon is left behind: it must not miss one that was written a moment ago.
    const seen = isOver && node !== undefined ? await ctx.live.find(Node, node.metadata.name) : node;
    if (seen !== undefined) nodes.set(id, viewOf(seen, recycle, ctx));
  }
  return { group, states, nodes };
}

function viewOf(node: Node, { autoScalingGroup }: Recycle, ctx: Run): NodeView {
  const { name, annotations } = node.metadata;
  const mark = annotations?.[cordonMark];
  const cordon = mark === autoScalingGroup ? 'own' : node.spec?.unschedulable === true ? 'foreign' : 'none';
  const ready = node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  const pods = ctx.cache.by(Pod, 'node', name).filter(isEvictable);
  return {
    name,
    ready,
    cordon,
    pods: pods.map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name })),
  };
}

function isEvictable({ metadata, status }: Pod): boolean {
  const isStatic = metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
  const isDaemon =
    metadata.ownerReferences?.some(({ kind, controller }) => kind === 'DaemonSet' && controller === true) ?? false;
  return !isStatic && !isDaemon && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/** Brings one effect about; all of them can be repeated. Those on AWS pass the write guard, as writes of the client do by themselves. */
export async function bring(
  effect: Effect,
  { autoScalingGroup: group }: Recycle,
  { aws, ctx }: { aws: Aws; ctx: Run },
): Promise<void> {
  const fenced = (call: (call: Call) => Promise<void>) => twice(() => ctx.fence((signal) => call(callOf(ctx, signal))));
  switch (effect.do) {
    case 'tag':
      return fenced((call) => aws.tag(group, effect.value, call));
    case 'untag':
      return fenced((call) => aws.untag(group, call));
    case 'resize':
      return fenced((call) => aws.resize(group, effect.sizes, call));
    case 'terminate':
      return fenced((call) => aws.terminate(effect.instance, call));
    case 'cordon':
      return patchNode(ctx, effect.node, { mark: group, unschedulable: true });
    case 'uncordon':
      return patchNode(ctx, effect.node, { mark: null, unschedulable: null });
    case 'evict':
      return evict(ctx, effect.pod);
  }
}

async function patchNode(
  ctx: Run,
  name: string,
  { mark, unschedulable }: { mark: string | null; unschedulable: true | null },
) {
  const patch = { metadata: { annotations: { [cordonMark]: mark } }, spec: { unschedulable } };
  await ctx.client.patch(Node, name, patch).catch(unless(isNotFound));
}

/** A disruption budget says no for now: that is what it is for. */
const evict = (ctx: Run, pod: { namespace: string; name: string }): Promise<void> =>
  ctx.client
    .evict(pod)
    .catch(unless((error) => isNotFound(error) || isDisruptionBudget(error) || isTooManyRequests(error)));

const unless =
  (expected: (error: unknown) => boolean) =>
  (error: unknown): void => {
    if (!expected(error)) throw error;
  };
