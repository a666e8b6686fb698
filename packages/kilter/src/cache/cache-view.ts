import { keyOfRef, type Kind, type KubeObject, type Ref } from '../api/index.ts';
import type { InformerCore } from './informer-core.ts';
import type { InformerSet } from './informer-set.ts';
import { notFound } from './not-found.ts';
import { notSynced, undeclared } from './read-errors.ts';
import { listFrom, listQuery, newestOf, resolveNamespace, resolveRef } from './store-reads.ts';
import type { StoredObject } from './stored-object.ts';
import type { CachedListOptions, CacheView } from './view.ts';

export interface StoreViewOptions {
  readonly informers: InformerSet;
  readonly defaultNamespace: string | undefined;
  /** Throws where nothing can be read yet, or any more. */
  assertReadable(): void;
}

/** The synchronous view: it cannot wait, so what is not there yet is an error and never an empty answer. */
export class StoreView implements CacheView {
  readonly #options: StoreViewOptions;

  constructor(options: StoreViewOptions) {
    this.#options = options;
  }

  get<T extends KubeObject>(kind: Kind<T>, ref: Ref): T {
    const found = this.find(kind, ref);
    if (found === undefined) throw notFound(kind, resolveRef(kind, ref, this.#options.defaultNamespace));
    return found;
  }

  find<T extends KubeObject>(kind: Kind<T>, ref: Ref): T | undefined {
    return this.stored(kind, ref)?.decode() as T | undefined;
  }

  list<T extends KubeObject>(kind: Kind<T>, options: CachedListOptions = {}): T[] {
    return [...this.each(kind, options)];
  }

  each<T extends KubeObject>(kind: Kind<T>, options: CachedListOptions = {}): IterableIterator<T> {
    const query = listQuery(options);
    const informers = this.#serving(kind, resolveNamespace(kind, options.namespace));
    return decoded<T>(listFrom(informers, query));
  }

  stored(kind: Kind, ref: Ref): StoredObject | undefined {
    const named = resolveRef(kind, ref, this.#options.defaultNamespace);
    return newestOf(this.#serving(kind, named.namespace), keyOfRef(named));
  }

  #serving(kind: Kind, namespace: string | undefined): readonly InformerCore[] {
    this.#options.assertReadable();
    const informers = this.#options.informers.serving(kind, namespace);
    if (informers.length === 0) throw undeclared(kind, namespace, this.#options.informers.describe(kind));
    if (informers.some(({ filled }) => !filled)) throw notSynced(informers);
    return informers;
  }
}

function* decoded<T extends KubeObject>(objects: readonly StoredObject[]): Generator<T> {
  for (const object of objects) yield object.decode() as T;
}
