import { formatTime, parseTime } from 'kilter/api';
import { limitsOf } from './rolling-update.ts';
import {
  type Condition,
  conditionOf,
  type Deployment,
  type DeploymentStatus,
  type ReplicaSet,
} from './workload-objects.ts';

export interface StatusInput {
  readonly deployment: Deployment;
  readonly current: ReplicaSet | undefined;
  readonly owned: readonly ReplicaSet[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

type Counts = Pick<
  DeploymentStatus,
  'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas' | 'unavailableReplicas'
>;

function total(sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number | undefined): number {
  return sets.reduce((sum, set) => sum + (count(set) ?? 0), 0);
}

function countsOf({ current, owned }: StatusInput): Required<Counts> {
  const availableReplicas = total(owned, ({ status }) => status?.availableReplicas);
  return {
    replicas: total(owned, ({ status }) => status?.replicas),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: total(owned, ({ status }) => status?.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, total(owned, ({ spec }) => spec.replicas) - availableReplicas),
  };
}

/** Zero is not written, as the server's encoder leaves it out; but how many are on their way out is always said. */
function written(counts: Required<Counts>, { owned }: StatusInput): DeploymentStatus {
  return {
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    terminatingReplicas: total(owned, ({ status }) => status?.terminatingReplicas),
  };
}

type Finding = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

function availability({ deployment }: StatusInput, { availableReplicas }: Required<Counts>): Finding {
  const least = deployment.spec.replicas - limitsOf(deployment).unavailable;
  const enough = availableReplicas >= least;
  return {
    type: 'Available',
    status: enough ? 'True' : 'False',
    reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: `Deployment ${enough ? 'has' : 'does not have'} minimum availability.`,
  };
}

function isComplete({ deployment }: StatusInput, counts: Required<Counts>): boolean {
  const { replicas } = deployment.spec;
  return counts.updatedReplicas === replicas && counts.replicas === replicas && counts.availableReplicas === replicas;
}

/** More new pods, fewer old ones, more ready or available ones. */
function hasMoved({ deployment }: StatusInput, counts: Required<Counts>): boolean {
  const before = deployment.status ?? {};
  const old = (status: Counts): number => (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  return (
    counts.updatedReplicas > (before.updatedReplicas ?? 0) ||
    old(counts) < old(before) ||
    counts.readyReplicas > (before.readyReplicas ?? 0) ||
    counts.availableReplicas > (before.availableReplicas ?? 0)
  );
}

const inTime = (reason: string, message: string): Finding => ({ type: 'Progressing', status: 'True', reason, message });

/** When a rollout that does not move is given up. */
function deadlineOf({ deployment }: StatusInput): number | undefined {
  const since = parseTime(conditionOf(deployment.status?.conditions, 'Progressing')?.lastUpdateTime ?? '');
  return since === undefined ? undefined : since + (deployment.spec.progressDeadlineSeconds ?? 600) * 1000;
}

function progress(input: StatusInput, counts: Required<Counts>): Finding | undefined {
  const { deployment, current, now } = input;
  const before = conditionOf(deployment.status?.conditions, 'Progressing');
  if (current === undefined) return before;
  const name = `ReplicaSet "${current.metadata.name}"`;
  if (isComplete(input, counts)) return inTime('NewReplicaSetAvailable', `${name} has successfully progressed.`);
  if (before === undefined) {
    return inTime('NewReplicaSetCreated', `Created new replica set "${current.metadata.name}"`);
  }
  if (before.reason === 'NewReplicaSetAvailable' && before.message?.startsWith(`${name} `)) return before;
  if (hasMoved(input, counts) || before.reason === 'NewReplicaSetAvailable') {
    return inTime('ReplicaSetUpdated', `${name} is progressing.`);
  }
  const late = before.status === 'False' || now >= (deadlineOf(input) ?? Infinity);
  if (!late) return before;
  return {
    type: 'Progressing',
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
    message: `${name} has timed out progressing.`,
  };
}

/** A finding as a condition: its times change only with what it says, or when a rollout has moved. */
function conditionFor(finding: Finding, input: StatusInput, moved: boolean): Condition {
  const { type, status, reason, message } = finding;
  const before = conditionOf(input.deployment.status?.conditions, type);
  const now = formatTime(input.now);
  const same = before?.status === status && before.reason === reason && before.message === message;
  const refresh = moved && type === 'Progressing' && reason === 'ReplicaSetUpdated';
  if (before !== undefined && same && !refresh) return before;
  const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now;
  return { ...finding, lastUpdateTime: now, lastTransitionTime };
}

/** What a deployment's status should be, and when it would change without a change of anything else. */
export function deploymentStatus(input: StatusInput): { status: DeploymentStatus; at: number | undefined } {
  const { deployment, now } = input;
  const counts = countsOf(input);
  const moved = hasMoved(input, counts);
  const findings = [availability(input, counts), progress(input, counts)].filter((finding) => finding !== undefined);
  const conditions = findings.map((finding) => conditionFor(finding, input, moved));
  const { collisionCount } = deployment.status ?? {};
  const status: DeploymentStatus = {
    ...(deployment.metadata.generation !== undefined && { observedGeneration: deployment.metadata.generation }),
    ...written(counts, input),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions,
  };
  const waits = conditionOf(conditions, 'Progressing');
  const deadline = deadlineOf(input);
  const pending = waits?.status === 'True' && waits.reason !== 'NewReplicaSetAvailable' && deadline !== undefined;
  return { status, at: pending && deadline > now ? deadline : undefined };
}
