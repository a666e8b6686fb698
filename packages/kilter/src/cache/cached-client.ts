import {
  type FieldsOf,
  type Kind,
  kindLabel,
  knownKind,
  type KubeObject,
  type NamedRef,
  type Ref,
} from '../api/index.ts';
import type {
  ApplyOptions,
  Change,
  Client,
  DeleteOptions,
  DraftFor,
  ListOptions,
  ListPage,
  PageOptions,
  Patch,
  PatchOptions,
  ReadOptions,
  WatchOptions,
} from '../client/index.ts';
import type { CachedReads } from './cached-reads.ts';
import { notFound } from './not-found.ts';
import type { WriterIdentity } from './shared-cache.ts';
import { resolveRef } from './store-reads.ts';
import { labelOf, type Write, type WriteLedger } from './write-ledger.ts';

export interface CachedClientOptions {
  /** What is read live and written goes through it. */
  readonly client: Client;
  readonly reads: CachedReads;
  readonly ledger: WriteLedger;
  readonly madeFor: WriterIdentity | undefined;
  readonly defaultNamespace: string | undefined;
}

const isKind = (value: Kind | KubeObject): value is Kind => 'names' in value;

/** Reads from the cache, writes through another client, and remembers what it wrote. */
export class CachedClient implements Client {
  readonly #options: CachedClientOptions;

  constructor(options: CachedClientOptions) {
    this.#options = options;
  }

  async get<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: ReadOptions): Promise<T> {
    const found = await this.find(kind, ref, options);
    if (found === undefined) throw notFound(kind, resolveRef(kind, ref, this.#options.defaultNamespace));
    return found;
  }

  find<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: ReadOptions): Promise<T | undefined> {
    return this.#options.reads.find(kind, ref, { ...options, live: this.#options.client });
  }

  list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): Promise<T[]> {
    return this.#options.reads.list(kind, options, this.#options.client);
  }

  listPage<T extends KubeObject>(kind: Kind<T>, options?: PageOptions): Promise<ListPage<T>> {
    return this.#options.client.listPage(kind, options);
  }

  each<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): AsyncIterableIterator<T> {
    return this.#options.client.each(kind, options);
  }

  watch<T extends KubeObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterableIterator<Change<T>> {
    return this.#options.client.watch(kind, options);
  }

  create<T extends KubeObject>(object: T, options?: PatchOptions): Promise<T> {
    return this.#write(this.#to(object), options, (client) => client.create(object, options));
  }

  update<T extends KubeObject>(object: T, options?: PatchOptions): Promise<T> {
    return this.#write(this.#to(object), options, (client) => client.update(object, options));
  }

  edit<T extends KubeObject, const S extends string = never>(
    object: T,
    change: (draft: DraftFor<T, S>) => void,
    options?: PatchOptions<S>,
  ): Promise<T> {
    return this.#write(this.#to(object), options, (client) => client.edit(object, change, options));
  }

  patch<T extends KubeObject>(
    kind: Kind<T>,
    ref: Ref,
    ...[patch, options]: [patch: Patch<NoInfer<T>>, options?: PatchOptions]
  ): Promise<T> {
    return this.#write(this.#at(kind, ref), options, (client) => client.patch(kind, ref, patch, options));
  }

  apply<T extends KubeObject>(object: T | FieldsOf<T>, options: ApplyOptions): Promise<T> {
    return this.#write(this.#to(object), options, (client) => client.apply(object, options));
  }

  delete<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: DeleteOptions): Promise<void>;
  delete(object: KubeObject, options?: DeleteOptions): Promise<void>;
  delete(what: Kind | KubeObject, second?: Ref | DeleteOptions, third?: DeleteOptions): Promise<void> {
    if (isKind(what)) {
      const ref = second as Ref;
      const send = (): Promise<void> => this.#options.client.delete(what, ref, third);
      return this.#delete({ ...this.#at(what, ref), uid: undefined }, third, send);
    }
    const options = second as DeleteOptions | undefined;
    const send = (): Promise<void> => this.#options.client.delete(what, options);
    return this.#delete({ ...this.#to(what), uid: what.metadata.uid }, options, send);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#options.client[Symbol.asyncDispose]();
  }

  #write<T extends KubeObject>(
    write: Write,
    options: { dryRun?: boolean | undefined } | undefined,
    send: (client: Client) => Promise<T>,
  ): Promise<T> {
    const { client, ledger } = this.#options;
    return options?.dryRun === true ? send(client) : ledger.write(write, () => send(client));
  }

  #delete(
    write: Write & { readonly uid: string | undefined },
    options: DeleteOptions | undefined,
    send: () => Promise<void>,
  ): Promise<void> {
    return options?.dryRun === true ? send() : this.#options.ledger.delete(write, send);
  }

  #to(object: {
    apiVersion: string;
    kind: string;
    metadata: { name?: string; namespace?: string | undefined };
  }): Write {
    const { name } = object.metadata;
    const clustered = knownKind(object)?.scope === 'Cluster';
    const namespace = clustered ? undefined : (object.metadata.namespace ?? this.#options.defaultNamespace);
    const ref = name === undefined || name === '' ? undefined : { name, namespace };
    return { label: labelOf(object), ref, madeFor: this.#options.madeFor };
  }

  #at(kind: Kind, ref: Ref): Write {
    return { label: kindLabel(kind.names), ref: this.#knownRef(kind, ref), madeFor: this.#options.madeFor };
  }

  /** Undefined where only the client below knows the namespace: what is not known here is not waited for. */
  #knownRef(kind: Kind, ref: Ref): NamedRef | undefined {
    const { defaultNamespace } = this.#options;
    const namespace = typeof ref === 'string' ? undefined : ref.namespace;
    const known = kind.names.scope === 'Cluster' || (namespace ?? defaultNamespace) !== undefined;
    return known ? resolveRef(kind, ref, defaultNamespace) : undefined;
  }
}
