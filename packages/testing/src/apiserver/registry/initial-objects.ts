import type { JsonObject } from 'kilter/api';
import type { Core } from './core.ts';
import { createObject } from './create.ts';
import { identified } from './decode-body.ts';

const options = { dryRun: false, manager: 'kube-apiserver', fieldValidation: 'Ignore', force: false } as const;

function seed(core: Core, bucket: string, object: JsonObject): void {
  const served = core.catalog.storedIn(bucket);
  if (served === undefined) return;
  createObject(core, { served, object: identified(object, served.definition), options, tracked: false });
}

const apiService: JsonObject = {
  metadata: {
    name: 'kubernetes',
    namespace: 'default',
    labels: { component: 'apiserver', provider: 'kubernetes' },
  },
  spec: { type: 'ClusterIP', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] },
};

/** What every cluster has from its first moment. */
export function seedObjects(core: Core): void {
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    seed(core, '/namespaces', { metadata: { name } });
  }
  seed(core, '/services', structuredClone(apiService));
}
