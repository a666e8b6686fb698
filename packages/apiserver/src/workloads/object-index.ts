import type { StoredChange } from '../calls/index.ts';
import { controllerOf, type Meta } from './workload-objects.ts';

interface Indexed {
  readonly metadata: Meta;
}

/** The stored objects of one built-in kind by uid, and by the owner that manages them. */
export class ObjectIndex<T extends Indexed> {
  readonly #group: string;
  readonly #kind: string;
  readonly #objects = new Map<string, T>();
  /** By controlling owner: exactly the objects of `#objects` it manages; '' holds those nobody manages. */
  readonly #managed = new Map<string, Map<string, T>>();

  constructor(group: string, kind: string) {
    this.#group = group;
    this.#kind = kind;
  }

  /** Takes a change in; undefined if it is of another kind, else the object before (if any) and after. */
  observe({ type, resource, object }: StoredChange): { before: T | undefined; after: T } | undefined {
    if (resource.group !== this.#group || resource.kind !== this.#kind) return undefined;
    const after = object as unknown as T;
    const { uid } = after.metadata;
    const before = this.#objects.get(uid);
    if (before !== undefined) this.#managed.get(managerOf(before))?.delete(uid);
    this.#objects.delete(uid);
    if (type !== 'DELETED') {
      this.#objects.set(uid, after);
      const manager = managerOf(after);
      const managed = this.#managed.get(manager) ?? new Map<string, T>();
      this.#managed.set(manager, managed.set(uid, after));
    }
    this.#forgetEmpty(before);
    return { before, after };
  }

  get(uid: string): T | undefined {
    return this.#objects.get(uid);
  }

  all(): T[] {
    return [...this.#objects.values()];
  }

  /** Those a controlling owner manages, oldest first. */
  managedBy(uid: string): T[] {
    return [...(this.#managed.get(uid)?.values() ?? [])].toSorted(byAge);
  }

  /** Those of a namespace nobody manages, oldest first. */
  orphans(namespace: string): T[] {
    return this.managedBy('').filter(({ metadata }) => metadata.namespace === namespace);
  }

  #forgetEmpty(object: T | undefined): void {
    const manager = object && managerOf(object);
    if (manager !== undefined && this.#managed.get(manager)?.size === 0) this.#managed.delete(manager);
  }
}

function managerOf({ metadata }: Indexed): string {
  return controllerOf(metadata)?.uid ?? '';
}

/** By time of creation, then by name: the order must not depend on the order of changes. */
export function byAge(a: Indexed, b: Indexed): number {
  const [first, second] = [a, b].map(({ metadata }) => `${metadata.creationTimestamp}/${metadata.name}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}
