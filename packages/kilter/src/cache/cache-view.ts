import { keyOfRef, type Kind, type KubeObject, type Ref } from '../api/index.ts';
import type { Seen } from '../client/index.ts';
import type { InformerCore } from './informer-core.ts';
import type { InformerSet } from './informer-set.ts';
import { notFound } from './not-found.ts';
import { checkViewOptions } from './option-names.ts';
import { notSynced, undeclared } from './read-errors.ts';
import { listFrom, listQuery, newestOf, resolveNamespace, resolveRef, seen } from './store-reads.ts';
import type { StoredObject } from './stored-object.ts';
import type { CachedListOptions, CachedReadOptions, CacheView } from './view.ts';

export interface StoreViewOptions {
  readonly informers: InformerSet;
  readonly defaultNamespace: string | undefined;
  /** Whose indexes are meant where several have one name. */
  readonly indexUser?: string | undefined;
  /** Throws where nothing can be read yet, or any more. */
  assertReadable(): void;
}

/** The synchronous view: it cannot wait, so what is not there yet is an error and never an empty answer. */
export class StoreView implements CacheView {
  readonly #options: StoreViewOptions;

  constructor(options: StoreViewOptions) {
    this.#options = options;
  }

  get<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    ref: Ref,
    options: CachedReadOptions<M> = {},
  ): Seen<T, M> {
    checkViewOptions('cache.get', options);
    const found = this.#find<T, M>(kind, ref, options);
    if (found !== undefined) return found;
    const named = resolveRef(kind, ref, this.#options.defaultNamespace);
    const informers = this.#serving(kind, named.namespace, options.metadataOnly);
    throw notFound(kind, named, this.#options.informers.filterOf(informers));
  }

  find<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    ref: Ref,
    options: CachedReadOptions<M> = {},
  ): Seen<T, M> | undefined {
    checkViewOptions('cache.find', options);
    return this.#find(kind, ref, options);
  }

  #find<T extends KubeObject, M extends boolean>(
    kind: Kind<T>,
    ref: Ref,
    { metadataOnly }: CachedReadOptions<M>,
  ): Seen<T, M> | undefined {
    const found = this.#stored(kind, ref, metadataOnly)?.decode() as T | undefined;
    return found === undefined ? undefined : seen(found, metadataOnly);
  }

  list<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    options: CachedListOptions<M> = {},
  ): Seen<T, M>[] {
    checkViewOptions('cache.list', options);
    return [...this.#each(kind, options)];
  }

  each<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    options: CachedListOptions<M> = {},
  ): IterableIterator<Seen<T, M>> {
    checkViewOptions('cache.each', options);
    return this.#each(kind, options);
  }

  #each<T extends KubeObject, M extends boolean>(
    kind: Kind<T>,
    { metadataOnly, ...options }: CachedListOptions<M>,
  ): IterableIterator<Seen<T, M>> {
    const query = listQuery(options, this.#options.indexUser);
    const informers = this.#serving(kind, resolveNamespace(kind, options.namespace), metadataOnly);
    return decoded<T, M>(listFrom(informers, query), metadataOnly);
  }

  #stored(kind: Kind, ref: Ref, metadataOnly: boolean | undefined): StoredObject | undefined {
    const named = resolveRef(kind, ref, this.#options.defaultNamespace);
    return newestOf(this.#serving(kind, named.namespace, metadataOnly), keyOfRef(named));
  }

  #serving(kind: Kind, namespace: string | undefined, metadataOnly: boolean | undefined): readonly InformerCore[] {
    this.#options.assertReadable();
    const informers = this.#options.informers.serving(kind, namespace, metadataOnly);
    if (informers.length === 0) throw undeclared(kind, namespace, this.#options.informers.declarationsOf(kind));
    if (informers.some(({ filled }) => !filled)) throw notSynced(informers);
    return informers;
  }
}

function* decoded<T extends KubeObject, M extends boolean>(
  objects: readonly StoredObject[],
  metadataOnly: M | undefined,
): Generator<Seen<T, M>> {
  for (const object of objects) yield seen(object.decode() as T, metadataOnly);
}
