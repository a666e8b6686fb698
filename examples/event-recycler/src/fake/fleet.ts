// What a cloud and its kubelets do to a cluster: a Node for every running instance, none for one that is gone, and no Pods on it.
import { type Client, isAlreadyExists, isNotFound } from 'kilter';
import { Node, Pod } from 'kilter/k8s/core/v1';
import type { Instance } from '../aws.ts';

export interface FleetOptions {
  readonly client: Client;
  readonly instances: () => readonly Instance[];
  /** Whether the Node of an instance becomes Ready. Default: always. */
  readonly isReady?: (instance: Instance) => boolean;
}

export const nodeName = (id: string): string => `ip-10-0-0-${Number.parseInt(id.slice(-8), 16)}`;

/** With the label every kubelet sets: to a scheduler, Nodes without it are not apart from each other. */
const nodeOf = (id: string): Node =>
  Node.build({
    name: nodeName(id),
    labels: { 'kubernetes.io/hostname': nodeName(id) },
    spec: { providerID: `aws:///eu-west-1a/${id}` },
  });

const unless = (expected: (error: unknown) => boolean) => (error: unknown) => {
  if (!expected(error)) throw error;
};

/** Brings the cluster in line with what AWS has now. */
export async function syncFleet({ client, instances, isReady = () => true }: FleetOptions): Promise<void> {
  const nodes = new Map((await client.list(Node)).map((node) => [node.metadata.name, node]));
  for (const instance of instances()) {
    const name = nodeName(instance.id);
    const node = nodes.get(name);
    if (instance.state === 'running' && node === undefined) {
      await client.create(nodeOf(instance.id)).catch(unless(isAlreadyExists));
    }
    if (instance.state === 'running') await setReady(client, name, { node, ready: isReady(instance) });
    if (instance.state === 'terminated' && node !== undefined) await removeNode(client, name);
  }
}

async function setReady(
  client: Client,
  name: string,
  { node, ready }: { node: Node | undefined; ready: boolean },
): Promise<void> {
  const status = ready ? 'True' : 'False';
  if (node?.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === status)) return;
  const conditions = [{ type: 'Ready', status, reason: 'Kubelet', message: '' }];
  await client.patch(Node, name, { status: { conditions } }, { subresource: 'status' }).catch(unless(isNotFound));
}

async function removeNode(client: Client, name: string): Promise<void> {
  const pods = await client.list(Pod, { fields: { 'spec.nodeName': name } });
  for (const { metadata } of pods) await client.delete(Pod, metadata, { gracePeriod: 0 }).catch(unless(isNotFound));
  await client.delete(Node, name).catch(unless(isNotFound));
}
