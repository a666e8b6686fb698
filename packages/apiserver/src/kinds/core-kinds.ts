import { Buffer } from 'node:buffer';
import type { JsonObject } from 'kilter/api';
import { namespaceProtection } from '../admission/index.ts';
import { clone, fill, metadataOf, objectIfIn, objectIn, objectsIn, sameValue, textIn } from '../values/index.ts';
import { freeAddress, freeNodePorts, notReady, priority, protection, tolerations } from './admission-plugins.ts';
import {
  beginPersistentVolume,
  defaultLimitRange,
  defaultPersistentVolume,
  defaultReplicationController,
} from './builtin-platform-defaults.ts';
import { defaultPod, defaultPodTemplate } from './builtin-pod-defaults.ts';
import { allocateService, defaultService, keepAllocated, seenService } from './builtin-service-defaults.ts';
import { defaultClaim } from './builtin-workload-defaults.ts';
import { claimIssues, fillSources } from './claim-rules.ts';
import { configMapIssues, emptyMapIssues, secretIssues } from './data-rules.ts';
import { eventIssues } from './event-rules.ts';
import { limitRangeIssues } from './limit-range-rules.ts';
import { defaultNode, nodeIssues } from './node-rules.ts';
import { volumeIssues } from './persistent-volume-rules.ts';
import { beginPod } from './pod-beginning.ts';
import { podBinding } from './pod-binding.ts';
import { podStatus, withEphemeralContainers, withOtherResources } from './pod-changes.ts';
import { podEviction } from './pod-eviction.ts';
import { podIssues } from './pod-rules.ts';
import { podWarnings, templateWarnings } from './pod-warnings.ts';
import { quotaIssues } from './quota-rules.ts';
import {
  answersObject,
  type BuiltinKind,
  type BuiltinKinds,
  beginStatus,
  emptyStatus,
  orphansByDefault,
} from './row.ts';
import { withStatusRules } from './replica-status-rules.ts';
import { serviceIssues, serviceWarnings } from './service-rules.ts';
import { replicationControllerIssues } from './workload-rules.ts';

function defaultNamespace(namespace: JsonObject): void {
  const metadata = objectIn(namespace, 'metadata');
  const name = textIn(metadata, 'name');
  if (name !== '') objectIn(metadata, 'labels')['kubernetes.io/metadata.name'] = name;
}

function beginNamespace(namespace: JsonObject): void {
  const spec = objectIn(namespace, 'spec');
  const finalizers = Array.isArray(spec['finalizers']) ? spec['finalizers'] : [];
  spec['finalizers'] = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'];
  namespace['status'] = { phase: 'Active' };
}

/** `spec.finalizers` changes through the finalize subresource alone. */
function keepFinalizers(namespace: JsonObject, old: JsonObject): void {
  const finalizers = objectIfIn(old, 'spec')?.['finalizers'];
  const spec = objectIn(namespace, 'spec');
  if (finalizers === undefined) delete spec['finalizers'];
  else spec['finalizers'] = clone(finalizers);
}

function defaultSecret(secret: JsonObject): void {
  fill(secret, { type: 'Opaque' });
  const plain = objectIfIn(secret, 'stringData');
  delete secret['stringData'];
  for (const [key, text] of Object.entries(plain ?? {})) {
    if (typeof text === 'string') objectIn(secret, 'data')[key] = Buffer.from(text, 'utf8').toString('base64');
  }
}

function defaultEndpoints(endpoints: JsonObject): void {
  const ports = objectsIn(endpoints, 'subsets').flatMap((subset) => objectsIn(subset, 'ports'));
  for (const port of ports) fill(port, { protocol: 'TCP' });
}

const defaultGraceSeconds = 30;

function podGrace(pod: JsonObject, requested: number | undefined): number {
  const spec = objectIfIn(pod, 'spec') ?? {};
  const phase = textIn(objectIfIn(pod, 'status') ?? {}, 'phase');
  // Nobody runs it, so nobody needs time to say goodbye.
  if (textIn(spec, 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const own = spec['terminationGracePeriodSeconds'];
  return requested ?? (typeof own === 'number' ? own : defaultGraceSeconds);
}

function namespaceHeld(namespace: JsonObject): boolean {
  const finalizers = objectIfIn(namespace, 'spec')?.['finalizers'];
  return Array.isArray(finalizers) && finalizers.length > 0;
}

const namespace: BuiltinKind = {
  nameRule: 'label',
  defaults: defaultNamespace,
  begin: beginNamespace,
  keep: keepFinalizers,
  selectableFields: ['status.phase'],
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

const streamVerbs = ['create', 'get'];
const proxyVerbs = ['create', 'delete', 'get', 'patch', 'update'];

/** The spec without its node: who binds a Pod to one does not change what it shall be. */
function unbound(pod: JsonObject): JsonObject {
  const { nodeName: _, ...spec } = objectIfIn(pod, 'spec') ?? {};
  return spec;
}

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const pod: BuiltinKind = {
  pods: ['spec'],
  connects: {
    attach: { kind: 'PodAttachOptions', verbs: streamVerbs },
    exec: { kind: 'PodExecOptions', verbs: streamVerbs },
    log: { verbs: ['get'] },
    portforward: { kind: 'PodPortForwardOptions', verbs: streamVerbs },
    proxy: { kind: 'PodProxyOptions', verbs: proxyVerbs },
  },
  generation: true,
  bumpsGeneration: (object, old) => !sameValue(unbound(object), unbound(old)),
  defaults: defaultPod,
  begin: beginPod,
  validate: podIssues,
  warnings: podWarnings,
  admission: [tolerations, priority],
  deletion: { grace: podGrace },
  actions: { binding: podBinding, eviction: podEviction },
  ownedAsSent: ['ephemeralcontainers', 'resize'],
  subresourceUpdates: { ephemeralcontainers: withEphemeralContainers, resize: withOtherResources },
  prepareForStatusUpdate: podStatus,
  selectableFields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
    'status.podIPs',
  ],
};

const service: BuiltinKind = {
  connects: { proxy: { kind: 'ServiceProxyOptions', verbs: proxyVerbs } },
  ...answersObject,
  createOnUpdate: true,
  nameRule: 'label',
  defaults: defaultService,
  begin: (object, context) => {
    allocateService(object, context);
    object['status'] = { loadBalancer: {} };
  },
  keep: (object, old, context) => {
    keepAllocated(object, old);
    allocateService(object, context);
  },
  validate: serviceIssues,
  warnings: serviceWarnings,
  seen: seenService,
  admission: [freeAddress, freeNodePorts],
  selectableFields: ['spec.clusterIP', 'spec.type'],
};

export const coreKinds: BuiltinKinds = {
  '/Binding': {},
  '/ComponentStatus': { deprecation: 'v1 ComponentStatus is deprecated in v1.19+' },
  '/ConfigMap': { validate: configMapIssues, emptied: emptyMapIssues('binaryData') },
  '/Endpoints': {
    createOnUpdate: true,
    defaults: defaultEndpoints,
    deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  },
  '/Event': {
    createOnUpdate: true,
    validate: eventIssues,
    ownValidation: true,
    selectableFields: [
      ...referenceFields.map((field) => `involvedObject.${field}`),
      'reason',
      'reportingComponent',
      'type',
      'source',
    ],
  },
  '/LimitRange': { createOnUpdate: true, defaults: defaultLimitRange, validate: limitRangeIssues, ownValidation: true },
  '/Namespace': namespace,
  '/Node': {
    admission: [notReady],
    defaults: defaultNode,
    validate: nodeIssues,
    ownValidation: true,
    selectableFields: ['spec.unschedulable'],
    connects: { proxy: { kind: 'NodeProxyOptions', verbs: proxyVerbs } },
  },
  '/PersistentVolume': {
    ...answersObject,
    defaults: defaultPersistentVolume,
    begin: beginPersistentVolume,
    validate: volumeIssues,
    admission: [protection('kubernetes.io/pv-protection')],
  },
  '/PersistentVolumeClaim': {
    ...answersObject,
    defaults: defaultClaim,
    begin: (claim) => {
      claim['status'] = { phase: 'Pending' };
      fillSources(objectIn(claim, 'spec'));
    },
    keep: (claim, old) => fillSources(objectIn(claim, 'spec'), objectIfIn(old, 'spec')),
    validate: claimIssues,
    admission: [protection('kubernetes.io/pvc-protection')],
  },
  '/Pod': pod,
  '/PodTemplate': {
    pods: ['template', 'spec'],
    ...answersObject,
    generation: true,
    defaults: defaultPodTemplate,
    warnings: templateWarnings('template'),
  },
  '/ReplicationController': {
    pods: ['spec', 'template', 'spec'],
    generation: true,
    defaults: defaultReplicationController,
    begin: beginStatus(() => ({ replicas: 0 })),
    validate: withStatusRules(replicationControllerIssues),
    warnings: templateWarnings('spec.template', { named: true }),
    deletion: orphansByDefault,
    selectableFields: ['status.replicas'],
  },
  '/ResourceQuota': { ...answersObject, begin: emptyStatus, validate: quotaIssues },
  '/Secret': {
    defaults: defaultSecret,
    validate: secretIssues,
    emptied: emptyMapIssues('data'),
    selectableFields: ['type'],
  },
  '/Service': service,
  '/ServiceAccount': answersObject,
};
