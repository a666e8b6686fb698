import type { KubeObject } from '../api/index.ts';
import type { OptionNames } from '../errors/index.ts';
import { ServiceAccount } from '../k8s/core/v1.ts';
import { FlowSchema } from '../k8s/flowcontrol/v1.ts';
import { ClusterRole, ClusterRoleBinding, type PolicyRule, Role, RoleBinding } from '../k8s/rbac/v1.ts';
import { checkOptions } from './mistakes.ts';
import type { Operator } from './operator.ts';

/** The options of `rbacManifests`: the name and namespace of the ServiceAccount. */
export interface RbacOptions {
  /** Where the operator runs. Default: `default`. */
  namespace?: string | undefined;
  /** The ServiceAccount it runs as. Default: the operator's name. */
  serviceAccount?: string | undefined;
  /**
   * Adds a FlowSchema that lets Lease requests go before the operator's other requests: they share the priority level
   * of the cluster's own leaders. Default: false. Turn it on if many objects or a busy server make renewals wait behind
   * the operator's own reads. Needs leader election, and permission to create FlowSchemas for whoever applies it.
   */
  flowSchema?: boolean | undefined;
}

const rbacOptions: OptionNames<RbacOptions> = { namespace: true, serviceAccount: true, flowSchema: true };

const apiGroup = 'rbac.authorization.k8s.io';

// Before `service-accounts` (9000), where all else of a ServiceAccount waits; after what clusters have for themselves.
const precedence = 1000;

/** Nothing where it has no Lease. */
function leaseFlow(name: string, account: { name: string; namespace: string }, homes: readonly string[]): KubeObject[] {
  if (homes.length === 0) return [];
  const verbs = ['get', 'list', 'watch', 'create', 'update'];
  const leases = { verbs, apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: [...homes] };
  const spec = {
    priorityLevelConfiguration: { name: 'leader-election' },
    matchingPrecedence: precedence,
    distinguisherMethod: { type: 'ByUser' },
    rules: [{ subjects: [{ kind: 'ServiceAccount', serviceAccount: account }], resourceRules: [leases] }],
  };
  return [FlowSchema.build({ name: `${account.namespace}-${name}-leases`, spec })];
}

/**
 * The objects that let an operator do what it declares: its ServiceAccount, a ClusterRole for what it needs everywhere
 * and a Role for each namespace in which it needs more, each with its binding; optionally a FlowSchema for its Lease.
 * Write them as YAML or JSON for `kubectl apply`.
 */
export function rbacManifests(operator: Operator, options: RbacOptions = {}): KubeObject[] {
  checkOptions('rbacManifests', options, rbacOptions);
  const { namespace = 'default', serviceAccount = operator.name, flowSchema = false } = options;
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
  const hasLeases = (rules: readonly PolicyRule[]): boolean =>
    rules.some(({ resources }) => resources?.includes('leases') === true);
  const homes = Object.keys(namespaces).filter((home) => hasLeases(namespaces[home] ?? []));
  const flow = flowSchema ? leaseFlow(name, { name: serviceAccount, namespace }, homes) : [];
  return [
    ServiceAccount.build({ name: serviceAccount, namespace }),
    ...(cluster.length > 0 ? everywhere : []),
    ...Object.entries(namespaces).flatMap(([home, rules]) => role(home, rules)),
    ...flow,
  ];
}
