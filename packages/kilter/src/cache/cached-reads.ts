import { keyOfRef, type Kind, type KubeObject, type NamedRef, type Ref } from '../api/index.ts';
import type { ListOptions, Reader, ReadOptions } from '../client/index.ts';
import type { AwaitedScope } from './awaited-writes.ts';
import { within } from './bounded-wait.ts';
import type { CacheMetrics } from './cache-metrics.ts';
import type { InformerCore } from './informer-core.ts';
import type { InformerSet } from './informer-set.ts';
import type { ResolvedCacheOptions } from './options.ts';
import { answerExpired, syncTimeout, undeclared, waitExpired } from './read-errors.ts';
import type { WriterIdentity } from './shared-cache.ts';
import { listFrom, listQuery, newestOf, resolveNamespace, resolveRef } from './store-reads.ts';
import type { Outstanding, WriteLedger } from './write-ledger.ts';

export interface CachedReadsOptions {
  readonly options: ResolvedCacheOptions;
  readonly informers: InformerSet;
  readonly ledger: WriteLedger;
  readonly metrics: CacheMetrics;
  /** Aborts when the cache stops, with the error reads are to fail with. */
  readonly life: AbortSignal;
  /** Throws where nothing can be read yet, or any more. */
  assertReadable(): void;
  /** Starts an informer for a read, and keeps it. */
  extend(kind: Kind, namespace: string | undefined): void;
}

interface ServeOptions {
  readonly namespace: string | undefined;
  readonly key?: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly metadataOnly: boolean | undefined;
}

/** Reads that wait: for the first sync, and for own writes. */
export class CachedReads {
  readonly #given: CachedReadsOptions;

  constructor(given: CachedReadsOptions) {
    this.#given = given;
  }

  async find<T extends KubeObject>(
    kind: Kind<T>,
    ref: Ref,
    { live, signal, metadataOnly }: ReadOptions<boolean> & { live: Reader },
  ): Promise<T | undefined> {
    const named = resolveRef(kind, ref, this.#given.options.defaultNamespace);
    const key = keyOfRef(named);
    const informers = await this.#serve(kind, { namespace: named.namespace, key, signal, metadataOnly });
    if (informers === undefined)
      return live.find<T, boolean>(kind, named, { signal, metadataOnly }) as Promise<T | undefined>;
    return newestOf(informers, key)?.decode() as T | undefined;
  }

  async list<T extends KubeObject>(
    kind: Kind<T>,
    options: ListOptions<boolean>,
    { live, indexUser }: { live: Reader; indexUser: string | undefined },
  ): Promise<T[]> {
    const query = listQuery(options, indexUser);
    const namespace = resolveNamespace(kind, options.namespace);
    const { signal, metadataOnly } = options;
    const informers = await this.#serve(kind, { namespace, signal, metadataOnly });
    if (informers === undefined) return live.list<T, boolean>(kind, options) as Promise<T[]>;
    return listFrom(informers, query).map((object) => object.decode() as T);
  }

  /** The informers that receive every change there. A kind that is not watched has none. */
  following(kind: Kind, namespace: string | undefined): readonly InformerCore[] {
    this.#given.assertReadable();
    const { informers } = this.#given;
    const followed = this.#declared(kind, { namespace, signal: undefined, metadataOnly: undefined });
    if (followed === undefined) throw undeclared(kind, namespace, informers.declarationsOf(kind));
    return followed;
  }

  /** Why an object that was not found may be there all the same; undefined where it is not. */
  filterOf(kind: Kind, { namespace }: NamedRef, metadataOnly?: boolean): string | undefined {
    const { informers } = this.#given;
    return informers.filterOf(informers.serving(kind, namespace, metadataOnly));
  }

  /**
   * Waits for the writes earlier runs made for a key, those without an answer included; undefined where there are none. Asked before
   * every run, and nearly always there are none, also while others write.
   */
  unsettled(identity: WriterIdentity): Promise<void> | undefined {
    const { ledger, options } = this.#given;
    if (ledger.empty) return undefined;
    const answered = ledger.answered(identity);
    if (answered !== undefined) return this.#settled(identity, answered);
    const outstanding = ledger.outstanding(identity);
    return outstanding.length === 0 ? undefined : this.#arrival(outstanding, { ms: options.waitTimeout });
  }

  async #settled(identity: WriterIdentity, answered: Promise<unknown>): Promise<void> {
    const { ledger, options } = this.#given;
    const { clock } = options.runtime;
    const start = clock.monotonic();
    const expired = (): Error => answerExpired(identity.kind, identity.key, options.waitTimeout);
    await within(answered, { clock, ms: options.waitTimeout, signals: [this.#given.life], expired });
    const spent = clock.monotonic() - start;
    await this.#arrival(ledger.outstanding(identity), { ms: Math.max(0, options.waitTimeout - spent) });
  }

  /** The informers that can answer, with everything in them that must be; undefined: ask the server. */
  async #serve(kind: Kind, wanted: ServeOptions): Promise<readonly InformerCore[] | undefined> {
    const { namespace, key, signal } = wanted;
    this.#given.assertReadable();
    signal?.throwIfAborted();
    const informers = this.#declared(kind, wanted);
    if (informers === undefined) return undefined;
    // Only writes that were answered before this read: later ones must not hold it.
    const outstanding = informers.flatMap((informer) => outstandingOf(informer, { key, namespace }));
    await this.#firstSync(informers, signal);
    await this.#arrival(outstanding, { ms: this.#given.options.waitTimeout, signal });
    return informers;
  }

  #declared(kind: Kind, { namespace, metadataOnly }: ServeOptions): readonly InformerCore[] | undefined {
    const { informers, options } = this.#given;
    const present = informers.serving(kind, namespace, metadataOnly);
    if (present.length > 0) return present;
    switch (options.kinds.policyOf(kind, namespace)) {
      case 'strict':
        throw undeclared(kind, namespace, informers.declarationsOf(kind));
      case 'adhoc':
        return undefined;
      case 'extend':
        this.#given.extend(kind, namespace);
        return informers.serving(kind, namespace);
    }
  }

  async #firstSync(informers: readonly InformerCore[], signal: AbortSignal | undefined): Promise<void> {
    if (informers.every(({ filled }) => filled)) return;
    const { options, life } = this.#given;
    const ms = options.syncTimeout;
    await within(Promise.all(informers.map(({ firstSync }) => firstSync)), {
      clock: options.runtime.clock,
      ms,
      signals: [life, signal],
      expired: () => syncTimeout(informers, ms),
    });
  }

  async #arrival(
    outstanding: readonly Outstanding[],
    { ms, signal }: { ms: number; signal?: AbortSignal | undefined },
  ): Promise<void> {
    const [first] = outstanding;
    if (first === undefined) return;
    const { options, metrics, life } = this.#given;
    metrics.waits.inc({ kind: first.informer.declaration.label });
    const arrivals = outstanding.map(({ write, informer }) => informer.awaited.arrival(write));
    await within(Promise.all(arrivals), {
      clock: options.runtime.clock,
      ms,
      signals: [life, signal],
      expired: () => {
        const late = outstanding.find(({ write, informer }) => informer.awaited.isOutstanding(write)) ?? first;
        metrics.expiries.inc({ kind: late.informer.declaration.label });
        return waitExpired(late, options.waitTimeout);
      },
    });
  }
}

function outstandingOf(informer: InformerCore, scope: AwaitedScope): Outstanding[] {
  return informer.awaited.outstanding(scope).map((write) => ({ write, informer }));
}
