import { parseTime } from '../api/index.ts';
import { current, failed, inProgress, type Look, type Readiness, type Rule } from './readiness-look.ts';

/** How far one count is behind another, as the first rule that finds it says. */
type Behind = readonly [isBehind: boolean, reason: string, message: string];

function firstBehind(rows: readonly Behind[]): Readiness | undefined {
  const found = rows.find(([isBehind]) => isBehind);
  return found && inProgress(found[1], found[2]);
}

/** The controller says this and no more where the spec names no deadline. */
const noDeadline = 2_147_483_647;

function deployment(look: Look): Readiness {
  const late = look.conditions.find(
    ({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded',
  );
  if (late !== undefined) return failed(late.reason, late.message || 'progress deadline exceeded');
  const wanted = look.number('spec.replicas', 1);
  const [total, updated, ready, available] = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'].map(
    (name) => look.number(`status.${name}`, 0),
  ) as [number, number, number, number];
  const progressed =
    look.number('spec.progressDeadlineSeconds', noDeadline) === noDeadline ||
    look.condition('Progressing', 'True')?.reason === 'NewReplicaSetAvailable';
  return (
    firstBehind([
      [wanted > total, 'LessReplicas', `${total} of ${wanted} replicas exist`],
      [wanted > updated, 'LessUpdated', `${updated} of ${wanted} replicas are updated`],
      [total > wanted, 'ExtraPods', `${total - wanted} surplus replicas still exist`],
      [updated > available, 'LessAvailable', `${available} of ${updated} replicas are available`],
      [wanted > ready, 'LessReady', `${ready} of ${wanted} replicas are ready`],
      [!progressed, 'ReplicaSetNotAvailable', 'the new ReplicaSet is not available'],
      [look.condition('Available', 'True') === undefined, 'DeploymentNotAvailable', 'the Deployment is not available'],
    ]) ?? current('Available', `${wanted} of ${wanted} replicas are available`)
  );
}

function replicaSet(look: Look): Readiness {
  const failure = look.condition('ReplicaFailure', 'True');
  if (failure !== undefined) return inProgress('ReplicaFailure', failure.message);
  const wanted = look.number('spec.replicas', 1);
  const count = (name: string): number => look.number(`status.${name}`, 0);
  return (
    firstBehind([
      [wanted > count('fullyLabeledReplicas'), 'LessLabelled', `fewer than ${wanted} replicas have the labels`],
      [wanted > count('availableReplicas'), 'LessAvailable', `fewer than ${wanted} replicas are available`],
      [wanted > count('readyReplicas'), 'LessReady', `fewer than ${wanted} replicas are ready`],
      [count('replicas') > wanted, 'ExtraPods', `more than ${wanted} replicas exist`],
    ]) ?? current('Available', `${wanted} of ${wanted} replicas are available`)
  );
}

function statefulSet(look: Look): Readiness {
  if (look.text('spec.updateStrategy.type') === 'OnDelete') {
    return current('OnDelete', 'Pods are replaced only when somebody deletes them: there is nothing to wait for');
  }
  const wanted = look.number('spec.replicas', 1);
  const count = (name: string): number => look.number(`status.${name}`, 0);
  const behind = firstBehind([
    [wanted > count('replicas'), 'LessReplicas', `${count('replicas')} of ${wanted} replicas exist`],
    [wanted > count('readyReplicas'), 'LessReady', `${count('readyReplicas')} of ${wanted} replicas are ready`],
    [count('replicas') > wanted, 'ExtraPods', `${count('replicas') - wanted} surplus replicas still exist`],
  ]);
  if (behind !== undefined) return behind;
  const partition = look.number('spec.updateStrategy.rollingUpdate.partition', -1);
  const updated = count('updatedReplicas');
  if (partition >= 0) {
    const due = wanted - partition;
    if (updated < due)
      return inProgress('PartitionRollout', `${updated} of ${due} replicas beyond the partition are updated`);
    return current('PartitionRolledOut', `${updated} replicas beyond the partition are updated`);
  }
  return (
    firstBehind([
      [
        wanted > count('currentReplicas'),
        'LessCurrent',
        `${count('currentReplicas')} of ${wanted} replicas are current`,
      ],
      [
        look.text('status.currentRevision') !== look.text('status.updateRevision'),
        'RevisionMismatch',
        'the running revision is not the newest',
      ],
    ]) ?? current('Available', `${wanted} of ${wanted} replicas are ready`)
  );
}

function daemonSet(look: Look): Readiness {
  const count = (name: string): number => look.number(`status.${name}`, 0);
  const wanted = look.number('status.desiredNumberScheduled', -1);
  return (
    firstBehind([
      [look.number('metadata.generation', -1) < 0, 'NoGeneration', 'it has no generation, so it is not from a server'],
      [look.number('status.observedGeneration', -1) < 0, 'NoObservedGeneration', 'no controller has looked at it yet'],
      [wanted < 0, 'NoDesiredNumber', 'no controller has said how many Pods there should be'],
      [wanted > count('currentNumberScheduled'), 'LessCurrent', `fewer than ${wanted} nodes have a Pod`],
      [wanted > count('updatedNumberScheduled'), 'LessUpdated', `fewer than ${wanted} nodes have an updated Pod`],
      [wanted > count('numberAvailable'), 'LessAvailable', `fewer than ${wanted} Pods are available`],
      [wanted > count('numberReady'), 'LessReady', `fewer than ${wanted} Pods are ready`],
    ]) ?? current('Available', `${wanted} of ${wanted} Pods are available`)
  );
}

const jobEnds = new Set(['Complete', 'Failed']);

function job(look: Look): Readiness {
  const [end] = look.conditions.filter(({ type, status }) => jobEnds.has(type) && status === 'True');
  if (end?.type === 'Complete') return current('Complete', end.message || 'the Job is complete');
  if (end !== undefined) return failed('JobFailed', [end.reason, end.message].filter(Boolean).join(': '));
  // Also a Job that is suspended: its time of start is taken away.
  if (look.text('status.startTime') === '') return inProgress('JobNotStarted', 'the Job has not started');
  return current('Running', `the Job is running: ${look.number('status.active', 0)} Pods are active`);
}

/** Milliseconds in which a scheduler may still find a node. */
const scheduleWindow = 15_000;

function pending(look: Look): Readiness {
  const unscheduled = look.condition('PodScheduled', 'False');
  if (unscheduled?.reason !== 'Unschedulable') return inProgress('PodPending', 'the Pod is pending');
  const created = parseTime(look.text('metadata.creationTimestamp')) ?? look.now;
  if (look.now - created < scheduleWindow) return inProgress('PodNotScheduled', 'the Pod has no node yet');
  return failed('PodUnschedulable', unscheduled.message || 'the Pod cannot be scheduled');
}

function running(look: Look): Readiness {
  if (look.condition('Ready', 'True') !== undefined) return current('PodReady', 'the Pod is ready');
  const states = look.list('status.containerStatuses') as readonly {
    name?: string;
    state?: { waiting?: { reason?: string } };
  }[];
  const looping = states.filter((one) => one?.state?.waiting?.reason === 'CrashLoopBackOff').map(({ name }) => name);
  if (looping.length > 0) return failed('ContainerCrashLooping', `containers keep crashing: ${looping.join(', ')}`);
  return inProgress('PodRunningNotReady', 'the Pod is running but not ready');
}

function pod(look: Look): Readiness {
  const phase = look.text('status.phase');
  if (phase === 'Succeeded') return current('PodSucceeded', 'the Pod has succeeded');
  if (phase === 'Failed') return failed('PodFailed', look.text('status.message') || 'the Pod has failed');
  if (phase === 'Running') return running(look);
  if (phase === 'Pending') return pending(look);
  if (phase === '') return inProgress('PodNotObserved', 'no kubelet or scheduler has looked at the Pod');
  return inProgress('PodPhaseUnknown', `the phase of the Pod is ${phase}: its node may be lost`);
}

function service(look: Look): Readiness {
  if (look.text('spec.type') === 'LoadBalancer' && look.text('spec.clusterIP') === '') {
    return inProgress('NoIPAssigned', 'the Service has no address in the cluster yet');
  }
  return current('ServiceReady', 'the Service is ready');
}

function claim(look: Look): Readiness {
  const phase = look.text('status.phase');
  if (phase === 'Bound') return current('Bound', 'the claim is bound');
  return inProgress('NotBound', `the claim is not bound: ${phase || 'no phase'}`);
}

function definition(look: Look): Readiness {
  // The first that decides: a name that is refused, or whether it is served.
  for (const { type, status, reason, message } of look.conditions) {
    if (type === 'NamesAccepted' && status === 'False') return failed(reason || 'NamesNotAccepted', message);
    if (type !== 'Established') continue;
    if (status === 'True') return current('Established', 'the kind is served');
    if (status === 'False' && reason !== 'Installing') return failed(reason || 'NotEstablished', message);
  }
  return inProgress('Installing', 'the kind is being installed');
}

const always: Rule = () => current('Current', 'objects of this kind are ready when they exist');

/** By `Kind.group`. */
export const builtinRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['Deployment.apps', deployment],
  ['ReplicaSet.apps', replicaSet],
  ['Deployment.extensions', deployment],
  ['ReplicaSet.extensions', replicaSet],
  ['DaemonSet.extensions', daemonSet],
  ['StatefulSet.apps', statefulSet],
  ['DaemonSet.apps', daemonSet],
  ['Job.batch', job],
  ['CronJob.batch', always],
  ['Pod', pod],
  ['Service', service],
  ['PersistentVolumeClaim', claim],
  ['ConfigMap', always],
  ['Secret', always],
  ['PodDisruptionBudget.policy', always],
  ['CustomResourceDefinition.apiextensions.k8s.io', definition],
]);
