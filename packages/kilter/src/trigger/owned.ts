import { groupVersionOf, type KindNames, type KubeObject, type NamedRef } from '../api/index.ts';
import { fromBothVersions, isBare, listen, type Listening } from './listen.ts';
import type { PrimaryStore } from './primaries.ts';

export interface OwnedTrigger<K extends KubeObject, T extends KubeObject> extends Listening<K> {
  /** The objects that own. */
  readonly primaries: PrimaryStore<T>;
}

/** The controlling owner of this kind, by group and kind: the version it was written with does not matter. */
export function controllerRef(object: KubeObject, owner: KindNames): NamedRef | undefined {
  const reference = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (reference === undefined || reference.kind !== owner.kind) return undefined;
  if (groupVersionOf(reference.apiVersion).group !== owner.group) return undefined;
  if (owner.scope === 'Cluster') return { name: reference.name };
  const { namespace } = object.metadata;
  // A namespaced owner of a cluster-scoped object is invalid; the garbage collector would say so.
  return namespace === undefined ? undefined : { namespace, name: reference.name };
}

/** Children: wakes the owner, the old one too. Returns how to stop. */
export function connectOwned<K extends KubeObject, T extends KubeObject>(options: OwnedTrigger<K, T>): () => void {
  const { primaries } = options;
  const owner = primaries.kind.names;
  return listen(options, 'owned', (change, report) => {
    // Whose child it was is no longer known; one of these has to notice.
    if (isBare(change)) {
      const { namespace } = change.ref;
      return primaries.refs().filter((ref) => ref.namespace === undefined || ref.namespace === namespace);
    }
    return fromBothVersions(
      change,
      (object) => {
        const ref = controllerRef(object, owner);
        return ref === undefined ? [] : [ref];
      },
      report,
    );
  });
}
