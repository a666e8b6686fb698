import { child, forbidden, invalid, omitted } from '../schema/index.ts';
import type { Issue, Schema } from '../values/index.ts';
import { defaultIssues } from './defaults.ts';
import { invariantIssues } from './invariants.ts';
import { keywordIssues } from './keywords.ts';
import { rootPlace } from './place.ts';
import { isReadable } from './readable.ts';
import { expressionIssues } from './rules.ts';
import { shapeIssues, type WrittenSchema } from './shape.ts';

export interface StructuralContext {
  /** Where the schema is in its CustomResourceDefinition; the path of a definition with one version if not given. */
  readonly path?: string;
  /** Whether the version has the status subresource, which narrows what the root may say. */
  readonly hasStatus?: boolean;
}

/** Why a CustomResourceDefinition with this schema would be refused; [] if the schema is structural and its defaults are valid. */
export function structuralProblems(schema: unknown, context: StructuralContext = {}): Issue[] {
  const path = context.path ?? 'spec.validation.openAPIV3Schema';
  const misshapen = shapeIssues(schema, path);
  if (misshapen.length > 0) return misshapen;
  const written = schema as WrittenSchema;
  const issues = [
    ...(context.hasStatus === true ? statusRootIssues(written, path) : []),
    ...(written.nullable === true ? [forbidden(child(path, 'nullable'), 'nullable cannot be true at the root')] : []),
    ...(isReadable(written) ? structuralIssues(written, path) : []),
    ...keywordIssues(written, rootPlace(path)),
  ];
  // Expressions are read against the schema's types, which must be right first.
  return issues.length > 0 ? issues : expressionIssues(schema as Schema, path);
}

/** Defaults are judged by a schema that is structural, never before. */
function structuralIssues(schema: WrittenSchema, path: string): Issue[] {
  const issues = invariantIssues(schema, 'root', path);
  if (issues.length > 0) return issues;
  return defaultIssues({ ...(schema as Schema), 'x-kubernetes-embedded-resource': true }, path);
}

const allowedAtRoot = new Set([
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'items',
  'properties',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
]);

/** `XPreserveUnknownFields`: a keyword as the field of the struct the real server names it by. */
const fieldOfGo = (keyword: string): string =>
  keyword.replace('x-kubernetes-', 'x-').replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());

/** Status is validated on its own, so that nothing at the root may tie it to the rest. */
function statusRootIssues(schema: WrittenSchema, path: string): Issue[] {
  const { type = '' } = schema;
  if (type !== '' && type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(child(path, 'type'), type, detail)];
  }
  const says = Object.entries(schema).filter(([, value]) => value !== undefined && value !== null && value !== false);
  if (says.every(([keyword]) => allowedAtRoot.has(keyword))) return [];
  const detail = `only [${[...allowedAtRoot].map(fieldOfGo).join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path, omitted, detail)];
}
