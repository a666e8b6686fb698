// What a case leaves on a shared server outside its namespace would change the answers of others.
import type { Json } from './case.ts';
import { exchange } from './exchange.ts';
import type { Server } from './server.ts';

const kinds = [
  '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/api/v1/nodes',
  '/api/v1/persistentvolumes',
];

/** Deletes the cluster-wide objects whose names hold the name of the run. */
export async function removeLeftovers(server: Server, base: string): Promise<void> {
  const call = { as: 'admin', headers: {} } as const;
  for (const kind of kinds) {
    const accept = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' };
    const { body } = await exchange(server, { ...call, method: 'GET', path: kind, headers: accept });
    const items = (body as { items?: { metadata: { name: string } }[] } & { [key: string]: Json }).items ?? [];
    for (const { metadata } of items.filter((item) => item.metadata.name.includes(base))) {
      await exchange(server, { ...call, method: 'DELETE', path: `${kind}/${encodeURIComponent(metadata.name)}` });
    }
  }
}
