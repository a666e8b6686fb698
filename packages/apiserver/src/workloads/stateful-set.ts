// What is read of a StatefulSet: a view of stored JSON, already defaulted by the server.
import type { JsonObject } from 'kilter/api';
import type { LabelSelector, Meta, PodTemplate } from './workload-objects.ts';

export interface StatefulSetStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly collisionCount?: number;
}

export interface StatefulSet {
  readonly metadata: Meta;
  readonly spec: {
    readonly replicas: number;
    readonly serviceName?: string;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly podManagementPolicy?: string;
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly ordinals?: { readonly start?: number };
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
    readonly volumeClaimTemplates?: readonly { readonly metadata: Partial<Meta>; readonly spec: JsonObject }[];
  };
  readonly status?: StatefulSetStatus;
}
