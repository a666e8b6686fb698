// Kinds that are sent and never stored: by their own resource (reviews), or to a subresource (evictions, token requests).
import type { GroupVersionKind, ResourceFact, VersionFacts } from './facts.ts';

export interface RequestPlace {
  readonly kind: string;
  readonly component: string;
  /** The resource it is sent to: its own, or the parent of the subresource. */
  readonly resource: ResourceFact;
  readonly parent: { readonly group: string; readonly version: string };
  /** Undefined where the kind has its own resource. */
  readonly subresource: string | undefined;
}

export function apiVersionOf({ group, version }: { group: string; version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

function speaks(own: GroupVersionKind, kind: GroupVersionKind | undefined): boolean {
  return kind?.group === own.group && kind.version === own.version && kind.kind === own.kind;
}

function placesUnder(parent: VersionFacts, spoken: GroupVersionKind & { component: string }): RequestPlace[] {
  return parent.resources.flatMap((resource) =>
    Object.entries(resource.subresources ?? {})
      .filter(([, { verbs, kind }]) => verbs.includes('create') && speaks(spoken, kind))
      .map(([subresource]) => ({ kind: spoken.kind, component: spoken.component, resource, parent, subresource })),
  );
}

/** The kinds of one version that can be created and not listed, each with the place it is sent to. */
export function requestPlaces(facts: VersionFacts, all: readonly VersionFacts[]): RequestPlace[] {
  const own = facts.resources.filter(({ verbs }) => verbs.includes('create') && !verbs.includes('list'));
  const direct = own.map((resource): RequestPlace => {
    const { kind, component } = resource;
    return { kind, component, resource, parent: facts, subresource: undefined };
  });
  const { group, version } = facts;
  const sent = facts.spoken.map((spoken) => {
    const places = all.flatMap((parent) => placesUnder(parent, { ...spoken, group, version }));
    if (places.length > 1) throw new Error(`${spoken.kind} is sent to ${places.length} places`);
    return places;
  });
  return [...direct, ...sent.flat()];
}
