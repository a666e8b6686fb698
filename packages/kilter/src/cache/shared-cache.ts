import type { Fields, Kind, KubeObject, Labels } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import type { CacheView, Informer } from './view.ts';

/** What is watched of a kind. Equal declarations share one informer. */
export interface WatchDeclaration<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /** All unless given; the operator's own unless given. */
  readonly namespaces?: readonly string[] | undefined;
  readonly labels?: Labels | undefined;
  readonly fields?: Fields | undefined;
  readonly metadataOnly?: boolean | undefined;
}

export type CachePolicy = 'strict' | 'adhoc' | 'extend';

/** Informers shared by all controllers of one operator, with reads that see own writes. */
export interface SharedCache {
  /** Declares a watch; before `start` it is only noted, afterwards it starts at once. */
  informer<T extends KubeObject>(declaration: WatchDeclaration<T>): Informer<T>;
  /** Starts every informer; resolves when all are synced, rejects naming the one that was not in time. */
  start(): Promise<void>;
  /** Closes every watch; nothing of the cache outlives it. */
  stop(): Promise<void>;
  readonly synced: boolean;
  readonly view: CacheView;
  /** Reads from the cache and waits for own writes (bounded); writes through `client` and remembers them. */
  client(client: Client): Client;
  /** Waits for writes made earlier for this key by this cache's clients (RW-9); bounded. */
  settled(kind: Kind, key: string): Promise<void>;
}
