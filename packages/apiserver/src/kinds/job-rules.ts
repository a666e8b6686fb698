// The rules of Jobs and of the Jobs that CronJobs make.
import type { JsonObject } from 'kilter/api';
import { duplicate, invalidValue, negative, required, tooLong, tooMany, unsupported } from '../status/index.ts';
import {
  isSet,
  type Issue,
  metadataOf,
  objectIfIn,
  objectsIn,
  quote,
  specOf,
  textIn,
  textOf,
} from '../values/index.ts';
import { scheduleProblem, timeZoneProblem } from './cron-schedule.ts';
import { indexIssues, successIssues } from './job-index-rules.ts';
import { chosenSelectorIssues, jobSelectorIssues } from './job-selector-rules.ts';
import { jobUpdateIssues } from './job-update-rules.ts';
import { keyProblems, labelProblems, subdomainProblems } from './names.ts';
import { podTemplateIssues } from './pod-rules.ts';

const podOf = (spec: JsonObject): JsonObject => specOf(objectIfIn(spec, 'template'));
const inOrder = (values: readonly string[]): string => `valid values: [${values.map(quote).join(' ')}]`;

/** A refusal that shows no value: of structs with fields in them the server prints none. */
const unshown = (field: string, why: string): Issue => ({
  field,
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${why}`,
});

const mostCodes = 255;

function codesIssues(codes: readonly number[], operator: string, at: string): Issue[] {
  if (codes.length === 0) return [invalidValue(at, [], 'at least one value is required')];
  const seen = new Set<number>();
  const each = codes.flatMap((code, index) => {
    const again = seen.has(code);
    seen.add(code);
    return [
      ...(operator === 'In' && code === 0
        ? [invalidValue(`${at}[${index}]`, 0, 'must not be 0 for the In operator')]
        : []),
      ...(again ? [duplicate(`${at}[${index}]`, code)] : []),
    ];
  });
  const rising = codes.every((code, index) => index === 0 || (codes[index - 1] ?? 0) <= code);
  return [
    ...(codes.length > mostCodes ? [tooMany(at, codes.length, mostCodes)] : []),
    ...each,
    ...(rising ? [] : [invalidValue(at, [...codes], 'must be ordered')]),
  ];
}

const codeOperators = ['In', 'NotIn'];

function exitIssues(exit: JsonObject, at: string, names: readonly string[]): Issue[] {
  const operator = textIn(exit, 'operator');
  const name = exit['containerName'];
  const values = Array.isArray(exit['values']) ? exit['values'].map(Number) : [];
  const unknown = 'must be one of the container or initContainer names in the pod template';
  return [
    ...(operator === '' ? [required(`${at}.operator`, inOrder(codeOperators))] : []),
    ...(operator === '' || codeOperators.includes(operator)
      ? []
      : [unsupported(`${at}.operator`, operator, codeOperators)]),
    ...(isSet(name) && !names.includes(textOf(name)) ? [invalidValue(`${at}.containerName`, name, unknown)] : []),
    ...codesIssues(values, operator, `${at}.values`),
  ];
}

const truths = ['False', 'True', 'Unknown'];

function conditionIssues(condition: JsonObject, at: string): Issue[] {
  const [type, status] = [textIn(condition, 'type'), textIn(condition, 'status')];
  return [
    ...keyProblems(type).map((why) => invalidValue(`${at}.type`, type, why)),
    ...(status === '' || truths.includes(status) ? [] : [unsupported(`${at}.status`, status, truths)]),
  ];
}

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

function failureActionIssues(action: string, spec: JsonObject, at: string): Issue[] {
  if (action === '') return [required(at, inOrder(actions))];
  if (!actions.includes(action)) return [unsupported(at, action, actions)];
  const counted = isSet(spec['backoffLimitPerIndex']);
  return action === 'FailIndex' && !counted
    ? [invalidValue(at, action, 'requires the backoffLimitPerIndex to be set')]
    : [];
}

function failureRuleIssues(rule: JsonObject, at: string, spec: JsonObject): Issue[] {
  const exit = objectIfIn(rule, 'onExitCodes');
  const conditions = objectsIn(rule, 'onPodConditions');
  const names = ['containers', 'initContainers'].flatMap((list) =>
    objectsIn(podOf(spec), list).map((one) => textIn(one, 'name')),
  );
  const both = exit !== undefined && conditions.length > 0;
  const none = exit === undefined && conditions.length === 0;
  return [
    ...failureActionIssues(textIn(rule, 'action'), spec, `${at}.action`),
    ...(exit === undefined ? [] : exitIssues(exit, `${at}.onExitCodes`, names)),
    ...conditions.flatMap((one, index) => conditionIssues(one, `${at}.onPodConditions[${index}]`)),
    ...(both ? [unshown(at, 'specifying both OnExitCodes and OnPodConditions is not supported')] : []),
    ...(none ? [unshown(at, 'specifying one of OnExitCodes and OnPodConditions is required')] : []),
  ];
}

const mostRules = 20;

function failurePolicyIssues(spec: JsonObject, path: string): Issue[] {
  const policy = objectIfIn(spec, 'podFailurePolicy');
  if (policy === undefined) return [];
  const rules = objectsIn(policy, 'rules');
  const at = `${path}.podFailurePolicy.rules`;
  return [
    ...(rules.length > mostRules ? [tooMany(at, rules.length, mostRules)] : []),
    ...rules.flatMap((rule, index) => failureRuleIssues(rule, `${at}[${index}]`, spec)),
  ];
}

const longestManager = 63;

function managerIssues({ managedBy }: JsonObject, at: string): Issue[] {
  if (!isSet(managedBy)) return [];
  const name = textOf(managedBy);
  const [domain = '', ...rest] = name.split('/');
  const problems = rest.length === 1 && rest[0] !== '' && domain !== '' ? subdomainProblems(domain) : ['none'];
  return [
    ...(problems.length === 0
      ? []
      : [invalidValue(at, name, 'must be a domain-prefixed path (such as "acme.io/foo")')]),
    ...(name.length > longestManager ? [tooLong(at, longestManager)] : []),
  ];
}

const replacements = ['Failed', 'TerminatingOrFailed'];

function replacementIssues({ podReplacementPolicy: policy, podFailurePolicy }: JsonObject, at: string): Issue[] {
  if (!isSet(policy)) return [];
  const allowed = isSet(podFailurePolicy) ? ['Failed'] : replacements;
  return allowed.includes(textOf(policy)) ? [] : [unsupported(at, policy, allowed)];
}

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];

function endIssues(spec: JsonObject, path: string): Issue[] {
  const policy = textIn(podOf(spec), 'restartPolicy');
  const field = `${path}.template.spec.restartPolicy`;
  const allowed = ['OnFailure', 'Never'];
  if (policy === 'Always' || policy === '') {
    return [required(field, `valid values: ${allowed.map((value) => `"${value}"`).join(', ')}`)];
  }
  if (!allowed.includes(policy)) return [unsupported(field, policy, allowed)];
  const only = 'only "Never" is supported when podFailurePolicy is specified';
  return isSet(spec['podFailurePolicy']) && policy !== 'Never' ? [invalidValue(field, policy, only)] : [];
}

function jobSpecIssues(spec: JsonObject, path: string): Issue[] {
  return [
    ...counts.flatMap((count) => negative(`${path}.${count}`, spec[count])),
    ...managerIssues(spec, `${path}.managedBy`),
    ...indexIssues(spec, path),
    ...failurePolicyIssues(spec, path),
    ...successIssues(spec, path),
    ...replacementIssues(spec, `${path}.podReplacementPolicy`),
    ...podTemplateIssues(spec, path),
    ...endIssues(spec, path),
  ];
}

/** Its pods are hosts of these names: the last one is the longest. */
function hostIssues(object: JsonObject): Issue[] {
  const { completionMode: mode, completions } = specOf(object);
  if (mode !== 'Indexed' || typeof completions !== 'number' || completions <= 0) return [];
  const name = textIn(metadataOf(object), 'name');
  const last = `${name}-${completions - 1}`;
  const why = `will not able to create pod with invalid DNS label: ${last}`;
  return labelProblems(last).length === 0 ? [] : [invalidValue('metadata.name', name, why)];
}

export function jobIssues(object: JsonObject, old: JsonObject | undefined, subresource: string | undefined): Issue[] {
  if (subresource === 'status') return [];
  const spec = specOf(object);
  const issues = [...jobSpecIssues(spec, 'spec'), ...jobSelectorIssues(spec)];
  return [
    ...chosenSelectorIssues(object, old),
    ...issues,
    ...hostIssues(object),
    // On an update the server looks at the spec twice.
    ...(old === undefined ? [] : [...issues, ...jobUpdateIssues(spec, old)]),
  ];
}

/** A zone is in its own field; schedules of old that name one are left alone. */
function scheduleIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const schedule = textIn(spec, 'schedule');
  const field = 'spec.schedule';
  if (schedule === '') return [required(field)];
  if (schedule.includes('TZ')) {
    const why = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    return schedule === before['schedule'] ? [] : [invalidValue(field, schedule, why)];
  }
  const problem = scheduleProblem(schedule);
  return problem === undefined ? [] : [invalidValue(field, schedule, problem)];
}

function zoneIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const zone = spec['timeZone'];
  if (typeof zone !== 'string' || zone === before['timeZone']) return [];
  const problem = timeZoneProblem(zone);
  return problem === undefined ? [] : [invalidValue('spec.timeZone', zone, problem)];
}

/** The Job of a schedule selects its Pods by labels of its own. */
function jobTemplateIssues(spec: JsonObject, path: string): Issue[] {
  const { selector, manualSelector } = spec;
  return [
    ...jobSpecIssues(spec, path),
    ...((selector ?? null) === null
      ? []
      : [invalidValue(`${path}.selector`, selector ?? null, '`selector` will be auto-generated')]),
    ...(manualSelector === true ? [unsupported(`${path}.manualSelector`, true, ['nil', 'false'])] : []),
  ];
}

const longestCronJob = 52;

function cronNameIssues(object: JsonObject): Issue[] {
  const name = textIn(metadataOf(object), 'name');
  const why = `must be no more than ${longestCronJob} characters`;
  return name.length > longestCronJob ? [invalidValue('metadata.name', name, why)] : [];
}

export function cronJobIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = specOf(object);
  const before = specOf(old);
  const policy = textIn(spec, 'concurrencyPolicy');
  const policies = ['Allow', 'Forbid', 'Replace'];
  return [
    ...scheduleIssues(spec, before),
    ...negative('spec.startingDeadlineSeconds', spec['startingDeadlineSeconds']),
    ...zoneIssues(spec, before),
    ...(policies.includes(policy) ? [] : [unsupported('spec.concurrencyPolicy', policy, policies)]),
    ...jobTemplateIssues(specOf(objectIfIn(spec, 'jobTemplate')), 'spec.jobTemplate.spec'),
    ...negative('spec.successfulJobsHistoryLimit', spec['successfulJobsHistoryLimit']),
    ...negative('spec.failedJobsHistoryLimit', spec['failedJobsHistoryLimit']),
    ...(old === undefined ? cronNameIssues(object) : []),
  ];
}
