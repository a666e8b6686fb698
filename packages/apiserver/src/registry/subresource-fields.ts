import type { ResourceDefinition } from '../kinds/index.ts';

/** Kinds whose endpoints put back more, or other fields, than the rest: by kind and subresource, '' for the object itself. */
const ownFields: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '/Namespace': { finalize: ['status'] },
  '/Pod': { status: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'] },
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': { status: ['metadata', 'spec'] },
  'apiregistration.k8s.io/APIService': { status: ['metadata', 'spec'] },
  'apps/Deployment': { status: ['spec', 'metadata.labels'] },
  'certificates.k8s.io/CertificateSigningRequest': {
    '': ['spec', 'status'],
    status: ['spec', 'status.conditions'],
    approval: ['spec', 'status.certificate'],
  },
  'flowcontrol.apiserver.k8s.io/FlowSchema': { status: ['metadata', 'spec'] },
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': { status: ['metadata', 'spec'] },
  'networking.k8s.io/ServiceCIDR': { status: ['metadata', 'spec'] },
  'resource.k8s.io/ResourceClaim': { status: ['metadata', 'spec'] },
  'storage.k8s.io/VolumeAttachment': { status: ['metadata', 'spec'] },
};

/** Fields a write to an endpoint cannot change, so that it neither gains nor loses them. */
export function resetFields(definition: ResourceDefinition, subresource: string | undefined): readonly string[] {
  const { group, kind, schema, hasStatus, custom } = definition;
  const own = custom ? undefined : ownFields[`${group}/${kind}`]?.[subresource ?? ''];
  if (own !== undefined) return own;
  if (subresource === undefined) return hasStatus ? ['status'] : [];
  if (subresource !== 'status') return [];
  const fields = Object.keys(schema.properties ?? {}).filter(
    (name) => !['status', 'apiVersion', 'kind', 'metadata'].includes(name),
  );
  return custom ? [...fields, 'metadata'] : fields;
}
