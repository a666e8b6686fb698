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

type Meta = { name: string; namespace?: string; finalizers?: string[] };
type Definition = {
  spec?: { group: string; names: { plural: string }; versions: { name: string; served: boolean }[] };
};

/**
 * Deletes the custom resources of a definition, whatever their finalizers: the server clears up few definitions at a time,
 * and one that waits for its instances holds up the others for a minute.
 */
async function removeInstances(server: Server, definition: string): Promise<void> {
  const call = { as: 'admin', headers: {} } as const;
  const { spec } = (await exchange(server, { ...call, method: 'GET', path: definition })).body as Definition;
  const version = spec?.versions.find(({ served }) => served)?.name;
  if (spec === undefined || version === undefined) return;
  const all = `/apis/${spec.group}/${version}`;
  const { body } = await exchange(server, { ...call, method: 'GET', path: `${all}/${spec.names.plural}` });
  for (const { metadata } of (body as { items?: { metadata: Meta }[] }).items ?? []) {
    const { name, namespace } = metadata;
    const path = `${all}/${namespace === undefined ? '' : `namespaces/${namespace}/`}${spec.names.plural}/${name}`;
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = Buffer.from('{"metadata":{"finalizers":null}}');
    if (metadata.finalizers !== undefined) await exchange(server, { ...call, method: 'PATCH', path, headers, body });
    await exchange(server, { ...call, method: 'DELETE', path });
  }
}

/** Deletes the cluster-wide objects whose names hold the name of the run, and gives addresses of services back. */
export async function removeLeftovers(server: Server, base: string): Promise<void> {
  const call = { as: 'admin', headers: {} } as const;
  // The range has 254 addresses, and beside the API alone nothing ever empties a namespace.
  for (const namespace of [base, `${base}-2`]) {
    await exchange(server, { ...call, method: 'DELETE', path: `/api/v1/namespaces/${namespace}/services` });
  }
  for (const kind of kinds) {
    const accept = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' };
    const { body } = await exchange(server, { ...call, method: 'GET', path: kind, headers: accept });
    const items = (body as { items?: { metadata: { name: string } }[] } & { [key: string]: Json }).items ?? [];
    for (const { metadata } of items.filter((item) => item.metadata.name.includes(base))) {
      const path = `${kind}/${encodeURIComponent(metadata.name)}`;
      if (kind.endsWith('/customresourcedefinitions')) await removeInstances(server, path);
      await exchange(server, { ...call, method: 'DELETE', path });
    }
  }
}
