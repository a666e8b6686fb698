import type { Json, JsonObject } from 'kilter/api';
import { fieldOf, type Issue, type Schema } from '../values/index.ts';
import { Correlation } from './correlation.ts';
import { embeddedResourceIssues } from './embedded-resource.ts';
import { child } from './field-path.ts';
import type { Findings } from './findings.ts';
import { invalid } from './issue.ts';
import { listTypeIssues } from './list-types.ts';
import { hasRules, type UncheckedRule, validateRules } from './rules.ts';
import { type ScaleFields, scaleIssues } from './scale-fields.ts';
import { validateValue } from './validate-value.ts';

export interface ValidationContext {
  /** The stored object on an update: transition rules run, and problems of what stays as it was are forgiven. */
  readonly old?: JsonObject | undefined;
  /** `status` for a write of that subresource: of the schema, only the part about status is checked; rules all run. */
  readonly subresource?: 'status' | undefined;
  /** Issues found before, of kind or metadata: they come first, and decide with the others whether rules run. */
  readonly prior?: readonly Issue[] | undefined;
  /** Where replica counts stand, if the resource has the scale subresource: they are checked as well. */
  readonly scale?: ScaleFields | undefined;
}

/** What a server would say of an object. */
export interface Verdict {
  /** Empty if the value is valid. */
  readonly issues: Issue[];
  /** What an update leaves as it was, though it is not valid. */
  readonly forgiven: Issue[];
  /** Those of them that rules found: the server tells them as warnings. */
  readonly forgivenByRules: Issue[];
  /** Rules the evaluator cannot run; each has an issue as well. */
  readonly unchecked: UncheckedRule[];
}

/** What is wrong with a custom resource, by its schema, list types, embedded resources and rules; [] if nothing is. */
export function validate(value: JsonObject, schema: Schema, context: ValidationContext = {}): Issue[] {
  return verdictOn(value, schema, context).issues;
}

/** As `validate`, with what was let pass and what could not be judged. Neither value is changed. */
export function verdictOn(value: JsonObject, schema: Schema, context: ValidationContext = {}): Verdict {
  const { old } = context;
  const correlation = old && new Correlation(value, old, schema);
  const findings =
    context.subresource === 'status' ? status(value, schema, correlation) : whole(value, schema, correlation);
  const issues = [
    ...(context.prior ?? []),
    ...findings.issues,
    ...(context.scale === undefined ? [] : scaleIssues(value, context.scale, context.subresource ?? 'all')),
    ...(context.subresource === 'status' ? [] : embeddedResourceIssues(value, schema)),
    ...newListTypeIssues(value, schema, old),
  ];
  const { forgiven } = findings;
  if (!hasRules(schema)) return { issues, forgiven, forgivenByRules: [], unchecked: [] };
  if (issues.some(({ reason }) => blocking.has(reason))) {
    return { issues: [...issues, rulesNotRun], forgiven, forgivenByRules: [], unchecked: [] };
  }
  const rules = validateRules({ value, old, schema, correlation });
  return {
    issues: [...issues, ...rules.issues],
    forgiven: [...forgiven, ...rules.forgiven],
    forgivenByRules: rules.forgiven,
    unchecked: rules.unchecked,
  };
}

/** After these, rules would look at values of the wrong shape. */
const blocking: ReadonlySet<Issue['reason']> = new Set([
  'FieldValueRequired',
  'FieldValueNotSupported',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const rulesNotRun: Issue = invalid(
  '',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

function issuesOf(findings: Findings): { issues: Issue[]; forgiven: Issue[] } {
  return {
    issues: findings.problems.map(({ issue }) => issue),
    forgiven: findings.forgiven.map(({ issue }) => issue),
  };
}

function whole(value: JsonObject, schema: Schema, correlation: Correlation | undefined): ReturnType<typeof issuesOf> {
  return issuesOf(validateValue({ value, schema, path: '', correlation }));
}

/** The server judges status as its own document: fields start with `status`, sentences do not. */
function status(value: JsonObject, schema: Schema, correlation: Correlation | undefined): ReturnType<typeof issuesOf> {
  const part: Json | undefined = fieldOf(value, 'status');
  const partSchema = schema.properties && fieldOf(schema.properties, 'status');
  if (part === undefined || partSchema === undefined) return { issues: [], forgiven: [] };
  const findings = issuesOf(
    validateValue({ value: part, schema: partSchema, path: '', correlation: correlation?.key('status') }),
  );
  const prefixed = (issue: Issue): Issue => ({
    ...issue,
    field: issue.field === '<nil>' ? 'status' : child('status', issue.field),
  });
  return { issues: findings.issues.map(prefixed), forgiven: findings.forgiven.map(prefixed) };
}

/** Duplicates count only if the old object had none: whoever inherited them can still change other fields. */
function newListTypeIssues(value: JsonObject, schema: Schema, old: JsonObject | undefined): Issue[] {
  const issues = listTypeIssues(value, schema);
  return issues.length > 0 && old !== undefined && listTypeIssues(old, schema).length > 0 ? [] : issues;
}
