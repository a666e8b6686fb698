import type { Json, JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { Caller, overtaken } from './caller.ts';
import { type Item, itemOf } from './owner-graph.ts';
import type { Stage } from './stage.ts';

const finalizers: Readonly<Record<string, string>> = {
  '/persistentvolumeclaims': 'kubernetes.io/pvc-protection',
  '/persistentvolumes': 'kubernetes.io/pv-protection',
  'storage.k8s.io/volumeattributesclasses': 'kubernetes.io/vac-protection',
};

const finalizerOf = ({ group, plural }: ResourceDefinition): string | undefined => finalizers[`${group}/${plural}`];

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

/** A volume or a claim has the class, or a claim is on its way to or from it. */
export function usesClass(object: JsonObject, name: string): boolean {
  return (
    fieldOf(object['spec'], 'volumeAttributesClassName') === name ||
    fieldOf(object['status'], 'currentVolumeAttributesClassName') === name ||
    fieldOf(fieldOf(object['status'], 'modifyVolumeStatus'), 'targetVolumeAttributesClassName') === name
  );
}

class StorageProtection implements Stage {
  readonly #registry: Registry;
  /** By plural: each kind has its own controller, and its name shows in managed fields. */
  readonly #callers: Readonly<Record<string, Caller>>;
  /** Claims, volumes and classes that are marked for deletion and held by their finalizer, by uid. */
  readonly #held = new Map<string, Held>();
  readonly #unsubscribe: () => void;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#callers = {
      persistentvolumeclaims: new Caller(registry, 'pvc-protection-controller'),
      persistentvolumes: new Caller(registry, 'pv-protection-controller'),
      volumeattributesclasses: new Caller(registry, 'volumeattributesclass-protection-controller'),
    };
    this.#unsubscribe = registry.onChange((change) => this.#observe(change));
    for (const resource of registry.resources()) {
      if (finalizerOf(resource) === undefined) continue;
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
    const finalizer = finalizerOf(resource);
    if (finalizer === undefined) return;
    const item = itemOf(resource, object);
    const holds = listOf(fieldOf(object['metadata'], 'finalizers')).includes(finalizer);
    if (type !== 'DELETED' && item.deleting && holds) this.#held.set(item.uid, { resource, item, object, finalizer });
    else this.#held.delete(item.uid);
  }

  #inUse({ resource, item, object }: Held): boolean {
    if (resource.group !== '') {
      const users = [...this.#all('persistentvolumes'), ...this.#all('persistentvolumeclaims')];
      return users.some((one) => usesClass(one, item.name));
    }
    if (!resource.namespaced) return fieldOf(object['status'], 'phase') === 'Bound';
    return this.#all('pods', item.namespace).some((pod) => usesClaim(pod, item.name));
  }

  #all(plural: string, namespace?: string): JsonObject[] {
    const resource = this.#registry.find('', 'v1', plural);
    return resource === undefined ? [] : this.#registry.peek(resource, namespace);
  }

  async #release({ resource, item, object, finalizer }: Held): Promise<void> {
    const { namespace, name, uid } = item;
    const left = listOf(fieldOf(object['metadata'], 'finalizers')).filter((one) => one !== finalizer);
    const resourceVersion = fieldOf(object['metadata'], 'resourceVersion') ?? null;
    const caller = this.#callers[resource.plural];
    if (caller === undefined) return;
    const body = { metadata: { uid, resourceVersion, finalizers: left } };
    await overtaken(() => caller.mergePatch({ resource, namespace, name }, body));
  }
}

/** Lets claims, volumes and classes go that are marked for deletion, once nobody uses them. */
export function storageProtection(registry: Registry): Stage {
  return new StorageProtection(registry);
}
