import type { Json, JsonObject } from 'kilter/api';
import { fill, metadataOf, objectIn, objectsIn, sameValue } from '../values/index.ts';
import { defaultIngressClass } from './builtin-platform-defaults.ts';
import { ingressClassIssues } from './class-rules.ts';
import { coreEvent, modernEvent } from './event-forms.ts';
import { modernEventIssues } from './event-rules.ts';
import { dropCoordination, leaseIssues } from './lease-rules.ts';
import { ingressIssues, networkPolicyIssues } from './network-rules.ts';
import { type BuiltinKind, type BuiltinKinds, beginStatus, emptyStatus } from './row.ts';
import { endpointSliceIssues } from './endpoint-slice-rules.ts';

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

const contentOf = ({ metadata: _, ...rest }: JsonObject, labels: Json | undefined): Json => ({
  ...rest,
  labels: labels ?? {},
});

/** Labels say which Service a slice belongs to: they count as its content. */
const endpointSlice: BuiltinKind = {
  generation: true,
  defaults: defaultEndpointSlice,
  validate: endpointSliceIssues,
  bumpsGeneration: (object, old) =>
    !sameValue(contentOf(object, metadataOf(object)['labels']), contentOf(old, metadataOf(old)['labels'])),
};

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

export const networkKinds: BuiltinKinds = {
  'coordination.k8s.io/Lease': {
    createOnUpdate: true,
    unconditionalUpdate: false,
    begin: dropCoordination,
    keep: dropCoordination,
    validate: leaseIssues,
  },
  'discovery.k8s.io/EndpointSlice': endpointSlice,
  'events.k8s.io/Event': {
    createOnUpdate: true,
    validate: modernEventIssues,
    ownValidation: true,
    selectableFields: [
      ...referenceFields.map((field) => `regarding.${field}`),
      'reason',
      'reportingController',
      'type',
    ],
    storedAs: { group: '', version: 'v1' },
    secondForm: { bucket: '/events', fromStored: modernEvent, toStored: coreEvent },
  },
  'networking.k8s.io/IPAddress': { nameRule: 'path-segment' },
  'networking.k8s.io/Ingress': {
    generation: true,
    begin: beginStatus(() => ({ loadBalancer: {} })),
    validate: ingressIssues,
  },
  'networking.k8s.io/IngressClass': {
    generation: true,
    defaults: defaultIngressClass,
    validate: ingressClassIssues,
  },
  'networking.k8s.io/NetworkPolicy': {
    generation: true,
    defaults: defaultNetworkPolicy,
    validate: networkPolicyIssues,
  },
  'networking.k8s.io/ServiceCIDR': { begin: emptyStatus },
};
