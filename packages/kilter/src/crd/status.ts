import { child } from './field-path.ts';
import type { Site } from './normalize.ts';
import { type Structural, valuesOf } from './structural.ts';
import { valueProblems } from './value.ts';

/** metav1.Condition with the limits the API conventions set. */
const conditions: Structural = {
  description: 'Conditions of the object, by type.',
  type: 'array',
  items: {
    type: 'object',
    required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: { description: 'When the status last changed.', type: 'string', format: 'date-time' },
      message: { description: 'The reason, for people.', type: 'string', maxLength: 32_768 },
      observedGeneration: {
        description: 'The generation that this condition describes.',
        type: 'integer',
        format: 'int64',
        minimum: 0,
      },
      reason: {
        description: 'The reason as one CamelCase word.',
        type: 'string',
        minLength: 1,
        maxLength: 1024,
        pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      type: {
        type: 'string',
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      },
    },
  },
  'x-kubernetes-list-map-keys': ['type'],
  'x-kubernetes-list-type': 'map',
};

/** The fields of every status, whatever its author writes. */
export const commonStatus: Readonly<Record<string, Structural>> = {
  observedGeneration: { description: 'The generation that was last handled.', type: 'integer', format: 'int64' },
  conditions,
};

/** Where conversions keep what a version cannot hold: the server ignores the status in writes of the object itself. */
export const dataField = 'conversionData';

const conversionData: Structural = {
  description: 'Data that this version has no fields for. Maintained by conversions; do not edit.',
  type: 'string',
};

/** What goes around the author's schema of a status. */
export function isOwnStatusField(name: string): boolean {
  return name === dataField || Object.hasOwn(commonStatus, name);
}

/** A status with room for what conversions keep; a resource without a status gets one with nothing else in it. */
export function withConversionData(status: Structural | undefined): Structural {
  return {
    ...(status ?? { description: 'Maintained by conversions between versions.', type: 'object' }),
    properties: { ...status?.properties, [dataField]: conversionData },
  };
}

/** The author's status with the common fields, which may be written alone. */
export function withCommonStatus(status: Structural, site: Site): Structural {
  const properties = status.properties ?? {};
  if (valuesOf(status) !== undefined) {
    site.findings.refuse({
      code: 'CRD_SCHEMA_NOT_STRUCTURAL',
      path: site.path,
      message: 'is a record, but every status also has the fields observedGeneration and conditions',
      cure: 'put the record into a field of the status',
    });
  }
  for (const name of [...Object.keys(commonStatus), dataField]) {
    if (!Object.hasOwn(properties, name)) continue;
    site.findings.refuse({
      code: 'CRD_SCHEMA_NOT_STRUCTURAL',
      path: child(site.path, name),
      message: 'is added to every status',
      cure: 'leave it out of the schema',
    });
  }
  refuseRequired(status, site);
  const { additionalProperties: _values, ...own } = status;
  return { ...own, properties: { ...properties, ...commonStatus } };
}

function refuseRequired(status: Structural, { path, findings }: Site): void {
  for (const fault of valueProblems(status, {}, path)) {
    findings.refuse({
      code: 'CRD_STATUS_REQUIRED',
      path: fault.path,
      message: `${fault.message}, so conditions cannot be written alone`,
    });
  }
}
