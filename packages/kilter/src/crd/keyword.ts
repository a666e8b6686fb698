import type { Raw } from './json-schema.ts';
import type { Site } from './normalize.ts';

interface Refusal {
  readonly message: string;
  readonly cure?: string;
}

const conditional: Refusal = { message: 'is conditional', cure: 'write the condition as a rule' };
const dependent: Refusal = { message: 'has dependent fields', cure: 'write the dependency as a rule' };
const tuple: Refusal = { message: 'is a tuple', cure: 'use z.array(…) of one type, or an object with named fields' };
const evaluated: Refusal = { message: 'restricts what it does not evaluate' };

/** Assertions with no place in a structural schema. Words the server does not know are left out without one. */
const refused: Readonly<Record<string, Refusal>> = {
  not: {
    message: 'accepts nothing (never), or is defined by what it is not',
    cure: 'leave the field out, or write the exclusion as a rule',
  },
  if: conditional,
  then: conditional,
  else: conditional,
  patternProperties: { message: 'has fields by pattern', cure: 'use z.record(…) with a schema for the keys' },
  dependentSchemas: dependent,
  dependentRequired: dependent,
  dependencies: dependent,
  contains: { message: 'restricts what a list contains', cure: 'write it as a rule: self.exists(x, …)' },
  prefixItems: tuple,
  additionalItems: tuple,
  unevaluatedProperties: evaluated,
  unevaluatedItems: evaluated,
  $dynamicRef: { message: 'has a dynamic reference' },
};

/** Counts, which the server reads into integers. */
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;

export function refuseKeywords(node: Raw, { path, findings }: Site): void {
  const refuse = (message: string, cure?: string): void =>
    findings.refuse({ code: 'CRD_SCHEMA_NOT_STRUCTURAL', path, message, cure });
  for (const [key, { message, cure }] of Object.entries(refused)) {
    if (node[key] !== undefined) refuse(`${message} (${key}), which has no structural form`, cure);
  }
  if (Array.isArray(node['items'])) refuse('is a tuple (items)', tuple.cure);
  if (Array.isArray(node['enum']) && node['enum'].length === 0)
    refuse('accepts nothing (an empty enum)', 'leave the field out');
  if (node['uniqueItems'] === true) refuse('has uniqueItems, which the server refuses', 'use listSet()');
  for (const key of counts) {
    const count = node[key];
    if (count !== undefined && !(Number.isInteger(count) && Number(count) >= 0)) {
      refuse(`has ${key} ${JSON.stringify(count)}`, 'give a whole number of at least 0');
    }
  }
  if (node['contentEncoding'] === 'binary') {
    findings.refuse({ code: 'CRD_SCHEMA_UNREPRESENTABLE', path, message: 'is a file', cure: 'use z.base64()' });
  }
}
