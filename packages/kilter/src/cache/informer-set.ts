import { kindKey, type Kind, type KubeObject, type ManagedFieldsEntry, type NamedRef } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import {
  coversNamespace,
  describeDeclaration,
  isSelective,
  type ResolvedDeclaration,
  scopeIdOf,
} from './declaration.ts';
import type { InformerCore } from './informer-core.ts';
import type { ChangeHandler, Informer, StoredVersion } from './view.ts';

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

/** An index over every informer of a kind, under the name its user gave it. */
export interface DeclaredIndex {
  readonly name: string;
  readonly user: string;
  readonly keys: (object: KubeObject) => readonly string[];
}

/** The informers of one cache, shared by all who declare the same. */
export class InformerSet {
  readonly #options: InformerSetOptions;
  /** By scope: at most one whole and one metadata-only informer each, the whole one first. */
  readonly #scopes = new Map<string, Shared[]>();
  /** The informers of all scopes. Replaced, not changed. */
  #cores: readonly InformerCore[] = [];
  /** By apiVersion and kind: over every informer of whole objects, whoever declared it. */
  readonly #indexes = new Map<string, DeclaredIndex[]>();
  /** Distinguishes the indexes of different users. */
  #leases = 0;

  constructor(options: InformerSetOptions) {
    this.#options = options;
  }

  /** As they are at the call. Before every run they are asked whether all is settled: so the list is at hand. */
  [Symbol.iterator](): ArrayIterator<InformerCore> {
    return this.#cores.values();
  }

  /** Adds an index to all informers of a kind, those to come included: whichever of them answers a read has it. Gives how to take it back. */
  index({ names }: Kind, index: DeclaredIndex): () => void {
    const type = kindKey(names);
    const declared = this.#indexes.get(type) ?? [];
    if (declared.some(({ name, user }) => name === index.name && user === index.user)) {
      throw new KilterError('CACHE_INDEX_EXISTS', `${index.user} declares two indexes ${index.name} of ${names.kind}`);
    }
    this.#indexes.set(type, [...declared, index]);
    for (const core of this.#ofType(type)) if (!core.declaration.metadataOnly) core.indexes.add(index, index.keys);
    return () => {
      const left = (this.#indexes.get(type) ?? []).filter((other) => other !== index);
      this.#indexes.set(type, left);
      for (const core of this.#ofType(type)) core.indexes.drop(index);
    };
  }

  acquire(declaration: ResolvedDeclaration): Lease {
    const shared = this.#find(declaration) ?? this.#create(declaration);
    this.#leases += 1;
    const lease: Lease = new Lease(shared.core, `#${this.#leases}`, () => this.#release(declaration, shared, lease));
    shared.users.add(lease);
    return lease;
  }

  /**
   * Those that together hold whole objects of this kind in the namespace. Without a namespace: in all of them, or in all
   * the operator is configured for. None where a part is not watched: what is not there must not look like NotFound.
   */
  serving(kind: Kind, namespace: string | undefined, metadataOnly = false): readonly InformerCore[] {
    const fitting = this.#ofType(kindKey(kind.names)).filter((core) => metadataOnly || !core.declaration.metadataOnly);
    const covering = fitting.filter(({ declaration }) => coversNamespace(declaration, namespace));
    const complete = covering.filter(({ declaration }) => !isSelective(declaration));
    const [best = complete[0]] = complete.filter(({ declaration }) => !declaration.metadataOnly);
    if (best !== undefined) return [best];
    const { namespaces } = this.#options;
    if (namespace !== undefined || namespaces === undefined) return covering;
    const parts = namespaces.map((each) => this.serving(kind, each, metadataOnly));
    return parts.some((part) => part.length === 0) ? covering : [...new Set([...covering, ...parts.flat()])];
  }

  /** What lets only a part of a kind in, in words; undefined where what is not found is not there. */
  filterOf(informers: readonly InformerCore[]): string | undefined {
    if (informers.length === 0 || informers.some(({ declaration }) => !isSelective(declaration))) return undefined;
    return informers.map(({ declaration }) => describeDeclaration(declaration)).join('; ');
  }

  /** For the error about a kind that cannot be read. */
  declarationsOf(kind: Kind): ResolvedDeclaration[] {
    return this.#ofType(kindKey(kind.names)).map(({ declaration }) => declaration);
  }

  #ofType(type: string): InformerCore[] {
    return [...this].filter(({ declaration: { kind } }) => kindKey(kind.names) === type);
  }

  #addIndexes(core: InformerCore): void {
    const { kind, metadataOnly } = core.declaration;
    if (metadataOnly) return;
    for (const index of this.#indexes.get(kindKey(kind.names)) ?? []) core.indexes.add(index, index.keys);
  }

  #find(declaration: ResolvedDeclaration): Shared | undefined {
    const present = this.#scopes.get(scopeIdOf(declaration)) ?? [];
    // A whole one serves both; one not yet started can still be made whole.
    const whole = present.find(({ core }) => !core.declaration.metadataOnly);
    if (whole !== undefined) return whole;
    if (declaration.metadataOnly) return present[0];
    const promoted = present.find(({ core }) => core.promote());
    if (promoted !== undefined) this.#addIndexes(promoted.core);
    return promoted;
  }

  #create(declaration: ResolvedDeclaration): Shared {
    const shared: Shared = { core: this.#options.create(declaration), users: new Set() };
    this.#addIndexes(shared.core);
    const id = scopeIdOf(declaration);
    this.#scopes.set(id, [...(this.#scopes.get(id) ?? []), shared]);
    this.#collect();
    return shared;
  }

  async #release(declaration: ResolvedDeclaration, shared: Shared, lease: Lease): Promise<void> {
    if (!shared.users.delete(lease) || shared.users.size > 0) return;
    const id = scopeIdOf(declaration);
    const left = (this.#scopes.get(id) ?? []).filter((other) => other !== shared);
    if (left.length === 0) this.#scopes.delete(id);
    else this.#scopes.set(id, left);
    this.#collect();
    await shared.core.stop();
  }

  #collect(): void {
    this.#cores = [...this.#scopes.values()].flatMap((shared) => shared.map(({ core }) => core));
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

  by(index: string, key: string, other?: string): readonly NamedRef[] {
    const user = this.#indexes.has(index) ? this.#id : other;
    return this.core.indexes.by({ name: index, user }, key).map(({ ref }) => ref);
  }

  get(key: string): KubeObject | undefined {
    return this.core.store.get(key)?.decode();
  }

  stored(key: string, number?: number): StoredVersion | undefined {
    return this.core.store.get(key, number);
  }

  has(key: string): boolean {
    return this.core.store.get(key) !== undefined;
  }

  covers(namespace: string | undefined): boolean {
    return coversNamespace(this.core.declaration, namespace);
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
