// Garbage collection, namespaces, storage in use, quotas, the status of policies and of FlowSchemas: background work as stages, and the driver that runs stages.
export { flowStatus } from './flow-status.ts';
export { garbageCollector } from './garbage-collector.ts';
export { namespaceDefaults, type NamespaceDefaultsOptions } from './namespace-defaults.ts';
export { namespaceEmptier } from './namespace-emptier.ts';
export { policyStatus } from './policy-status.ts';
export { quotaCounter } from './quota-counter.ts';
export { type RunningStages, runStages, type RunStagesOptions } from './run-stages.ts';
export type { Stage } from './stage.ts';
export { storageProtection } from './storage-protection.ts';
export { roleAggregation } from './role-aggregation.ts';
