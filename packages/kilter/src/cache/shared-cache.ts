import type { Fields, Kind, KubeObject, Labels, NamedRef } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import type { CacheView, Informer, OperatorCache } from './view.ts';

/** What is watched of a kind. Equal declarations share one informer. */
export interface WatchDeclaration<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /** The cache's own unless given; all where neither is. */
  readonly namespaces?: readonly string[] | undefined;
  readonly labels?: Labels | undefined;
  readonly fields?: Fields | undefined;
  /** Keeps apiVersion, kind and metadata alone. Readers of whole objects need a full declaration beside it. */
  readonly metadataOnly?: boolean | undefined;
}

/** What a read of an undeclared kind does. */
export type CachePolicy = 'strict' | 'adhoc' | 'extend';

/** What is sent with a write. */
export interface SentWrite {
  readonly kind: Kind;
  /** Undefined where the server chooses the name. */
  readonly ref: NamedRef | undefined;
  readonly verb?: 'create' | 'update' | 'edit' | 'patch' | 'apply' | 'delete' | undefined;
  /** The subresource, where it is one. */
  readonly part?: string | undefined;
  /** Undefined for a deletion, and where only the client below knows it. */
  readonly body?: unknown;
}

/** Stands around a write: calls `send` once, and answers what it answers. */
export type WriteObserver = <R extends KubeObject | undefined>(write: SentWrite, send: () => Promise<R>) => Promise<R>;

/** For whose reconciliation a client writes. */
export interface WriterIdentity {
  readonly kind: Kind;
  readonly key: string;
  /** Is shown every write that is not a dry run. */
  readonly observe?: WriteObserver | undefined;
}

/** How a reader of the cache sees it. */
export interface ReaderScope {
  /** Where objects are that name no namespace; '' refuses them. Lists are not narrowed. Default: the connection's. */
  readonly namespace?: string | undefined;
  /** Whose indexes are meant where several declared one of a name. Default: the only one of that name. */
  readonly indexUser?: string | undefined;
}

export interface ClientScope extends ReaderScope {
  /** What this client is not to see, though the cache holds it for somebody else. Lists are not narrowed. Default: nothing. */
  readonly outside?: ((kind: Kind, key: string) => boolean) | undefined;
  /** `settled` of that key waits for writes to other objects too. */
  readonly madeFor?: WriterIdentity | undefined;
}

/** An index over all objects of a kind that are cached, for `fields` of cached lists. */
export interface CacheIndex<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly user: string;
  readonly keys: (object: T) => readonly string[];
}

/** Informers shared by all controllers of one operator, with reads that see own writes. */
export interface SharedCache {
  /** Declares a watch; before `start` it is only noted, afterwards it starts at once. */
  informer<T extends KubeObject>(declaration: WatchDeclaration<T>): Informer<T>;
  /** Starts every informer; resolves when all are synced, rejects naming the one that was not in time. */
  start(): Promise<void>;
  /** Resolves when these are synced, within the limit for every informer; rejects naming the one that was not in time. */
  synchronized(informers: readonly Informer[]): Promise<void>;
  /** The server is known to be there: watches that back off because it was not are opened at once. */
  wake(): void;
  /** Closes every watch; nothing of the cache outlives it. */
  stop(): Promise<void>;
  /** Every declared informer is synced. */
  readonly synced: boolean;
  readonly view: OperatorCache;
  viewFor(scope: ReaderScope): CacheView;
  /** Adds an index to whatever holds whole objects of this kind, now or later. Gives how to take it back. */
  index<T extends KubeObject>(kind: Kind<T>, index: CacheIndex<T>): () => void;
  /**
   * Reads from the cache and waits for own writes (bounded); writes through `client` and remembers them. `each`,
   * `listPage` and `watch` ask the server.
   */
  client(client: Client, scope?: ClientScope): Client;
  /** Waits for writes made earlier for this key by this cache's clients (RW-9); bounded. */
  settled(kind: Kind, key: string): Promise<void>;
  /** As `settled`; undefined where there is nothing to wait for. */
  unsettled(kind: Kind, key: string): Promise<void> | undefined;
  /** Which selectors keep objects of this kind out of the cache; undefined where a miss means that it is not there. */
  filterOf(kind: Kind, ref: NamedRef): string | undefined;
}
