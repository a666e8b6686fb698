import type { KubeObject } from '../api/index.ts';
import { ServiceAccount } from '../k8s/core/v1.ts';
import { ClusterRole, ClusterRoleBinding, type PolicyRule, Role, RoleBinding } from '../k8s/rbac/v1.ts';
import type { Operator } from './operator.ts';

/** Of `rbacManifests`: names and the namespace of the ServiceAccount. */
export interface RbacOptions {
  /** Where the operator runs. Default: `default`. */
  namespace?: string | undefined;
  /** The ServiceAccount it runs as. Default: the operator's name. */
  serviceAccount?: string | undefined;
}

const apiGroup = 'rbac.authorization.k8s.io';

/**
 * The objects that let an operator do what it declares: its ServiceAccount, a ClusterRole for what it needs everywhere and a Role
 * for each namespace it needs more in, each with its binding. Written as YAML or JSON they are what `kubectl apply` takes.
 */
export function rbacManifests(operator: Operator, options: RbacOptions = {}): KubeObject[] {
  const { namespace = 'default', serviceAccount = operator.name } = options;
  const { name } = operator;
  const { cluster, namespaces } = operator.permissions({ namespace });
  const subjects = [{ kind: 'ServiceAccount', name: serviceAccount, namespace }];
  const role = (home: string, rules: readonly PolicyRule[]): KubeObject[] => [
    Role.build({ name, namespace: home, rules: [...rules] }),
    RoleBinding.build({ name, namespace: home, roleRef: { apiGroup, kind: 'Role', name }, subjects }),
  ];
  const everywhere = [
    ClusterRole.build({ name, rules: [...cluster] }),
    ClusterRoleBinding.build({ name, roleRef: { apiGroup, kind: 'ClusterRole', name }, subjects }),
  ];
  return [
    ServiceAccount.build({ name: serviceAccount, namespace }),
    ...(cluster.length > 0 ? everywhere : []),
    ...Object.entries(namespaces).flatMap(([home, rules]) => role(home, rules)),
  ];
}
