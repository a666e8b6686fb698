// Who beside the API itself has a say in changes and conversions, put together.
import { metadataOf, objectIfIn, textIn } from './values/index.ts';
import { claimSizes, defaultIngressClass, defaultStorageClass, runtimeClasses } from './classes/index.ts';
import { limitRanges, resourceQuotas } from './limits/index.ts';
import { mutatingPolicies, validatingPolicies } from './policies/index.ts';
import { type AdmissionStep, type Converter, type ServerRegistry, uuid } from './registry/index.ts';
import { type ServiceReference, type ServiceResolver, webhooks } from './webhooks/index.ts';
import type { ServerClock } from './calls/index.ts';

export interface AdmissionOptions {
  readonly clock: ServerClock;
  readonly random: () => number;
  readonly services: ServiceResolver | undefined;
  /** The registry the steps belong to; asked for once the first change comes. */
  readonly registry: () => ServerRegistry;
}

function clusterAddress(registry: ServerRegistry, { namespace, name }: ServiceReference): string | undefined {
  const services = registry.findKind('', 'Service');
  const all = services === undefined ? [] : registry.peek(services, namespace);
  const found = all.find((service) => textIn(metadataOf(service), 'name') === name);
  return found && textIn(objectIfIn(found, 'spec') ?? {}, 'clusterIP');
}

/** In the order of the real server: each is asked first what it changes, then what it has against the result. */
export function admissionOf(options: AdmissionOptions): { admission: AdmissionStep[]; converter: Converter } {
  const { clock, random, services = () => undefined, registry } = options;
  const { mutating, validating, converter } = webhooks({
    clock,
    uuid: () => uuid(random),
    services,
    clusterAddress: (service) => clusterAddress(registry(), service),
  });
  return {
    admission: [
      limitRanges,
      defaultStorageClass,
      claimSizes,
      runtimeClasses,
      defaultIngressClass,
      mutatingPolicies,
      mutating,
      validatingPolicies,
      validating,
      resourceQuotas,
    ],
    converter,
  };
}
