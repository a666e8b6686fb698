import { type Kind, kindLabel, type Permission } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import { parseBindAddress, podNamespace } from '../config/index.ts';
import type { Convertible, ManifestOptions } from '../crd/index.ts';
import type { Runtime } from '../internal/index.ts';
import type { CustomResourceDefinition } from '../k8s/apiextensions/v1.ts';
import type { Logger, Metrics } from '../telemetry/index.ts';
import {
  loadWebhookPart,
  resolveServing,
  type WebhookGround,
  type WebhookPart,
  type WebhookPlace,
} from '../webhook/index.ts';
import type { ResolvedOperatorOptions } from './options.ts';

interface Versioned extends Kind, Convertible {
  manifest(options: ManifestOptions): CustomResourceDefinition;
}

const isVersioned = (kind: Kind): kind is Versioned =>
  'convert' in kind && typeof kind.convert === 'function' && 'manifest' in kind;

// Only whether one is needed is asked.
const anywhere = { conversion: { url: 'https://conversion.invalid/convert' } };

/** The kinds whose versions a webhook has to convert, each once. */
export function convertedKinds(kinds: readonly Kind[]): readonly Convertible[] {
  const found = kinds
    .filter(isVersioned)
    .filter((kind) => kind.manifest(anywhere).spec.conversion?.strategy === 'Webhook');
  return [...new Map(found.map((kind) => [kindLabel(kind.names), kind])).values()];
}

/** The labels of kinds that the operator neither reconciles nor guards. */
function usedKinds({ controllers, webhooks }: ResolvedOperatorOptions, kinds: readonly Convertible[]): Set<string> {
  const own = [...controllers.map(({ spec }) => spec.kind), ...webhooks.map(({ kind }) => kind)];
  const labels = new Set(own.map(({ names }) => kindLabel(names)));
  return new Set(kinds.map(({ names }) => kindLabel(names)).filter((label) => !labels.has(label)));
}

export interface WebhookEnvironment {
  readonly clientUntil: (signal: AbortSignal) => Client;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly contextNamespace: string;
  /** What whoever starts the operator says of where its webhooks are served. */
  readonly place: WebhookPlace | WebhookGround | undefined;
}

/** The webhooks of an operator; undefined where it has nothing to answer. */
export async function webhookPartOf(
  options: ResolvedOperatorOptions,
  { clientUntil, runtime, logger, metrics, contextNamespace, place = {} }: WebhookEnvironment,
): Promise<WebhookPart | undefined> {
  const { name, webhooks, webhookServer, syncTimeout } = options;
  const kinds = convertedKinds(options.allKinds);
  if (webhooks.length === 0 && kinds.length === 0) return undefined;
  const serving = 'open' in place ? place : resolveServing(name, { ...webhookServer, ...place });
  const bind = 'open' in serving ? undefined : parseBindAddress(serving.address, 'the webhook address');
  // '0' for none, as for metrics: then somebody else answers.
  if (bind === undefined && !('open' in serving)) return undefined;
  const namespace = await podNamespace({ context: contextNamespace });
  const used = usedKinds(options, kinds);
  const own = { operator: name, webhooks, kinds, used, serving, bind: bind ?? { port: 0 }, namespace };
  return loadWebhookPart({ ...own, startTimeout: syncTimeout, clientUntil, runtime, logger, metrics });
}

/** What serving and registering webhooks needs. */
export function webhookPermissions(options: ResolvedOperatorOptions, namespace: string): Permission[] {
  const { name, webhooks, webhookServer } = options;
  const converted = convertedKinds(options.allKinds);
  if (webhooks.length === 0 && converted.length === 0) return [];
  const { certificates, register } = resolveServing(name, webhookServer);
  const secrets = { group: '', resource: 'secrets', namespaces: [namespace], why: 'the certificates of webhooks' };
  const own: Permission[] =
    'mounted' in certificates
      ? []
      : [
          { ...secrets, verb: 'create', occasional: true },
          { ...secrets, verb: 'get', names: [certificates.secret] },
          { ...secrets, verb: 'update', names: [certificates.secret], occasional: true },
        ];
  if (!register) return own;
  return [...own, ...configurationPermissions(name), ...converted.flatMap(definitionPermissions)];
}

function configurationPermissions(name: string): Permission[] {
  const why = 'the registration of webhooks';
  return ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'].flatMap((resource): Permission[] => {
    const about = { group: 'admissionregistration.k8s.io', resource, namespaces: undefined, why };
    return [
      { ...about, verb: 'get', names: [name] },
      { ...about, verb: 'patch', names: [name], occasional: true },
      { ...about, verb: 'delete', names: [name], occasional: true },
      { ...about, verb: 'create', occasional: true },
    ];
  });
}

function definitionPermissions({ names }: Convertible): Permission[] {
  const about = {
    group: 'apiextensions.k8s.io',
    resource: 'customresourcedefinitions',
    namespaces: undefined,
    names: [`${names.plural}.${names.group}`],
    why: `the conversion of ${kindLabel(names)}`,
  };
  return [
    { ...about, verb: 'get' },
    { ...about, verb: 'patch', occasional: true },
  ];
}
