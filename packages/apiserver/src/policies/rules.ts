// What a policy and a binding may say: names, rules, and expressions that compile to the type their place wants.
import type { JsonObject } from 'kilter/api';
import { bool, type CelType, string, typeText } from '../cel/index.ts';
import {
  conditionIssues,
  dns1035Label,
  keyProblems,
  labelSelectorIssues,
  oneOfIssues,
  nameProblems,
  ruleIssues,
  subdomainProblems,
} from '../kinds/index.ts';
import { conditionsOf } from '../matching/index.ts';
import { duplicate, forbiddenField, invalidValue, required, unsupported } from '../status/index.ts';
import {
  type Issue,
  metadataOf,
  objectIfIn,
  objectsIn,
  repeatsIn,
  sameValue,
  textIn,
  textsOf,
} from '../values/index.ts';
import { withoutLiterals } from './literals.ts';
import { Compiler, type Expression, paramScope } from './programs.ts';

const words = {
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Equivalent', 'Exact'],
  reinvocationPolicy: ['IfNeeded', 'Never'],
  mutatingOperations: ['*', 'CONNECT', 'CREATE', 'UPDATE'],
  patchType: ['ApplyConfiguration', 'JSONPatch'],
  actions: ['Audit', 'Deny', 'Warn'],
  notFound: ['Deny', 'Allow'],
} as const;

type Sort = 'validating' | 'mutating';

function versionIssues(apiVersion: string, at: string): Issue[] {
  if (apiVersion === '') return [required(at)];
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [invalidValue(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [group, version] = parts.length === 2 ? parts : ['', apiVersion];
  const wrongGroup = group === undefined || group === '' ? [] : subdomainProblems(group);
  if (version === undefined || version === '') return [invalidValue(at, apiVersion, 'version must be specified')];
  const wrongVersion = dns1035Label(version);
  return [
    ...(wrongGroup.length > 0 ? [invalidValue(at, group ?? '', wrongGroup.join(','))] : []),
    ...(wrongVersion.length > 0 ? [invalidValue(at, version, wrongVersion.join(','))] : []),
  ];
}

function paramKindIssues(paramKind: JsonObject | undefined, at: string): Issue[] {
  if (paramKind === undefined) return [];
  const kind = textIn(paramKind, 'kind');
  const flaws = kind === '' ? [] : dns1035Label(kind.toLowerCase());
  const why = `may have mixed case, but should otherwise match: ${flaws.join(',')}`;
  return [
    ...versionIssues(textIn(paramKind, 'apiVersion'), `${at}.apiVersion`),
    ...(kind === '' ? [required(`${at}.kind`)] : []),
    ...(flaws.length > 0 ? [invalidValue(`${at}.kind`, kind, why)] : []),
  ];
}

function namedRuleIssues(rule: JsonObject, at: string): Issue[] {
  const seen = new Set<string>();
  const names = textsOf(rule['resourceNames']).flatMap((name, index) => {
    const place = `${at}.resourceNames[${index}]`;
    const again = seen.has(name) ? [duplicate(place, name)] : [];
    seen.add(name);
    return [...nameProblems(name, 'path-segment').map((why) => invalidValue(place, name, why)), ...again];
  });
  return [...names, ...ruleIssues(rule, at)];
}

function matchIssues(matching: JsonObject, at: string, sort: Sort): Issue[] {
  const lists = ['resourceRules', 'excludeResourceRules'];
  const rules = lists.flatMap((list) =>
    objectsIn(matching, list).flatMap((rule, index) => namedRuleIssues(rule, `${at}.${list}[${index}]`)),
  );
  const allowed: readonly string[] = words.mutatingOperations;
  const operations = objectsIn(matching, 'resourceRules').flatMap((rule) => textsOf(rule['operations']));
  const wrong = sort === 'validating' ? [] : operations.filter((operation) => !allowed.includes(operation));
  return [
    ...oneOfIssues(matching, `${at}.matchPolicy`, words.matchPolicy),
    ...labelSelectorIssues(objectIfIn(matching, 'namespaceSelector'), `${at}.namespaceSelector`),
    ...labelSelectorIssues(objectIfIn(matching, 'objectSelector'), `${at}.objectSelector`),
    ...rules,
    ...wrong.map((operation) => unsupported(`${at}.resourceRules.operations`, operation, allowed)),
  ];
}

/** An expression that does not compile, or makes something its place has no use for. */
export function expressionIssues({ text, program }: Expression, at: string, wanted: readonly CelType[] = []): Issue[] {
  if (typeof program === 'string') return [invalidValue(at, text, program)];
  const got = typeText(program.type);
  const names = wanted.map(typeText);
  if (names.length === 0 || names.includes(got)) return [];
  const one = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
  return [invalidValue(at, text, `must evaluate to ${one} but got ${got}`)];
}

const isBlank = (object: JsonObject, field: string): boolean => textIn(object, field).trim() === '';

function matchConditionIssues(spec: JsonObject, at: string): Issue[] {
  const conditions = objectsIn(spec, 'matchConditions');
  const named = conditions.map((one) => ({ name: textIn(one, 'name'), expression: textIn(one, 'expression').trim() }));
  const compiled = conditionsOf(named, paramScope(objectIfIn(spec, 'paramKind') !== undefined));
  return [
    ...conditionIssues(conditions, at),
    ...compiled.flatMap(({ expression, program }, index) =>
      expression === '' ? [] : expressionIssues({ text: expression, program }, `${at}[${index}].expression`, [bool]),
    ),
  ];
}

const identifier = /^[_a-zA-Z]\w*$/;
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

function variableIssues(spec: JsonObject, compiler: Compiler, at: string): Issue[] {
  return objectsIn(spec, 'variables').flatMap((variable, index) => {
    const place = `${at}[${index}]`;
    const name = textIn(variable, 'name');
    const isUsable = identifier.test(name) && !reserved.has(name);
    const compiled = compiler.variables[index];
    const names = isBlank(variable, 'name')
      ? [required(`${place}.name`, 'name is not specified')]
      : isUsable
        ? []
        : [invalidValue(`${place}.name`, name, 'must be a valid CEL identifier')];
    if (isBlank(variable, 'expression') || compiled === undefined)
      return [...names, required(`${place}.expression`, 'expression is not specified')];
    return [...names, ...expressionIssues(compiled, `${place}.expression`)];
  });
}

const hasLines = (text: string): boolean => /[\n\r]/.test(text);
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function validationIssues(validation: JsonObject, compiler: Compiler, at: string): Issue[] {
  const [expression, message, made] = ['expression', 'message', 'messageExpression'].map((field) =>
    textIn(validation, field),
  ) as [string, string, string];
  const empty = 'must be non-empty if specified';
  return [
    ...(expression.trim() === ''
      ? [required(`${at}.expression`, 'expression is not specified')]
      : expressionIssues(compiler.compile(expression), `${at}.expression`, [bool])),
    ...(made !== '' && made.trim() === '' ? [invalidValue(`${at}.messageExpression`, made, empty)] : []),
    ...(made.trim() === '' ? [] : expressionIssues(compiler.compileMessage(made), `${at}.messageExpression`, [string])),
    ...(message !== '' && message.trim() === '' ? [invalidValue(`${at}.message`, message, empty)] : []),
    ...(hasLines(message.trim()) ? [invalidValue(`${at}.message`, message, 'must not contain line breaks')] : []),
    ...oneOfIssues(validation, `${at}.reason`, reasons),
  ];
}

const mostAnnotations = 20;
const longestAnnotation = 5 * 1024;
const nothing: CelType = { kind: 'null_type' };

function annotationIssues(policy: JsonObject, compiler: Compiler, at: string): Issue[] {
  const owner = textIn(metadataOf(policy), 'name');
  const annotations = objectsIn(objectIfIn(policy, 'spec') ?? {}, 'auditAnnotations');
  const seen = new Set<string>();
  const many = `must not have more than ${mostAnnotations} auditAnnotations`;
  const each = annotations.flatMap((annotation, index) => {
    const place = `${at}[${index}]`;
    const key = textIn(annotation, 'key');
    const qualified = `${owner}/${key}`;
    const again = seen.has(key) ? [duplicate(`${place}.key`, key)] : [];
    seen.add(key);
    const text = textIn(annotation, 'valueExpression').trim();
    const tooLong =
      text.length > longestAnnotation
        ? [required(`${place}.valueExpression`, `must not exceed ${longestAnnotation} bytes in length`)]
        : [];
    return [
      ...keyProblems(qualified).map((why) => invalidValue(`${place}.key`, qualified, why)),
      ...(text === '' ? [required(`${place}.valueExpression`, 'valueExpression is not specified')] : tooLong),
      ...(text === '' || tooLong.length > 0
        ? []
        : expressionIssues(compiler.compile(text), `${place}.valueExpression`, [string, nothing])),
      ...again,
    ];
  });
  return [...(annotations.length > mostAnnotations ? [invalidValue(at, annotations, many)] : []), ...each];
}

/** Which field each sort of patch stands in. */
const patchFields: Readonly<Record<string, string>> = {
  JSONPatch: 'jsonPatch',
  ApplyConfiguration: 'applyConfiguration',
};

const isObjectLiteral = /\bObject(?:\.\w+)*\s*\{/;

/** Literals of the types that patches are made of are maps to the compiler here. */
function patchIssues(expression: Expression, at: string, patchType: string): Issue[] {
  const issues = expressionIssues(expression, at);
  const { program, text } = expression;
  if (issues.length > 0 || typeof program === 'string') return issues;
  const { type } = program;
  const made = patchType === 'JSONPatch' && type.kind === 'list' ? type.item : type;
  const isPatch = made.kind === 'map' && (type.kind === 'list') === (patchType === 'JSONPatch');
  const wanted = patchType === 'JSONPatch' ? 'list(JSONPatch)' : 'Object';
  const got = type.kind === 'map' && isObjectLiteral.test(text) ? 'Object' : typeText(type);
  return isPatch ? [] : [invalidValue(at, text, `must evaluate to ${wanted} but got ${got}`)];
}

function mutationIssues(mutation: JsonObject, compiler: Compiler, at: string): Issue[] {
  const patchType = textIn(mutation, 'patchType');
  if (patchType === '') return [required(`${at}.patchType`)];
  const field = patchFields[patchType];
  if (field === undefined) return [unsupported(`${at}.patchType`, patchType, words.patchType)];
  const others = Object.values(patchFields).filter((one) => one !== field && objectIfIn(mutation, one) !== undefined);
  const patch = objectIfIn(mutation, field);
  const unwanted = `must not be specified when patchType is ${patchType}`;
  const text = textIn(patch ?? {}, 'expression').trim();
  const place = `${at}.${field}.expression`;
  return [
    ...(patch === undefined ? [required(`${at}.${field}`, `must be specified when patchType is ${patchType}`)] : []),
    ...(patch !== undefined && text === '' ? [required(place)] : []),
    ...(text === '' ? [] : patchIssues({ ...compiler.compile(withoutLiterals(text)), text }, place, patchType)),
    ...others.map((one) => invalidValue(`${at}.${one}`, `{${one}}`, unwanted)),
  ];
}

function validatingParts(policy: JsonObject, compiler: Compiler): Issue[] {
  const spec = objectIfIn(policy, 'spec') ?? {};
  const validations = objectsIn(spec, 'validations');
  const missing = 'validations or auditAnnotations must contain at least one item';
  if (validations.length === 0 && objectsIn(spec, 'auditAnnotations').length === 0)
    return [required('spec.validations', missing), required('spec.auditAnnotations', missing)];
  return [
    ...validations.flatMap((one, index) => validationIssues(one, compiler, `spec.validations[${index}]`)),
    ...annotationIssues(policy, compiler, 'spec.auditAnnotations'),
  ];
}

function mutatingParts(spec: JsonObject, compiler: Compiler): Issue[] {
  const mutations = objectsIn(spec, 'mutations');
  return [
    ...(mutations.length === 0 ? [required('spec.mutations', 'mutations must contain at least one item')] : []),
    ...mutations.flatMap((one, index) => mutationIssues(one, compiler, `spec.mutations[${index}]`)),
    ...(textIn(spec, 'reinvocationPolicy') === ''
      ? [required('spec.reinvocationPolicy')]
      : oneOfIssues(spec, 'spec.reinvocationPolicy', words.reinvocationPolicy)),
  ];
}

/** What is wrong with a policy; conditions that were stored so before are left in peace. */
export const policyIssues =
  (sort: Sort) =>
  (policy: JsonObject, old: JsonObject | undefined): Issue[] => {
    const spec = objectIfIn(policy, 'spec') ?? {};
    const before = objectIfIn(old ?? {}, 'spec')?.['matchConditions'];
    const isKept = before !== undefined && sameValue(before, spec['matchConditions'] ?? null);
    const matching = objectIfIn(spec, 'matchConstraints');
    const compiler = new Compiler(
      objectIfIn(spec, 'paramKind') !== undefined,
      objectsIn(spec, 'variables').map((one) => ({ name: textIn(one, 'name'), expression: textIn(one, 'expression') })),
    );
    return [
      ...oneOfIssues(spec, 'spec.failurePolicy', words.failurePolicy),
      ...paramKindIssues(objectIfIn(spec, 'paramKind'), 'spec.paramKind'),
      ...(matching === undefined
        ? [required('spec.matchConstraints')]
        : matchIssues(matching, 'spec.matchConstraints', sort)),
      ...(matching !== undefined && objectsIn(matching, 'resourceRules').length === 0
        ? [required('spec.matchConstraints.resourceRules')]
        : []),
      ...(isKept ? [] : matchConditionIssues(spec, 'spec.matchConditions')),
      ...variableIssues(spec, compiler, 'spec.variables'),
      ...(sort === 'validating' ? validatingParts(policy, compiler) : mutatingParts(spec, compiler)),
    ];
  };

function paramRefIssues(ref: JsonObject | undefined, at: string): Issue[] {
  if (ref === undefined) return [];
  const name = textIn(ref, 'name');
  const selector = objectIfIn(ref, 'selector');
  const both = 'name and selector are mutually exclusive';
  const isBoth = name !== '' && selector !== undefined;
  return [
    ...(name === '' ? [] : nameProblems(name, 'path-segment')).map((why) => invalidValue(`${at}.name`, name, why)),
    ...(isBoth ? [forbiddenField(`${at}.name`, both)] : []),
    ...labelSelectorIssues(selector, `${at}.selector`),
    ...(isBoth ? [forbiddenField(`${at}.selector`, both)] : []),
    ...(name === '' && selector === undefined ? [required(at, 'one of name or selector must be specified')] : []),
    ...(textIn(ref, 'parameterNotFoundAction') === ''
      ? [required(`${at}.parameterNotFoundAction`)]
      : oneOfIssues(ref, `${at}.parameterNotFoundAction`, words.notFound)),
  ];
}

const repeatedSense =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

function actionIssues(actions: readonly string[], at: string): Issue[] {
  const allowed: readonly string[] = words.actions;
  const again = repeatsIn(actions);
  const each = actions.flatMap((action, index) => [
    ...(allowed.includes(action) ? [] : [unsupported(`${at}[${index}]`, action, allowed)]),
    ...(again.has(index) ? [duplicate(`${at}[${index}]`, action)] : []),
  ]);
  const isDouble = actions.includes('Deny') && actions.includes('Warn');
  return [
    ...each,
    ...(isDouble ? [invalidValue(at, [...actions], repeatedSense)] : []),
    ...(actions.length === 0 ? [required(at, 'at least one validation action is required')] : []),
  ];
}

export const bindingIssues =
  (sort: Sort) =>
  (binding: JsonObject): Issue[] => {
    const spec = objectIfIn(binding, 'spec') ?? {};
    const name = textIn(spec, 'policyName');
    const matching = objectIfIn(spec, 'matchResources');
    return [
      ...(name === '' ? [required('spec.policyName')] : []),
      ...(name === '' ? [] : subdomainProblems(name).map((why) => invalidValue('spec.policyName', name, why))),
      ...paramRefIssues(objectIfIn(spec, 'paramRef'), 'spec.paramRef'),
      ...(matching === undefined ? [] : matchIssues(matching, 'spec.matchResources', sort)),
      ...(sort === 'mutating' ? [] : actionIssues(textsOf(spec['validationActions']), 'spec.validationActions')),
    ];
  };
