import type { Registry, StoredChange } from '../calls/index.ts';
import { refusalOf } from './caller.ts';

/** Background work offered one action at a time. */
export interface WorkloadStage {
  /** The next thing to do, one write at the most, or undefined at rest. Asking again without acting gives the same answer. */
  next(): (() => Promise<void>) | undefined;
  /** When there will be something to do without any change before: milliseconds since 1970; undefined for never. */
  dueAt(): number | undefined;
  close(): void;
}

/** What there is to do about one object: a write now, a look later, or nothing. */
export interface Plan {
  readonly act?: () => Promise<void>;
  /** Look again then, if nothing changes before: milliseconds since 1970. */
  readonly at?: number | undefined;
}

export interface Reconciler {
  /** Takes a change in and names the objects it concerns, by uid. */
  observe(change: StoredChange): Iterable<string>;
  plan(uid: string): Plan | undefined;
}

/**
 * Looks at each object that a change concerns until there is nothing to do about it. What a write stores comes back as
 * a change, so a write that stores nothing is not repeated.
 */
class ReconcileStage implements WorkloadStage {
  readonly #registry: Registry;
  readonly #reconciler: Reconciler;
  /** Uids to look at, oldest first. */
  readonly #dirty = new Set<string>();
  /** When to look at an object that nothing changed; an object is here or in `#dirty`, or is at rest. */
  readonly #due = new Map<string, number>();
  readonly #unsubscribe: () => void;

  constructor(registry: Registry, reconciler: Reconciler) {
    this.#registry = registry;
    this.#reconciler = reconciler;
    this.#unsubscribe = registry.onChange((change) => this.#observe(change));
    for (const resource of registry.resources()) {
      if (resource.custom) continue;
      for (const object of registry.peek(resource)) this.#observe({ type: 'ADDED', resource, object });
    }
  }

  close(): void {
    this.#unsubscribe();
  }

  dueAt(): number | undefined {
    let soonest: number | undefined;
    for (const time of this.#due.values()) if (soonest === undefined || time < soonest) soonest = time;
    return soonest;
  }

  next(): (() => Promise<void>) | undefined {
    const now = this.#registry.clock.now();
    for (const [uid, time] of this.#due) if (time <= now) this.#mark(uid);
    for (const uid of this.#dirty) {
      const { act, at } = this.#reconciler.plan(uid) ?? {};
      if (act !== undefined) return () => this.#act(uid, act);
      this.#dirty.delete(uid);
      if (at !== undefined) this.#due.set(uid, at);
    }
    return undefined;
  }

  #observe(change: StoredChange): void {
    for (const uid of this.#reconciler.observe(change)) this.#mark(uid);
  }

  #mark(uid: string): void {
    this.#due.delete(uid);
    this.#dirty.add(uid);
  }

  async #act(uid: string, act: () => Promise<void>): Promise<void> {
    this.#dirty.delete(uid);
    try {
      await act();
    } catch (error) {
      const refusal = refusalOf(error);
      // The change that came between is looked at by itself; nothing more is wanted in a namespace that goes.
      if (refusal === 'terminating' || (refusal === 'overtaken' && this.#dirty.has(uid))) return;
      this.#dirty.add(uid);
      throw error;
    }
  }
}

export function reconcileStage(registry: Registry, reconciler: Reconciler): WorkloadStage {
  return new ReconcileStage(registry, reconciler);
}
