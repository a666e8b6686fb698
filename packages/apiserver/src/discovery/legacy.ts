import type { JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import {
  isForeign,
  type ServedGroup,
  type ServedVersion,
  type Subresource,
  subresourcesOf,
  verbsOf,
} from './groups.ts';
import { storageVersionHash } from './storage-version.ts';

/** `/api`: the versions of the core group. */
export function coreVersions(core: ServedGroup | undefined, host: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: core?.versions.map(({ version }) => version) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: host }],
  };
}

function groupFields({ name, versions }: ServedGroup): JsonObject {
  const listed = versions.map(({ groupVersion, version }) => ({ groupVersion, version }));
  return { name, versions: listed, ...(listed[0] !== undefined && { preferredVersion: listed[0] }) };
}

/** `/apis/<group>` */
export function apiGroup(group: ServedGroup): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupFields(group) };
}

/** `/apis`: every group but core. */
export function apiGroupList(groups: readonly ServedGroup[]): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupFields) };
}

/** The group and version are said where they are not those of the list. */
function spokenKind(resource: ResourceDefinition, kind: NonNullable<Subresource['kind']>): JsonObject {
  return isForeign(resource, kind) ? { ...kind } : { kind: kind.kind };
}

function entriesOf(resource: ResourceDefinition): JsonObject[] {
  const { plural, singular, namespaced, kind, shortNames, categories } = resource;
  const own: JsonObject = { name: plural, singularName: singular, namespaced, kind, verbs: verbsOf(resource) };
  if (shortNames.length > 0) own['shortNames'] = [...shortNames];
  if (categories.length > 0) own['categories'] = [...categories];
  const hash = storageVersionHash(resource);
  if (hash !== undefined) own['storageVersionHash'] = hash;
  const below = subresourcesOf(resource).map((subresource) => ({
    name: `${plural}/${subresource.name}`,
    singularName: '',
    namespaced,
    ...(subresource.kind === undefined ? { kind } : spokenKind(resource, subresource.kind)),
    verbs: [...subresource.verbs],
  }));
  return [own, ...below];
}

/** `/api/v1` and `/apis/<group>/<version>` */
export function apiResourceList({ groupVersion, resources }: ServedVersion): JsonObject {
  // The oldest list of all has no version: clients that expect none still ask for it.
  const version = groupVersion.includes('/') ? { apiVersion: 'v1' } : {};
  return { kind: 'APIResourceList', ...version, groupVersion, resources: resources.flatMap(entriesOf) };
}
