import { type ControllerDescription, describeController, type DescribedKind } from '../controller/index.ts';
import { ruleAsYaml, type ResourceRule } from '../errors/index.ts';
import type { PolicyRule } from '../k8s/rbac/v1.ts';
import type { ResolvedOperatorOptions } from './options.ts';
import { operatorPermissions, permissionRules, type Permissions } from './permissions.ts';

/** What an operator watches, owns, reads, writes, indexes and serves: plain data, for `JSON.stringify`. */
export interface OperatorDescription {
  readonly name: string;
  /** Undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  readonly controllers: readonly ControllerDescription[];
  readonly parts: readonly { readonly name: string; readonly on: 'leader' | 'everyReplica' }[];
  readonly leaderElection: { readonly lease: string; readonly namespace: string | undefined } | undefined;
  /** Addresses, as `run()` serves them; '0' for none. */
  readonly serves: { readonly metrics: string; readonly probes: string };
  readonly permissions: Permissions;
}

export function describeOperator(options: ResolvedOperatorOptions): OperatorDescription {
  const { name, namespaces, controllers, leaderElection, metricsAddress, probeAddress } = options;
  return {
    name,
    namespaces,
    controllers: controllers.map(({ spec }) => describeController(spec)),
    parts: options.parts.map(({ name: part, on }) => ({ name: part, on })),
    leaderElection: leaderElection && { lease: leaderElection.lease, namespace: leaderElection.namespace },
    serves: { metrics: metricsAddress, probes: probeAddress },
    permissions: permissionRules(operatorPermissions(options)),
  };
}

function kindText({ apiVersion, kind, namespaces, labels, fields, metadataOnly }: DescribedKind): string {
  const parts = [
    namespaces === undefined ? '' : ` in ${namespaces.join(', ')}`,
    labels === undefined ? '' : ` with ${labels}`,
    fields === undefined ? '' : ` where ${fields}`,
    metadataOnly === true ? ' (metadata only)' : '',
  ];
  return `${kind} (${apiVersion})${parts.join('')}`;
}

const seconds = (ms: number): string => `${ms / 1000} s`;

function controllerLines(one: ControllerDescription): string[] {
  const rows: [what: string, entries: readonly string[]][] = [
    ['owns', one.owns.map((kind) => `${kindText(kind)}${kind.prune === true ? ', pruned' : ''}`)],
    ['refers to', one.references.map(kindText)],
    ['watches', one.watches.map(kindText)],
    ['reads', one.reads.map(kindText)],
    [
      'writes',
      one.writes.map(({ verbs, subresource, ...kind }) => {
        const what = subresource === undefined ? verbs.join(', ') : `${verbs.join(', ')} of ${subresource}`;
        return `${kindText(kind)}: ${what}`;
      }),
    ],
    ['indexes', one.indexes.map(({ kind, name }) => `${kind} by ${name}`)],
    ['finalizer', one.finalizers],
    [
      'woken by',
      one.sources === 0 ? [] : [`${one.sources} ${one.sources === 1 ? 'source' : 'sources'} outside the cluster`],
    ],
    ['runs every', one.every === undefined ? [] : [seconds(one.every)]],
  ];
  const where = one.everyReplica === true ? ' on every replica' : '';
  const head = `controller ${one.name}${where}: reconciles ${kindText(one.reconciles)}, ${one.concurrency} at a time, ${seconds(one.timeout)} at most`;
  return [head, ...rows.flatMap(([what, entries]) => entries.map((entry) => `  ${what.padEnd(10)} ${entry}`))];
}

function ruleLines(where: string, rules: readonly PolicyRule[]): string[] {
  if (rules.length === 0) return [];
  return [where, ...rules.map((rule) => `  ${ruleAsYaml(rule as ResourceRule)}`)];
}

/** The same for people. */
export function descriptionText(operator: OperatorDescription): string {
  const { namespaces, leaderElection, serves, permissions } = operator;
  const served = Object.entries(serves).filter(([, address]) => address !== '0');
  return [
    `operator ${operator.name}: ${namespaces === undefined ? 'all namespaces' : `namespaces ${namespaces.join(', ')}`}`,
    leaderElection === undefined ? 'no leader election' : `leader election by the Lease ${leaderElection.lease}`,
    `serves ${served.length === 0 ? 'nothing' : served.map(([what, address]) => `${what} on ${address}`).join(', ')}`,
    ...operator.controllers.flatMap(controllerLines),
    ...operator.parts.map(({ name, on }) => `part ${name}: on ${on === 'leader' ? 'the leader' : 'every replica'}`),
    ...ruleLines('rules in all namespaces (ClusterRole)', permissions.cluster),
    ...Object.entries(permissions.namespaces).flatMap(([name, rules]) => ruleLines(`rules in ${name} (Role)`, rules)),
  ].join('\n');
}
