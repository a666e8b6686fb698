import type { Json } from 'kilter/api';
import { maxRequestSize, type NoProgram, type Program } from '../cel/index.ts';
import {
  at,
  child,
  declaredOf,
  entry,
  forbidden,
  invalid,
  normalizeFieldPath,
  notSupported,
  omitted,
  programsOf,
  required,
} from '../schema/index.ts';
import { type Issue, type Schema, structJson, type ValidationRule } from '../values/index.ts';
import { isReadable } from './readable.ts';
import type { WrittenSchema } from './shape.ts';

/** What is wrong with the rules of one schema, their expressions aside. */
export function ruleIssues(schema: WrittenSchema, path: string): Issue[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  return rules.flatMap((rule, index) => {
    const place = at(child(path, 'x-kubernetes-validations'), index);
    return [...textIssues(rule, place), ...optionIssues(rule, schema as Schema, place)];
  });
}

const breaksLine = (text: string): boolean => /[\n\r]/.test(text);

function textIssues(rule: ValidationRule, path: string): Issue[] {
  const text = rule.rule.trim();
  const { message = '' } = rule;
  const trimmed = message.trim();
  const place = child(path, 'message');
  if (text === '') return [required(child(path, 'rule'), 'rule is not specified')];
  if (message !== '' && trimmed === '') return [invalid(place, message, 'must be non-empty if specified')];
  if (breaksLine(trimmed)) return [invalid(place, message, 'must not contain line breaks')];
  if (breaksLine(text) && trimmed === '') {
    return [required(place, 'message must be specified if rule contains line breaks')];
  }
  return [];
}

const reasons: readonly Json[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

function optionIssues(rule: ValidationRule, schema: Schema, path: string): Issue[] {
  const { messageExpression, reason, fieldPath } = rule;
  const issues: Issue[] = [];
  if (messageExpression !== undefined && messageExpression !== '' && messageExpression.trim() === '') {
    issues.push(required(child(path, 'messageExpression'), 'messageExpression must be non-empty if specified'));
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    issues.push(notSupported(child(path, 'reason'), reason, reasons));
  }
  return fieldPath === undefined || fieldPath === ''
    ? issues
    : [...issues, ...fieldPathIssues(fieldPath, schema, path)];
}

function fieldPathIssues(fieldPath: string, schema: Schema, path: string): Issue[] {
  const place = child(path, 'fieldPath');
  const issues: Issue[] = [];
  if (fieldPath.trim() === '') issues.push(invalid(place, fieldPath, 'must be non-empty if specified'));
  if (breaksLine(fieldPath)) issues.push(invalid(place, fieldPath, 'must not contain line breaks'));
  if (normalizeFieldPath(fieldPath, schema) === undefined && isReadable(schema as WrittenSchema)) {
    issues.push(invalid(place, fieldPath, 'must be a valid path'));
  }
  return issues;
}

/** What one expression may cost at most, and all expressions of a schema together. */
const expressionLimit = 10_000_000;
const schemaLimit = 100_000_000;

interface RulePosition {
  readonly path: string;
  readonly root: boolean;
  /** The nearest schema above in which old items cannot be told apart; undefined where all can. */
  readonly uncorrelatable: string | undefined;
  /** How many values of this schema an object may have; undefined where no schema above bounds them. */
  readonly count: number | undefined;
}

/** What the expressions of a schema come to. */
class Findings {
  readonly issues: Issue[] = [];
  /** Those worth naming if all together cost too much. */
  readonly #dear: { readonly path: string; readonly cost: number }[] = [];
  #total = 0;

  observe(path: string, cost: number, what: string): void {
    this.#total += cost;
    if (cost >= schemaLimit / 100) this.#dear.push({ path, cost });
    if (cost > expressionLimit)
      this.issues.push(forbidden(path, costText(`estimated ${what} cost`, cost, expressionLimit)));
  }

  /** All issues, with those of the sum. */
  conclude(path: string): Issue[] {
    if (this.#total <= schemaLimit) return this.issues;
    const dearest = this.#dear.toSorted((a, b) => b.cost - a.cost).slice(0, 4);
    const whole = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.issues,
      ...dearest.map(({ path: place }) =>
        forbidden(place, 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'),
      ),
      forbidden(path, costText(whole, this.#total, schemaLimit)),
    ];
  }
}

function costText(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** What is wrong with the expressions of a structural schema: their types, their costs, where they stand. */
export function expressionIssues(schema: Schema, path: string): Issue[] {
  const findings = new Findings();
  visit(schema, { path, root: true, uncorrelatable: undefined, count: 1 }, findings);
  return findings.conclude(path);
}

function visit(schema: Schema, place: RulePosition, findings: Findings): void {
  const { items, additionalProperties, properties } = schema;
  const { path, uncorrelatable } = place;
  const below = { root: false, uncorrelatable, count: countBelow(schema, place.count) };
  for (const [name, property] of Object.entries(properties ?? {})) {
    visit(property, { ...below, path: entry(child(path, 'properties'), name) }, findings);
  }
  if (typeof additionalProperties === 'object') {
    visit(additionalProperties, { ...below, path: child(path, 'additionalProperties') }, findings);
  }
  if (items !== undefined) {
    const lost = uncorrelatable ?? (schema['x-kubernetes-list-type'] === 'map' ? undefined : path);
    visit(items, { ...below, uncorrelatable: lost, path: child(path, 'items') }, findings);
  }
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    judge(rule, schema, { place, at: at(child(path, 'x-kubernetes-validations'), index), findings });
  }
}

function countBelow(
  { type, additionalProperties, maxProperties, maxItems }: Schema,
  count: number | undefined,
): number | undefined {
  if (count === undefined) return undefined;
  if (type === 'array') return maxItems === undefined ? undefined : count * maxItems;
  if (type !== 'object' || additionalProperties === undefined) return count;
  return maxProperties === undefined ? undefined : count * maxProperties;
}

interface Judged {
  readonly place: RulePosition;
  /** The path of the rule. */
  readonly at: string;
  readonly findings: Findings;
}

function judge(rule: ValidationRule, schema: Schema, { place, at: path, findings }: Judged): void {
  const isResource = place.root || schema['x-kubernetes-embedded-resource'] === true;
  const declared = declaredOf(schema, isResource);
  const rules = path.replace(/\[\d+\]$/, '');
  if (declared === undefined) {
    const detail =
      'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
    findings.issues.push({ field: rules, reason: 'InternalError', message: `Internal error: ${detail}` });
    return;
  }
  const { rule: program, message } = programsOf(rule, schema, isResource);
  const count = place.count ?? Math.floor(maxRequestSize / (declared.minSize + 1));
  noteProgram(program, { path: child(path, 'rule'), rule, what: 'rule', count, findings });
  if (!('why' in program) && message !== undefined) {
    noteProgram(message, {
      path: child(path, 'messageExpression'),
      rule,
      what: 'messageExpression',
      count: 1,
      findings,
    });
  }
  noteOldSelf(rule, !('why' in program) && program.usesOldSelf, { place, at: path, findings });
}

interface Noted {
  readonly path: string;
  readonly rule: ValidationRule;
  readonly what: string;
  readonly count: number;
  readonly findings: Findings;
}

function noteProgram(program: Program | NoProgram, { path, rule, what, count, findings }: Noted): void {
  if ('why' in program) findings.issues.push(invalid(path, omitted, `${wholeRule(rule)}: ${program.why}`));
  else findings.observe(path, program.maxCost * count, what);
}

/** A rule as the server quotes it: all its fields, by the names they have inside the server. */
function wholeRule({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: ValidationRule): string {
  return structJson({
    Rule: rule,
    Message: message ?? '',
    MessageExpression: messageExpression ?? '',
    Reason: reason ?? null,
    FieldPath: fieldPath ?? '',
    OptionalOldSelf: optionalOldSelf ?? null,
  });
}

function noteOldSelf(rule: ValidationRule, usesOldSelf: boolean, { place, at: path, findings }: Judged): void {
  if (usesOldSelf && place.uncorrelatable !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelatable}`;
    findings.issues.push(invalid(child(path, 'rule'), rule.rule, detail));
  }
  if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule';
    findings.issues.push(invalid(child(path, 'optionalOldSelf'), rule.optionalOldSelf, detail));
  }
}
