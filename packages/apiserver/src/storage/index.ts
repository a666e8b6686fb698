// Objects at rest: one revision over all kinds, a bounded history, snapshots of the past, compaction.
export type { Stored } from './bucket.ts';
export type { Change } from './history.ts';
export type { SnapshotObject, StorageSnapshot } from './snapshot.ts';
export { Storage, StorageFull, type StorageLimits, type StorageOptions, type StorageUsage } from './storage.ts';
