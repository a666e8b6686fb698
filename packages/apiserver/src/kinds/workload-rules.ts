// The rules of kinds that make pods, and of the storage pods ask for.
import { type Json, type JsonObject, matchesLabels } from 'kilter/api';
import { forbiddenField, immutable, invalidValue, negative, required, unsupported } from '../status/index.ts';
import { type Issue, metadataOf, objectIfIn, objectsIn, sameValue, textIn, textOf, textsOf } from '../values/index.ts';
import { scheduleProblem, timeZoneProblem } from './cron-schedule.ts';
import { podTemplateIssues } from './pod-rules.ts';

/** As values: in which order fields were written never counts. */
const isSame = (a: Json | undefined, b: Json | undefined): boolean => sameValue(a ?? null, b ?? null);

const specOf = (object: JsonObject | undefined): JsonObject => objectIfIn(object ?? {}, 'spec') ?? {};

function selectorIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = specOf(object);
  const selector = objectIfIn(spec, 'selector') ?? {};
  const labels = objectIfIn(metadataOf(objectIfIn(spec, 'template') ?? {}), 'labels');
  const wanted = Object.entries(objectIfIn(selector, 'matchLabels') ?? {});
  const terms = wanted.map(([key, value]) => ({ key, operator: '=' as const, values: [textOf(value)] }));
  const empty = terms.length === 0 && selector['matchExpressions'] === undefined;
  const matches = !empty && matchesLabels(terms, labels as Record<string, string> | undefined);
  const before = old === undefined ? undefined : specOf(old)['selector'];
  const place = 'spec.template.metadata.labels';
  return [
    ...((spec['selector'] ?? null) === null ? [required('spec.selector')] : []),
    ...(matches ? [] : [invalidValue(place, labels ?? null, '`selector` does not match template `labels`')]),
    ...(before === undefined || isSame(selector, before) ? [] : [immutable('spec.selector', selector)]),
  ];
}

function alwaysIssues(object: JsonObject): Issue[] {
  const template = objectIfIn(specOf(object), 'template') ?? {};
  const policy = textIn(specOf(template), 'restartPolicy');
  const field = 'spec.template.spec.restartPolicy';
  return policy === 'Always' ? [] : [unsupported(field, policy, ['Always'])];
}

/** `pods` is the spec with the template as the pods will be. */
function issuesWith(pods: JsonObject, object: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = specOf(object);
  return [
    ...negative('spec.replicas', spec['replicas']),
    ...negative('spec.minReadySeconds', spec['minReadySeconds']),
    ...negative('spec.revisionHistoryLimit', spec['revisionHistoryLimit']),
    ...selectorIssues(object, old),
    ...podTemplateIssues(pods, 'spec'),
    ...alwaysIssues(object),
  ];
}

export function workloadIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  return issuesWith(specOf(object), object, old);
}

const statefulFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];
const changeableList = statefulFields.map((field) => `'${field}'`);

function without(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}

/** The pods of a set as they will be: each claim is a volume, in place of one of the same name. */
function withClaims(spec: JsonObject): JsonObject {
  const template = objectIfIn(spec, 'template') ?? {};
  const names = objectsIn(spec, 'volumeClaimTemplates').map((claim) => textIn(metadataOf(claim), 'name'));
  const claimed = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = objectsIn(specOf(template), 'volumes').filter((volume) => !names.includes(textIn(volume, 'name')));
  return { ...spec, template: { ...template, spec: { ...specOf(template), volumes: [...claimed, ...others] } } };
}

function ownStatefulIssues(spec: JsonObject): Issue[] {
  const deadline = specOf(objectIfIn(spec, 'template'))['activeDeadlineSeconds'] ?? null;
  const why = 'activeDeadlineSeconds in StatefulSet is not Supported';
  return [
    ...(deadline === null ? [] : [forbiddenField('spec.template.spec.activeDeadlineSeconds', why)]),
    ...objectsIn(spec, 'volumeClaimTemplates').flatMap((claim, index) =>
      claimSpecIssues(specOf(claim), `spec.volumeClaimTemplates[${index}].spec`),
    ),
  ];
}

export function statefulSetIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = specOf(object);
  const names = `${changeableList.slice(0, -1).join(', ')} and ${changeableList.at(-1) ?? ''}`;
  const why = `updates to statefulset spec for fields other than ${names} are forbidden`;
  const same = old === undefined || isSame(without(spec, statefulFields), without(specOf(old), statefulFields));
  // The selector is one of the fields that may not change.
  return [
    ...issuesWith(withClaims(spec), object, undefined),
    ...ownStatefulIssues(spec),
    ...(same ? [] : [forbiddenField('spec', why)]),
  ];
}

const counts = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'];

function jobSpecIssues(spec: JsonObject, path: string): Issue[] {
  const policy = textIn(objectIfIn(objectIfIn(spec, 'template') ?? {}, 'spec') ?? {}, 'restartPolicy');
  const field = `${path}.template.spec.restartPolicy`;
  const allowed = ['OnFailure', 'Never'];
  const ends = allowed.includes(policy);
  const asked = `valid values: ${allowed.map((value) => `"${value}"`).join(', ')}`;
  const refusal = policy === 'Always' || policy === '' ? required(field, asked) : unsupported(field, policy, allowed);
  const indexed = spec['completionMode'] === 'Indexed' && (spec['completions'] ?? null) === null;
  return [
    ...counts.flatMap((count) => negative(`${path}.${count}`, spec[count])),
    ...(indexed ? [required(`${path}.completions`, 'when completion mode is Indexed')] : []),
    ...podTemplateIssues(spec, path),
    ...(ends ? [] : [refusal]),
  ];
}

const fixedJobFields = [
  'selector',
  'template',
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
];

/** What a suspended job's pods look like may still change, as long as none was started. */
function jobUpdateIssues(spec: JsonObject, old: JsonObject): Issue[] {
  const before = specOf(old);
  const started = objectIfIn(old, 'status')?.['startTime'] !== undefined;
  const open = before['suspend'] === true && !started ? ['template'] : [];
  const elastic =
    before['completionMode'] === 'Indexed' &&
    isSame(spec['completions'], spec['parallelism']) &&
    isSame(before['completions'], before['parallelism']);
  const fixed = [...fixedJobFields, ...(elastic ? [] : ['completions'])].filter((field) => !open.includes(field));
  return fixed
    .filter((field) => !isSame(spec[field], before[field]))
    .map((field) => immutable(`spec.${field}`, spec[field] ?? null));
}

export function jobIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = specOf(object);
  return [...jobSpecIssues(spec, 'spec'), ...(old === undefined ? [] : jobUpdateIssues(spec, old))];
}

/** A zone stands in its own field; schedules of old that name one are left alone. */
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

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const fixedClaim =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** The spec of a claim as far as it is fixed: a bound claim may grow. */
function fixedPart(spec: JsonObject, old: JsonObject): JsonObject {
  // The binder names the volume once.
  const named = textIn(specOf(old), 'volumeName') === '' ? ['volumeName'] : [];
  const bound = textIn(objectIfIn(old, 'status') ?? {}, 'phase') === 'Bound';
  return without(spec, [...named, ...(bound ? ['resources', 'volumeAttributesClassName'] : [])]);
}

function claimSpecIssues(spec: JsonObject, path: string): Issue[] {
  const modes = textsOf(spec['accessModes']);
  const storage = objectIfIn(objectIfIn(spec, 'resources') ?? {}, 'requests')?.['storage'];
  return [
    ...(modes.length === 0 ? [required(`${path}.accessModes`, 'at least 1 access mode is required')] : []),
    ...modes
      .filter((mode) => !accessModes.includes(mode))
      .map((mode) => unsupported(`${path}.accessModes`, mode, accessModes)),
    ...(storage === undefined ? [required(`${path}.resources[storage]`)] : []),
  ];
}

export function claimIssues(claim: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = specOf(claim);
  const same = old === undefined || isSame(fixedPart(spec, old), fixedPart(specOf(old), old));
  return [...claimSpecIssues(spec, 'spec'), ...(same ? [] : [forbiddenField('spec', fixedClaim)])];
}
