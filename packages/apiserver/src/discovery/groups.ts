import type { ResourceDefinition } from '../kinds/index.ts';
import { compareVersions } from './version-order.ts';

export interface ServedVersion {
  readonly version: string;
  /** `apps/v1`, or `v1` in the core group. */
  readonly groupVersion: string;
  readonly resources: readonly ResourceDefinition[];
}

export interface ServedGroup {
  readonly name: string;
  /** The preferred version first. */
  readonly versions: readonly ServedVersion[];
}

/** What is served, by group in order of first appearance, and by version in Kubernetes order. */
export function groupsOf(resources: readonly ResourceDefinition[]): ServedGroup[] {
  const names = [...new Set(resources.map(({ group }) => group))];
  return names.map((name) => {
    const members = resources.filter(({ group }) => group === name);
    const versions = [...new Set(members.map(({ version }) => version))].toSorted(compareVersions);
    return {
      name,
      versions: versions.map((version) => ({
        version,
        groupVersion: name === '' ? version : `${name}/${version}`,
        resources: members.filter((resource) => resource.version === version),
      })),
    };
  });
}

export interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** Set where the subresource speaks another kind than its parent. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string } | undefined;
}

const subresourceVerbs = ['get', 'patch', 'update'] as const;

export const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const;

/** The subresources a resource serves: by name, but of a custom resource status comes first. */
export function subresourcesOf({ hasStatus, scale, custom, strategy }: ResourceDefinition): Subresource[] {
  const { subresourceUpdates = {}, updateOnly = [], actions = {} } = strategy;
  const served = Object.keys(subresourceUpdates).map((name): Subresource => {
    return { name, verbs: updateOnly.includes(name) ? ['update'] : subresourceVerbs, kind: undefined };
  });
  for (const [name, { takes }] of Object.entries(actions)) served.push({ name, verbs: ['create'], kind: takes });
  for (const [name, { kind, verbs }] of Object.entries(strategy.connects ?? {}))
    served.push({ name, verbs, kind: kind === undefined ? undefined : { group: '', version: 'v1', kind } });
  if (scale !== undefined) served.push({ name: 'scale', verbs: subresourceVerbs, kind: scaleKind });
  if (hasStatus) served.push({ name: 'status', verbs: subresourceVerbs, kind: undefined });
  return custom ? served.reverse() : served.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whether a subresource speaks a kind of another group or version: a kind of the same ones is listed without them. */
export function isForeign({ group, version }: ResourceDefinition, kind: NonNullable<Subresource['kind']>): boolean {
  return kind.group !== group || kind.version !== version;
}

const customOrder = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** Custom resources list their verbs in their own order, which clients have come to show. */
export function verbsOf({ custom, verbs }: ResourceDefinition): string[] {
  if (!custom) return [...verbs];
  return verbs.toSorted((a, b) => customOrder.indexOf(a) - customOrder.indexOf(b));
}
