import type { Json, JsonObject } from 'kilter/api';
import { column, type Column, flag, number, wide } from './column.ts';
import { at, conditionStatus, count, fieldsOf, items, orNone, selectorText, text } from './fields.ts';
import { humanDuration } from './human-duration.ts';
import { age, createdAt, name } from './standard-columns.ts';

/** Names of those a binding speaks of; accounts with their namespaces. */
function subjects(binding: JsonObject, kind: string): string {
  const found = items(binding, 'subjects').filter((subject) => text(subject, 'kind') === kind);
  const named = found.map((subject) => {
    const namespace = kind === 'ServiceAccount' ? text(subject, 'namespace') : '';
    return namespace === '' ? text(subject, 'name') : `${namespace}/${text(subject, 'name')}`;
  });
  return named.join(', ');
}

const bindingColumns: readonly Column[] = [
  name,
  column('Role', (binding) => {
    const reference = fieldsOf(binding, 'roleRef');
    return `${text(reference, 'kind')}/${text(reference, 'name')}`;
  }),
  age,
  wide('Users', (binding) => subjects(binding, 'User')),
  wide('Groups', (binding) => subjects(binding, 'Group')),
  wide('ServiceAccounts', (binding) => subjects(binding, 'ServiceAccount')),
];

const isLimit = (resource: string): boolean => resource.startsWith('limits.');

/** What of a quota is used, for limits or for all else. */
function quotaText(quota: JsonObject, limits: boolean): string {
  const hard = fieldsOf(quota, 'status', 'hard');
  const resources = Object.keys(hard).filter((resource) => isLimit(resource) === limits);
  const used = (resource: string): string => text(quota, 'status', 'used', resource) || '0';
  return resources
    .toSorted()
    .map((resource) => `${resource}: ${used(resource)}/${text(hard, resource)}`)
    .join(', ');
}

function controllerName(object: JsonObject): string {
  const owner = items(object, 'metadata', 'ownerReferences').find((one) => at(one, 'controller') === true);
  if (owner === undefined) return '<none>';
  const version = text(owner, 'apiVersion');
  const group = version.includes('/') ? `.${version.slice(0, version.indexOf('/'))}` : '';
  return `${text(owner, 'kind')}${group}`.toLowerCase() + `/${text(owner, 'name')}`;
}

const webhookColumns: readonly Column[] = [name, number('Webhooks', (one) => items(one, 'webhooks').length), age];

function policyColumns(counted: string, field: string): readonly Column[] {
  return [
    name,
    number(counted, (policy) => items(policy, 'spec', field).length),
    column('ParamKind', (policy) => {
      const kind = at(policy, 'spec', 'paramKind');
      return kind === undefined || kind === null ? '<unset>' : `${text(kind, 'apiVersion')}/${text(kind, 'kind')}`;
    }),
    age,
  ];
}

function parameterOf(binding: JsonObject): string {
  const reference = at(binding, 'spec', 'paramRef');
  const named = text(reference, 'name');
  if (named !== '') return `${text(reference, 'namespace') || '*'}/${named}`;
  const selector = at(reference, 'selector');
  return selector === undefined ? '<unset>' : selectorText(selector);
}

const policyBindingColumns: readonly Column[] = [
  name,
  column('PolicyName', (binding) => text(binding, 'spec', 'policyName')),
  column('ParamRef', parameterOf),
  age,
];

function requestStatus(request: JsonObject): string {
  const has = (type: string): boolean => conditionStatus(request, type) !== undefined;
  const verdict = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  const issued = text(request, 'status', 'certificate') !== '';
  return `${verdict}${has('Failed') ? ',Failed' : ''}${issued ? ',Issued' : ''}`;
}

function claimState(claim: JsonObject): string {
  const deleted = at(claim, 'metadata', 'deletionTimestamp') !== undefined;
  const allocated = fieldsOf(claim, 'status')['allocation'] !== undefined;
  const reserved = items(claim, 'status', 'reservedFor').length > 0;
  const states = [
    ...(deleted ? ['deleted'] : []),
    ...(allocated ? ['allocated', ...(reserved ? ['reserved'] : [])] : deleted ? [] : ['pending']),
  ];
  return states.join(',');
}

function availability(service: JsonObject): string {
  const found = items(service, 'status', 'conditions').find((one) => at(one, 'type') === 'Available');
  if (found === undefined) return 'Unknown';
  const status = text(found, 'status');
  return status === 'True' ? status : `${status} (${text(found, 'reason')})`;
}

const numberOrNone = (found: Json | undefined): Json => found ?? '<none>';

export const platformColumns: Readonly<Record<string, readonly Column[]>> = {
  '/ResourceQuota': [
    name,
    column('Request', (quota) => quotaText(quota, false)),
    column('Limit', (quota) => quotaText(quota, true)),
    age,
  ],
  '/ServiceAccount': [name, age],
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': policyColumns('Mutations', 'mutations'),
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': policyBindingColumns,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhookColumns,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': policyColumns('Validations', 'validations'),
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': policyBindingColumns,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhookColumns,
  'apiextensions.k8s.io/CustomResourceDefinition': [name, createdAt],
  'apiregistration.k8s.io/APIService': [
    name,
    column('Service', (one) => {
      const service = at(one, 'spec', 'service');
      return service === undefined || service === null
        ? 'Local'
        : `${text(service, 'namespace')}/${text(service, 'name')}`;
    }),
    column('Available', availability),
    age,
  ],
  'apps/ControllerRevision': [
    name,
    column('Controller', controllerName),
    column('Revision', (revision) => count(revision, 'revision')),
    age,
  ],
  'certificates.k8s.io/CertificateSigningRequest': [
    name,
    age,
    column('SignerName', (request) => orNone(text(request, 'spec', 'signerName'))),
    column('Requestor', (request) => text(request, 'spec', 'username')),
    column('RequestedDuration', (request) => {
      const seconds = at(request, 'spec', 'expirationSeconds');
      return typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>';
    }),
    column('Condition', requestStatus),
  ],
  'coordination.k8s.io/Lease': [name, column('Holder', (lease) => text(lease, 'spec', 'holderIdentity')), age],
  'flowcontrol.apiserver.k8s.io/FlowSchema': [
    name,
    column('PriorityLevel', (schema) => text(schema, 'spec', 'priorityLevelConfiguration', 'name')),
    column('MatchingPrecedence', (schema) => count(schema, 'spec', 'matchingPrecedence')),
    column('DistinguisherMethod', (schema) => orNone(text(schema, 'spec', 'distinguisherMethod', 'type'))),
    age,
    column('MissingPL', (schema) => conditionStatus(schema, 'Dangling') ?? '?'),
  ],
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': [
    name,
    column('Type', (level) => text(level, 'spec', 'type')),
    column('NominalConcurrencyShares', (level) =>
      numberOrNone(at(level, 'spec', 'limited', 'nominalConcurrencyShares')),
    ),
    ...['queues', 'handSize', 'queueLengthLimit'].map((field) =>
      column(`${field.slice(0, 1).toUpperCase()}${field.slice(1)}`, (level) =>
        numberOrNone(at(level, 'spec', 'limited', 'limitResponse', 'queuing', field)),
      ),
    ),
    age,
  ],
  'node.k8s.io/RuntimeClass': [name, column('Handler', (one) => text(one, 'handler')), age],
  'policy/PodDisruptionBudget': [
    name,
    column('Min Available', (budget) => text(budget, 'spec', 'minAvailable') || 'N/A'),
    column('Max Unavailable', (budget) => text(budget, 'spec', 'maxUnavailable') || 'N/A'),
    number('Allowed Disruptions', (budget) => count(budget, 'status', 'disruptionsAllowed')),
    age,
  ],
  'rbac.authorization.k8s.io/ClusterRoleBinding': bindingColumns,
  'rbac.authorization.k8s.io/RoleBinding': bindingColumns,
  'resource.k8s.io/DeviceClass': [name, age],
  'resource.k8s.io/ResourceClaim': [name, column('State', claimState), age],
  'resource.k8s.io/ResourceClaimTemplate': [name, age],
  'resource.k8s.io/ResourceSlice': [
    name,
    column('Node', (slice) => text(slice, 'spec', 'nodeName')),
    column('Driver', (slice) => text(slice, 'spec', 'driver')),
    column('Pool', (slice) => text(slice, 'spec', 'pool', 'name')),
    age,
  ],
  'scheduling.k8s.io/PriorityClass': [
    name,
    number('Value', (one) => count(one, 'value')),
    flag('Global-Default', (one) => at(one, 'globalDefault') === true),
    age,
    column('PreemptionPolicy', (one) => text(one, 'preemptionPolicy')),
  ],
};
