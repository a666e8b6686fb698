// What the Services of the cluster have taken.
import type { JsonObject } from 'kilter/api';
import type { NodePort } from '../kinds/index.ts';
import { metadataOf, objectIn, objectsIn, textIn } from '../values/index.ts';
import { type Core, load } from './core.ts';

function services(core: Core): JsonObject[] {
  const { catalog, storage } = core;
  const served = catalog.storedIn('/services');
  return served === undefined ? [] : storage.list('/services').map((stored) => load(core, served, stored));
}

export function clusterAddresses(core: Core): string[] {
  return services(core).map((service) => textIn(objectIn(service, 'spec'), 'clusterIP'));
}

/** Ports of nodes that Services have, but for the one of this uid. */
export function nodePortsBut(core: Core, uid: string): NodePort[] {
  return services(core)
    .filter((service) => textIn(metadataOf(service), 'uid') !== uid)
    .flatMap((service) => objectsIn(objectIn(service, 'spec'), 'ports'))
    .map((port) => ({ number: Number(port['nodePort'] ?? 0), protocol: textIn(port, 'protocol') }))
    .filter(({ number }) => number !== 0);
}
