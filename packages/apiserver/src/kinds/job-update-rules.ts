// What an update of a Job may change: mostly how many pods it has, and while it is suspended where they run and what they get.
import type { Json, JsonObject } from 'kilter/api';
import { immutable, invalidValue } from '../status/index.ts';
import { isSame, type Issue, objectIfIn, objectsIn, specOf, textIn } from '../values/index.ts';
import { otherAffinities } from './pod-update-rules.ts';

const templateOf = (spec: JsonObject): JsonObject => objectIfIn(spec, 'template') ?? {};

/** Pods with numbers may become more or fewer, all of them at once. */
function completionIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const field = 'spec.completions';
  const { completions = null } = spec;
  if (isSame(completions, before['completions'])) return [];
  if (spec['completionMode'] !== 'Indexed') return [immutable(field, completions)];
  if (completions === null || completions === spec['parallelism']) return [];
  return [invalidValue(field, completions, 'can only be modified in tandem with spec.parallelism')];
}

/** Whether no pod of a suspended Job is left: none was started, or those there were are gone. */
function isAtRest(job: JsonObject): boolean {
  const status = objectIfIn(job, 'status') ?? {};
  const { startTime = null, active = 0 } = status;
  const stopped = objectsIn(status, 'conditions').some(({ type, status }) => type === 'Suspended' && status === 'True');
  return specOf(job)['suspend'] === true && (startTime === null || stopped) && active === 0;
}

/** Containers without what they ask for; where others have come or gone, as they are. */
function withoutAmounts(spec: JsonObject, before: JsonObject, list: string): Json {
  const then = objectsIn(before, list);
  const now = objectsIn(spec, list);
  if (now.length !== then.length) return now;
  return now.map((container, index) => {
    const { resources: _, ...rest } = container;
    return textIn(container, 'name') === textIn(then[index] ?? {}, 'name') ? rest : container;
  });
}

/** The pods of a Job at rest without what may change: where they run, and what their containers ask for. */
function fixed(spec: JsonObject, before: JsonObject): JsonObject {
  const { nodeSelector: _, tolerations: __, schedulingGates: ___, affinity: ____, ...rest } = spec;
  return {
    ...rest,
    affinity: otherAffinities(spec) ?? null,
    containers: withoutAmounts(spec, before, 'containers'),
    initContainers: withoutAmounts(spec, before, 'initContainers'),
  };
}

function templateIssues(spec: JsonObject, old: JsonObject): Issue[] {
  const [template, before] = [templateOf(spec), templateOf(specOf(old))];
  if (!isAtRest(old)) return isSame(template, before) ? [] : [immutable('spec.template', template)];
  const [now, then] = [specOf(template), specOf(before)];
  return isSame(fixed(now, then), fixed(then, now)) ? [] : [immutable('spec.template.spec', now)];
}

const fixedFields = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'];

export function jobUpdateIssues(spec: JsonObject, old: JsonObject): Issue[] {
  const before = specOf(old);
  const unchanged = (field: string): Issue[] =>
    isSame(spec[field], before[field]) ? [] : [immutable(`spec.${field}`, spec[field] ?? null)];
  return [
    ...completionIssues(spec, before),
    ...unchanged('selector'),
    ...templateIssues(spec, old),
    ...fixedFields.flatMap(unchanged),
  ];
}
