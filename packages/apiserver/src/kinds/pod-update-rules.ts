// What an update of a Pod may change: little, and a bit more while its scheduling gates hold it back.
import type { Json, JsonObject } from 'kilter/api';
import { forbiddenField, invalidValue } from '../status/index.ts';
import { shownMap } from './shown-values.ts';
import { isEmpty, type Issue, metadataOf, objectIfIn, objectsIn, sameValue, textIn } from '../values/index.ts';

/** All of a toleration but how long it lasts. */
const keyOf = (toleration: JsonObject): string =>
  JSON.stringify(['key', 'operator', 'value', 'effect'].map((field) => textIn(toleration, field)));

function tolerationIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const now = new Set(objectsIn(spec, 'tolerations').map(keyOf));
  const kept = objectsIn(before, 'tolerations').every((one) => now.has(keyOf(one)));
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  return kept ? [] : [forbiddenField('spec.tolerations', why)];
}

function deadlineIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const field = 'spec.activeDeadlineSeconds';
  const [now = null, then = null] = [spec['activeDeadlineSeconds'], before['activeDeadlineSeconds']];
  if (then === null) return [];
  if (now === null) return [invalidValue(field, null, 'must not update from a positive integer to nil value')];
  return Number(now) > Number(then) ? [invalidValue(field, now, 'must be less than or equal to previous value')] : [];
}

const imageless = (spec: JsonObject, list: string): Json =>
  objectsIn(spec, list).map((container) => {
    const { image: _, ...rest } = container;
    return rest;
  });

const gatesOf = (spec: JsonObject): string[] => objectsIn(spec, 'schedulingGates').map((gate) => textIn(gate, 'name'));

function gateIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const there = new Set(gatesOf(before));
  return gatesOf(spec).flatMap((gate, index) => {
    const why = `only deletion is allowed, but found new scheduling gate '${gate}'`;
    return there.has(gate) ? [] : [forbiddenField(`spec.schedulingGates[${index}].name`, why)];
  });
}

function selectorIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const [now, then] = [objectIfIn(spec, 'nodeSelector'), objectIfIn(before, 'nodeSelector') ?? {}];
  const kept = Object.entries(then).every(([key, value]) => now?.[key] === value);
  const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return kept ? [] : [invalidValue('spec.nodeSelector', shownMap(now), why)];
}

const nodeAffinityOf = (spec: JsonObject): JsonObject | undefined =>
  objectIfIn(objectIfIn(spec, 'affinity') ?? {}, 'nodeAffinity');

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const termsOf = (spec: JsonObject): JsonObject[] =>
  objectsIn(objectIfIn(nodeAffinityOf(spec) ?? {}, requiredTerms) ?? {}, 'nodeSelectorTerms');

/** A term that asks for more, in the end of its lists; one that asks for nothing stays as it is. */
function onlyAdds(term: JsonObject, before: JsonObject): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  const [now, then] = [lists.map((list) => objectsIn(term, list)), lists.map((list) => objectsIn(before, list))];
  const empty = (all: readonly JsonObject[][]): boolean => all.every((list) => list.length === 0);
  if (empty(then)) return empty(now);
  return then.every((list, index) => sameValue(now[index]?.slice(0, list.length) ?? [], list));
}

/** As the server's structs. */
function shown(term: JsonObject): JsonObject {
  const list = (field: string): Json => {
    const requirements = objectsIn(term, field).map(({ key = '', operator = '', values = null }): Json => ({
      Key: key,
      Operator: operator,
      Values: values,
    }));
    return requirements.length === 0 ? null : requirements;
  };
  return { MatchExpressions: list('matchExpressions'), MatchFields: list('matchFields') };
}

function affinityIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const at = `spec.affinity.nodeAffinity.${requiredTerms}.nodeSelectorTerms`;
  const [now, then] = [termsOf(spec), termsOf(before)];
  if (then.length > 0 && then.length !== now.length) {
    const why = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [invalidValue(at, now.length === 0 ? null : now.map(shown), why)];
  }
  return then.flatMap((term, index) => {
    const given = now[index] ?? {};
    const why = 'only additions are allowed (no mutations or deletions)';
    return onlyAdds(given, term) ? [] : [invalidValue(`${at}[${index}]`, shown(given), why)];
  });
}

/** The affinities of a Pod but those to nodes; undefined where there are none. */
export function otherAffinities(spec: JsonObject): JsonObject | undefined {
  const { nodeAffinity: _, ...others } = objectIfIn(spec, 'affinity') ?? {};
  return isEmpty(others) ? undefined : others;
}

/** The spec without what an update may change; `gated` leaves out where a Pod that still waits may run. */
function frozen(spec: JsonObject, gated: boolean): JsonObject {
  const { activeDeadlineSeconds: _, tolerations: __, schedulingGates: ___, nodeSelector, affinity, ...rest } = spec;
  return {
    ...rest,
    nodeName: textIn(spec, 'nodeName'),
    containers: imageless(spec, 'containers'),
    initContainers: imageless(spec, 'initContainers'),
    nodeSelector: gated ? null : (nodeSelector ?? null),
    affinity: gated ? (otherAffinities(spec) ?? null) : (affinity ?? null),
  };
}

const changeable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

function specIssues(spec: JsonObject, before: JsonObject): Issue[] {
  for (const list of ['containers', 'initContainers']) {
    if (objectsIn(spec, list).length !== objectsIn(before, list).length)
      return [forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')];
  }
  const deadline = deadlineIssues(spec, before);
  if (deadline.length > 0) return deadline;
  const gated = gatesOf(before).length > 0;
  const same = sameValue(frozen(spec, gated), frozen(before, gated));
  return [
    ...tolerationIssues(spec, before),
    ...gateIssues(spec, before),
    ...(gated ? [...selectorIssues(spec, before), ...affinityIssues(spec, before)] : []),
    ...(same ? [] : [forbiddenField('spec', changeable)]),
  ];
}

const mirror = 'kubernetes.io/config.mirror';
const armor = 'container.apparmor.security.beta.kubernetes.io/';

/** Annotations that say what the node does with a Pod are there from the beginning, and stay. */
function annotationIssues(pod: JsonObject, old: JsonObject): Issue[] {
  const [now, then] = [pod, old].map((one) => objectIfIn(metadataOf(one), 'annotations') ?? {});
  const issues = (keys: readonly string[], does: string): Issue[] =>
    keys.flatMap((key) => {
      const what = key === mirror ? 'mirror pod annotation' : key.startsWith(armor) ? 'AppArmor annotations' : '';
      return what === '' ? [] : [forbiddenField(`metadata.annotations[${key}]`, `may not ${does} ${what}`)];
    });
  return [
    ...issues(
      Object.keys(then ?? {}).filter((key) => now?.[key] !== then?.[key]),
      'remove or update',
    ),
    ...issues(
      Object.keys(now ?? {}).filter((key) => then?.[key] === undefined),
      'add',
    ),
  ];
}

export function podUpdateIssues(pod: JsonObject, old: JsonObject): Issue[] {
  const annotations = annotationIssues(pod, old);
  return [...annotations, ...specIssues(objectIfIn(pod, 'spec') ?? {}, objectIfIn(old, 'spec') ?? {})];
}
