// The rules of roles and of their bindings.
import type { JsonObject } from 'kilter/api';
import { invalidValue, required, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, sameValue, textIn, textsOf } from '../values/index.ts';
import { labelSelectorIssues } from './matching-rules.ts';
import { nameProblems } from './names.ts';

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

const rbacGroup = 'rbac.authorization.k8s.io';

/** Who gets a role: an account is of a namespace, and may leave that of the binding out. */
function subjectIssues(subject: JsonObject, at: string, namespaced: boolean): Issue[] {
  const [kind, name, group] = [textIn(subject, 'kind'), textIn(subject, 'name'), textIn(subject, 'apiGroup')];
  const account = kind === 'ServiceAccount';
  const known = account || kind === 'User' || kind === 'Group';
  const [needed, missing] = [account ? '' : rbacGroup, textIn(subject, 'namespace') === ''];
  const flaws = account && name !== '' ? nameProblems(name, 'subdomain') : [];
  return [
    ...(name === '' ? [required(`${at}.name`)] : []),
    ...flaws.map((flaw) => invalidValue(`${at}.name`, name, flaw)),
    ...(known && group !== needed ? [unsupported(`${at}.apiGroup`, group, [needed])] : []),
    ...(account && !namespaced && missing ? [required(`${at}.namespace`)] : []),
    ...(known ? [] : [unsupported(`${at}.kind`, kind, ['ServiceAccount', 'User', 'Group'])]),
  ];
}

/** As the server's struct. */
const shownRole = (role: JsonObject): JsonObject => ({
  APIGroup: textIn(role, 'apiGroup'),
  Kind: textIn(role, 'kind'),
  Name: textIn(role, 'name'),
});

export const bindingRules =
  (...kinds: readonly string[]) =>
  (binding: JsonObject, old: JsonObject | undefined): Issue[] => {
    const role = objectIfIn(binding, 'roleRef') ?? {};
    const kind = textIn(role, 'kind');
    const before = old?.['roleRef'];
    return [
      ...(kinds.includes(kind) ? [] : [unsupported('roleRef.kind', kind, kinds)]),
      ...(textIn(role, 'name') === '' ? [required('roleRef.name')] : []),
      ...objectsIn(binding, 'subjects').flatMap((subject, index) =>
        subjectIssues(subject, `subjects[${index}]`, kinds.length > 1),
      ),
      ...(before === undefined || sameValue(role, before)
        ? []
        : [invalidValue('roleRef', shownRole(role), 'cannot change roleRef')]),
    ];
  };
