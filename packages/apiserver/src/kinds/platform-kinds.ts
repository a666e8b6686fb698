import type { JsonObject } from 'kilter/api';
import { fill, objectIfIn, objectIn, objectsIn, textIn } from '../values/index.ts';
import {
  defaultAdmissionBinding,
  defaultAdmissionPolicy,
  defaultApiService,
  defaultFlowSchema,
  defaultMutatingWebhooks,
  defaultPriorityLevel,
  defaultValidatingWebhooks,
} from './builtin-platform-defaults.ts';
import { bindingRules, roleRules } from './platform-rules.ts';
import { signingRequest } from './signing-request.ts';
import { webhookConfigurationIssues } from './webhook-rules.ts';
import { type BuiltinKind, type BuiltinKinds, emptyStatus, locked, lockedSpec } from './row.ts';

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

const role: BuiltinKind = { createOnUpdate: true, nameRule: 'path-segment' };
const storedBeta = { group: 'admissionregistration.k8s.io', version: 'v1beta1' };

export const platformKinds: BuiltinKinds = {
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': {
    ...lockedSpec,
    defaults: defaultAdmissionPolicy,
    storedAs: storedBeta,
  },
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': {
    ...lockedSpec,
    defaults: defaultAdmissionBinding,
    storedAs: storedBeta,
  },
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': {
    ...lockedSpec,
    defaults: defaultMutatingWebhooks,
    validate: webhookConfigurationIssues,
  },
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': {
    ...lockedSpec,
    defaults: defaultAdmissionPolicy,
    begin: emptyStatus,
  },
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': { ...lockedSpec, defaults: defaultAdmissionBinding },
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': {
    ...lockedSpec,
    defaults: defaultValidatingWebhooks,
    validate: webhookConfigurationIssues,
  },
  'apiextensions.k8s.io/CustomResourceDefinition': {
    generation: true,
    unconditionalUpdate: false,
    defaults: defaultCustomResourceDefinition,
    storedAs: { group: 'apiextensions.k8s.io', version: 'v1beta1' },
  },
  'apiregistration.k8s.io/APIService': {
    ...locked,
    nameRule: 'path-segment',
    defaults: defaultApiService,
    begin: emptyStatus,
  },
  'certificates.k8s.io/CertificateSigningRequest': signingRequest,
  'flowcontrol.apiserver.k8s.io/FlowSchema': { generation: true, defaults: defaultFlowSchema, begin: emptyStatus },
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': {
    generation: true,
    defaults: defaultPriorityLevel,
    begin: emptyStatus,
  },
  'rbac.authorization.k8s.io/ClusterRole': { ...role, validate: roleRules({ namespaced: false }) },
  'rbac.authorization.k8s.io/ClusterRoleBinding': {
    ...role,
    defaults: defaultBinding,
    validate: bindingRules('ClusterRole'),
  },
  'rbac.authorization.k8s.io/Role': { ...role, validate: roleRules({ namespaced: true }) },
  'rbac.authorization.k8s.io/RoleBinding': {
    ...role,
    defaults: defaultBinding,
    validate: bindingRules('Role', 'ClusterRole'),
  },
};
