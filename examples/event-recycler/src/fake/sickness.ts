// What a sick node shows to a cluster: a Pod on it, and the Warning Event a kubelet writes about it.
import { formatTime } from 'kilter/api';
import { type Event, Pod } from 'kilter/k8s/core/v1';
import { nodeName } from './fleet.ts';

export const term = 'failed to get sandbox image';

export function podOn(instance: string, metadata: Partial<Pod['metadata']> & { readonly name: string }): Pod {
  const spec = {
    nodeName: nodeName(instance),
    containers: [{ name: 'c', image: 'i' }],
    terminationGracePeriodSeconds: 0,
  };
  const built = Pod.build({ name: metadata.name, spec });
  return { ...built, metadata: { namespace: 'default', labels: { app: 'web' }, ...metadata } };
}

/** In the core group, where kubelets write. */
export function warningAbout(
  pod: Pod,
  { name, now }: { name: string; now: number },
  given: Partial<Event> = {},
): Event {
  const time = formatTime(now);
  const { namespace = 'default', uid } = pod.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    type: 'Warning',
    reason: 'FailedCreatePodSandBox',
    message: `Failed to create pod sandbox: ${term} "pause:3.9"`,
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, namespace, uid },
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component: 'kubelet' },
    ...given,
  };
}
