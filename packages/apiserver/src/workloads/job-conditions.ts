// Whether a Job is over, and how its conditions say so.
import { formatTime } from 'kilter/api';
import type { Job, JobStatus } from './job.ts';
import { type Condition, conditionOf, isTrue } from './workload-objects.ts';

/** That a Job shall end, and why; its pods may still be there. */
export interface Verdict {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

interface Counts {
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** Said before the end, while pods may still be there. */
const announced = { Complete: 'SuccessCriteriaMet', Failed: 'FailureTarget' } as const;

const reached: Verdict = {
  type: 'Complete',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

/** A verdict stays what it was; undefined while the Job continues. */
export function verdictOf({ spec, status }: Job, counts: Counts, isLate: boolean): Verdict | undefined {
  for (const type of ['Complete', 'Failed'] as const) {
    const said = conditionOf(status?.conditions, announced[type]);
    if (said?.status === 'True') return { type, reason: said.reason ?? '', message: said.message ?? '' };
  }
  const { completions, backoffLimit = 6 } = spec;
  if (counts.failed > backoffLimit) {
    const message = 'Job has reached the specified backoff limit';
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message };
  }
  if (isLate) {
    const message = 'Job was active longer than specified deadline';
    return { type: 'Failed', reason: 'DeadlineExceeded', message };
  }
  if (spec.suspend === true) return undefined;
  const isComplete =
    completions === undefined
      ? counts.succeeded > 0 && counts.active === 0
      : counts.succeeded >= completions && status?.startTime !== undefined;
  return isComplete ? reached : undefined;
}

function condition(before: Condition | undefined, said: Omit<Condition, 'lastTransitionTime'>, now: string): Condition {
  if (before?.status === said.status && before.reason === said.reason) return before;
  return { ...said, lastProbeTime: now, lastTransitionTime: now } as Condition;
}

/** Whether the Job is held up, once it was: a Job that never was says nothing of it. */
function suspension({ spec, status }: Job, now: string): Condition[] {
  const before = conditionOf(status?.conditions, 'Suspended');
  if (spec.suspend === true)
    return [
      condition(before, { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }, now),
    ];
  if (before === undefined) return [];
  return [condition(before, { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' }, now)];
}

/** What the status says of the end. */
export function withVerdict(
  job: Job,
  verdict: Verdict | undefined,
  { now, isOver }: { now: number; isOver: boolean },
): Pick<JobStatus, 'conditions' | 'completionTime'> {
  const at = formatTime(now);
  const { conditions = [] } = job.status ?? {};
  const held = suspension(job, at);
  if (verdict === undefined) return held.length === 0 ? {} : { conditions: held };
  const { type, reason, message } = verdict;
  const says = (name: string): Condition =>
    condition(conditionOf(conditions, name), { type: name, status: 'True', reason, message }, at);
  const all = [...held, says(announced[type]), ...(isOver ? [says(type)] : [])];
  // It is complete when its status says so for the first time.
  const completes = isOver && type === 'Complete' && !isTrue(conditions, 'Complete');
  return { conditions: all, ...(completes && { completionTime: at }) };
}
