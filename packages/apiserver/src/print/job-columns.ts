import { type JsonObject, parseTime } from 'kilter/api';
import { column, type Column } from './column.ts';
import { at, conditionStatus, count, text } from './fields.ts';
import { humanDuration } from './human-duration.ts';

function status(job: JsonObject): string {
  const has = (type: string): boolean => conditionStatus(job, type) === 'True';
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (at(job, 'metadata', 'deletionTimestamp') !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
}

function completions(job: JsonObject): string {
  const done = count(job, 'status', 'succeeded');
  if (at(job, 'spec', 'completions') !== undefined) return `${done}/${count(job, 'spec', 'completions')}`;
  const parallelism = count(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function duration(job: JsonObject, now: number): string {
  const start = parseTime(text(job, 'status', 'startTime'));
  if (start === undefined) return '';
  return humanDuration((parseTime(text(job, 'status', 'completionTime')) ?? now) - start);
}

export const jobColumns: readonly Column[] = [
  column('Status', status),
  column('Completions', completions),
  column('Duration', duration),
];
