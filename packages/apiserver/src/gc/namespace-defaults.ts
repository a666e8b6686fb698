import type { JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import { Caller, overtaken } from './caller.ts';
import { follow } from './follow.ts';
import { itemOf } from './owner-graph.ts';
import type { Stage } from './stage.ts';
import { clone } from '../values/index.ts';

export interface NamespaceDefaultsOptions {
  /** The certificate authority pods would trust, in PEM; empty unless given. */
  readonly rootCertificate?: string | undefined;
}

const certificateNote =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the ' +
  'internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

interface Wanted {
  readonly plural: string;
  readonly object: JsonObject;
}

class NamespaceDefaults implements Stage {
  readonly #registry: Registry;
  readonly #caller: Caller;
  readonly #wanted: readonly Wanted[];
  /** Namespaces that exist and are not being deleted. */
  readonly #active = new Set<string>();
  /** Active namespaces to look at; a look that finds everything there takes one out. */
  readonly #dirty = new Set<string>();
  readonly #unsubscribe: () => void;

  constructor(registry: Registry, { rootCertificate = '' }: NamespaceDefaultsOptions) {
    this.#registry = registry;
    this.#caller = new Caller(registry, 'service-account-controller');
    this.#wanted = [
      {
        plural: 'serviceaccounts',
        object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
      },
      {
        plural: 'configmaps',
        object: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'kube-root-ca.crt', annotations: { 'kubernetes.io/description': certificateNote } },
          data: { 'ca.crt': rootCertificate },
        },
      },
    ];
    this.#unsubscribe = follow(registry, 'Namespace', (change) => this.#observe(change));
  }

  close(): void {
    this.#unsubscribe();
  }

  next(): (() => Promise<void>) | undefined {
    for (const namespace of this.#dirty) {
      const missing = this.#active.has(namespace) ? this.#missing(namespace) : undefined;
      if (missing !== undefined) return () => this.#create(namespace, missing);
      this.#dirty.delete(namespace);
    }
    return undefined;
  }

  #observe({ type, resource, object }: StoredChange): void {
    const item = itemOf(resource, object);
    if (resource.group !== '') return;
    if (resource.kind === 'Namespace') {
      if (type !== 'DELETED' && !item.deleting) this.#active.add(item.name);
      else this.#active.delete(item.name);
      this.#dirty.add(item.name);
    } else if (type === 'DELETED' && this.#wanted.some(({ plural }) => plural === resource.plural)) {
      this.#dirty.add(item.namespace ?? '');
    }
  }

  #missing(namespace: string): Wanted | undefined {
    return this.#wanted.find(({ plural, object }) => {
      const resource = this.#registry.find('', 'v1', plural);
      if (resource === undefined) return false;
      const { name } = itemOf(resource, object);
      return !this.#registry.peek(resource, namespace).some((one) => itemOf(resource, one).name === name);
    });
  }

  async #create(namespace: string, { plural, object }: Wanted): Promise<void> {
    const resource = this.#registry.find('', 'v1', plural);
    // Last in line again, so that a namespace that refuses does not hold up the others.
    this.#dirty.delete(namespace);
    this.#dirty.add(namespace);
    if (resource === undefined) return;
    await overtaken(() => this.#caller.create({ resource, namespace }, clone(object)));
  }
}

/** Gives every namespace the ServiceAccount `default` and the ConfigMap `kube-root-ca.crt`. */
export function namespaceDefaults(registry: Registry, options: NamespaceDefaultsOptions = {}): Stage {
  return new NamespaceDefaults(registry, options);
}
