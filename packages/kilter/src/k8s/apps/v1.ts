// Kinds of the group apps, version v1.
import { type BuiltinKind, kind, type ObjectMeta } from '../../api/index.ts';
import type { PodTemplateSpec } from '../core/v1.ts';
import type { LabelSelector } from '../meta/v1.ts';

export interface Deployment {
  apiVersion: 'apps/v1';
  kind: 'Deployment';
  metadata: ObjectMeta;
  spec?: DeploymentSpec | undefined;
  status?: DeploymentStatus | undefined;
}
export const Deployment: BuiltinKind<Deployment> = /* @__PURE__ */ kind({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
  shortNames: ['deploy'],
});

export interface DeploymentSpec {
  minReadySeconds?: number | undefined;
  paused?: boolean | undefined;
  progressDeadlineSeconds?: number | undefined;
  replicas?: number | undefined;
  revisionHistoryLimit?: number | undefined;
  selector: LabelSelector;
  strategy?: DeploymentStrategy | undefined;
  template: PodTemplateSpec;
}

export interface DeploymentStrategy {
  rollingUpdate?: RollingUpdateDeployment | undefined;
  type?: string | undefined;
}

export interface RollingUpdateDeployment {
  maxSurge?: number | string | undefined;
  maxUnavailable?: number | string | undefined;
}

export interface DeploymentStatus {
  availableReplicas?: number | undefined;
  collisionCount?: number | undefined;
  conditions?: DeploymentCondition[] | undefined;
  observedGeneration?: number | undefined;
  readyReplicas?: number | undefined;
  replicas?: number | undefined;
  terminatingReplicas?: number | undefined;
  unavailableReplicas?: number | undefined;
  updatedReplicas?: number | undefined;
}

export interface DeploymentCondition {
  lastTransitionTime?: string | undefined;
  lastUpdateTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface ReplicaSet {
  apiVersion: 'apps/v1';
  kind: 'ReplicaSet';
  metadata: ObjectMeta;
  spec?: ReplicaSetSpec | undefined;
  status?: ReplicaSetStatus | undefined;
}
export const ReplicaSet: BuiltinKind<ReplicaSet> = /* @__PURE__ */ kind({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  scope: 'Namespaced',
  shortNames: ['rs'],
});

export interface ReplicaSetSpec {
  minReadySeconds?: number | undefined;
  replicas?: number | undefined;
  selector: LabelSelector;
  template?: PodTemplateSpec | undefined;
}

export interface ReplicaSetStatus {
  availableReplicas?: number | undefined;
  conditions?: ReplicaSetCondition[] | undefined;
  fullyLabeledReplicas?: number | undefined;
  observedGeneration?: number | undefined;
  readyReplicas?: number | undefined;
  replicas: number;
  terminatingReplicas?: number | undefined;
}

export interface ReplicaSetCondition {
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}
