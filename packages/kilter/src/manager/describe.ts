import { kindLabel } from '../api/index.ts';
import {
  type ControllerDescription,
  describeController,
  describeKind,
  type DescribedKind,
  type DescribedWrite,
  describeWrites,
} from '../controller/index.ts';
import { ruleAsYaml, type ResourceRule } from '../errors/index.ts';
import type { PolicyRule } from '../k8s/rbac/v1.ts';
import { type ResolvedWebhook, resolveServing } from '../webhook/index.ts';
import type { ResolvedOperatorOptions } from './options.ts';
import type { Part } from './part.ts';
import { operatorPermissions, permissionRules, type Permissions } from './permissions.ts';
import { convertedKinds } from './webhooks.ts';

/** What a part reads and writes beside what controllers declare, as data. */
interface PartDescription {
  readonly name: string;
  readonly on: 'leader' | 'everyReplica';
  readonly reads: readonly DescribedKind[];
  readonly writes: readonly DescribedWrite[];
}

/** Which requests a webhook is asked about, as data. */
interface WebhookDescription extends DescribedKind {
  readonly type: 'mutating' | 'validating';
  readonly operations: readonly string[];
  readonly subresource?: string | undefined;
  readonly path: string;
}

/** What an operator watches, owns, reads, writes, indexes and serves: plain data, for `JSON.stringify`. */
export interface OperatorDescription {
  readonly name: string;
  /** Undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  readonly controllers: readonly ControllerDescription[];
  readonly parts: readonly PartDescription[];
  readonly webhooks: readonly WebhookDescription[];
  /** The kinds whose versions it converts. */
  readonly converts: readonly string[];
  readonly leaderElection: { readonly lease: string; readonly namespace: string | undefined } | undefined;
  /** The addresses that `run()` serves; '0' for none. */
  readonly serves: { readonly metrics: string; readonly probes: string; readonly webhooks?: string | undefined };
  readonly permissions: Permissions;
}

const describePart = ({ name, on, reads, writes }: Part): PartDescription => ({
  name,
  on,
  reads: reads.map(describeKind),
  writes: describeWrites(writes),
});

const describeWebhook = ({ type, kind, operations, subresource, path }: ResolvedWebhook): WebhookDescription => ({
  type,
  ...describeKind(kind),
  operations,
  ...(subresource !== undefined && { subresource }),
  path,
});

/** Nothing where there is nothing to answer. */
function webhooksAt({ name, webhooks, webhookServer, allKinds }: ResolvedOperatorOptions): { webhooks?: string } {
  if (webhooks.length === 0 && convertedKinds(allKinds).length === 0) return {};
  return { webhooks: resolveServing(name, webhookServer).address };
}

export function describeOperator(options: ResolvedOperatorOptions): OperatorDescription {
  const { name, namespaces, controllers, leaderElection, metricsAddress, probeAddress } = options;
  return {
    name,
    namespaces,
    controllers: controllers.map(({ spec }) => describeController(spec)),
    parts: options.parts.map(describePart),
    webhooks: options.webhooks.map(describeWebhook),
    converts: convertedKinds(options.allKinds).map(({ names }) => kindLabel(names)),
    leaderElection: leaderElection && { lease: leaderElection.lease, namespace: leaderElection.namespace },
    serves: { metrics: metricsAddress, probes: probeAddress, ...webhooksAt(options) },
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

function writeText({ verbs, subresource, names, ...kind }: DescribedWrite): string {
  const what = subresource === undefined ? verbs.join(', ') : `${verbs.join(', ')} of ${subresource}`;
  return `${kindText(kind)}: ${what}${names === undefined ? '' : ` of ${names.join(', ')} alone`}`;
}

type Row = readonly [what: string, entries: readonly string[]];

const rowLines = (rows: readonly Row[]): string[] =>
  rows.flatMap(([what, entries]) => entries.map((entry) => `  ${what.padEnd(10)} ${entry}`));

const seconds = (ms: number): string => `${ms / 1000} s`;

function controllerLines(one: ControllerDescription): string[] {
  const rows: Row[] = [
    ['owns', one.owns.map((kind) => `${kindText(kind)}${kind.prune === true ? ', pruned' : ''}`)],
    ['refers to', one.references.map(kindText)],
    ['watches', one.watches.map(kindText)],
    ['reads', one.reads.map(kindText)],
    ['writes', one.writes.map(writeText)],
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
  return [head, ...rowLines(rows)];
}

function partLines({ name, on, reads, writes }: PartDescription): string[] {
  const head = `part ${name}: on ${on === 'leader' ? 'the leader' : 'every replica'}`;
  return [
    head,
    ...rowLines([
      ['reads', reads.map(kindText)],
      ['writes', writes.map(writeText)],
    ]),
  ];
}

function webhookLine({ type, operations, subresource, path, ...kind }: WebhookDescription): string {
  const what = subresource === undefined ? kindText(kind) : `${subresource} of ${kindText(kind)}`;
  return `${type} webhook for ${what}: ${operations.join(', ')}, at ${path}`;
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
    ...operator.parts.flatMap(partLines),
    ...operator.webhooks.map(webhookLine),
    ...operator.converts.map((kind) => `converts ${kind} between its versions`),
    ...ruleLines('rules in all namespaces (ClusterRole)', permissions.cluster),
    ...Object.entries(permissions.namespaces).flatMap(([name, rules]) => ruleLines(`rules in ${name} (Role)`, rules)),
  ].join('\n');
}
