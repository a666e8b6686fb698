import { formatTime, type JsonObject } from 'kilter/api';
import { type Condition, conditionOf, type Container, isTrue, type Node, type Pod } from './workload-objects.ts';

/** How long a pod takes, in milliseconds. */
export interface PodTimes {
  /** From binding to phase Running. */
  readonly runningAfter: number;
  /** From binding to condition Ready. */
  readonly readyAfter: number;
  /** From deletion until it is gone; never longer than its grace period. */
  readonly goneAfter: number;
  /** For a Pod of a Job, from binding until its containers end. */
  readonly endedAfter: number;
  /**
   * The exit code of the containers of a Job's Pod; 0 is success. A Pod that restarts them on failure does not end with
   * any other code.
   */
  readonly exitCode: number;
}

export interface PodMoment {
  readonly pod: Pod;
  readonly node: Node;
  readonly running: boolean;
  readonly ready: boolean;
  readonly address: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type Finding = Pick<Condition, 'type' | 'status'> & { readonly reason?: string; readonly message?: string };

const hold = (type: string, holds: boolean, reason?: Pick<Finding, 'reason' | 'message'>): Finding => ({
  type,
  status: holds ? 'True' : 'False',
  ...(!holds && reason),
});

function findings({ pod, running, ready }: PodMoment): Finding[] {
  const gates = (pod.spec.readinessGates ?? []).map(({ conditionType }) => conditionType);
  const closed = gates.filter((gate) => !isTrue(pod.status?.conditions, gate));
  const names = pod.spec.containers.map(({ name }) => name).join(' ');
  const unready = { reason: 'ContainersNotReady', message: `containers with unready status: [${names}]` };
  const gated = {
    reason: 'ReadinessGatesNotReady',
    message: closed.map((gate) => `corresponding condition of pod readiness gate "${gate}" does not exist.`).join(' '),
  };
  return [
    hold('PodReadyToStartContainers', running),
    hold('Initialized', true),
    hold('Ready', ready && closed.length === 0, ready ? gated : unready),
    hold('ContainersReady', ready, unready),
    hold('PodScheduled', true),
  ];
}

/** Conditions of others (readiness gates) stay; a transition time changes only with its status. */
function conditionsOf(moment: PodMoment): Condition[] {
  const old = moment.pod.status?.conditions ?? [];
  const now = formatTime(moment.now);
  const own = findings(moment).map((finding): Condition => {
    const before = conditionOf(old, finding.type);
    const kept = before?.status === finding.status ? before.lastTransitionTime : undefined;
    return { ...finding, lastTransitionTime: kept ?? now };
  });
  const types = new Set(own.map(({ type }) => type));
  return [...own, ...old.filter(({ type }) => !types.has(type))];
}

function containerStatus(container: Container, { running, ready, now, pod }: PodMoment): JsonObject {
  const startedAt = pod.status?.startTime ?? formatTime(now);
  return {
    name: container.name,
    image: container.image ?? '',
    imageID: running ? `fake://${container.image ?? ''}` : '',
    ...(running && { containerID: `fake://${pod.metadata.uid}/${container.name}` }),
    lastState: {},
    ready,
    started: running,
    restartCount: 0,
    state: running ? { running: { startedAt } } : { waiting: { reason: 'ContainerCreating' } },
  };
}

/** Init containers that keep running beside the others do so; the rest are over by the time anything runs. */
function initStatus(container: Container, moment: PodMoment): JsonObject {
  const status = containerStatus(container, moment);
  if (container.restartPolicy === 'Always' || !moment.running) return status;
  const at = formatTime(moment.now);
  return {
    ...status,
    ready: true,
    started: false,
    state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: at, finishedAt: at } },
  };
}

function endedContainer(container: Container, moment: PodMoment, exitCode: number): JsonObject {
  const finishedAt = formatTime(moment.now);
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  const startedAt = moment.pod.status?.startTime ?? finishedAt;
  return {
    ...containerStatus(container, moment),
    ready: false,
    started: false,
    state: { terminated: { exitCode, reason, startedAt, finishedAt } },
  };
}

/** What the kubelet writes when all containers of a pod have ended. */
export function endedStatus(moment: PodMoment, exitCode: number): JsonObject {
  const reason = { reason: exitCode === 0 ? 'PodCompleted' : 'PodFailed' };
  const over = new Map<string, Pick<Finding, 'reason'>>([
    ['PodReadyToStartContainers', {}],
    ['Ready', reason],
    ['ContainersReady', reason],
  ]);
  const now = formatTime(moment.now);
  const conditions = conditionsOf(moment).map((condition): JsonObject => {
    const end = over.get(condition.type);
    if (end === undefined) return { ...condition };
    return { type: condition.type, status: 'False', ...end, lastTransitionTime: now };
  });
  const containers = moment.pod.spec.containers;
  return {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    conditions,
    ...addresses(moment),
    containerStatuses: containers.map((container) => endedContainer(container, moment, exitCode)),
  };
}

function addresses({ node, pod, address }: PodMoment): JsonObject {
  const host = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
  const own = pod.spec.hostNetwork === true ? host : address;
  return {
    ...(host !== undefined && { hostIP: host, hostIPs: [{ ip: host }] }),
    ...(own !== undefined && { podIP: own, podIPs: [{ ip: own }] }),
  };
}

function saysSo(status: Pod['status'], phase: string, conditions: readonly Condition[]): boolean {
  if (status?.phase !== phase || status.startTime === undefined) return false;
  return conditions.every(({ type, status: value }) => conditionOf(status.conditions, type)?.status === value);
}

/** What the kubelet writes into a pod's status now; undefined if the pod says so already. */
export function runningStatus(moment: PodMoment): JsonObject | undefined {
  const { pod, running, now } = moment;
  const conditions = conditionsOf(moment);
  const phase = running ? 'Running' : 'Pending';
  if (saysSo(pod.status, phase, conditions)) return undefined;
  const init = pod.spec.initContainers ?? [];
  return {
    phase,
    conditions: conditions.map((condition) => ({ ...condition }) as JsonObject),
    ...(running && addresses(moment)),
    startTime: pod.status?.startTime ?? formatTime(now),
    containerStatuses: pod.spec.containers.map((container) => containerStatus(container, moment)),
    ...(init.length > 0 && { initContainerStatuses: init.map((container) => initStatus(container, moment)) }),
  };
}
