// An IPAddress for each address of a Service, as long as the Service has it.
import { isIPv6 } from 'node:net';
import type { JsonObject } from 'kilter/api';
import { identified } from '../decoding/index.ts';
import type { Change } from '../storage/index.ts';
import { metadataOf, objectIfIn, parseJson, textIn, textsOf } from '../values/index.ts';
import { type Core, keyOf, read } from './core.ts';
import { createNow, deleteNow } from './pipeline.ts';

const addresses = 'networking.k8s.io/ipaddresses';
const options = { dryRun: false, manager: 'kube-apiserver', fieldValidation: 'Ignore', force: false } as const;
const deletion = {
  dryRun: false,
  propagation: undefined,
  graceSeconds: undefined,
  uid: undefined,
  resourceVersion: undefined,
} as const;

/** None where it has none of the cluster's. */
const addressesOf = (service: JsonObject): string[] =>
  textsOf((objectIfIn(service, 'spec') ?? {})['clusterIPs']).filter((address) => address !== '' && address !== 'None');

function addressOf(service: JsonObject, address: string): JsonObject {
  const { name, namespace } = metadataOf(service);
  return {
    metadata: {
      name: address,
      labels: {
        'ipaddress.kubernetes.io/ip-family': isIPv6(address) ? 'IPv6' : 'IPv4',
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      },
    },
    spec: { parentRef: { resource: 'services', namespace: namespace ?? '', name: name ?? '' } },
  };
}

const isOf = (address: JsonObject, service: JsonObject): boolean => {
  const parent = objectIfIn(objectIfIn(address, 'spec') ?? {}, 'parentRef') ?? {};
  const metadata = metadataOf(service);
  return ['name', 'namespace'].every((field) => textIn(parent, field) === textIn(metadata, field));
};

function follow(core: Core, { bucket, type, text }: Change): void {
  const served = core.catalog.storedIn(addresses);
  if (bucket !== '/services' || served === undefined) return;
  const service = parseJson(text) as JsonObject;
  for (const name of addressesOf(service)) {
    const old = read(core, served, keyOf(served, undefined, name));
    if (type === 'DELETED') {
      if (old !== undefined && isOf(old, service)) deleteNow(core, { served, old, options: deletion });
    } else if (old === undefined) {
      const object = identified(addressOf(service, name), served.definition);
      createNow(core, { served, object, options, tracked: false });
    }
  }
}

/** Returns what ends that. */
export const keepServiceAddresses = (core: Core): (() => void) =>
  core.storage.subscribe((change) => follow(core, change));
