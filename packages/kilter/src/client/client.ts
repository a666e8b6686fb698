import type { Draft, FieldsOf, Kind, KubeObject, MetadataOf, Ref, RequestMeta, Stored } from '../api/index.ts';
import type { AccessQuestion } from './access-question.ts';
import type { Access } from './access-review.ts';
import type { Change, ListPage } from './answers.ts';
import type { Discovery } from './discovery.ts';
import type {
  ApplyOptions,
  CallOptions,
  ClientDefaults,
  DeleteAllOptions,
  DeleteOptions,
  EachOptions,
  EvictOptions,
  ListOptions,
  LogOptions,
  PageOptions,
  EditOptions,
  PatchOptions,
  ReadOptions,
  Seen,
  TokenOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts';
import type { Patch } from './patch.ts';
import type { ServerVersion } from './server-version.ts';
import type { Scale, ServiceAccountToken, SubresourceBody, Unstructured } from './subresource-bodies.ts';

/** With `subresource: 'status'` the draft has a status to write into. */
export type DraftFor<T extends KubeObject, S extends string> = 'status' extends S
  ? Draft<T> & (T extends { status?: infer U } ? { status: NonNullable<U> } : unknown)
  : Draft<T>;

/** What a create is answered with: what is only sent is not stored. */
export type Answered<T extends KubeObject> = T['metadata'] extends RequestMeta ? T : Stored<T>;

/** The read verbs. */
export interface Reader {
  /** Throws `NotFound`. */
  get<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    ref: Ref,
    options?: ReadOptions<M>,
  ): Promise<Seen<T, M>>;
  find<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    ref: Ref,
    options?: ReadOptions<M>,
  ): Promise<Seen<T, M> | undefined>;
  /** Reads all pages into an array. A list that expires in between starts over. */
  list<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    options?: ListOptions<M>,
  ): Promise<Seen<T, M>[]>;
}

/** Every verb returns the server's answer and never changes its argument. */
export interface Writer {
  create<T extends KubeObject>(object: T | Stored<T>, options?: PatchOptions): Promise<Answered<T>>;
  /** Replaces the whole object; with a resourceVersion in it, only if that is still the newest. */
  update<T extends KubeObject>(object: T | Stored<T>, options?: PatchOptions): Promise<Stored<T>>;
  /**
   * Sends what the function changed, locked on the object's resourceVersion; nothing when nothing changed. The function
   * changes the draft, or returns the whole object as it should be. To remove a field, delete it; null is written as null.
   * With `subresource: 'status'` only the status may change. Where `conflict` is `'again'`, the function is called once for each try.
   */
  edit<T extends KubeObject, const S extends string = never>(
    object: T | Stored<T>,
    change: (draft: DraftFor<T, S>) => void,
    options?: EditOptions<S>,
  ): Promise<Stored<T>>;
  /** Sends the patch as it is, without a lock. A plain body is a merge patch. */
  patch<T extends KubeObject>(
    kind: Kind<T>,
    ref: Ref,
    patch: Patch<NoInfer<T>>,
    options?: PatchOptions,
  ): Promise<Stored<T>>;
  /** Server-side apply of a complete object or of the fields made by `Kind.fields(…)`. */
  apply<T extends KubeObject>(object: T | Stored<T> | FieldsOf<T>, options: ApplyOptions): Promise<Stored<T>>;
  // The form with a kind comes first: the last overload is the one an error message shows.
  /** Deletes whatever has that name. The object, while finalizers or its grace period keep it; undefined once it is gone. */
  delete<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: DeleteOptions): Promise<Stored<T> | undefined>;
  /** Deletes this very object: its UID is the precondition. */
  delete<T extends KubeObject>(object: T | Stored<T>, options?: DeleteOptions): Promise<Stored<T> | undefined>;
}

/** A subresource of an object. Its body may be of another kind than the object. */
export interface Subresource<B extends KubeObject> {
  get(options?: CallOptions): Promise<B>;
  /** The name and namespace of the body can be omitted: they are the object's. */
  create(body: BodyOf<B>, options?: WriteOptions): Promise<B>;
  update(body: BodyOf<B>, options?: WriteOptions): Promise<B>;
  patch(patch: Patch<NoInfer<B>>, options?: WriteOptions): Promise<B>;
  apply(body: BodyOf<B>, options: Omit<ApplyOptions, 'subresource'>): Promise<B>;
}
/** A body as it is sent: which object it is about says the call. */
export type BodyOf<B extends KubeObject> = B extends unknown
  ? Omit<B, 'metadata'> & { metadata?: Partial<B['metadata']> | undefined }
  : never;

/** Typed verbs for any kind: reads, writes, patches, subresources, watches. */
export interface Client extends Reader, Writer, AsyncDisposable {
  /** What the server serves; results are cached. */
  readonly discovery: Discovery;
  /** Reads one page. Without a resourceVersion the read is consistent. An expired token throws (`isExpired`). */
  listPage<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    options?: PageOptions<M>,
  ): Promise<ListPage<Seen<T, M>>>;
  /** Yields one object after the other, reading page by page. */
  each<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    options?: EachOptions<M>,
  ): AsyncIterableIterator<Seen<T, M>>;
  /** A raw watch, including bookmarks; prefer the cache. Ends when the server closes it, and throws coded errors. */
  watch<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    options?: WatchOptions<M>,
  ): AsyncIterableIterator<Change<Seen<T, M>>>;
  /** Deletes all selected objects of a kind. Returns the objects whose deletion was requested, as they were before. */
  deleteAll<T extends KubeObject>(kind: Kind<T>, options: DeleteAllOptions): Promise<Stored<MetadataOf<T>>[]>;
  /** A subresource of an object, whose body has its own kind. */
  subresource<T extends KubeObject, const S extends string>(
    kind: Kind<T>,
    ref: Ref,
    name: S,
  ): Subresource<SubresourceBody<T, S>>;
  /** Reads how many replicas are wanted, and how many exist. */
  scale<T extends KubeObject>(kind: Kind<T>, ref: Ref): Promise<Scale>;
  /** Sets how many replicas are wanted. */
  scale<T extends KubeObject>(kind: Kind<T>, ref: Ref, replicas: number, options?: WriteOptions): Promise<Scale>;
  /** Deletes a Pod if its disruption budget allows it; otherwise throws (`isTooManyRequests`). */
  evict(pod: Ref, options?: EvictOptions): Promise<void>;
  /** Issues a token for a service account. */
  token(serviceAccount: Ref, options?: TokenOptions): Promise<ServiceAccountToken>;
  /** The lines of a container's log, oldest first. */
  logs(pod: Ref, options?: LogOptions): AsyncIterableIterator<string>;
  /** Asks whether this client's user may do that. */
  can(question: AccessQuestion, options?: CallOptions): Promise<Access>;
  /** A kind that this program did not import; the server is asked for its plural and scope. */
  kind<T extends KubeObject = Unstructured>(apiVersion: string, kind: string, options?: CallOptions): Promise<Kind<T>>;
  version(options?: CallOptions): Promise<ServerVersion>;
  /** The same client with other defaults. It shares the connection; closing it has no effect. */
  with(defaults: ClientDefaults & { manager: string }): ManagedClient;
  with(defaults: ClientDefaults): Client;
}

/** A client with its own field manager, so applies need not name one. */
export interface ManagedClient extends Client {
  apply<T extends KubeObject>(object: T | Stored<T> | FieldsOf<T>, options?: Partial<ApplyOptions>): Promise<Stored<T>>;
}
