import type { NamedRef } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import { isConflict, isDisruptionBudget, isNotFound, isTooManyRequests } from '../errors/index.ts';
import type { Pod } from '../k8s/core/v1.ts';

/**
 * Whether a drain is done with this Pod: it is finished, or it stays because it would be created on the Node again (a
 * Pod of a DaemonSet, or a static Pod, which the API server only mirrors).
 */
export function isDrained({ metadata: { annotations, ownerReferences = [] }, status }: Pod): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return true;
  if (annotations?.['kubernetes.io/config.mirror'] !== undefined) return true;
  return ownerReferences.some(({ kind, controller }) => kind === 'DaemonSet' && controller === true);
}

/**
 * Evicts a Pod if its disruption budgets allow it. False: one of them does not allow it now, or the server asks to
 * wait; try again later. Does nothing for a Pod that is gone, or, if its UID is given, that was made again under the
 * same name, as those of a StatefulSet are.
 */
export async function requestEviction(
  client: Client,
  pod: string | (NamedRef & { readonly uid?: string | undefined }),
): Promise<boolean> {
  const uid = typeof pod === 'string' ? undefined : pod.uid;
  try {
    await client.evict(pod, uid === undefined ? {} : { preconditions: { uid } });
    return true;
  } catch (error) {
    if (isNotFound(error) || (uid !== undefined && isConflict(error))) return true;
    if (isDisruptionBudget(error) || isTooManyRequests(error)) return false;
    throw error;
  }
}
