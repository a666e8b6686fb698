import type { Client } from '../client/index.ts';
import { isNotFound } from '../errors/index.ts';
import { Node } from '../k8s/core/v1.ts';

/** An annotation that says who cordoned a Node, and what for. */
export interface CordonMark {
  readonly annotation: string;
  readonly value: string;
}

/** Whose cordon a Node has: one with this mark, or somebody else's, which stays. */
export function cordonOf({ metadata, spec }: Node, { annotation, value }: CordonMark): 'none' | 'own' | 'foreign' {
  if (metadata.annotations?.[annotation] === value) return 'own';
  return spec?.unschedulable === true ? 'foreign' : 'none';
}

/** Makes the Node unschedulable and marks it. Can be repeated; does nothing for a Node that is gone. */
export function cordon(client: Client, name: string, { annotation, value }: CordonMark): Promise<void> {
  return mark(client, name, { annotation, value, unschedulable: true });
}

/** Removes a cordon and its mark. Can be repeated; does nothing for a Node that is gone. */
export function uncordon(client: Client, name: string, { annotation }: CordonMark): Promise<void> {
  return mark(client, name, { annotation, value: null, unschedulable: null });
}

interface Marking {
  readonly annotation: string;
  readonly value: string | null;
  readonly unschedulable: true | null;
}

/** One patch, so that there is never a cordon without its mark. */
async function mark(client: Client, name: string, { annotation, value, unschedulable }: Marking): Promise<void> {
  try {
    await client.patch(Node, name, { metadata: { annotations: { [annotation]: value } }, spec: { unschedulable } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Whether its kubelet reports it as Ready now; not whether Pods may be scheduled on it. */
export function isNodeReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}
