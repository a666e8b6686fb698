// The scopes of a quota: which pods and claims it is about.
import type { JsonObject } from 'kilter/api';
import { qosClass } from '../kinds/index.ts';
import { objectIfIn, objectsIn, specOf, textIn, textsOf } from '../values/index.ts';

/** One thing that must be true of an object for a quota to count it. */
export interface Scope {
  readonly name: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** `scopes` and `scopeSelector` together: all of them must hold. */
export function scopesOf(quota: JsonObject): Scope[] {
  const spec = specOf(quota);
  const named = textsOf(spec['scopes']).map((name) => ({ name, operator: 'Exists', values: [] }));
  const selected = objectsIn(objectIfIn(spec, 'scopeSelector') ?? {}, 'matchExpressions').map((expression) => ({
    name: textIn(expression, 'scopeName'),
    operator: textIn(expression, 'operator'),
    values: textsOf(expression['values']),
  }));
  return [...named, ...selected];
}

/** Whether the class an object names is one that the scope means; an object without a class is in none. */
function hasClass({ operator, values }: Scope, name: string): boolean {
  switch (operator) {
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    case 'In':
      return name !== '' && values.includes(name);
    case 'NotIn':
      return name === '' || !values.includes(name);
    default:
      return false;
  }
}

/** A pod that ends by itself after some time. */
export const isTerminating = (pod: JsonObject): boolean => {
  const seconds = specOf(pod)['activeDeadlineSeconds'];
  return typeof seconds === 'number' && seconds >= 0;
};

function looksBeyond(term: JsonObject): boolean {
  return textsOf(term['namespaces']).length > 0 || objectIfIn(term, 'namespaceSelector') !== undefined;
}

/** Whether where a pod may run depends on pods of other namespaces. */
function dependsOnOthers(pod: JsonObject): boolean {
  const affinity = objectIfIn(specOf(pod), 'affinity') ?? {};
  return ['podAffinity', 'podAntiAffinity'].some((sort) => {
    const rules = objectIfIn(affinity, sort) ?? {};
    const wanted = objectsIn(rules, 'requiredDuringSchedulingIgnoredDuringExecution');
    const preferred = objectsIn(rules, 'preferredDuringSchedulingIgnoredDuringExecution');
    return [...wanted, ...preferred.map((one) => objectIfIn(one, 'podAffinityTerm') ?? {})].some(looksBeyond);
  });
}

export function isPodIn(scope: Scope, pod: JsonObject): boolean {
  switch (scope.name) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return qosClass(specOf(pod)) === 'BestEffort';
    case 'NotBestEffort':
      return qosClass(specOf(pod)) !== 'BestEffort';
    case 'PriorityClass':
      return hasClass(scope, textIn(specOf(pod), 'priorityClassName'));
    case 'CrossNamespacePodAffinity':
      return dependsOnOthers(pod);
    default:
      return false;
  }
}

/** Every class of attributes a claim has, wants, or is on its way to. */
function attributesClasses(claim: JsonObject): string[] {
  const status = objectIfIn(claim, 'status') ?? {};
  const names = [
    textIn(specOf(claim), 'volumeAttributesClassName'),
    textIn(status, 'currentVolumeAttributesClassName'),
    textIn(objectIfIn(status, 'modifyVolumeStatus') ?? {}, 'targetVolumeAttributesClassName'),
  ];
  return names.filter((name) => name !== '');
}

export function isClaimIn(scope: Scope, claim: JsonObject): boolean {
  if (scope.name !== 'VolumeAttributesClass') return false;
  const names = attributesClasses(claim);
  return names.length === 0 ? hasClass(scope, '') : names.some((name) => hasClass(scope, name));
}
