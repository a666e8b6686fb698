import type { Fields, Kind, KubeObject, Labels, ManagedFieldsEntry, NamedRef, Ref, Stored } from '../api/index.ts';
import type { Seen } from '../client/index.ts';

export interface CachedReadOptions<M extends boolean = false> {
  /** Only metadata: also served by what is declared with `metadataOnly`. Default: false. */
  metadataOnly?: M | undefined;
}

export interface CachedListOptions<M extends boolean = false> extends CachedReadOptions<M> {
  /** Default: all namespaces. */
  namespace?: string | undefined;
  labels?: Labels | undefined;
  /** Terms `path=value`, each with a declared index of that name; `metadata.name` and `metadata.namespace` need none. */
  fields?: Fields | undefined;
  /** At most so many; no more are decoded. Default: all. Which ones is not defined. */
  limit?: number | undefined;
}

/** The stores as they are, synchronously. Every read decodes a private copy. */
export interface CacheView {
  /** Throws as the API would: NotFound. Where only a part of the kind is cached, the error says which. */
  get<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    ref: Ref,
    options?: CachedReadOptions<M>,
  ): Seen<T, M>;
  /** Undefined also for what a selector of the declaration keeps out of the cache: ask `live` where that matters. */
  find<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    ref: Ref,
    options?: CachedReadOptions<M>,
  ): Seen<T, M> | undefined;
  list<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    options?: CachedListOptions<M>,
  ): Seen<T, M>[];
  /** As `list`, decoding one object at a time. */
  each<T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    options?: CachedListOptions<M>,
  ): IterableIterator<Seen<T, M>>;
}

/** One change of one cached object, delivered to handlers in order. */
export interface ObjectChange<T extends KubeObject = KubeObject> {
  readonly type: 'add' | 'update' | 'delete';
  readonly key: string;
  /** That of its key in the store: nobody has to look for what he keeps of it. Below zero where it is gone. */
  readonly number: number;
  readonly ref: NamedRef;
  /** Of a delete: the version of the deletion; '' where it is not known. */
  readonly resourceVersion: string;
  /** Decoded when looked at; undefined for adds, and for deletes of which only the key is known. */
  readonly before: T | undefined;
  /** Decoded when looked at; undefined for deletes. */
  readonly after: T | undefined;
  /** Part of the first list a handler sees. */
  readonly initial: boolean;
  /** Nothing changed: the periodic safety resync. */
  readonly resync: boolean;
  /** A delete found by a re-sync: `before` is the last known state, not the final one. */
  readonly finalStateUnknown: boolean;
}

/** One item of `cache.changes`: what happened to one object since its previous item. */
export interface CacheChange<T extends KubeObject = KubeObject> {
  readonly type: 'add' | 'update' | 'delete';
  readonly ref: NamedRef;
  /** The newest state; for a delete the last known one, undefined if only the key is known. */
  readonly object: T | undefined;
  /** Part of the state at the beginning of the stream. */
  readonly initial: boolean;
}

/** The options of `cache.changes`. */
export interface ChangesOptions {
  /** Default: all that are watched. */
  namespace?: string | undefined;
  /** An object that no longer matches is reported as a delete. Default: all. */
  labels?: Labels | undefined;
  /** Ends the stream with its reason. */
  signal?: AbortSignal | undefined;
}

/** The cache of an operator: its stores as they are, and their changes. */
export interface OperatorCache extends CacheView {
  /**
   * Every object of a kind as an `add`, then its changes. Each caller has its own stream; items it has not read yet are
   * merged per object, so a slow reader sees fewer items and never an old state. Ends when the operator stops.
   */
  changes<T extends KubeObject>(kind: Kind<T>, options?: ChangesOptions): AsyncIterableIterator<CacheChange<Stored<T>>>;
}

/** Synchronous: it must neither wait nor throw. What it throws is logged and counted, and the change is lost to it. */
export type ChangeHandler<T extends KubeObject = KubeObject> = (change: ObjectChange<T>) => void;

/** An object as it was stored at one time, whatever has happened to it since. Every look is a private copy. */
export interface StoredVersion<T extends KubeObject = KubeObject> {
  decode(): T;
}

/** One watched kind, as one of its users sees it. */
export interface Informer<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /** The first complete batch was delivered to every handler. */
  readonly synced: boolean;
  /** The last list or watch error, for read errors and readiness. */
  readonly lastError: { readonly error: unknown; readonly at: number } | undefined;
  /** A handler added late first gets every stored object as an initial add. Returns how to remove it (idempotent). */
  handle(handler: ChangeHandler<T>): () => void;
  /** Adds an index over the objects, those already stored included. Names are this user's own. */
  index(name: string, keys: (object: T) => readonly string[]): void;
  /**
   * References of the objects that have this key in the index: this user's own, then that of `user` (declared by
   * `SharedCache.index`), then the only one of that name.
   */
  by(index: string, key: string, user?: string): readonly NamedRef[];
  /** The object with this key, decoded; undefined for what this declaration does not let in. */
  get(key: string): T | undefined;
  /** The same before it is decoded; found at once with the number that came with the key. */
  stored(key: string, number?: number): StoredVersion<T> | undefined;
  has(key: string): boolean;
  /** Whether objects of this namespace are watched; true for a kind that has none. */
  covers(namespace: string | undefined): boolean;
  /** References of all objects. */
  refs(): readonly NamedRef[];
  /** The objects controlled by this owner UID, decoded. */
  ownedBy(uid: string): T[];
  /** What Kilter's own field managers own of an object; objects handed out carry no managedFields. */
  managedFieldsOf(key: string): ManagedFieldsEntry[];
  /** Takes back handlers and indexes of this user (idempotent); the watch is closed with its last user. */
  release(): Promise<void>;
}
