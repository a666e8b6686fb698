// The rules of classes: what other objects choose by a name, and what therefore stays what it was.
import { Buffer } from 'node:buffer';
import type { JsonObject } from 'kilter/api';
import { forbiddenField, immutable, invalidValue, required, tooLong, unsupported } from '../status/index.ts';
import { isSame, isSet, type Issue, metadataOf, objectIfIn, specOf, textIn, textOf } from '../values/index.ts';
import { shownMap } from './shown-values.ts';
import { keyProblems, labelProblems, labelValueProblems, nameProblems, subdomainProblems } from './names.ts';

/** Fields that may not change, as those of the object. */
const frozen = (object: JsonObject, old: JsonObject | undefined, fields: readonly string[]): Issue[] =>
  old === undefined
    ? []
    : fields
        .filter((field) => !isSame(object[field], old[field]))
        .map((field) =>
          immutable(field, field === 'parameters' ? shownMap(objectIfIn(object, field)) : (object[field] ?? null)),
        );

const oneOf = (object: JsonObject, field: string, words: readonly string[]): Issue[] => {
  const word = object[field];
  return !isSet(word) || word === '' || words.includes(textOf(word)) ? [] : [unsupported(field, word, words)];
};

const [mostParameters, mostCharacters] = [512, 256 * 1024];

function parameterIssues(parameters: JsonObject): Issue[] {
  const entries = Object.entries(parameters);
  if (entries.length > mostParameters) return [tooLong('parameters', mostParameters)];
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key + textOf(value)), 0);
  return [
    ...('' in parameters ? [invalidValue('parameters', '', 'field can not be empty.')] : []),
    ...(size > mostCharacters ? [tooLong('parameters', mostCharacters)] : []),
  ];
}

export function storageClassIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  const provisioner = textIn(object, 'provisioner').toLowerCase();
  const modes = ['Immediate', 'WaitForFirstConsumer'];
  const flaws = provisioner === '' ? [] : keyProblems(provisioner);
  return [
    ...(provisioner === '' ? [required('provisioner')] : []),
    ...flaws.map((flaw) => invalidValue('provisioner', provisioner, flaw)),
    ...parameterIssues(objectIfIn(object, 'parameters') ?? {}),
    ...oneOf(object, 'reclaimPolicy', ['Delete', 'Retain']),
    ...oneOf(object, 'volumeBindingMode', modes),
    ...frozen(object, old, ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']),
  ];
}

/** Those of the system, and the highest of anybody else. */
const ofSystem: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);
const highest = 1_000_000_000;

function systemProblem(name: string, object: JsonObject): string | undefined {
  const value = ofSystem.get(name);
  if (value === undefined) return `${name} is not a known system priority class`;
  if (object['value'] !== value) return `value of ${name} PriorityClass must be ${value}`;
  return object['globalDefault'] === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function reservedIssues(object: JsonObject): Issue[] {
  const name = textIn(metadataOf(object), 'name');
  if (!name.startsWith('system-')) {
    const why = `maximum allowed value of a user defined priority is ${highest}`;
    return Number(object['value'] ?? 0) > highest ? [forbiddenField('value', why)] : [];
  }
  const problem = systemProblem(name, object);
  const why = `priority class names with 'system-' prefix are reserved for system use only. error: ${problem ?? ''}`;
  return problem === undefined ? [] : [forbiddenField('metadata.name', why)];
}

export function priorityClassIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  if (old !== undefined) {
    const same = Number(object['value'] ?? 0) === Number(old['value'] ?? 0);
    return [
      ...(same ? [] : [forbiddenField('value', 'may not be changed in an update.')]),
      ...frozen(object, old, ['preemptionPolicy']),
    ];
  }
  return [...reservedIssues(object), ...oneOf(object, 'preemptionPolicy', ['PreemptLowerPriority', 'Never'])];
}

const path = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;
const pathText = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";
const longestController = 250;

/** `example.com/ingress` */
function controllerIssues(controller: string): Issue[] {
  const field = 'spec.controller';
  if (controller === '') return [required(field)];
  const slash = controller.indexOf('/');
  const [host, rest] = [controller.slice(0, Math.max(0, slash)), controller.slice(slash + 1)];
  if (host === '' || rest === '') {
    return [invalidValue(field, controller, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  return [
    ...(controller.length > longestController ? [tooLong(field, longestController)] : []),
    ...subdomainProblems(host).map((flaw) => invalidValue(field, host, flaw)),
    ...(path.test(rest) ? [] : [invalidValue(field, rest, pathText)]),
  ];
}

function segmentIssues(field: string, text: string): Issue[] {
  return text === ''
    ? [required(field)]
    : nameProblems(text, 'path-segment').map((why) => invalidValue(field, text, why));
}

function scopeIssues(parameters: JsonObject, at: string): Issue[] {
  const { scope = null, namespace = null } = parameters;
  const field = `${at}.namespace`;
  if (scope === null) return [required(`${at}.scope`)];
  if (scope === 'Cluster') {
    return namespace === null ? [] : [forbiddenField(field, "`parameters.scope` is set to 'Cluster'")];
  }
  if (scope !== 'Namespace') return [unsupported(`${at}.scope`, scope, ['Cluster', 'Namespace'])];
  if (namespace === null) return [required(field, "`parameters.scope` is set to 'Namespace'")];
  return labelProblems(textOf(namespace)).map((flaw) => invalidValue(field, namespace, flaw));
}

function ingressParameterIssues(parameters: JsonObject | undefined): Issue[] {
  if (parameters === undefined) return [];
  const at = 'spec.parameters';
  const { apiGroup = null } = parameters;
  const flaws = apiGroup === null ? [] : subdomainProblems(textOf(apiGroup));
  return [
    ...flaws.map((flaw) => invalidValue(`${at}.apiGroup`, apiGroup, flaw)),
    ...segmentIssues(`${at}.kind`, textIn(parameters, 'kind')),
    ...segmentIssues(`${at}.name`, textIn(parameters, 'name')),
    ...scopeIssues(parameters, at),
  ];
}

export function ingressClassIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = specOf(object);
  const controller = textIn(spec, 'controller');
  const same = old === undefined || controller === textIn(specOf(old), 'controller');
  return [
    ...(same ? [] : [immutable('spec.controller', controller)]),
    ...controllerIssues(controller),
    ...ingressParameterIssues(objectIfIn(spec, 'parameters')),
  ];
}

export function runtimeClassIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  if (old !== undefined) return frozen(object, old, ['handler']);
  const handler = textIn(object, 'handler');
  const flaws = handler === '' ? [] : labelProblems(handler);
  const nodes = objectIfIn(objectIfIn(object, 'scheduling') ?? {}, 'nodeSelector') ?? {};
  const at = 'scheduling.nodeSelector';
  return [
    ...(handler === '' ? [required('handler')] : []),
    ...flaws.map((flaw) => invalidValue('handler', handler, flaw)),
    ...Object.entries(nodes).flatMap(([key, value]) => [
      ...keyProblems(key).map((flaw) => invalidValue(at, key, flaw)),
      ...labelValueProblems(textOf(value)).map((flaw) => invalidValue(at, value ?? '', flaw)),
    ]),
  ];
}
