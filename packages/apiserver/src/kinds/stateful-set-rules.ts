// The rules of StatefulSets, and of the revisions that are kept of them.
import type { JsonObject } from 'kilter/api';
import { forbiddenField, immutable, invalidValue, negative, required, unsupported } from '../status/index.ts';
import { isObject, isSame, type Issue, metadataOf, objectIfIn, objectsIn, specOf, textIn } from '../values/index.ts';
import { claimSpecIssues } from './claim-rules.ts';
import { labelProblems } from './names.ts';
import { issuesWith } from './workload-rules.ts';

const changeableFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];
const changeableList = changeableFields.map((field) => `'${field}'`);

function without(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}

/** The pods of a set as they will be: each claim is a volume, instead of one of the same name. */
function withClaims(spec: JsonObject): JsonObject {
  const template = objectIfIn(spec, 'template') ?? {};
  const names = new Set(objectsIn(spec, 'volumeClaimTemplates').map((claim) => textIn(metadataOf(claim), 'name')));
  const claimed = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  // Each pod gets its own name, and the domain of the set.
  const { hostname: _, subdomain: __, ...pods } = specOf(template);
  const others = objectsIn(pods, 'volumes').filter((volume) => !names.has(textIn(volume, 'name')));
  return { ...spec, template: { ...template, spec: { ...pods, volumes: [...claimed, ...others] } } };
}

const managements = ['OrderedReady', 'Parallel'];
const strategies = ['RollingUpdate', 'OnDelete'];
const retentions = ['Retain', 'Delete'];
const either = (words: readonly string[]): string => `must be ${words.map((word) => `'${word}'`).join(' or ')}`;

function strategyIssues(spec: JsonObject): Issue[] {
  const at = 'spec.updateStrategy';
  const strategy = objectIfIn(spec, 'updateStrategy') ?? {};
  const rolling = objectIfIn(strategy, 'rollingUpdate');
  const type = textIn(strategy, 'type');
  if (type === '') return [required(at)];
  if (!strategies.includes(type)) return [invalidValue(at, strategy, either(strategies))];
  if (rolling === undefined) return [];
  if (type === 'OnDelete') {
    return [invalidValue(`${at}.rollingUpdate`, rolling, "only allowed for updateStrategy 'RollingUpdate'")];
  }
  return negative(`${at}.rollingUpdate.partition`, rolling['partition']);
}

/** What becomes of the claims of a set that is deleted, or has fewer pods. */
function retentionIssues(spec: JsonObject): Issue[] {
  const policy = objectIfIn(spec, 'persistentVolumeClaimRetentionPolicy');
  const at = 'spec.persistentVolumeClaimRetentionPolicy';
  return ['whenDeleted', 'whenScaled'].flatMap((when) => {
    const word = textIn(policy ?? {}, when);
    return policy === undefined || retentions.includes(word) ? [] : [unsupported(`${at}.${when}`, word, retentions)];
  });
}

/** What is decided once, and never looked at again. */
function beginningIssues(spec: JsonObject): Issue[] {
  const service = textIn(spec, 'serviceName');
  const flaws = service === '' ? [] : labelProblems(service);
  return [
    ...objectsIn(spec, 'volumeClaimTemplates').flatMap((claim, index) =>
      claimSpecIssues(specOf(claim), `spec.volumeClaimTemplates[${index}].spec`),
    ),
    ...flaws.map((flaw) => invalidValue('spec.serviceName', service, flaw)),
  ];
}

function managementIssues(spec: JsonObject): Issue[] {
  const policy = textIn(spec, 'podManagementPolicy');
  const field = 'spec.podManagementPolicy';
  if (policy === '') return [required(field)];
  return managements.includes(policy) ? [] : [invalidValue(field, policy, either(managements))];
}

function updateIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const names = `${changeableList.slice(0, -1).join(', ')} and ${changeableList.at(-1) ?? ''}`;
  const why = `updates to statefulset spec for fields other than ${names} are forbidden`;
  const same = isSame(without(spec, changeableFields), without(before, changeableFields));
  return same ? [] : [forbiddenField('spec', why)];
}

export function statefulSetIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = specOf(object);
  return [
    ...managementIssues(spec),
    ...strategyIssues(spec),
    ...retentionIssues(spec),
    ...(old === undefined ? beginningIssues(spec) : []),
    ...negative('spec.ordinals.start', objectIfIn(spec, 'ordinals')?.['start']),
    // The selector is one of the fields that may not change.
    ...issuesWith(withClaims(spec), object, undefined),
    ...(old === undefined ? [] : updateIssues(spec, specOf(old))),
  ];
}

/** A revision is what somebody may go back to: it stays what it was. */
export function revisionIssues(revision: JsonObject, old: JsonObject | undefined): Issue[] {
  const data = revision['data'] ?? null;
  const missing = data === null ? 'data is mandatory' : 'data must be a valid JSON object';
  return [
    ...negative('revision', revision['revision']),
    ...(old === undefined && !isObject(data) ? [required('data', missing)] : []),
    ...(old === undefined || isSame(data, old['data']) ? [] : [immutable('data', data)]),
  ];
}
