// The pods of a StatefulSet: their names, and what each has of its own.
import type { JsonObject } from 'kilter/api';
import { clone, objectsIn, textIn } from '../values/index.ts';
import type { Revision } from './revisions.ts';
import type { StatefulSet } from './stateful-set.ts';
import { controllerReference, type Pod } from './workload-objects.ts';

export const revisionLabel = 'controller-revision-hash';

export const podName = ({ metadata }: StatefulSet, ordinal: number): string => `${metadata.name}-${ordinal}`;

/** The number at the end of a pod's name; -1 where there is none. */
export function ordinalOf({ metadata }: Pod): number {
  const digits = /-(\d+)$/.exec(metadata.name)?.[1];
  return digits === undefined ? -1 : Number(digits);
}

/** A volume for each claim, instead of one of that name in the template. */
function volumesOf({ spec }: StatefulSet, name: string, own: readonly JsonObject[]): JsonObject[] {
  const claims = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name ?? '');
  const claimed = claims.map((claim) => ({ name: claim, persistentVolumeClaim: { claimName: `${claim}-${name}` } }));
  return [...claimed, ...own.filter((volume) => !claims.includes(textIn(volume, 'name')))];
}

export function newPod(set: StatefulSet, ordinal: number, revision: Revision): JsonObject {
  const { metadata, spec } = set;
  const template = revision.data?.spec?.template ?? spec.template;
  const name = podName(set, ordinal);
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const podSpec = clone(template.spec);
  const volumes = volumesOf(set, name, objectsIn(podSpec, 'volumes'));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      generateName: `${metadata.name}-`,
      namespace: metadata.namespace,
      labels: {
        ...labels,
        'apps.kubernetes.io/pod-index': String(ordinal),
        [revisionLabel]: revision.metadata.name,
        'statefulset.kubernetes.io/pod-name': name,
      },
      ...(annotations !== undefined && { annotations: { ...annotations } }),
      ...(finalizers !== undefined && { finalizers: [...finalizers] }),
      ownerReferences: [controllerReference('apps/v1', 'StatefulSet', metadata)],
    },
    spec: {
      ...podSpec,
      hostname: name,
      ...(spec.serviceName !== undefined && spec.serviceName !== '' && { subdomain: spec.serviceName }),
      ...(volumes.length > 0 && { volumes }),
    },
  };
}
