import { type Permission, rulesOf } from '../api/index.ts';
import {
  eventPermissions,
  findsPoison,
  partPermissions,
  permissionsOf,
  quarantinePermissions,
} from '../controller/index.ts';
import type { PolicyRule } from '../k8s/rbac/v1.ts';
import type { ResolvedOperatorOptions } from './options.ts';
import { crashLeaseOf } from './crash-lease.ts';
import { metricsPermissions } from './secure-metrics.ts';
import { webhookPermissions } from './webhooks.ts';

/** The options of `permissions()`: where the operator will run. */
export interface PermissionsOptions {
  /**
   * Where the operator and its Lease are. Default: `leaderElection.namespace`, otherwise `default`. Set it if the
   * operator is deployed to another namespace.
   */
  namespace?: string | undefined;
}

/** The rules an operator needs, no more and no less. */
export interface Permissions {
  /** For a ClusterRole: what is needed in all namespaces, and for cluster-scoped kinds. */
  readonly cluster: readonly PolicyRule[];
  /** For Roles: what is needed in single namespaces, by namespace. */
  readonly namespaces: Readonly<Record<string, readonly PolicyRule[]>>;
}

/** Read and renewed by name; only a create has no name yet that a rule could ask for. */
function leasePermissions(lease: string, namespace: string): Permission[] {
  const why = `leader election by the Lease ${lease}`;
  const about = { group: 'coordination.k8s.io', resource: 'leases', namespaces: [namespace], why };
  const named = ['get', 'watch', 'update'].map((verb) => ({ ...about, verb, names: [lease] }));
  // A standby that polls has no need to watch, a Lease is created once, and who leads for a moment renews nothing.
  return [
    { ...about, verb: 'create', occasional: true },
    ...named.map((one) => ({ ...one, occasional: one.verb !== 'get' })),
  ];
}

/** The record of crashes is written by name too; without it nobody finds out who ends the process, and all else works. */
function crashPermissions(options: ResolvedOperatorOptions, namespace: string): Permission[] {
  const finding = options.controllers.filter(({ spec }) => findsPoison(spec));
  const { lease } = options.leaderElection ?? {};
  if (finding.length === 0 || lease === undefined) return [];
  const why = 'detecting objects that end the process';
  const about = { group: 'coordination.k8s.io', resource: 'leases', namespaces: [namespace], why, occasional: true };
  const record = ['get', 'patch'].map((verb) => ({ ...about, verb, names: [crashLeaseOf(lease)] }));
  return [...record, ...finding.flatMap(({ spec }) => quarantinePermissions(spec, options.namespaces))];
}

/** Everything an operator must be allowed to do, with the reasons; one entry for each verb. */
export function operatorPermissions(options: ResolvedOperatorOptions, given: PermissionsOptions = {}): Permission[] {
  const { controllers, parts, namespaces, leaderElection } = options;
  const all = [
    ...controllers.flatMap(({ spec }) => permissionsOf(spec, namespaces)),
    ...parts.flatMap((part) => partPermissions(part, namespaces)),
    ...webhookPermissions(options, given.namespace ?? 'default'),
    ...metricsPermissions(options.secureMetrics),
  ];
  if (leaderElection === undefined) return all;
  const own = leaderElection.namespace ?? given.namespace ?? 'default';
  const { lease } = leaderElection;
  return [
    ...all,
    ...leasePermissions(lease, own),
    ...crashPermissions(options, own),
    ...eventPermissions([own], `leader election records Events about the Lease ${lease}`),
  ];
}

const idOf = ({ group, resource, verb, names }: Permission): string => JSON.stringify([group, resource, verb, names]);

const asPolicy = (permissions: readonly Permission[]): PolicyRule[] => rulesOf(permissions) as PolicyRule[];

/** The same as rules: what is needed everywhere is not asked for again in single namespaces. */
export function permissionRules(permissions: readonly Permission[]): Permissions {
  const everywhere = permissions.filter(({ namespaces }) => namespaces === undefined);
  const covered = new Set(everywhere.map(idOf));
  const others = permissions.filter((one) => one.namespaces !== undefined && !covered.has(idOf(one)));
  const names = [...new Set(others.flatMap(({ namespaces }) => namespaces ?? []))].toSorted();
  return {
    cluster: asPolicy(everywhere),
    namespaces: Object.fromEntries(
      names.map((name) => [name, asPolicy(others.filter(({ namespaces }) => namespaces?.includes(name)))]),
    ),
  };
}
