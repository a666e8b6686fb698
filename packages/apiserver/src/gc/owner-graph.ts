import type { Json, JsonObject } from 'kilter/api';
import type { StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { isObject } from '../values/index.ts';
import type { Target } from './caller.ts';

export interface OwnerRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blocks: boolean;
  /** The reference as stored, for writing it back. */
  readonly stored: JsonObject;
}

/** What the collector knows of an object. */
export interface Item extends Target {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly owners: readonly OwnerRef[];
  readonly deleting: boolean;
  readonly finalizers: readonly string[];
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function ownerOf(stored: JsonObject): OwnerRef {
  return {
    apiVersion: textOf(stored['apiVersion']),
    kind: textOf(stored['kind']),
    name: textOf(stored['name']),
    uid: textOf(stored['uid']),
    blocks: stored['blockOwnerDeletion'] === true,
    stored,
  };
}

export function itemOf(resource: ResourceDefinition, object: JsonObject): Item {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const owners = Array.isArray(metadata['ownerReferences']) ? metadata['ownerReferences'] : [];
  const finalizers = Array.isArray(metadata['finalizers']) ? metadata['finalizers'] : [];
  return {
    resource,
    namespace: resource.namespaced ? textOf(metadata['namespace']) : undefined,
    name: textOf(metadata['name']),
    uid: textOf(metadata['uid']),
    resourceVersion: textOf(metadata['resourceVersion']),
    owners: owners.filter(isObject).map(ownerOf),
    deleting: metadata['deletionTimestamp'] !== undefined,
    finalizers: finalizers.map(textOf),
  };
}

/** How many deleted objects are remembered; the dependents of an owner are looked at right after it is gone. */
const maxRemembered = 10_000;

/** All objects by uid, with the way from an owner to its dependents. */
export class OwnerGraph {
  readonly #items = new Map<string, Item>();
  /** By owner: exactly the uids of the known items that refer to it, whether or not it exists. */
  readonly #dependents = new Map<string, Set<string>>();

  /** The objects seen to go, oldest first; at most `maxRemembered`. */
  readonly #gone = new Set<string>();

  /** Whether the object was there and is not any more; the memory is bounded, so that false may mean forgotten. */
  wasDeleted(uid: string): boolean {
    return this.#gone.has(uid);
  }

  find(uid: string): Item | undefined {
    return this.#items.get(uid);
  }

  dependents(uid: string): Item[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((dependent) => this.#items.get(dependent) ?? []);
  }

  /** Takes a change in and names the items that may need something now: itself, its owners, its dependents. */
  observe({ type, resource, object }: StoredChange): string[] {
    const item = itemOf(resource, object);
    const before = this.#items.get(item.uid);
    before?.owners.forEach((owner) => this.#unlink(owner.uid, item.uid));
    if (type === 'DELETED') {
      this.#items.delete(item.uid);
      this.#remember(item.uid);
    } else {
      this.#items.set(item.uid, item);
      item.owners.forEach((owner) => this.#link(owner.uid, item.uid));
    }
    const owners = [...(before?.owners ?? []), ...item.owners].map(({ uid }) => uid);
    return [item.uid, ...owners, ...(this.#dependents.get(item.uid) ?? [])];
  }

  #remember(uid: string): void {
    this.#gone.add(uid);
    if (this.#gone.size <= maxRemembered) return;
    for (const oldest of this.#gone) {
      this.#gone.delete(oldest);
      return;
    }
  }

  #link(owner: string, dependent: string): void {
    const linked = this.#dependents.get(owner);
    if (linked === undefined) this.#dependents.set(owner, new Set([dependent]));
    else linked.add(dependent);
  }

  #unlink(owner: string, dependent: string): void {
    const linked = this.#dependents.get(owner);
    linked?.delete(dependent);
    if (linked?.size === 0) this.#dependents.delete(owner);
  }
}
