import {
  type FieldsOf,
  keyOfRef,
  type Kind,
  kindLabel,
  knownKind,
  type KubeObject,
  type MetadataOf,
  type NamedRef,
  type Ref,
  type Stored,
} from '../api/index.ts';
import {
  type Access,
  type AccessQuestion,
  type Answered,
  type ApplyOptions,
  type CallOptions,
  type Change,
  type Client,
  type ClientDefaults,
  type DeleteAllOptions,
  type DeleteOptions,
  type Discovery,
  type DraftFor,
  type EachOptions,
  type EvictOptions,
  type ListOptions,
  type ListPage,
  type LogOptions,
  type ManagedClient,
  type PageOptions,
  type Patch,
  type EditOptions,
  type PatchOptions,
  type ReadOptions,
  type Scale,
  type Seen,
  type ServerVersion,
  type ServiceAccountToken,
  type Subresource,
  type SubresourceBody,
  type TokenOptions,
  type Unstructured,
  type WatchOptions,
  type WriteOptions,
  checkOptions,
  namesOf,
} from '../client/index.ts';
import type { CachedReads } from './cached-reads.ts';
import { notFound } from './not-found.ts';
import type { SentWrite, WriterIdentity } from './shared-cache.ts';
import type { WriteScope } from './write-scope.ts';
import { resolveRef, seen } from './store-reads.ts';
import { labelOf, type Write, type WriteLedger } from './write-ledger.ts';

export interface CachedClientOptions {
  /** What is read live and written goes through it. */
  readonly client: Client;
  readonly reads: CachedReads;
  readonly ledger: WriteLedger;
  readonly scope: WriteScope;
  readonly madeFor: WriterIdentity | undefined;
  /** Where objects are that name none, other than for `client`; '' refuses them. Lists are not narrowed to it. */
  readonly ownNamespace?: string | undefined;
  /** The same, or what `client` uses. */
  readonly defaultNamespace: string | undefined;
  /** What this client is not to see of what the cache holds. */
  readonly outside?: ((kind: Kind, key: string) => boolean) | undefined;
  /** Whose indexes are meant where several have one name. */
  readonly indexUser?: string | undefined;
  /** What `with` has said on purpose. */
  readonly defaults?: ClientDefaults | undefined;
}

/** What an object to be written has at least. */
interface Written {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string | undefined };
}

const isKind = (value: Kind | KubeObject): value is Kind =>
  typeof value !== 'object' || value === null || 'names' in value;

const pods: Kind = {
  names: {
    group: '',
    version: 'v1',
    kind: 'Pod',
    plural: 'pods',
    scope: 'Namespaced',
    singular: 'pod',
    listKind: 'PodList',
    shortNames: ['po'],
  },
} as unknown as Kind;

/** Asks for something the cache does not have: a part of an object, or its own version. */
const isForServer = (options: { subresource?: string | undefined; resourceVersion?: string | undefined }): boolean =>
  options.subresource !== undefined || options.resourceVersion !== undefined;

/** The write with its verb, for its observers. */
function as(verb: SentWrite['verb'], write: Write): Write {
  return write.madeFor?.observe === undefined || write.sent === undefined
    ? write
    : { ...write, sent: { ...write.sent, verb } };
}

/** Reads from the cache, writes through another client, and remembers what it wrote. */
export class CachedClient implements Client {
  readonly #options: CachedClientOptions;
  /** Made when it is first needed: most runs write little. */
  #namedClient: Client | undefined;

  constructor(options: CachedClientOptions) {
    this.#options = options;
  }

  /** For single objects: it puts those that name no namespace where they belong. */
  get #named(): Client {
    const { client, ownNamespace } = this.#options;
    this.#namedClient ??= ownNamespace === undefined ? client : client.with({ namespace: ownNamespace });
    return this.#namedClient;
  }

  get discovery(): Discovery {
    return this.#options.client.discovery;
  }

  async get<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    ref: Ref,
    options: ReadOptions<M> = {},
  ): Promise<Seen<T, M>> {
    checkOptions('get', options);
    if (isForServer(options)) return this.#named.get(kind, ref, options);
    const found = await this.find(kind, ref, options);
    if (found !== undefined) return found;
    const { reads, defaultNamespace } = this.#options;
    const named = resolveRef(kind, ref, defaultNamespace);
    throw notFound(kind, named, reads.filterOf(kind, named, options.metadataOnly));
  }

  async find<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    ref: Ref,
    options: ReadOptions<M> = {},
  ): Promise<Seen<T, M> | undefined> {
    checkOptions('find', options);
    const { client, reads, defaultNamespace } = this.#options;
    if (isForServer(options)) return this.#named.find(kind, ref, options);
    const named = resolveRef(kind, ref, defaultNamespace);
    const found = await reads.find(kind, named, { ...options, live: client });
    if (this.#options.outside?.(kind, keyOfRef(named)) === true) return undefined;
    return found === undefined ? undefined : seen(found, options.metadataOnly);
  }

  async list<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    options: ListOptions<M> = {},
  ): Promise<Seen<T, M>[]> {
    checkOptions('list', options);
    const { client, reads, defaults, indexUser } = this.#options;
    if (isForServer(options)) return client.list(kind, options);
    const { namespace = defaults?.namespace } = options;
    const found = await reads.list(kind, { ...options, namespace }, { live: client, indexUser });
    return found.map((object) => seen(object, options.metadataOnly));
  }

  listPage<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    options?: PageOptions<M>,
  ): Promise<ListPage<Seen<T, M>>> {
    return this.#options.client.listPage(kind, options);
  }

  each<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    options?: EachOptions<M>,
  ): AsyncIterableIterator<Seen<T, M>> {
    return this.#options.client.each(kind, options);
  }

  watch<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    options?: WatchOptions<M>,
  ): AsyncIterableIterator<Change<Seen<T, M>>> {
    return this.#options.client.watch(kind, options);
  }

  create<T extends KubeObject>(object: T | Stored<T>, options?: PatchOptions): Promise<Answered<T>> {
    return this.#write(as('create', this.#to(object, options, object)), options, (client) =>
      client.create<T>(object, options),
    );
  }

  update<T extends KubeObject>(object: T | Stored<T>, options?: PatchOptions): Promise<Stored<T>> {
    return this.#write(as('update', this.#to(object, options, object)), options, (client) =>
      client.update<T>(object, options),
    );
  }

  edit<T extends KubeObject, const S extends string = never>(
    object: T | Stored<T>,
    change: (draft: DraftFor<T, S>) => void,
    options?: EditOptions<S>,
  ): Promise<Stored<T>> {
    return this.#write(as('edit', this.#to(object, options)), options, (client) =>
      client.edit<T, S>(object, change, options),
    );
  }

  patch<T extends KubeObject>(
    kind: Kind<T>,
    ref: Ref,
    ...[patch, options]: [patch: Patch<NoInfer<T>>, options?: PatchOptions]
  ): Promise<Stored<T>> {
    const write = as('patch', this.#at(kind, ref, { part: options?.subresource, body: patch }));
    return this.#write(write, options, (client) => client.patch(kind, ref, patch, options));
  }

  apply<T extends KubeObject>(object: T | Stored<T> | FieldsOf<T>, options: ApplyOptions): Promise<Stored<T>> {
    return this.#write(as('apply', this.#to(object, options, object)), options, (client) =>
      client.apply<T>(object, options),
    );
  }

  delete<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: DeleteOptions): Promise<Stored<T> | undefined>;
  delete<T extends KubeObject>(object: T | Stored<T>, options?: DeleteOptions): Promise<Stored<T> | undefined>;
  delete(
    what: Kind | KubeObject,
    second?: Ref | DeleteOptions,
    third?: DeleteOptions,
  ): Promise<KubeObject | undefined> {
    const client = this.#named;
    if (isKind(what)) {
      const ref = second as Ref;
      const uid = third?.preconditions?.uid;
      return this.#delete({ ...this.#at(what, ref), uid }, third, () => client.delete(what, ref, third));
    }
    const options = second as DeleteOptions | undefined;
    const send = (): Promise<KubeObject | undefined> => client.delete(what, options);
    return this.#delete({ ...this.#to(what), uid: what.metadata.uid }, options, send);
  }

  async deleteAll<T extends KubeObject>(kind: Kind<T>, options: DeleteAllOptions): Promise<Stored<MetadataOf<T>>[]> {
    this.#options.scope.check(kind, options.namespace ?? this.#options.defaults?.namespace);
    return this.#options.client.deleteAll(kind, options);
  }

  subresource<T extends KubeObject, const S extends string>(
    kind: Kind<T>,
    ref: Ref,
    name: S,
  ): Subresource<SubresourceBody<T, S>> {
    const part = this.#named.subresource(kind, ref, name);
    const at = (body: unknown): Write => this.#at(kind, ref, { part: name, body });
    return {
      get: (options) => part.get(options),
      create: (body, options) => this.#write(as('create', at(body)), options, () => part.create(body, options)),
      update: (body, options) => this.#write(as('update', at(body)), options, () => part.update(body, options)),
      patch: (patch, options) => this.#write(as('patch', at(patch)), options, () => part.patch(patch, options)),
      apply: (body, options) => this.#write(as('apply', at(body)), options, () => part.apply(body, options)),
    };
  }

  async scale<T extends KubeObject>(
    kind: Kind<T>,
    ref: Ref,
    ...rest: [replicas?: number, options?: WriteOptions]
  ): Promise<Scale> {
    const client = this.#named;
    if (rest.length === 0) return client.scale(kind, ref);
    const [replicas, options] = rest as [number, WriteOptions?];
    const write = as('update', this.#at(kind, ref, { part: 'scale', body: replicas }));
    return this.#write(write, options, () => client.scale(kind, ref, replicas, options));
  }

  async evict(pod: Ref, options?: EvictOptions): Promise<void> {
    const write = { ...this.#at(pods, pod), uid: options?.preconditions?.uid };
    await this.#delete(write, options, async () => {
      await this.#named.evict(pod, options);
      return undefined;
    });
  }

  token(serviceAccount: Ref, options?: TokenOptions): Promise<ServiceAccountToken> {
    return this.#named.token(serviceAccount, options);
  }

  logs(pod: Ref, options?: LogOptions): AsyncIterableIterator<string> {
    return this.#named.logs(pod, options);
  }

  can(question: AccessQuestion, options?: CallOptions): Promise<Access> {
    return this.#options.client.can(question, options);
  }

  kind<T extends KubeObject = Unstructured>(apiVersion: string, kind: string, options?: CallOptions): Promise<Kind<T>> {
    return this.#options.client.kind(apiVersion, kind, options);
  }

  version(options?: CallOptions): Promise<ServerVersion> {
    return this.#options.client.version(options);
  }

  with(defaults: ClientDefaults & { manager: string }): ManagedClient;
  with(defaults: ClientDefaults): Client;
  with(defaults: ClientDefaults): Client {
    const { client, defaultNamespace, ownNamespace, defaults: before } = this.#options;
    // As below: what is not said stays as it was, what is dry stays dry.
    const namespace = defaults.namespace ?? before?.namespace;
    const dryRun = before?.dryRun === true || defaults.dryRun === true;
    return new CachedClient({
      ...this.#options,
      client: client.with(defaults),
      ownNamespace: namespace === undefined ? ownNamespace : undefined,
      defaultNamespace: namespace ?? defaultNamespace,
      defaults: { ...before, ...defaults, namespace, dryRun },
    });
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#options.client[Symbol.asyncDispose]();
  }

  async #write<T extends KubeObject>(
    write: Write,
    options: { dryRun?: boolean | undefined } | undefined,
    send: (client: Client) => Promise<T>,
  ): Promise<T> {
    const { ledger } = this.#options;
    this.#checkScope(write);
    // Who names a namespace needs no client that knows another: one is not made for each run that writes.
    const client = write.named === true ? this.#options.client : this.#named;
    if (this.#isDryRun(options)) return send(client);
    return ledger.write(write, () => this.#observed(write, () => send(client)));
  }

  async #delete(
    write: Write & { readonly uid: string | undefined },
    options: { dryRun?: boolean | undefined } | undefined,
    send: () => Promise<KubeObject | undefined>,
  ): Promise<KubeObject | undefined> {
    this.#checkScope(write);
    return this.#isDryRun(options)
      ? send()
      : this.#options.ledger.delete(write, () => this.#observed(as('delete', write), send));
  }

  #observed<R extends KubeObject | undefined>({ madeFor, sent }: Write, send: () => Promise<R>): Promise<R> {
    return madeFor?.observe === undefined || sent === undefined ? send() : madeFor.observe(sent, send);
  }

  /** A namespace that only the client below knows is its default: the connection's own. */
  #checkScope({ sent, namespace }: Write): void {
    if (sent !== undefined && namespace !== undefined) this.#options.scope.check(sent.kind, namespace);
  }

  #isDryRun(options: { dryRun?: boolean | undefined } | undefined): boolean {
    return options?.dryRun === true || this.#options.defaults?.dryRun === true;
  }

  #to(object: Written, options?: { subresource?: string | undefined }, body?: unknown): Write {
    const { name } = object.metadata;
    const names = knownKind(object);
    const clustered = names?.scope === 'Cluster';
    const namespace = clustered ? undefined : (object.metadata.namespace ?? this.#options.defaultNamespace);
    const ref = name === undefined || name === '' ? undefined : { name, namespace };
    const sent = names === undefined ? undefined : { kind: { names } as Kind, ref, part: options?.subresource, body };
    const named = object.metadata.namespace !== undefined;
    return { label: labelOf(object), ref, namespace, named, madeFor: this.#options.madeFor, sent };
  }

  #at(kind: Kind, ref: Ref, sent: { part?: string | undefined; body?: unknown } = {}): Write {
    const known = this.#knownRef(kind, ref);
    return {
      label: kindLabel(kind.names),
      ref: known,
      namespace: known?.namespace,
      named: typeof ref !== 'string' && ref.namespace !== undefined,
      madeFor: this.#options.madeFor,
      sent: { kind, ref: known, ...sent },
    };
  }

  /** Undefined where only the client below knows the namespace: what is not known here is not waited for. */
  #knownRef(kind: Kind, ref: Ref): NamedRef | undefined {
    const { defaultNamespace } = this.#options;
    const namespace = typeof ref === 'string' ? undefined : (ref as Partial<NamedRef> | undefined)?.namespace;
    const known = namesOf(kind).scope === 'Cluster' || (namespace ?? defaultNamespace ?? '') !== '';
    return known || ref === undefined ? resolveRef(kind, ref, defaultNamespace) : undefined;
  }
}
