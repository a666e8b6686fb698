// From an Event to the group behind it, by what the cache holds: Event -> Pod -> Node -> instance -> Auto Scaling group.
import { type Context, type DeclaredIndex, type Sighting, sightingOf } from 'kilter';
import { Node, Pod } from 'kilter/k8s/core/v1';
import { Event } from 'kilter/k8s/events/v1';
import type { Aws, Instance } from './aws.ts';
import type { EventRecycler, Spec } from './event-recycler.ts';

type Indexes =
  | DeclaredIndex<'kaws.kilter.dev/v1alpha1', 'EventRecycler', 'recycled'>
  | DeclaredIndex<'v1', 'Pod', 'node'>
  | DeclaredIndex<'v1', 'Node', 'instance'>;
export type Run = Context<EventRecycler, never, Node, Indexes>;

/** What a run works with. */
export interface Scene {
  readonly recycler: EventRecycler;
  readonly ctx: Run;
  readonly regionOf: (name: string | undefined) => Region;
  /** Why what is under way is to end at once. */
  readonly stop: string | undefined;
}

/** `aws:///<zone>/i-<id>`; anything else is not an instance, and is never guessed. */
export const instanceOf = (node: Node): string | undefined =>
  /^aws:\/\/\/[a-z0-9-]+\/(i-[0-9a-f]{8,17})$/.exec(node.spec?.providerID ?? '')?.[1];

/** Literally: a term is never a pattern. */
export const matches = ({ searchTerms }: Pick<Spec, 'searchTerms'>, { note, regarding, type }: Event): boolean =>
  type === 'Warning' && regarding?.kind === 'Pod' && searchTerms.some((term) => note?.includes(term));

/** One region: AWS there, and what it says of the instances of the Nodes there are. Those facts never change: each is asked for once. */
export class Region {
  readonly aws: Aws;
  #known = new Map<string, Instance>();

  constructor(aws: Aws) {
    this.aws = aws;
  }

  async learn(ctx: Run): Promise<void> {
    const ids = new Set([...ctx.cache.each(Node)].flatMap((node) => instanceOf(node) ?? []));
    this.#known = new Map([...this.#known].filter(([id]) => ids.has(id)));
    const missing = [...ids].filter((id) => !this.#known.has(id));
    // What was learned stays where the next call fails.
    for await (const [id, instance] of this.instances(missing, ctx)) this.#known.set(id, instance);
  }

  /** A few at a time: a call has to end soon. */
  async *instances(ids: readonly string[], ctx: Run) {
    for (let at = 0; at < ids.length; at += 200) yield* await ctx.fenced(this.aws).instances(ids.slice(at, at + 200));
  }

  /**
   * The Events that match, why some of them have no group, those that do not match, and all groups with the names people know them
   * by. Synchronous: what is read and what is decided belong to one moment.
   */
  detect(spec: Pick<Spec, 'searchTerms'>, ctx: Run) {
    const [sightings, unresolved, others] = [[] as Sighting[], [] as string[], new Set<string>()];
    const groups = new Map<string, string>();
    for (const { group, nodeGroup } of this.#known.values())
      if (group !== undefined) groups.set(group, nodeGroup ?? group);
    for (const event of ctx.cache.each(Event)) {
      const found = matches(spec, event) ? this.#groupOf(event, ctx) : undefined;
      if (!matches(spec, event)) others.add(event.metadata.uid);
      if (typeof found === 'string') unresolved.push(found);
      else if (found !== undefined) sightings.push(sightingOf(event, found.group));
    }
    return { sightings, unresolved, others, groups };
  }

  /** The group, or why there is none; undefined where there is nothing to find. */
  #groupOf({ regarding }: Event, ctx: Run): { group: string } | string | undefined {
    const pod = ctx.cache.find(Pod, { namespace: regarding?.namespace ?? '', name: regarding?.name ?? '' });
    // A Pod that is gone or was made again: the Event is about another one.
    if (pod === undefined || pod.metadata.uid !== regarding?.uid) return undefined;
    const node = ctx.cache.find(Node, pod.spec?.nodeName ?? '');
    if (node === undefined) return 'its Pod is not on any Node (nothing to do: it is checked again)';
    const id = instanceOf(node);
    if (id === undefined)
      return `Node ${node.metadata.name} has no AWS provider ID (if it is an instance, check what sets spec.providerID)`;
    const instance = this.#known.get(id);
    if (instance === undefined) return `AWS knows no instance ${id} in this region (check awsRegion)`;
    const { group } = instance;
    if (group === undefined) return `${id} is in no Auto Scaling group (nothing would replace it: handle it by hand)`;
    return { group };
  }
}
