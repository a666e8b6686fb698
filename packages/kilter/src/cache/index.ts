// Watch-fed stores: the watcher state machine, informers, indexes, reads that see own writes.
export type { CachePolicy, SharedCache, WatchDeclaration } from './shared-cache.ts';
export type { CachedListOptions, CacheView, ChangeHandler, Informer, ObjectChange } from './view.ts';
