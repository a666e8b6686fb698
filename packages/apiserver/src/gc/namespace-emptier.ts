import { isDeepStrictEqual } from 'node:util';
import { formatTime, type Json, type JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { Caller, overtaken } from './caller.ts';
import { follow } from './follow.ts';
import { blockedConditions, remainingOf } from './namespace-decision.ts';
import { type Item, itemOf } from './owner-graph.ts';
import type { Stage } from './stage.ts';

const finalizer = 'kubernetes';

function fieldsOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function finalizersOf(namespace: JsonObject): Json[] {
  const finalizers = fieldsOf(namespace['spec'])['finalizers'];
  return Array.isArray(finalizers) ? finalizers : [];
}

/** Deleted, and waiting for us. */
function waits(namespace: JsonObject): boolean {
  const metadata = fieldsOf(namespace['metadata']);
  return metadata['deletionTimestamp'] !== undefined && finalizersOf(namespace).includes(finalizer);
}

const isNamespace = ({ group, kind }: ResourceDefinition): boolean => group === '' && kind === 'Namespace';

class NamespaceEmptier implements Stage {
  readonly #registry: Registry;
  readonly #caller: Caller;
  /** Every namespace that waits for us, by name, as it is stored. */
  readonly #waiting = new Map<string, { readonly object: JsonObject; readonly resource: ResourceDefinition }>();
  /** Names among `#waiting` that may need something; a look that finds nothing takes one out. */
  readonly #dirty = new Set<string>();
  readonly #unsubscribe: () => void;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#caller = new Caller(registry, 'namespace-controller');
    this.#unsubscribe = follow(registry, 'Namespace', (change) => this.#observe(change));
  }

  close(): void {
    this.#unsubscribe();
  }

  next(): (() => Promise<void>) | undefined {
    for (const name of this.#dirty) {
      const action = this.#actionFor(name);
      if (action !== undefined) return action;
      this.#dirty.delete(name);
    }
    return undefined;
  }

  #observe({ type, resource, object }: StoredChange): void {
    const { name, namespace } = itemOf(resource, object);
    if (isNamespace(resource)) {
      if (type !== 'DELETED' && waits(object)) this.#waiting.set(name, { object, resource });
      else this.#waiting.delete(name);
      this.#dirty.add(name);
    } else if (namespace !== undefined && this.#waiting.has(namespace)) {
      this.#dirty.add(namespace);
    }
  }

  #contents(namespace: string): Item[] {
    const found = new Map<string, Item>();
    // Resources of several versions or groups share their objects: each is counted once.
    for (const resource of this.#registry.resources()) {
      if (!resource.namespaced) continue;
      for (const object of this.#registry.peek(resource, namespace)) {
        const item = itemOf(resource, object);
        if (!found.has(item.uid)) found.set(item.uid, item);
      }
    }
    return [...found.values()];
  }

  #actionFor(name: string): (() => Promise<void>) | undefined {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) return undefined;
    const contents = this.#contents(name);
    const { toDelete, empty } = remainingOf(contents);
    if (empty) return () => this.#attempt(name, () => this.#finalize(name, waiting));
    const [first] = toDelete;
    if (first !== undefined) return () => this.#attempt(name, () => this.#delete(first));
    const status = fieldsOf(waiting.object['status']);
    const old = Array.isArray(status['conditions']) ? status['conditions'].map(fieldsOf) : [];
    const conditions = blockedConditions(contents, old, formatTime(this.#registry.clock.now()));
    if (isDeepStrictEqual(conditions, old)) return undefined;
    const target = { resource: waiting.resource, namespace: undefined, name };
    return () => this.#attempt(name, () => this.#caller.mergePatch(target, { status: { conditions } }, 'status'));
  }

  /** A race lost is looked at again by the change that won it; anything else is tried again later. */
  async #attempt(name: string, write: () => Promise<void>): Promise<void> {
    this.#dirty.delete(name);
    try {
      const refusal = await overtaken(write);
      if (refusal !== undefined && this.#waiting.has(name) && !this.#dirty.has(name)) throw refusal;
    } catch (error) {
      this.#dirty.add(name);
      throw error;
    }
    if (this.#waiting.has(name)) this.#dirty.add(name);
  }

  #delete(item: Item): Promise<void> {
    return this.#caller.delete(item, { propagationPolicy: 'Background', preconditions: { uid: item.uid } });
  }

  async #finalize(
    name: string,
    { object, resource }: { object: JsonObject; resource: ResourceDefinition },
  ): Promise<void> {
    const finalizers = finalizersOf(object).filter((one) => one !== finalizer);
    const changed = { ...object, spec: { ...fieldsOf(object['spec']), finalizers } };
    await this.#caller.update({ resource, namespace: undefined, name }, changed, 'finalize');
  }
}

/** Empties namespaces that are being deleted, and lets them go when nothing is left in them. */
export function namespaceEmptier(registry: Registry): Stage {
  return new NamespaceEmptier(registry);
}
