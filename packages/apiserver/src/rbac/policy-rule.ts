/** What a role allows, in the form of rbac.authorization.k8s.io/v1. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly resourceNames?: readonly string[] | undefined;
  readonly nonResourceURLs?: readonly string[] | undefined;
}

/** What somebody wants to do: to a resource, or to a path that is not one. */
export type Access = ResourceAccess | PathAccess;

export interface ResourceAccess {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty: at the cluster scope. */
  readonly namespace: string;
  /** Empty: of all, or of one whose name is not known yet. */
  readonly name: string;
}

export interface PathAccess {
  readonly verb: string;
  readonly path: string;
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes('*') || list.includes(value));

/** A star is at the end alone. */
export function pathMatches(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')));
}

function namesResource({ resources }: PolicyRule, { resource, subresource }: ResourceAccess): boolean {
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return has(resources, whole) || (subresource !== '' && resources?.includes(`*/${subresource}`) === true);
}

/** Whether a rule allows this; several rules add up only each for itself. */
export function ruleAllows(rule: PolicyRule, access: Access): boolean {
  if (!has(rule.verbs, access.verb)) return false;
  if ('path' in access) return (rule.nonResourceURLs ?? []).some((pattern) => pathMatches(pattern, access.path));
  const { resourceNames = [] } = rule;
  const named = resourceNames.length === 0 || resourceNames.includes(access.name);
  return named && has(rule.apiGroups, access.group) && namesResource(rule, access);
}
