import type { JsonObject } from 'kilter/api';
import type { Registry } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { isObject, metadataOf, textIn } from '../values/index.ts';
import { controllerOf, type Meta, type OwnerReference, type Pod } from './workload-objects.ts';

/** Why something is not known, in the words a status repeats. */
export interface Unknown {
  readonly problem: string;
}

interface Scale {
  readonly uid: string;
  readonly replicas: number;
}

function groupOf({ apiVersion }: OwnerReference): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

function replicasOf(object: JsonObject, { scale }: ResourceDefinition): number {
  let value: unknown = object;
  for (const step of (scale?.specReplicasPath ?? '').split('.').filter((one) => one !== ''))
    value = isObject(value) ? value[step] : undefined;
  return typeof value === 'number' ? value : 0;
}

/** The very object an owner reference names. */
function ownerOf(
  registry: Registry,
  resource: ResourceDefinition,
  at: { owner: OwnerReference; namespace: string },
): JsonObject | undefined {
  return registry.peek(resource, at.namespace).find((object) => textIn(metadataOf(object), 'uid') === at.owner.uid);
}

/** The scale of what controls pods; a Deployment stands for its ReplicaSets. Undefined if it is not there. */
function scaleOf(registry: Registry, owner: OwnerReference, namespace: string): Scale | Unknown | undefined {
  const resource = registry.findKind(groupOf(owner), owner.kind);
  if (resource === undefined)
    return { problem: `no matches for kind "${owner.kind}" in version "${owner.apiVersion}"` };
  if (resource.scale === undefined) {
    const name = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
    return { problem: `${name} does not implement the scale subresource` };
  }
  const object = ownerOf(registry, resource, { owner, namespace });
  if (object === undefined) return undefined;
  const above = controllerOf(metadataOf(object) as unknown as Meta);
  if (owner.kind === 'ReplicaSet' && above?.kind === 'Deployment') return scaleOf(registry, above, namespace);
  return { uid: owner.uid, replicas: replicasOf(object, resource) };
}

/** How many pods the controllers of these want together; those that nothing controls do not count. */
export function expectedScale(registry: Registry, pods: readonly Pod[]): number | Unknown {
  const scales = new Map<string, number>();
  const seen = new Set<string>();
  for (const { metadata } of pods) {
    const owner = controllerOf(metadata);
    if (owner === undefined || seen.has(owner.uid)) continue;
    seen.add(owner.uid);
    const scale = scaleOf(registry, owner, metadata.namespace);
    if (scale === undefined) return { problem: `found no controllers for pod "${metadata.name}"` };
    if ('problem' in scale) return scale;
    scales.set(scale.uid, scale.replicas);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}
