// From an Event to the group behind it, by what the cache holds: Event -> Pod -> Node -> instance -> Auto Scaling group.
import { parseTime } from 'kilter/api';
import { Node, Pod } from 'kilter/k8s/core/v1';
import { Event } from 'kilter/k8s/events/v1';
import { type Aws, AwsError, type Instance } from './aws.ts';
import type { Sighting } from './counting.ts';
import type { Spec } from './event-recycler.ts';
import { callOf, instanceOf, type Run, twice } from './world.ts';

/** Literally: a term is never a pattern. */
export const matches = ({ searchTerms }: Pick<Spec, 'searchTerms'>, { note, regarding, type }: Event): boolean =>
  type === 'Warning' && regarding?.kind === 'Pod' && searchTerms.some((term) => note?.includes(term));

export interface Detection {
  readonly sightings: readonly Sighting[];
  /** Events without a group, with the reason. */
  readonly unresolved: readonly { readonly event: Event; readonly why: string }[];
  readonly groups: ReadonlyMap<string, { readonly nodeGroup: string }>;
}

/** What is known of instances: their groups never change, so each is asked for once. */
export class Directory {
  /** The instances of Nodes that are there; others are forgotten. */
  #known: ReadonlyMap<string, Instance> = new Map();
  /** Why the last question failed. */
  #problem: AwsError | undefined;

  /** What was told; bounded, as names in it come from others. */
  readonly #told = new Set<string>();

  /** Whether this is said for the first time. */
  isNews(text: string): boolean {
    if (this.#told.has(text) || this.#told.size >= 1000) return false;
    this.#told.add(text);
    return true;
  }

  get problem(): AwsError | undefined {
    return this.#problem;
  }

  get(id: string): Instance | undefined {
    return this.#known.get(id);
  }

  /** A failure concerns the instances asked for and nobody else: they are asked for again next time. */
  async learn(ids: ReadonlySet<string>, aws: Aws, ctx: Run): Promise<void> {
    const kept = [...this.#known].filter(([id]) => ids.has(id));
    const missing = [...ids].filter((id) => !this.#known.has(id));
    this.#problem = undefined;
    const found =
      missing.length === 0
        ? []
        : await twice(() => aws.instances(missing, callOf(ctx))).catch((error: unknown) => this.#failed(error));
    this.#known = new Map([...kept, ...found]);
  }

  #failed(error: unknown): [] {
    if (!(error instanceof AwsError)) throw error;
    this.#problem = error;
    return [];
  }
}

export const instancesIn = (ctx: Run): Set<string> =>
  new Set([...ctx.cache.each(Node)].flatMap((node) => instanceOf(node) ?? []));

/** Synchronous: what is read and what is decided belong to one moment. */
export function detect(spec: Pick<Spec, 'searchTerms'>, directory: Directory, ctx: Run): Detection {
  const sightings: Sighting[] = [];
  const unresolved: { event: Event; why: string }[] = [];
  for (const event of ctx.cache.each(Event)) {
    if (!matches(spec, event)) continue;
    const found = groupOf(event, directory, ctx);
    if (typeof found === 'string') unresolved.push({ event, why: found });
    else if (found !== undefined) sightings.push(sightingOf(event, found.group));
  }
  const groups = new Map<string, { nodeGroup: string }>();
  for (const id of instancesIn(ctx)) {
    const { group, nodeGroup } = directory.get(id) ?? {};
    if (group !== undefined) groups.set(group, { nodeGroup: nodeGroup ?? group });
  }
  return { sightings, unresolved, groups };
}

/** The group, or why there is none; undefined where there is nothing to find. */
function groupOf({ regarding }: Event, directory: Directory, ctx: Run): { group: string } | string | undefined {
  const pod = ctx.cache.find(Pod, { namespace: regarding?.namespace ?? '', name: regarding?.name ?? '' });
  // A Pod that is gone or was made anew: the Event is about another one.
  if (pod === undefined || pod.metadata.uid !== regarding?.uid) return undefined;
  const node = pod.spec?.nodeName === undefined ? undefined : ctx.cache.find(Node, pod.spec.nodeName);
  if (node === undefined) return 'its Pod is on no Node';
  const id = instanceOf(node);
  if (id === undefined) return `Node ${node.metadata.name} has no AWS provider ID`;
  const instance = directory.get(id);
  if (instance === undefined) return `AWS does not say what ${id} is`;
  return instance.group === undefined ? `${id} is in no Auto Scaling group` : { group: instance.group };
}

function sightingOf(event: Event, group: string): Sighting {
  const { metadata, series, eventTime } = event;
  const [count, first, last] = [event.deprecatedCount, event.deprecatedFirstTimestamp, event.deprecatedLastTimestamp];
  const created = parseTime(metadata.creationTimestamp ?? '') ?? 0;
  const times = [series?.lastObservedTime, last, eventTime].flatMap((time) => parseTime(time ?? '') ?? []);
  return {
    uid: metadata.uid ?? '',
    group,
    count: Math.max(1, count ?? 1, series?.count ?? 1),
    first: parseTime(first ?? '') ?? parseTime(eventTime ?? '') ?? created,
    last: times.length === 0 ? created : Math.max(...times),
    created,
  };
}
