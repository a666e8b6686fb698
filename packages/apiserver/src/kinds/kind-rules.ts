import type { Json, JsonObject } from 'kilter/api';
import { namespaceProtection } from '../admission/index.ts';
import { metadataOf, objectIfIn, sameValue, textIn } from '../values/index.ts';
import { configMapIssues, secretIssues } from './data-rules.ts';
import type { ResourceDefinition, Strategy } from './definition.ts';
import { eventIssues, modernEventIssues } from './event-rules.ts';
import { autoscalerIssues, bindingRules, ingressIssues } from './platform-rules.ts';
import { podIssues } from './pod-rules.ts';
import { endpointSliceIssues, serviceIssues } from './service-rules.ts';
import { claimIssues, cronJobIssues, jobIssues, statefulSetIssues, workloadIssues } from './workload-rules.ts';

/** What a kind's strategy adds to what its data says. */
type KindRules = Partial<Strategy> & { readonly selectableFields?: readonly string[] };

const defaultGraceSeconds = 30;

/** As values: in which order fields were written never counts. */
const isSame = (a: Json | undefined, b: Json | undefined): boolean => sameValue(a ?? null, b ?? null);

function podGrace(pod: JsonObject, requested: number | undefined): number {
  const spec = objectIfIn(pod, 'spec') ?? {};
  const phase = textIn(objectIfIn(pod, 'status') ?? {}, 'phase');
  // Nobody runs it, so nobody needs time to say goodbye.
  if (textIn(spec, 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const own = spec['terminationGracePeriodSeconds'];
  return requested ?? (typeof own === 'number' ? own : defaultGraceSeconds);
}

/** The old object with new status, and new metadata but for these fields. */
function statusKeeping(...fields: string[]): NonNullable<Strategy['prepareForStatusUpdate']> {
  return (object, old) => {
    const { status: _, ...rest } = structuredClone(old);
    const metadata = { ...metadataOf(object) };
    for (const field of fields) {
      delete metadata[field];
      const before = metadataOf(old)[field];
      if (before !== undefined) metadata[field] = structuredClone(before);
    }
    return { ...rest, metadata, ...(object['status'] !== undefined && { status: object['status'] }) };
  };
}

const pod: KindRules = {
  validate: podIssues,
  deletion: { grace: podGrace },
  prepareForStatusUpdate: statusKeeping('ownerReferences'),
  selectableFields: ['status.podIPs'],
};

function namespaceHeld(namespace: JsonObject): boolean {
  const finalizers = objectIfIn(namespace, 'spec')?.['finalizers'];
  return Array.isArray(finalizers) && finalizers.length > 0;
}

const namespace: KindRules = {
  deletion: {
    refuse: (object) => namespaceProtection(textIn(metadataOf(object), 'name')),
    begin: (object, now) => ({
      ...object,
      metadata: { ...metadataOf(object), deletionTimestamp: now },
      status: { ...objectIfIn(object, 'status'), phase: 'Terminating' },
    }),
    holds: namespaceHeld,
  },
  updateOnly: ['finalize'],
  subresourceUpdates: {
    finalize: (object, old) => {
      const finalizers = objectIfIn(object, 'spec')?.['finalizers'];
      const { finalizers: _, ...spec } = objectIfIn(old, 'spec') ?? {};
      return { ...old, spec: { ...spec, ...(finalizers !== undefined && { finalizers }) } };
    },
  },
};

const workload: KindRules = { validate: workloadIssues };

const deployment: KindRules = {
  ...workload,
  bumpsGeneration: (object, old) =>
    !isSame(object['spec'], old['spec']) || !isSame(metadataOf(object)['annotations'], metadataOf(old)['annotations']),
  prepareForStatusUpdate: statusKeeping('labels'),
};

/** Labels say which Service a slice belongs to: they count as its content. */
const endpointSlice: KindRules = {
  validate: endpointSliceIssues,
  bumpsGeneration: (object, old) => {
    const content = ({ metadata, ...rest }: JsonObject): Json => ({
      ...rest,
      labels: objectIfIn({ metadata: metadata ?? {} }, 'metadata')?.['labels'] ?? {},
    });
    return !isSame(content(object), content(old));
  },
};

const orphansByDefault = { defaultPropagation: 'Orphan' } as const;

const rules: Readonly<Record<string, KindRules>> = {
  '/ConfigMap': { validate: configMapIssues },
  '/Event': { validate: eventIssues, ownValidation: true, selectableFields: ['source'] },
  '/Namespace': namespace,
  '/PersistentVolumeClaim': { validate: claimIssues },
  '/Pod': pod,
  '/ReplicationController': { deletion: orphansByDefault },
  '/Secret': { validate: secretIssues },
  '/Service': { validate: serviceIssues },
  'apps/DaemonSet': workload,
  'apps/Deployment': deployment,
  'apps/ReplicaSet': workload,
  'apps/StatefulSet': { validate: statefulSetIssues },
  'autoscaling/HorizontalPodAutoscaler': { validate: autoscalerIssues },
  'batch/CronJob': { validate: cronJobIssues },
  'batch/Job': {
    validate: jobIssues,
    selectableFields: ['status.successful'],
    deletion: {
      ...orphansByDefault,
      defaultWarning:
        'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    },
  },
  'discovery.k8s.io/EndpointSlice': endpointSlice,
  'networking.k8s.io/Ingress': { validate: ingressIssues },
  'rbac.authorization.k8s.io/ClusterRoleBinding': { validate: bindingRules('ClusterRole') },
  'rbac.authorization.k8s.io/RoleBinding': { validate: bindingRules('Role', 'ClusterRole') },
  // Its generation is 1 for ever.
  'scheduling.k8s.io/PriorityClass': { bumpsGeneration: () => false },
  // It may have no drivers, though its schema asks for the list.
  'storage.k8s.io/CSINode': { ownValidation: true },
  'events.k8s.io/Event': { validate: modernEventIssues, ownValidation: true },
};

/** Definitions that got the rules of their kind and nothing else: the same for every server. */
const plain = new WeakMap<ResourceDefinition, ResourceDefinition>();

/** A definition with the rules of its kind, and with those only this server knows. */
export function withKindRules(definition: ResourceDefinition, more?: KindRules): ResourceDefinition {
  if (more !== undefined) return withRules(definition, more);
  const known = plain.get(definition) ?? withRules(definition, {});
  plain.set(definition, known);
  return known;
}

/** Getters of the definition stay lazy. */
function withRules(definition: ResourceDefinition, more: KindRules): ResourceDefinition {
  const own = rules[`${definition.group}/${definition.kind}`] ?? {};
  const { selectableFields = [], ...strategy } = { ...own, ...more };
  return Object.defineProperties({} as ResourceDefinition, {
    ...Object.getOwnPropertyDescriptors(definition),
    strategy: { value: { ...definition.strategy, ...strategy }, enumerable: true },
    selectableFields: { value: [...definition.selectableFields, ...selectableFields], enumerable: true },
  });
}
