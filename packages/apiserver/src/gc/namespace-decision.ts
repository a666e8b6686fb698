import type { JsonObject } from 'kilter/api';
import type { Item } from './owner-graph.ts';

export interface Remaining {
  /** Contents that are not being deleted yet and may be now. */
  readonly toDelete: readonly Item[];
  /** Nothing is left: the namespace may go. */
  readonly empty: boolean;
}

const isPod = ({ resource }: Item): boolean => resource.group === '' && resource.kind === 'Pod';

/** Pods go first and altogether, so that nothing they use is taken from under them (KEP-5080). */
export function remainingOf(contents: readonly Item[]): Remaining {
  const pods = contents.filter(isPod);
  const turn = pods.length > 0 ? pods : contents;
  return { toDelete: turn.filter(({ deleting }) => !deleting), empty: contents.length === 0 };
}

function counted(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function resourceName({ resource: { plural, group } }: Item): string {
  return `${plural}.${group}`;
}

interface Finding {
  readonly type: string;
  readonly holds: boolean;
  readonly reason: string;
  readonly message: string;
}

function findings(contents: readonly Item[]): Finding[] {
  const resources = counted(contents.map(resourceName)).map(([name, n]) => `${name} has ${n} resource instances`);
  const finalizers = counted(contents.flatMap((item) => item.finalizers)).map(
    ([name, n]) => `${name} in ${n} resource instances`,
  );
  return [
    {
      type: 'NamespaceDeletionDiscoveryFailure',
      holds: false,
      reason: 'ResourcesDiscovered',
      message: 'All resources successfully discovered',
    },
    {
      type: 'NamespaceDeletionGroupVersionParsingFailure',
      holds: false,
      reason: 'ParsedGroupVersions',
      message: 'All legacy kube types successfully parsed',
    },
    {
      type: 'NamespaceDeletionContentFailure',
      holds: false,
      reason: 'ContentDeleted',
      message: 'All content successfully deleted, may be waiting on finalization',
    },
    {
      type: 'NamespaceContentRemaining',
      holds: resources.length > 0,
      reason: resources.length > 0 ? 'SomeResourcesRemain' : 'ContentRemoved',
      message:
        resources.length > 0
          ? `Some resources are remaining: ${resources.join(', ')}`
          : 'All content successfully removed',
    },
    {
      type: 'NamespaceFinalizersRemaining',
      holds: finalizers.length > 0,
      reason: finalizers.length > 0 ? 'SomeFinalizersRemain' : 'ContentHasNoFinalizers',
      message:
        finalizers.length > 0
          ? `Some content in the namespace has finalizers remaining: ${finalizers.join(', ')}`
          : 'All content-preserving finalizers finished',
    },
  ];
}

/**
 * Conditions that say what a namespace waits for; a transition time changes only with its status. While pods are there
 * the server looks no further, and says of nothing that it remains.
 */
export function blockedConditions(contents: readonly Item[], old: readonly JsonObject[], now: string): JsonObject[] {
  return findings(contents.some(isPod) ? [] : contents).map(({ type, holds, reason, message }) => {
    const status = holds ? 'True' : 'False';
    const before = old.find((condition) => condition['type'] === type);
    const kept = before?.['status'] === status ? before['lastTransitionTime'] : undefined;
    return { type, status, lastTransitionTime: kept ?? now, reason, message };
  });
}
