// Workloads: just enough of what makes pods, of pods, nodes, budgets and endpoints, as background work in stages.
export type { PodTimes } from './pod-status.ts';
export type { WorkloadStage } from './reconcile-stage.ts';
export { type WorkloadOptions, workloads } from './workloads.ts';
