// Watch-fed stores: the watcher state machine, informers, indexes, reads that see own writes.
export { cached, checkCachedKinds, type CachedKind, type CachedKindOptions } from './cached-kind.ts';
export { createCache } from './create-cache.ts';
export type { CacheOptions } from './options.ts';
export type { CachePath, KeptFields } from './projection.ts';
export type {
  CacheIndex,
  CachePolicy,
  ClientScope,
  SentWrite,
  SharedCache,
  WatchDeclaration,
  WriteObserver,
  WriterIdentity,
} from './shared-cache.ts';
export type { Transform } from './transform.ts';
export type {
  CacheChange,
  CachedListOptions,
  CachedReadOptions,
  CacheView,
  ChangeHandler,
  ChangesOptions,
  Informer,
  ObjectChange,
  OperatorCache,
  StoredVersion,
} from './view.ts';
