// The rules of kinds that make pods.
import type { JsonObject } from 'kilter/api';
import { forbiddenField, immutable, invalidValue, negative, required, unsupported } from '../status/index.ts';
import { isEmpty, isSame, type Issue, metadataOf, objectIfIn, selectsLabels, specOf, textIn } from '../values/index.ts';
import { labelSelectorIssues } from './matching-rules.ts';
import { podTemplateIssues } from './pod-rules.ts';
import { shownMap, shownSelector } from './shown-values.ts';
import { daemonStrategyIssues, deploymentStrategyIssues, progressIssues } from './share-rules.ts';

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
  return matches ? [] : [invalidValue(place, shownMap(labels), '`selector` does not match template `labels`')];
}

function selectorChangeIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  const selector = objectIfIn(specOf(object), 'selector');
  const before = old === undefined ? undefined : specOf(old)['selector'];
  if (before === undefined || isSame(selector, before)) return [];
  return [immutable('spec.selector', selector === undefined ? null : shownSelector(selector))];
}

/** The kinds whose pods have no deadline; a Deployment is judged as what it makes. */
const lasting = ['StatefulSet', 'DaemonSet', 'ReplicationController'];

/** Pods that are to be there always. */
export function alwaysIssues(object: JsonObject): Issue[] {
  const pods = specOf(objectIfIn(specOf(object), 'template'));
  const policy = textIn(pods, 'restartPolicy');
  const at = 'spec.template.spec';
  const kind = lasting.find((one) => one === textIn(object, 'kind')) ?? 'ReplicaSet';
  const why = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [
    ...(policy === 'Always' ? [] : [unsupported(`${at}.restartPolicy`, policy, ['Always'])]),
    ...((pods['activeDeadlineSeconds'] ?? null) === null ? [] : [forbiddenField(`${at}.activeDeadlineSeconds`, why)]),
  ];
}

/** `pods` is the spec with the template as the pods will be. */
export function issuesWith(pods: JsonObject, object: JsonObject, old: JsonObject | undefined): Issue[] {
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

/** The oldest of these kinds: its selector may change, and is a map of labels. */
export function replicationControllerIssues(object: JsonObject): Issue[] {
  const spec = specOf(object);
  const selector = objectIfIn(spec, 'selector') ?? {};
  const template = objectIfIn(spec, 'template');
  const labels = objectIfIn(metadataOf(template ?? {}), 'labels');
  const field = 'spec.template.metadata.labels';
  const misses = !isEmpty(selector) && !selectsLabels({ matchLabels: selector }, labels);
  return [
    ...negative('spec.minReadySeconds', spec['minReadySeconds']),
    ...(isEmpty(selector) ? [required('spec.selector')] : []),
    ...negative('spec.replicas', spec['replicas']),
    ...(template === undefined ? [required('spec.template')] : []),
    ...(template !== undefined && misses
      ? [invalidValue(field, shownMap(labels), '`selector` does not match template `labels`')]
      : []),
    ...(template === undefined ? [] : [...podTemplateIssues(spec, 'spec'), ...alwaysIssues(object)]),
  ];
}
