import type { Client } from '../client/index.ts';
import { isNotFound } from '../errors/index.ts';
import { Node } from '../k8s/core/v1.ts';

/** An annotation that says who has cordoned a Node, and what for. */
export interface CordonMark {
  readonly annotation: string;
  readonly value: string;
}

/** Whose cordon a Node has: one with this mark, or one that is somebody else's and stays. */
export function cordonOf({ metadata, spec }: Node, { annotation, value }: CordonMark): 'none' | 'own' | 'foreign' {
  if (metadata.annotations?.[annotation] === value) return 'own';
  return spec?.unschedulable === true ? 'foreign' : 'none';
}

/** Takes the Node out of scheduling and marks it. It can be repeated; a Node that is gone needs nothing. */
export function cordon(client: Client, name: string, { annotation, value }: CordonMark): Promise<void> {
  return mark(client, name, { annotation, value, unschedulable: true });
}

/** Takes a cordon and its mark away. It can be repeated; a Node that is gone needs nothing. */
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

/** Whether its kubelet says so now; not whether it may be scheduled on. */
export function isNodeReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}
