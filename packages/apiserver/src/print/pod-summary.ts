import { type Json, type JsonObject, parseTime } from 'kilter/api';
import { at, conditionStatus, count, items, text } from './fields.ts';
import { humanDuration } from './human-duration.ts';

export interface PodSummary {
  readonly ready: string;
  readonly status: string;
  readonly restarts: string;
}

/** Why a container is not simply running: `CrashLoopBackOff`, `OOMKilled`, `ExitCode:1`; '' if it is. */
function troubleOf(status: Json): string {
  const waiting = text(status, 'state', 'waiting', 'reason');
  if (waiting !== '') return waiting;
  const ended = at(status, 'state', 'terminated');
  if (ended === undefined) return '';
  const signal = count(ended, 'signal');
  return text(ended, 'reason') || (signal === 0 ? `ExitCode:${count(ended, 'exitCode')}` : `Signal:${signal}`);
}

const ended = (status: Json): boolean => at(status, 'state', 'terminated') !== undefined;
const succeeded = (status: Json): boolean => ended(status) && count(status, 'state', 'terminated', 'exitCode') === 0;
const running = (status: Json): boolean => at(status, 'state', 'running') !== undefined;

/** Init containers that keep running beside the others. */
function sidecars(pod: JsonObject): Set<string> {
  const init = items(pod, 'spec', 'initContainers');
  const kept = init.filter((container) => at(container, 'restartPolicy') === 'Always');
  return new Set(kept.map((container) => text(container, 'name')));
}

/** `Init:1/2`, `Init:Error`, or undefined once every init container is done. */
function initStatus(pod: JsonObject): string | undefined {
  const beside = sidecars(pod);
  const statuses = items(pod, 'status', 'initContainerStatuses');
  const done = (status: Json): boolean =>
    succeeded(status) || (beside.has(text(status, 'name')) && at(status, 'started') === true);
  const index = statuses.findIndex((status) => !done(status));
  const current = statuses[index];
  if (current === undefined) return undefined;
  const trouble = troubleOf(current);
  if (trouble !== '' && trouble !== 'PodInitializing') return `Init:${trouble}`;
  return `Init:${index}/${items(pod, 'spec', 'initContainers').length}`;
}

/** The first container in trouble names the status; a completed one does not hide others that still run. */
function containersStatus(pod: JsonObject, phase: string): string {
  const statuses = items(pod, 'status', 'containerStatuses');
  const status = statuses.map(troubleOf).find((trouble) => trouble !== '') ?? phase;
  if (status !== 'Completed') return status;
  const alive = statuses.some((container) => at(container, 'ready') === true && running(container));
  if (alive) return conditionStatus(pod, 'Ready') === 'True' ? 'Running' : 'NotReady';
  const failed = statuses.find((container) => ended(container) && !succeeded(container));
  return failed === undefined ? status : troubleOf(failed);
}

function statusOf(pod: JsonObject): string {
  const phase = text(pod, 'status', 'phase');
  const deleting = at(pod, 'metadata', 'deletionTimestamp') !== undefined;
  if (deleting && text(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  if (deleting && phase !== 'Succeeded' && phase !== 'Failed') return 'Terminating';
  const initialized = conditionStatus(pod, 'Initialized') === 'True';
  const init = initialized ? undefined : initStatus(pod);
  return init ?? containersStatus(pod, text(pod, 'status', 'reason') || phase);
}

function restartsOf(statuses: readonly Json[], now: number): string {
  const restarts = statuses.reduce<number>((sum, status) => sum + count(status, 'restartCount'), 0);
  const times = statuses.map((status) => parseTime(text(status, 'lastState', 'terminated', 'finishedAt')) ?? 0);
  const last = Math.max(0, ...times);
  return restarts > 0 && last > 0 ? `${restarts} (${humanDuration(now - last)} ago)` : String(restarts);
}

/** What `kubectl get pods` says of a pod. */
export function podSummary(pod: JsonObject, now: number): PodSummary {
  const beside = sidecars(pod);
  const init = items(pod, 'status', 'initContainerStatuses').filter((status) => beside.has(text(status, 'name')));
  const statuses = [...init, ...items(pod, 'status', 'containerStatuses')];
  const ready = statuses.filter((status) => at(status, 'ready') === true && running(status)).length;
  const total = items(pod, 'spec', 'containers').length + beside.size;
  return { ready: `${ready}/${total}`, status: statusOf(pod), restarts: restartsOf(statuses, now) };
}
