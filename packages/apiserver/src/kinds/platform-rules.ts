// The rules of roles and of their bindings.
import type { JsonObject } from 'kilter/api';
import { invalidValue, required, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, sameValue, textIn, textsOf } from '../values/index.ts';
import { labelSelectorIssues } from './matching-rules.ts';

/** Which kinds of roles a binding of this kind may name. */
function ruleIssues(rule: JsonObject, field: string, namespaced: boolean): Issue[] {
  const texts = (name: string): string[] => textsOf(rule[name]);
  const urls = texts('nonResourceURLs');
  const place = `${field}.nonResourceURLs`;
  const verbs = texts('verbs').length > 0 ? [] : [required(`${field}.verbs`, 'verbs must contain at least one value')];
  if (urls.length > 0) {
    const both = ['apiGroups', 'resources', 'resourceNames'].some((name) => texts(name).length > 0);
    return [
      ...verbs,
      ...(namespaced ? [invalidValue(place, urls, 'namespaced rules cannot apply to non-resource URLs')] : []),
      ...(both
        ? [invalidValue(place, urls, 'rules cannot apply to both regular resources and non-resource URLs')]
        : []),
    ];
  }
  const needed = (name: string, what: string): Issue[] =>
    texts(name).length > 0 ? [] : [required(`${field}.${name}`, `resource rules must supply at least one ${what}`)];
  return [...verbs, ...needed('apiGroups', 'api group'), ...needed('resources', 'resource')];
}

function aggregatedIssues(selector: JsonObject, index: number): Issue[] {
  const at = `aggregationRule.clusterRoleSelectors[${index}]`;
  const flaws = labelSelectorIssues(selector, at);
  return flaws.length === 0 ? [] : [...flaws, invalidValue(at, null, 'invalid label selector.')];
}

/** What a Role or ClusterRole may say. */
export const roleRules =
  ({ namespaced }: { readonly namespaced: boolean }) =>
  (role: JsonObject): Issue[] => {
    const aggregation = objectIfIn(role, 'aggregationRule');
    const field = 'aggregationRule.clusterRoleSelectors';
    const why = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    const none = aggregation !== undefined && objectsIn(aggregation, 'clusterRoleSelectors').length === 0;
    return [
      ...objectsIn(role, 'rules').flatMap((rule, index) => ruleIssues(rule, `rules[${index}]`, namespaced)),
      ...(none && !namespaced ? [required(field, why)] : []),
      ...(namespaced ? [] : objectsIn(aggregation ?? {}, 'clusterRoleSelectors').flatMap(aggregatedIssues)),
    ];
  };

export const bindingRules =
  (...kinds: readonly string[]) =>
  (binding: JsonObject, old: JsonObject | undefined): Issue[] => {
    const role = objectIfIn(binding, 'roleRef') ?? {};
    const kind = textIn(role, 'kind');
    const before = old?.['roleRef'];
    return [
      ...(kinds.includes(kind) ? [] : [unsupported('roleRef.kind', kind, kinds)]),
      ...(textIn(role, 'name') === '' ? [required('roleRef.name')] : []),
      ...(before === undefined || sameValue(role, before)
        ? []
        : [invalidValue('roleRef', role, 'cannot change roleRef')]),
    ];
  };
