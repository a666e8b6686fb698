import type { Kind, KubeObject, NamedRef } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import { within } from './bounded-wait.ts';
import { CacheMetrics } from './cache-metrics.ts';
import { StoreView } from './cache-view.ts';
import { CachedClient } from './cached-client.ts';
import { CachedReads } from './cached-reads.ts';
import { changesOf } from './changes.ts';
import { type ResolvedDeclaration, resolveDeclaration } from './declaration.ts';
import { InformerCore, type InformerCoreOptions } from './informer-core.ts';
import { InformerSet, type Lease } from './informer-set.ts';
import { type CacheOptions, type ResolvedCacheOptions, resolveCacheOptions } from './options.ts';
import { Outages } from './outages.ts';
import { syncTimeout } from './read-errors.ts';
import type { CacheIndex, ClientScope, ReaderScope, SharedCache, WatchDeclaration } from './shared-cache.ts';
import { clientSource } from './source.ts';
import type { CacheView, Informer, OperatorCache } from './view.ts';
import { initialPatience } from './watcher-timing.ts';
import { WriteLedger } from './write-ledger.ts';
import { WriteScope } from './write-scope.ts';

/** Informers over one client, shared by everything that runs in one operator. */
export function createCache(options: CacheOptions): SharedCache {
  return new WatchFedCache(resolveCacheOptions(options));
}

class WatchFedCache implements SharedCache {
  readonly #options: ResolvedCacheOptions;
  readonly #informers: InformerSet;
  readonly #ledger: WriteLedger;
  readonly #scope: WriteScope;
  readonly #reads: CachedReads;
  readonly #view: OperatorCache;
  readonly #metrics: CacheMetrics;
  readonly #outages: Outages;
  readonly #life = new AbortController();
  /** Informers that only a read under the policy 'extend' asked for: readiness does not depend on them. */
  readonly #extended = new Set<InformerCore>();
  /** Set by the first start. */
  #started: Promise<void> | undefined;

  constructor(options: ResolvedCacheOptions) {
    this.#options = options;
    const { namespaces } = options;
    this.#outages = new Outages(options.runtime.clock, options.logger, () => this.wake());
    const assertReadable = (): void => this.#assertReadable();
    this.#informers = new InformerSet({ namespaces, create: (declaration) => this.#create(declaration) });
    this.#metrics = new CacheMetrics(options.metrics, () => [...this.#informers].map(({ gauges }) => gauges));
    this.#ledger = new WriteLedger(this.#informers);
    this.#scope = new WriteScope({ informers: this.#informers, kinds: options.kinds, namespaces });
    this.#reads = new CachedReads({
      options,
      informers: this.#informers,
      ledger: this.#ledger,
      metrics: this.#metrics,
      life: this.#life.signal,
      assertReadable,
      extend: (kind, namespace) => this.#extend(kind, namespace),
    });
    const given = { reads: this.#reads, life: this.#life.signal };
    this.#view = Object.assign(this.#storeView({}), {
      changes: ((kind, wanted = {}) => changesOf(kind, wanted, given)) as OperatorCache['changes'],
    });
  }

  get view(): OperatorCache {
    return this.#view;
  }

  get synced(): boolean {
    return this.#started !== undefined && this.#declared().every(({ synced }) => synced);
  }

  informer<T extends KubeObject>(given: WatchDeclaration<T>): Informer<T> {
    this.#life.signal.throwIfAborted();
    const lease = this.#informers.acquire(resolveDeclaration(given, this.#options.namespaces));
    this.#extended.delete(lease.core);
    if (this.#started !== undefined) lease.core.start();
    // The store decodes what the server sent for this kind.
    return lease as unknown as Informer<T>;
  }

  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  wake(): void {
    for (const informer of this.#informers) informer.wake();
  }

  async stop(): Promise<void> {
    this.#life.abort(new KilterError('CACHE_STOPPED', 'the cache was stopped'));
    await Promise.all([...this.#informers].map((informer) => informer.stop()));
  }

  viewFor(scope: ReaderScope): CacheView {
    return this.#storeView(scope);
  }

  #storeView({ namespace = this.#options.defaultNamespace, indexUser }: ReaderScope): StoreView {
    const assertReadable = (): void => this.#assertReadable();
    return new StoreView({ informers: this.#informers, defaultNamespace: namespace, indexUser, assertReadable });
  }

  index<T extends KubeObject>(kind: Kind<T>, index: CacheIndex<T>): () => void {
    // Stores know objects of their kind only.
    return this.#informers.index(kind, index as unknown as CacheIndex);
  }

  client(client: Client, { madeFor, namespace, indexUser, outside }: ClientScope = {}): Client {
    return new CachedClient({
      client,
      reads: this.#reads,
      ledger: this.#ledger,
      scope: this.#scope,
      madeFor,
      indexUser,
      outside,
      ownNamespace: namespace,
      defaultNamespace: namespace ?? this.#options.defaultNamespace,
    });
  }

  unsettled(kind: Kind, key: string): Promise<void> | undefined {
    return this.#reads.unsettled({ kind, key });
  }

  async settled(kind: Kind, key: string): Promise<void> {
    await this.unsettled(kind, key);
  }

  filterOf(kind: Kind, ref: NamedRef): string | undefined {
    return this.#reads.filterOf(kind, ref);
  }

  #declared(): InformerCore[] {
    return [...this.#informers].filter((informer) => !this.#extended.has(informer));
  }

  async #start(): Promise<void> {
    this.#life.signal.throwIfAborted();
    const informers = this.#declared();
    for (const informer of informers) informer.start();
    await this.#inTime(informers);
  }

  synchronized(informers: readonly Informer[]): Promise<void> {
    return this.#inTime(informers.map((informer) => (informer as unknown as Lease).core));
  }

  async #inTime(informers: readonly InformerCore[]): Promise<void> {
    const ms = this.#options.syncTimeout;
    await within(Promise.all(informers.map(({ firstSync }) => firstSync)), {
      clock: this.#options.runtime.clock,
      ms,
      signals: [this.#life.signal],
      expired: () => syncTimeout(informers, ms),
    });
  }

  #create(declaration: ResolvedDeclaration): InformerCore {
    const { client, runtime, logger, ownManager, resync } = this.#options;
    const { kind, labels, fields } = declaration;
    const source: InformerCoreOptions['source'] = (namespace, taken) =>
      clientSource(client, { kind, namespace, labels, fields, ...taken });
    // Time is left for the list that follows.
    const patience = Math.min(initialPatience, this.#options.syncTimeout / 4);
    const told = { logger, metrics: this.#metrics, outages: this.#outages };
    const { kinds } = this.#options;
    const kept = { ...kinds.cutOf(kind), ownManager, resync, verifyEvery: kinds.verifyEvery(kind) };
    return new InformerCore({ declaration, source, runtime, ...told, ...kept, initialPatience: patience });
  }

  #extend(kind: Kind, namespace: string | undefined): void {
    const namespaces = namespace === undefined ? this.#options.namespaces : [namespace];
    const { core } = this.#informers.acquire(resolveDeclaration({ kind, namespaces }));
    this.#extended.add(core);
    core.start();
  }

  #assertReadable(): void {
    this.#life.signal.throwIfAborted();
    if (this.#started === undefined)
      throw new KilterError('CACHE_NOT_STARTED', 'the cache was read before it was started');
  }
}
