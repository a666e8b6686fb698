import type { JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../registry/index.ts';
import { type ServedGroup, type ServedVersion, subresourcesOf, verbsOf } from './groups.ts';

export const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

function resourceEntry(resource: ResourceDefinition): JsonObject {
  const { group, version, kind, plural, singular, namespaced, shortNames, categories } = resource;
  const subresources = subresourcesOf(resource).map((subresource) => ({
    subresource: subresource.name,
    responseKind: { ...(subresource.kind ?? { group, version, kind }) },
    verbs: [...subresource.verbs],
  }));
  return {
    resource: plural,
    responseKind: { group, version, kind },
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
