// What a pod asks of the nodes it runs on: labels, affinity, tolerations and how its like are spread.
import type { Json, JsonObject } from 'kilter/api';
import { duplicate, forbiddenField, invalidValue, required, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, textIn, textOf, textsOf } from '../values/index.ts';
import { labelSelectorIssues } from './matching-rules.ts';
import { keyProblems, labelProblems, labelValueProblems, subdomainProblems } from './names.ts';

const always = 'requiredDuringSchedulingIgnoredDuringExecution';
const ifPossible = 'preferredDuringSchedulingIgnoredDuringExecution';

const keyIssues = (key: string, at: string): Issue[] => keyProblems(key).map((why) => invalidValue(at, key, why));

/** Flaws of both keys and values are reported at the place of the map. */
function nodeLabelIssues(spec: JsonObject, at: string): Issue[] {
  return Object.entries(objectIfIn(spec, 'nodeSelector') ?? {}).flatMap(([key, value]) => [
    ...keyIssues(key, at),
    ...labelValueProblems(textOf(value)).map((why) => invalidValue(at, value ?? null, why)),
  ]);
}

function operatorIssues(operator: string, values: readonly string[], at: string): Issue[] {
  const place = `${at}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? [] : [required(place, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbiddenField(place, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return values.length === 1
        ? []
        : [required(place, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidValue(`${at}.operator`, operator, 'not a valid selector operator')];
  }
}

function nodeExpressionIssues(expression: JsonObject, at: string): Issue[] {
  const values = textsOf(expression['values']);
  return [
    ...operatorIssues(textIn(expression, 'operator'), values, at),
    ...keyIssues(textIn(expression, 'key'), `${at}.key`),
    ...values.flatMap((value, index) =>
      labelValueProblems(value).map((why) => invalidValue(`${at}.values[${index}]`, value, why)),
    ),
  ];
}

/** The one field of a node that can be asked for is its name. */
function nodeFieldIssues(field: JsonObject, at: string): Issue[] {
  const [key, operator, values] = [textIn(field, 'key'), textIn(field, 'operator'), textsOf(field['values'])];
  const one = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  const isKnown = operator === 'In' || operator === 'NotIn';
  return [
    ...(isKnown ? [] : [invalidValue(`${at}.operator`, operator, 'not a valid selector operator')]),
    ...(isKnown && values.length !== 1 ? [required(`${at}.values`, one)] : []),
    ...(key === 'metadata.name'
      ? values.flatMap((value, index) =>
          subdomainProblems(value).map((why) => invalidValue(`${at}.values[${index}]`, value, why)),
        )
      : [invalidValue(`${at}.key`, key, 'not a valid field selector key')]),
  ];
}

/** A term of a node selector. */
export function nodeTermIssues(term: JsonObject, at: string): Issue[] {
  return [
    ...objectsIn(term, 'matchExpressions').flatMap((one, index) =>
      nodeExpressionIssues(one, `${at}.matchExpressions[${index}]`),
    ),
    ...objectsIn(term, 'matchFields').flatMap((one, index) => nodeFieldIssues(one, `${at}.matchFields[${index}]`)),
  ];
}

function weightIssues({ weight = 0 }: JsonObject, at: string): Issue[] {
  const fits = typeof weight === 'number' && weight >= 1 && weight <= 100;
  return fits ? [] : [invalidValue(`${at}.weight`, weight, 'must be in the range 1-100')];
}

function nodeAffinityIssues(affinity: JsonObject, at: string): Issue[] {
  const selector = objectIfIn(affinity, always);
  const terms = selector === undefined ? [] : objectsIn(selector, 'nodeSelectorTerms');
  const place = `${at}.${always}.nodeSelectorTerms`;
  return [
    ...(selector !== undefined && terms.length === 0
      ? [required(place, 'must have at least one node selector term')]
      : []),
    ...terms.flatMap((term, index) => nodeTermIssues(term, `${place}[${index}]`)),
    ...objectsIn(affinity, ifPossible).flatMap((one, index) => {
      const where = `${at}.${ifPossible}[${index}]`;
      return [
        ...weightIssues(one, where),
        ...nodeTermIssues(objectIfIn(one, 'preference') ?? {}, `${where}.preference`),
      ];
    }),
  ];
}

/** Keys whose values are taken over from the pod itself need a selector to join. */
function labelKeyIssues(keys: readonly string[], selector: JsonObject | undefined, at: string): Issue[] {
  if (keys.length === 0) return [];
  if (selector === undefined) return [forbiddenField(at, 'must not be specified when labelSelector is not set')];
  return keys.flatMap((key, index) => keyIssues(key, `${at}[${index}]`));
}

function podTermIssues(term: JsonObject, at: string): Issue[] {
  const selector = objectIfIn(term, 'labelSelector');
  const [same, other] = [textsOf(term['matchLabelKeys']), textsOf(term['mismatchLabelKeys'])];
  const topology = textIn(term, 'topologyKey');
  const both = 'exists in both matchLabelKeys and mismatchLabelKeys';
  return [
    ...labelSelectorIssues(selector, `${at}.labelSelector`),
    ...labelSelectorIssues(objectIfIn(term, 'namespaceSelector'), `${at}.namespaceSelector`),
    ...textsOf(term['namespaces']).flatMap((name) =>
      labelProblems(name).map((why) => invalidValue(`${at}.namespace`, name, why)),
    ),
    ...labelKeyIssues(same, selector, `${at}.matchLabelKeys`),
    ...labelKeyIssues(other, selector, `${at}.mismatchLabelKeys`),
    ...same.flatMap((key, index) =>
      other.includes(key) ? [invalidValue(`${at}.matchLabelKeys[${index}]`, key, both)] : [],
    ),
    ...(topology === '' ? [required(`${at}.topologyKey`, 'can not be empty')] : []),
    ...keyIssues(topology, `${at}.topologyKey`),
  ];
}

function podAffinityIssues(affinity: JsonObject, at: string): Issue[] {
  return [
    ...objectsIn(affinity, always).flatMap((term, index) => podTermIssues(term, `${at}.${always}[${index}]`)),
    ...objectsIn(affinity, ifPossible).flatMap((one, index) => {
      const where = `${at}.${ifPossible}[${index}]`;
      return [
        ...weightIssues(one, where),
        ...podTermIssues(objectIfIn(one, 'podAffinityTerm') ?? {}, `${where}.podAffinityTerm`),
      ];
    }),
  ];
}

function affinityIssues(spec: JsonObject, at: string): Issue[] {
  const affinity = objectIfIn(spec, 'affinity') ?? {};
  return [
    ...nodeAffinityIssues(objectIfIn(affinity, 'nodeAffinity') ?? {}, `${at}.nodeAffinity`),
    ...podAffinityIssues(objectIfIn(affinity, 'podAffinity') ?? {}, `${at}.podAffinity`),
    ...podAffinityIssues(objectIfIn(affinity, 'podAntiAffinity') ?? {}, `${at}.podAntiAffinity`),
  ];
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
/** Those that compare numbers are for a feature gate that is off. */
const comparing = ['Lt', 'Gt'];
const operators = ['Equal', 'Exists'];

function tolerationValueIssues(operator: string, value: string, at: string): Issue[] {
  if (operator === 'Exists')
    return value === '' ? [] : [invalidValue(at, value, "value must be empty when `operator` is 'Exists'")];
  if (operator === 'Equal' || operator === '') {
    const problems = labelValueProblems(value);
    return problems.length === 0 ? [] : [invalidValue(at, value, problems.join(';'))];
  }
  return [unsupported(at, operator, comparing.includes(operator) ? [...operators, ...comparing] : operators)];
}

function tolerationIssues(toleration: JsonObject, at: string): Issue[] {
  const [key, operator, effect] = ['key', 'operator', 'effect'].map((field) => textIn(toleration, field)) as [
    string,
    string,
    string,
  ];
  const place = `${at}.operator`;
  const all = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  const evicting = "effect must be 'NoExecute' when `tolerationSeconds` is set";
  const hasSeconds = (toleration['tolerationSeconds'] ?? null) !== null;
  return [
    ...(key === '' ? [] : keyIssues(key, `${at}.key`)),
    ...(key === '' && operator !== 'Exists' ? [invalidValue(place, operator, all)] : []),
    ...(hasSeconds && effect !== 'NoExecute' ? [invalidValue(`${at}.effect`, effect, evicting)] : []),
    ...tolerationValueIssues(operator, textIn(toleration, 'value'), place),
    ...(effect === '' || effects.includes(effect) ? [] : [unsupported(`${at}.effect`, effect, effects)]),
  ];
}

const reactions = ['DoNotSchedule', 'ScheduleAnyway'];
const nodePolicies = ['Honor', 'Ignore'];

const aboveZero = (value: Json, at: string): Issue[] =>
  typeof value === 'number' && value > 0 ? [] : [invalidValue(at, value, 'must be greater than zero')];

function domainIssues({ minDomains = null }: JsonObject, reaction: string, at: string): Issue[] {
  if (minDomains === null) return [];
  const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${reaction}`;
  return [...aboveZero(minDomains, at), ...(reaction === 'DoNotSchedule' ? [] : [invalidValue(at, minDomains, why)])];
}

function nodePolicyIssues(constraint: JsonObject, at: string): Issue[] {
  return ['nodeAffinityPolicy', 'nodeTaintsPolicy'].flatMap((field) => {
    const policy = constraint[field] ?? null;
    return policy === null || nodePolicies.includes(textOf(policy))
      ? []
      : [unsupported(`${at}.${field}`, policy, nodePolicies)];
  });
}

function spreadIssues(constraint: JsonObject, at: string, later: readonly JsonObject[]): Issue[] {
  const [topology, reaction] = [textIn(constraint, 'topologyKey'), textIn(constraint, 'whenUnsatisfiable')];
  const repeated = later.some(
    (one) => textIn(one, 'topologyKey') === topology && textIn(one, 'whenUnsatisfiable') === reaction,
  );
  const selector = objectIfIn(constraint, 'labelSelector');
  return [
    ...aboveZero(constraint['maxSkew'] ?? 0, `${at}.maxSkew`),
    ...(topology === '' ? [required(`${at}.topologyKey`, 'can not be empty')] : []),
    ...(reactions.includes(reaction) ? [] : [unsupported(`${at}.whenUnsatisfiable`, reaction, reactions)]),
    ...(repeated ? [duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topology}, ${reaction}}`)] : []),
    ...domainIssues(constraint, reaction, `${at}.minDomains`),
    ...nodePolicyIssues(constraint, at),
    ...labelKeyIssues(textsOf(constraint['matchLabelKeys']), selector, `${at}.matchLabelKeys`),
    ...labelSelectorIssues(selector, `${at}.labelSelector`),
  ];
}

/** What is wrong with where the pods of a spec want to be. */
export function placementIssues(spec: JsonObject, path: string): Issue[] {
  const constraints = objectsIn(spec, 'topologySpreadConstraints');
  return [
    ...nodeLabelIssues(spec, `${path}.nodeSelector`),
    ...affinityIssues(spec, `${path}.affinity`),
    ...constraints.flatMap((constraint, index) =>
      spreadIssues(constraint, `${path}.topologySpreadConstraints[${index}]`, constraints.slice(index + 1)),
    ),
  ];
}

export function tolerationsIssues(spec: JsonObject, path: string): Issue[] {
  return objectsIn(spec, 'tolerations').flatMap((one, index) => tolerationIssues(one, `${path}.tolerations[${index}]`));
}
