// Watch-fed stores: the watcher state machine, informers, indexes, reads that see own writes.
export { createCache } from './create-cache.ts';
export type { CacheOptions } from './options.ts';
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
export type { CachedListOptions, CachedReadOptions, CacheView, ChangeHandler, Informer, ObjectChange } from './view.ts';
