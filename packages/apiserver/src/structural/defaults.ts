import type { Json } from 'kilter/api';
import {
  child,
  embeddedResourceIssues,
  entry,
  hasRules,
  invalid,
  noField,
  pruneBelow,
  validateRules,
  validateValue,
} from '../schema/index.ts';
import { type Issue, sameValue, type Schema } from '../values/index.ts';
import { isDefined } from './keywords.ts';

/** Defaults that their own schema would not let pass. The server does not look below additionalProperties. */
export function defaultIssues(schema: Schema, path: string): Issue[] {
  const own = isDefined(schema.default) ? valueIssues(schema.default as Json, schema, child(path, 'default')) : [];
  const ofItems = schema.items === undefined ? [] : defaultIssues(schema.items, child(path, 'items'));
  const ofProperties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    defaultIssues(property, entry(child(path, 'properties'), name)),
  );
  return [...own, ...ofItems, ...ofProperties];
}

function valueIssues(value: Json, schema: Schema, path: string): Issue[] {
  const unknown = sameValue(pruneBelow(value, schema), value)
    ? []
    : [invalid(path, value, 'must not have unknown fields')];
  const embedded = embeddedResourceIssues(value, schema, path);
  if (embedded.length > 0) return [...unknown, ...embedded];
  const problems = validateValue({ value, schema, path: '', correlation: undefined }).problems;
  if (problems.length > 0) return [...unknown, ...problems.map(({ issue }) => below(issue, path))];
  return [...unknown, ...ruleIssues(value, schema, path)];
}

/** A default must satisfy its rules whether an object is created with it or already had it. */
function ruleIssues(value: Json, schema: Schema, path: string): Issue[] {
  if (!hasRules(schema)) return [];
  const root = schema['x-kubernetes-embedded-resource'] === true;
  const kept = validateRules({ value, old: value, schema, correlation: undefined, path, root });
  if (kept.issues.length > 0) return kept.issues;
  return validateRules({ value, old: undefined, schema, correlation: undefined, path, root }).issues;
}

function below(issue: Issue, path: string): Issue {
  return { ...issue, field: issue.field === noField ? path : child(path, issue.field) };
}
