import { readiness, type StatusPatch } from 'kilter';
import type { Deployment } from 'kilter/k8s/apps/v1';
import type { WebApp } from './webapp.ts';

/** What happens to a WebApp, in a word for programs and in a sentence for people. */
export interface Phase {
  readonly reason: 'Creating' | 'WaitingForPods' | 'Scaling' | 'Updating' | 'Stuck' | 'Available';
  readonly message: string;
}

type Conditions = NonNullable<StatusPatch<WebApp>['conditions']>;

const readyOf = (app: WebApp) => app.status?.conditions?.find(({ type }) => type === 'Ready');

export const isReady = (app: WebApp): boolean => readyOf(app)?.status === 'True';

export function phaseOf(app: WebApp, deployment: Deployment): Phase {
  const { replicas } = app.spec;
  const available = deployment.status?.availableReplicas ?? 0;
  const counted = `${available} of ${replicas} replicas are available`;
  const { status, message } = readiness(deployment);
  if (status === 'Failed') return { reason: 'Stuck', message: `${counted}; the rollout is stuck: ${message}` };
  if (status === 'Current') return { reason: 'Available', message: counted };
  const before = readyOf(app)?.reason;
  if (before === undefined || before === 'Creating') {
    return available === 0
      ? { reason: 'Creating', message: 'the Deployment and the Service exist; no pod is available yet' }
      : { reason: 'WaitingForPods', message: counted };
  }
  // A change of the spec that is not observed yet: of the number of pods, or of what they run.
  const isNew = app.status?.observedGeneration !== app.metadata.generation;
  if (before === 'Scaling' || (isNew && app.status?.availableReplicas !== replicas)) {
    return { reason: 'Scaling', message: `to ${replicas} replicas: ${counted}` };
  }
  if (before === 'Updating' || isNew) return { reason: 'Updating', message: `every pod is being replaced: ${counted}` };
  return { reason: 'WaitingForPods', message: counted };
}

/** The conditions of a WebApp whose children are as they should be. */
export function conditionsFor(app: WebApp, available: number, phase: Phase): Conditions {
  const ready = phase.reason === 'Available';
  const stuck = phase.reason === 'Stuck';
  const serves = available > 0 || app.spec.replicas === 0;
  return [
    { type: 'Ready', status: ready, ...phase },
    {
      type: 'Available',
      status: serves,
      reason: serves ? 'Serving' : 'NoPods',
      message: serves ? 'requests are served' : 'no pod can serve requests yet',
    },
    { type: 'Progressing', status: !ready && !stuck, ...phase },
    { type: 'Degraded', status: stuck, reason: stuck ? 'Stuck' : 'AsExpected', message: stuck ? phase.message : '' },
  ];
}

/** A run that failed, with the text of the error. */
export function conditionsOfFailure(error: unknown): Conditions {
  const message = error instanceof Error ? error.message : String(error);
  return [
    { type: 'Ready', status: false, reason: 'Failed', message },
    { type: 'Degraded', status: true, reason: 'Failed', message },
  ];
}

export const conditionsOfDeletion: Conditions = [
  { type: 'Ready', status: false, reason: 'Deleting', message: 'its name is being removed from the name server' },
  { type: 'Progressing', status: true, reason: 'Deleting', message: 'its name is being removed from the name server' },
];
