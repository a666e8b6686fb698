import { KilterError } from 'kilter';
import { type Issue, type Schema, structuralProblems } from '@kilter/apiserver/schema';

type Code = 'CRD_RULE_COST' | 'CRD_RULE_INVALID' | 'CRD_DEFAULT_INVALID' | 'TESTING_KIND_INVALID';

/** Where the schema of a version would be in its definition, had it only that version. */
const root = 'openAPIV3Schema';

/**
 * Refuses a schema the API server would refuse with its definition: no object of it will ever be judged. Rules that do not
 * compile or cost too much are found here, since defining a resource runs no CEL.
 */
export function refuseDefinition(kind: string, schema: Schema, hasStatus: boolean): void {
  const issues = structuralProblems(schema, { path: root, hasStatus });
  const [first] = issues;
  if (first === undefined) return;
  const lines = issues.map(({ field, message }) => `\n- ${placeOf(field)}: ${message}`);
  throw new KilterError(codeOf(first), `the API server would refuse the definition of ${kind}:${lines.join('')}`);
}

function codeOf({ field, reason }: Issue): Code {
  if (/x-kubernetes-validations\[\d+\]\.(?:rule|messageExpression)$/.test(field)) {
    return reason === 'FieldValueForbidden' ? 'CRD_RULE_COST' : 'CRD_RULE_INVALID';
  }
  if (/\.x-kubernetes-validations(?:\[|$)/.test(field)) return 'CRD_RULE_INVALID';
  if (/\.default(?:[.[]|$)/.test(field)) return 'CRD_DEFAULT_INVALID';
  return field === root && reason === 'FieldValueForbidden' ? 'CRD_RULE_COST' : 'TESTING_KIND_INVALID';
}

/** `spec.env[*].name` for the schema of that field. */
function placeOf(field: string): string {
  const place = field
    .replace(/^openAPIV3Schema\.?/, '')
    .replace(/properties\[([^\]]*)\]/g, '$1')
    .replace(/\.?items(?=\.|$)/g, '[*]')
    .replace(/\.?additionalProperties(?=\.|$)/g, '[*]');
  return place === '' ? 'the schema' : place;
}
