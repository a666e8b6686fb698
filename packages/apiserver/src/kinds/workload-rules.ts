// The rules of kinds that make pods, and of the storage pods ask for.
import type { Json, JsonObject } from 'kilter/api';
import { forbiddenField, immutable, invalidValue, negative, required, unsupported } from '../status/index.ts';
import {
  isEmpty,
  type Issue,
  metadataOf,
  objectIfIn,
  objectsIn,
  sameValue,
  selectsLabels,
  textIn,
  textsOf,
} from '../values/index.ts';
import { labelSelectorIssues } from './matching-rules.ts';
import { podTemplateIssues } from './pod-rules.ts';
import { daemonStrategyIssues, deploymentStrategyIssues, progressIssues } from './share-rules.ts';

/** As values: in which order fields were written never counts. */
const isSame = (a: Json | undefined, b: Json | undefined): boolean => sameValue(a ?? null, b ?? null);

const specOf = (object: JsonObject | undefined): JsonObject => objectIfIn(object ?? {}, 'spec') ?? {};

/** How the server calls the kind that asks for a selector. */
const selecting: Readonly<Record<string, string>> = { StatefulSet: 'statefulset', DaemonSet: 'daemonset' };

/** What is wrong with the selector itself; where there is something, the template is not looked at. */
function ownSelectorIssues(object: JsonObject): Issue[] {
  const selector = objectIfIn(specOf(object), 'selector');
  const at = 'spec.selector';
  if (selector === undefined) return [required(at)];
  const flaws = labelSelectorIssues(selector, at);
  const empty = `empty selector is invalid for ${selecting[textIn(object, 'kind')] ?? 'deployment'}`;
  return [
    ...flaws,
    ...(isEmpty(selector) ? [invalidValue(at, {}, empty)] : []),
    ...(flaws.length > 0 ? [invalidValue(at, selector, 'invalid label selector')] : []),
  ];
}

function templateLabelIssues(object: JsonObject): Issue[] {
  const spec = specOf(object);
  const selector = objectIfIn(spec, 'selector');
  const labels = objectIfIn(metadataOf(objectIfIn(spec, 'template') ?? {}), 'labels');
  const place = 'spec.template.metadata.labels';
  // An empty selector asks for nothing; one that is missing selects nothing.
  const matches = selector === undefined ? false : isEmpty(selector) || selectsLabels(selector, labels);
  return matches ? [] : [invalidValue(place, labels ?? null, '`selector` does not match template `labels`')];
}

function selectorChangeIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  const selector = objectIfIn(specOf(object), 'selector') ?? {};
  const before = old === undefined ? undefined : specOf(old)['selector'];
  return before === undefined || isSame(selector, before) ? [] : [immutable('spec.selector', selector)];
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
  const selector = ownSelectorIssues(object);
  return [
    ...negative('spec.replicas', spec['replicas']),
    ...negative('spec.minReadySeconds', spec['minReadySeconds']),
    ...negative('spec.revisionHistoryLimit', spec['revisionHistoryLimit']),
    ...selector,
    ...(selector.some(({ message }) => message.endsWith('invalid label selector'))
      ? []
      : [...templateLabelIssues(object), ...podTemplateIssues(pods, 'spec'), ...alwaysIssues(object)]),
    ...selectorChangeIssues(object, old),
  ];
}

export function workloadIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  return issuesWith(specOf(object), object, old);
}

export function deploymentIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  return [...workloadIssues(object, old), ...deploymentStrategyIssues(object), ...progressIssues(object)];
}

export function daemonSetIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  return [...workloadIssues(object, old), ...daemonStrategyIssues(object)];
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

/** The pods of a set as they will be: each claim is a volume, instead of one of the same name. */
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
