// Webhooks of others: whom to ask about a change or a conversion, how to reach them, what of their answers is taken.
import type { ServerClock } from '../calls/index.ts';
import type { AdmissionStep, Converter } from '../registry/index.ts';
import { WebhookClient } from './client.ts';
import { webhookConverter } from './conversion.ts';
import { mutatingWebhooks } from './mutating.ts';
import type { ServiceReference, ServiceResolver } from './service.ts';
import { validatingWebhooks } from './validating.ts';

export type { ServiceHandler, ServiceReference, ServiceRequest, ServiceResolver, ServiceResponse } from './service.ts';

export interface WebhookOptions {
  readonly clock: ServerClock;
  readonly uuid: () => string;
  readonly services: ServiceResolver;
  /** The address a Service has in the cluster; undefined if there is no such Service. */
  readonly clusterAddress: (service: ServiceReference) => string | undefined;
}

/** Everything webhooks have a say in. */
export interface Webhooks {
  readonly mutating: AdmissionStep;
  readonly validating: AdmissionStep;
  readonly converter: Converter;
}

export function webhooks({ uuid, ...options }: WebhookOptions): Webhooks {
  const client = new WebhookClient(options);
  const calling = { client, uuid };
  return {
    mutating: mutatingWebhooks(calling),
    validating: validatingWebhooks(calling),
    converter: webhookConverter(calling),
  };
}
