// Workloads: just enough Deployment, ReplicaSet, Pod, Node, PodDisruptionBudget and EndpointSlice, as background work in stages.
export type { PodTimes } from './pod-status.ts';
export type { WorkloadStage } from './reconcile-stage.ts';
export { type WorkloadOptions, workloads } from './workloads.ts';
