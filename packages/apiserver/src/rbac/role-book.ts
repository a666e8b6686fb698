import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import { metadataOf, objectIfIn, objectsIn, quote, textIn, textsOf } from '../values/index.ts';
import type { PolicyRule } from './policy-rule.ts';

/** All roles and bindings of a cluster, as they are stored. */
export interface StoredRoles {
  readonly roles: readonly JsonObject[];
  readonly clusterRoles: readonly JsonObject[];
  readonly roleBindings: readonly JsonObject[];
  readonly clusterRoleBindings: readonly JsonObject[];
}

export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** A rule somebody has, with the binding it comes from; or a binding that leads nowhere. */
export type HeldRule =
  | { readonly rule: PolicyRule; readonly source: string }
  | { readonly rule: undefined; readonly missing: RoleRef };

interface Binding {
  readonly namespace: string;
  /** How a reason names it. */
  readonly label: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly JsonObject[];
}

const nameOf = (object: JsonObject): string => textIn(metadataOf(object), 'name');
const namespaceOf = (object: JsonObject): string => textIn(metadataOf(object), 'namespace');

/** The rules of a stored role; fields that are not lists say nothing. */
export function rulesOf(role: JsonObject): PolicyRule[] {
  return objectsIn(role, 'rules').map((rule) => ({
    verbs: textsOf(rule['verbs']),
    apiGroups: textsOf(rule['apiGroups']),
    resources: textsOf(rule['resources']),
    resourceNames: textsOf(rule['resourceNames']),
    nonResourceURLs: textsOf(rule['nonResourceURLs']),
  }));
}

/** The role a binding names. */
export function roleRefOf(binding: JsonObject): RoleRef {
  const ref = objectIfIn(binding, 'roleRef') ?? {};
  return { kind: textIn(ref, 'kind'), name: textIn(ref, 'name') };
}

function bindingOf(object: JsonObject): Binding {
  const namespace = namespaceOf(object);
  const name = namespace === '' ? nameOf(object) : `${nameOf(object)}/${namespace}`;
  const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  return {
    namespace,
    label: `${kind} ${quote(name)}`,
    roleRef: roleRefOf(object),
    subjects: objectsIn(object, 'subjects'),
  };
}

function isMeant(subject: JsonObject, { name, groups }: User, namespace: string): boolean {
  const meant = textIn(subject, 'name');
  switch (textIn(subject, 'kind')) {
    case 'User':
      return meant === name;
    case 'Group':
      return groups.includes(meant);
    case 'ServiceAccount':
      return name === `system:serviceaccount:${textIn(subject, 'namespace') || namespace}:${meant}`;
    default:
      return false;
  }
}

function subjectLabel(subject: JsonObject, namespace: string): string {
  const kind = textIn(subject, 'kind');
  const name = textIn(subject, 'name');
  const where = textIn(subject, 'namespace') || namespace;
  return `${kind} ${quote(kind === 'ServiceAccount' ? `${name}/${where}` : name)}`;
}

/** Roles and bindings, ready to be asked. */
export class RoleBook {
  readonly #clusterRoles: ReadonlyMap<string, readonly PolicyRule[]>;
  /** By namespace and name. */
  readonly #roles: ReadonlyMap<string, readonly PolicyRule[]>;
  readonly #clusterBindings: readonly Binding[];
  readonly #bindings: ReadonlyMap<string, readonly Binding[]>;

  constructor({ roles, clusterRoles, roleBindings, clusterRoleBindings }: StoredRoles) {
    this.#clusterRoles = new Map(clusterRoles.map((role) => [nameOf(role), rulesOf(role)]));
    this.#roles = new Map(roles.map((role) => [`${namespaceOf(role)}/${nameOf(role)}`, rulesOf(role)]));
    this.#clusterBindings = clusterRoleBindings.map(bindingOf);
    this.#bindings = Map.groupBy(roleBindings.map(bindingOf), ({ namespace }) => namespace);
  }

  /** The rules of a role as a binding of this namespace means it; undefined if there is none. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return kind === 'ClusterRole' ? this.#clusterRoles.get(name) : this.#roles.get(`${namespace}/${name}`);
  }

  /** All that somebody has in a namespace, or at the cluster scope where none is named. */
  *heldBy(user: User, namespace: string): Generator<HeldRule> {
    const local = namespace === '' ? [] : (this.#bindings.get(namespace) ?? []);
    for (const binding of [...this.#clusterBindings, ...local]) {
      const subject = binding.subjects.find((one) => isMeant(one, user, binding.namespace));
      if (subject === undefined) continue;
      const { kind, name } = binding.roleRef;
      const rules = this.rulesOf(binding.roleRef, binding.namespace);
      if (rules === undefined) {
        yield { rule: undefined, missing: binding.roleRef };
        continue;
      }
      const source = `${binding.label} of ${kind} ${quote(name)} to ${subjectLabel(subject, binding.namespace)}`;
      for (const rule of rules) yield { rule, source };
    }
  }
}

/** What an authorizer says of a role that is not there. */
export function missingRole({ kind, name }: RoleRef): string {
  return `${kind.toLowerCase()}.rbac.authorization.k8s.io ${quote(name)} not found`;
}
