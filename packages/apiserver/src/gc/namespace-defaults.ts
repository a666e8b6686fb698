import type { JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import { Caller, overtaken } from './caller.ts';
import { follow } from './follow.ts';
import { itemOf } from './owner-graph.ts';
import type { Stage } from './stage.ts';
import { clone, isSame, sameValue } from '../values/index.ts';

export interface NamespaceDefaultsOptions {
  /** The certificate authority pods would trust, in PEM: asked for at every look. Empty unless given. */
  readonly rootCertificate?: (() => string) | undefined;
}

const certificateNote =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the ' +
  'internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

interface Wanted {
  readonly plural: string;
  readonly object: JsonObject;
}

const account: Wanted = {
  plural: 'serviceaccounts',
  object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
};

const trusted = (certificate: string): Wanted => ({
  plural: 'configmaps',
  object: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-root-ca.crt', annotations: { 'kubernetes.io/description': certificateNote } },
    data: { 'ca.crt': certificate },
  },
});

class NamespaceDefaults implements Stage {
  readonly #registry: Registry;
  readonly #caller: Caller;
  readonly #rootCertificate: () => string;
  /** What each namespace is to have, with the certificate of the last look. */
  #wanted: readonly Wanted[] = [];
  /** Namespaces that exist and are not being deleted. */
  readonly #active = new Set<string>();
  /** Active namespaces to look at; a look that finds everything there takes one out. */
  readonly #dirty = new Set<string>();
  readonly #unsubscribe: () => void;

  constructor(registry: Registry, { rootCertificate = () => '' }: NamespaceDefaultsOptions) {
    this.#registry = registry;
    this.#caller = new Caller(registry, 'service-account-controller');
    this.#rootCertificate = rootCertificate;
    this.#refresh();
    this.#unsubscribe = follow(registry, 'Namespace', (change) => this.#observe(change));
  }

  close(): void {
    this.#unsubscribe();
  }

  next(): (() => Promise<void>) | undefined {
    this.#refresh();
    for (const namespace of this.#dirty) {
      const missing = this.#active.has(namespace) ? this.#missing(namespace) : undefined;
      if (missing !== undefined) return () => this.#write(namespace, missing);
      this.#dirty.delete(namespace);
    }
    return undefined;
  }

  /** Another certificate is one for every namespace. */
  #refresh(): void {
    const certificate = trusted(this.#rootCertificate());
    if (sameValue(certificate.object, this.#wanted[1]?.object ?? null)) return;
    this.#wanted = [account, certificate];
    for (const namespace of this.#active) this.#dirty.add(namespace);
  }

  #observe({ type, resource, object }: StoredChange): void {
    const item = itemOf(resource, object);
    if (resource.group !== '') return;
    if (resource.kind === 'Namespace') {
      if (type !== 'DELETED' && !item.deleting) this.#active.add(item.name);
      else this.#active.delete(item.name);
      this.#dirty.add(item.name);
    } else if (type !== 'ADDED' && this.#wanted.some(({ plural }) => plural === resource.plural)) {
      this.#dirty.add(item.namespace ?? '');
    }
  }

  #stored(namespace: string, { plural, object }: Wanted): JsonObject | undefined {
    const resource = this.#registry.find('', 'v1', plural);
    if (resource === undefined) return undefined;
    const { name } = itemOf(resource, object);
    return this.#registry.peek(resource, namespace).find((one) => itemOf(resource, one).name === name);
  }

  /** What is not there, or does not hold what it is to hold. */
  #missing(namespace: string): Wanted | undefined {
    return this.#wanted.find((wanted) => {
      if (this.#registry.find('', 'v1', wanted.plural) === undefined) return false;
      const stored = this.#stored(namespace, wanted);
      return stored === undefined || !isSame(stored['data'], wanted.object['data']);
    });
  }

  async #write(namespace: string, wanted: Wanted): Promise<void> {
    const resource = this.#registry.find('', 'v1', wanted.plural);
    // Last in line again, so that a namespace that refuses does not hold up the others.
    this.#dirty.delete(namespace);
    this.#dirty.add(namespace);
    if (resource === undefined) return;
    const object = clone(wanted.object);
    const { name } = itemOf(resource, object);
    const isThere = this.#stored(namespace, wanted) !== undefined;
    await overtaken(() =>
      isThere
        ? this.#caller.update({ resource, namespace, name }, object)
        : this.#caller.create({ resource, namespace }, object),
    );
  }
}

/** Gives every namespace the ServiceAccount `default` and the ConfigMap `kube-root-ca.crt`. */
export function namespaceDefaults(registry: Registry, options: NamespaceDefaultsOptions = {}): Stage {
  return new NamespaceDefaults(registry, options);
}
