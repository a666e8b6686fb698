// What may be said of the requests a webhook or a policy is about.
import type { JsonObject } from 'kilter/api';
import { duplicate, forbiddenField, invalidValue, required, tooMany, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, textIn, textOf, textsOf } from '../values/index.ts';
import { keyProblems, labelValueProblems } from './names.ts';

/** One of a few words; what is not there is somebody else's matter. */
export function oneOfIssues(object: JsonObject, at: string, words: readonly string[]): Issue[] {
  const [field = ''] = at.split('.').slice(-1);
  const value = object[field];
  return value === undefined || value === null || words.includes(textOf(value)) ? [] : [unsupported(at, value, words)];
}

function starIssues(rule: JsonObject, at: string, { field, what }: { field: string; what: string }): Issue[] {
  const items = textsOf(rule[field]);
  if (items.length === 0) return [required(`${at}.${field}`)];
  return items.length > 1 && items.includes('*')
    ? [invalidValue(`${at}.${field}`, items, `if '*' is present, must not specify other ${what}`)]
    : [];
}

const emptyIssues = (items: readonly string[], at: string): Issue[] =>
  items.flatMap((item, index) => (item === '' ? [required(`${at}[${index}]`)] : []));

function pairIssues(resources: readonly string[], at: string): Issue[] {
  const [wholes, subs] = [new Set<string>(), new Set<string>()];
  return resources.flatMap((item, index) => {
    const slash = item.indexOf('/');
    if (slash < 0) return [];
    const [resource, sub] = [item.slice(0, slash), item.slice(slash + 1)];
    const place = `${at}[${index}]`;
    const issues = [
      ...(wholes.has(resource)
        ? [invalidValue(place, item, `if '${resource}/*' is present, must not specify ${item}`)]
        : []),
      ...(subs.has(sub) ? [invalidValue(place, item, `if '*/${sub}' is present, must not specify ${item}`)] : []),
    ];
    if (sub === '*') wholes.add(resource);
    if (resource === '*') subs.add(sub);
    return issues;
  });
}

function resourceIssues(rule: JsonObject, at: string): Issue[] {
  const resources = textsOf(rule['resources']);
  if (resources.length === 0) return [required(at)];
  const bare = resources.filter((item) => !item.includes('/') && item !== '*');
  return [
    ...emptyIssues(resources, at),
    ...pairIssues(resources, at),
    ...(resources.length > 1 && resources.includes('*/*')
      ? [invalidValue(at, resources, "if '*/*' is present, must not specify other resources")]
      : []),
    ...(resources.includes('*') && bare.length > 0
      ? [invalidValue(at, resources, "if '*' is present, must not specify other resources without subresources")]
      : []),
  ];
}

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

/** What is wrong with one rule. */
export function ruleIssues(rule: JsonObject, at: string, allowed: readonly string[] = operations): Issue[] {
  const asked = textsOf(rule['operations']);
  return [
    ...starIssues(rule, at, { field: 'operations', what: 'operations' }),
    ...asked.flatMap((operation, index) =>
      allowed.includes(operation) ? [] : [unsupported(`${at}.operations[${index}]`, operation, allowed)],
    ),
    ...starIssues(rule, at, { field: 'apiGroups', what: 'API groups' }),
    ...starIssues(rule, at, { field: 'apiVersions', what: 'API versions' }),
    ...emptyIssues(textsOf(rule['apiVersions']), `${at}.apiVersions`),
    ...resourceIssues(rule, `${at}.resources`),
    ...oneOfIssues(rule, `${at}.scope`, ['*', 'Cluster', 'Namespaced']),
  ];
}

const withValues = ['In', 'NotIn'];
const withoutValues = ['Exists', 'DoesNotExist'];

function countIssues(operator: string, values: readonly string[], at: string): Issue[] {
  if (withValues.includes(operator)) {
    return values.length > 0 ? [] : [required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (!withoutValues.includes(operator)) {
    return [invalidValue(`${at}.operator`, operator, 'not a valid selector operator')];
  }
  const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
  return values.length === 0 ? [] : [forbiddenField(`${at}.values`, why)];
}

function expressionIssues(expression: JsonObject, at: string): Issue[] {
  const values = textsOf(expression['values']);
  const key = textIn(expression, 'key');
  return [
    ...countIssues(textIn(expression, 'operator'), values, at),
    ...keyProblems(key).map((why) => invalidValue(`${at}.key`, key, why)),
    ...values.flatMap((value, index) =>
      labelValueProblems(value).map((why) => invalidValue(`${at}.values[${index}]`, value, why)),
    ),
  ];
}

/** What is wrong with a LabelSelector. */
export function labelSelectorIssues(selector: JsonObject | undefined, at: string): Issue[] {
  if (selector === undefined) return [];
  const labels = Object.entries(objectIfIn(selector, 'matchLabels') ?? {});
  return [
    ...labels.flatMap(([key, value]) => [
      ...keyProblems(key).map((why) => invalidValue(`${at}.matchLabels`, key, why)),
      ...labelValueProblems(textOf(value)).map((why) => invalidValue(`${at}.matchLabels`, value ?? null, why)),
    ]),
    ...objectsIn(selector, 'matchExpressions').flatMap((expression, index) =>
      expressionIssues(expression, `${at}.matchExpressions[${index}]`),
    ),
  ];
}

const mostConditions = 64;

/** What is wrong with matchConditions, but for what their expressions say. */
export function conditionIssues(conditions: readonly JsonObject[], at: string): Issue[] {
  const names = new Set<string>();
  const many = conditions.length > mostConditions ? [tooMany(at, conditions.length, mostConditions)] : [];
  const each = conditions.flatMap((condition, index) => {
    const place = `${at}[${index}]`;
    const name = textIn(condition, 'name');
    const issues: Issue[] = textIn(condition, 'expression').trim() === '' ? [required(`${place}.expression`)] : [];
    if (name === '') issues.push(required(`${place}.name`));
    else {
      issues.push(...keyProblems(name).map((why) => invalidValue(`${place}.name`, name, why)));
      if (names.has(name)) issues.push(duplicate(`${place}.name`, name));
      names.add(name);
    }
    return issues;
  });
  return [...many, ...each];
}
