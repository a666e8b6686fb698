import type { ResourceRule } from '../errors/index.ts';

/** One thing a program must be allowed to do, and why. RBAC rules, access reviews and descriptions are made from it. */
export interface Permission {
  readonly group: string;
  /** The plural, with its subresource: `deployments`, `webapps/status`. */
  readonly resource: string;
  readonly verb: string;
  /** Undefined: in all namespaces, or for a cluster-scoped kind. */
  readonly namespaces: readonly string[] | undefined;
  /** The names of the objects. Undefined: all objects. */
  readonly names?: readonly string[] | undefined;
  /** For example `the controller webapp owns Deployments`. */
  readonly why: string;
  /**
   * Used only occasionally (after a conflict, by an admission plugin), so a test that never uses it does not report it.
   */
  readonly occasional?: boolean | undefined;
}

const order = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

function byVerb(a: string, b: string): number {
  const [i, j] = [order.indexOf(a), order.indexOf(b)];
  if (i < 0 || j < 0) return i === j ? (a < b ? -1 : 1) : j - i;
  return i - j;
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

interface Group {
  readonly group: string;
  readonly resource: string;
  readonly names: readonly string[] | undefined;
  readonly verbs: Set<string>;
}

/** Permissions of one place as rules: one for all resources of a group that need the same; sorted, without repetition. */
export function rulesOf(permissions: readonly Permission[]): ResourceRule[] {
  const groups = new Map<string, Group>();
  for (const { group, resource, names, verb } of permissions) {
    const id = JSON.stringify([group, resource, names]);
    const found = groups.get(id) ?? { group, resource, names, verbs: new Set() };
    groups.set(id, found);
    found.verbs.add(verb);
  }
  const rules = new Map<string, ResourceRule & { resources: string[] }>();
  const sorted = [...groups.values()].toSorted(
    (a, b) =>
      compare(a.group, b.group) || compare(a.resource, b.resource) || (a.names?.length ?? 0) - (b.names?.length ?? 0),
  );
  for (const { group, resource, names, verbs: needed } of sorted) {
    const verbs = [...needed].toSorted(byVerb);
    const id = JSON.stringify([group, names, verbs]);
    const rule = rules.get(id);
    if (rule !== undefined) rule.resources.push(resource);
    else rules.set(id, { apiGroups: [group], resources: [resource], ...(names && { resourceNames: names }), verbs });
  }
  return [...rules.values()];
}
