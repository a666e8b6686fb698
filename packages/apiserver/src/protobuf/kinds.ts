import table from './messages.gen.json' with { type: 'json' };
import { type Message, type MessageTable, Messages } from './message.ts';

/** Messages of built-in kinds, shared by all servers: they never change. */
const messages = new Messages(table as MessageTable);

/** Groups whose package is not called after the first part of their name. */
const packages: Readonly<Record<string, string>> = { '': 'core', 'internal.apiserver.k8s.io': 'apiserverinternal' };

/** The package of a group and version: `apps/v1`, and `core/v1` for `v1`. */
export function packageOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  const group = slash === -1 ? '' : apiVersion.slice(0, slash);
  return `${packages[group] ?? group.split('.', 1)[0] ?? ''}/${apiVersion.slice(slash + 1)}`;
}

/** Kinds that every group has, in its own version. */
const shared = new Set([
  'Status',
  'DeleteOptions',
  'WatchEvent',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'ListOptions',
  'GetOptions',
  'APIVersions',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
]);

/** The message of a kind; undefined where it has none. */
export function messageOf(apiVersion: string, kind: string): Message | undefined {
  return (
    messages.find(`${shared.has(kind) ? 'meta/v1' : packageOf(apiVersion)}.${kind}`) ?? partialOf(apiVersion, kind)
  );
}

/** Of the two partial kinds, v1beta1 shares the object with v1. */
function partialOf(apiVersion: string, kind: string): Message | undefined {
  return apiVersion === 'meta.k8s.io/v1beta1' ? messages.find(`meta/v1.${kind}`) : undefined;
}
