import { Buffer } from 'node:buffer';
import { type Json, type JsonObject, matchesLabels } from 'kilter/api';
import { namespaceProtection } from '../admission/index.ts';
import { sameValue } from '../apply/index.ts';
import type { Issue } from '../schema/index.ts';
import { objectIfIn, textIn } from './builtin-fields.ts';
import { metadataOf } from './core.ts';
import type { ResourceDefinition, Strategy } from './definition.ts';
import { eventIssues, modernEventIssues } from './event-rules.ts';
import { forbiddenField, immutable, invalidValue, required, tooLong } from './issues.ts';
import { textOf } from './text-values.ts';

/** What a kind's strategy adds to what its data says. */
type KindRules = Partial<Strategy> & { readonly selectableFields?: readonly string[] };

// A ConfigMap or Secret must fit into one request to etcd, with room to spare.
const maxDataBytes = 2 ** 20;
const defaultGraceSeconds = 30;

/** As values: in which order fields were written never counts. */
const isSame = (a: Json | undefined, b: Json | undefined): boolean => sameValue(a ?? null, b ?? null);

function dataIssues(object: JsonObject): Issue[] {
  const parts = ['data', 'binaryData', 'stringData'].flatMap((field) => Object.values(objectIfIn(object, field) ?? {}));
  const bytes = parts.reduce<number>((sum, value) => sum + Buffer.byteLength(textOf(value)), 0);
  return bytes > maxDataBytes ? [{ ...tooLong('', maxDataBytes), field: '[]' }] : [];
}

function frozenIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  if (old?.['immutable'] !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  return ['immutable', 'data', 'binaryData']
    .filter((field) => !isSame(object[field], old[field]))
    .map((field) => forbiddenField(field, why));
}

const configMap: KindRules = { validate: (object, old) => [...dataIssues(object), ...frozenIssues(object, old)] };

const secret: KindRules = {
  validate: (object, old) => [
    ...dataIssues(object),
    ...frozenIssues(object, old),
    ...(old !== undefined && !isSame(object['type'], old['type']) ? [immutable('type', textIn(object, 'type'))] : []),
  ],
};

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

function selectorIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = objectIfIn(object, 'spec') ?? {};
  const selector = objectIfIn(spec, 'selector') ?? {};
  const labels = objectIfIn(metadataOf(objectIfIn(spec, 'template') ?? {}), 'labels');
  const wanted = Object.entries(objectIfIn(selector, 'matchLabels') ?? {});
  const terms = wanted.map(([key, value]) => ({ key, operator: '=' as const, values: [textOf(value)] }));
  const empty = terms.length === 0 && selector['matchExpressions'] === undefined;
  const matches = !empty && matchesLabels(terms, labels as Record<string, string> | undefined);
  const before = objectIfIn(old ?? {}, 'spec')?.['selector'];
  const place = 'spec.template.metadata.labels';
  return [
    ...(spec['selector'] === undefined ? [required('spec.selector')] : []),
    ...(matches ? [] : [invalidValue(place, labels ?? null, '`selector` does not match template `labels`')]),
    ...(before === undefined || isSame(selector, before) ? [] : [immutable('spec.selector', selector)]),
  ];
}

function replicaIssues({ spec }: JsonObject): Issue[] {
  const replicas = (spec as JsonObject | undefined)?.['replicas'];
  const negative = typeof replicas === 'number' && replicas < 0;
  return negative ? [invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')] : [];
}

const workload: KindRules = { validate: (object, old) => [...replicaIssues(object), ...selectorIssues(object, old)] };

const deployment: KindRules = {
  ...workload,
  bumpsGeneration: (object, old) =>
    !isSame(object['spec'], old['spec']) || !isSame(metadataOf(object)['annotations'], metadataOf(old)['annotations']),
  prepareForStatusUpdate: statusKeeping('labels'),
};

const orphansByDefault = { defaultPropagation: 'Orphan' } as const;

const rules: Readonly<Record<string, KindRules>> = {
  '/ConfigMap': configMap,
  '/Event': { validate: eventIssues, ownValidation: true, selectableFields: ['source'] },
  '/Namespace': namespace,
  '/Pod': pod,
  '/ReplicationController': { deletion: orphansByDefault },
  '/Secret': secret,
  'apps/DaemonSet': workload,
  'apps/Deployment': deployment,
  'apps/ReplicaSet': workload,
  'apps/StatefulSet': workload,
  'batch/Job': {
    selectableFields: ['status.successful'],
    deletion: {
      ...orphansByDefault,
      defaultWarning:
        'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    },
  },
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
