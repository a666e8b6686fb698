import {
  type MutatingWebhook,
  MutatingWebhookConfiguration,
  type ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '../k8s/admissionregistration/v1.ts';
import { conversionPath } from './handler.ts';
import type { ResolvedWebhook } from './resolved-webhook.ts';

/** How the API server reaches the webhooks of an operator: a Service, or a URL if there is none. */
export interface WebhookEndpoint {
  readonly service?:
    | { readonly name: string; readonly namespace: string; readonly port?: number | undefined }
    | undefined;
  /** Without a path: `https://127.0.0.1:9443`. */
  readonly url?: string | undefined;
  /**
   * The authority of the server's certificates, as PEM. Undefined if somebody else writes it into the configurations.
   */
  readonly caBundle?: string | undefined;
}

/** A `clientConfig`, of an admission webhook or a conversion. */
export interface ClientConfig {
  readonly service?: { name: string; namespace: string; path: string; port: number };
  readonly url?: string;
  readonly caBundle?: string;
}

const defaultPort = 443;

export function clientConfigAt(endpoint: WebhookEndpoint, path: string): ClientConfig {
  const { service, url, caBundle } = endpoint;
  const trust = caBundle !== undefined && { caBundle: Buffer.from(caBundle).toString('base64') };
  if (service !== undefined) {
    const { name, namespace, port = defaultPort } = service;
    return { service: { name, namespace, path, port }, ...trust };
  }
  return { url: `${(url ?? '').replace(/\/$/, '')}${path}`, ...trust };
}

export const conversionConfigAt = (endpoint: WebhookEndpoint): ClientConfig => clientConfigAt(endpoint, conversionPath);

/** What a webhook of either type has. Everything is said, so that nobody else's value is left standing. */
function commonOf(webhook: ResolvedWebhook, endpoint: WebhookEndpoint): ValidatingWebhook {
  const { group, version, plural, scope } = webhook.kind.names;
  const resource = webhook.subresource === undefined ? plural : `${plural}/${webhook.subresource}`;
  return {
    name: webhook.name,
    admissionReviewVersions: ['v1', 'v1beta1'],
    clientConfig: clientConfigAt(endpoint, webhook.path),
    rules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        resources: [resource],
        operations: [...webhook.operations],
        scope,
      },
    ],
    failurePolicy: webhook.failurePolicy,
    matchPolicy: webhook.matchPolicy,
    sideEffects: webhook.sideEffects,
    timeoutSeconds: webhook.timeoutSeconds,
    namespaceSelector: webhook.namespaceSelector ?? {},
    objectSelector: webhook.objectSelector ?? {},
    ...(webhook.matchConditions.length > 0 && { matchConditions: webhook.matchConditions.map((one) => ({ ...one })) }),
  };
}

/** Says whose a configuration is, for people and for whoever would take it over. */
export const operatorLabel = 'kilter.dev/operator';

export interface Configurations {
  /** Undefined where the operator has none of this type. */
  readonly mutating: MutatingWebhookConfiguration | undefined;
  readonly validating: ValidatingWebhookConfiguration | undefined;
}

/** The webhook configurations of an operator, named after it. */
export function configurationsOf(
  operator: string,
  webhooks: readonly ResolvedWebhook[],
  endpoint: WebhookEndpoint,
): Configurations {
  const identity = { name: operator, labels: { [operatorLabel]: operator } };
  const mutating = webhooks
    .filter(({ type }) => type === 'mutating')
    .map((webhook): MutatingWebhook => ({
      ...commonOf(webhook, endpoint),
      reinvocationPolicy: webhook.reinvocationPolicy,
    }));
  const validating = webhooks.filter(({ type }) => type === 'validating').map((webhook) => commonOf(webhook, endpoint));
  return {
    mutating:
      mutating.length === 0 ? undefined : MutatingWebhookConfiguration.build({ ...identity, webhooks: mutating }),
    validating:
      validating.length === 0 ? undefined : ValidatingWebhookConfiguration.build({ ...identity, webhooks: validating }),
  };
}
