// Kinds, verbs, subresources, deletion: what a request does to the stored objects.
export type { Answer, Call, PatchType, Registry, ServerClock, StoredChange, Verb, WatchEvent } from './call.ts';
export type { PrinterColumn, ResourceDefinition, ScalePaths, Strategy, StrategyContext } from './definition.ts';
