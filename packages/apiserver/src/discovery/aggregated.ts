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

/** What the media type of aggregated discovery says beside its format. */
export const aggregatedParameters = ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Built-in kinds leave it to the client to fill in the group and version the entry stands in. */
function responseKindOf({ group, version, kind, custom }: ResourceDefinition): JsonObject {
  return custom ? { group, version, kind } : { group: '', version: '', kind };
}

function spokenKind(resource: ResourceDefinition, { kind }: Subresource): JsonObject {
  if (kind === undefined) return responseKindOf(resource);
  return isForeign(resource, kind) ? { ...kind } : responseKindOf({ ...resource, kind: kind.kind });
}

function resourceEntry(resource: ResourceDefinition): JsonObject {
  const { plural, singular, namespaced, shortNames, categories } = resource;
  const subresources = subresourcesOf(resource).map((subresource) => ({
    subresource: subresource.name,
    responseKind: spokenKind(resource, subresource),
    verbs: [...subresource.verbs],
  }));
  return {
    resource: plural,
    responseKind: responseKindOf(resource),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: verbsOf(resource),
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(subresources.length > 0 && { subresources }),
  };
}

function versionEntry({ version, resources }: ServedVersion): JsonObject {
  return { version, resources: resources.map(resourceEntry), freshness: 'Current' };
}

/** Everything a client needs to map kinds to paths, in one answer instead of one per group and version. */
export function aggregatedDiscovery(groups: readonly ServedGroup[]): JsonObject {
  const items = groups.map(({ name, versions }) => ({
    metadata: name === '' ? {} : { name },
    versions: versions.map(versionEntry),
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}
