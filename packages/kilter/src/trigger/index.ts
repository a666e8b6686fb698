// Sources, handlers, predicates: from changes to keys with causes.
export { connectEvery, type EveryTrigger } from './every.ts';
export { type IndexDeclaration, type IndexKeys, indexKeys } from './index-keys.ts';
export type { Listening } from './listen.ts';
export {
  declarationOf,
  predicatesOf,
  type ReadsOptions,
  type Seen,
  type TriggerOptions,
  type WatchOptions,
} from './options.ts';
export { connectOwned, type OwnedTrigger } from './owned.ts';
export {
  annotationsChanged,
  anyOf,
  finalizersChanged,
  generationChanged,
  labelsChanged,
  matching,
  type Predicate,
  resourceVersionChanged,
  type Versions,
} from './predicate.ts';
export {
  type Primaries,
  primariesOf,
  type PrimariesOptions,
  type PrimaryIndex,
  type PrimaryStore,
} from './primaries.ts';
export { connectPrimary, type PrimaryTrigger } from './primary.ts';
export { connectReferences, type ReferencesTrigger } from './references.ts';
export { reportOf, type TriggerContext } from './report.ts';
export { StartGate } from './start-gate.ts';
export { connectSource, type SourceTrigger } from './source.ts';
export type { Targets } from './targets.ts';
export { connectWatched, type WatchedTrigger } from './watched.ts';
