// Watch-fed stores: the watcher state machine, informers, indexes, reads that see own writes.
export { createCache } from './create-cache.ts';
export type { CacheOptions } from './options.ts';
export type { CachePolicy, SharedCache, WatchDeclaration, WriterIdentity } from './shared-cache.ts';
export type { CachedListOptions, CacheView, ChangeHandler, Informer, ObjectChange } from './view.ts';
