import type { Fields, Kind, KubeObject, Labels, ManagedFieldsEntry, Ref } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import type { CacheView, Informer } from './view.ts';

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

export type CachePolicy = 'strict' | 'adhoc' | 'extend';

/** For whose reconciliation a client writes. */
export interface WriterIdentity {
  readonly kind: Kind;
  readonly key: string;
}

/** Informers shared by all controllers of one operator, with reads that see own writes. */
export interface SharedCache {
  /** Declares a watch; before `start` it is only noted, afterwards it starts at once. */
  informer<T extends KubeObject>(declaration: WatchDeclaration<T>): Informer<T>;
  /** Starts every informer; resolves when all are synced, rejects naming the one that was not in time. */
  start(): Promise<void>;
  /** Closes every watch; nothing of the cache outlives it. */
  stop(): Promise<void>;
  /** Every declared informer is synced. */
  readonly synced: boolean;
  readonly view: CacheView;
  /**
   * Reads from the cache and waits for own writes (bounded); writes through `client` and remembers them. `each`,
   * `listPage` and `watch` ask the server. With `madeFor`, `settled` of that key waits for writes to other objects too.
   */
  client(client: Client, madeFor?: WriterIdentity): Client;
  /** Waits for writes made earlier for this key by this cache's clients (RW-9); bounded. */
  settled(kind: Kind, key: string): Promise<void>;
  /** What Kilter's own field managers own of a cached object; [] where it is not there. */
  managedFieldsOf(kind: Kind, ref: Ref): ManagedFieldsEntry[];
}
