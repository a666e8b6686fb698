import { Buffer } from 'node:buffer';
import type { JsonObject } from 'kilter/api';
import { fill, objectIfIn, objectIn, objectsIn, textIn } from '../values/index.ts';
import { defaultAutoscaler, defaultOldAutoscaler } from './builtin-autoscaler.ts';
import {
  beginPersistentVolume,
  defaultAdmissionBinding,
  defaultAdmissionPolicy,
  defaultApiService,
  defaultCsiDriver,
  defaultFlowSchema,
  defaultIngressClass,
  defaultLimitRange,
  defaultMutatingWebhooks,
  defaultPersistentVolume,
  defaultPriorityClass,
  defaultPriorityLevel,
  defaultReplicationController,
  defaultResourceClaim,
  defaultResourceClaimTemplate,
  defaultStorageClass,
  defaultValidatingWebhooks,
} from './builtin-platform-defaults.ts';
import { beginPod, defaultPod, defaultPodTemplate } from './builtin-pod-defaults.ts';
import { allocateService, defaultService, keepAllocated } from './builtin-service-defaults.ts';
import {
  countTemplates,
  defaultClaim,
  defaultCronJob,
  defaultDaemonSet,
  defaultDeployment,
  defaultJob,
  defaultReplicaSet,
  defaultStatefulSet,
  labelJob,
  selectJobPods,
} from './builtin-workload-defaults.ts';
import type { Strategy, StrategyContext } from './definition.ts';

type Plain = Pick<
  Strategy,
  'generation' | 'createOnUpdate' | 'unconditionalUpdate' | 'nameRule' | 'subresourceUpdates'
>;

/** How a built-in kind differs from the plain one; what is left out is as `plain` says. */
interface Rules extends Partial<Plain> {
  /** Fills what a client left out, on create and update alike. */
  readonly defaults?: (object: JsonObject) => void;
  /** What the server decides once, when the object is created. */
  readonly begin?: (object: JsonObject, context: StrategyContext) => void;
  /** What an update cannot change or may leave out; runs after `defaults`. */
  readonly keep?: (object: JsonObject, old: JsonObject, context: StrategyContext) => void;
}

function strategyOf({ defaults, begin, keep, ...rules }: Rules): Strategy {
  const plain = {
    generation: false,
    createOnUpdate: false,
    unconditionalUpdate: true,
    nameRule: 'subdomain',
  } as const;
  return {
    ...plain,
    ...rules,
    ...(defaults !== undefined && {
      defaults: (object: JsonObject) => {
        defaults(object);
        return object;
      },
    }),
    prepareForCreate: (object, context) => {
      defaults?.(object);
      begin?.(object, context);
      return object;
    },
    prepareForUpdate: (object, old, context) => {
      defaults?.(object);
      keep?.(object, old, context);
      return object;
    },
  };
}

/** The status a kind begins with, whatever the client sent. */
const beginStatus =
  (status: () => JsonObject) =>
  (object: JsonObject): void => {
    object['status'] = status();
  };

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
  else spec['finalizers'] = structuredClone(finalizers);
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

function defaultEndpointSlice(slice: JsonObject): void {
  for (const port of objectsIn(slice, 'ports')) fill(port, { name: '', protocol: 'TCP' });
}

function defaultNetworkPolicy(policy: JsonObject): void {
  const spec = objectIn(policy, 'spec');
  const egress = objectsIn(spec, 'egress');
  const rules = [...objectsIn(spec, 'ingress'), ...egress];
  for (const port of rules.flatMap((rule) => objectsIn(rule, 'ports'))) fill(port, { protocol: 'TCP' });
  const types = spec['policyTypes'];
  if (Array.isArray(types) && types.length > 0) return;
  spec['policyTypes'] = egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

const rbacGroup = 'rbac.authorization.k8s.io';

function defaultBinding(binding: JsonObject): void {
  const role = objectIfIn(binding, 'roleRef');
  if (role !== undefined) fill(role, { apiGroup: rbacGroup });
  for (const subject of objectsIn(binding, 'subjects')) {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') fill(subject, { apiGroup: rbacGroup });
  }
}

function defaultCustomResourceDefinition(definition: JsonObject): void {
  const spec = objectIn(definition, 'spec');
  const names = objectIfIn(spec, 'names');
  const kind = names === undefined ? '' : textIn(names, 'kind');
  if (names !== undefined && kind !== '') fill(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
  fill(spec, { conversion: { strategy: 'None' } });
  const webhook = objectIfIn(objectIfIn(spec, 'conversion') ?? {}, 'webhook');
  const service = objectIfIn(objectIfIn(webhook ?? {}, 'clientConfig') ?? {}, 'service');
  if (service !== undefined) fill(service, { port: 443 });
}

const emptyStatus = beginStatus(() => ({}));
const role: Rules = { createOnUpdate: true, nameRule: 'path-segment' };
const noDaemons = {
  currentNumberScheduled: 0,
  desiredNumberScheduled: 0,
  numberMisscheduled: 0,
  numberReady: 0,
} as const;
const noDisruptions = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 } as const;

/** Only the conditions, which say who approved or denied it. */
function approved(object: JsonObject, old: JsonObject): JsonObject {
  const conditions = objectIfIn(object, 'status')?.['conditions'] ?? [];
  return { ...old, status: { ...objectIfIn(old, 'status'), conditions } };
}

/** A request says the same for ever: what it asks for was judged when it was created. */
function keepRequest(request: JsonObject, old: JsonObject): void {
  request['spec'] = structuredClone(old['spec'] ?? {});
}

const locked: Rules = { unconditionalUpdate: false };
const lockedSpec: Rules = { ...locked, generation: true };

const platformRules: Readonly<Record<string, Rules>> = {
  '/ComponentStatus': {},
  '/LimitRange': { createOnUpdate: true, defaults: defaultLimitRange },
  '/PersistentVolume': { defaults: defaultPersistentVolume, begin: beginPersistentVolume },
  '/PodTemplate': { generation: true, defaults: defaultPodTemplate },
  '/ReplicationController': {
    generation: true,
    defaults: defaultReplicationController,
    begin: beginStatus(() => ({ replicas: 0 })),
  },
  '/ResourceQuota': { begin: emptyStatus },
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': { ...lockedSpec, defaults: defaultAdmissionPolicy },
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': { ...lockedSpec, defaults: defaultAdmissionBinding },
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': { ...lockedSpec, defaults: defaultMutatingWebhooks },
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': {
    ...lockedSpec,
    defaults: defaultAdmissionPolicy,
    begin: emptyStatus,
  },
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': { ...lockedSpec, defaults: defaultAdmissionBinding },
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': { ...lockedSpec, defaults: defaultValidatingWebhooks },
  'apiregistration.k8s.io/APIService': {
    ...locked,
    nameRule: 'path-segment',
    defaults: defaultApiService,
    begin: emptyStatus,
  },
  'apps/ControllerRevision': {},
  'autoscaling/v1/HorizontalPodAutoscaler': {
    defaults: defaultOldAutoscaler,
    begin: beginStatus(() => ({ currentReplicas: 0, desiredReplicas: 0 })),
  },
  'autoscaling/v2/HorizontalPodAutoscaler': {
    defaults: defaultAutoscaler,
    begin: beginStatus(() => ({ desiredReplicas: 0 })),
  },
  'certificates.k8s.io/CertificateSigningRequest': {
    begin: emptyStatus,
    keep: keepRequest,
    subresourceUpdates: { approval: approved },
  },
  'flowcontrol.apiserver.k8s.io/FlowSchema': { generation: true, defaults: defaultFlowSchema, begin: emptyStatus },
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': {
    generation: true,
    defaults: defaultPriorityLevel,
    begin: emptyStatus,
  },
  'networking.k8s.io/IPAddress': { nameRule: 'path-segment' },
  'networking.k8s.io/IngressClass': { generation: true, defaults: defaultIngressClass },
  'networking.k8s.io/ServiceCIDR': { begin: emptyStatus },
  'node.k8s.io/RuntimeClass': { ...locked, createOnUpdate: true },
  'resource.k8s.io/DeviceClass': { generation: true },
  'resource.k8s.io/ResourceClaim': { defaults: defaultResourceClaim, begin: emptyStatus },
  'resource.k8s.io/ResourceClaimTemplate': { defaults: defaultResourceClaimTemplate },
  'resource.k8s.io/ResourceSlice': { generation: true },
  'scheduling.k8s.io/PriorityClass': { generation: true, defaults: defaultPriorityClass },
  'storage.k8s.io/CSIDriver': { ...locked, defaults: defaultCsiDriver },
  'storage.k8s.io/CSINode': locked,
  'storage.k8s.io/CSIStorageCapacity': locked,
  'storage.k8s.io/StorageClass': { defaults: defaultStorageClass },
  'storage.k8s.io/VolumeAttachment': { ...locked, begin: beginStatus(() => ({ attached: false })) },
  'storage.k8s.io/VolumeAttributesClass': {},
};

const rules: Readonly<Record<string, Rules>> = {
  ...platformRules,
  '/ConfigMap': {},
  '/Endpoints': { createOnUpdate: true, defaults: defaultEndpoints },
  '/Event': { createOnUpdate: true },
  '/Namespace': {
    nameRule: 'label',
    defaults: defaultNamespace,
    begin: beginNamespace,
    keep: keepFinalizers,
  },
  '/Node': {},
  '/PersistentVolumeClaim': { defaults: defaultClaim, begin: beginStatus(() => ({ phase: 'Pending' })) },
  '/Pod': {
    generation: true,
    defaults: defaultPod,
    begin: beginPod,
  },
  '/Secret': { defaults: defaultSecret },
  '/Service': {
    createOnUpdate: true,
    nameRule: 'label',
    defaults: defaultService,
    begin: (service, context) => {
      allocateService(service, context);
      service['status'] = { loadBalancer: {} };
    },
    keep: (service, old, context) => {
      keepAllocated(service, old);
      allocateService(service, context);
    },
  },
  '/ServiceAccount': {},
  'apiextensions.k8s.io/CustomResourceDefinition': {
    generation: true,
    unconditionalUpdate: false,
    defaults: defaultCustomResourceDefinition,
  },
  'apps/DaemonSet': {
    generation: true,
    defaults: defaultDaemonSet,
    begin: (daemonSet) => {
      countTemplates(daemonSet);
      daemonSet['status'] = { ...noDaemons };
    },
    keep: countTemplates,
  },
  'apps/Deployment': {
    generation: true,
    defaults: defaultDeployment,
    begin: emptyStatus,
  },
  'apps/ReplicaSet': {
    generation: true,
    defaults: defaultReplicaSet,
    begin: beginStatus(() => ({ replicas: 0 })),
  },
  'apps/StatefulSet': {
    generation: true,
    defaults: defaultStatefulSet,
    begin: beginStatus(() => ({ replicas: 0, availableReplicas: 0 })),
  },
  'batch/CronJob': { generation: true, defaults: defaultCronJob, begin: emptyStatus },
  'batch/Job': {
    generation: true,
    defaults: defaultJob,
    begin: (job) => {
      selectJobPods(job);
      labelJob(job);
      emptyStatus(job);
    },
  },
  'coordination.k8s.io/Lease': { createOnUpdate: true, unconditionalUpdate: false },
  'discovery.k8s.io/EndpointSlice': { generation: true, defaults: defaultEndpointSlice },
  'events.k8s.io/Event': { createOnUpdate: true },
  'networking.k8s.io/Ingress': { generation: true, begin: beginStatus(() => ({ loadBalancer: {} })) },
  'networking.k8s.io/NetworkPolicy': { generation: true, defaults: defaultNetworkPolicy },
  'policy/PodDisruptionBudget': {
    generation: true,
    unconditionalUpdate: false,
    begin: beginStatus(() => ({ ...noDisruptions })),
  },
  'rbac.authorization.k8s.io/ClusterRole': role,
  'rbac.authorization.k8s.io/ClusterRoleBinding': { ...role, defaults: defaultBinding },
  'rbac.authorization.k8s.io/Role': role,
  'rbac.authorization.k8s.io/RoleBinding': { ...role, defaults: defaultBinding },
};

/** How the kind answers what differs between kinds; every served built-in kind has a row, some one per version. */
export function builtinStrategy(group: string, kind: string, version = 'v1'): Strategy {
  const found = rules[`${group}/${kind}`] ?? rules[`${group}/${version}/${kind}`];
  if (found === undefined) throw new Error(`no strategy for ${kind} of ${group}/${version}: add a row for it`);
  return strategyOf(found);
}
