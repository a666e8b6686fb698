import { apiVersionOf, groupVersionOf, type Kind, keyOf, type KubeObject, type OwnerReference } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';

export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** The reference by which an owner controls a child. */
export function controllerReference(owner: KubeObject, kind: Kind): OwnerReference {
  return {
    apiVersion: apiVersionOf(kind.names),
    kind: kind.names.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Same group, kind and name: the version may have moved on, and the UID with a recreated owner. */
function sameOwner(a: OwnerReference, b: OwnerReference): boolean {
  return (
    groupVersionOf(a.apiVersion).group === groupVersionOf(b.apiVersion).group && a.kind === b.kind && a.name === b.name
  );
}

/** The child with its controller reference set; refuses a child that another object controls. */
export function withController<T extends KubeObject>(child: T, reference: OwnerReference): T {
  const others = (child.metadata.ownerReferences ?? []).filter((other) => !sameOwner(other, reference));
  const rival = others.find((other) => other.controller === true);
  if (rival !== undefined) throw ownedByOther(child, rival);
  return { ...child, metadata: { ...child.metadata, ownerReferences: [...others, reference] } };
}

function ownedByOther(child: KubeObject, rival: OwnerReference): KilterError {
  const message = `${child.kind} ${keyOf(child)} is controlled by ${rival.kind} ${rival.name}`;
  return new KilterError('RECONCILE_OWNED_BY_OTHER', message);
}

const clusterScopedCure =
  'apply with `owner: false`, and delete it in a cleanup: Kubernetes does not delete it with its owner';

/** Refuses what the garbage collector would treat as an absent owner and delete. */
export function checkOwnerScope(owner: KubeObject, child: KubeObject): void {
  const namespace = owner.metadata.namespace;
  if (namespace === undefined || namespace === child.metadata.namespace) return;
  const where = child.metadata.namespace === undefined ? 'cluster-scoped' : `in namespace ${child.metadata.namespace}`;
  const message = `${owner.kind} ${keyOf(owner)} cannot own ${child.kind} ${child.metadata.name}, which is ${where}`;
  const isClusterScoped = child.metadata.namespace === undefined;
  throw new KilterError('RECONCILE_OWNER_SCOPE', message, isClusterScoped ? { cure: clusterScopedCure } : {});
}

/** Whether an existing object may become this owner's child. */
export function checkAdoption(existing: KubeObject, reference: OwnerReference, adopt: 'ifOrphan' | 'never'): void {
  const controller = controllerOf(existing);
  if (controller !== undefined) {
    if (!sameOwner(controller, reference)) throw ownedByOther(existing, controller);
    return;
  }
  if (adopt === 'ifOrphan') return;
  throw new KilterError('RECONCILE_ORPHAN_NOT_ADOPTED', `${existing.kind} ${keyOf(existing)} exists without an owner`);
}
