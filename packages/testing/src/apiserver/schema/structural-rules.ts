import type { Json } from 'kilter/api';
import { programsOf } from './cel-program.ts';
import { resourceSchema } from './cel-values.ts';
import { at, child, entry } from './field-path.ts';
import { invalid, notSupported, required } from './issue.ts';
import { normalizeFieldPath } from './rule-field-path.ts';
import type { Issue, Schema, ValidationRule } from './schema.ts';
import { isReadable } from './structural-readable.ts';
import type { WrittenSchema } from './structural-shape.ts';

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

interface Place {
  readonly path: string;
  readonly root: boolean;
  /** The nearest schema above in which old items cannot be told apart; undefined where all can. */
  readonly uncorrelatable: string | undefined;
}

/**
 * What is wrong with the expressions of a structural schema, here and below. Only what is certain is reported: an
 * expression this evaluator cannot read may be right all the same, and is reported when it is to be run.
 */
export function expressionIssues(schema: Schema, place: Place): Issue[] {
  const { items, additionalProperties, properties } = schema;
  const { path } = place;
  const uncorrelatable = place.uncorrelatable ?? (schema['x-kubernetes-list-type'] === 'map' ? undefined : path);
  const below = { root: false, uncorrelatable: place.uncorrelatable };
  return [
    ...(schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) =>
      expressionIssuesOf(rule, schema, { ...place, path: at(child(path, 'x-kubernetes-validations'), index) }),
    ),
    ...(items === undefined
      ? []
      : expressionIssues(items, { root: false, uncorrelatable, path: child(path, 'items') })),
    ...(typeof additionalProperties === 'object'
      ? expressionIssues(additionalProperties, { ...below, path: child(path, 'additionalProperties') })
      : []),
    ...Object.entries(properties ?? {}).flatMap(([name, property]) =>
      expressionIssues(property, { ...below, path: entry(child(path, 'properties'), name) }),
    ),
  ];
}

function expressionIssuesOf(rule: ValidationRule, schema: Schema, { path, root, uncorrelatable }: Place): Issue[] {
  const isResource = root || schema['x-kubernetes-embedded-resource'] === true;
  const { rule: program } = programsOf(rule, isResource ? resourceSchema(schema) : schema);
  const issues: Issue[] = [];
  if (program.unknownName !== undefined) {
    issues.push(invalid(child(path, 'rule'), rule.rule, `compilation failed: ${program.unknownName}`));
  }
  if (program.usesOldSelf && uncorrelatable !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    issues.push(invalid(child(path, 'rule'), rule.rule, detail));
  }
  if (!program.usesOldSelf && program.readable && rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule';
    issues.push(invalid(child(path, 'optionalOldSelf'), rule.optionalOldSelf, detail));
  }
  return issues;
}
