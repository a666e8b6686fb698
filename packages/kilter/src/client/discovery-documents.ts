import { groupVersionOf, type KindNames } from '../api/index.ts';
import type { JsonFields } from './decode.ts';

/** A part of a kind's objects that has its own path. */
export interface DiscoveredSubresource {
  /** As `scale`. */
  readonly name: string;
  /** The kind of its body, as `Scale`. */
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A kind as the server describes it. */
export interface DiscoveredKind extends KindNames {
  /** As `get`, `list`, `deletecollection`. */
  readonly verbs: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly DiscoveredSubresource[];
}

/** A group in one version, and whether what is said about it can be relied on. */
export interface GroupVersion {
  readonly apiVersion: string;
  readonly kinds: readonly DiscoveredKind[];
  /** The server behind it does not answer now. */
  readonly stale: boolean;
}

const isFields = (value: unknown): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): JsonFields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];

/** The form of one document per group and version: `pods` and, beside it, `pods/status`. */
export function resourceListOf(document: JsonFields, apiVersion: string): GroupVersion {
  const entries = listOf(document.resources);
  const own = entries.filter(({ name, kind }) => textOf(kind) !== '' && /^[^/]+$/.test(textOf(name)));
  const kinds = own.map((entry): DiscoveredKind => {
    const kind = textOf(entry.kind);
    const prefix = `${textOf(entry.name)}/`;
    const below = entries.filter(({ name }) => textOf(name).startsWith(prefix));
    return {
      ...groupVersionOf(apiVersion),
      kind,
      plural: textOf(entry.name),
      singular: textOf(entry.singularName) || kind.toLowerCase(),
      listKind: `${kind}List`,
      scope: entry.namespaced === true ? 'Namespaced' : 'Cluster',
      shortNames: textsOf(entry.shortNames),
      categories: textsOf(entry.categories),
      verbs: textsOf(entry.verbs),
      subresources: below.map((part) => ({
        name: textOf(part.name).slice(prefix.length),
        kind: textOf(part.kind),
        verbs: textsOf(part.verbs),
      })),
    };
  });
  return { apiVersion, kinds, stale: false };
}

function aggregatedKind(entry: JsonFields, groupVersion: { group: string; version: string }): DiscoveredKind {
  const kindOf = ({ responseKind }: JsonFields): string => (isFields(responseKind) ? textOf(responseKind.kind) : '');
  const kind = kindOf(entry);
  return {
    ...groupVersion,
    kind,
    plural: textOf(entry.resource),
    singular: textOf(entry.singularResource) || kind.toLowerCase(),
    listKind: `${kind}List`,
    scope: entry.scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    shortNames: textsOf(entry.shortNames),
    categories: textsOf(entry.categories),
    verbs: textsOf(entry.verbs),
    subresources: listOf(entry.subresources).map((part) => ({
      name: textOf(part.subresource),
      kind: kindOf(part),
      verbs: textsOf(part.verbs),
    })),
  };
}

/** The form that says everything at once. */
export function aggregatedOf(document: JsonFields): GroupVersion[] {
  return listOf(document.items).flatMap(({ metadata, versions }) => {
    const group = isFields(metadata) ? textOf(metadata.name) : '';
    return listOf(versions).map((entry) => {
      const version = textOf(entry.version);
      const kinds = listOf(entry.resources).map((resource) => aggregatedKind(resource, { group, version }));
      return {
        apiVersion: group === '' ? version : `${group}/${version}`,
        kinds: kinds.filter(({ kind, plural }) => kind !== '' && plural !== ''),
        stale: entry.freshness === 'Stale',
      };
    });
  });
}

/** What the server answered to `/api` or `/apis`: everything, or the names of what to ask for one by one. */
export type Entrance =
  | { readonly type: 'aggregated'; readonly groups: readonly GroupVersion[] }
  | { readonly type: 'names'; readonly apiVersions: readonly string[] };

export function entranceOf(document: JsonFields): Entrance {
  if (document.kind === 'APIGroupDiscoveryList') return { type: 'aggregated', groups: aggregatedOf(document) };
  const named = listOf(document.groups).flatMap(({ versions }) =>
    listOf(versions).map(({ groupVersion }) => textOf(groupVersion)),
  );
  const apiVersions = [...textsOf(document.versions), ...named].filter((apiVersion) => apiVersion !== '');
  return { type: 'names', apiVersions };
}
