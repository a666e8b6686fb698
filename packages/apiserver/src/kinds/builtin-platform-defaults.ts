// Defaults of the kinds a platform is built from: admission, storage, quotas, priorities, devices.
import type { JsonObject } from 'kilter/api';
import { fill, fillUnset, objectIfIn, objectIn, objectsIn, textIn } from '../values/index.ts';
import { defaultPodTemplate } from './builtin-pod-defaults.ts';
import type { StrategyContext } from './definition.ts';

/** Go's zero number counts as missing where the field is not a pointer. */
function fillZero(target: JsonObject, defaults: JsonObject): void {
  for (const [field, value] of Object.entries(defaults)) if ((target[field] ?? 0) === 0) target[field] = value;
}

function defaultRules(owner: JsonObject, field: string): void {
  for (const rule of objectsIn(owner, field)) fillUnset(rule, { scope: '*' });
}

function defaultWebhook(webhook: JsonObject): void {
  fillUnset(webhook, { failurePolicy: 'Fail', matchPolicy: 'Equivalent' });
  fill(webhook, {
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  });
  const service = objectIfIn(objectIfIn(webhook, 'clientConfig') ?? {}, 'service');
  if (service !== undefined) fill(service, { port: 443 });
  defaultRules(webhook, 'rules');
}

export function defaultValidatingWebhooks(configuration: JsonObject): void {
  objectsIn(configuration, 'webhooks').forEach(defaultWebhook);
}

export function defaultMutatingWebhooks(configuration: JsonObject): void {
  for (const webhook of objectsIn(configuration, 'webhooks')) {
    defaultWebhook(webhook);
    fillUnset(webhook, { reinvocationPolicy: 'Never' });
  }
}

function defaultMatchResources(owner: JsonObject, field: string): void {
  const match = objectIfIn(owner, field);
  if (match === undefined) return;
  fillUnset(match, { matchPolicy: 'Equivalent' });
  fill(match, { namespaceSelector: {}, objectSelector: {} });
  defaultRules(match, 'resourceRules');
  defaultRules(match, 'excludeResourceRules');
}

export function defaultAdmissionPolicy(policy: JsonObject): void {
  const spec = objectIn(policy, 'spec');
  fillUnset(spec, { failurePolicy: 'Fail' });
  defaultMatchResources(spec, 'matchConstraints');
}

export function defaultAdmissionBinding(binding: JsonObject): void {
  defaultMatchResources(objectIn(binding, 'spec'), 'matchResources');
}

export function defaultApiService(service: JsonObject): void {
  const reference = objectIfIn(objectIn(service, 'spec'), 'service');
  if (reference !== undefined) fill(reference, { port: 443 });
}

export function defaultStorageClass(storageClass: JsonObject): void {
  fill(storageClass, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
}

export function defaultCsiDriver(driver: JsonObject): void {
  const spec = objectIn(driver, 'spec');
  fill(spec, {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    seLinuxMount: false,
  });
  fill(spec, { volumeLifecycleModes: ['Persistent'] });
}

export function defaultPersistentVolume(volume: JsonObject): void {
  const spec = objectIn(volume, 'spec');
  fill(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
  const hostPath = objectIfIn(spec, 'hostPath');
  if (hostPath !== undefined) fill(hostPath, { type: '' });
  fill(objectIn(volume, 'status'), { phase: 'Pending' });
}

export function beginPersistentVolume(volume: JsonObject, context: StrategyContext): void {
  volume['status'] = { phase: 'Pending', lastPhaseTransitionTime: context.now() };
}

/** Limits stand in for what was not said: a default for the request, a maximum for the default. */
export function defaultLimitRange(range: JsonObject): void {
  for (const item of objectsIn(objectIn(range, 'spec'), 'limits')) {
    if (textIn(item, 'type') !== 'Container') continue;
    const limit = { ...objectIfIn(item, 'max'), ...objectIfIn(item, 'default') };
    const request = { ...objectIfIn(item, 'min'), ...limit, ...objectIfIn(item, 'defaultRequest') };
    if (Object.keys(limit).length > 0) item['default'] = limit;
    if (Object.keys(request).length > 0) item['defaultRequest'] = request;
  }
}

export function defaultReplicationController(controller: JsonObject): void {
  const spec = objectIn(controller, 'spec');
  const labels = objectIfIn(objectIfIn(objectIfIn(spec, 'template') ?? {}, 'metadata') ?? {}, 'labels');
  fill(spec, { replicas: 1 });
  if (labels !== undefined) {
    const metadata = objectIn(controller, 'metadata');
    if (Object.keys(objectIfIn(spec, 'selector') ?? {}).length === 0) spec['selector'] = { ...labels };
    if (Object.keys(objectIfIn(metadata, 'labels') ?? {}).length === 0) metadata['labels'] = { ...labels };
  }
  if (objectIfIn(spec, 'template') !== undefined) defaultPodTemplate(spec);
}

export function defaultIngressClass(ingressClass: JsonObject): void {
  const parameters = objectIfIn(objectIfIn(ingressClass, 'spec') ?? {}, 'parameters');
  if (parameters !== undefined) fill(parameters, { scope: 'Cluster' });
}

export function defaultPriorityClass(priorityClass: JsonObject): void {
  fill(priorityClass, { preemptionPolicy: 'PreemptLowerPriority' });
}

export function defaultFlowSchema(schema: JsonObject): void {
  fillZero(objectIn(schema, 'spec'), { matchingPrecedence: 1000 });
}

export function defaultPriorityLevel(level: JsonObject): void {
  const spec = objectIn(level, 'spec');
  const exempt = objectIfIn(spec, 'exempt');
  if (exempt !== undefined) fill(exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 });
  const limited = objectIfIn(spec, 'limited');
  if (limited === undefined) return;
  fill(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 });
  const queuing = objectIfIn(objectIfIn(limited, 'limitResponse') ?? {}, 'queuing');
  if (queuing !== undefined) fillZero(queuing, { handSize: 8, queues: 64, queueLengthLimit: 50 });
}

function defaultDeviceRequest(request: JsonObject): void {
  fill(request, { allocationMode: 'ExactCount' });
  if (request['allocationMode'] === 'ExactCount') fillZero(request, { count: 1 });
}

function defaultDevices(spec: JsonObject): void {
  for (const request of objectsIn(objectIfIn(spec, 'devices') ?? {}, 'requests')) {
    const exactly = objectIfIn(request, 'exactly');
    if (exactly !== undefined) defaultDeviceRequest(exactly);
    objectsIn(request, 'firstAvailable').forEach(defaultDeviceRequest);
  }
}

export function defaultResourceClaim(claim: JsonObject): void {
  defaultDevices(objectIn(claim, 'spec'));
}

export function defaultResourceClaimTemplate(template: JsonObject): void {
  const spec = objectIn(template, 'spec');
  objectIn(spec, 'metadata');
  defaultDevices(objectIn(spec, 'spec'));
}
