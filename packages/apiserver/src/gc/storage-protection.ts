import type { Json, JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { Caller, overtaken } from './caller.ts';
import { type Item, itemOf } from './owner-graph.ts';
import type { Stage } from './stage.ts';

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
};

interface Held {
  readonly resource: ResourceDefinition;
  readonly item: Item;
  readonly object: JsonObject;
  readonly finalizer: string;
}

const fieldOf = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** A pod that was never scheduled, or has ended, holds no claim. */
export function usesClaim(pod: JsonObject, claim: string): boolean {
  const phase = fieldOf(pod['status'], 'phase');
  const scheduled = (fieldOf(pod['spec'], 'nodeName') ?? '') !== '';
  if (!scheduled || phase === 'Succeeded' || phase === 'Failed') return false;
  return listOf(fieldOf(pod['spec'], 'volumes')).some(
    (volume) => fieldOf(fieldOf(volume, 'persistentVolumeClaim'), 'claimName') === claim,
  );
}

class StorageProtection implements Stage {
  readonly #registry: Registry;
  readonly #claims: Caller;
  readonly #volumes: Caller;
  /** Claims and volumes that are marked for deletion and held by their finalizer, by uid. */
  readonly #held = new Map<string, Held>();
  readonly #unsubscribe: () => void;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#claims = new Caller(registry, 'pvc-protection-controller');
    this.#volumes = new Caller(registry, 'pv-protection-controller');
    this.#unsubscribe = registry.onChange((change) => this.#observe(change));
    for (const plural of Object.keys(finalizers)) {
      const resource = registry.find('', 'v1', plural);
      if (resource === undefined) continue;
      for (const object of registry.peek(resource)) this.#observe({ type: 'ADDED', resource, object });
    }
  }

  close(): void {
    this.#unsubscribe();
  }

  next(): (() => Promise<void>) | undefined {
    for (const held of this.#held.values()) if (!this.#inUse(held)) return () => this.#release(held);
    return undefined;
  }

  #observe({ type, resource, object }: StoredChange): void {
    const finalizer = resource.group === '' ? finalizers[resource.plural] : undefined;
    if (finalizer === undefined) return;
    const item = itemOf(resource, object);
    const holds = listOf(fieldOf(object['metadata'], 'finalizers')).includes(finalizer);
    if (type !== 'DELETED' && item.deleting && holds) this.#held.set(item.uid, { resource, item, object, finalizer });
    else this.#held.delete(item.uid);
  }

  #inUse({ resource, item, object }: Held): boolean {
    if (!resource.namespaced) return fieldOf(object['status'], 'phase') === 'Bound';
    const pods = this.#registry.find('', 'v1', 'pods');
    return pods !== undefined && this.#registry.peek(pods, item.namespace).some((pod) => usesClaim(pod, item.name));
  }

  async #release({ resource, item, object, finalizer }: Held): Promise<void> {
    const { namespace, name, uid } = item;
    const left = listOf(fieldOf(object['metadata'], 'finalizers')).filter((one) => one !== finalizer);
    const resourceVersion = fieldOf(object['metadata'], 'resourceVersion') ?? null;
    const caller = resource.namespaced ? this.#claims : this.#volumes;
    const body = { metadata: { uid, resourceVersion, finalizers: left } };
    await overtaken(() => caller.mergePatch({ resource, namespace, name }, body));
  }
}

/** Lets claims and volumes go that are marked for deletion, once nobody uses them. */
export function storageProtection(registry: Registry): Stage {
  return new StorageProtection(registry);
}
