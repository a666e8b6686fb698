// The rules of HorizontalPodAutoscalers, reported for the form they are stored in, whatever version was sent.
import type { Json, JsonObject } from 'kilter/api';
import { compareQuantities, noQuantity, quantityOf, quantityText } from '../formats/index.ts';
import { forbiddenField, invalidValue, negative, required, unsupported } from '../status/index.ts';
import { isSet, type Issue, objectIfIn, objectsIn, specOf, textIn, textOf } from '../values/index.ts';
import { storedAutoscaler } from './builtin-autoscaler.ts';
import { labelProblems, nameProblems } from './names.ts';
import { containerResourceFlaws } from './resource-names.ts';

/** Which apiVersions a reference may have. */
type Versions = 'any' | 'with group' | 'well-formed';

function versionProblem(version: string, allowed: Versions): string | undefined {
  if (allowed === 'any') return undefined;
  if (version.split('/').length > 2) return `unexpected GroupVersion string: ${version}`;
  const grouped = version.includes('/') && !version.startsWith('/');
  return allowed === 'well-formed' || grouped ? undefined : 'apiVersion must specify API group';
}

function segmentIssues(field: string, text: string, missing: string | undefined): Issue[] {
  if (text === '') return [required(field, missing)];
  return nameProblems(text, 'path-segment').map((problem) => invalidValue(field, text, problem));
}

function referenceIssues(reference: JsonObject, at: string, allowed: Versions): Issue[] {
  const version = textIn(reference, 'apiVersion');
  const problem = versionProblem(version, allowed);
  return [
    ...segmentIssues(`${at}.kind`, textIn(reference, 'kind'), undefined),
    ...segmentIssues(`${at}.name`, textIn(reference, 'name'), undefined),
    ...(problem === undefined ? [] : [invalidValue(`${at}.apiVersion`, version, problem)]),
  ];
}

const targetTypes = ['Utilization', 'Value', 'AverageValue'];

function positiveIssues(field: string, value: Json | undefined): Issue[] {
  if (!isSet(value)) return [];
  const amount = quantityOf(textOf(value));
  return compareQuantities(amount, noQuantity) > 0
    ? []
    : [invalidValue(field, quantityText(amount), 'must be positive')];
}

function targetIssues(target: JsonObject, at: string): Issue[] {
  const type = textIn(target, 'type');
  const utilization = target['averageUtilization'];
  return [
    ...(type === '' ? [required(`${at}.type`, 'must specify a metric target type')] : []),
    ...(targetTypes.includes(type)
      ? []
      : [invalidValue(`${at}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...positiveIssues(`${at}.value`, target['value']),
    ...positiveIssues(`${at}.averageValue`, target['averageValue']),
    ...(typeof utilization === 'number' && utilization < 1
      ? [invalidValue(`${at}.averageUtilization`, utilization, 'must be greater than 0')]
      : []),
  ];
}

/** What every source says: its metric, and what is aimed at. */
interface Source {
  readonly source: JsonObject;
  readonly target: JsonObject;
  readonly at: string;
}

const metricIssues = ({ source, at }: Source): Issue[] =>
  segmentIssues(`${at}.metric.name`, textIn(objectIfIn(source, 'metric') ?? {}, 'name'), 'must specify a metric name');

function objectIssues(given: Source, versions: Versions): Issue[] {
  const { source, target, at } = given;
  const some = isSet(target['value']) || isSet(target['averageValue']);
  return [
    ...referenceIssues(objectIfIn(source, 'describedObject') ?? {}, `${at}.describedObject`, versions),
    ...metricIssues(given),
    ...targetIssues(target, `${at}.target`),
    ...(some ? [] : [required(`${at}.target.averageValue`, 'must set either a target value or averageValue')]),
  ];
}

function externalIssues(given: Source): Issue[] {
  const { target, at } = given;
  const [whole, each] = [isSet(target['value']), isSet(target['averageValue'])];
  const needed = 'must set either a target value for metric or a per-pod target';
  const both = 'may not set both a target value for metric and a per-pod target';
  return [
    ...metricIssues(given),
    ...targetIssues(target, `${at}.target`),
    ...(whole || each ? [] : [required(`${at}.target.averageValue`, needed)]),
    ...(whole && each ? [forbiddenField(`${at}.target.value`, both)] : []),
  ];
}

function podsIssues(given: Source): Issue[] {
  const { target, at } = given;
  const needed = 'must specify a positive target averageValue';
  return [
    ...metricIssues(given),
    ...targetIssues(target, `${at}.target`),
    ...(isSet(target['averageValue']) ? [] : [required(`${at}.target.averageValue`, needed)]),
  ];
}

function usageIssues({ target, at }: Source): Issue[] {
  const [raw, share] = [isSet(target['averageValue']), isSet(target['averageUtilization'])];
  const needed = 'must set either a target raw value or a target utilization';
  const both = 'may not set both a target raw value and a target utilization';
  return [
    ...targetIssues(target, `${at}.target`),
    ...(raw || share ? [] : [required(`${at}.target.averageUtilization`, needed)]),
    ...(raw && share ? [forbiddenField(`${at}.target.averageValue`, both)] : []),
  ];
}

function resourceIssues(given: Source): Issue[] {
  const name = textIn(given.source, 'name');
  return [
    ...(name === '' ? [required(`${given.at}.name`, 'must specify a resource name')] : []),
    ...usageIssues(given),
  ];
}

function containerIssues(given: Source): Issue[] {
  const { source, at } = given;
  const [name, container] = [textIn(source, 'name'), textIn(source, 'container')];
  return [
    ...(name === ''
      ? [required(`${at}.name`, 'must specify a resource name')]
      : containerResourceFlaws(name).map((flaw) => invalidValue(`${at}.name`, name, flaw))),
    ...(container === ''
      ? [required(`${at}.container`, 'must specify a container')]
      : labelProblems(container).map((problem) => invalidValue(`${at}.container`, container, problem))),
    ...usageIssues(given),
  ];
}

/** In the order in which the server looks for them: of several only the first is judged. */
const sources: readonly (readonly [
  field: string,
  type: string,
  judge: (given: Source, versions: Versions) => Issue[],
])[] = [
  ['object', 'Object', objectIssues],
  ['external', 'External', externalIssues],
  ['pods', 'Pods', podsIssues],
  ['resource', 'Resource', resourceIssues],
  ['containerResource', 'ContainerResource', containerIssues],
];
const sourceTypes = sources.map(([, type]) => type).toSorted();

function metricSpecIssues(metric: JsonObject, at: string, versions: Versions): Issue[] {
  const type = textIn(metric, 'type');
  const present = sources.filter(([field]) => objectIfIn(metric, field) !== undefined);
  const [first] = present;
  const expected = sources.find(([, known]) => known === type)?.[0];
  const source = first === undefined ? undefined : objectIfIn(metric, first[0]);
  const target = objectIfIn(source ?? {}, 'target') ?? {};
  const missing = expected !== undefined && objectIfIn(metric, expected) === undefined;
  const surplus = present.length === 1 ? [] : present.filter(([field]) => field !== expected);
  return [
    ...(type === '' ? [required(`${at}.type`, 'must specify a metric source type')] : []),
    ...(expected === undefined ? [unsupported(`${at}.type`, type, sourceTypes)] : []),
    ...(first === undefined || source === undefined
      ? []
      : first[2]({ source, target, at: `${at}.${first[0]}` }, versions)),
    // The server says so once more where it looks for the source.
    ...(expected === undefined ? [unsupported(`${at}.type`, type, sourceTypes)] : []),
    ...(missing ? [required(`${at}.${expected}`, 'must populate information for the given metric source')] : []),
    ...surplus.map(([field]) => forbiddenField(`${at}.${field}`, 'must populate the given metric source only')),
  ];
}

const [longestPeriod, longestWindow] = [1800, 3600];
const selections = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];

function policyIssues(policy: JsonObject, at: string): Issue[] {
  const type = textIn(policy, 'type');
  const [value, period] = [Number(policy['value'] ?? 0), Number(policy['periodSeconds'] ?? 0)];
  const positive = 'must be greater than zero';
  return [
    ...(policyTypes.includes(type) ? [] : [unsupported(`${at}.type`, type, policyTypes)]),
    ...(value <= 0 ? [invalidValue(`${at}.value`, value, positive)] : []),
    ...(period <= 0 ? [invalidValue(`${at}.periodSeconds`, period, positive)] : []),
    ...(period > longestPeriod
      ? [invalidValue(`${at}.periodSeconds`, period, `must be less than or equal to ${longestPeriod}`)]
      : []),
  ];
}

function scalingIssues(rules: JsonObject | undefined, at: string): Issue[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: window, selectPolicy: selection, tolerance } = rules;
  const field = `${at}.stabilizationWindowSeconds`;
  const policies = objectsIn(rules, 'policies');
  const amount = quantityOf(textOf(tolerance ?? '0'));
  return [
    ...(typeof window === 'number' && window < 0
      ? [invalidValue(field, window, 'must be greater than or equal to zero')]
      : []),
    ...(typeof window === 'number' && window > longestWindow
      ? [invalidValue(field, window, `must be less than or equal to ${longestWindow}`)]
      : []),
    ...(isSet(selection) && !selections.includes(textOf(selection))
      ? [unsupported(`${at}.selectPolicy`, selection, selections)]
      : []),
    ...(policies.length === 0 ? [required(`${at}.policies`, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, index) => policyIssues(policy, `${at}.policies[${index}]`)),
    ...(compareQuantities(amount, noQuantity) < 0
      ? [invalidValue(`${at}.tolerance`, quantityText(amount), 'must be greater than or equal to 0')]
      : []),
  ];
}

const targetOf = (autoscaler: JsonObject): JsonObject => objectIfIn(specOf(autoscaler), 'scaleTargetRef') ?? {};

function replicaIssues(spec: JsonObject, lowest: number): Issue[] {
  const [least, most] = [Number(spec['minReplicas'] ?? 1), Number(spec['maxReplicas'] ?? 0)];
  return [
    ...(least < lowest ? [invalidValue('spec.minReplicas', least, `must be greater than or equal to ${lowest}`)] : []),
    ...(most === 0 ? [required('spec.maxReplicas', 'must be set and greater than 0')] : []),
    ...(most < 0 ? [invalidValue('spec.maxReplicas', most, 'must be greater than or equal to 1')] : []),
    ...(most < least ? [invalidValue('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`')] : []),
  ];
}

/** What was stored before the rule was there may stay. */
function versionsOfTarget(autoscaler: JsonObject, old: JsonObject | undefined): Versions {
  const target = targetOf(autoscaler);
  const same = (field: string): boolean => textIn(targetOf(old ?? {}), field) === textIn(target, field);
  if (old !== undefined && same('apiVersion') && same('kind')) return 'any';
  // The one kind of the core group that has a scale.
  return textIn(target, 'kind') === 'ReplicationController' ? 'well-formed' : 'with group';
}

function versionsOfMetrics(old: JsonObject | undefined): Versions {
  const wrong = objectsIn(specOf(old ?? {}), 'metrics').some((metric) => {
    const described = objectIfIn(objectIfIn(metric, 'object') ?? {}, 'describedObject');
    return described !== undefined && versionProblem(textIn(described, 'apiVersion'), 'well-formed') !== undefined;
  });
  return wrong ? 'any' : 'well-formed';
}

function metricsIssues(spec: JsonObject, versions: Versions): Issue[] {
  const metrics = objectsIn(spec, 'metrics');
  const outside = metrics.some((metric) => ['Object', 'External'].includes(textIn(metric, 'type')));
  const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [
    ...metrics.flatMap((metric, index) => metricSpecIssues(metric, `spec.metrics[${index}]`, versions)),
    ...(spec['minReplicas'] === 0 && !outside ? [forbiddenField('spec.metrics', why)] : []),
  ];
}

function statusIssues(autoscaler: JsonObject): Issue[] {
  const status = objectIfIn(autoscaler, 'status') ?? {};
  return ['currentReplicas', 'desiredReplicas'].flatMap((field) => negative(`status.${field}`, status[field]));
}

export function autoscalerIssues(
  autoscaler: JsonObject,
  old: JsonObject | undefined,
  subresource: string | undefined,
): Issue[] {
  if (subresource === 'status') return statusIssues(autoscaler);
  const spec = specOf(autoscaler);
  const behavior = objectIfIn(spec, 'behavior') ?? {};
  const lowest = specOf(old ?? {})['minReplicas'] === 0 ? 0 : 1;
  return [
    ...replicaIssues(spec, lowest),
    ...referenceIssues(targetOf(autoscaler), 'spec.scaleTargetRef', versionsOfTarget(autoscaler, old)),
    ...metricsIssues(spec, versionsOfMetrics(old)),
    ...scalingIssues(objectIfIn(behavior, 'scaleUp'), 'spec.behavior.scaleUp'),
    ...scalingIssues(objectIfIn(behavior, 'scaleDown'), 'spec.behavior.scaleDown'),
  ];
}

/** autoscaling/v1, judged as what it is stored as. */
export const oldAutoscalerIssues: typeof autoscalerIssues = (autoscaler, old, subresource) =>
  autoscalerIssues(storedAutoscaler(autoscaler), old === undefined ? undefined : storedAutoscaler(old), subresource);
