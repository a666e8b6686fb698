// The rules of ResourceQuota: what can be bounded, by how much, and for whom.
import type { Json, JsonObject } from 'kilter/api';
import { quantityOf, thousandths } from '../formats/index.ts';
import { immutable, invalidValue, required } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, sameValue, textIn, textOf, textsOf } from '../values/index.ts';
import { countedResources, isForeignName, isLargePages, resourceNameFlaws } from './resource-names.ts';

const computed = ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);
const stored = ['ephemeral-storage', 'requests.ephemeral-storage', 'limits.ephemeral-storage', 'requests.storage'];
const standard = new Set([...computed, ...stored, ...countedResources]);

const isOfQuotas = (name: string): boolean => standard.has(name) || isLargePages(name, 'requests.');

function nameIssues(name: string, path: string): Issue[] {
  const isUsable = name.includes('/') || isOfQuotas(name);
  const flaws = [...resourceNameFlaws(name), ...(isUsable ? [] : ['must be a standard resource for quota'])];
  return flaws.map((flaw) => invalidValue(path, name, flaw));
}

function amountIssues(name: string, value: Json | undefined, path: string): Issue[] {
  const text = textOf(value);
  const amount = quantityOf(text);
  const isWhole = countedResources.includes(name) || isForeignName(name);
  return [
    ...(amount.unscaled < 0n ? [invalidValue(path, text, 'must be greater than or equal to 0')] : []),
    ...(isWhole && thousandths(amount) % 1000n !== 0n ? [invalidValue(path, text, 'must be an integer')] : []),
  ];
}

function listIssues(object: JsonObject, field: string, path: string): Issue[] {
  return Object.entries(objectIfIn(object, field) ?? {}).flatMap(([name, value]) => {
    const place = `${path}.${field}[${name}]`;
    return [...nameIssues(name, place), ...amountIssues(name, value, place)];
  });
}

const scopesOfPods = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
];
const scopes = new Set([...scopesOfPods, 'VolumeAttributesClass']);

/** Whether a resource can be bounded for some objects alone. */
function fitsScope(scope: string, name: string): boolean {
  if (scope === 'BestEffort') return name === 'pods';
  if (scope === 'VolumeAttributesClass') return name === 'persistentvolumeclaims' || name === 'requests.storage';
  return !scopesOfPods.includes(scope) || name === 'pods' || computed.includes(name);
}

const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['NotTerminating', 'Terminating'],
] as const;

const conflicting = (names: readonly string[], path: string, value: Json): Issue[] =>
  opposites
    .filter((pair) => pair.every((name) => names.includes(name)))
    .map(() => invalidValue(path, value, 'conflicting scopes'));

/** The resources that a scope cannot be applied to, an issue for each. */
const misapplied = (scope: string, hard: readonly string[], issue: Issue): Issue[] =>
  hard.filter((name) => isOfQuotas(name) && !fitsScope(scope, name)).map(() => issue);

function scopeIssues(spec: JsonObject, hard: readonly string[]): Issue[] {
  const names = textsOf(spec['scopes']);
  const path = 'spec.scopes';
  // They quote the whole list, each time: many of them are to be one text.
  const unknown = invalidValue(path, names, 'unsupported scope');
  const issue = invalidValue(path, names, 'unsupported scope applied to resource');
  return [
    ...names.flatMap((name) => [...(scopes.has(name) ? [] : [unknown]), ...misapplied(name, hard, issue)]),
    ...conflicting(names, path, names),
  ];
}

const withoutOperator = new Set(scopesOfPods.filter((name) => name !== 'PriorityClass'));
const mustExist =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, " +
  'ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';

function operatorIssues(expression: JsonObject, path: string): Issue[] {
  const operator = textIn(expression, 'operator');
  const values = textsOf(expression['values']);
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const wanted = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return values.length === 0 ? [required(`${path}.values`, wanted)] : [];
    }
    case 'Exists':
    case 'DoesNotExist': {
      const unwanted = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return values.length > 0 ? [invalidValue(`${path}.values`, values, unwanted)] : [];
    }
    default:
      return [invalidValue(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

/** A selector as refusals quote it. */
function quotedSelector(expressions: readonly JsonObject[]): Json {
  return {
    MatchExpressions: expressions.map((expression) => ({
      ScopeName: textIn(expression, 'scopeName'),
      Operator: textIn(expression, 'operator'),
      Values: expression['values'] ?? null,
    })),
  };
}

function selectorIssues(spec: JsonObject, hard: readonly string[]): Issue[] {
  const expressions = objectsIn(objectIfIn(spec, 'scopeSelector') ?? {}, 'matchExpressions');
  const path = 'spec.scopeSelector.matchExpressions';
  const issue = invalidValue(path, quotedSelector(expressions), 'unsupported scope applied to resource');
  const each = expressions.flatMap((expression) => {
    const [name, operator] = [textIn(expression, 'scopeName'), textIn(expression, 'operator')];
    const isMisused = withoutOperator.has(name) && operator !== 'Exists';
    return [
      ...(scopes.has(name) ? [] : [invalidValue(`${path}.scopeName`, name, 'unsupported scope')]),
      ...misapplied(name, hard, issue),
      ...(isMisused ? [invalidValue(`${path}.operator`, operator, mustExist)] : []),
      ...operatorIssues(expression, path),
    ];
  });
  const names = expressions.map((expression) => textIn(expression, 'scopeName'));
  return [...each, ...conflicting(names, path, spec['scopes'] ?? null)];
}

export function quotaIssues(quota: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = objectIfIn(quota, 'spec') ?? {};
  const status = objectIfIn(quota, 'status') ?? {};
  const hard = Object.keys(objectIfIn(spec, 'hard') ?? {}).sort();
  const [before, now] = [objectIfIn(old ?? {}, 'spec') ?? {}, spec].map((one) =>
    [...new Set(textsOf(one['scopes']))].sort(),
  );
  const isMoved = old !== undefined && !sameValue(before ?? [], now ?? []);
  return [
    ...listIssues(spec, 'hard', 'spec'),
    ...scopeIssues(spec, hard),
    ...selectorIssues(spec, hard),
    ...listIssues(status, 'hard', 'status'),
    ...listIssues(status, 'used', 'status'),
    ...(isMoved ? [immutable('spec.scopes', spec['scopes'] ?? null)] : []),
  ];
}
