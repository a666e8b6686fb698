import { apiVersionOf, type Kind, type KubeObject, type ManagedFieldsEntry, type NamedRef } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import {
  coversNamespace,
  describeDeclaration,
  isSelective,
  type ResolvedDeclaration,
  scopeIdOf,
} from './declaration.ts';
import type { InformerCore } from './informer-core.ts';
import type { ChangeHandler, Informer } from './view.ts';

interface Shared {
  readonly core: InformerCore;
  /** Leases that were given out and not released. Never empty while the core is in the set. */
  readonly users: Set<Lease>;
}

export interface InformerSetOptions {
  /** The operator's own; undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  create(declaration: ResolvedDeclaration): InformerCore;
}

/** The informers of one cache, shared by all who declare the same. */
export class InformerSet {
  readonly #options: InformerSetOptions;
  /** By scope: at most one whole and one metadata-only informer each, the whole one first. */
  readonly #scopes = new Map<string, Shared[]>();
  /** Distinguishes the indexes of different users. */
  #leases = 0;

  constructor(options: InformerSetOptions) {
    this.#options = options;
  }

  *[Symbol.iterator](): Generator<InformerCore> {
    for (const shared of this.#scopes.values()) for (const { core } of shared) yield core;
  }

  acquire(declaration: ResolvedDeclaration): Lease {
    const shared = this.#find(declaration) ?? this.#create(declaration);
    this.#leases += 1;
    const lease: Lease = new Lease(shared.core, `${this.#leases}`, () => this.#release(declaration, shared, lease));
    shared.users.add(lease);
    return lease;
  }

  /**
   * Those that together hold whole objects of this kind in the namespace. Without a namespace: in all of them, or in all
   * the operator is configured for. None where a part is not watched: what is not there must not look like NotFound.
   */
  serving(kind: Kind, namespace: string | undefined): readonly InformerCore[] {
    const whole = this.#ofKind(kind).filter(({ declaration }) => !declaration.metadataOnly);
    const covering = whole.filter(({ declaration }) => coversNamespace(declaration, namespace));
    const complete = covering.find(({ declaration }) => !isSelective(declaration));
    if (complete !== undefined) return [complete];
    const { namespaces } = this.#options;
    if (namespace !== undefined || namespaces === undefined) return covering;
    const parts = namespaces.map((each) => this.serving(kind, each));
    return parts.some((part) => part.length === 0) ? covering : [...new Set([...covering, ...parts.flat()])];
  }

  /** For the error about a kind that cannot be read. */
  describe(kind: Kind): string {
    return this.#ofKind(kind)
      .map(({ declaration }) => describeDeclaration(declaration))
      .join('; ');
  }

  #ofKind({ names }: Kind): InformerCore[] {
    const type = `${apiVersionOf(names)}/${names.kind}`;
    return [...this].filter(({ declaration: { kind } }) => `${apiVersionOf(kind.names)}/${kind.names.kind}` === type);
  }

  #find(declaration: ResolvedDeclaration): Shared | undefined {
    const present = this.#scopes.get(scopeIdOf(declaration)) ?? [];
    // A whole one serves both; one not yet started can still be made whole.
    const whole = present.find(({ core }) => !core.declaration.metadataOnly);
    if (whole !== undefined) return whole;
    return present.find(({ core }) => declaration.metadataOnly || core.promote());
  }

  #create(declaration: ResolvedDeclaration): Shared {
    const shared: Shared = { core: this.#options.create(declaration), users: new Set() };
    const id = scopeIdOf(declaration);
    this.#scopes.set(id, [...(this.#scopes.get(id) ?? []), shared]);
    return shared;
  }

  async #release(declaration: ResolvedDeclaration, shared: Shared, lease: Lease): Promise<void> {
    if (!shared.users.delete(lease) || shared.users.size > 0) return;
    const id = scopeIdOf(declaration);
    const left = (this.#scopes.get(id) ?? []).filter((other) => other !== shared);
    if (left.length === 0) this.#scopes.delete(id);
    else this.#scopes.set(id, left);
    await shared.core.stop();
  }
}

/** One user's share of an informer: what it added goes with it. */
export class Lease implements Informer {
  readonly core: InformerCore;
  readonly #id: string;
  readonly #release: () => Promise<void>;
  /** How to take back the handlers of this user. */
  readonly #removals = new Set<() => void>();
  readonly #indexes = new Set<string>();

  constructor(core: InformerCore, id: string, release: () => Promise<void>) {
    this.core = core;
    this.#id = id;
    this.#release = release;
  }

  get kind(): Kind {
    return this.core.declaration.kind;
  }

  get synced(): boolean {
    return this.core.synced;
  }

  get lastError(): { readonly error: unknown; readonly at: number } | undefined {
    return this.core.lastError;
  }

  handle(handler: ChangeHandler): () => void {
    const remove = this.core.handle(handler);
    this.#removals.add(remove);
    return () => {
      this.#removals.delete(remove);
      remove();
    };
  }

  index(name: string, keys: (object: KubeObject) => readonly string[]): void {
    if (this.#indexes.has(name)) {
      throw new KilterError('CACHE_INDEX_EXISTS', `index ${name} of ${this.core.declaration.label} is declared twice`);
    }
    this.#indexes.add(name);
    this.core.indexes.add({ name, user: this.#id }, keys);
  }

  by(index: string, key: string): readonly NamedRef[] {
    const user = this.#indexes.has(index) ? this.#id : undefined;
    return this.core.indexes.by({ name: index, user }, key).map(({ ref }) => ref);
  }

  refs(): readonly NamedRef[] {
    return this.core.store.all().map(({ ref }) => ref);
  }

  ownedBy(uid: string): KubeObject[] {
    return this.core.store.controlledBy(uid).map((object) => object.decode());
  }

  managedFieldsOf(key: string): ManagedFieldsEntry[] {
    return this.core.store.get(key)?.ownFields() ?? [];
  }

  async release(): Promise<void> {
    for (const remove of this.#removals) remove();
    this.#removals.clear();
    for (const name of this.#indexes) this.core.indexes.drop({ name, user: this.#id });
    this.#indexes.clear();
    await this.#release();
  }
}
