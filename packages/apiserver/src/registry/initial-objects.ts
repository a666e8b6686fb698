import type { JsonObject } from 'kilter/api';
import { identified } from '../decoding/index.ts';
import { type BootstrapOptions, seedBootstrapObjects } from './bootstrap-objects.ts';
import type { Core } from './core.ts';
import { createNow } from './pipeline.ts';
import { clone } from '../values/index.ts';

const options = { dryRun: false, manager: 'kube-apiserver', fieldValidation: 'Ignore', force: false } as const;

function seed(core: Core, bucket: string, object: JsonObject): void {
  const served = core.catalog.storedIn(bucket);
  if (served === undefined) return;
  createNow(core, { served, object: identified(object, served.definition), options, tracked: false });
}

const apiService: JsonObject = {
  metadata: {
    name: 'kubernetes',
    namespace: 'default',
    labels: { component: 'apiserver', provider: 'kubernetes' },
  },
  spec: { type: 'ClusterIP', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] },
};

const systemClasses: readonly JsonObject[] = [
  {
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
];

const serviceAddresses = (cidr: string): JsonObject => ({ metadata: { name: 'kubernetes' }, spec: { cidrs: [cidr] } });

// Servers behind this one learn here whom to trust: no certificate of a client is known beforehand.
const authentication: JsonObject = {
  metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
};

/** What every cluster has from its first moment. */
export function seedObjects(core: Core, kinds: BootstrapOptions): void {
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    seed(core, '/namespaces', { metadata: { name } });
  }
  seed(core, '/services', clone(apiService));
  for (const one of systemClasses) seed(core, 'scheduling.k8s.io/priorityclasses', clone(one));
  seed(core, 'networking.k8s.io/servicecidrs', serviceAddresses(core.strategyContext.serviceRange.cidr));
  seed(core, '/configmaps', clone(authentication));
  seedBootstrapObjects(core, kinds);
  // No client was there: what came before these is not history.
  core.storage.compact();
}
