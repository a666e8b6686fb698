// What is read of a Job: a view of stored JSON, already defaulted by the server.
import type { Condition, Meta, PodTemplate } from './workload-objects.ts';

export interface JobStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly completedIndexes?: string;
  readonly uncountedTerminatedPods?: { readonly succeeded?: readonly string[]; readonly failed?: readonly string[] };
  readonly conditions?: readonly Condition[];
}

export interface Job {
  readonly metadata: Meta;
  readonly spec: {
    readonly parallelism?: number;
    readonly completions?: number;
    readonly completionMode?: string;
    readonly backoffLimit?: number;
    readonly activeDeadlineSeconds?: number;
    readonly ttlSecondsAfterFinished?: number;
    readonly suspend?: boolean;
    readonly managedBy?: string;
    readonly podReplacementPolicy?: string;
    readonly template: PodTemplate;
  };
  readonly status?: JobStatus;
}
