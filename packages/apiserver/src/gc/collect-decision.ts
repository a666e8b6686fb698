import { groupVersionOf } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import type { Item, OwnerRef } from './owner-graph.ts';

/** What there is to be done about an item: one write, or nothing. */
export type Decision =
  | { readonly type: 'rest' }
  /** An owner of a kind nobody serves: it may turn up with its definition. */
  | { readonly type: 'unknownOwner' }
  | { readonly type: 'dropOwners'; readonly target: Item; readonly uids: readonly string[] }
  | { readonly type: 'unblockOwners'; readonly target: Item }
  | { readonly type: 'dropFinalizer'; readonly target: Item; readonly finalizer: string }
  | { readonly type: 'delete'; readonly target: Item; readonly propagation: 'Background' | 'Foreground' | 'Orphan' };

/** The surroundings of an item. */
export interface Surroundings {
  find(uid: string): Item | undefined;
  dependents(uid: string): readonly Item[];
  /** Seen to go: its kind may be gone with it. */
  wasDeleted(uid: string): boolean;
  findKind(group: string, kind: string): ResourceDefinition | undefined;
}

const foreground = 'foregroundDeletion';
const orphan = 'orphan';

const rest: Decision = { type: 'rest' };

/** Deleted in the foreground: it stays until the dependents that block it are gone. */
function deletesDependents({ deleting, finalizers }: Item): boolean {
  return deleting && finalizers.includes(foreground);
}

type Standing = 'solid' | 'absent' | 'waiting' | 'unknown' | 'unreachable';

/** Whether the referenced owner is the object of that uid: kind, name and place must agree with it. */
function standingOf(item: Item, owner: OwnerRef, around: Surroundings): Standing {
  const { group } = groupVersionOf(owner.apiVersion);
  const resource = around.findKind(group, owner.kind);
  if (resource === undefined) return around.wasDeleted(owner.uid) ? 'absent' : 'unknown';
  if (resource.namespaced && item.namespace === undefined) return 'unreachable';
  const found = around.find(owner.uid);
  const same =
    found?.resource.kind === owner.kind &&
    found.resource.group === group &&
    found.name === owner.name &&
    (found.namespace === undefined || found.namespace === item.namespace);
  if (found === undefined || !same) return 'absent';
  return deletesDependents(found) ? 'waiting' : 'solid';
}

/** References to an object that exists, though in a namespace where the item cannot refer to it. */
export function misplacedOwners(item: Item, around: Surroundings): OwnerRef[] {
  return item.owners.filter((owner) => {
    const found = around.find(owner.uid);
    return found !== undefined && found.namespace !== undefined && found.namespace !== item.namespace;
  });
}

function decideOwner(item: Item, around: Surroundings): Decision {
  const dependents = around.dependents(item.uid);
  if (item.finalizers.includes(orphan)) {
    const [first] = dependents;
    if (first !== undefined) return { type: 'dropOwners', target: first, uids: [item.uid] };
    return { type: 'dropFinalizer', target: item, finalizer: orphan };
  }
  if (!item.finalizers.includes(foreground)) return rest;
  const blocked = dependents.some(({ owners }) => owners.some(({ uid, blocks }) => uid === item.uid && blocks));
  return blocked ? rest : { type: 'dropFinalizer', target: item, finalizer: foreground };
}

/** Two deletions in the foreground that wait for each other would wait for ever. */
function isCircular(item: Item, around: Surroundings): boolean {
  return item.owners.some(({ blocks }) => blocks) && around.dependents(item.uid).some(deletesDependents);
}

function decideDependent(item: Item, around: Surroundings): Decision {
  const standings = item.owners.map((owner) => ({ owner, standing: standingOf(item, owner, around) }));
  const are = (wanted: Standing): OwnerRef[] =>
    standings.filter(({ standing }) => standing === wanted).map(({ owner }) => owner);
  // The real collector gives such an object up as well: no answer to "is the owner gone" can be trusted.
  if (are('unreachable').length > 0) return rest;
  if (are('unknown').length > 0) return { type: 'unknownOwner' };
  const leaving = [...are('absent'), ...are('waiting')];
  if (are('solid').length > 0) {
    return leaving.length === 0 ? rest : { type: 'dropOwners', target: item, uids: leaving.map(({ uid }) => uid) };
  }
  if (are('waiting').length > 0 && around.dependents(item.uid).length > 0) {
    if (isCircular(item, around)) return { type: 'unblockOwners', target: item };
    return { type: 'delete', target: item, propagation: 'Foreground' };
  }
  const honoured = item.finalizers.includes(orphan) ? 'Orphan' : 'Background';
  return {
    type: 'delete',
    target: item,
    propagation: item.finalizers.includes(foreground) ? 'Foreground' : honoured,
  };
}

/** What garbage collection does about one item, given everything around it. */
export function decide(item: Item, around: Surroundings): Decision {
  if (item.deleting) return decideOwner(item, around);
  return item.owners.length === 0 ? rest : decideDependent(item, around);
}
