import type { Json } from 'kilter/api';
import { CelOptional, type Program, resourceSchema, toCel } from '../cel/index.ts';
import { fieldOf, isObject, type Issue, type Schema, type ValidationRule } from '../values/index.ts';
import { type Correlation, oldItems } from './correlation.ts';
import { at, child, entry } from './field-path.ts';
import { duplicate, forbidden, invalid, omitted, required } from './issue.ts';
import { alignOld } from './old-order.ts';
import { normalizeFieldPath } from './rule-field-path.ts';
import { programsOf } from './rule-programs.ts';

/** A rule nothing can be said about: the evaluator cannot run it. */
export interface UncheckedRule {
  readonly field: string;
  readonly rule: string;
  readonly why: string;
}

/** What the rules of one object may cost together. */
const objectBudget = 10_000_000;

export interface RuleVerdict {
  /** What is left of the budget; below zero once it is spent, and then no rule runs any more. */
  budget: number;
  readonly issues: Issue[];
  /** Issues of values an update leaves as they were. */
  readonly forgiven: Issue[];
  readonly unchecked: UncheckedRule[];
}

interface Node {
  readonly value: Json;
  /** The value before the update; undefined on create and where nothing correlates. */
  readonly old: Json | undefined;
  readonly schema: Schema;
  readonly path: string;
  readonly root: boolean;
  readonly ratchet: Ratchet;
}

/** Where a node is in the update: its own correlation, else that of the nearest parent that has one. */
interface Ratchet {
  readonly current: Correlation | undefined;
  readonly parent: Correlation | undefined;
}

export interface RuleSubject {
  readonly value: Json;
  readonly old: Json | undefined;
  readonly schema: Schema;
  readonly correlation: Correlation | undefined;
  /** Where the value stands, and whether it is a resource: '' and true unless given. */
  readonly path?: string;
  readonly root?: boolean;
}

/** Runs the rules of a schema over a value, from the root down. */
export function validateRules({ value, old, schema, correlation, path = '', root = true }: RuleSubject): RuleVerdict {
  const verdict: RuleVerdict = { budget: objectBudget, issues: [], forgiven: [], unchecked: [] };
  const ratchet = { current: correlation, parent: undefined };
  visit({ value, old, schema, path, root, ratchet }, verdict);
  return verdict;
}

function visit(node: Node, verdict: RuleVerdict): void {
  const { value } = node;
  if (value === null || verdict.budget < 0) return;
  runRules(node, verdict);
  if (Array.isArray(value)) visitItems(node, value, verdict);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) visitField(node, { key, item }, verdict);
  }
}

function visitItems({ old, schema, path, ratchet }: Node, list: Json[], verdict: RuleVerdict): void {
  const { items } = schema;
  if (items === undefined || !hasRules(items)) return;
  const oldOf = oldItems(Array.isArray(old) ? old : [], schema);
  for (const [index, value] of list.entries()) {
    visit(
      {
        value,
        old: oldOf(value),
        schema: items,
        path: at(path, index),
        root: items['x-kubernetes-embedded-resource'] === true,
        ratchet: below(ratchet, (correlation) => correlation.index(index)),
      },
      verdict,
    );
  }
}

function visitField(node: Node, { key, item }: { key: string; item: Json }, verdict: RuleVerdict): void {
  const { old, schema, path } = node;
  const property = schema.properties && fieldOf(schema.properties, key);
  const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const fieldSchema = property ?? rest;
  if (fieldSchema === undefined || !hasRules(fieldSchema)) return;
  visit(
    {
      value: item,
      old: isObject(old) ? fieldOf(old, key) : undefined,
      schema: fieldSchema,
      path: property === undefined ? entry(path, key) : child(path, key),
      root: fieldSchema['x-kubernetes-embedded-resource'] === true,
      ratchet: fieldRatchet(node, key),
    },
    verdict,
  );
}

function below(ratchet: Ratchet, step: (correlation: Correlation) => Correlation | undefined): Ratchet {
  return ratchet.current === undefined ? ratchet : { current: step(ratchet.current), parent: ratchet.current };
}

function fieldRatchet({ path, ratchet }: Node, key: string): Ratchet {
  if (path === '' && (key === 'apiVersion' || key === 'kind')) return { current: undefined, parent: undefined };
  return below(ratchet, (correlation) => correlation.key(key));
}

/** Whether a schema has a rule anywhere, by schema: most have none, and their values need no visit. */
const withRules = new WeakMap<Schema, boolean>();

export function hasRules(schema: Schema): boolean {
  const known = withRules.get(schema);
  if (known !== undefined) return known;
  withRules.set(schema, false);
  const below = [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})];
  const found =
    (schema['x-kubernetes-validations']?.length ?? 0) > 0 ||
    below.some((part) => typeof part === 'object' && hasRules(part));
  withRules.set(schema, found);
  return found;
}

function runRules(node: Node, verdict: RuleVerdict): void {
  const rules = node.schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return;
  const seen = node.root ? resourceSchema(node.schema) : node.schema;
  const self = toCel(node.value, seen);
  const hasOld = node.old !== undefined && node.old !== null;
  const oldSelf = hasOld ? toCel(alignOld(node.old, node.value, seen), seen) : undefined;
  for (const rule of rules) if (verdict.budget >= 0) runRule(rule, { node, self, oldSelf }, verdict);
}

interface Values {
  readonly node: Node;
  readonly self: unknown;
  /** Undefined without an old value. */
  readonly oldSelf: unknown;
}

function runRule(rule: ValidationRule, values: Values, verdict: RuleVerdict): void {
  const { node, self, oldSelf } = values;
  const { rule: program } = programsOf(rule, node.schema, node.root);
  const refuse = (detail: string): void => void verdict.issues.push(invalid(node.path, node.schema.type ?? '', detail));
  if ('why' in program) {
    verdict.unchecked.push({ field: node.path, rule: rule.rule, why: program.why });
    return refuse(`rule could not be evaluated (${program.why}): ${rule.rule}`);
  }
  const optional = rule.optionalOldSelf === true;
  if (program.usesOldSelf && oldSelf === undefined && !optional) return;
  const outcome = program.run({ self, oldSelf: optional ? new CelOptional(oldSelf) : oldSelf });
  verdict.budget -= outcome.cost;
  const text = (rule.message ?? rule.rule).trim();
  if (outcome.type === 'stopped') {
    verdict.budget = -1;
    return refuse(
      `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`,
    );
  }
  if (verdict.budget < 0) {
    return refuse('validation failed due to running out of cost budget, no further validation rules will be run');
  }
  if (outcome.type === 'error') refuse(errorDetail(outcome.text, text));
  else if (outcome.value !== true) report(rule, program, { values, verdict });
}

function errorDetail(error: string, rule: string): string {
  return error === 'no such overload'
    ? `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`
    : `${error} evaluating rule: ${rule}`;
}

function report(
  rule: ValidationRule,
  program: Program,
  { values, verdict }: { values: Values; verdict: RuleVerdict },
): void {
  const { node } = values;
  const detail = messageText(rule, values, verdict) ?? rule.message?.trim() ?? `failed rule: ${rule.rule.trim()}`;
  const issue = ruleIssue(rule, node, detail);
  const unchanged = (node.ratchet.current ?? node.ratchet.parent)?.unchanged() === true;
  (!program.usesOldSelf && unchanged ? verdict.forgiven : verdict.issues).push(issue);
}

/** Longer messages are dropped for the rule's plain one. */
const messageLimit = 5 * 1024;

function messageText(rule: ValidationRule, { node, self, oldSelf }: Values, verdict: RuleVerdict): string | undefined {
  const { message: program } = programsOf(rule, node.schema, node.root);
  if (program === undefined || 'why' in program) return undefined;
  const outcome = program.run({ self, oldSelf });
  verdict.budget -= outcome.cost;
  if (outcome.type !== 'value' || typeof outcome.value !== 'string') return undefined;
  const text = outcome.value.trim();
  return text === '' || text.includes('\n') || Buffer.byteLength(text) > messageLimit ? undefined : text;
}

function ruleIssue(rule: ValidationRule, { value, schema, path }: Node, detail: string): Issue {
  const relative = rule.fieldPath === undefined ? undefined : normalizeFieldPath(rule.fieldPath, schema);
  const place = relative === undefined ? path : child(path, relative);
  const shown = schema.type === 'object' || schema.type === 'array' ? omitted : value;
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbidden(place, detail);
    case 'FieldValueRequired':
      return required(place, detail);
    case 'FieldValueDuplicate':
      return duplicate(place, shown);
    default:
      return invalid(place, shown, detail);
  }
}
