/** The fields of an RBAC rule about resources. */
export interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[] | undefined;
}

const list = (texts: readonly string[]): string => `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`;

/** A rule as one line of YAML, to be pasted under `rules:`. */
export function ruleAsYaml({ apiGroups, resources, resourceNames, verbs }: ResourceRule): string {
  const names = resourceNames === undefined ? '' : `resourceNames: ${list(resourceNames)}, `;
  return `- {apiGroups: ${list(apiGroups)}, resources: ${list(resources)}, ${names}verbs: ${list(verbs)}}`;
}

// The words of the server's authorizer, the same for every authorization mode.
const refusal =
  /cannot (?<verb>\S+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"(?: in the namespace "(?<namespace>[^"]+)")?/;
const path = /cannot (?<verb>\S+) path "(?<path>[^"]+)"/;

/** What to grant, in words and as YAML. Undefined namespace: in all of them. */
export function grantText(rule: ResourceRule, namespace: string | undefined): string {
  const where = namespace === undefined ? 'a ClusterRole' : `a Role in namespace ${namespace}, or a ClusterRole`;
  return `grant this rule to the user in ${where}: ${ruleAsYaml(rule)}`;
}

/** What to grant after a refusal that is a matter of rights; undefined where a policy, a quota or a webhook said no. */
export function cureOfRefusal(message: string): string | undefined {
  const found = refusal.exec(message)?.groups;
  if (found !== undefined) {
    const { verb = '', resource = '', group = '', namespace } = found;
    return grantText({ apiGroups: [group], resources: [resource], verbs: [verb] }, namespace);
  }
  const url = path.exec(message)?.groups;
  if (url !== undefined) {
    const { verb = '', path: of = '' } = url;
    return `grant this rule to the user in a ClusterRole: - {nonResourceURLs: ${list([of])}, verbs: ${list([verb])}}`;
  }
  if (message.includes('attempting to grant RBAC permissions not currently held')) {
    return "whoever grants permissions must hold them, or have the verb bind (for bindings) or escalate (for roles) on the role: .writes(ClusterRole, { verbs: ['bind'], names: [role] })";
  }
  if (!message.includes('cannot set blockOwnerDeletion')) return undefined;
  return 'grant the verb update on the subresource finalizers of the owner, as operator.permissions() does';
}
