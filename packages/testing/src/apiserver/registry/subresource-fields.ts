import type { ResourceDefinition } from './definition.ts';

/** Fields a write to an endpoint cannot change, so that it neither gains nor loses them. */
export function resetFields(definition: ResourceDefinition, subresource: string | undefined): string[] {
  const { schema, hasStatus, custom } = definition;
  if (subresource === undefined) return hasStatus ? ['status'] : [];
  if (subresource !== 'status') return [];
  const fields = Object.keys(schema.properties ?? {}).filter(
    (name) => !['status', 'apiVersion', 'kind', 'metadata'].includes(name),
  );
  return custom ? [...fields, 'metadata'] : fields;
}
