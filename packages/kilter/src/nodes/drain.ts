import type { Ref } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import { isDisruptionBudget, isNotFound, isTooManyRequests } from '../errors/index.ts';
import type { Pod } from '../k8s/core/v1.ts';

/**
 * Whether a drain is done with this Pod: it is finished, or it stays because its Node would make it again (one of a DaemonSet, and a
 * static one, which the API server only mirrors).
 */
export function isDrained({ metadata: { annotations, ownerReferences = [] }, status }: Pod): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return true;
  if (annotations?.['kubernetes.io/config.mirror'] !== undefined) return true;
  return ownerReferences.some(({ kind, controller }) => kind === 'DaemonSet' && controller === true);
}

/**
 * Evicts a Pod as far as its disruption budgets allow. False: one of them says no for now, or the server asks for patience; ask again
 * later. A Pod that is gone needs nothing.
 */
export async function requestEviction(client: Client, pod: Ref): Promise<boolean> {
  try {
    await client.evict(pod);
    return true;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (isDisruptionBudget(error) || isTooManyRequests(error)) return false;
    throw error;
  }
}
